/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What changed since another release, and the version number that says so,
 * by the rule of Croissant: major when records were edited or removed, minor
 * when some were added, patch otherwise.
 */
#ifndef PUBLISH_CHANGES_H
#define PUBLISH_CHANGES_H

#include "model/version.h"
#include "publish/facts.h"

struct changes {
	bool has_previous;
	/* It is replaced, and not a row of it differs: then its version stays
	 * too, unless some other file is to say something else. */
	bool is_again;
	char version[GS_VERSION_SIZE], previous[GS_VERSION_SIZE];
	struct gs_strv added, changed, removed; /* ids; in order of the files */
	size_t proven;           /* of which only the audit trail is another */
	struct gs_strv repos;    /* of the previous release, each once */
	struct gs_buf older;     /* the previous changelog's entries */
	struct gs_buf withdrawn; /* its withdrawn.csv */
};

struct change_question {
	const char *folder;   /* of the new tables */
	const char *previous; /* a release, or NULL */
	bool is_replaced;     /* the previous one will be gone */
	const char *version;  /* wanted; NULL: the lowest that is true */
};

/* GS_E_USAGE for a version that is not true. */
GS_MUST_CHECK int changes_read(struct gs_table *table,
    const struct change_question *question, struct changes *ret,
    struct gs_err *err);
/* `is_again` was wrong: the files beside the tables differ. */
GS_MUST_CHECK int changes_not_again(
    struct changes *changes, const char *version, struct gs_err *err);
void changes_write(const struct changes *changes, const struct facts *facts,
    struct gs_buf *out);
void changes_release(struct changes *changes);

#endif

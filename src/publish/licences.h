/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The licence texts of a release (L4, F139): each distinct text once, under
 * a name made from its hash, with an index that leads from a record's
 * commit and license_file to it.
 */
#ifndef PUBLISH_LICENCES_H
#define PUBLISH_LICENCES_H

#include "base/err.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/strv.h"
#include "model/record.h"
#include "store/store.h"

struct licence_text {
	char sha256[GS_SHA256_HEX];
	char *name;             /* in the folder licenses/ */
	char *base;             /* the least of the names it had, cleaned */
	struct gs_strv holders; /* its copyright lines, e-mail taken out */
};

struct licence_row {
	char *repo, *commit, *path;
	struct licence_text *text;
};

struct licences {
	struct {
		struct licence_row *v;
		size_t n, cap;
	} rows;              /* sorted once written */
	struct gs_map keys;  /* repo, commit and path → itself */
	struct gs_map texts; /* SHA-256 → struct licence_text * */
};

/* Takes the texts of one record. */
GS_MUST_CHECK int licences_note(struct licences *licences,
    const struct gs_record *record, const struct gs_evidence *evidence,
    struct gs_err *err);
/* Writes licenses/ with its index.csv. */
GS_MUST_CHECK int licences_write(struct licences *licences,
    struct gs_store *store, const char *folder, struct gs_err *err);
/* Whether the text that this record cites is there. */
bool licences_resolve(
    const struct licences *licences, const struct gs_record *record);
void licences_release(struct licences *licences);

#endif

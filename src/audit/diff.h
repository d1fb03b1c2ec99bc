/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two releases compared: every id that came, went or changed, and why; and
 * the version number that says so.
 */
#ifndef AUDIT_DIFF_H
#define AUDIT_DIFF_H

#include "base/err.h"
#include "base/strv.h"
#include "model/version.h"

enum gs_row_change {
	GS_CHANGE_ADDED,
	GS_CHANGE_REMOVED,
	GS_CHANGE_EDITED, /* a column that a user of the data sees */
	GS_CHANGE_PROVEN, /* only the audit trail: run again, say */
};

struct gs_change_row {
	enum gs_row_change change;
	char *id, *repo, *unit;
	struct gs_strv columns; /* of an edited or proven one */
	/* A stable word, and for people the rest of the sentence: "new",
	 * "stands now" (another of the same fix stood before); "withdrawn",
	 * "duplicate" (of `other`), "made anew" (as `other`), "left"; "". */
	const char *reason;
	char *other;  /* an id, or NULL */
	char *detail; /* date and words of a withdrawal, or NULL */
};

struct gs_release_diff {
	struct gs_change_row *v; /* by repo, then id; removed ones first */
	size_t n, cap;
	size_t added, removed, edited, proven;
	bool same_rows; /* not even the audit trail differs */
	enum gs_bump bump;
	char old_version[GS_VERSION_SIZE], new_version[GS_VERSION_SIZE];
	char least[GS_VERSION_SIZE]; /* that tells the truth after the old */
	bool is_true;                /* the new one's number does */
};

/* GS_E_USAGE for a folder that is no release. */
GS_MUST_CHECK int gs_release_diff(const char *old_release,
    const char *new_release, struct gs_release_diff *ret, struct gs_err *err);
void gs_release_diff_release(struct gs_release_diff *diff);
const char *gs_row_change_name(enum gs_row_change change);

#endif

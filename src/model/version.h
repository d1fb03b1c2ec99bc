/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Versions of a release, by the rule of Croissant: major when records were
 * edited or removed, minor when some were added, patch when the same records
 * are stored or described otherwise.
 */
#ifndef MODEL_VERSION_H
#define MODEL_VERSION_H

#include "base/strv.h"
#include "model/record.h"

#define GS_VERSION_SIZE 32

struct gs_version {
	unsigned major, minor, patch;
};

enum gs_bump {
	GS_BUMP_NONE, /* the very same bytes */
	GS_BUMP_PATCH,
	GS_BUMP_MINOR,
	GS_BUMP_MAJOR,
};

/* "1.2.3" and nothing else: no sign, no leading zero, at most six digits. */
bool gs_version_parse(struct gs_str text, struct gs_version *ret);
void gs_version_print(
    const struct gs_version *version, char out[GS_VERSION_SIZE]);
int gs_version_cmp(const struct gs_version *a, const struct gs_version *b);
/* The lowest version that tells the truth. */
struct gs_version gs_version_next(
    const struct gs_version *old, enum gs_bump bump);
const char *gs_bump_name(enum gs_bump bump);

/* Columns of the audit trail (validated_at, validator): where only they
 * differ, the record is the same for whoever uses it. */
bool gs_record_is_trail(const char *column);
/* Columns of evidence that decide what an answer scores (E2). */
bool gs_evidence_is_scored(const char *column);

/* Appends the columns in which two records of one id differ, those of the
 * audit trail to `ret_trail`. */
void gs_record_differs(const struct gs_record *old, const struct gs_record *new,
    struct gs_strv *ret_columns, struct gs_strv *ret_trail);
/* The same for evidence, as "evidence.pass_to_pass"; all that is not scored
 * is trail. */
void gs_evidence_differs(const struct gs_evidence *old,
    const struct gs_evidence *new, struct gs_strv *ret_columns,
    struct gs_strv *ret_trail);

#endif

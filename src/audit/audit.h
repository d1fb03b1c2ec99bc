/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A release looked at without a clone: what its files say of themselves and
 * of each other. Whatever is wrong is a finding, and findings are values: an
 * error means that the looking itself could not be done.
 *
 * Nothing here comes from publish/: what that module promises is recomputed.
 */
#ifndef AUDIT_AUDIT_H
#define AUDIT_AUDIT_H

#include <stdint.h>

#include "base/err.h"
#include "base/watch.h"

enum gs_severity {
	GS_NOTICE,  /* worth knowing; nothing to be done */
	GS_WARNING, /* somebody should look */
	GS_ERROR,   /* must be mended before anybody uses it */
};

struct gs_finding {
	enum gs_severity severity;
	const char *check;  /* a short stable name, for scripts */
	const char *file;   /* in the release, or NULL */
	const char *id;     /* of the record, or NULL */
	const char *column; /* or NULL */
	const char *text;   /* a whole sentence, harmless to print */
};

struct gs_audit_options {
	const char *release;
	const char *withheld; /* a folder with the other side (P4), or NULL */
	const char *reveal;   /* a file that opens the commitment, or NULL */
	struct gs_watch watch;
};

struct gs_audit_result {
	int64_t records, errors, warnings, notices;
};

typedef void (*gs_finding_fn)(void *ctx, const struct gs_finding *finding);

/* GS_E_NOT_FOUND when `release` is no folder. */
GS_MUST_CHECK int gs_audit(const struct gs_audit_options *options,
    gs_finding_fn fn, void *ctx, struct gs_audit_result *ret,
    struct gs_err *err);

const char *gs_severity_name(enum gs_severity severity);

#endif

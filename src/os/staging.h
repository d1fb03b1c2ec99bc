/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A folder from nothing to its place. It is filled as a hidden neighbour, so
 * that the last step is one rename; a lock on it, which ends with the
 * process, tells the next one that it may be swept.
 *
 *	GS_CLEANUP(gs_staging_release) struct gs_staging staging = {.lock = -1};
 *	rc = gs_staging_open(&staging, "out", &kind, replace, err);
 *	... fill staging.path, flush it ...
 *	rc = gs_staging_place(&staging, err);
 *	rc = gs_staging_finish(&staging, err);
 */
#ifndef OS_STAGING_H
#define OS_STAGING_H

#include <stdbool.h>

#include "base/err.h"

struct gs_staging {
	char *target, *parent; /* where it will stand */
	char *path;            /* the hidden folder; NULL once it is in place */
	int lock;              /* that folder, open and locked; or -1 */
	bool replaces, is_placed;
};

struct gs_staging_kind {
	const char *hidden; /* what hidden names begin with */
	const char *thing;  /* "a release", for errors */
	/* Refuses a folder that is there and must not be replaced: all in it
	 * is removed. */
	int (*check)(const char *folder, struct gs_err *err);
};

/* Makes the hidden folder (0700). GS_E_EXISTS for a folder that is there and
 * may not be replaced, GS_E_USAGE for a path that names none. Removes what
 * processes that died have left beside it. */
GS_MUST_CHECK int gs_staging_open(struct gs_staging *staging,
    const char *folder, const struct gs_staging_kind *kind, bool replace,
    struct gs_err *err);
/* Into place; what stood there is kept until gs_staging_finish. GS_E_EXISTS
 * when a folder has come into being meanwhile. */
GS_MUST_CHECK int gs_staging_place(
    struct gs_staging *staging, struct gs_err *err);
void gs_staging_undo(struct gs_staging *staging); /* as if never placed */
GS_MUST_CHECK int gs_staging_finish(
    struct gs_staging *staging, struct gs_err *err);
/* Removes what has no place; the struct is as new. */
void gs_staging_release(struct gs_staging *staging);

#endif

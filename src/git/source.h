/* SPDX-License-Identifier: Apache-2.0 */
/* Where a local repository keeps its parts, found by reading files and
 * running nothing. */
#ifndef GIT_SOURCE_H
#define GIT_SOURCE_H

#include <stdbool.h>

#include "base/err.h"

struct gs_local {
	char *common; /* the git directory that holds objects and refs */
	char *origin; /* remote.origin.url, or NULL */
	bool is_sha256;
};

/* `path` is a work tree, a linked work tree or a bare repository.
 * GS_E_NOT_FOUND, GS_E_CORRUPT (no repository), GS_E_USAGE (a format that we
 * do not read). */
GS_MUST_CHECK int gs_local_open(
    const char *path, struct gs_local *ret, struct gs_err *err);
/* GS_E_CORRUPT when reading the objects in this folder would make git open
 * something that is no plain file. */
GS_MUST_CHECK int gs_local_check(const char *objects, struct gs_err *err);
void gs_local_release(struct gs_local *source);

#endif

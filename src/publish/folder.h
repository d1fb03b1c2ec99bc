/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a release, from nothing to its place (os/staging.h). */
#ifndef PUBLISH_FOLDER_H
#define PUBLISH_FOLDER_H

#include "base/buf.h"
#include "os/staging.h"

/* GS_E_EXISTS for a folder that is there and is no release, or holds what no
 * release does. */
GS_MUST_CHECK int folder_open(struct gs_staging *staging, const char *folder,
    bool replace, struct gs_err *err);
GS_MUST_CHECK int folder_write(const struct gs_staging *staging,
    const char *name, struct gs_str text, struct gs_err *err);
/* SHA256SUMS of all that is there. */
GS_MUST_CHECK int folder_sums(
    const struct gs_staging *staging, struct gs_buf *ret, struct gs_err *err);
/* Writes them, and everything to disk: now only a rename is wanting. What is
 * private nobody else may read (0700). */
GS_MUST_CHECK int folder_seal(
    struct gs_staging *staging, bool is_private, struct gs_err *err);
GS_MUST_CHECK int folder_place(struct gs_staging *staging, struct gs_err *err);

#endif

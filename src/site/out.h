/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a site, from nothing to its place (os/staging.h): many small
 * files, flushed once. */
#ifndef SITE_OUT_H
#define SITE_OUT_H

#include <stdint.h>

#include "base/buf.h"
#include "os/staging.h"

struct out {
	struct gs_staging staging;
	int64_t bytes; /* written */
};

GS_MUST_CHECK int out_open(
    struct out *out, const char *folder, bool replace, struct gs_err *err);
GS_MUST_CHECK int out_folder(
    struct out *out, const char *name, struct gs_err *err);
/* `name` may hold folders, which are there. */
GS_MUST_CHECK int out_write(
    struct out *out, const char *name, struct gs_str bytes, struct gs_err *err);
/* A file of any size; 0 also when `from` does not exist. */
GS_MUST_CHECK int out_copy(
    struct out *out, const char *from, const char *name, struct gs_err *err);
GS_MUST_CHECK int out_place(struct out *out, struct gs_err *err);
void out_release(struct out *out);

#endif

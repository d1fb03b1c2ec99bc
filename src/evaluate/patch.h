/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A unified diff of one file, applied exactly: every hunk at the line that it
 * names, every context line equal, all hunks or none (F148, F149). The one
 * repair is a line feed at the very end. Anything that is no diff of `path`
 * and nothing else is refused: another file, a new or deleted one, a renamed
 * one, another mode, prose around it, binary hunks, a path that escapes
 * (F165).
 */
#ifndef EVALUATE_PATCH_H
#define EVALUATE_PATCH_H

#include "base/buf.h"

/* True and the new text; false and a sentence in `ret_why` (at least 200
 * bytes are wanted; the bytes are valid UTF-8). */
bool gs_patch_apply(struct gs_str patch, struct gs_str path, struct gs_str text,
    struct gs_buf *ret, struct gs_buf *ret_why);

#endif

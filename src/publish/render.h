/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Templates: text with {{names}}. Every name must have a value, and the
 * value must not be empty: a card with a hole in it is never published. A
 * first line "{{! ...}}" is a note for us and is left out.
 */
#ifndef PUBLISH_RENDER_H
#define PUBLISH_RENDER_H

#include "base/buf.h"
#include "base/err.h"
#include "base/map.h"

struct values {
	struct gs_map map; /* name → struct gs_str * */
	struct gs_arena arena;
};

void values_set(struct values *values, const char *name, struct gs_str value);
void values_setf(struct values *values, const char *name, const char *fmt, ...)
    GS_PRINTF(3, 4);
void values_release(struct values *values);

GS_MUST_CHECK int render(const char *what, struct gs_str template,
    const struct values *values, struct gs_buf *out, struct gs_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Which bytes differ between some removed and some added lines, by words. */
#ifndef SITE_WORDS_H
#define SITE_WORDS_H

#include "base/str.h"

/* A stretch of bytes that has no partner on the other side. */
struct stretch {
	size_t start, end;
};

struct stretches {
	struct stretch *v;
	size_t n, cap;
};

/* Nothing where the two have so little in common that marks would be noise,
 * or are too long for a word by word comparison. */
void words_differ(struct gs_str before, struct gs_str after,
    struct stretches *ret_removed, struct stretches *ret_added);
void stretches_release(struct stretches *stretches);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nearly equal texts among many: sets of hashed runs of tokens ("shingles"),
 * compared by Jaccard's index. Equal texts of a few tokens prove nothing and
 * are not looked at.
 */
#ifndef AUDIT_NEAR_H
#define AUDIT_NEAR_H

#include <stdint.h>

#include "base/str.h"
#include "base/watch.h"

#define NEAR_LEAST 0.9
#define NEAR_TOKENS 40 /* fewer in a text: it is not compared */

struct sketch {
	uint64_t *v; /* sorted, each once */
	size_t n;
	size_t group; /* pairs inside one group are not told */
};

struct near {
	struct sketch *v;
	size_t n, cap;
};

/* Adds a text; its number is the count of those before it. */
void near_add(struct near *near, struct gs_str text, size_t group);
typedef void (*near_fn)(void *ctx, size_t a, size_t b, double similarity);
/* Every pair (a before b) of different groups that is near enough; of texts
 * that are alike by the thousand each with its next ones only, so that memory
 * grows with the texts and not with their square. */
void near_pairs(const struct near *near, const struct gs_watch *watch,
    near_fn fn, void *ctx);
void near_release(struct near *near);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for one item (a commit, a file): many small allocations, freed
 * together. A zeroed arena is empty; pointers stay valid until reset. */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/str.h"

struct gs_arena {
	struct gs_arena_block *head;
};

void *gs_arena_alloc(struct gs_arena *arena, size_t size); /* zeroed, aligned */
char *gs_arena_cstr(struct gs_arena *arena, struct gs_str s);
struct gs_str gs_arena_str(struct gs_arena *arena, struct gs_str s);
void gs_arena_reset(struct gs_arena *arena);   /* keeps the first block */
void gs_arena_release(struct gs_arena *arena); /* frees everything */

#endif

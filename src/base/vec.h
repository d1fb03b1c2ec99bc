/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Growing arrays of any type, as a macro over three members:
 *
 *	struct { struct gs_unit *v; size_t n, cap; } units = {0};
 *	struct gs_unit *unit = GS_VEC_ADD(&units);   // zeroed new last element
 *	GS_VEC_FREE(&units);
 */
#ifndef BASE_VEC_H
#define BASE_VEC_H

#include <stdlib.h>

#include "base/mem.h"

/* The array behind p, with room for one more, zeroed at index n. */
void *gs_vec_grow(void *p, size_t n, size_t *cap, size_t size);

#define GS_VEC_ADD(vec)                                                        \
	((vec)->v = gs_vec_grow(                                               \
	     (vec)->v, (vec)->n, &(vec)->cap, sizeof(*(vec)->v)),              \
	    &(vec)->v[(vec)->n++])
#define GS_VEC_FREE(vec)                                                       \
	(free((vec)->v), (vec)->v = NULL, (vec)->n = (vec)->cap = 0)
#define GS_VEC_SORT(vec, cmp)                                                  \
	((vec)->n > 1 ? qsort((vec)->v, (vec)->n, sizeof(*(vec)->v), cmp)      \
	              : (void)0)

#endif

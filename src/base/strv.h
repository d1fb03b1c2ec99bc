/* SPDX-License-Identifier: Apache-2.0 */
/* A vector of owned C strings, NULL-terminated at all times and so always
 * ready for execve. A zeroed struct is empty. Shell strings are never built. */
#ifndef BASE_STRV_H
#define BASE_STRV_H

#include "base/attr.h"
#include "base/str.h"

struct gs_strv {
	char **v; /* NULL while empty: use gs_strv_argv() */
	size_t n, cap;
};

void gs_strv_release(struct gs_strv *strv);
void gs_strv_reset(struct gs_strv *strv);
void gs_strv_push(struct gs_strv *strv, const char *s); /* copies */
void gs_strv_push_str(struct gs_strv *strv, struct gs_str s);
void gs_strv_pushf(struct gs_strv *strv, const char *fmt, ...) GS_PRINTF(2, 3);
/* Pushes all arguments up to a NULL. */
void gs_strv_push_all(struct gs_strv *strv, ...) __attribute__((sentinel));
void gs_strv_copy(struct gs_strv *strv, const struct gs_strv *other);
void gs_strv_sort(struct gs_strv *strv); /* by bytes */
void gs_strv_uniq(struct gs_strv *strv); /* drops equal neighbours */
/* Drops the entries for which drop[i] is true. */
void gs_strv_filter(struct gs_strv *strv, const bool *drop);
bool gs_strv_has(const struct gs_strv *strv, const char *s);
/* The same in a sorted vector, by bisection. */
bool gs_strv_has_sorted(const struct gs_strv *strv, const char *s);
/* All entries with `between` between them; the caller frees. */
char *gs_strv_join(const struct gs_strv *strv, const char *between);
/* Drops the last entry; there must be one. */
void gs_strv_pop(struct gs_strv *strv);
char *const *gs_strv_argv(const struct gs_strv *strv);

#endif

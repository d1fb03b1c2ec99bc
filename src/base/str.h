/* SPDX-License-Identifier: Apache-2.0 */
/* A view of bytes that somebody else owns. May hold NUL and anything else;
 * passed by value. `p` is not NULL when n > 0. */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>

struct gs_str {
	const char *p;
	size_t n;
};

#define GS_STR(literal) ((struct gs_str){"" literal, sizeof(literal) - 1})
/* For printf: "%.*s", GS_STR_ARG(s) */
#define GS_STR_ARG(s) (int)(s).n, (s).p

struct gs_str gs_str(const char *s); /* NULL gives the empty view */
struct gs_str gs_str_n(const char *p, size_t n);
bool gs_str_eq(struct gs_str a, struct gs_str b);
bool gs_str_is(struct gs_str a, const char *b);
bool gs_str_starts(struct gs_str s, const char *prefix);
bool gs_str_ends(struct gs_str s, const char *suffix);
/* memcmp order, then the shorter first. */
int gs_str_cmp(struct gs_str a, struct gs_str b);
bool gs_str_contains(struct gs_str s, struct gs_str needle);
/* Position of `needle`, or -1. */
ptrdiff_t gs_str_find(struct gs_str s, struct gs_str needle);
ptrdiff_t gs_str_find_char(struct gs_str s, char c);
ptrdiff_t gs_str_rfind_char(struct gs_str s, char c);
struct gs_str gs_str_from(struct gs_str s, size_t start);
struct gs_str gs_str_sub(struct gs_str s, size_t start, size_t end);
struct gs_str gs_str_trim(struct gs_str s); /* ASCII white space */
/* Takes the part up to `sep` off the front of *s into *ret_part, without the
 * separator; false when *s is used up. A last part without separator counts. */
bool gs_str_cut(struct gs_str *s, char sep, struct gs_str *ret_part);
/* In any case (of ASCII letters). */
bool gs_str_ieq(struct gs_str a, struct gs_str b);
bool gs_str_istarts(struct gs_str s, const char *prefix);
bool gs_str_iends(struct gs_str s, const char *suffix);

#endif

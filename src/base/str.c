/* SPDX-License-Identifier: Apache-2.0 */
#include "base/str.h"

#include <string.h>

struct gs_str gs_str(const char *s)
{
	return (struct gs_str){s, s ? strlen(s) : 0};
}

struct gs_str gs_str_n(const char *p, size_t n)
{
	return (struct gs_str){p, n};
}

bool gs_str_eq(struct gs_str a, struct gs_str b)
{
	if (a.n != b.n)
		return false;
	return !a.p || !b.p || memcmp(a.p, b.p, a.n) == 0;
}

bool gs_str_is(struct gs_str a, const char *b)
{
	return gs_str_eq(a, gs_str(b));
}

bool gs_str_starts(struct gs_str s, const char *prefix)
{
	struct gs_str start = gs_str(prefix);
	return s.n >= start.n && gs_str_eq(gs_str_sub(s, 0, start.n), start);
}

bool gs_str_ends(struct gs_str s, const char *suffix)
{
	struct gs_str end = gs_str(suffix);
	return s.n >= end.n && gs_str_eq(gs_str_from(s, s.n - end.n), end);
}

int gs_str_cmp(struct gs_str a, struct gs_str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int order = n ? memcmp(a.p, b.p, n) : 0;
	return order ? order : (a.n > b.n) - (a.n < b.n);
}

bool gs_str_contains(struct gs_str s, struct gs_str needle)
{
	return gs_str_find(s, needle) >= 0;
}

ptrdiff_t gs_str_find(struct gs_str s, struct gs_str needle)
{
	if (needle.n == 0)
		return 0;
	if (s.n < needle.n)
		return -1;
	const char *at = memmem(s.p, s.n, needle.p, needle.n);
	return at ? at - s.p : -1;
}

ptrdiff_t gs_str_find_char(struct gs_str s, char c)
{
	const char *at = s.n ? memchr(s.p, c, s.n) : NULL;
	return at ? at - s.p : -1;
}

ptrdiff_t gs_str_rfind_char(struct gs_str s, char c)
{
	const char *at = s.n ? memrchr(s.p, c, s.n) : NULL;
	return at ? at - s.p : -1;
}

struct gs_str gs_str_from(struct gs_str s, size_t start)
{
	return gs_str_sub(s, start, s.n);
}

struct gs_str gs_str_sub(struct gs_str s, size_t start, size_t end)
{
	if (end > s.n)
		end = s.n;
	if (start > end)
		start = end;
	return (struct gs_str){s.p ? s.p + start : NULL, end - start};
}

/* Not isspace: that one depends on the locale. */
static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

struct gs_str gs_str_trim(struct gs_str s)
{
	size_t start = 0, end = s.n;

	while (start < end && is_space(s.p[start]))
		start++;
	while (end > start && is_space(s.p[end - 1]))
		end--;
	return gs_str_sub(s, start, end);
}

bool gs_str_cut(struct gs_str *s, char sep, struct gs_str *ret_part)
{
	if (s->n == 0)
		return false;
	ptrdiff_t at = gs_str_find_char(*s, sep);
	size_t n = at < 0 ? s->n : (size_t)at;
	*ret_part = gs_str_sub(*s, 0, n);
	*s = gs_str_from(*s, n + 1);
	return true;
}

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool gs_str_ieq(struct gs_str a, struct gs_str b)
{
	if (a.n != b.n)
		return false;
	for (size_t i = 0; a.p && b.p && i < a.n; i++)
		if (lower(a.p[i]) != lower(b.p[i]))
			return false;
	return true;
}

bool gs_str_istarts(struct gs_str s, const char *prefix)
{
	struct gs_str start = gs_str(prefix);
	return gs_str_ieq(gs_str_sub(s, 0, start.n), start);
}

bool gs_str_iends(struct gs_str s, const char *suffix)
{
	struct gs_str end = gs_str(suffix);
	return s.n >= end.n && gs_str_ieq(gs_str_from(s, s.n - end.n), end);
}

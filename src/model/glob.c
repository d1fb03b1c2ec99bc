/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns come from strangers' configuration: one point to go back to, no
 * recursion, so that no pattern is slow. fnmatch(3) needs NUL-terminated
 * names and treats a leading dot and locales in its own way. */
#include "model/glob.h"

/* Where the class that opens at `at` ends (its "]"), or 0 when it is not
 * closed and the "[" stands for itself. */
static size_t class_end(struct gs_str pattern, size_t at)
{
	size_t i = at + 1;
	if (i < pattern.n && pattern.p[i] == '!')
		i++;
	if (i < pattern.n && pattern.p[i] == ']')
		i++;
	while (i < pattern.n && pattern.p[i] != ']')
		i++;
	return i < pattern.n ? i : 0;
}

static bool class_has(struct gs_str inside, char c)
{
	bool is_negated = inside.n > 0 && inside.p[0] == '!';
	bool found = false;
	for (size_t i = is_negated; i < inside.n; i++) {
		unsigned char low = (unsigned char)inside.p[i];
		unsigned char high = low;
		if (i + 2 < inside.n && inside.p[i + 1] == '-') {
			high = (unsigned char)inside.p[i + 2];
			i += 2;
		}
		if (low <= (unsigned char)c && (unsigned char)c <= high)
			found = true;
	}
	return found != is_negated;
}

/* Does the one-character part of the pattern at *at take c? Then *at moves
 * behind that part. */
static bool takes(struct gs_str pattern, size_t *at, char c)
{
	if (*at >= pattern.n)
		return false;
	size_t next = *at + 1;
	bool matches = pattern.p[*at] == '?' || pattern.p[*at] == c;
	if (pattern.p[*at] == '[') {
		size_t end = class_end(pattern, *at);
		if (end > 0) {
			matches =
			    class_has(gs_str_sub(pattern, *at + 1, end), c);
			next = end + 1;
		}
	}
	if (matches)
		*at = next;
	return matches;
}

bool gs_glob_match(struct gs_str pattern, struct gs_str text)
{
	size_t p = 0, t = 0;
	size_t star = 0, star_text = 0; /* behind the last "*", and its text */
	bool has_star = false;

	while (t < text.n) {
		if (p < pattern.n && pattern.p[p] == '*') {
			has_star = true;
			star = ++p;
			star_text = t;
		} else if (takes(pattern, &p, text.p[t])) {
			t++;
		} else if (has_star) {
			p = star;
			t = ++star_text;
		} else {
			return false;
		}
	}
	while (p < pattern.n && pattern.p[p] == '*')
		p++;
	return p == pattern.n;
}

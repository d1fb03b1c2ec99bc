/* SPDX-License-Identifier: Apache-2.0 */
#include "model/said.h"

#include <string.h>

#include "base/utf8.h"

#define ELLIPSIS "…"
#define LEAST_ADDRESS 4 /* hex digits */

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') ||
	       (c >= 'A' && c <= 'F');
}

/* Bytes at the front that are "0x" and the digits of an address, or 0. */
static size_t address_at(struct gs_str s)
{
	if (!gs_str_starts(s, "0x"))
		return 0;
	size_t n = 2;
	while (n < s.n && is_hex(s.p[n]))
		n++;
	return n - 2 >= LEAST_ADDRESS ? n : 0;
}

/* Bytes at the front that name a folder which is not to be seen, or 0. */
static size_t folder_at(struct gs_str s, const struct gs_strv *hidden)
{
	size_t longest = 0;
	for (size_t i = 0; s.p[0] == '/' && i < hidden->n; i++) {
		size_t n = strlen(hidden->v[i]);
		if (n > longest && gs_str_starts(s, hidden->v[i]))
			longest = n;
	}
	return longest;
}

static void add_masked(
    struct gs_str s, const struct gs_strv *hidden, struct gs_buf *ret)
{
	while (s.n > 0) {
		size_t n = address_at(s);
		if (n > 0) {
			gs_buf_addz(ret, "0x" ELLIPSIS);
		} else if ((n = folder_at(s, hidden)) > 0) {
			gs_buf_addz(ret, ELLIPSIS);
		} else {
			n = 1;
			gs_buf_addc(ret, s.p[0]);
		}
		s = gs_str_from(s, n);
	}
}

/* The front of s that is `most` characters; it is valid UTF-8. */
static struct gs_str cut(struct gs_str s, size_t most)
{
	size_t n = 0;
	for (size_t i = 0; i < s.n; i++)
		if (((unsigned char)s.p[i] & 0xc0) != 0x80 && n++ == most)
			return gs_str_sub(s, 0, i);
	return s;
}

void gs_said_clean(const char *exception, const char *message,
    const struct gs_strv *hidden, struct gs_buf *ret)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf raw = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf seen = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf masked = {0};
	gs_buf_addz(&raw, exception ? exception : "");
	if (exception && message && message[0])
		gs_buf_addz(&raw, ": ");
	gs_buf_addz(&raw, message ? message : "");
	gs_utf8_harmless(&seen, gs_buf_str(&raw), true);
	add_masked(gs_buf_str(&seen), hidden, &masked);
	struct gs_str whole = gs_buf_str(&masked);
	struct gs_str kept = cut(whole, GS_SAID_MAX - 1);
	bool is_cut = kept.n < whole.n;
	gs_buf_adds(ret, kept);
	if (is_cut)
		gs_buf_addz(ret, ELLIPSIS);
}

/* How many bytes both begin with, up to the start of a word: half a number
 * would differ from run to run. */
static size_t alike_front(struct gs_str a, struct gs_str b)
{
	size_t n = 0, word = 0;
	while (n < a.n && n < b.n && a.p[n] == b.p[n])
		if (a.p[n++] == ' ')
			word = n;
	return word;
}

static size_t alike_back(struct gs_str a, struct gs_str b)
{
	size_t n = 0, word = 0;
	while (n < a.n && n < b.n && a.p[a.n - 1 - n] == b.p[b.n - 1 - n])
		if (a.p[a.n - ++n] == ' ')
			word = n;
	return word;
}

static void add_line(struct gs_str a, struct gs_str b, struct gs_buf *ret)
{
	if (gs_str_eq(a, b)) {
		gs_buf_adds(ret, a);
		return;
	}
	size_t front = alike_front(a, b);
	size_t back = alike_back(gs_str_from(a, front), gs_str_from(b, front));
	gs_buf_adds(ret, gs_str_sub(a, 0, front));
	gs_buf_addz(ret, ELLIPSIS);
	gs_buf_adds(ret, gs_str_from(a, a.n - back));
}

void gs_said_alike(struct gs_str a, struct gs_str b, struct gs_buf *ret)
{
	struct gs_str one, other;
	bool is_first = true;
	while (a.n > 0 && b.n > 0) {
		(void)gs_str_cut(&a, '\n', &one);
		(void)gs_str_cut(&b, '\n', &other);
		gs_buf_addz(ret, is_first ? "" : "\n");
		add_line(one, other, ret);
		is_first = false;
	}
	if (a.n > 0 || b.n > 0)
		gs_buf_addz(ret, is_first ? ELLIPSIS : "\n" ELLIPSIS);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "site/words.h"

#include <ctype.h>

#include "base/buf.h"
#include "base/vec.h"
#include "model/diff.h"

#define MAX_BYTES ((size_t)16 << 10)
/* Of a hundred letters, this many must have a partner. */
#define MIN_SHARED 30

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (c & 0x80);
}

/* Name or number, run of blanks, or one sign. */
static size_t word_end(struct gs_str text, size_t i)
{
	char first = text.p[i++];
	if (is_word(first))
		while (i < text.n && is_word(text.p[i]))
			i++;
	else if (first == ' ' || first == '\t')
		while (i < text.n && text.p[i] == first)
			i++;
	return i;
}

/* A word a line, so that the difference of lines is that of words; a line
 * break is an empty line. */
static void spread(struct gs_str text, struct gs_buf *ret)
{
	for (size_t i = 0; i < text.n;) {
		size_t end = word_end(text, i);
		if (text.p[i] != '\n')
			gs_buf_adds(ret, gs_str_sub(text, i, end));
		gs_buf_addc(ret, '\n');
		i = end;
	}
}

static size_t size_of(const struct gs_diff_line *line)
{
	return line->text.n > 1 ? line->text.n - 1 : 1;
}

static bool is_blank(struct gs_str text)
{
	return gs_str_trim(text).n == 0;
}

static void mark(struct stretches *stretches, size_t start, size_t end)
{
	struct stretch *last =
	    stretches->n > 0 ? &stretches->v[stretches->n - 1] : NULL;
	if (last && last->end == start) {
		last->end = end;
		return;
	}
	struct stretch *new = GS_VEC_ADD(stretches);
	*new = (struct stretch){start, end};
}

/* Two marks with nothing but blanks between them read as one. */
static void join(struct stretches *stretches, struct gs_str text)
{
	size_t kept = 0;
	for (size_t i = 1; i < stretches->n; i++) {
		struct stretch *last = &stretches->v[kept];
		struct stretch next = stretches->v[i];
		struct gs_str gap = gs_str_sub(text, last->end, next.start);
		if (is_blank(gap) && gs_str_find_char(gap, '\n') < 0)
			last->end = next.end;
		else
			stretches->v[++kept] = next;
	}
	if (stretches->n > 0)
		stretches->n = kept + 1;
}

void words_differ(struct gs_str before, struct gs_str after,
    struct stretches *ret_removed, struct stretches *ret_added)
{
	*ret_removed = *ret_added = (struct stretches){0};
	if (before.n > MAX_BYTES || after.n > MAX_BYTES)
		return;
	GS_CLEANUP(gs_buf_release) struct gs_buf a = {0}, b = {0};
	spread(before, &a);
	spread(after, &b);
	struct gs_diff diff = {0};
	gs_diff(gs_buf_str(&a), gs_buf_str(&b), &diff);
	size_t at = 0, to = 0, shared = 0, alone = 0;
	for (size_t i = 0; i < diff.n; i++) {
		const struct gs_diff_line *line = &diff.v[i];
		size_t n = size_of(line),
		       letters = is_blank(line->text) ? 0 : n;
		if (line->op == GS_DIFF_REMOVED)
			mark(ret_removed, at, at + n);
		else if (line->op == GS_DIFF_ADDED)
			mark(ret_added, to, to + n);
		*(line->op == GS_DIFF_SAME ? &shared : &alone) +=
		    line->op == GS_DIFF_SAME ? 2 * letters : letters;
		at += line->op == GS_DIFF_ADDED ? 0 : n;
		to += line->op == GS_DIFF_REMOVED ? 0 : n;
	}
	gs_diff_release(&diff);
	if (100 * shared < MIN_SHARED * (shared + alone)) {
		ret_removed->n = ret_added->n = 0;
		return;
	}
	join(ret_removed, before);
	join(ret_added, after);
}

void stretches_release(struct stretches *stretches)
{
	GS_VEC_FREE(stretches);
}

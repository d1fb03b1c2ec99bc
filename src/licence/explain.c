/* SPDX-License-Identifier: Apache-2.0 */
#include "licence/explain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/attr.h"
#include "base/mem.h"
#include "licence/phrases.h"

/* More differences than this are no spelling matter. */
#define MAX_EDITS 120

struct diff {
	const struct gs_words *a, *b; /* the text, the template */
	int *trace[MAX_EDITS + 1];    /* furthest x for each diagonal */
	bool *added, *left_out;       /* one flag for each word of a, of b */
};

static int slide(const struct diff *d, int x, int k)
{
	int y = x - k;
	while ((size_t)x < d->a->n && (size_t)y < d->b->n &&
	       d->a->v[x].id == d->b->v[y].id) {
		x++;
		y++;
	}
	return x;
}

static bool goes_down(const int *old, int edits, int k)
{
	return k == -edits || (k != edits && old[k - 1] < old[k + 1]);
}

/* One round of Myers' algorithm; true when both ends are reached. Points
 * outside the grid may turn up; no way leads back from there, and the ways
 * inside are always shorter. */
static bool advance(struct diff *d, int edits)
{
	const int *old = edits > 0 ? d->trace[edits - 1] + edits - 1 : NULL;
	int *now = gs_alloc((2 * (size_t)edits + 1) * sizeof(int));
	d->trace[edits] = now;
	now += edits;
	for (int k = -edits; k <= edits; k += 2) {
		int x = 0;
		if (edits > 0)
			x = goes_down(old, edits, k) ? old[k + 1]
			                             : old[k - 1] + 1;
		now[k] = slide(d, x, k);
		if ((size_t)now[k] == d->a->n &&
		    (size_t)(now[k] - k) == d->b->n)
			return true;
	}
	return false;
}

static void walk_back(struct diff *d, int edits)
{
	int k = (int)d->a->n - (int)d->b->n;
	for (; edits > 0; edits--) {
		const int *old = d->trace[edits - 1] + edits - 1;
		if (goes_down(old, edits, k)) {
			k++;
			d->left_out[old[k] - k] = true;
		} else {
			k--;
			d->added[old[k]] = true;
		}
	}
}

/* Marks the differing words; false when there are too many. */
static bool compare(struct diff *d)
{
	int edits = 0;
	while (edits <= MAX_EDITS && !advance(d, edits))
		edits++;
	if (edits <= MAX_EDITS)
		walk_back(d, edits);
	for (int i = 0; i <= MAX_EDITS; i++)
		free(d->trace[i]);
	return edits <= MAX_EDITS;
}

/* One of the two texts, and what may differ in it. */
struct side {
	const struct gs_words *words;
	const bool *marks;
	size_t most;  /* differing words in all */
	size_t front; /* in a row where the text begins */
	const char *verb;
};

static bool is_harmless(const struct side *side, size_t start, size_t end)
{
	size_t unknown = 0;
	bool says_licence = false;
	for (size_t i = start; i < end; i++) {
		const struct gs_word *word = &side->words->v[i];
		if (gs_word_is_operative(word->s))
			return false;
		says_licence |= gs_str_starts(word->s, "licen");
		unknown +=
		    !(word->shape & WORD_NAME) && !gs_word_is_neutral(word->s);
	}
	if (end - start <= GS_REST_RUN)
		return true;
	/* What a project says of itself in front ("toolbox is released under
	 * the MIT license"), but nothing new about licences. */
	size_t most = end <= GS_REST_RUN + 2 ? 2 : 1;
	if (start == 0 && side->front > GS_REST_RUN && end <= GS_REST_NAMES)
		return says_licence ? unknown <= most : end <= side->front;
	return unknown == 0 && end - start <= GS_REST_NAMES;
}

static size_t run_end(const bool *marks, size_t n, size_t start)
{
	while (start < n && marks[start])
		start++;
	return start;
}

/* `"..." is added`, with as much of the run as fits a sentence. */
static void describe(const struct gs_words *words, size_t start, size_t end,
    char *ret, size_t size)
{
	size_t n = (size_t)snprintf(ret, size, "%s", "");
	for (size_t i = start; i < end && i < start + 8; i++) {
		int more =
		    snprintf(ret + n, size - n, "%s%.*s", i > start ? " " : "",
		        (int)(words->v[i].s.n > 20 ? 20 : words->v[i].s.n),
		        words->v[i].s.p);
		if (more < 0 || (size_t)more >= size - n)
			break;
		n += (size_t)more;
	}
	if (end > start + 8)
		(void)snprintf(ret + n, size - n, " ...");
}

/* All runs of one side; false when one does not pass or all are too many. */
static bool judge(const struct side *side, char *ret, size_t size)
{
	char excerpt[100];
	size_t sum = 0, end;
	for (size_t i = 0; i < side->words->n; i = end + 1) {
		end = run_end(side->marks, side->words->n, i);
		sum += end - i;
		if (end == i ||
		    (sum <= side->most && is_harmless(side, i, end)))
			continue;
		describe(side->words, i, end, excerpt, sizeof(excerpt));
		(void)snprintf(
		    ret, size, "The text %s \"%s\".", side->verb, excerpt);
		return false;
	}
	return true;
}

bool gs_explain(const struct gs_words *text, const struct gs_words *template,
    char *ret, size_t size)
{
	struct diff d = {.a = text, .b = template};
	bool *marks = gs_alloc(text->n + template->n + 1);
	d.added = marks;
	d.left_out = marks + text->n;
	bool ok = compare(&d);
	if (!ok)
		(void)snprintf(ret, size,
		    "The text differs from its template in more than %d words.",
		    MAX_EDITS);
	const struct side added = {
	    text, d.added, GS_REST_ADDED, GS_REST_FRONT, "adds"};
	const struct side left_out = {
	    template, d.left_out, GS_REST_LEFT_OUT, GS_REST_RUN, "leaves out"};
	ok = ok && judge(&added, ret, size) && judge(&left_out, ret, size);
	free(marks);
	return ok;
}

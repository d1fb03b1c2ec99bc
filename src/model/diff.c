/* SPDX-License-Identifier: Apache-2.0 */
#include "model/diff.h"

#include <assert.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"

#define CONTEXT 3
#define WORD_BITS 64

struct line {
	struct gs_str text;
	uint32_t symbol; /* equal lines, equal symbols */
};

struct lines {
	struct line *v;
	size_t n, cap;
	bool *is_kept; /* has a partner on the other side */
};

/* A run of symbols; `at` says which line each one is. */
struct side {
	uint32_t *symbol;
	size_t *at;
	size_t n;
};

struct work {
	struct side a, b;
	bool *a_kept, *b_kept;
	/* Scratch of the bit-parallel rows, sized for the whole of `a`. */
	uint64_t *row, *mask;
	size_t *best;
	/* Where in `a` each symbol stands, ascending:
	 * place[start[symbol]] up to place[start[symbol + 1]]. */
	size_t *start, *place;
	/* For symbols on more than one line in 64 the same as bits, for both
	 * directions, so that a row never costs more than its words. */
	uint64_t **dense[2];
	size_t n_symbols;
};

struct range {
	size_t a0, a1, b0, b1;
};

struct ranges {
	struct range *v;
	size_t n, cap;
};

#define NOWHERE SIZE_MAX

/* Line ends are LF only (F059): CR, form feed and U+2028 are content. */
static void split(struct gs_str text, struct gs_map *symbols, struct lines *ret)
{
	while (text.n > 0) {
		const char *lf = memchr(text.p, '\n', text.n);
		size_t n = lf ? (size_t)(lf - text.p) + 1 : text.n;
		struct line *line = GS_VEC_ADD(ret);
		line->text = gs_str_sub(text, 0, n);
		line->symbol = (uint32_t)gs_map_index(symbols, line->text);
		text = gs_str_from(text, n);
	}
	ret->is_kept = gs_alloc(ret->n + 1);
}

/* Lines that the other side lacks can have no partner: leaving them out keeps
 * the longest common subsequence and makes rewrites cheap. */
static void take_shared(
    const struct lines *lines, const bool *other_has, struct side *ret)
{
	ret->symbol = gs_alloc((lines->n + 1) * sizeof(*ret->symbol));
	ret->at = gs_alloc((lines->n + 1) * sizeof(*ret->at));
	for (size_t i = 0; i < lines->n; i++) {
		if (!other_has[lines->v[i].symbol])
			continue;
		ret->symbol[ret->n] = lines->v[i].symbol;
		ret->at[ret->n++] = i;
	}
}

static void keep(struct work *work, size_t a, size_t b)
{
	work->a_kept[work->a.at[a]] = true;
	work->b_kept[work->b.at[b]] = true;
}

/* Takes equal lines off both ends. */
static void trim(struct work *work, struct range *r)
{
	while (r->a0 < r->a1 && r->b0 < r->b1 &&
	       work->a.symbol[r->a0] == work->b.symbol[r->b0])
		keep(work, r->a0++, r->b0++);
	while (r->a0 < r->a1 && r->b0 < r->b1 &&
	       work->a.symbol[r->a1 - 1] == work->b.symbol[r->b1 - 1])
		keep(work, --r->a1, --r->b1);
}

static bool is_dense(const struct work *work, uint32_t symbol)
{
	return work->start[symbol + 1] - work->start[symbol] >
	       work->a.n / WORD_BITS;
}

/* The dense bits of a symbol, shifted so that bit 0 is the range's end. */
static void shift_mask(
    struct work *work, const uint64_t *bits, size_t from, size_t words)
{
	const uint64_t *at = bits + from / WORD_BITS;
	size_t shift = from % WORD_BITS;
	if (shift == 0) {
		memcpy(work->mask, at, words * sizeof(*at));
		return;
	}
	for (size_t w = 0; w < words; w++)
		work->mask[w] = at[w] >> shift | at[w + 1]
		                                     << (WORD_BITS - shift);
}

/* First of the places of `symbol` that is not before a0. */
static size_t first_place(const struct work *work, uint32_t symbol, size_t a0)
{
	size_t low = work->start[symbol], high = work->start[symbol + 1];
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (work->place[mid] < a0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* Bits of the lines of the range that equal `symbol`; mirrored for the
 * backward pass. Bits past the range do no harm: carries only go up. */
static void fill_mask(
    struct work *work, const struct range *r, uint32_t symbol, bool backward)
{
	size_t words = (r->a1 - r->a0) / WORD_BITS + 1;
	if (is_dense(work, symbol)) {
		shift_mask(work, work->dense[backward][symbol],
		    backward ? work->a.n - r->a1 : r->a0, words);
		return;
	}
	memset(work->mask, 0, words * sizeof(*work->mask));
	for (size_t k = first_place(work, symbol, r->a0);
	     k < work->start[symbol + 1] && work->place[k] < r->a1; k++) {
		size_t i = work->place[k];
		size_t bit = backward ? r->a1 - 1 - i : i - r->a0;
		work->mask[bit / WORD_BITS] |= UINT64_C(1) << bit % WORD_BITS;
	}
}

/* One row of the longest common subsequence, 64 columns at a time (Hyyrö
 * 2004): V' = (V + (V & M)) | (V & ~M); a zero bit is a step of the length. */
static void advance_row(struct work *work, size_t words)
{
	uint64_t carry = 0;
	for (size_t w = 0; w < words; w++) {
		uint64_t v = work->row[w];
		uint64_t u = v & work->mask[w];
		uint64_t sum = v + u;
		uint64_t out = sum < v;
		sum += carry;
		out |= sum < carry;
		work->row[w] = sum | (v & ~work->mask[w]);
		carry = out;
	}
}

static void run_rows(
    struct work *work, const struct range *r, size_t b_mid, bool backward)
{
	size_t words = (r->a1 - r->a0) / WORD_BITS + 1;
	memset(work->row, 0xff, words * sizeof(*work->row));
	size_t n = backward ? r->b1 - b_mid : b_mid - r->b0;
	uint32_t last = UINT32_MAX;
	for (size_t k = 0; k < n; k++) {
		size_t j = backward ? r->b1 - 1 - k : r->b0 + k;
		if (work->b.symbol[j] != last)
			fill_mask(work, r, work->b.symbol[j], backward);
		last = work->b.symbol[j];
		advance_row(work, words);
	}
}

static bool is_step(const struct work *work, size_t bit)
{
	return !(work->row[bit / WORD_BITS] >> bit % WORD_BITS & 1);
}

/* Hirschberg: the place in `a` where a longest common subsequence crosses
 * line b_mid of `b`. Needs memory for two rows only. */
static size_t crossing(struct work *work, const struct range *r, size_t b_mid)
{
	size_t n = r->a1 - r->a0;
	run_rows(work, r, b_mid, false);
	work->best[0] = 0;
	for (size_t i = 0; i < n; i++)
		work->best[i + 1] = work->best[i] + is_step(work, i);
	run_rows(work, r, b_mid, true);
	size_t tail = 0, top = work->best[n], cut = n;
	for (size_t i = 0; i < n; i++) {
		tail += is_step(work, i);
		if (work->best[n - 1 - i] + tail > top) {
			top = work->best[n - 1 - i] + tail;
			cut = n - 1 - i;
		}
	}
	return r->a0 + cut;
}

/* A single line of `b` against a run of `a`. */
static void match_one(struct work *work, const struct range *r)
{
	for (size_t i = r->a0; i < r->a1; i++) {
		if (work->a.symbol[i] == work->b.symbol[r->b0]) {
			keep(work, i, r->b0);
			return;
		}
	}
}

/* Depth first with an explicit stack: its depth is log2(lines of b). */
static void match(struct work *work)
{
	struct ranges todo = {0};
	*GS_VEC_ADD(&todo) = (struct range){.a1 = work->a.n, .b1 = work->b.n};
	while (todo.n > 0) {
		struct range r = todo.v[--todo.n];
		trim(work, &r);
		if (r.a0 == r.a1 || r.b0 == r.b1)
			continue;
		if (r.b1 - r.b0 == 1) {
			match_one(work, &r);
			continue;
		}
		size_t b_mid = r.b0 + (r.b1 - r.b0) / 2;
		size_t a_mid = crossing(work, &r, b_mid);
		*GS_VEC_ADD(&todo) = (struct range){a_mid, r.a1, b_mid, r.b1};
		*GS_VEC_ADD(&todo) = (struct range){r.a0, a_mid, r.b0, b_mid};
	}
	GS_VEC_FREE(&todo);
}

static void set_bit(uint64_t *bits, size_t i)
{
	bits[i / WORD_BITS] |= UINT64_C(1) << i % WORD_BITS;
}

static void index_places(struct work *work)
{
	const struct side *a = &work->a;
	work->start = gs_alloc((work->n_symbols + 2) * sizeof(*work->start));
	work->place = gs_alloc((a->n + 1) * sizeof(*work->place));
	for (size_t i = 0; i < a->n; i++)
		work->start[a->symbol[i] + 2]++;
	for (size_t s = 1; s < work->n_symbols + 2; s++)
		work->start[s] += work->start[s - 1];
	/* start[s + 1] is the cursor of s here and its end afterwards. */
	for (size_t i = 0; i < a->n; i++)
		work->place[work->start[a->symbol[i] + 1]++] = i;
}

static void index_dense(struct work *work)
{
	size_t words = work->a.n / WORD_BITS + 2;
	for (size_t d = 0; d < 2; d++)
		work->dense[d] =
		    gs_alloc(work->n_symbols * sizeof(*work->dense[d]));
	for (uint32_t s = 0; s < work->n_symbols; s++) {
		if (!is_dense(work, s))
			continue;
		for (size_t d = 0; d < 2; d++)
			work->dense[d][s] = gs_alloc(words * sizeof(uint64_t));
		for (size_t k = work->start[s]; k < work->start[s + 1]; k++) {
			size_t i = work->place[k];
			set_bit(work->dense[0][s], i);
			set_bit(work->dense[1][s], work->a.n - 1 - i);
		}
	}
}

static void prepare(struct work *work)
{
	index_places(work);
	index_dense(work);
	size_t words = work->a.n / WORD_BITS + 1;
	work->row = gs_alloc(words * sizeof(*work->row));
	work->mask = gs_alloc(words * sizeof(*work->mask));
	work->best = gs_alloc((work->a.n + 1) * sizeof(*work->best));
}

static void work_release(struct work *work)
{
	free(work->a.symbol);
	free(work->a.at);
	free(work->b.symbol);
	free(work->b.at);
	free(work->row);
	free(work->mask);
	free(work->best);
	for (size_t d = 0; d < 2; d++) {
		for (size_t s = 0; s < work->n_symbols; s++)
			free(work->dense[d][s]);
		free(work->dense[d]);
	}
	free(work->start);
	free(work->place);
}

static void find_kept(struct lines *a, struct lines *b, size_t n_symbols)
{
	struct work work = {.a_kept = a->is_kept,
	    .b_kept = b->is_kept,
	    .n_symbols = n_symbols + 1};
	bool *in_a = gs_alloc(n_symbols + 1);
	bool *in_b = gs_alloc(n_symbols + 1);
	for (size_t i = 0; i < a->n; i++)
		in_a[a->v[i].symbol] = true;
	for (size_t i = 0; i < b->n; i++)
		in_b[b->v[i].symbol] = true;
	take_shared(a, in_b, &work.a);
	take_shared(b, in_a, &work.b);
	free(in_a);
	free(in_b);
	prepare(&work);
	match(&work);
	work_release(&work);
}

static void emit(struct gs_diff *diff, enum gs_diff_op op, struct gs_str text)
{
	*GS_VEC_ADD(diff) = (struct gs_diff_line){op, text};
	diff->added += op == GS_DIFF_ADDED;
	diff->removed += op == GS_DIFF_REMOVED;
}

void gs_diff(struct gs_str before, struct gs_str after, struct gs_diff *ret)
{
	*ret = (struct gs_diff){0};
	GS_CLEANUP(gs_map_release) struct gs_map symbols = {0};
	struct lines a = {0}, b = {0};
	split(before, &symbols, &a);
	split(after, &symbols, &b);
	find_kept(&a, &b, symbols.n);
	for (size_t i = 0, j = 0; i < a.n || j < b.n;) {
		if (i < a.n && !a.is_kept[i])
			emit(ret, GS_DIFF_REMOVED, a.v[i++].text);
		else if (j < b.n && !b.is_kept[j])
			emit(ret, GS_DIFF_ADDED, b.v[j++].text);
		else {
			assert(i < a.n && j < b.n);
			emit(ret, GS_DIFF_SAME, b.v[j++].text);
			i++;
		}
	}
	GS_VEC_FREE(&a);
	GS_VEC_FREE(&b);
	free(a.is_kept);
	free(b.is_kept);
}

void gs_diff_release(struct gs_diff *diff)
{
	GS_VEC_FREE(diff);
	*diff = (struct gs_diff){0};
}

struct hunk {
	size_t first, end;      /* indices of diff->v */
	size_t old_line, old_n; /* lines before the hunk, lines in it */
	size_t new_line, new_n;
};

/* The next hunk from index *at; counts of skipped lines go into the hunk. */
static bool next_hunk(
    const struct gs_diff *diff, size_t from, struct hunk *hunk)
{
	size_t i = from;
	while (i < diff->n && diff->v[i].op == GS_DIFF_SAME)
		i++;
	if (i == diff->n)
		return false;
	hunk->first = i - from > CONTEXT ? i - CONTEXT : from;
	size_t same = 0;
	hunk->end = i;
	for (; i < diff->n && same <= 2 * (size_t)CONTEXT; i++) {
		if (diff->v[i].op == GS_DIFF_SAME) {
			same++;
			continue;
		}
		same = 0;
		hunk->end = i + 1;
	}
	for (size_t k = 0; k < CONTEXT && hunk->end < diff->n &&
	                   diff->v[hunk->end].op == GS_DIFF_SAME;
	     k++)
		hunk->end++;
	return true;
}

static void count(const struct gs_diff *diff, size_t from, size_t to,
    size_t *old_n, size_t *new_n)
{
	*old_n = *new_n = 0;
	for (size_t i = from; i < to; i++) {
		*old_n += diff->v[i].op != GS_DIFF_ADDED;
		*new_n += diff->v[i].op != GS_DIFF_REMOVED;
	}
}

/* "-12,3": an empty side names the line before it, a single line no length. */
static void put_range(struct gs_buf *ret, char sign, size_t before, size_t n)
{
	gs_buf_addf(ret, "%c%zu", sign, n == 0 ? before : before + 1);
	if (n != 1)
		gs_buf_addf(ret, ",%zu", n);
}

static void put_line(struct gs_buf *ret, const struct gs_diff_line *line)
{
	static const char signs[] = {
	    [GS_DIFF_SAME] = ' ',
	    [GS_DIFF_REMOVED] = '-',
	    [GS_DIFF_ADDED] = '+',
	};
	gs_buf_addc(ret, signs[line->op]);
	gs_buf_adds(ret, line->text);
	if (!gs_str_ends(line->text, "\n"))
		gs_buf_addz(ret, "\n\\ No newline at end of file\n");
}

void gs_diff_unified(const struct gs_diff *diff, const char *old_name,
    const char *new_name, struct gs_buf *ret)
{
	struct hunk hunk = {0};
	if (diff->added + diff->removed == 0)
		return;
	gs_buf_addf(ret, "--- %s\n+++ %s\n", old_name, new_name);
	size_t from = 0;
	while (next_hunk(diff, from, &hunk)) {
		size_t old_skip, new_skip;
		count(diff, from, hunk.first, &old_skip, &new_skip);
		hunk.old_line += hunk.old_n + old_skip;
		hunk.new_line += hunk.new_n + new_skip;
		count(diff, hunk.first, hunk.end, &hunk.old_n, &hunk.new_n);
		gs_buf_addz(ret, "@@ ");
		put_range(ret, '-', hunk.old_line, hunk.old_n);
		gs_buf_addc(ret, ' ');
		put_range(ret, '+', hunk.new_line, hunk.new_n);
		gs_buf_addz(ret, " @@\n");
		for (size_t i = hunk.first; i < hunk.end; i++)
			put_line(ret, &diff->v[i]);
		from = hunk.end;
	}
}

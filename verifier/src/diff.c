/* SPDX-License-Identifier: Apache-2.0 */
/* Differences of least size, by dynamic programming over the part that is
 * not equal at both ends. The middle is small in a bug fix; where it is not,
 * the greedy way along diagonals (Myers) finds the same number. */
#include <stdlib.h>
#include <string.h>

#include "text.h"

/* `reach[d][k]`: how far along `a` one gets on diagonal k with d edits. */
struct reach {
	int **rows;
	int n;
	bool all; /* keep every row, to find the way back */
};

static int *row_of(struct reach *r, int d)
{
	r->rows = gv_grow(r->rows, (size_t)(d + 1) * sizeof(*r->rows));
	r->rows[d] = gv_alloc((size_t)(2 * d + 1) * sizeof(int));
	r->n = d + 1;
	if (d >= 2 && !r->all) {
		free(r->rows[d - 2]);
		r->rows[d - 2] = NULL;
	}
	return r->rows[d] + d;
}

static int best_start(const struct reach *r, int d, int k)
{
	const int *before = r->rows[d - 1] + (d - 1);
	int down = k < d - 1 ? before[k + 1] : -1;
	int right = k > 1 - d ? before[k - 1] + 1 : -1;

	return down > right ? down : right;
}

static int walk(struct reach *r, const int *a, int an, const int *b, int bn)
{
	for (int d = 0;; d++) {
		int *row = row_of(r, d);

		for (int k = -d; k <= d; k += 2) {
			int x = d ? best_start(r, d, k) : 0;

			while (x < an && x - k >= 0 && x - k < bn &&
			       a[x] == b[x - k])
				x++;
			row[k] = x;
			if (x >= an && x - k >= bn)
				return d;
		}
	}
}

static void trace(const struct reach *r, int d, int an, int bn, int *kept)
{
	int x = an, k = an - bn;

	for (; d >= 0; d--) {
		int start = d ? best_start(r, d, k) : 0;

		while (x > start) {
			x--;
			kept[x] = x - k;
		}
		if (!d)
			return;
		const int *before = r->rows[d - 1] + (d - 1);
		int down = k < d - 1 ? before[k + 1] : -1;
		int right = k > 1 - d ? before[k - 1] + 1 : -1;

		if (down > right) {
			k++;
			x = down;
		} else {
			k--;
			x = right - 1;
		}
	}
}

int64_t gv_diff(const int *a, int an, const int *b, int bn, int *kept)
{
	struct reach r = {.all = kept != NULL};
	int same = 0, d;

	for (int i = 0; kept && i < an; i++)
		kept[i] = -1;
	while (same < an && same < bn && a[same] == b[same]) {
		if (kept)
			kept[same] = same;
		same++;
	}
	while (an > same && bn > same && a[an - 1] == b[bn - 1]) {
		if (kept)
			kept[an - 1] = bn - 1;
		an--;
		bn--;
	}
	d = walk(&r, a + same, an - same, b + same, bn - same);
	if (kept) {
		trace(&r, d, an - same, bn - same, kept + same);
		for (int i = same; i < an; i++)
			kept[i] += kept[i] < 0 ? 0 : same;
	}
	for (int i = 0; i < r.n; i++)
		free(r.rows[i]);
	free(r.rows);
	return d;
}

/* Lines get numbers by being looked up in a sorted list of all of them. */
struct piece {
	const char *s;
	size_t n;
	int *number;
};

static int by_bytes(const void *left, const void *right)
{
	const struct piece *l = left, *r = right;
	int rc = memcmp(l->s, r->s, l->n < r->n ? l->n : r->n);

	return rc ? rc : (l->n > r->n) - (l->n < r->n);
}

static size_t count_lines(const char *s, size_t n)
{
	size_t lines = n && s[n - 1] != '\n';

	for (size_t i = 0; i < n; i++)
		lines += s[i] == '\n';
	return lines;
}

static void pieces_of(const char *s, size_t n, struct piece *to, int *numbers)
{
	while (n) {
		const char *lf = memchr(s, '\n', n);
		size_t used = lf ? (size_t)(lf - s) + 1 : n;

		*to++ = (struct piece){s, used, numbers++};
		s += used;
		n -= used;
	}
}

int64_t gv_diff_lines(const char *a, size_t an, const char *b, size_t bn)
{
	size_t al = count_lines(a, an), bl = count_lines(b, bn);
	struct piece *all = gv_alloc((al + bl) * sizeof(*all));
	int *numbers = gv_alloc((al + bl) * sizeof(*numbers)), number = 0;
	int64_t size;

	pieces_of(a, an, all, numbers);
	pieces_of(b, bn, all + al, numbers + al);
	qsort(all, al + bl, sizeof(*all), by_bytes);
	for (size_t i = 0; i < al + bl; i++) {
		number += i && by_bytes(&all[i - 1], &all[i]) != 0;
		*all[i].number = number;
	}
	size = gv_diff(numbers, (int)al, numbers + al, (int)bl, NULL);
	free(all);
	free(numbers);
	return size;
}

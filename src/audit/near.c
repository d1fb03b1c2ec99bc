/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/near.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/vec.h"

#define RUN 5          /* tokens of a shingle */
#define KEPT 2000      /* the least hashes stand for a larger set */
#define PREFIX_PART 10 /* see make_index(): 1 / (1 - NEAR_LEAST) */
#define NEIGHBOURS 16  /* of a text that as many more share a hash with */

static bool is_word(unsigned char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || c >= 0x80;
}

/* A word or a single sign; white space is between tokens only. */
static bool next_token(struct gs_str *text, struct gs_str *ret)
{
	size_t i = 0;
	while (i < text->n && strchr(" \t\r\n\f\v\\", text->p[i]))
		i++;
	size_t start = i;
	while (i < text->n && is_word((unsigned char)text->p[i]))
		i++;
	if (i == start && i < text->n)
		i++;
	*ret = gs_str_sub(*text, start, i);
	*text = gs_str_from(*text, i);
	return ret->n > 0;
}

static int by_hash(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return (x > y) - (x < y);
}

struct hashes {
	uint64_t *v;
	size_t n, cap;
};

static size_t unique(uint64_t *v, size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (kept == 0 || v[kept - 1] != v[i])
			v[kept++] = v[i];
	return kept;
}

void near_add(struct near *near, struct gs_str text, size_t group)
{
	struct hashes hashes = {0};
	uint64_t run[RUN] = {0};
	size_t n_tokens = 0;
	struct gs_str token;
	while (next_token(&text, &token)) {
		memmove(run, run + 1, (RUN - 1) * sizeof(run[0]));
		run[RUN - 1] = gs_hash64(token);
		if (++n_tokens >= RUN)
			*GS_VEC_ADD(&hashes) =
			    gs_hash64(gs_str_n((const char *)run, sizeof(run)));
	}
	struct sketch *sketch = GS_VEC_ADD(near);
	sketch->group = group;
	if (n_tokens >= NEAR_TOKENS) {
		GS_VEC_SORT(&hashes, by_hash);
		sketch->n = unique(hashes.v, hashes.n);
		sketch->n = sketch->n < KEPT ? sketch->n : KEPT;
		sketch->v = gs_realloc(hashes.v, sketch->n * sizeof(uint64_t));
	} else {
		GS_VEC_FREE(&hashes);
	}
}

static double similarity(const struct sketch *a, const struct sketch *b)
{
	size_t i = 0, k = 0, both = 0, all = 0;
	/* Of two cut sets only the part that both can hold is compared. */
	while (i < a->n && k < b->n) {
		all++;
		both += a->v[i] == b->v[k];
		bool left = a->v[i] <= b->v[k], right = b->v[k] <= a->v[i];
		i += left;
		k += right;
	}
	if (a->n < KEPT && b->n < KEPT)
		all += a->n - i + b->n - k;
	return all ? (double)both / (double)all : 0;
}

/* One hash in one text, by hash: the index from hashes to texts. */
struct entry {
	uint64_t hash;
	size_t text;
};

struct index {
	struct entry *v;
	size_t n, cap;
};

static int by_entry(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->text > y->text) - (x->text < y->text);
}

/* Two sets that share nine tenths share one of the first n/10 + 1 hashes of
 * either, in any fixed order; so only those go into the index. Small hashes
 * are as good as random. */
static void make_index(const struct near *near, struct index *ret)
{
	for (size_t i = 0; i < near->n; i++) {
		const struct sketch *sketch = &near->v[i];
		size_t prefix = sketch->n ? sketch->n / PREFIX_PART + 1 : 0;
		for (size_t k = 0; k < prefix && k < sketch->n; k++)
			*GS_VEC_ADD(ret) = (struct entry){sketch->v[k], i};
	}
	GS_VEC_SORT(ret, by_entry);
}

struct pair {
	size_t a, b;
};

static int by_pair(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;
	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return (x->b > y->b) - (x->b < y->b);
}

void near_pairs(const struct near *near, const struct gs_watch *watch,
    near_fn fn, void *ctx)
{
	struct index index = {0};

	struct {
		struct pair *v;
		size_t n, cap;
	} pairs = {0};

	make_index(near, &index);
	for (size_t i = 0; i < index.n; i++)
		for (size_t k = i + 1; k < index.n && k <= i + NEIGHBOURS &&
		                       index.v[k].hash == index.v[i].hash;
		     k++)
			if (near->v[index.v[i].text].group !=
			    near->v[index.v[k].text].group)
				*GS_VEC_ADD(&pairs) = (struct pair){
				    index.v[i].text, index.v[k].text};
	GS_VEC_SORT(&pairs, by_pair);
	for (size_t i = 0; i < pairs.n; i++) {
		struct pair *p = &pairs.v[i];
		gs_watch_tell(watch, "compare the code", (int64_t)i + 1,
		    (int64_t)pairs.n);
		if (i > 0 && by_pair(p - 1, p) == 0)
			continue;
		double s = similarity(&near->v[p->a], &near->v[p->b]);
		if (s >= NEAR_LEAST)
			fn(ctx, p->a, p->b, s);
	}
	GS_VEC_FREE(&pairs);
	GS_VEC_FREE(&index);
}

void near_release(struct near *near)
{
	for (size_t i = 0; i < near->n; i++)
		free(near->v[i].v);
	GS_VEC_FREE(near);
}

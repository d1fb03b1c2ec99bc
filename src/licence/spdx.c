/* SPDX-License-Identifier: Apache-2.0 */
#include "licence/spdx.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"

#define CONTAINED 0.9
/* Shorter texts are found inside anything. */
#define CONTAINED_LEAST 40

extern const char gs_spdx_table[];

struct table {
	const struct gs_spdx_head *head;
	const struct gs_spdx_entry *entries;
	const uint32_t *hashes;
	const uint8_t *counts;
	const char *words;
};

static struct table table(void)
{
	struct table t = {.head = (const void *)gs_spdx_table};
	assert(t.head->magic == GS_SPDX_MAGIC);
	t.entries = (const void *)(t.head + 1);
	t.hashes = (const void *)(t.entries + t.head->n_entries);
	t.counts = (const void *)(t.hashes + t.head->n_bigrams);
	t.words = (const void *)(t.counts + t.head->n_bigrams);
	return t;
}

const struct gs_spdx_entry *gs_spdx_exact(const struct gs_words *words)
{
	struct table t = table();
	uint64_t hash = gs_words_hash(words);
	for (size_t i = 0; i < t.head->n_entries; i++)
		if (t.entries[i].n_words > 0 && t.entries[i].hash == hash)
			return &t.entries[i];
	return NULL;
}

/* Both sides are sorted by hash. */
static size_t common(const struct table *t, const struct gs_spdx_entry *entry,
    const struct gs_bigrams *bigrams)
{
	const uint32_t *hashes = t->hashes + entry->first;
	const uint8_t *counts = t->counts + entry->first;
	size_t i = 0, j = 0, sum = 0;
	while (i < entry->n && j < bigrams->n) {
		uint32_t a = hashes[i], b = bigrams->v[j].hash;
		if (a == b)
			sum += counts[i] < bigrams->v[j].count
			           ? counts[i]
			           : bigrams->v[j].count;
		i += a <= b;
		j += b <= a;
	}
	return sum;
}

const struct gs_spdx_entry *gs_spdx_similar(
    const struct gs_bigrams *bigrams, double least, double *ret_score)
{
	struct table t = table();
	const struct gs_spdx_entry *best = NULL;
	double best_score = least;
	for (size_t i = 0; i < t.head->n_entries; i++) {
		const struct gs_spdx_entry *entry = &t.entries[i];
		size_t sum = entry->total + bigrams->total;
		size_t low = entry->total < bigrams->total ? entry->total
		                                           : bigrams->total;
		/* No overlap can make up for lengths that far apart. */
		if (sum == 0 || 2.0 * (double)low / (double)sum < best_score)
			continue;
		double score =
		    2.0 * (double)common(&t, entry, bigrams) / (double)sum;
		/* Equal texts: one that we may accept first. */
		if (score > best_score ||
		    (score >= best_score &&
		        (!best ||
		            (entry->n_words > 0 && best->n_words == 0)))) {
			best = entry;
			best_score = score;
		}
	}
	if (best)
		*ret_score = best_score;
	return best;
}

const struct gs_spdx_entry *gs_spdx_sibling(
    const struct gs_spdx_entry *entry, size_t i)
{
	struct table t = table();
	/* Texts of one id stand together. */
	while (entry > t.entries && strcmp(entry[-1].id, entry->id) == 0)
		entry--;
	for (; i > 0; i--, entry++)
		if (entry + 1 == t.entries + t.head->n_entries ||
		    strcmp(entry[1].id, entry->id) != 0)
			return NULL;
	return entry;
}

/* A set of hashes that may say yes wrongly, never no: most licences are
 * seen not to be in a text after a few of their bigrams. */
#define FILTER_BITS (1u << 17)

struct filter {
	uint64_t bits[FILTER_BITS / 64];
};

static void fill(struct filter *filter, const struct gs_bigrams *bigrams)
{
	for (size_t i = 0; i < bigrams->n; i++) {
		uint32_t bit = bigrams->v[i].hash % FILTER_BITS;
		filter->bits[bit / 64] |= (uint64_t)1 << (bit % 64);
	}
}

static bool may_hold(const struct filter *filter, const struct table *t,
    const struct gs_spdx_entry *entry)
{
	size_t may_miss = (size_t)((1 - CONTAINED) * (double)entry->total) + 1;
	for (size_t i = 0, missed = 0; i < entry->n; i++) {
		uint32_t bit = t->hashes[entry->first + i] % FILTER_BITS;
		missed += !(filter->bits[bit / 64] >> (bit % 64) & 1);
		if (missed > may_miss)
			return false;
	}
	return true;
}

/* Keeps the `max` longest, the longest first. */
static size_t insert(const struct gs_spdx_entry **list, size_t n, size_t max,
    const struct gs_spdx_entry *entry)
{
	size_t at = n < max ? n++ : max;
	for (; at > 0 && list[at - 1]->total < entry->total; at--)
		if (at < max)
			list[at] = list[at - 1];
	if (at < max)
		list[at] = entry;
	return n;
}

size_t gs_spdx_contained(const struct gs_bigrams *bigrams,
    const struct gs_spdx_entry **ret, size_t max)
{
	struct table t = table();
	struct filter *filter = gs_alloc(sizeof(*filter));
	size_t n = 0;
	fill(filter, bigrams);
	for (size_t i = 0; i < t.head->n_entries; i++) {
		const struct gs_spdx_entry *entry = &t.entries[i];
		double due = CONTAINED * (double)entry->total;
		if (entry->total >= CONTAINED_LEAST &&
		    due <= (double)bigrams->total &&
		    may_hold(filter, &t, entry) &&
		    (double)common(&t, entry, bigrams) >= due)
			n = insert(ret, n, max, entry);
	}
	gs_freep(&filter);
	return n;
}

struct gs_str gs_spdx_words(const struct gs_spdx_entry *entry)
{
	struct table t = table();
	return gs_str_n(t.words + entry->words, entry->n_words);
}

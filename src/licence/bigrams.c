/* SPDX-License-Identifier: Apache-2.0 */
/* Apart from spdx.c because the generator of the table needs it too. */
#include <stdlib.h>

#include "base/vec.h"
#include "licence/spdx.h"

static int compare(const void *a, const void *b)
{
	const struct gs_bigram *x = a, *y = b;
	return (x->hash > y->hash) - (x->hash < y->hash);
}

static uint32_t mix(uint32_t first, uint32_t second)
{
	uint64_t x = ((uint64_t)first << 32 | second) * 0x9E3779B97F4A7C15u;
	return (uint32_t)(x >> 32) ^ (uint32_t)(x >> 7);
}

void gs_bigrams_make(struct gs_bigrams *bigrams, const struct gs_words *words)
{
	for (size_t i = 0; i + 1 < words->n; i++) {
		struct gs_bigram *bigram = GS_VEC_ADD(bigrams);
		bigram->hash = mix(words->v[i].id, words->v[i + 1].id);
		bigram->count = 1;
	}
	bigrams->total = bigrams->n;
	GS_VEC_SORT(bigrams, compare);
	size_t kept = 0;
	for (size_t i = 0; i < bigrams->n; i++) {
		if (kept > 0 && bigrams->v[kept - 1].hash == bigrams->v[i].hash)
			bigrams->v[kept - 1].count++;
		else
			bigrams->v[kept++] = bigrams->v[i];
	}
	bigrams->n = kept;
}

void gs_bigrams_release(struct gs_bigrams *bigrams)
{
	GS_VEC_FREE(bigrams);
}

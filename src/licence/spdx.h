/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All SPDX texts as one table of normalised word bigrams, written at build
 * time by gen/gen_spdx.c and read where it lies in the program. Layout, all
 * in the machine's own byte order:
 *
 *	struct gs_spdx_head
 *	struct gs_spdx_entry[n_entries]      sorted by id
 *	uint32_t hashes[n_bigrams]           sorted inside each entry
 *	uint8_t  counts[n_bigrams]           how often (255: or more)
 *	char     words[n_words_bytes]        texts of entries that we accept
 */
#ifndef LICENCE_SPDX_H
#define LICENCE_SPDX_H

#include "licence/words.h"

#define GS_SPDX_MAGIC 0x31445053u /* "SPD1" */

struct gs_spdx_head {
	uint32_t magic, n_entries, n_bigrams, n_words_bytes;
};

struct gs_spdx_entry {
	char id[64];
	uint64_t hash;           /* gs_words_hash */
	uint32_t first, n;       /* its bigrams */
	uint32_t total;          /* bigrams with repetitions */
	uint32_t words, n_words; /* bytes of its words; none: n_words is 0 */
	uint32_t zero;
};

struct gs_bigrams {
	struct gs_bigram {
		uint32_t hash;
		uint32_t count;
	} * v;

	size_t n, cap;
	size_t total;
};

void gs_bigrams_make(struct gs_bigrams *bigrams, const struct gs_words *words);
void gs_bigrams_release(struct gs_bigrams *bigrams);

/* The entry that is equal and has words (is one that we may accept). */
const struct gs_spdx_entry *gs_spdx_exact(const struct gs_words *words);
/* The most similar entry by Sorensen and Dice over bigrams with their
 * counts, at least `least`; NULL when there is none. */
const struct gs_spdx_entry *gs_spdx_similar(
    const struct gs_bigrams *bigrams, double least, double *ret_score);
/* Another text of the same id: the i-th, NULL after the last. */
const struct gs_spdx_entry *gs_spdx_sibling(
    const struct gs_spdx_entry *entry, size_t i);
/* Up to `max` entries that the text holds whole (at least 0.9 of their
 * bigrams), the longest first. */
size_t gs_spdx_contained(const struct gs_bigrams *bigrams,
    const struct gs_spdx_entry **ret, size_t max);
/* The words of an entry, joined by spaces. */
struct gs_str gs_spdx_words(const struct gs_spdx_entry *entry);

#endif

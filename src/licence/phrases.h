/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What words and phrases mean for licences: the tables that a lawyer would
 * want to read. Lists fail closed: a word that says what somebody may or
 * must do (`operative`) is never passed over, and a longer run of words that
 * no table knows is refused, whatever it says (L3).
 */
#ifndef LICENCE_PHRASES_H
#define LICENCE_PHRASES_H

#include "licence/words.h"

/* Which family a title, a classifier or a metadata field speaks of. */
enum gs_licence_family {
	FAMILY_MIT = 1 << 0,
	FAMILY_APACHE = 1 << 1,
	FAMILY_BSD = 1 << 2, /* either of the two below */
	FAMILY_BSD2 = 1 << 3,
	FAMILY_BSD3 = 1 << 4,
	FAMILY_ISC = 1 << 5,
	FAMILY_PSF = 1 << 6,
	FAMILY_0BSD = 1 << 7,
	FAMILY_ZLIB = 1 << 8,
	FAMILY_UNLICENSE = 1 << 9,
	FAMILY_OTHER = 1 << 10, /* known, and none of ours */
};

/* The family of an id of L2, or FAMILY_OTHER. */
unsigned gs_licence_family_of(struct gs_str id);

/* Permits, forbids, demands or names another licence. */
bool gs_word_is_operative(struct gs_str word);
/* Words of titles and of sentences such as "is released under the MIT
 * license, as follows": they add nothing to a text. */
bool gs_word_is_neutral(struct gs_str word);
/* Says who wrote what; may be operative in other places. */
bool gs_word_is_credit(struct gs_str word);
unsigned gs_word_family(struct gs_str word); /* 0: none */

/* Harmless spellings made one: "licence", "copyright owners", the holder's
 * name where a text has a slot for it ("IN NO EVENT SHALL ... BE LIABLE"). */
void gs_phrases_rewrite(struct gs_words *words);

/* NULL when the (normalised) text holds all that licence `id` must say and
 * nothing that it must not; else the phrase that is missing or too much. */
const char *gs_phrases_missing(const char *id, const struct gs_words *words);
const char *gs_phrases_forbidden(const struct gs_words *words);

#endif

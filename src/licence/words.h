/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A text as a sequence of words. Everything that licences differ in without
 * differing in meaning (encodings, markup, bullets and numbering, quotes,
 * dashes, comment signs, line ends) is already gone here, as only letters
 * and digits make words.
 */
#ifndef LICENCE_WORDS_H
#define LICENCE_WORDS_H

#include <stdint.h>

#include "base/buf.h"

enum {
	WORD_NAME = 1, /* written like a name: Capital, a number, an address */
	WORD_LINK = 2, /* a URL or an e-mail address, kept as one word */
	WORD_YEAR = 4,
	WORD_PARA = 8, /* the first word after an empty line */
};

struct gs_word {
	struct gs_str s; /* lower case */
	uint32_t id;     /* hash of s */
	uint32_t line;
	uint8_t shape;
};

/* A zeroed struct is empty. Words point into `text` or into constants. */
struct gs_words {
	struct gs_word *v;
	size_t n, cap;
	struct gs_buf text;
	unsigned titles; /* enum gs_licence_family bits of dropped titles */
	size_t names;    /* words of dropped lines that only name people */
};

/* Bytes to UTF-8: BOMs obeyed, UTF-16 decoded, anything that is not UTF-8
 * read as Windows-1252; typographic signs become ASCII ones. */
void gs_words_decode(struct gs_str bytes, struct gs_buf *out);

void gs_words_split(struct gs_words *words, struct gs_str text);
void gs_words_release(struct gs_words *words);
uint32_t gs_word_id(struct gs_str s);
/* Appends the words of `phrase` (lower case, single spaces); it must outlive
 * the list. They take the line of the word `like`. */
void gs_words_push(
    struct gs_words *words, const char *phrase, const struct gs_word *like);
/* Order and identity of all words in one number. */
uint64_t gs_words_hash(const struct gs_words *words);
/* Where the words of `phrase` stand in a row, at or after `from`; or -1. */
ptrdiff_t gs_words_find(
    const struct gs_words *words, size_t from, const char *phrase);

#endif

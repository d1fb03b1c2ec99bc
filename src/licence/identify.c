/* SPDX-License-Identifier: Apache-2.0 */
/* One text: equal to a template, or near enough and wholly explained. */
#include <stdio.h>
#include <string.h>

#include "base/attr.h"
#include "licence/explain.h"
#include "licence/licence.h"
#include "licence/normalise.h"
#include "licence/phrases.h"
#include "licence/spdx.h"

#define LEAST_SCORE 0.95
/* No licence is longer; nor is one looked for in a book. */
#define MAX_BYTES ((size_t)512 << 10)
#define MAX_NAMES 400
/* No second licence fits into fewer words. */
#define LEAST_COMPANY 30
#define MAX_POINTER_WORDS 150

const char *const gs_licence_default_ids[] = {"Apache-2.0", "BSD-2-Clause",
    "BSD-3-Clause", "ISC", "MIT", "PSF-2.0", NULL};
const char *const gs_licence_extra_ids[] = {"0BSD", "Unlicense", "Zlib", NULL};

static void set_id(struct gs_licence *ret, const char *id)
{
	(void)snprintf(ret->id, sizeof(ret->id), "%s", id);
}

static GS_PRINTF(2, 3) void problem(
    struct gs_licence *ret, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	(void)vsnprintf(ret->problem, sizeof(ret->problem), fmt, args);
	va_end(args);
}

static unsigned alike(unsigned family)
{
	if (family & (FAMILY_BSD2 | FAMILY_BSD3))
		family |= FAMILY_BSD;
	/* 0BSD calls itself BSD, and X11 is another name of MIT. */
	return family & FAMILY_0BSD ? family | FAMILY_BSD : family;
}

/* What holds whether the text is equal to the template or only near. */
static void check_contents(struct gs_licence *ret, const struct gs_words *words)
{
	const char *phrase = gs_phrases_missing(ret->id, words);
	if (phrase) {
		problem(ret, "The text lacks \"%s\", which %s says.", phrase,
		    ret->id);
		return;
	}
	phrase = gs_phrases_forbidden(words);
	if (phrase)
		problem(ret, "The text says \"%s\", which %s does not.", phrase,
		    ret->id);
	else if (words->titles && !(words->titles & alike(gs_licence_family_of(
	                                                gs_str(ret->id)))))
		problem(ret,
		    "The title names another licence than the text, "
		    "which is %s.",
		    ret->id);
	else if (words->names > MAX_NAMES)
		problem(ret, "The text names more than %d words of people.",
		    MAX_NAMES);
}

static bool is_exact(const struct gs_words *words, struct gs_licence *ret)
{
	const struct gs_spdx_entry *entry = gs_spdx_exact(words);
	if (!entry)
		return false;
	set_id(ret, entry->id);
	ret->method = GS_LICENCE_EXACT;
	ret->score = 1;
	check_contents(ret, words);
	return true;
}

/* Apache-2.0 has several templates that differ in order alone. */
static bool is_explained(const struct gs_spdx_entry *entry,
    const struct gs_words *words, struct gs_licence *ret)
{
	char other[sizeof(ret->problem)];
	const struct gs_spdx_entry *sibling;
	bool ok = false;
	for (size_t i = 0; !ok && (sibling = gs_spdx_sibling(entry, i)); i++) {
		struct gs_words template = {0};
		gs_words_split(&template, gs_spdx_words(sibling));
		ok = gs_explain(words, &template,
		    sibling == entry ? ret->problem : other, sizeof(other));
		gs_words_release(&template);
	}
	if (ok)
		ret->problem[0] = '\0';
	return ok;
}

/* A long licence with a short one beside it is still very like itself. */
static void check_company(struct gs_licence *ret,
    const struct gs_spdx_entry *entry, const struct gs_bigrams *bigrams)
{
	const struct gs_spdx_entry *held[8];
	if (bigrams->total < entry->total + LEAST_COMPANY)
		return;
	size_t n = gs_spdx_contained(bigrams, held, GS_COUNT(held));
	for (size_t i = 0; i < n; i++) {
		if (strcmp(held[i]->id, entry->id) == 0 ||
		    entry->total + held[i]->total * 4 / 5 > bigrams->total)
			continue;
		ret->id[0] = '\0';
		problem(ret, "The text holds several licences: %s, %s.",
		    entry->id, held[i]->id);
		return;
	}
}

static bool is_similar(const struct gs_words *words, struct gs_licence *ret)
{
	GS_CLEANUP(gs_bigrams_release) struct gs_bigrams bigrams = {0};
	gs_bigrams_make(&bigrams, words);
	const struct gs_spdx_entry *entry =
	    gs_spdx_similar(&bigrams, LEAST_SCORE, &ret->score);
	if (!entry)
		return false;
	set_id(ret, entry->id);
	ret->method = GS_LICENCE_SIMILAR;
	if (entry->n_words == 0) {
		check_company(ret, entry, &bigrams);
		return true;
	}
	check_contents(ret, words);
	if (ret->problem[0] == '\0')
		(void)is_explained(entry, words, ret);
	return true;
}

/* F033: "dual licensed, see LICENSE.APACHE or LICENSE.MIT", or no more than
 * a head for source files with its tag. Titles and notices count here, so
 * the text is read again as it stands. */
static bool is_pointer(struct gs_str bytes)
{
	static const char *const shapes[] = {"either of", "dual licensed",
	    "found in license", "see license", "see the license", "see copying",
	    "in the license", "license mit", "license apache", "license bsd",
	    "license file", "license files", "at your option",
	    "licenses directory", "spdx license identifier"};
	/* What grants or disclaims is a text of its own. */
	static const char *const grants[] = {"hereby", "permitted", "may not",
	    "redistribution", "redistributions", "warranty", "warranties",
	    "liable", "public domain", "free to use"};
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	GS_CLEANUP(gs_words_release) struct gs_words words = {0};
	gs_words_decode(bytes, &text);
	gs_words_split(&words, gs_buf_str(&text));
	if (words.n > MAX_POINTER_WORDS || gs_phrases_forbidden(&words))
		return false;
	for (size_t i = 0; i < GS_COUNT(grants); i++)
		if (gs_words_find(&words, 0, grants[i]) >= 0)
			return false;
	for (size_t i = 0; i < GS_COUNT(shapes); i++)
		if (gs_words_find(&words, 0, shapes[i]) >= 0)
			return true;
	return false;
}

static void explain_unknown(
    struct gs_str bytes, const struct gs_words *words, struct gs_licence *ret)
{
	const struct gs_spdx_entry *held[3];
	struct gs_bigrams bigrams = {0};
	gs_bigrams_make(&bigrams, words);
	size_t n = gs_spdx_contained(&bigrams, held, GS_COUNT(held));
	gs_bigrams_release(&bigrams);
	ret->is_pointer = n == 0 && is_pointer(bytes);
	if (n > 1)
		problem(ret, "The text holds several licences: %s, %s%s%s.",
		    held[0]->id, held[1]->id, n > 2 ? ", " : "",
		    n > 2 ? held[2]->id : "");
	else if (n == 1)
		problem(ret, "The text holds %s and more.", held[0]->id);
	else if (ret->is_pointer)
		problem(ret, "The text only says where the licences are.");
	else
		problem(ret, "The text is no licence that is known here.");
}

static bool is_known(const struct gs_words *words, struct gs_licence *ret)
{
	*ret = (struct gs_licence){.method = GS_LICENCE_NONE};
	return is_exact(words, ret) || is_similar(words, ret);
}

void gs_licence_identify(struct gs_str bytes, struct gs_licence *ret)
{
	*ret = (struct gs_licence){.method = GS_LICENCE_NONE};
	if (bytes.n > MAX_BYTES) {
		problem(ret, "The text is longer than any licence.");
		return;
	}
	GS_CLEANUP(gs_words_release) struct gs_words words = {0};
	gs_licence_normalise(bytes, &words);
	bool known = is_known(&words, ret);
	if (known && ret->problem[0] == '\0')
		return;
	/* Once more without what may be a list of authors; a text that is
	 * still not clear is described as it stands. */
	struct gs_licence plain;
	size_t n = words.n;
	gs_normalise_drop_names(&words);
	if (words.n < n && is_known(&words, &plain) && plain.problem[0] == '\0')
		*ret = plain;
	else if (!known)
		explain_unknown(bytes, &words, ret);
}

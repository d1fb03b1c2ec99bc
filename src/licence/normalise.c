/* SPDX-License-Identifier: Apache-2.0 */
#include "licence/normalise.h"

#include "base/attr.h"
#include "base/vec.h"
#include "licence/phrases.h"

/* Longer lines are text, not titles and not notices. */
#define TITLE_WORDS 10
#define NOTICE_WORDS 60
#define CREDIT_WORDS 40
#define CREDIT_UNKNOWN 4

struct line {
	size_t start, end; /* words */
};

static struct line line_at(const struct gs_words *words, size_t start)
{
	struct line line = {start, start};
	while (line.end < words->n &&
	       words->v[line.end].line == words->v[start].line)
		line.end++;
	return line;
}

static bool word_is(const struct gs_words *words, size_t i, const char *s)
{
	return i < words->n && gs_str_is(words->v[i].s, s);
}

static bool one_of(struct gs_str word, const char *const *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (gs_str_is(word, list[i]))
			return true;
	return false;
}

/* "Copyright 2020 Will Roe": who bears a verb for a first name. */
static bool is_first_name(const struct gs_words *words, size_t i)
{
	static const char *const names[] = {"grant", "may", "will"};
	static const char *const before[] = {"(c)", "and", "by", "copyright"};
	if (i == 0 || i + 1 >= words->n ||
	    !one_of(words->v[i].s, names, GS_COUNT(names)))
		return false;
	const struct gs_word *next = &words->v[i + 1];
	return (words->v[i].shape & WORD_NAME) && (next->shape & WORD_NAME) &&
	       next->line == words->v[i].line &&
	       !gs_word_is_operative(next->s) &&
	       ((words->v[i - 1].shape & WORD_YEAR) ||
	           one_of(words->v[i - 1].s, before, GS_COUNT(before)));
}

/* "Copyright May 2020" is a month. */
static bool is_operative_at(const struct gs_words *words, size_t i)
{
	if (is_first_name(words, i))
		return false;
	if (word_is(words, i, "may") && i + 1 < words->n &&
	    (words->v[i + 1].shape & WORD_NAME))
		return false;
	return gs_word_is_operative(words->v[i].s);
}

static bool has_condition(const struct gs_words *words, struct line line)
{
	for (size_t i = line.start; i < line.end; i++)
		if (is_operative_at(words, i) &&
		    !gs_word_is_credit(words->v[i].s))
			return true;
	return false;
}

/* "copyright" goes on as the law speaks of it, not as a notice does. */
static bool is_legal_use(const struct gs_words *words, size_t i)
{
	static const char *const list[] = {"notice", "notices", "holder",
	    "holders", "owner", "owners", "law", "laws", "license", "licenses",
	    "licence", "statement", "statements", "and", "or", "to", "patent",
	    "patents", "interest", "is", "in", "disclaimer", "line", "lines",
	    "information"};
	return i >= words->n || one_of(words->v[i].s, list, GS_COUNT(list));
}

/* "Copyright (c) 2020 Foo", "(c) 2020 Foo", "Portions Copyright Foo",
 * "All rights reserved." */
static bool is_notice(
    const struct gs_words *words, struct line line, bool is_early)
{
	static const char *const before[] = {"portions", "parts", "some",
	    "modifications", "original", "code", "additional", "the", "this",
	    "software", "is", "and", "changes"};
	size_t i = line.start;
	if (word_is(words, i + 1, "rights") &&
	    word_is(words, i + 2, "reserved"))
		return line.end - line.start <= NOTICE_WORDS;
	while (i < line.end && i - line.start < 4 &&
	       one_of(words->v[i].s, before, GS_COUNT(before)))
		i++;
	if (word_is(words, i, "(c)"))
		return i + 1 < line.end && (words->v[i + 1].shape & WORD_NAME);
	if (!word_is(words, i, "copyright") && !word_is(words, i, "copyrights"))
		return false;
	for (size_t j = i + 1; j < line.end && j < i + 4; j++)
		if (word_is(words, j, "(c)") || word_is(words, j, "by") ||
		    word_is(words, j, "year") ||
		    (words->v[j].shape & WORD_YEAR))
			return true;
	is_early |= (words->v[line.start].shape & WORD_PARA) != 0;
	return is_early && !is_legal_use(words, i + 1);
}

/* Where a licence begins on the line of its notice (texts on one line). */
static size_t body_start(const struct gs_words *words, struct line line)
{
	static const char *const starts[][2] = {{"permission", "is"},
	    {"permission", "to"}, {"redistribution", "and"},
	    {"licensed", "under"}, {"this", "software"}, {"the", "above"}};
	for (size_t i = line.start + 1; i + 1 < line.end; i++)
		for (size_t j = 0; j < GS_COUNT(starts); j++)
			if (word_is(words, i, starts[j][0]) &&
			    word_is(words, i + 1, starts[j][1]))
				return i;
	return line.end;
}

static bool is_names(const struct gs_words *words, struct line line)
{
	for (size_t i = line.start; i < line.end; i++)
		if (is_operative_at(words, i) ||
		    (!(words->v[i].shape & WORD_NAME) &&
		        !gs_word_is_neutral(words->v[i].s)))
			return false;
	return true;
}

static bool says_licence(const struct gs_words *words, struct line line)
{
	for (size_t i = line.start; i < line.end; i++)
		if (gs_word_family(words->v[i].s) != 0 ||
		    gs_str_starts(words->v[i].s, "licen"))
			return true;
	return false;
}

static bool is_title(const struct gs_words *words, struct line line)
{
	return line.end - line.start <= TITLE_WORDS && is_names(words, line) &&
	       says_licence(words, line);
}

static void note_title(struct gs_words *words, struct line line)
{
	for (size_t i = line.start; i < line.end; i++)
		words->titles |= gs_word_family(words->v[i].s);
}

struct filter {
	struct gs_words *words;
	size_t kept;
	bool in_preamble; /* nothing but titles and notices so far */
	bool after_notice;
};

static void keep(struct filter *f, size_t start, size_t end)
{
	for (size_t i = start; i < end; i++)
		f->words->v[f->kept++] = f->words->v[i];
}

static void filter_line(struct filter *f, struct line line)
{
	struct gs_words *words = f->words;
	struct line notice = {line.start, body_start(words, line)};
	if (notice.end - notice.start <= NOTICE_WORDS &&
	    is_notice(words, line, f->in_preamble) &&
	    !has_condition(words, notice)) {
		keep(f, notice.end, line.end);
		f->after_notice = true;
		f->in_preamble &= notice.end == line.end;
		return;
	}
	if (f->in_preamble && is_title(words, line)) {
		note_title(words, line);
		return;
	}
	/* Further down, "Licensed under the ..." begins a text (Apache-2.0). */
	bool may_be_names =
	    f->in_preamble || (f->after_notice && !says_licence(words, line));
	if (may_be_names && is_names(words, line)) {
		words->names += line.end - line.start;
		return;
	}
	f->after_notice = f->in_preamble = false;
	keep(f, line.start, line.end);
}

static bool is_number(struct gs_str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.n > 0;
}

/* Signs, and the version in "Python 2.7.3", which older PSF texts repeat. */
static void drop_signs(struct gs_words *words)
{
	size_t kept = 0;
	for (size_t i = 0; i < words->n; i++) {
		struct gs_str s = words->v[i].s;
		bool is_version = is_number(s) && s.n <= 2 && kept > 0 &&
		                  gs_str_is(words->v[kept - 1].s, "python");
		if (!is_version && !gs_str_is(s, "(c)"))
			words->v[kept++] = words->v[i];
	}
	words->n = kept;
}

void gs_licence_normalise(struct gs_str bytes, struct gs_words *ret)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	gs_words_decode(bytes, &text);
	gs_words_split(ret, gs_buf_str(&text));
	struct filter f = {ret, 0, true, false};
	struct line line;
	for (size_t i = 0; i < ret->n; i = line.end) {
		line = line_at(ret, i);
		filter_line(&f, line);
	}
	ret->n = f.kept;
	drop_signs(ret);
	gs_phrases_rewrite(ret);
}

/* From one empty line to the next. */
static struct line paragraph_at(const struct gs_words *words, size_t start)
{
	struct line line = {start, start + 1};
	while (line.end < words->n && !(words->v[line.end].shape & WORD_PARA))
		line.end++;
	return line;
}

/* "It uses parts of x written by Jane Roe.", and nothing on licences. */
static bool is_credit(const struct gs_words *words, struct line line)
{
	size_t unknown = 0;
	bool says_who = false;
	if (line.end - line.start > CREDIT_WORDS || says_licence(words, line) ||
	    has_condition(words, line))
		return false;
	for (size_t i = line.start; i < line.end; i++) {
		bool is_said = gs_word_is_credit(words->v[i].s);
		says_who |= is_said;
		unknown += !is_said && !(words->v[i].shape & WORD_NAME) &&
		           !gs_word_is_neutral(words->v[i].s);
	}
	return says_who && unknown <= CREDIT_UNKNOWN;
}

void gs_normalise_drop_names(struct gs_words *words)
{
	size_t kept = 0;
	struct line paragraph;
	for (size_t i = 0; i < words->n; i = paragraph.end) {
		paragraph = paragraph_at(words, i);
		if (is_names(words, paragraph) || is_credit(words, paragraph)) {
			words->names += paragraph.end - paragraph.start;
			continue;
		}
		for (size_t j = paragraph.start; j < paragraph.end; j++)
			words->v[kept++] = words->v[j];
	}
	words->n = kept;
}

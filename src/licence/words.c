/* SPDX-License-Identifier: Apache-2.0 */
#include "licence/words.h"

#include <string.h>

#include "base/hash.h"
#include "base/vec.h"

struct cursor {
	struct gs_words *words;
	struct gs_str text;
	size_t at;
	uint32_t line;
	bool line_is_empty;
	bool after_empty;
};

uint32_t gs_word_id(struct gs_str s)
{
	return (uint32_t)gs_hash64(s);
}

static bool is_word_char(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || (unsigned char)c >= 0x80;
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\0';
}

static bool is_digits(struct gs_str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.n > 0;
}

static bool is_year(struct gs_str s)
{
	return s.n == 4 && is_digits(s) &&
	       (gs_str_starts(s, "19") || gs_str_starts(s, "20"));
}

/* Capital first and something small after it, one letter, up to four
 * capitals, or a number: what names and years look like. */
static bool is_name(struct gs_str s)
{
	bool has_small = false;
	if (is_digits(s))
		return true;
	if ((unsigned char)s.p[0] >= 0x80)
		return true;
	if (s.p[0] < 'A' || s.p[0] > 'Z')
		return false;
	for (size_t i = 1; i < s.n; i++)
		has_small |= !(s.p[i] >= 'A' && s.p[i] <= 'Z');
	return has_small || s.n <= 4;
}

static char at(const struct cursor *c, size_t i)
{
	return i < c->text.n ? c->text.p[i] : '\0';
}

static void add(struct cursor *c, struct gs_str raw, unsigned shape)
{
	struct gs_words *words = c->words;
	/* The buffer never grows past the room made for it at the start, so
	 * that views into it stay. */
	char *p = gs_buf_room(&words->text, raw.n);
	size_t n = 0;
	for (size_t i = 0; i < raw.n; i++) {
		char ch = raw.p[i];
		if (ch >= 'A' && ch <= 'Z')
			ch = (char)(ch + 32);
		if (ch != '\'')
			p[n++] = ch;
	}
	gs_buf_grew(&words->text, n);
	struct gs_word *word = GS_VEC_ADD(words);
	word->s = gs_str_n(p, n);
	word->id = gs_word_id(word->s);
	word->line = c->line;
	if (c->after_empty)
		shape |= WORD_PARA;
	c->after_empty = c->line_is_empty = false;
	word->shape = (uint8_t)shape;
}

/* "1." "2)" "(a)" "iv)" before white space number a list. */
static size_t label_length(const struct cursor *c)
{
	size_t i = c->at;
	bool open = at(c, i) == '(';
	if (open)
		i++;
	else if (i > 0 && !is_space(at(c, i - 1)))
		return 0;
	size_t start = i;
	while (i - start < 4 && is_word_char(at(c, i)))
		i++;
	struct gs_str body = gs_str_sub(c->text, start, i);
	bool is_number = is_digits(body) && body.n <= 2;
	bool is_roman = body.n > 1;
	for (size_t j = 0; j < body.n; j++)
		is_roman = is_roman && (body.p[j] == 'i' || body.p[j] == 'v');
	bool is_letter = body.n == 1 && body.p[0] >= 'a' && body.p[0] <= 'z';
	if (!is_number && !is_roman && !is_letter)
		return 0;
	char end = at(c, i);
	bool closed =
	    open ? end == ')' : end == ')' || (end == '.' && !is_letter);
	if (!closed || !is_space(at(c, i + 1)))
		return 0;
	return i + 1 - c->at;
}

static bool is_copyright_sign(const struct cursor *c)
{
	return at(c, c->at) == '(' && (at(c, c->at + 1) | 32) == 'c' &&
	       at(c, c->at + 2) == ')';
}

/* The run of bytes up to white space or a closing sign, when it is a URL or
 * an e-mail address. */
static struct gs_str link_at(const struct cursor *c)
{
	size_t end = c->at;
	while (!is_space(at(c, end)) && !strchr("<>()[]{}\"`,;", at(c, end)))
		end++;
	while (end > c->at && strchr(".:'/*_", at(c, end - 1)))
		end--;
	struct gs_str run = gs_str_sub(c->text, c->at, end);
	ptrdiff_t scheme = gs_str_find(run, GS_STR("://"));
	if (scheme >= 0 && scheme <= 5)
		return run;
	if (gs_str_find_char(run, '@') > 0 && gs_str_find_char(run, '.') > 0)
		return run;
	return gs_str_starts(run, "www.") ? run : (struct gs_str){0};
}

/* <p>, </div>, <br />, <!-- -->: a tag, not a <year> to fill in. */
static size_t tag_length(const struct cursor *c)
{
	static const char *const names[] = {"p", "br", "div", "pre", "ul", "ol",
	    "li", "b", "i", "em", "strong", "html", "body", "head", "h1", "h2",
	    "h3", "center", "tt", "code", "hr", "title"};
	struct gs_str s = gs_str_from(c->text, c->at + 1);
	if (gs_str_starts(s, "/"))
		s = gs_str_from(s, 1);
	ptrdiff_t end =
	    gs_str_find_char(gs_str_sub(s, 0, s.n < 120 ? s.n : 120), '>');
	if (end < 0)
		return 0;
	size_t n = 0;
	while (n < (size_t)end && is_word_char(s.p[n]))
		n++;
	for (size_t i = 0; i < GS_COUNT(names); i++)
		if (gs_str_ieq(gs_str_sub(s, 0, n), gs_str(names[i])))
			return (size_t)(s.p + end + 1 - (c->text.p + c->at));
	return 0;
}

static void take_link(struct cursor *c, struct gs_str link)
{
	ptrdiff_t scheme = gs_str_find(link, GS_STR("://"));
	c->at += link.n;
	if (scheme >= 0)
		link = gs_str_from(link, (size_t)scheme + 3);
	if (link.n > 0)
		add(c, link, WORD_LINK | WORD_NAME);
}

static void take_word(struct cursor *c)
{
	size_t start = c->at;
	while (is_word_char(at(c, c->at)) ||
	       (at(c, c->at) == '\'' && is_word_char(at(c, c->at + 1))))
		c->at++;
	struct gs_str raw = gs_str_sub(c->text, start, c->at);
	unsigned shape = is_name(raw) ? WORD_NAME : 0;
	if (is_year(raw))
		shape |= WORD_YEAR;
	add(c, raw, shape);
}

static void take_sign(struct cursor *c)
{
	size_t skip = 1;
	if (at(c, c->at) == '\n') {
		c->after_empty |= c->line_is_empty;
		c->line_is_empty = true;
		c->line++;
	} else if (is_copyright_sign(c)) {
		add(c, GS_STR("(c)"), 0);
		skip = 3;
	} else if (label_length(c) > 0) {
		skip = label_length(c);
	} else if (at(c, c->at) == '<' && tag_length(c) > 0) {
		skip = tag_length(c);
	}
	c->at += skip;
}

void gs_words_split(struct gs_words *words, struct gs_str text)
{
	struct cursor c = {words, text, 0, 0, true, true};
	/* A word is never longer than its spelling; "(c)" is three bytes of
	 * three. */
	(void)gs_buf_room(&words->text, text.n + 1);
	while (c.at < text.n) {
		if (!is_word_char(at(&c, c.at))) {
			take_sign(&c);
			continue;
		}
		struct gs_str link = link_at(&c);
		if (link.n > 0)
			take_link(&c, link);
		else if (label_length(&c) > 0)
			c.at += label_length(&c);
		else
			take_word(&c);
	}
}

void gs_words_release(struct gs_words *words)
{
	GS_VEC_FREE(words);
	gs_buf_release(&words->text);
	words->titles = 0;
	words->names = 0;
}

void gs_words_push(
    struct gs_words *words, const char *phrase, const struct gs_word *like)
{
	struct gs_str rest = gs_str(phrase), part;
	uint32_t line = like ? like->line : 0;
	uint8_t shape = like ? like->shape & WORD_PARA : 0;
	while (gs_str_cut(&rest, ' ', &part)) {
		struct gs_word *word = GS_VEC_ADD(words);
		word->s = part;
		word->id = gs_word_id(part);
		word->line = line;
		word->shape = shape;
		shape = 0;
	}
}

uint64_t gs_words_hash(const struct gs_words *words)
{
	uint64_t hash = 1469598103934665603u;
	for (size_t i = 0; i < words->n; i++)
		hash = (hash ^ words->v[i].id) * 1099511628211u;
	return hash ^ words->n;
}

ptrdiff_t gs_words_find(
    const struct gs_words *words, size_t from, const char *phrase)
{
	for (size_t i = from; i < words->n; i++) {
		if (words->v[i].s.p[0] != phrase[0])
			continue;
		struct gs_str rest = gs_str(phrase), part;
		size_t at_word = i;
		bool same = true;
		while (same && gs_str_cut(&rest, ' ', &part)) {
			same = at_word < words->n &&
			       gs_str_eq(words->v[at_word].s, part);
			at_word++;
		}
		if (same)
			return (ptrdiff_t)i;
	}
	return -1;
}

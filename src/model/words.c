/* SPDX-License-Identifier: Apache-2.0 */
#include "model/words.h"

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool gs_word_next(struct gs_str *text, struct gs_str *ret_word)
{
	size_t start = 0;
	while (start < text->n && !is_letter(text->p[start]))
		start++;
	size_t end = start;
	while (
	    end < text->n && (is_letter(text->p[end]) ||
	                         (text->p[end] == '\'' && end + 1 < text->n &&
	                             is_letter(text->p[end + 1]))))
		end++;
	*ret_word = gs_str_sub(*text, start, end);
	*text = gs_str_from(*text, end);
	return end > start;
}

bool gs_word_is_one_of(struct gs_str word, const char *const *list)
{
	for (; *list; list++)
		if (gs_str_ieq(word, gs_str(*list)))
			return true;
	return false;
}

bool gs_words_have(struct gs_str text, const char *const *list)
{
	struct gs_str word;
	while (gs_word_next(&text, &word))
		if (gs_word_is_one_of(word, list))
			return true;
	return false;
}

static size_t skip_blanks(struct gs_str s, size_t at)
{
	while (at < s.n && (s.p[at] == ' ' || s.p[at] == '\t'))
		at++;
	return at;
}

/* Bytes that an issue's name takes at `at`: "#12", "GH-12", "gh12",
 * "owner/name#12" or an address; 0 for none. */
static size_t issue_at(struct gs_str s, size_t at)
{
	size_t i = at;
	struct gs_str rest = gs_str_from(s, at);
	if (gs_str_starts(rest, "http://") || gs_str_starts(rest, "https://")) {
		while (
		    i < s.n && s.p[i] != ' ' && s.p[i] != '\n' && s.p[i] != ')')
			i++;
		return i - at;
	}
	if (rest.n > 2 && gs_str_ieq(gs_str_sub(rest, 0, 2), GS_STR("gh")))
		i += 2 + (s.p[at + 2] == '-' || s.p[at + 2] == '#');
	else if (rest.n > 1 && s.p[at] == '#')
		i++;
	else
		return 0;
	size_t digits = i;
	while (i < s.n && is_digit(s.p[i]))
		i++;
	return i > digits ? i - at : 0;
}

/* Bytes of "fixes", an optional "issue" or ":" and an issue at `at`. */
static size_t closing_at(struct gs_str s, size_t at)
{
	static const char *const verbs[] = {"fix", "fixes", "fixed", "close",
	    "closes", "closed", "closing", "fixing", "resolve", "resolves",
	    "resolved", "resolving", "ref", "refs", "see", "issue", "issues",
	    "bug", "ticket", "pr", NULL};
	size_t i = at;
	for (int words = 0; words < 3; words++) {
		struct gs_str rest = gs_str_from(s, i), word;
		if (rest.n == 0 || !is_letter(rest.p[0]) ||
		    !gs_word_next(&rest, &word) ||
		    !gs_word_is_one_of(word, verbs))
			break;
		i += word.n;
		if (i < s.n && s.p[i] == ':')
			i++;
		i = skip_blanks(s, i);
		size_t issue = issue_at(s, i);
		if (issue > 0)
			return i + issue - at;
	}
	return 0;
}

void gs_words_without_issues(
    struct gs_str text, struct gs_buf *ret, bool *ret_found)
{
	size_t i = 0;
	while (i < text.n) {
		bool at_word = i == 0 || !is_letter(text.p[i - 1]);
		size_t n = at_word ? closing_at(text, i) : 0;
		if (n == 0 && (at_word || text.p[i] == '#'))
			n = issue_at(text, i);
		if (n > 0) {
			i += n;
			gs_buf_addc(ret, ' ');
			if (ret_found)
				*ret_found = true;
		} else {
			gs_buf_addc(ret, text.p[i++]);
		}
	}
}

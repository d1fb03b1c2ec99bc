/* SPDX-License-Identifier: Apache-2.0 */
#include "py/literal.h"

#include <stdint.h>
#include <string.h>

#include "base/utf8.h"
#include "base/vec.h"

#define TAB_SIZE 8

static bool read_prefix(struct gs_str *text, struct gs_literal *ret)
{
	for (; text->n > 0; *text = gs_str_from(*text, 1)) {
		switch (text->p[0] | 0x20) {
		case 'r':
			ret->is_raw = true;
			break;
		case 'b':
			ret->is_bytes = true;
			break;
		case 'f':
		case 't':
			ret->is_format = true;
			break;
		case 'u':
			break;
		default:
			return true;
		}
	}
	return false;
}

bool gs_literal_read(struct gs_str text, struct gs_literal *ret)
{
	*ret = (struct gs_literal){0};
	if (!read_prefix(&text, ret))
		return false;
	char quote = text.p[0];
	if (quote != '\'' && quote != '"' && quote != '`')
		return false;
	ret->is_backquoted = quote == '`';
	size_t n = 1;
	if (text.n >= 6 && text.p[1] == quote && text.p[2] == quote)
		n = 3;
	if (text.n < 2 * n || text.p[text.n - 1] != quote)
		return false;
	ret->body = gs_str_sub(text, n, text.n - n);
	return true;
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

/* Takes up to `most` digits of a base; how many there were. */
static int take_digits(
    struct gs_str *text, int base, int most, uint32_t *ret_value)
{
	int n = 0;
	*ret_value = 0;
	for (; n < most && text->n > 0 && digit_of(text->p[0]) < base; n++) {
		*ret_value = *ret_value * (uint32_t)base +
		             (uint32_t)digit_of(text->p[0]);
		*text = gs_str_from(*text, 1);
	}
	return n;
}

static bool put_value(
    const struct gs_literal *literal, uint32_t value, struct gs_buf *ret)
{
	if (literal->is_bytes) {
		gs_buf_addc(ret, (char)(unsigned char)value);
		return true;
	}
	if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
		return false;
	gs_utf8_put(ret, value);
	return true;
}

static bool take_hex(const struct gs_literal *literal, struct gs_str *text,
    int digits, struct gs_buf *ret)
{
	uint32_t value;
	return take_digits(text, 16, digits, &value) == digits &&
	       put_value(literal, value, ret);
}

/* What stands after a backslash; *text begins there and is not empty. */
static bool take_escape(
    const struct gs_literal *literal, struct gs_str *text, struct gs_buf *ret)
{
	static const char from[] = "\\'\"abfnrtv", to[] = "\\'\"\a\b\f\n\r\t\v";
	char c = text->p[0];
	uint32_t value;
	if (c >= '0' && c <= '7') {
		take_digits(text, 8, 3, &value);
		return put_value(literal, value, ret);
	}
	*text = gs_str_from(*text, 1);
	const char *simple = c ? strchr(from, c) : NULL;
	if (simple) {
		gs_buf_addc(ret, to[simple - from]);
		return true;
	}
	if (c == '\r' && gs_str_starts(*text, "\n"))
		*text = gs_str_from(*text, 1);
	if (c == '\r' || c == '\n')
		return true;
	if (c == 'x')
		return take_hex(literal, text, 2, ret);
	if (!literal->is_bytes && (c == 'u' || c == 'U'))
		return take_hex(literal, text, c == 'u' ? 4 : 8, ret);
	if (!literal->is_bytes && c == 'N')
		return false;
	gs_buf_addc(ret, '\\'); /* an unknown escape stays as it is */
	gs_buf_addc(ret, c);
	return true;
}

bool gs_literal_value(const struct gs_literal *literal, struct gs_buf *ret)
{
	struct gs_str text = literal->body;
	while (text.n > 0) {
		char c = text.p[0];
		text = gs_str_from(text, 1);
		if (c == '\r') {
			if (gs_str_starts(text, "\n"))
				text = gs_str_from(text, 1);
			c = '\n';
		}
		if (c != '\\' || literal->is_raw) {
			gs_buf_addc(ret, c);
			continue;
		}
		if (text.n == 0 || !take_escape(literal, &text, ret))
			return false;
	}
	return true;
}

/* str.isspace of Python. */
static bool is_space(uint32_t c)
{
	return (c >= 0x09 && c <= 0x0d) || (c >= 0x1c && c <= 0x20) ||
	       c == 0x85 || c == 0xa0 || c == 0x1680 ||
	       (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 ||
	       c == 0x202f || c == 0x205f || c == 0x3000;
}

/* str.expandtabs(8): columns are code points, LF and CR begin a new line. */
static void expand_tabs(struct gs_str text, struct gs_buf *ret)
{
	size_t column = 0;
	while (text.n > 0) {
		struct gs_str before = text;
		uint32_t c = gs_utf8_next(&text);
		if (c == '\t') {
			do
				gs_buf_addc(ret, ' ');
			while (++column % TAB_SIZE != 0);
			continue;
		}
		gs_buf_adds(ret, gs_str_sub(before, 0, before.n - text.n));
		column = c == '\n' || c == '\r' ? 0 : column + 1;
	}
}

/* Code points of white space before the content; SIZE_MAX: no content. */
static size_t indent_of(struct gs_str line, size_t *ret_bytes)
{
	struct gs_str rest = line;
	for (size_t n = 0; rest.n > 0; n++) {
		*ret_bytes = line.n - rest.n;
		if (!is_space(gs_utf8_next(&rest)))
			return n;
	}
	*ret_bytes = line.n;
	return SIZE_MAX;
}

static struct gs_str skip_points(struct gs_str line, size_t n)
{
	for (; n > 0 && line.n > 0; n--)
		gs_utf8_next(&line);
	return line;
}

struct doc_lines {
	struct gs_str *v;
	size_t n, cap;
};

static size_t margin_of(const struct doc_lines *lines)
{
	size_t margin = SIZE_MAX;
	for (size_t i = 1; i < lines->n; i++) {
		size_t bytes;
		size_t indent = indent_of(lines->v[i], &bytes);
		if (indent < margin)
			margin = indent;
	}
	return margin;
}

void gs_cleandoc(struct gs_str text, struct gs_buf *ret)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf expanded = {0};
	expand_tabs(text, &expanded);
	struct doc_lines lines = {0};
	struct gs_str rest = gs_buf_str(&expanded), line;
	while (gs_str_cut(&rest, '\n', &line))
		*GS_VEC_ADD(&lines) = line;
	size_t margin = margin_of(&lines), bytes = 0;
	if (lines.n > 0) {
		indent_of(lines.v[0], &bytes);
		lines.v[0] = gs_str_from(lines.v[0], bytes);
	}
	for (size_t i = 1; i < lines.n && margin < SIZE_MAX; i++)
		lines.v[i] = skip_points(lines.v[i], margin);
	size_t first = 0, end = lines.n;
	while (end > 0 && lines.v[end - 1].n == 0)
		end--;
	while (first < end && lines.v[first].n == 0)
		first++;
	for (size_t i = first; i < end; i++) {
		gs_buf_adds(ret, lines.v[i]);
		if (i + 1 < end)
			gs_buf_addc(ret, '\n');
	}
	GS_VEC_FREE(&lines);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "site/html.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

void html_release(struct html *html)
{
	gs_buf_release(&html->buf);
}

void html_raw(struct html *html, struct markup markup)
{
	gs_buf_add(&html->buf, markup.p, markup.n);
}

static const char *entity(char c)
{
	switch (c) {
	case '&':
		return "&amp;";
	case '<':
		return "&lt;";
	case '>':
		return "&gt;";
	case '"':
		return "&quot;";
	case '\'':
		return "&#39;";
	default:
		return NULL;
	}
}

static void escape(struct gs_buf *out, struct gs_str text)
{
	size_t start = 0;
	for (size_t i = 0; i < text.n; i++) {
		const char *name = entity(text.p[i]);
		if (!name)
			continue;
		gs_buf_add(out, text.p + start, i - start);
		gs_buf_addz(out, name);
		start = i + 1;
	}
	gs_buf_adds(out, gs_str_from(text, start));
}

static bool is_plain(struct gs_str text, bool multiline)
{
	for (size_t i = 0; i < text.n; i++) {
		unsigned char c = (unsigned char)text.p[i];
		bool is_space = multiline && (c == '\n' || c == '\t');
		if ((c < 0x20 && !is_space) || c >= 0x7f)
			return false;
	}
	return true;
}

static void put(struct html *html, struct gs_str text, bool multiline)
{
	if (is_plain(text, multiline)) {
		escape(&html->buf, text);
		return;
	}
	GS_CLEANUP(gs_buf_release) struct gs_buf clean = {0};
	gs_utf8_harmless(&clean, text, multiline);
	escape(&html->buf, gs_buf_str(&clean));
}

void html_text(struct html *html, struct gs_str text)
{
	put(html, text, false);
}

void html_lines(struct html *html, struct gs_str text)
{
	put(html, text, true);
}

void html_fill(struct html *html, struct markup pattern,
    const struct gs_str *values, size_t n)
{
	struct gs_str rest = {pattern.p, pattern.n};
	size_t used = 0;
	for (;;) {
		ptrdiff_t at = gs_str_find_char(rest, '%');
		if (at < 0)
			break;
		gs_buf_adds(&html->buf, gs_str_sub(rest, 0, (size_t)at));
		rest = gs_str_from(rest, (size_t)at + 1);
		assert(used < n);
		html_text(html, values[used++]);
	}
	assert(used == n);
	gs_buf_adds(&html->buf, rest);
}

void html_append(struct html *html, const struct html *other)
{
	gs_buf_adds(&html->buf, gs_buf_str(&other->buf));
}

void html_embedded(struct html *html, const char *text)
{
	gs_buf_addz(&html->buf, text);
}

void html_json(struct html *html, struct gs_str json)
{
	for (size_t i = 0; i < json.n; i++)
		if (json.p[i] == '<')
			gs_buf_addz(&html->buf, "\\u003c");
		else
			gs_buf_addc(&html->buf, json.p[i]);
}

struct number number_count(int64_t n)
{
	char digits[24];
	struct number ret;
	int len = snprintf(digits, sizeof(digits), "%" PRId64, n);
	size_t at = 0;
	for (int i = 0; i < len; i++) {
		if (i > 0 && (len - i) % 3 == 0 && digits[i - 1] != '-')
			ret.text[at++] = ',';
		ret.text[at++] = digits[i];
	}
	ret.text[at] = 0;
	return ret;
}

struct number number_plain(double value, unsigned digits)
{
	struct number ret;
	(void)snprintf(ret.text, sizeof(ret.text), "%.*f", (int)digits, value);
	return ret;
}

struct number number_share(double part, unsigned digits)
{
	struct number ret = number_plain(100 * part, digits);
	size_t n = strlen(ret.text);
	(void)snprintf(ret.text + n, sizeof(ret.text) - n, " %%");
	return ret;
}

void html_clipped(struct html *html, struct gs_str text, size_t max)
{
	size_t n = text.n;
	if (n > max)
		for (n = max; n > 0 && (text.p[n] & 0xc0) == 0x80;)
			n--;
	html_text(html, gs_str_sub(text, 0, n));
	if (n < text.n)
		RAW(html, "…");
}

void html_count(struct html *html, int64_t n, struct markup noun)
{
	html_text(html, N(n));
	RAW(html, " ");
	html_raw(html, noun);
	if (n != 1)
		RAW(html, "s");
}

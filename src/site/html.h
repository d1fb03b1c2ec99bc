/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writing HTML so that escaping cannot be forgotten. Mark-up is a type of its
 * own that only HTML("a literal") makes; text of any origin is struct gs_str
 * and is escaped wherever it goes. So
 *
 *	PUT(page, "<a href=\"%\">%</a>", url, name);
 *
 * escapes both values, and passing them as mark-up does not compile. Control
 * characters, bidi controls and bytes that are not UTF-8 come out as visible
 * escapes (F171). Attributes are always in double quotes.
 */
#ifndef SITE_HTML_H
#define SITE_HTML_H

#include <stdint.h>

#include "base/buf.h"

struct markup {
	const char *p;
	size_t n;
};

#define HTML(literal) ((struct markup){"" literal, sizeof(literal) - 1})

struct html {
	struct gs_buf buf;
};

void html_release(struct html *html);
void html_raw(struct html *html, struct markup markup);
/* Escaped; line breaks and tabs stay when `multiline`. */
void html_text(struct html *html, struct gs_str text);
void html_lines(struct html *html, struct gs_str text);
/* Only the first `max` bytes, whole characters, and then "…". */
void html_clipped(struct html *html, struct gs_str text, size_t max);
/* Mark-up in which each '%' stands for a value. */
void html_fill(struct html *html, struct markup pattern,
    const struct gs_str *values, size_t n);
/* What another writer has written. */
void html_append(struct html *html, const struct html *other);
/* A text of the program itself, embedded at build time. */
void html_embedded(struct html *html, const char *text);
/* For <script type="application/ld+json">: no "<" leaves it. */
void html_json(struct html *html, struct gs_str json);

#define RAW(html, literal) html_raw(html, HTML(literal))
#define PUT(html, pattern, ...)                                                \
	html_fill(html, HTML(pattern), (const struct gs_str[]){__VA_ARGS__},   \
	    sizeof((const struct gs_str[]){__VA_ARGS__}) /                     \
	        sizeof(struct gs_str))

/* A number as a value: PUT(page, "<td>%</td>", N(count)). */
struct number {
	char text[40];
};

struct number number_count(int64_t n);                    /* "12,345" */
struct number number_share(double part, unsigned digits); /* 0.5: "50.0 %" */
struct number number_plain(double value, unsigned digits);

#define N(n) gs_str(number_count(n).text)
#define S(literal) GS_STR(literal)
#define Z(text) gs_str(text)

/* "1 record", "1,234 records": the noun takes an s. */
void html_count(struct html *html, int64_t n, struct markup noun);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The frame that all pages share, and what one needs to write them. */
#ifndef SITE_PAGE_H
#define SITE_PAGE_H

#include "site/catalogue.h"
#include "site/html.h"
#include "site/out.h"

struct site {
	const struct catalogue *catalogue;
	struct out *out;
	bool has_board;       /* reports were given */
	struct gs_strv pages; /* names of all pages, for the sitemap */
	int64_t n_records;    /* whose page is made, for the watch */
};

/* Which entry of the menu is the present one. */
enum section {
	SECTION_FRONT,
	SECTION_BROWSE,
	SECTION_STATISTICS,
	SECTION_BOARD,
	SECTION_VERIFIED,
	SECTION_QUERY,
	SECTION_METHOD,
	SECTION_NONE,
};

struct page {
	const char *name;  /* "record/gs-….html" */
	const char *title; /* without the data set's name; "" on the front */
	const char *about; /* one sentence for search engines */
	enum section section;
	const char
	    *script; /* further ones in assets/, comma between; or NULL */
	struct html body;
	struct html head; /* what only this page has in its head */
};

/* "../" in a folder, else "". */
struct gs_str page_root(const struct page *page);
/* Frames the body, writes the file, empties the page. */
GS_MUST_CHECK int page_write(
    struct site *site, struct page *page, struct gs_err *err);
void page_release(struct page *page);

/* <a> to a web page where the URL is https and harmless, else the text. */
void page_link(struct html *html, struct gs_str text, struct gs_str url);
/* "2026-06-30" of an instant. */
struct gs_str day_of(const char *instant);
/* The badge of a verdict; nothing for NULL. */
void page_verdict(struct html *html, const struct verdict *verdict);
/* A commit's subject, its words between backticks as code. */
void page_subject(struct html *html, struct gs_str text, size_t max);
/* A table of records with links; `root` as page_root gives it. */
void page_records(struct html *html, const struct catalogue *catalogue,
    struct gs_str root, const size_t *entries, size_t n);
/* Where a command or an id can be copied. */
void page_copy(struct html *html, struct gs_str label, struct gs_str text);

#endif

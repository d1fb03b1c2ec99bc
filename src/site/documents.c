/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "site/markdown.h"
#include "site/pages.h"

extern const char gs_text_method_html[], gs_text_query_html[];

static int write_fixed(struct site *site, const struct page *frame,
    const char *text, struct gs_err *err)
{
	GS_CLEANUP(page_release) struct page page = *frame;
	html_embedded(&page.body, text);
	return page_write(site, &page, err);
}

static int write_document(struct site *site, const struct page *frame,
    const char *file, struct gs_err *err)
{
	GS_CLEANUP(page_release) struct page page = *frame;
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	int rc = catalogue_text(site->catalogue, file, &text, err);
	if (rc)
		return rc;
	RAW(&page.body, "<div class=\"text\">\n");
	if (text.n == 0)
		PUT(&page.body, "<h1>%</h1><p>This release has no %.</p>\n",
		    Z(page.title), Z(file));
	markdown(&page.body, gs_buf_str(&text));
	RAW(&page.body, "</div>\n");
	return page_write(site, &page, err);
}

/* P5: what left at a maintainer's request. */
static void put_withdrawn(struct html *html, struct gs_str text)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv row = {0};
	size_t n = 0;
	RAW(html,
	    "<h2 id=\"withdrawn\">Withdrawn</h2>\n<p>Records that left at a "
	    "maintainer’s request keep their line, so that nobody else’s "
	    "numbers change meaning in silence.</p>"
	    "<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
	    "aria-label=\"Withdrawn\"><table class=\"small\"><thead><tr>"
	    "<th scope=\"col\">Record</th><th scope=\"col\">Date</th>"
	    "<th scope=\"col\">Reason</th></tr></thead><tbody>\n");
	(void)csv_row(&text, &row);
	while (csv_row(&text, &row)) {
		if (row.n < 3)
			continue;
		PUT(html,
		    "<tr><th scope=\"row\"><code>%</code></th><td>%</td><td>",
		    Z(row.v[0]), Z(row.v[1]));
		html_clipped(html, Z(row.v[2]), 1000);
		RAW(html, "</td></tr>\n");
		n++;
	}
	if (n == 0)
		RAW(html, "<tr><td colspan=\"3\">None.</td></tr>\n");
	RAW(html, "</tbody></table></div>\n");
}

static int write_changes(struct site *site, struct gs_err *err)
{
	GS_CLEANUP(page_release)
	struct page page = {.name = "changes.html",
	    .title = "Changes and withdrawals",
	    .about = "What came and went between releases.",
	    .section = SECTION_NONE};
	GS_CLEANUP(gs_buf_release) struct gs_buf log = {0}, gone = {0};
	int rc = catalogue_text(site->catalogue, "CHANGELOG.md", &log, err);
	if (rc == 0)
		rc = catalogue_text(
		    site->catalogue, "withdrawn.csv", &gone, err);
	if (rc)
		return rc;
	RAW(&page.body, "<div class=\"text\">\n");
	if (log.n == 0)
		RAW(&page.body, "<h1>Changes</h1>\n");
	markdown(&page.body, gs_buf_str(&log));
	put_withdrawn(&page.body, gs_buf_str(&gone));
	RAW(&page.body, "</div>\n");
	return page_write(site, &page, err);
}

int documents_write(struct site *site, struct gs_err *err)
{
	const struct page method = {.name = "method.html",
	    .title = "Method",
	    .about = "How a record is made, and how to check it.",
	    .section = SECTION_METHOD};
	const struct page query = {.name = "query.html",
	    .title = "Query",
	    .about = "The Parquet file, read in the browser.",
	    .section = SECTION_QUERY,
	    .script = "fzstd.js,hyparquet.js,query.js"};
	const struct page datasheet = {.name = "datasheet.html",
	    .title = "Datasheet",
	    .about = "Motivation, composition, collection, uses.",
	    .section = SECTION_NONE};
	const struct page attribution = {.name = "attribution.html",
	    .title = "Attribution",
	    .about = "Who wrote the code, and under which licence.",
	    .section = SECTION_NONE};
	int rc = write_fixed(site, &method, gs_text_method_html, err);
	if (rc == 0)
		rc = write_fixed(site, &query, gs_text_query_html, err);
	if (rc == 0)
		rc = write_document(site, &datasheet, "DATASHEET.md", err);
	if (rc == 0)
		rc = write_document(site, &attribution, "ATTRIBUTION.md", err);
	return rc ? rc : write_changes(site, err);
}

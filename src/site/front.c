/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/mem.h"
#include "site/machine.h"
#include "site/pages.h"

#define NEWEST 8

extern const char gs_text_front_html[];

static void put_number(
    struct html *html, int64_t n, struct markup one, struct markup many)
{
	PUT(html, "<li><strong>%</strong> ", N(n));
	html_raw(html, n == 1 ? one : many);
	RAW(html, "</li>\n");
}

static void put_numbers(struct html *html, const struct catalogue *c)
{
	RAW(html, "<ul class=\"numbers\" aria-label=\"In numbers\">\n");
	put_number(
	    html, (int64_t)c->entries.n, HTML("record"), HTML("records"));
	put_number(
	    html, (int64_t)c->projects.n, HTML("project"), HTML("projects"));
	put_number(html, c->functions, HTML("single function"),
	    HTML("single functions"));
	put_number(html, (int64_t)c->entries.n - c->functions,
	    HTML("whole file"), HTML("whole files"));
	put_number(
	    html, c->tests, HTML("test that flips"), HTML("tests that flip"));
	RAW(html, "</ul>\n");
	if (c->entries.n == 0)
		return;
	PUT(html,
	    "<p class=\"from\">Fixes committed from % to %. Version %, of %."
	    "</p>\n",
	    day_of(c->entries.v[c->entries.n - 1].committed_at),
	    day_of(c->entries.v[0].committed_at), Z(c->version), Z(c->date));
}

/* The smallest change that can be read at a glance stands for them all. */
static const struct entry *example_of(const struct catalogue *c)
{
	const struct entry *best = NULL;
	for (size_t i = 0; i < c->entries.n; i++) {
		const struct entry *e = &c->entries.v[i];
		if (!best || e->is_file < best->is_file ||
		    (e->is_file == best->is_file &&
		        e->diff_lines < best->diff_lines))
			best = e;
	}
	return best;
}

static void put_newest(struct html *html, const struct catalogue *c)
{
	size_t newest[NEWEST];
	size_t n = c->entries.n < NEWEST ? c->entries.n : NEWEST;
	for (size_t i = 0; i < n; i++)
		newest[i] = i;
	if (n == 0)
		return;
	RAW(html, "<h2>The newest fixes</h2>\n");
	page_records(html, c, S(""), newest, n);
	RAW(html, "<p><a href=\"browse.html\">All records</a></p>\n");
}

int front_write(struct site *site, struct gs_err *err)
{
	const struct catalogue *c = site->catalogue;
	GS_CLEANUP(page_release)
	struct page page = {.name = "index.html",
	    .title = "",
	    .about = "Verified bug-fix records for evaluating coding agents.",
	    .section = SECTION_FRONT};
	struct html *html = &page.body;
	const struct entry *example = example_of(c);
	PUT(html,
	    "<h1>%</h1>\n<p class=\"lead\">Real bugs, their authors’ fixes, "
	    "and the tests that tell one from the other. Each was run before "
	    "and after, and is published only because both were seen.</p>\n",
	    Z(c->name));
	put_numbers(html, c);
	RAW(html, "<p class=\"actions\">");
	if (example)
		PUT(html,
		    "<a class=\"button\" href=\"browse.html\">Browse the "
		    "records</a> <a class=\"button quiet\" "
		    "href=\"record/%.html\">See one</a> ",
		    Z(example->id));
	RAW(html, "<a class=\"button quiet\" href=\"data/oracles.parquet\" "
	          "download>Download (Parquet)</a></p>\n");
	html_embedded(html, gs_text_front_html);
	page_copy(html, S("Command for a verification"),
	    S("goldset-verify RELEASE --sample 20"));
	page_copy(html, S("Command that checks the files"),
	    S("sha256sum -c SHA256SUMS"));
	put_newest(html, c);
	machine_dataset(&page.head, c);
	return page_write(site, &page, err);
}

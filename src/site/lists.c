/* SPDX-License-Identifier: Apache-2.0 */
#include "site/lists.h"

#include "base/mem.h"

#define PER_PAGE 200
#define MAX_LICENCE_TEXT 40000

/* One list over several pages: "browse.html", "browse-2.html", … */
struct list {
	const char *stem, *title, *about, *script;
	const size_t *entries;
	size_t n;
	const struct html *head, *foot; /* first page; under the list */
};

static char *name_of(const char *stem, size_t number)
{
	return number == 1 ? gs_format("%s.html", stem)
	                   : gs_format("%s-%zu.html", stem, number);
}

static struct gs_str base_of(const char *path)
{
	struct gs_str text = gs_str(path);
	return gs_str_from(text, (size_t)(gs_str_rfind_char(text, '/') + 1));
}

static void put_step(struct html *html, const struct list *list, size_t number,
    struct markup rel, struct markup text)
{
	GS_CLEANUP(gs_freep) char *name = name_of(list->stem, number);
	PUT(html, "<li><a href=\"%\" rel=\"", base_of(name));
	html_raw(html, rel);
	RAW(html, "\">");
	html_raw(html, text);
	RAW(html, "</a></li>");
}

static void put_pager(
    struct html *html, const struct list *list, size_t number, size_t pages)
{
	if (pages < 2)
		return;
	RAW(html, "<nav class=\"pager\" aria-label=\"Pages of the list\"><ul>");
	if (number > 1) {
		put_step(html, list, 1, HTML("first"), HTML("First"));
		put_step(html, list, number - 1, HTML("prev"), HTML("Newer"));
	}
	PUT(html, "<li aria-current=\"page\">Page % of %</li>",
	    N((int64_t)number), N((int64_t)pages));
	if (number < pages) {
		put_step(html, list, number + 1, HTML("next"), HTML("Older"));
		put_step(html, list, pages, HTML("last"), HTML("Last"));
	}
	RAW(html, "</ul></nav>\n");
}

static int write_list(
    struct site *site, const struct list *list, struct gs_err *err)
{
	size_t pages = list->n ? (list->n + PER_PAGE - 1) / PER_PAGE : 1;
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < pages; i++) {
		GS_CLEANUP(gs_freep) char *name = name_of(list->stem, i + 1);
		GS_CLEANUP(page_release)
		struct page page = {.name = name,
		    .title = list->title,
		    .about = list->about,
		    .section = SECTION_BROWSE,
		    .script = i == 0 ? list->script : NULL};
		size_t from = i * PER_PAGE, n = list->n - from;
		PUT(&page.body, "<h1>%</h1>\n", Z(list->title));
		if (i == 0 && list->head)
			html_append(&page.body, list->head);
		RAW(&page.body, "<div id=\"list\">\n");
		if (n > 0)
			page_records(&page.body, site->catalogue,
			    page_root(&page), list->entries + from,
			    n < PER_PAGE ? n : PER_PAGE);
		else
			RAW(&page.body,
			    "<p>This release holds no record.</p>\n");
		put_pager(&page.body, list, i + 1, pages);
		RAW(&page.body, "</div>\n");
		if (i == 0 && list->foot)
			html_append(&page.body, list->foot);
		rc = page_write(site, &page, err);
	}
	return rc;
}

static void put_groups(struct html *html, const struct groups *groups,
    struct markup folder, struct markup title)
{
	RAW(html, "<section><h2>");
	html_raw(html, title);
	RAW(html, "</h2><ul class=\"ids cols\">\n");
	for (size_t i = 0; i < groups->n; i++) {
		const struct group *group = &groups->v[i];
		RAW(html, "<li><a href=\"");
		html_raw(html, folder);
		PUT(html,
		    "/%.html\">%</a> <span class=\"times\">%</span></li>\n",
		    Z(group->slug), Z(group->name),
		    N((int64_t)group->entries.n));
	}
	RAW(html, "</ul></section>\n");
}

/* The form is only shown where the script that serves it runs. */
static void put_search(struct html *html)
{
	RAW(html,
	    "<noscript><p>Searching and filtering need JavaScript; all "
	    "records are listed here without it, and again by project and by "
	    "licence below.</p></noscript>\n"
	    "<form id=\"search\" role=\"search\" hidden>"
	    "<div class=\"bar-row\"><label for=\"q\" class=\"sr\">Search"
	    "</label><input id=\"q\" name=\"q\" type=\"search\" "
	    "autocomplete=\"off\" spellcheck=\"false\" "
	    "placeholder=\"Search subjects, units, modules, ids\">"
	    "<label class=\"sort\">Sort <select id=\"sort\" name=\"sort\">"
	    "<option value=\"new\">newest first</option>"
	    "<option value=\"old\">oldest first</option>"
	    "<option value=\"small\">smallest change</option>"
	    "<option value=\"large\">largest change</option>"
	    "<option value=\"tests\">most tests</option>"
	    "<option value=\"project\">project</option>"
	    "<option value=\"best\">best match</option></select></label>"
	    "<button type=\"reset\" id=\"reset\">Clear</button></div>"
	    "<details id=\"filters\"><summary>Filters</summary>"
	    "<div id=\"facets\"></div></details></form>\n"
	    "<p id=\"status\" role=\"status\" hidden></p>\n");
}

static int write_browse(struct site *site, struct gs_err *err)
{
	const struct catalogue *c = site->catalogue;
	GS_CLEANUP(html_release) struct html head = {0}, foot = {0};
	GS_CLEANUP(gs_freep)
	size_t *all = gs_alloc((c->entries.n + 1) * sizeof(*all));
	for (size_t i = 0; i < c->entries.n; i++)
		all[i] = i;
	bool is_empty = c->entries.n == 0;
	if (!is_empty) {
		put_search(&head);
		put_groups(
		    &foot, &c->projects, HTML("project"), HTML("By project"));
		put_groups(
		    &foot, &c->licences, HTML("licence"), HTML("By licence"));
	}
	const struct list list = {.stem = "browse",
	    .title = "Records",
	    .about = "All records: search, filter by project, kind, licence, "
	             "size and date.",
	    .script = is_empty ? NULL : "minisearch.js,records.js,browse.js",
	    .entries = all,
	    .n = c->entries.n,
	    .head = &head,
	    .foot = &foot};
	return write_list(site, &list, err);
}

/* The texts as they stood: to be read where the code is. */
static int put_texts(struct html *html, const struct catalogue *c,
    const struct group *group, struct gs_err *err)
{
	for (size_t i = 0; i < group->texts.n && i < 20; i++) {
		GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
		GS_CLEANUP(gs_freep)
		char *name = gs_format("licenses/%s", group->texts.v[i]);
		int rc = catalogue_text(c, name, &text, err);
		if (rc)
			return rc;
		PUT(html,
		    "<details><summary>Licence text %</summary>"
		    "<pre class=\"spec\" tabindex=\"0\" aria-label=\"Licence text\">",
		    Z(group->texts.v[i]));
		size_t n =
		    text.n < MAX_LICENCE_TEXT ? text.n : MAX_LICENCE_TEXT;
		html_lines(html, gs_str_sub(gs_buf_str(&text), 0, n));
		PUT(html,
		    "</pre><p><a href=\"../data/licenses/%\">The file</a></p>"
		    "</details>\n",
		    Z(group->texts.v[i]));
	}
	return 0;
}

static int write_group(struct site *site, const struct group *group,
    const char *folder, bool is_project, struct gs_err *err)
{
	const struct catalogue *c = site->catalogue;
	GS_CLEANUP(html_release) struct html head = {0}, foot = {0};
	GS_CLEANUP(gs_freep)
	char *stem = gs_format("%s/%s", folder, group->slug);
	RAW(&head, "<p class=\"lead\">");
	html_count(&head, (int64_t)group->entries.n, HTML("record"));
	if (is_project && *group->url) {
		RAW(&head, " from ");
		page_link(&head, Z(group->url), Z(group->url));
	}
	RAW(&head, "</p>\n");
	int rc = put_texts(&foot, c, group, err);
	const struct list list = {.stem = stem,
	    .title = group->name,
	    .about = is_project ? "The records of one project."
	                        : "The records under one licence.",
	    .entries = group->entries.v,
	    .n = group->entries.n,
	    .head = &head,
	    .foot = &foot};
	return rc ? rc : write_list(site, &list, err);
}

int lists_write(struct site *site, struct gs_err *err)
{
	const struct catalogue *c = site->catalogue;
	int rc = write_browse(site, err);
	for (size_t i = 0; rc == 0 && i < c->projects.n; i++)
		rc = write_group(site, &c->projects.v[i], "project", true, err);
	for (size_t i = 0; rc == 0 && i < c->licences.n; i++)
		rc =
		    write_group(site, &c->licences.v[i], "licence", false, err);
	return rc;
}

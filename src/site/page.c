/* SPDX-License-Identifier: Apache-2.0 */
#include "site/page.h"

#include <string.h>

#include "base/utf8.h"

/* No inline script or style exists, so none is allowed; nothing is loaded
 * from elsewhere. JSON-LD is data, which the policy does not concern. */
#define POLICY                                                                 \
	"default-src 'none'; style-src 'self'; script-src 'self'; "            \
	"img-src 'self'; connect-src 'self'; form-action 'none'; "             \
	"base-uri 'none'"

static const struct {
	enum section section;
	const char *name, *title;
} menu[] = {
    {SECTION_FRONT, "index.html", "Overview"},
    {SECTION_BROWSE, "browse.html", "Records"},
    {SECTION_STATISTICS, "statistics.html", "Statistics"},
    {SECTION_BOARD, "leaderboard.html", "Leaderboard"},
    {SECTION_VERIFIED, "verified.html", "Reproducibility"},
    {SECTION_QUERY, "query.html", "Query"},
    {SECTION_METHOD, "method.html", "Method"},
};

struct gs_str page_root(const struct page *page)
{
	return strchr(page->name, '/') ? GS_STR("../") : GS_STR("");
}

static bool is_shown(const struct site *site, enum section section)
{
	if (section == SECTION_BOARD)
		return site->has_board;
	if (section == SECTION_VERIFIED)
		return site->catalogue->verifications.n > 0;
	return true;
}

static void put_menu(
    struct html *html, const struct site *site, const struct page *page)
{
	struct gs_str root = page_root(page);
	PUT(html,
	    "<header class=\"top\"><div class=\"wide\">"
	    "<a class=\"brand\" href=\"%index.html\">"
	    "<span class=\"mark\" aria-hidden=\"true\"></span>%</a>"
	    "<nav aria-label=\"Main\"><ul>",
	    root, Z(site->catalogue->name));
	for (size_t i = 0; i < GS_COUNT(menu); i++) {
		if (!is_shown(site, menu[i].section))
			continue;
		PUT(html, "<li><a href=\"%%\"", root, Z(menu[i].name));
		if (menu[i].section == page->section)
			RAW(html, " aria-current=\"page\"");
		PUT(html, ">%</a></li>", Z(menu[i].title));
	}
	RAW(html, "</ul></nav><button type=\"button\" class=\"theme\" "
	          "id=\"theme\" hidden>Theme</button></div></header>");
}

static void put_scripts(
    struct html *html, struct gs_str root, const char *scripts)
{
	struct gs_str rest = gs_str(scripts), name;
	while (gs_str_cut(&rest, ',', &name))
		PUT(html, "<script defer src=\"%assets/%\"></script>\n", root,
		    name);
}

static void put_head(
    struct html *html, const struct site *site, const struct page *page)
{
	const struct catalogue *c = site->catalogue;
	struct gs_str root = page_root(page);
	RAW(html,
	    "<!doctype html>\n<html lang=\"en\">\n<head>\n"
	    "<meta charset=\"utf-8\">\n"
	    "<meta http-equiv=\"Content-Security-Policy\" content=\"" POLICY
	    "\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, "
	    "initial-scale=1\">\n"
	    "<meta name=\"color-scheme\" content=\"light dark\">\n"
	    "<meta name=\"referrer\" content=\"no-referrer\">\n");
	if (*page->title)
		PUT(html, "<title>% · %</title>\n", Z(page->title), Z(c->name));
	else
		PUT(html, "<title>%</title>\n", Z(c->name));
	PUT(html, "<meta name=\"description\" content=\"%\">\n",
	    Z(page->about));
	PUT(html,
	    "<link rel=\"stylesheet\" href=\"%assets/site.css\">\n"
	    "<link rel=\"icon\" href=\"%assets/icon.svg\" "
	    "type=\"image/svg+xml\">\n"
	    "<link rel=\"alternate\" type=\"application/atom+xml\" "
	    "title=\"New records\" href=\"%feed.atom\">\n"
	    "<script src=\"%assets/theme.js\"></script>\n",
	    root, root, root, root);
	put_scripts(html, root, "site.js");
	put_scripts(html, root, page->script ? page->script : "");
	if (c->options->url)
		PUT(html, "<link rel=\"canonical\" href=\"%/%\">\n",
		    Z(c->options->url), Z(page->name));
	html_append(html, &page->head);
	RAW(html, "</head>\n");
}

static void put_foot(
    struct html *html, const struct site *site, const struct page *page)
{
	const struct catalogue *c = site->catalogue;
	struct gs_str root = page_root(page);
	PUT(html, "</main>\n<footer><div class=\"wide\"><p>% %", Z(c->name),
	    Z(c->version));
	/* The date of a release is that of its newest proof. */
	if (c->entries.n > 0)
		PUT(html, ", %", Z(c->date));
	PUT(html,
	    ". Source texts stay under the licences of their projects; what "
	    "was added is CC BY 4.0.</p>"
	    "<ul class=\"plain\"><li><a href=\"%datasheet.html\">Datasheet"
	    "</a></li>"
	    "<li><a href=\"%changes.html\">Changes and withdrawals</a></li>"
	    "<li><a href=\"%attribution.html\">Attribution</a></li>"
	    "<li><a href=\"%index.json\">Index (JSON)</a></li>"
	    "<li><a href=\"%feed.atom\">Feed</a></li></ul></div></footer>\n"
	    "</body>\n</html>\n",
	    root, root, root, root, root);
}

int page_write(struct site *site, struct page *page, struct gs_err *err)
{
	GS_CLEANUP(html_release) struct html html = {0};
	put_head(&html, site, page);
	RAW(&html,
	    "<body>\n<a class=\"skip\" href=\"#main\">Skip to the text</a>\n");
	put_menu(&html, site, page);
	RAW(&html, "<main id=\"main\" tabindex=\"-1\" class=\"wide\">\n");
	html_append(&html, &page->body);
	put_foot(&html, site, page);
	if (html.buf.overflow || page->body.buf.overflow)
		return gs_fail(
		    err, GS_E_LIMIT, "the page %s grows too long", page->name);
	gs_strv_push(&site->pages, page->name);
	int rc = out_write(site->out, page->name, gs_buf_str(&html.buf), err);
	page_release(page);
	return rc;
}

void page_release(struct page *page)
{
	html_release(&page->body);
	html_release(&page->head);
}

static bool is_url(struct gs_str url)
{
	static const char allowed[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	    "-._~:/?#=&%+,@";
	if (!gs_str_starts(url, "https://"))
		return false;
	for (size_t i = 0; i < url.n; i++)
		if (!url.p[i] || !strchr(allowed, url.p[i]))
			return false;
	return true;
}

void page_link(struct html *html, struct gs_str text, struct gs_str url)
{
	if (is_url(url))
		PUT(html, "<a href=\"%\" rel=\"noreferrer\">%</a>", url, text);
	else
		html_text(html, text);
}

struct gs_str day_of(const char *instant)
{
	struct gs_str text = gs_str(instant);
	return gs_str_sub(text, 0, text.n < 10 ? text.n : 10);
}

void page_verdict(struct html *html, const struct verdict *verdict)
{
	if (!verdict)
		return;
	bool good = strcmp(verdict->verdict, "confirmed") == 0;
	bool bad = strcmp(verdict->verdict, "refuted") == 0;
	html_raw(html, good  ? HTML("<span class=\"badge good\">")
	               : bad ? HTML("<span class=\"badge bad\">")
	                     : HTML("<span class=\"badge\">"));
	PUT(html, "%</span>", Z(verdict->verdict));
}

void page_subject(struct html *html, struct gs_str text, size_t max)
{
	bool is_cut = text.n > max;
	if (is_cut)
		text.n = gs_utf8_prefix(gs_str_sub(text, 0, max));
	while (text.n > 0) {
		ptrdiff_t open = gs_str_find_char(text, '`');
		size_t n = 0, at = open < 0 ? text.n : (size_t)open;
		while (at + n < text.n && text.p[at + n] == '`')
			n++;
		struct gs_str mark = gs_str_sub(text, at, at + n);
		struct gs_str rest = gs_str_from(text, at + n);
		ptrdiff_t end = n > 0 ? gs_str_find(rest, mark) : -1;
		html_text(html, gs_str_sub(text, 0, end > 0 ? at : at + n));
		if (end > 0) {
			PUT(html, "<code>%</code>",
			    gs_str_sub(rest, 0, (size_t)end));
			rest = gs_str_from(rest, (size_t)end + n);
		}
		text = rest;
	}
	if (is_cut)
		RAW(html, "…");
}

void page_records(struct html *html, const struct catalogue *c,
    struct gs_str root, const size_t *entries, size_t n)
{
	RAW(html,
	    "<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
	    "aria-label=\"Records\"><table class=\"records\">"
	    "<thead><tr><th scope=\"col\">Fixed</th>"
	    "<th scope=\"col\">Record</th>"
	    "<th scope=\"col\">Project</th>"
	    "<th scope=\"col\">Granularity</th>"
	    "<th scope=\"col\" class=\"num\">Lines</th>"
	    "<th scope=\"col\" class=\"num\">Tests</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < n; i++) {
		const struct entry *e = &c->entries.v[entries[i]];
		const struct group *project = &c->projects.v[e->project];
		PUT(html,
		    "<tr><td class=\"date\">%</td>"
		    "<th scope=\"row\"><a href=\"%record/%.html\">",
		    day_of(e->committed_at), root, Z(e->id));
		page_subject(
		    html, *e->subject ? Z(e->subject) : Z(e->unit), 160);
		RAW(html, "</a><span class=\"unit\">");
		html_clipped(html, Z(e->unit), 120);
		PUT(html,
		    "</span></th><td><a href=\"%project/%.html\">%</a></td><td>%</td>"
		    "<td class=\"num\">%</td><td class=\"num\">%</td></tr>\n",
		    root, Z(project->slug), Z(e->repo),
		    e->is_file ? S("file") : S("function"), N(e->diff_lines),
		    N(e->n_tests));
	}
	RAW(html, "</tbody></table></div>\n");
}

void page_copy(struct html *html, struct gs_str label, struct gs_str text)
{
	PUT(html,
	    "<div class=\"copy\"><pre tabindex=\"0\" aria-label=\"%\"><code>"
	    "%</code></pre><button type=\"button\" hidden "
	    "data-copy>Copy</button></div>\n",
	    label, text);
}

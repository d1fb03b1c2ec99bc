/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "report.h"

/* One file, which loads nothing and runs nothing. */
static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
    "'none'; style-src 'unsafe-inline'\">\n"
    "<meta name=\"viewport\" content=\"width=device-width, "
    "initial-scale=1\">\n<title>Reproducibility</title>\n<style>\n"
    ":root { color-scheme: light dark; --back: #fff; --text: #1c1c1e; "
    "--dim: #5b5b60; --rule: #d9d9dc; --good: #0d6b33; --bad: #b0271d }\n"
    "@media (prefers-color-scheme: dark) {\n"
    ":root { --back: #151517; --text: #e7e7ea; --dim: #a5a5ab; "
    "--rule: #39393d; --good: #6ccf8b; --bad: #ff988d }\n}\n"
    "* { box-sizing: border-box }\n"
    "body { background: var(--back); color: var(--text); margin: 0 auto; "
    "max-width: 72rem; padding: 1.5rem 1rem 3rem; "
    "font: 1rem/1.5 system-ui, sans-serif }\n"
    "h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .5rem }\n"
    "h2 { font-size: 1.15rem; margin: 2.2rem 0 .4rem }\n"
    "p { color: var(--dim); max-width: 46rem; margin: .5rem 0; "
    "overflow-wrap: anywhere }\n"
    "dl { display: grid; gap: .8rem 1.5rem; margin: 1.4rem 0; "
    "grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)) }\n"
    "dl div { border-top: 2px solid var(--rule); padding-top: .4rem; "
    "display: flex; flex-direction: column-reverse }\n"
    "dt { color: var(--dim); font-size: .9rem }\n"
    "dd { margin: 0; font-size: 1.7rem; line-height: 1.2; "
    "font-variant-numeric: tabular-nums }\n"
    "table { border-collapse: collapse; width: 100%; font-size: .93rem }\n"
    "th, td { border-bottom: 1px solid var(--rule); padding: .4rem 1.2rem "
    ".4rem 0; text-align: left; vertical-align: top; font-weight: 400 }\n"
    "th:last-child, td:last-child { padding-right: 0 }\n"
    "thead th { color: var(--dim); font-size: .83rem }\n"
    "tbody th { white-space: nowrap }\n"
    "td { overflow-wrap: anywhere; min-width: 7rem }\n"
    "td:nth-child(2), td:nth-child(3) { min-width: 10rem }\n"
    "code { font: .87em ui-monospace, monospace; overflow-wrap: anywhere }\n"
    ".confirmed { color: var(--good) }\n.confirmed::before { content: "
    "\"\\2713  \" }\n"
    ".refuted { color: var(--bad) }\n.refuted::before { content: "
    "\"\\2717  \" }\n"
    "@media (max-width: 46rem) {\n"
    "table, tbody { display: block }\nthead { display: none }\n"
    "tr { display: flex; flex-wrap: wrap; gap: .1rem 1rem; "
    "border-bottom: 1px solid var(--rule); padding: .6rem 0 }\n"
    "th, td, td:nth-child(n) { border: 0; padding: 0; min-width: 0 }\n"
    "td.seen { flex: 1 0 100% }\n}\n"
    "</style>\n</head>\n<body>\n<main>\n<h1>Reproducibility</h1>\n";

static void today(char to[32])
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	time_t now = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
	struct tm tm;

	strftime(to, 32, "%Y-%m-%d", gmtime_r(&now, &tm));
}

/* How long what must not reach a reader as it is begins the text: controls
 * (C0, DEL, C1) and what turns the direction of a line (U+200E, U+200F, U+202A
 * to U+202E, U+2066 to U+2069). The text is UTF-8, for jansson read it. */
static size_t unseen(const char *text)
{
	const unsigned char *s = (const unsigned char *)text;

	if (*s < ' ' || *s == 0x7f)
		return 1;
	if (*s == 0xc2 && s[1] >= 0x80 && s[1] < 0xa0)
		return 2;
	if (*s != 0xe2)
		return 0;
	if (s[1] == 0x80 &&
	    (s[2] == 0x8e || s[2] == 0x8f || (s[2] >= 0xaa && s[2] <= 0xae)))
		return 3;
	return s[1] == 0x81 && s[2] >= 0xa6 && s[2] <= 0xa9 ? 3 : 0;
}

static void escape(const char *text, bool html, struct gv_buf *to)
{
	size_t n;

	for (; *text; text++) {
		if (html && *text == '<')
			gv_puts(to, "&lt;");
		else if (html && *text == '>')
			gv_puts(to, "&gt;");
		else if (html && *text == '&')
			gv_puts(to, "&amp;");
		else if (html && *text == '"')
			gv_puts(to, "&quot;");
		else if (!html && strchr("|\\`*_<[", *text))
			gv_putf(to, "\\%c", *text);
		else if ((n = unseen(text)) > 0) {
			gv_puts(to, " ");
			text += n - 1;
		} else
			gv_put(to, text, 1);
	}
}

static void add_claim(const json_t *claim, bool html, struct gv_buf *to)
{
	const json_t *value = json_object_get(claim, "published");
	char *published = gv_short_value(value);

	gv_puts(to, html ? "<code>" : "");
	escape(gv_get(claim, "claim"), html, to);
	gv_puts(to, html ? "</code>: " : ": ");
	escape(gv_get(claim, "saw"), html, to);
	if (*published) {
		gv_puts(to, "; published: ");
		escape(published, html, to);
	}
	free(published);
}

/* What was seen where a record was not confirmed. */
static void add_reason(const struct gv_result *r, bool html, struct gv_buf *to)
{
	size_t i, n = 0;
	json_t *claim;

	if (r->why)
		escape(r->why, html, to);
	json_array_foreach(r->claims, i, claim)
	{
		if (json_is_true(json_object_get(claim, "ok")))
			continue;
		gv_puts(to, n++ || r->why ? "; " : "");
		add_claim(claim, html, to);
	}
}

static void add_number(size_t n, const char *what, struct gv_buf *to)
{
	gv_putf(to, "<div><dt>%s</dt><dd>%zu</dd></div>\n", what, n);
}

static void add_head(const struct gv_summary *s, struct gv_buf *to)
{
	char date[32];

	today(date);
	gv_putf(to,
	    "%zu of %zu records were checked on %s: %zu confirmed, %zu refuted, "
	    "%zu unavailable, %zu could not be checked. Checked with "
	    "goldset-verify %s, Python %s, pytest %s; %s.",
	    s->n, json_array_size(s->release->rows), date,
	    s->counts[GV_CONFIRMED], s->counts[GV_REFUTED],
	    s->counts[GV_UNAVAILABLE], s->counts[GV_INFRA], GV_VERSION,
	    s->python->program ? s->python->version : "none",
	    s->python->program ? s->python->pytest : "none", s->sample);
}

static void add_row(
    const struct gv_result *r, bool is_confirmed, struct gv_buf *to)
{
	gv_puts(to, "<tr><th scope=\"row\"><code>");
	escape(gv_get(r->row, "id"), true, to);
	gv_puts(to, "</code></th><td>");
	escape(gv_get(r->row, "repo"), true, to);
	gv_puts(to, "</td><td><code>");
	escape(gv_get(r->row, "unit"), true, to);
	gv_putf(to, "</code></td><td class=\"%s\">%s</td>",
	    gv_verdict_name(r->verdict), gv_verdict_name(r->verdict));
	if (!is_confirmed) {
		gv_puts(to, "<td class=\"seen\">");
		add_reason(r, true, to);
		gv_puts(to, "</td>");
	}
	gv_puts(to, "</tr>\n");
}

static void add_table(
    const struct gv_summary *s, bool is_confirmed, struct gv_buf *to)
{
	static const enum gv_verdict order[] = {
	    GV_REFUTED, GV_UNAVAILABLE, GV_INFRA};

	size_t good = s->counts[GV_CONFIRMED], i, k;

	gv_puts(to,
	    is_confirmed ? "<h2>Confirmed</h2>\n" : "<h2>Not confirmed</h2>\n");
	if ((is_confirmed ? good : s->n - good) == 0) {
		gv_puts(to, "<p>None.</p>\n");
		return;
	}
	gv_puts(to, "<table>\n<thead><tr><th scope=\"col\">Record</th><th "
	            "scope=\"col\">Project</th><th scope=\"col\">Unit</th><th "
	            "scope=\"col\">Verdict</th>");
	gv_puts(to, is_confirmed ? "" : "<th scope=\"col\">What was seen</th>");
	gv_puts(to, "</tr></thead>\n<tbody>\n");
	for (i = 0; is_confirmed && i < s->n; i++)
		if (s->results[i].verdict == GV_CONFIRMED)
			add_row(&s->results[i], true, to);
	for (k = 0; !is_confirmed && k < GV_COUNT(order); k++)
		for (i = 0; i < s->n; i++)
			if (s->results[i].verdict == order[k])
				add_row(&s->results[i], false, to);
	gv_puts(to, "</tbody>\n</table>\n");
}

void gv_write_html(const struct gv_summary *s, const char *path)
{
	struct gv_buf page = {0};

	gv_puts(&page, head);
	gv_puts(&page, "<p>");
	add_head(s, &page);
	gv_puts(&page, "</p>\n");
	if (!s->release->folder)
		gv_puts(&page, "<p>Only a table was given: checksums, card and "
		               "licence texts were not checked.</p>\n");
	gv_puts(&page, "<dl>\n");
	add_number(s->counts[GV_CONFIRMED], "confirmed", &page);
	add_number(s->counts[GV_REFUTED], "refuted", &page);
	add_number(s->counts[GV_UNAVAILABLE], "unavailable", &page);
	add_number(s->counts[GV_INFRA], "could not be checked", &page);
	gv_puts(&page, "</dl>\n");
	add_table(s, false, &page);
	add_table(s, true, &page);
	gv_puts(&page, "</main>\n</body>\n</html>\n");
	gv_write(path, page.s, page.n, 0644);
	gv_drop(&page);
}

void gv_write_markdown(const struct gv_summary *s, const char *path)
{
	struct gv_buf page = {0};

	gv_puts(&page, "# Reproducibility\n\n");
	add_head(s, &page);
	gv_puts(&page, "\n\n");
	gv_puts(&page, "| record | project | unit | verdict | what was seen |\n"
	               "|---|---|---|---|---|\n");
	for (size_t i = 0; i < s->n; i++) {
		const struct gv_result *r = &s->results[i];

		gv_putf(&page, "| %s | ", gv_get(r->row, "id"));
		escape(gv_get(r->row, "repo"), false, &page);
		gv_puts(&page, " | ");
		escape(gv_get(r->row, "unit"), false, &page);
		gv_putf(&page, " | %s | ", gv_verdict_name(r->verdict));
		add_reason(r, false, &page);
		gv_puts(&page, " |\n");
	}
	gv_write(path, page.s, page.n, 0644);
	gv_drop(&page);
}

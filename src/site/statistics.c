/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "os/file.h"
#include "site/chart.h"
#include "site/pages.h"

#define MAX_MONTHS 36
#define MAX_PROJECTS 20

struct bars {
	struct bar *v;
	size_t n, cap;
	struct gs_arena arena;
};

static struct bar *add(struct bars *bars, const char *label, int64_t value)
{
	struct bar *bar = GS_VEC_ADD(bars);
	*bar = (struct bar){.label = gs_arena_cstr(&bars->arena, gs_str(label)),
	    .value = value};
	return bar;
}

static void release_bars(struct bars *bars)
{
	GS_VEC_FREE(bars);
	gs_arena_release(&bars->arena);
}

/* Months since year 0, or -1 where the date is none. */
static int month_of(const char *date)
{
	int year, month;
	/* NOLINTNEXTLINE(cert-err34-c): the form is checked by its length */
	if (strlen(date) < 7 || sscanf(date, "%4d-%2d", &year, &month) != 2 ||
	    month < 1 || month > 12)
		return -1;
	return 12 * year + month - 1;
}

static void put_dates(struct html *html, const struct catalogue *c)
{
	GS_CLEANUP(release_bars) struct bars bars = {0};
	if (c->entries.n == 0)
		return;
	int first = month_of(c->entries.v[c->entries.n - 1].committed_at);
	int last = month_of(c->entries.v[0].committed_at);
	if (first < 0 || last < first)
		return;
	int step = last - first < MAX_MONTHS ? 1 : 12;
	size_t next = c->entries.n;
	for (int at = first - first % step; at <= last; at += step) {
		int64_t n = 0;
		for (; next > 0; next--, n++)
			if (month_of(c->entries.v[next - 1].committed_at) >=
			    at + step)
				break;
		GS_CLEANUP(gs_freep)
		char *label = step == 1
		                  ? gs_format("%04d-%02d", at / 12, at % 12 + 1)
		                  : gs_format("%04d", at / 12);
		add(&bars, label, n);
	}
	const struct chart chart = {.title = "When the bugs were fixed",
	    .what = step == 1 ? "Month" : "Year",
	    .counts = "Records",
	    .bars = bars.v,
	    .n = bars.n};
	chart_columns(html, &chart);
}

/* Classes that double: 1, 2, 3–4, 5–8, … */
static void put_sizes(struct html *html, const struct catalogue *c,
    const char *title, const char *what, bool of_tests)
{
	GS_CLEANUP(release_bars) struct bars bars = {0};
	int64_t counts[64] = {0};
	size_t classes = 0;
	for (size_t i = 0; i < c->entries.n; i++) {
		int64_t value = of_tests ? c->entries.v[i].n_tests
		                         : c->entries.v[i].diff_lines;
		size_t class = 0;
		while (class < 40 && ((int64_t)1 << class) < value)
			class ++;
		counts[class]++;
		if (class + 1 > classes)
			classes = class + 1;
	}
	for (size_t i = 0; i < classes; i++) {
		int64_t low =
		    i < 2 ? (int64_t)i + 1 : ((int64_t)1 << (i - 1)) + 1;
		int64_t high = (int64_t)1 << i;
		char label[64];
		if (low == high)
			(void)snprintf(
			    label, sizeof(label), "%lld", (long long)low);
		else
			(void)snprintf(label, sizeof(label), "%lld–%lld",
			    (long long)low, (long long)high);
		add(&bars, label, counts[i]);
	}
	const struct chart chart = {.title = title,
	    .what = what,
	    .counts = "Records",
	    .bars = bars.v,
	    .n = bars.n};
	if (bars.n > 0)
		chart_columns(html, &chart);
}

static int most_first(const void *a, const void *b)
{
	const struct bar *x = a, *y = b;
	if (x->value != y->value)
		return x->value < y->value ? 1 : -1;
	return strcmp(x->label, y->label);
}

static void put_groups(struct html *html, const struct groups *groups,
    const char *folder, const char *title, const char *what)
{
	GS_CLEANUP(release_bars) struct bars bars = {0};
	int64_t all = 0;
	for (size_t i = 0; i < groups->n; i++) {
		const struct group *group = &groups->v[i];
		all += (int64_t)group->entries.n;
		struct bar *bar =
		    add(&bars, group->name, (int64_t)group->entries.n);
		GS_CLEANUP(gs_freep)
		char *link = gs_format("%s/%s.html", folder, group->slug);
		bar->link = gs_arena_cstr(&bars.arena, gs_str(link));
	}
	GS_VEC_SORT(&bars, most_first);
	const struct chart chart = {.title = title,
	    .what = what,
	    .counts = "Records",
	    .bars = bars.v,
	    .n = bars.n < MAX_PROJECTS ? bars.n : MAX_PROJECTS,
	    .total = all};
	if (bars.n > 0)
		chart_rows(html, &chart);
	if (bars.n > MAX_PROJECTS)
		PUT(html,
		    "<p>And % more: <a href=\"browse.html\">all records</a>."
		    "</p>\n",
		    N((int64_t)(bars.n - MAX_PROJECTS)));
}

static void put_reasons(struct html *html, const json_t *reasons)
{
	GS_CLEANUP(release_bars) struct bars bars = {0};
	const char *name;
	json_t *value;
	int64_t all = 0;
	json_object_foreach((json_t *)(uintptr_t)reasons, name, value)
	{
		if (json_integer_value(value) > 0)
			add(&bars, name, json_integer_value(value));
		all += json_integer_value(value);
	}
	GS_VEC_SORT(&bars, most_first);
	const struct chart chart = {.title = "Why commits were refused",
	    .what = "Reason",
	    .counts = "Commits",
	    .bars = bars.v,
	    .n = bars.n < MAX_PROJECTS ? bars.n : MAX_PROJECTS,
	    .total = all};
	if (bars.n > 0)
		chart_rows(html, &chart);
}

static int check_status(
    const json_t *status, const char *path, struct gs_err *err)
{
	static const char *const counts[] = {
	    "commits", "candidates", "pending", "records"};
	json_t *reasons = json_object_get(status, "reasons");
	const char *wrong = json_is_object(reasons) ? NULL : "reasons";
	const char *reason;
	json_t *n;
	for (size_t i = 0; i < GS_COUNT(counts); i++) {
		const json_t *count = json_object_get(status, counts[i]);
		if (!json_is_integer(count) || json_integer_value(count) < 0)
			wrong = counts[i];
	}
	json_object_foreach(reasons, reason,
	    n) if (!json_is_integer(n) || json_integer_value(n) < 0) wrong =
	    "reasons";
	if (!wrong)
		return 0;
	return gs_fail(err, GS_E_CORRUPT,
	    "%s is not what goldset status --json prints: \"%s\" is missing, or "
	    "counts nothing",
	    path, wrong);
}

/* From `goldset status --json`, which is no part of a release: what was
 * walked may tell of what is withheld (P4). */
static int put_funnel(
    struct html *html, const struct catalogue *c, struct gs_err *err)
{
	const char *path = c->options->status;
	if (!path)
		return 0;
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	int rc = gs_file_read(path, (size_t)64 << 20, &text, err);
	if (rc)
		return rc;
	GS_CLEANUP(gs_json_free)
	json_t *status = gs_json_parse(gs_buf_str(&text), path, err);
	if (!status)
		return err ? err->code : GS_E_CORRUPT;
	rc = check_status(status, path, err);
	if (rc)
		return rc;
	int64_t candidates = gs_json_get_int(status, "candidates", 0);
	const struct bar bars[] = {
	    {"commits walked", gs_json_get_int(status, "commits", 0), NULL},
	    {"candidates", candidates, NULL},
	    {"tried so far", candidates - gs_json_get_int(status, "pending", 0),
	        NULL},
	    {"reproduced, distinct", gs_json_get_int(status, "records", 0),
	        NULL},
	    {"in this release", (int64_t)c->entries.n, NULL},
	};
	const struct chart chart = {.title = "From commits to records",
	    .what = "Stage",
	    .counts = "Count",
	    .bars = bars,
	    .n = GS_COUNT(bars),
	    .total = bars[0].value};
	chart_funnel(html, &chart);
	put_reasons(html, json_object_get(status, "reasons"));
	return 0;
}

int statistics_write(struct site *site, struct gs_err *err)
{
	const struct catalogue *c = site->catalogue;
	GS_CLEANUP(page_release)
	struct page page = {.name = "statistics.html",
	    .title = "Statistics",
	    .about = "The records by date, size, tests, project and licence.",
	    .section = SECTION_STATISTICS};
	struct html *html = &page.body;
	RAW(html, "<h1>Statistics</h1>\n<p class=\"lead\">");
	html_raw(html, c->entries.n > 0
	                   ? HTML("Counted in the published file; each "
	                          "picture has its numbers beside it.")
	                   : HTML("This release holds no record to count."));
	RAW(html, "</p>\n");
	int rc = put_funnel(html, c, err);
	if (rc)
		return rc;
	put_dates(html, c);
	put_sizes(html, c, "How large the change is", "Changed lines", false);
	put_sizes(html, c, "How many tests flip", "Tests", true);
	put_groups(
	    html, &c->projects, "project", "Where they come from", "Project");
	put_groups(
	    html, &c->licences, "licence", "Under which licence", "Licence");
	return page_write(site, &page, err);
}

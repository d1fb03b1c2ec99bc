/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "site/pages.h"
#include "site/score.h"

#define MAX_YEARS 6
#define MAX_LISTED 500

static void release_board(struct reports *board)
{
	for (size_t i = 0; i < board->n; i++)
		report_release(&board->v[i]);
	GS_VEC_FREE(board);
}

static int best_first(const void *a, const void *b)
{
	const struct report *x = a, *y = b;
	if (x->rate < y->rate || x->rate > y->rate)
		return x->rate < y->rate ? 1 : -1;
	return strcmp(x->name, y->name);
}

static int read_board(
    const struct catalogue *c, struct reports *board, struct gs_err *err)
{
	const struct gs_strv *files = c->options->reports;
	int rc = 0;
	for (size_t i = 0; rc == 0 && files && i < files->n; i++)
		rc = reports_read(c, files->v[i], board, err);
	if (rc == 0)
		GS_VEC_SORT(board, best_first);
	return rc;
}

/* With a minus that is one. */
static void put_points(struct html *html, double share)
{
	struct number number = number_plain(100 * share, 1);
	bool is_less = number.text[0] == '-';
	if (is_less)
		RAW(html, "−");
	html_text(html, Z(number.text + is_less));
}

static void put_interval(struct html *html, const struct interval *interval)
{
	put_points(html, interval->low);
	RAW(html, " to ");
	put_points(html, interval->high);
}

/* The interval as a picture: a line with a dot where the rate is. */
static void put_whisker(struct html *html, const struct report *r)
{
	PUT(html,
	    "<svg class=\"whisker\" viewBox=\"0 0 200 16\" aria-hidden=\"true\">"
	    "<path class=\"axis\" d=\"M0 8H200\"/><path class=\"range\" "
	    "d=\"M% 8H%\"/><circle class=\"dot\" cx=\"%\" cy=\"8\" r=\"4\"/>"
	    "</svg>",
	    Z(number_plain(200 * r->wilson.low, 1).text),
	    Z(number_plain(200 * r->wilson.high, 1).text),
	    Z(number_plain(200 * r->rate, 1).text));
}

static void put_window(struct html *html, const struct report *r)
{
	if (*r->from || *r->to)
		PUT(html, "% to %", *r->from ? day_of(r->from) : S("the first"),
		    *r->to ? day_of(r->to) : S("the last"));
	else
		RAW(html, "all");
}

static void put_ranking(struct html *html, const struct reports *board)
{
	RAW(html, "<p class=\"lead\">Resolved of all records of the window, "
	          "attempted or not.</p>\n"
	          "<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
	          "aria-label=\"Leaderboard\"><table class=\"board\">"
	          "<thead><tr><th scope=\"col\">Entry</th>"
	          "<th scope=\"col\" class=\"num\">Resolved</th>"
	          "<th scope=\"col\" class=\"num\">95 &#37; (Wilson)</th>"
	          "<th scope=\"col\">0 to 100 &#37;</th>"
	          "<th scope=\"col\" class=\"num\">95 &#37; (by project)</th>"
	          "<th scope=\"col\" class=\"num\">Records</th>"
	          "<th scope=\"col\" class=\"num\">Attempted</th>"
	          "<th scope=\"col\" class=\"num\">Of attempted</th>"
	          "<th scope=\"col\">Window</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < board->n; i++) {
		const struct report *r = &board->v[i];
		RAW(html, "<tr><th scope=\"row\">");
		html_clipped(html, Z(r->name), 200);
		PUT(html,
		    "</th><td class=\"num\" data-is=\"Resolved\"><strong>%"
		    "</strong></td><td class=\"num\" data-is=\"95 &#37; "
		    "(Wilson)\">",
		    Z(number_share(r->rate, 1).text));
		put_interval(html, &r->wilson);
		RAW(html, "</td><td data-is=\"0 to 100 &#37;\">");
		put_whisker(html, r);
		RAW(html, "</td><td class=\"num\" data-is=\"95 &#37; (by "
		          "project)\">");
		if (r->has_bootstrap)
			put_interval(html, &r->bootstrap);
		else
			RAW(html, "–");
		PUT(html,
		    "</td><td class=\"num\" data-is=\"Records\">%</td>"
		    "<td class=\"num\" data-is=\"Attempted\">%</td>"
		    "<td class=\"num\" data-is=\"Of attempted\">%</td>"
		    "<td data-is=\"Window\">",
		    N(r->total), N(r->attempted),
		    Z(number_share(r->rate_attempted, 1).text));
		put_window(html, r);
		RAW(html, "</td></tr>\n");
	}
	RAW(html, "</tbody></table></div>\n");
}

/* How an entry does on fixes from a year on: what a model cannot have seen
 * is what came after it was trained. */
static void put_since(struct html *html, const struct catalogue *c,
    const struct report *r, int year)
{
	int64_t n = 0, good = 0;
	for (size_t i = 0; i < c->entries.n; i++) {
		if (!r->results[i] ||
		    strtol(c->entries.v[i].committed_at, NULL, 10) < year)
			continue;
		n++;
		good += r->results[i] == 2;
	}
	GS_CLEANUP(gs_freep) char *text = gs_format("%d", year);
	PUT(html, "<td class=\"num\" data-is=\"Since %\">", Z(text));
	if (n == 0) {
		RAW(html, "none</td>");
		return;
	}
	struct interval interval = wilson(good, n);
	PUT(html, "% <span class=\"times\">",
	    Z(number_share((double)good / (double)n, 1).text));
	put_interval(html, &interval);
	PUT(html, ", of %</span></td>", N(n));
}

static void put_windows(
    struct html *html, const struct catalogue *c, const struct reports *board)
{
	if (c->entries.n == 0)
		return;
	int last = (int)strtol(c->entries.v[0].committed_at, NULL, 10);
	int first =
	    (int)strtol(c->entries.v[c->entries.n - 1].committed_at, NULL, 10);
	if (first < last - MAX_YEARS + 1)
		first = last - MAX_YEARS + 1;
	RAW(html,
	    "<h2>By date of the fix</h2><p>Resolved of those attempted, among "
	    "fixes committed since the year began: take the column that "
	    "starts after a model’s training data ends.</p>"
	    "<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
	    "aria-label=\"By date\"><table class=\"windows\"><thead><tr>"
	    "<th scope=\"col\">Entry</th>");
	for (int year = last; year >= first; year--) {
		GS_CLEANUP(gs_freep) char *text = gs_format("%d", year);
		PUT(html, "<th scope=\"col\" class=\"num\">Since %</th>",
		    Z(text));
	}
	RAW(html, "</tr></thead><tbody>\n");
	for (size_t i = 0; i < board->n; i++) {
		RAW(html, "<tr><th scope=\"row\">");
		html_clipped(html, Z(board->v[i].name), 200);
		RAW(html, "</th>");
		for (int year = last; year >= first; year--)
			put_since(html, c, &board->v[i], year);
		RAW(html, "</tr>\n");
	}
	RAW(html, "</tbody></table></div>\n");
}

static void put_difference(struct html *html, const struct pair *pair)
{
	RAW(html, "<span class=\"keep\">");
	if (pair->difference > 0)
		RAW(html, "+");
	put_points(html, pair->difference);
	RAW(html, " points</span> (");
	put_interval(html, &pair->interval);
	if (pair->p < 0.001)
		RAW(html, "), <span class=\"keep\">p &lt; 0.001</span>");
	else
		PUT(html, "), <span class=\"keep\">p = %</span>",
		    Z(number_plain(pair->p, 3).text));
}

static void put_listed(struct html *html, const struct catalogue *c,
    const struct report *good, const struct report *bad)
{
	size_t ids[MAX_LISTED], n = 0;
	for (size_t i = 0; i < c->entries.n && n < MAX_LISTED; i++)
		if (good->results[i] == 2 && bad->results[i] == 1)
			ids[n++] = i;
	PUT(html, "<h2>Only % resolved</h2>\n", Z(good->name));
	if (n == 0)
		RAW(html, "<p>None.</p>\n");
	else
		page_records(html, c, S("../"), ids, n);
}

static void put_square(struct html *html, const struct report *a,
    const struct report *b, const struct pair *pair)
{
	PUT(html,
	    "<table class=\"small loose\"><caption>Records that both attempted"
	    "</caption><thead><tr><td></td><th scope=\"col\" class=\"num\">% "
	    "resolved</th><th scope=\"col\" class=\"num\">did not</th></tr>"
	    "</thead><tbody><tr><th scope=\"row\">% resolved</th>"
	    "<td class=\"num\">%</td><td class=\"num\">%</td></tr>",
	    Z(b->name), Z(a->name), N(pair->both), N(pair->only_a));
	PUT(html,
	    "<tr><th scope=\"row\">did not</th><td class=\"num\">%</td>"
	    "<td class=\"num\">%</td></tr></tbody></table>\n",
	    N(pair->only_b), N(pair->neither));
}

static int write_pair(struct site *site, const struct report *a,
    const struct report *b, const char *name, struct gs_err *err)
{
	const struct catalogue *c = site->catalogue;
	struct pair pair = pair_of(a, b, c->entries.n);
	GS_CLEANUP(gs_freep)
	char *title = gs_format("%.80s and %.80s", a->name, b->name);
	GS_CLEANUP(page_release)
	struct page page = {.name = name,
	    .title = title,
	    .about = "Two entries, compared record by record.",
	    .section = SECTION_BOARD};
	struct html *html = &page.body;
	RAW(html, "<h1>");
	html_clipped(html, Z(a->name), 200);
	RAW(html, " and ");
	html_clipped(html, Z(b->name), 200);
	RAW(html, "</h1>\n<p class=\"lead\">Difference: ");
	put_difference(html, &pair);
	RAW(html, " (McNemar, exact).</p>\n");
	put_square(html, a, b, &pair);
	put_listed(html, c, a, b);
	put_listed(html, c, b, a);
	return page_write(site, &page, err);
}

static int put_pairs(struct site *site, struct html *html,
    const struct reports *board, struct gs_err *err)
{
	int rc = 0;
	if (board->n < 2)
		return 0;
	RAW(html,
	    "<h2>Each two compared</h2><p>On the records that both attempted, "
	    "pair by pair, so that the difficulty of a record weighs on both. "
	    "Intervals are Newcombe’s for pairs, tests McNemar’s, exact.</p>"
	    "<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
	    "aria-label=\"Pairs\"><table class=\"board\"><thead><tr><th scope=\"col\">Pair"
	    "</th><th scope=\"col\" class=\"num\">Only the first</th>"
	    "<th scope=\"col\" class=\"num\">Only the second</th>"
	    "<th scope=\"col\">Difference</th></tr></thead><tbody>\n");
	for (size_t i = 0; i < board->n; i++)
		for (size_t k = i + 1; rc == 0 && k < board->n; k++) {
			const struct report *a = &board->v[i];
			const struct report *b = &board->v[k];
			struct pair pair =
			    pair_of(a, b, site->catalogue->entries.n);
			GS_CLEANUP(gs_freep)
			char *name =
			    gs_format("compare/%zu-%zu.html", i + 1, k + 1);
			PUT(html,
			    "<tr><th scope=\"row\"><a href=\"%\">% and %</a>"
			    "</th><td class=\"num\" data-is=\"Only the "
			    "first\">%</td><td class=\"num\" data-is=\"Only "
			    "the second\">%</td><td data-is=\"Difference\">",
			    Z(name), Z(a->name), Z(b->name), N(pair.only_a),
			    N(pair.only_b));
			put_difference(html, &pair);
			RAW(html, "</td></tr>\n");
			rc = write_pair(site, a, b, name, err);
		}
	RAW(html, "</tbody></table></div>\n");
	return rc;
}

/* Results of another release's records: counted in the rate, on no page. */
static void put_strangers(struct html *html, const struct reports *board)
{
	for (size_t i = 0; i < board->n; i++) {
		const struct report *r = &board->v[i];
		if (r->unknown == 0)
			continue;
		RAW(html, "<p class=\"notice\"><strong>");
		html_clipped(html, Z(r->name), 200);
		RAW(html, "</strong> was scored on another release: ");
		html_count(html, r->unknown, HTML("result"));
		RAW(html, " of records that this one does not hold are left "
		          "out of everything below the first table.</p>\n");
	}
}

int board_write(struct site *site, struct gs_err *err)
{
	GS_CLEANUP(release_board) struct reports board = {0};
	int rc = read_board(site->catalogue, &board, err);
	if (rc || board.n == 0)
		return rc;
	GS_CLEANUP(page_release)
	struct page page = {.name = "leaderboard.html",
	    .title = "Leaderboard",
	    .about = "Scores with their intervals, by date of the fix, and "
	             "each two entries compared.",
	    .section = SECTION_BOARD};
	struct html *html = &page.body;
	RAW(html, "<h1>Leaderboard</h1>\n");
	put_ranking(html, &board);
	RAW(html,
	    "<p>Wilson’s interval takes records as independent; those of one "
	    "project are not, so the bootstrap by project stands beside it. "
	    "Records that the machine could not judge count as not resolved."
	    "</p>\n");
	put_strangers(html, &board);
	put_windows(html, site->catalogue, &board);
	rc = put_pairs(site, html, &board, err);
	return rc ? rc : page_write(site, &page, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *gv_verdict_name(enum gv_verdict verdict)
{
	static const char *const names[] = {
	    "confirmed", "refuted", "unavailable", "infra"};

	return names[verdict];
}

/* Published values in a sentence, short and on one line. */
static char *short_value(const json_t *value)
{
	char *text =
	    value ? json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;

	if (text && strlen(text) > 160)
		memcpy(text + 157, "...", sizeof("..."));
	return text ? text : gv_dup("");
}

void gv_print_result(const struct gv_result *r, size_t number, size_t of)
{
	size_t i;
	json_t *claim;

	printf("[%zu/%zu] %-11s %s  %s  %s  (%lld.%lld s)\n", number, of,
	    gv_verdict_name(r->verdict), gv_get(r->row, "id"),
	    gv_get(r->row, "repo"), gv_get(r->row, "unit"),
	    (long long)(r->ms / 1000), (long long)(r->ms % 1000 / 100));
	if (r->why)
		printf("    %s\n", r->why);
	json_array_foreach(r->claims, i, claim)
	{
		char *published =
		    short_value(json_object_get(claim, "published"));

		if (json_is_false(json_object_get(claim, "ok")))
			printf("    %s: seen: %s%s%s\n", gv_get(claim, "claim"),
			    gv_get(claim, "saw"),
			    *published ? "; published: " : "", published);
		free(published);
	}
	fflush(stdout);
}

void gv_print_json(const struct gv_result *r)
{
	json_t *line = json_pack("{s:s,s:s,s:O}", "id", gv_get(r->row, "id"),
	    "verdict", gv_verdict_name(r->verdict), "claims", r->claims);
	char *text;

	if (r->why)
		json_object_set_new(line, "why", json_string(r->why));
	text = json_dumps(line, JSON_COMPACT);
	puts(text);
	fflush(stdout);
	free(text);
	json_decref(line);
}

void gv_print_summary(const struct gv_summary *s, bool json)
{
	FILE *people = json ? stderr : stdout;

	if (json)
		printf("{\"summary\":{\"confirmed\":%zu,\"refuted\":%zu,"
		       "\"unavailable\":%zu,\"infra\":%zu}}\n",
		    s->counts[GV_CONFIRMED], s->counts[GV_REFUTED],
		    s->counts[GV_UNAVAILABLE], s->counts[GV_INFRA]);
	fprintf(people,
	    "%zu of %zu records checked (%s): %zu confirmed, %zu refuted, "
	    "%zu unavailable, %zu could not be checked\n",
	    s->n, json_array_size(s->release->rows), s->sample,
	    s->counts[GV_CONFIRMED], s->counts[GV_REFUTED],
	    s->counts[GV_UNAVAILABLE], s->counts[GV_INFRA]);
	if (!s->n && s->release->checksums)
		fprintf(people, "checksums: %s\n", s->release->checksums);
	if (!s->n && s->release->card)
		fprintf(people, "card: %s\n", s->release->card);
	if (!s->release->folder)
		fprintf(people, "only a table was given: checksums, card and "
		                "licence texts were not checked\n");
	fflush(people);
}

static void today(char to[32])
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	time_t now = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
	struct tm tm;

	strftime(to, 32, "%Y-%m-%d", gmtime_r(&now, &tm));
}

static void escape(const char *text, bool html, struct gv_buf *to)
{
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
		else if ((unsigned char)*text < ' ')
			gv_puts(to, " ");
		else
			gv_put(to, text, 1);
	}
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
		escape(gv_get(claim, "claim"), html, to);
		gv_puts(to, ": ");
		escape(gv_get(claim, "saw"), html, to);
	}
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

void gv_write_html(const struct gv_summary *s, const char *path)
{
	struct gv_buf page = {0};

	gv_puts(&page,
	    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	    "<meta name=\"viewport\" content=\"width=device-width, "
	    "initial-scale=1\">\n<title>Reproducibility</title>\n<style>\n"
	    "body { font: 1rem/1.5 sans-serif; margin: 1rem auto; max-width: "
	    "70rem; padding: 0 1rem }\n"
	    "div { overflow-x: auto }\ntable { border-collapse: collapse }\n"
	    "th, td { border: 1px solid #767676; padding: .25rem .5rem; "
	    "text-align: left; vertical-align: top }\n"
	    ":root { color-scheme: light dark }\n</style>\n</head>\n<body>\n"
	    "<main>\n<h1>Reproducibility</h1>\n");
	gv_puts(&page, "<p>");
	add_head(s, &page);
	gv_puts(&page, "</p>\n");
	gv_puts(&page,
	    "<div tabindex=\"0\" role=\"region\" aria-label=\"Records\">\n"
	    "<table>\n<caption>Verdicts</caption>\n<tr><th "
	    "scope=\"col\">record</th><th scope=\"col\">project</th><th "
	    "scope=\"col\">unit</th><th scope=\"col\">verdict</th><th "
	    "scope=\"col\">what was seen</th></tr>\n");
	for (size_t i = 0; i < s->n; i++) {
		const struct gv_result *r = &s->results[i];

		gv_puts(&page, "<tr><th scope=\"row\">");
		escape(gv_get(r->row, "id"), true, &page);
		gv_puts(&page, "</th><td>");
		escape(gv_get(r->row, "repo"), true, &page);
		gv_puts(&page, "</td><td>");
		escape(gv_get(r->row, "unit"), true, &page);
		gv_putf(
		    &page, "</td><td>%s</td><td>", gv_verdict_name(r->verdict));
		add_reason(r, true, &page);
		gv_puts(&page, "</td></tr>\n");
	}
	gv_puts(&page, "</table>\n</div>\n</main>\n</body>\n</html>\n");
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

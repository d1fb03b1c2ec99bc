/* SPDX-License-Identifier: Apache-2.0 */
#include "site/proof.h"

#include <string.h>

#include "base/utf8.h"

/* Longer lists are cut; the release has them whole. */
#define MAX_IDS 300
#define MAX_ID 400
#define MAX_RUNS 200

/* The evidence is a file that may come from anywhere: what does not parse
 * shows nothing. */
static json_t *parse(const char *text)
{
	struct gs_err err;
	return gs_json_parse(gs_str(text), "evidence", &err);
}

/* O4 in words. */
static struct gs_str in_words(struct gs_str outcome)
{
	static const char *const words[][2] = {
	    {"assertion", "assertion failed"},
	    {"exception", "raised an exception"},
	    {"missing_name", "a name did not exist"},
	    {"setup", "setup failed"},
	    {"teardown", "teardown failed"},
	    {"collection", "could not be collected"},
	    {"timeout", "did not end"},
	    {"crash", "the process died"},
	};
	for (size_t i = 0; i < GS_COUNT(words); i++)
		if (gs_str_is(outcome, words[i][0]))
			return gs_str(words[i][1]);
	return outcome;
}

/* What one test did in all observations of a state. */
struct tally {
	struct gs_str outcome; /* the last one seen */
	int64_t n;
	bool agrees;
	struct gs_str said; /* where the evidence keeps its words */
};

static bool is_proof(const json_t *run, bool before)
{
	const char *state = gs_json_get_cstr(run, "state");
	const char *attempt = gs_json_get_cstr(run, "attempt");
	if (!state || !attempt || strcmp(attempt, "reduce") == 0 ||
	    strcmp(attempt, "cheat") == 0)
		return false;
	return (strcmp(state, "before") == 0) == before;
}

static struct tally tally_of(const json_t *runs, const char *id, bool before)
{
	struct tally ret = {.agrees = true};
	size_t i;
	json_t *run;
	json_array_foreach(runs, i, run)
	{
		const json_t *outcomes = json_object_get(run, "outcomes");
		const json_t *said = json_object_get(run, "said");
		struct gs_str outcome = gs_json_get_str(outcomes, id);
		if (!is_proof(run, before) || outcome.n == 0)
			continue;
		if (ret.n > 0 && !gs_str_eq(outcome, ret.outcome))
			ret.agrees = false;
		ret.outcome = outcome;
		ret.n++;
		if (gs_json_get_str(said, id).n > 0)
			ret.said = gs_json_get_str(said, id);
	}
	return ret;
}

static void put_tally(struct html *html, const struct tally *tally, bool good)
{
	if (tally->n == 0) {
		RAW(html, "<td>not seen</td>");
		return;
	}
	html_raw(html, good ? HTML("<td><span class=\"pass\">")
	                    : HTML("<td><span class=\"fail\">"));
	PUT(html, "%</span> <span class=\"times\">× %</span>",
	    in_words(tally->outcome), N(tally->n));
	if (!tally->agrees)
		RAW(html, " (not every time)");
	RAW(html, "</td>");
}

/* A test's id, with places where it may break. */
static void put_id(struct html *html, struct gs_str id)
{
	size_t n =
	    id.n < MAX_ID ? id.n : gs_utf8_prefix(gs_str_sub(id, 0, MAX_ID));
	struct gs_str rest = gs_str_sub(id, 0, n), part;
	RAW(html, "<code>");
	for (bool is_first = true; rest.n > 0; is_first = false) {
		ptrdiff_t colons = gs_str_find(rest, GS_STR("::"));
		size_t end = colons < 0 ? rest.n : (size_t)colons;
		part = gs_str_sub(rest, 0, end);
		if (!is_first)
			RAW(html, "<wbr>::");
		html_text(html, part);
		rest = gs_str_from(rest, colons < 0 ? end : end + 2);
	}
	html_raw(html, n < id.n ? HTML("…</code>") : HTML("</code>"));
}

static void put_said(struct html *html, struct gs_str said)
{
	if (said.n == 0)
		return;
	RAW(html, "<tr class=\"what\"><td colspan=\"3\"><pre class=\"said\" "
	          "tabindex=\"0\" aria-label=\"What it said\">");
	html_lines(html, said);
	RAW(html, "</pre></td></tr>\n");
}

json_t *proof_observations(const struct gs_evidence *evidence)
{
	return parse(evidence->observations);
}

void proof_tests(
    struct html *html, const struct gs_record *record, const json_t *runs)
{
	RAW(html,
	    "<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
	    "aria-label=\"Tests\"><table class=\"tests\"><caption class=\"sr\">Tests that "
	    "tell the two texts apart</caption><thead><tr>"
	    "<th scope=\"col\">Test</th><th scope=\"col\">Before</th>"
	    "<th scope=\"col\">After</th></tr></thead><tbody>\n");
	size_t n = record->fail_to_pass.n;
	for (size_t i = 0; i < n && i < MAX_IDS; i++) {
		const char *id = record->fail_to_pass.v[i];
		struct tally before = tally_of(runs, id, true);
		struct tally after = tally_of(runs, id, false);
		RAW(html, "<tr><th scope=\"row\">");
		put_id(html, gs_str(id));
		RAW(html, "</th>");
		put_tally(html, &before, false);
		put_tally(html, &after, true);
		RAW(html, "</tr>\n");
		put_said(html, before.said);
	}
	RAW(html, "</tbody></table></div>\n");
	if (n > MAX_IDS)
		PUT(html, "<p>And % more.</p>\n", N((int64_t)(n - MAX_IDS)));
}

struct outcome_count {
	struct gs_str name;
	int64_t n;
};

static void put_outcomes(struct html *html, const json_t *outcomes)
{
	/* How many of each, in the order in which they come. */
	struct outcome_count seen[12] = {0};
	const char *key;
	json_t *value;
	json_object_foreach((json_t *)(uintptr_t)outcomes, key, value)
	{
		struct gs_str name = gs_str(json_string_value(value));
		for (size_t i = 0; i < GS_COUNT(seen); i++) {
			if (seen[i].n > 0 && !gs_str_eq(seen[i].name, name))
				continue;
			seen[i].name = name;
			seen[i].n++;
			break;
		}
	}
	for (size_t i = 0; i < GS_COUNT(seen) && seen[i].n > 0; i++)
		PUT(html, "%% %", i ? S(", ") : S(""), N(seen[i].n),
		    in_words(seen[i].name));
}

static void put_run(struct html *html, const json_t *run)
{
	int64_t ahead = gs_json_get_int(run, "clock_ahead_s", 0);
	struct gs_str log = gs_json_get_str(run, "log_sha256");
	PUT(html,
	    "<tr><th scope=\"row\">%</th><td>%</td><td class=\"num\">%</td>"
	    "<td class=\"num\">%</td><td>%</td><td>%</td><td>",
	    gs_json_get_str(run, "state"), gs_json_get_str(run, "attempt"),
	    N(gs_json_get_int(run, "hash_seed", 0)),
	    ahead ? N(ahead / 86400) : S(""),
	    gs_json_get_bool(run, "ids_alone", false) ? S("these tests")
	                                              : S("whole files"),
	    gs_json_get_str(run, "kind"));
	put_outcomes(html, json_object_get(run, "outcomes"));
	PUT(html, "</td><td><code title=\"%\">%</code></td></tr>\n", log,
	    gs_str_sub(log, 0, log.n < 12 ? log.n : 12));
}

static void put_runs_table(struct html *html, const json_t *runs)
{
	RAW(html, "<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
	          "aria-label=\"Runs\"><table><caption class=\"sr\">Every run"
	          "</caption><thead><tr><th scope=\"col\">State</th>"
	          "<th scope=\"col\">Attempt</th>"
	          "<th scope=\"col\" class=\"num\">Hash seed</th>"
	          "<th scope=\"col\" class=\"num\">Days ahead</th>"
	          "<th scope=\"col\">What ran</th>"
	          "<th scope=\"col\">How it ended</th>"
	          "<th scope=\"col\">Published tests</th>"
	          "<th scope=\"col\">Log (SHA-256)</th></tr></thead><tbody>\n");
	size_t i;
	json_t *run;
	json_array_foreach(runs, i, run)
	{
		if (i < MAX_RUNS)
			put_run(html, run);
	}
	RAW(html, "</tbody></table></div>\n");
}

static void put_cheats(struct html *html, const char *text)
{
	GS_CLEANUP(gs_json_free) json_t *cheats = parse(text);
	const char *name;
	json_t *outcome;
	if (json_object_size(cheats) == 0)
		return;
	RAW(html,
	    "<h3>Answers that must not count</h3><p>Each was put in the place "
	    "of the fix and graded as an answer would be.</p>"
	    "<table class=\"small\"><thead><tr><th scope=\"col\">Answer</th>"
	    "<th scope=\"col\">Grade</th></tr></thead><tbody>\n");
	json_object_foreach(cheats, name, outcome)
	{
		PUT(html, "<tr><th scope=\"row\">%</th><td>%</td></tr>\n",
		    Z(name), Z(json_string_value(outcome)));
	}
	RAW(html, "</tbody></table>\n");
}

static void put_reduction(struct html *html, const char *text)
{
	GS_CLEANUP(gs_json_free) json_t *states = parse(text);
	size_t i;
	json_t *state;
	if (json_array_size(states) == 0)
		return;
	RAW(html,
	    "<h3>How small it can be</h3><p>Parts of the commit, the smallest "
	    "first; the first that makes every test pass is the record.</p>"
	    "<div class=\"scroll\" role=\"region\" tabindex=\"0\" "
	    "aria-label=\"Reduction\"><table class=\"small\"><thead><tr>"
	    "<th scope=\"col\">Part</th>"
	    "<th scope=\"col\" class=\"num\">Lines</th>"
	    "<th scope=\"col\">Enough?</th></tr></thead><tbody>\n");
	json_array_foreach(states, i, state)
	{
		struct gs_str unit = gs_json_get_str(state, "unit");
		PUT(html,
		    "<tr><th scope=\"row\"><code>% %</code></th>"
		    "<td class=\"num\">%</td><td>%</td></tr>\n",
		    gs_json_get_str(state, "path"), unit,
		    N(gs_json_get_int(state, "diff_lines", 0)),
		    gs_json_get_bool(state, "holds", false) ? S("yes")
		                                            : S("no"));
	}
	RAW(html, "</tbody></table></div>\n");
}

void proof_runs(
    struct html *html, const struct gs_evidence *evidence, const json_t *runs)
{
	RAW(html, "<details><summary>");
	html_count(html, (int64_t)json_array_size(runs), HTML("run"));
	RAW(html, ", each in a fresh tree</summary>\n");
	put_runs_table(html, runs);
	put_reduction(html, evidence->reduction);
	put_cheats(html, evidence->cheats);
	RAW(html, "</details>\n");
}

static void put_pair(struct html *html, struct markup name, struct gs_str value)
{
	if (value.n == 0)
		return;
	RAW(html, "<dt>");
	html_raw(html, name);
	RAW(html, "</dt><dd>");
	html_clipped(html, value, 2000);
	RAW(html, "</dd>\n");
}

static void put_tree(struct html *html, struct markup name, const char *hash)
{
	if (!hash || !*hash)
		return;
	RAW(html, "<dt>");
	html_raw(html, name);
	PUT(html, "</dt><dd><code>%</code></dd>\n", Z(hash));
}

static void put_list(struct html *html, struct markup name, const char *more,
    const struct gs_strv *list)
{
	if (list->n == 0)
		return;
	RAW(html, "<details><summary>");
	html_count(html, (int64_t)list->n, name);
	PUT(html, " %</summary><ul class=\"ids\">\n", Z(more));
	for (size_t i = 0; i < list->n && i < MAX_IDS; i++) {
		RAW(html, "<li><code>");
		html_clipped(html, gs_str(list->v[i]), MAX_ID);
		RAW(html, "</code></li>\n");
	}
	RAW(html, "</ul>\n");
	if (list->n > MAX_IDS)
		PUT(html, "<p>And % more.</p>",
		    N((int64_t)(list->n - MAX_IDS)));
	RAW(html, "</details>\n");
}

static void put_distributions(struct html *html, const char *text)
{
	GS_CLEANUP(gs_json_free) json_t *all = parse(text);
	const char *name;
	json_t *version;
	if (json_object_size(all) == 0)
		return;
	RAW(html, "<details><summary>");
	html_count(html, (int64_t)json_object_size(all),
	    HTML("importable distribution"));
	RAW(html, "</summary><ul class=\"ids cols\">\n");
	json_object_foreach(all, name, version)
	{
		PUT(html, "<li><code>% %</code></li>\n", Z(name),
		    Z(json_string_value(version)));
	}
	RAW(html, "</ul></details>\n");
}

static bool is_told(const json_t *value)
{
	return json_is_true(value) || json_array_size(value) > 0;
}

static void put_signals(struct html *html, const struct gs_evidence *evidence)
{
	GS_CLEANUP(gs_json_free) json_t *signals = parse(evidence->signals);
	const char *name;
	json_t *value;
	bool is_unclear = strcmp(evidence->change_kind, "unclear") == 0;
	PUT(html,
	    "<h3>Why it counts as %%</h3><p>By the rule “%”, from these "
	    "signals of the commit:</p><ul class=\"signals\">\n",
	    is_unclear ? S("") : S("a "), Z(evidence->change_kind),
	    Z(evidence->kind_rule));
	json_object_foreach(signals, name, value)
	{
		if (!is_told(value))
			continue;
		GS_CLEANUP(gs_buf_release) struct gs_buf words = {0};
		for (const char *p = name; *p; p++)
			gs_buf_addc(&words, *p == '_' ? ' ' : *p);
		PUT(html, "<li>%", gs_buf_str(&words));
		for (size_t i = 0; i < json_array_size(value) && i < 40; i++)
			PUT(html, "% <code>%</code>", i ? S(",") : S(":"),
			    Z(json_string_value(json_array_get(value, i))));
		RAW(html, "</li>\n");
	}
	RAW(html, "</ul>\n");
	if (evidence->docstring_changed)
		RAW(html, "<p>The fix changed the docstring too.</p>\n");
}

void proof_world(struct html *html, const struct gs_record *record,
    const struct gs_evidence *evidence)
{
	put_signals(html, evidence);
	put_list(html, HTML("name"),
	    "in the tests that neither the code before nor the spec holds",
	    &evidence->unguessable);
	put_list(html, HTML("other test"),
	    "that passed before and must keep passing",
	    &evidence->pass_to_pass);
	put_list(html, HTML("test"),
	    "dropped, for they disagreed with "
	    "themselves",
	    &evidence->flaky);
	put_list(html, HTML("test"),
	    "kept out, for they only ask for a name that was not there",
	    &evidence->missing_name_ids);
	RAW(html, "<h3>Where it ran</h3><dl class=\"facts\">\n");
	put_pair(html, HTML("Interpreter"), Z(evidence->interpreter));
	put_pair(html, HTML("pytest"), Z(evidence->pytest));
	put_pair(html, HTML("Plugins"), Z(evidence->plugins));
	put_pair(html, HTML("Shims"), Z(evidence->shims));
	put_pair(html, HTML("Sandbox"), Z(evidence->sandbox));
	put_tree(html, HTML("Tree before"), evidence->tree_before);
	put_tree(html, HTML("Tree after"), evidence->tree_after);
	put_pair(html, HTML("Proven"), Z(record->validated_at));
	put_pair(html, HTML("By"), Z(record->validator));
	RAW(html, "</dl>\n");
	put_distributions(html, evidence->distributions);
}

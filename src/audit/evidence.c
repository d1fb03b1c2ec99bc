/* SPDX-License-Identifier: Apache-2.0 */
/* What was observed, against what the record claims of it (K1, O5). */
#include <stdint.h>
#include <string.h>

#include "audit/work.h"
#include "base/mem.h"
#include "base/vec.h"

#define LEAST_RUNS 3 /* of each state (K1) */

static struct place place_of(
    const struct gs_evidence *evidence, const char *name)
{
	return (struct place){
	    .file = EVIDENCE, .id = evidence->id, .column = name};
}

static void tell(struct audit *audit, const struct gs_evidence *evidence,
    const char *column, const char *text)
{
	found(audit, GS_ERROR, "evidence", place_of(evidence, column), "%s",
	    text);
}

/* The columns that hold JSON do so. */
static bool check_json(struct audit *audit, const struct gs_evidence *evidence)
{
	const struct {
		const char *name, *text;
	} columns[] = {
	    {"signals", evidence->signals},
	    {"observations", evidence->observations},
	    {"cheats", evidence->cheats},
	    {"reduction", evidence->reduction},
	    {"distributions", evidence->distributions},
	    {"licence_sha256s", evidence->licence_sha256s},
	};

	bool holds = true;
	for (size_t i = 0; i < GS_COUNT(columns); i++) {
		GS_CLEANUP(gs_json_free)
		json_t *json = gs_json_parse(
		    gs_str(columns[i].text), columns[i].name, NULL);
		if (!json) {
			tell(
			    audit, evidence, columns[i].name, "It is no JSON.");
			holds = false;
		}
	}
	return holds;
}

struct runs {
	size_t before, after; /* complete ones */
	const char *passed_before, *failed_after;
};

/* An id that is not in a run says nothing of it. */
static const char *against(
    json_t *outcomes, const struct gs_strv *ids, bool passed)
{
	const char *id;
	json_t *outcome;
	json_object_foreach(outcomes, id, outcome)
	{
		const char *is = json_string_value(outcome);
		if (is && gs_strv_has(ids, id) &&
		    (strcmp(is, "passed") == 0) == passed)
			return id;
	}
	return NULL;
}

/* "before", and of the other side what is published: "unit" or "file", or
 * the whole commit where both are one tree. */
static void take_run(
    const json_t *run, const struct gs_strv *ids, struct runs *runs)
{
	const char *state = gs_json_get_cstr(run, "state");
	const char *kind = gs_json_get_cstr(run, "kind");
	json_t *outcomes = json_object_get(run, "outcomes");
	if (!state || !kind)
		return;
	bool is_complete = strcmp(kind, "complete") == 0;
	bool is_hang = strcmp(kind, "timeout") == 0; /* O5 */
	if (strcmp(state, "before") == 0 && (is_complete || is_hang)) {
		const char *id = against(outcomes, ids, true);
		runs->before++;
		runs->passed_before = id ? id : runs->passed_before;
	} else if (strcmp(state, "commit") == 0) {
		runs->after += is_complete;
	} else if (is_complete &&
	           (strcmp(state, "unit") == 0 || strcmp(state, "file") == 0)) {
		const char *attempt = gs_json_get_cstr(run, "attempt");
		bool is_trial = attempt && strcmp(attempt, "reduce") == 0;
		const char *id =
		    is_trial ? NULL : against(outcomes, ids, false);
		runs->after++;
		runs->failed_after = id ? id : runs->failed_after;
	}
}

static void check_runs(struct audit *audit, const struct gs_evidence *evidence,
    const struct row *row)
{
	GS_CLEANUP(gs_json_free)
	json_t *list =
	    gs_json_parse(gs_str(evidence->observations), "observations", NULL);
	struct runs runs = {0};
	size_t i;
	json_t *run;
	json_array_foreach(list, i, run) take_run(run, &row->tests, &runs);
	const struct place place = place_of(evidence, "observations");
	if (runs.before < LEAST_RUNS || runs.after < LEAST_RUNS)
		found(audit, GS_ERROR, "evidence", place,
		    "It holds %zu runs before and %zu after the fix, and each "
		    "is to be seen three times.",
		    runs.before, runs.after);
	if (runs.passed_before)
		found(audit, GS_ERROR, "evidence", place,
		    "%s passed before the fix.", runs.passed_before);
	if (runs.failed_after)
		found(audit, GS_ERROR, "evidence", place,
		    "%s did not pass after the fix.", runs.failed_after);
}

static void check_lists(struct audit *audit, const struct gs_evidence *evidence,
    const struct row *row)
{
	const struct {
		const char *name;
		const struct gs_strv *list;
	} lists[] = {{"pass_to_pass", &evidence->pass_to_pass},
	    {"flaky", &evidence->flaky},
	    {"missing_name_ids", &evidence->missing_name_ids}};

	for (size_t i = 0; i < GS_COUNT(lists); i++)
		for (size_t k = 0; k < row->tests.n; k++)
			if (gs_strv_has(lists[i].list, row->tests.v[k])) {
				found(audit, GS_ERROR, "evidence",
				    place_of(evidence, lists[i].name),
				    "It holds %s, which stands in "
				    "fail_to_pass.",
				    row->tests.v[k]);
				break;
			}
}

/* P1: no path and no host of the machine that made it. */
static void check_paths(struct audit *audit, const struct gs_evidence *evidence)
{
	static const char *const roots[] = {
	    "/home/", "/root/", "/tmp/", "/var/", "/mnt/", "/srv/", "/Users/"};

	const struct {
		const char *name, *text;
	} columns[] = {
	    {"interpreter", evidence->interpreter},
	    {"distributions", evidence->distributions},
	    {"plugins", evidence->plugins},
	    {"shims", evidence->shims},
	    {"sandbox", evidence->sandbox},
	};

	for (size_t i = 0; i < GS_COUNT(columns); i++)
		for (size_t k = 0; k < GS_COUNT(roots); k++) {
			struct gs_str text = gs_str(columns[i].text);
			ptrdiff_t at = gs_str_find(text, gs_str(roots[k]));
			if (at < 0)
				continue;
			found(audit, GS_WARNING, "paths",
			    place_of(evidence, columns[i].name),
			    "It holds a path that begins with %s.", roots[k]);
			break;
		}
}

static void note_texts(const struct gs_evidence *evidence, struct row *row)
{
	GS_CLEANUP(gs_json_free)
	json_t *texts = gs_json_parse(
	    gs_str(evidence->licence_sha256s), "licence_sha256s", NULL);
	const char *path;
	json_t *sha256;
	json_object_foreach(texts, path, sha256)
	{
		const char *hex = json_string_value(sha256);
		(void)gs_map_add(
		    &row->texts, gs_str(path), gs_strdup(hex ? hex : ""));
	}
}

static void scan_columns(
    struct audit *audit, const struct gs_evidence *evidence)
{
	for (size_t i = 0; i < gs_n_evidence_columns; i++) {
		const struct gs_column *column = &gs_evidence_columns[i];
		GS_CLEANUP(gs_buf_release) struct gs_buf all = {0};
		if (column->type == GS_COLUMN_TEXT)
			gs_buf_addz(&all, gs_column_text(evidence, column));
		else if (column->type == GS_COLUMN_LIST)
			for (size_t k = 0;
			     k < gs_column_list(evidence, column)->n; k++)
				gs_buf_addf(&all, "%s\n",
				    gs_column_list(evidence, column)->v[k]);
		/* Ids of tests are the projects' own words. */
		bool is_ours = column->type == GS_COLUMN_TEXT &&
		               strcmp(column->name, "observations") != 0;
		withheld_scan(audit, place_of(evidence, column->name),
		    gs_buf_str(&all), is_ours);
	}
}

void audit_evidence(
    struct audit *audit, const struct gs_evidence *evidence, size_t at)
{
	static const char *const kinds[] = {"bug", "feature", "unclear"};
	const size_t *index = gs_map_get(&audit->ids, gs_str(evidence->id));
	if (!index) {
		if (audit->has_all_rows)
			tell(audit, evidence, NULL,
			    "There is no record of this id.");
		return;
	}
	struct row *row = &audit->rows.v[*index];
	row->has_evidence = true;
	if (audit->has_all_rows && *index != at)
		tell(audit, evidence, NULL,
		    "It does not stand where its record does.");
	bool is_kind = false;
	for (size_t i = 0; i < GS_COUNT(kinds); i++)
		is_kind |= strcmp(evidence->change_kind, kinds[i]) == 0;
	if (!is_kind)
		tell(audit, evidence, "change_kind",
		    "It is neither bug nor feature nor unclear.");
	if (check_json(audit, evidence))
		check_runs(audit, evidence, row);
	check_lists(audit, evidence, row);
	check_paths(audit, evidence);
	note_texts(evidence, row);
	scan_columns(audit, evidence);
	audit->totals.unguessable += evidence->unguessable.n > 0;
}

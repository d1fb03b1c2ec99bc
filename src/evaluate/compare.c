/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "evaluate/report.h"

static void scored_release(struct gs_scored *scored)
{
	free(scored->model);
	free(scored->release);
	free(scored->sha256);
	gs_strv_release(&scored->ids);
	gs_map_release(&scored->resolved);
	for (size_t i = 0; i < scored->repos.n; i++)
		free(scored->repos.entries[i].value);
	gs_map_release(&scored->repos);
}

void gs_scoreds_release(struct gs_scoreds *scoreds)
{
	for (size_t i = 0; i < scoreds->n; i++)
		scored_release(&scoreds->v[i]);
	GS_VEC_FREE(scoreds);
}

/* Results come sorted by record and sample: the first of each counts. */
static void take_results(const json_t *results, struct gs_scored *ret)
{
	GS_CLEANUP(gs_map_release) struct gs_map seen = {0};
	size_t i;
	json_t *one;
	json_array_foreach(results, i, one)
	{
		struct gs_str id = gs_json_get_str(one, "id");
		const char *outcome = gs_json_get_cstr(one, "outcome");
		const char *repo = gs_json_get_cstr(one, "repo");
		if (!id.n || !outcome || !gs_map_add(&seen, id, NULL))
			continue;
		gs_strv_push_str(&ret->ids, id);
		if (strcmp(outcome, "resolved") == 0)
			gs_map_add(&ret->resolved, id, NULL);
		*gs_map_at(&ret->repos, id) = gs_strdup(repo ? repo : "");
	}
}

static int take_report(const json_t *report, const char *name,
    struct gs_scored *ret, struct gs_err *err)
{
	const char *model = gs_json_get_cstr(report, "model");
	const char *release = gs_json_get_cstr(report, "release");
	const char *sha256 = gs_json_get_cstr(report, "release_sha256");
	const char *task = gs_json_get_cstr(report, "task");
	const json_t *results = json_object_get(report, "results");
	if (!model || !sha256 || !json_is_array(results))
		return gs_fail(err, GS_E_CORRUPT,
		    "%s is no report of goldset score", name);
	if (gs_json_get_int(report, "schema_version", 0) != GS_REPORT_SCHEMA)
		return gs_fail(err, GS_E_CORRUPT,
		    "%s has another schema_version than %d", name,
		    GS_REPORT_SCHEMA);
	if (task && strcmp(task, "repair") != 0)
		return gs_fail(err, GS_E_USAGE,
		    "%s is a report of %s; only repair is compared", name,
		    task);
	ret->model = gs_strdup(model);
	ret->release = gs_strdup(release ? release : "");
	ret->sha256 = gs_strdup(sha256);
	take_results(results, ret);
	gs_json_get_strv(report, "not_attempted", &ret->ids);
	return 0;
}

int gs_scoreds_read(struct gs_str text, const char *name,
    struct gs_scoreds *ret, struct gs_err *err)
{
	struct gs_str line;
	int rc = 0;
	while (rc == 0 && text.n && gs_str_cut(&text, '\n', &line)) {
		if (gs_str_trim(line).n == 0)
			continue;
		GS_CLEANUP(gs_json_free)
		json_t *report = gs_json_parse(line, name, err);
		if (!report)
			return err->code;
		rc = take_report(report, name, GS_VEC_ADD(ret), err);
	}
	if (rc == 0 && ret->n == 0)
		rc = gs_fail(err, GS_E_CORRUPT, "%s holds no report", name);
	return rc;
}

/* ---- the comparison ---------------------------------------------------- */

/* One cluster a project: the paired differences of its records. */
struct pairing {
	struct gs_map at; /* project → index + 1 */

	struct {
		struct gs_cluster *v;
		size_t n, cap;
	} clusters;
};

static void add_pair(struct pairing *pairing, const char *repo, int difference)
{
	void **at = gs_map_at(&pairing->at, gs_str(repo));
	if (!*at) {
		(void)GS_VEC_ADD(&pairing->clusters);
		*at = (void *)pairing->clusters.n;
	}
	struct gs_cluster *cluster = &pairing->clusters.v[(size_t)*at - 1];
	cluster->n[0]++;
	cluster->sum[0] += difference;
}

static const char *repo_of(
    const struct gs_scored *a, const struct gs_scored *b, struct gs_str id)
{
	const char *repo = gs_map_get(&a->repos, id);
	if (!repo)
		repo = gs_map_get(&b->repos, id);
	return repo ? repo : "";
}

static void compare_record(
    struct gs_comparison *ret, struct pairing *pairing, const char *id)
{
	struct gs_str key = gs_str(id);
	bool a = gs_map_has(&ret->a->resolved, key);
	bool b = gs_map_has(&ret->b->resolved, key);
	ret->common++;
	if (a && b)
		ret->both++;
	else if (a)
		gs_strv_push(&ret->only_a, id);
	else if (b)
		gs_strv_push(&ret->only_b, id);
	else
		ret->neither++;
	add_pair(pairing, repo_of(ret->a, ret->b, key), (int)b - (int)a);
}

static void index_ids(const struct gs_scored *scored, struct gs_map *ret)
{
	for (size_t i = 0; i < scored->ids.n; i++)
		gs_map_add(ret, gs_str(scored->ids.v[i]), NULL);
}

void gs_compare(const struct gs_scored *a, const struct gs_scored *b,
    struct gs_comparison *ret)
{
	GS_CLEANUP(gs_map_release) struct gs_map in_a = {0};
	GS_CLEANUP(gs_map_release) struct gs_map in_b = {0};
	struct pairing pairing = {0};
	*ret = (struct gs_comparison){
	    .a = a, .b = b, .same_release = strcmp(a->sha256, b->sha256) == 0};
	index_ids(a, &in_a);
	index_ids(b, &in_b);
	for (size_t i = 0; i < a->ids.n; i++) {
		if (gs_map_has(&in_b, gs_str(a->ids.v[i])))
			compare_record(ret, &pairing, a->ids.v[i]);
		else
			ret->only_in_a++;
	}
	for (size_t i = 0; i < b->ids.n; i++)
		ret->only_in_b += !gs_map_has(&in_a, gs_str(b->ids.v[i]));
	gs_strv_sort(&ret->only_a);
	gs_strv_sort(&ret->only_b);
	double n = ret->common ? (double)ret->common : 1;
	ret->rate_a = (double)(ret->both + (int64_t)ret->only_a.n) / n;
	ret->rate_b = (double)(ret->both + (int64_t)ret->only_b.n) / n;
	ret->p_value =
	    gs_mcnemar((int64_t)ret->only_a.n, (int64_t)ret->only_b.n);
	ret->difference = gs_bootstrap95(
	    pairing.clusters.v, pairing.clusters.n, GS_STATISTIC_RATE);
	gs_map_release(&pairing.at);
	GS_VEC_FREE(&pairing.clusters);
}

void gs_comparison_release(struct gs_comparison *comparison)
{
	gs_strv_release(&comparison->only_a);
	gs_strv_release(&comparison->only_b);
}

void gs_comparison_write(
    const struct gs_comparison *comparison, struct gs_buf *ret)
{
	struct gs_json json = {.out = ret};
	gs_json_begin_object(&json);
	gs_json_put_int(&json, "schema_version", GS_REPORT_SCHEMA);
	gs_json_put_cstr(&json, "a", comparison->a->model);
	gs_json_put_cstr(&json, "b", comparison->b->model);
	gs_json_put_bool(&json, "same_release", comparison->same_release);
	gs_json_put_int(&json, "common", comparison->common);
	gs_json_put_int(&json, "only_in_a", comparison->only_in_a);
	gs_json_put_int(&json, "only_in_b", comparison->only_in_b);
	gs_json_put_int(&json, "both", comparison->both);
	gs_json_put_int(&json, "neither", comparison->neither);
	gs_json_put_real(&json, "rate_a", comparison->rate_a);
	gs_json_put_real(&json, "rate_b", comparison->rate_b);
	gs_json_put_real(
	    &json, "difference", comparison->rate_b - comparison->rate_a);
	gs_json_put_interval(
	    &json, "difference_project_bootstrap95", comparison->difference);
	gs_json_put_real(&json, "mcnemar_exact_p", comparison->p_value);
	gs_json_put_strv(&json, "resolved_only_by_a", &comparison->only_a);
	gs_json_put_strv(&json, "resolved_only_by_b", &comparison->only_b);
	gs_json_end_object(&json);
	gs_buf_addc(ret, '\n');
}

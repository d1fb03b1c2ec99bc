/* SPDX-License-Identifier: Apache-2.0 */
/* A report as JSON: the form that scripts and `compare` read. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "evaluate/report.h"

void gs_json_put_real(struct gs_json *json, const char *key, double value)
{
	gs_json_key(json, key);
	if (isfinite(value))
		gs_json_real(json, value);
	else
		gs_json_null(json);
}

void gs_json_put_interval(
    struct gs_json *json, const char *key, struct gs_interval interval)
{
	gs_json_key(json, key);
	if (!interval.is_known) {
		gs_json_null(json);
		return;
	}
	gs_json_begin_array(json);
	gs_json_real(json, interval.low);
	gs_json_real(json, interval.high);
	gs_json_end_array(json);
}

static void put_share(const struct gs_share *share, struct gs_json *json)
{
	gs_json_put_int(json, "total", share->total);
	gs_json_put_int(json, "attempted", share->attempted);
	gs_json_put_int(json, "resolved", share->resolved);
	gs_json_put_real(json, "rate", gs_share_rate(share));
	gs_json_put_interval(json, "wilson95", share->wilson);
}

static void put_outcomes(const struct gs_report *report, struct gs_json *json)
{
	gs_json_key(json, "outcomes");
	gs_json_begin_object(json);
	for (int i = 0; i < GS_N_SCORE_OUTCOMES; i++)
		gs_json_put_int(json,
		    gs_score_outcome_name((enum gs_score_outcome)i),
		    report->outcomes[i]);
	gs_json_put_int(
	    json, "not_attempted", report->all.total - report->all.attempted);
	gs_json_end_object(json);
	gs_json_put_int(json, "suspicious", report->suspicious);
}

static void put_shares(const struct gs_report *report, struct gs_json *json)
{
	const char *open = NULL;
	gs_json_key(json, "by");
	gs_json_begin_object(json);
	for (size_t i = 0; i < report->shares.n; i++) {
		const struct gs_share *share = &report->shares.v[i];
		if (share->dimension != open) {
			if (open)
				gs_json_end_object(json);
			open = share->dimension;
			gs_json_key(json, open);
			gs_json_begin_object(json);
		}
		gs_json_key(json, share->name);
		gs_json_begin_object(json);
		put_share(share, json);
		gs_json_end_object(json);
	}
	if (open)
		gs_json_end_object(json);
	gs_json_end_object(json);
}

static void put_cutoff(const struct gs_report *report, struct gs_json *json)
{
	static const char *const names[] = {"before", "after"};
	if (!report->cutoff)
		return;
	gs_json_key(json, "cutoff");
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "date", report->cutoff);
	for (int i = 0; i < 2; i++) {
		gs_json_key(json, names[i]);
		gs_json_begin_object(json);
		put_share(&report->sides[i], json);
		gs_json_end_object(json);
	}
	bool has_both = report->sides[0].total && report->sides[1].total;
	gs_json_put_real(json, "difference",
	    has_both ? gs_share_rate(&report->sides[1]) -
	                   gs_share_rate(&report->sides[0])
	             : NAN);
	gs_json_put_interval(
	    json, "difference_bootstrap95", report->difference);
	gs_json_end_object(json);
}

static void put_costs(const struct gs_report *report, struct gs_json *json)
{
	if (report->has_tokens) {
		gs_json_put_int(json, "prompt_tokens", report->prompt_tokens);
		gs_json_put_int(
		    json, "completion_tokens", report->completion_tokens);
	}
	if (report->has_cost)
		gs_json_put_real(json, "cost", report->cost);
	if (report->has_time)
		gs_json_put_int(json, "answer_ms", report->elapsed_ms);
}

static void put_result(
    const struct gs_report_request *request, size_t i, struct gs_json *json)
{
	const struct gs_answer *answer = &request->answers->v[i];
	const struct gs_result *result = &request->results->v[i];
	const struct gs_task *task = &request->tasks->v[answer->task];
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "id", task->record.id);
	gs_json_put_cstr(json, "repo", task->record.repo);
	gs_json_put_int(json, "sample", answer->sample);
	gs_json_put_cstr(
	    json, "outcome", gs_score_outcome_name(result->outcome));
	gs_json_put_cstr(json, "reason", result->reason ? result->reason : "");
	gs_json_put_bool(json, "suspicious", result->suspicious != NULL);
	if (result->suspicious)
		gs_json_put_cstr(json, "suspicion", result->suspicious);
	gs_json_put_int(json, "fail_to_pass_passed", result->f2p_passed);
	gs_json_put_int(
	    json, "fail_to_pass_total", (int64_t)task->record.fail_to_pass.n);
	gs_json_put_int(json, "pass_to_pass_passed", result->p2p_passed);
	gs_json_put_int(
	    json, "pass_to_pass_total", (int64_t)task->evidence.pass_to_pass.n);
	if (result->failed.n > 0)
		gs_json_put_strv(json, "failed", &result->failed);
	gs_json_end_object(json);
}

static void put_results(
    const struct gs_report_request *request, struct gs_json *json)
{
	gs_json_key(json, "results");
	gs_json_begin_array(json);
	for (size_t i = 0; i < request->answers->n; i++)
		if (strcmp(request->answers->v[i].model, request->model) == 0)
			put_result(request, i, json);
	gs_json_end_array(json);
}

/* Ids without an answer: the denominator is all records (E4). */
static void put_not_attempted(
    const struct gs_report_request *request, struct gs_json *json)
{
	const struct gs_tasks *tasks = request->tasks;
	GS_CLEANUP(gs_map_release) struct gs_map attempted = {0};
	for (size_t i = 0; i < request->answers->n; i++) {
		const struct gs_answer *answer = &request->answers->v[i];
		if (strcmp(answer->model, request->model) == 0)
			gs_map_add(&attempted,
			    gs_str(tasks->v[answer->task].record.id), NULL);
	}
	gs_json_key(json, "not_attempted");
	gs_json_begin_array(json);
	for (size_t i = 0; i < tasks->n; i++)
		if (!gs_map_has(&attempted, gs_str(tasks->v[i].record.id)))
			gs_json_cstr(json, tasks->v[i].record.id);
	gs_json_end_array(json);
}

/* The window as asked for, else the dates that the records span. */
static void put_window(
    const struct gs_report_request *request, struct gs_json *json)
{
	const struct gs_tasks *tasks = request->tasks;
	const char *from = request->from, *to = request->to;
	for (size_t i = 0; i < tasks->n; i++) {
		const char *at = tasks->v[i].record.committed_at;
		if (!request->from && (!from || strcmp(at, from) < 0))
			from = at;
		if (!request->to && (!to || strcmp(at, to) > 0))
			to = at;
	}
	gs_json_key(json, "window");
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "from", from);
	gs_json_put_cstr(json, "to", to);
	gs_json_end_object(json);
}

void gs_report_write(const struct gs_report *report,
    const struct gs_report_request *request, struct gs_buf *ret)
{
	const struct gs_share *all = &report->all;
	struct gs_json json = {.out = ret};
	gs_json_begin_object(&json);
	gs_json_put_int(&json, "schema_version", GS_REPORT_SCHEMA);
	gs_json_put_cstr(&json, "task", "repair");
	gs_json_put_cstr(&json, "model", report->model);
	gs_json_put_cstr(&json, "release", request->tasks->version);
	gs_json_put_cstr(&json, "release_sha256", request->tasks->sha256);
	put_window(request, &json);
	gs_json_put_int(&json, "total", all->total);
	gs_json_put_int(&json, "attempted", all->attempted);
	gs_json_put_int(&json, "answers", report->answers);
	gs_json_put_int(&json, "samples", report->samples);
	gs_json_put_int(&json, "resolved", all->resolved);
	gs_json_put_real(&json, "rate", gs_share_rate(all));
	gs_json_put_real(&json, "rate_attempted",
	    all->attempted ? (double)all->resolved / (double)all->attempted
	                   : 0);
	gs_json_put_interval(&json, "wilson95", all->wilson);
	gs_json_put_interval(&json, "project_bootstrap95", report->bootstrap);
	gs_json_key(&json, "pass_at");
	gs_json_begin_object(&json);
	for (size_t i = 0; i < report->pass_at.n; i++) {
		GS_CLEANUP(gs_freep)
		char *k = gs_format("%lld", (long long)report->pass_at.v[i].k);
		gs_json_put_real(&json, k, report->pass_at.v[i].value);
	}
	gs_json_end_object(&json);
	put_outcomes(report, &json);
	put_cutoff(report, &json);
	put_shares(report, &json);
	put_costs(report, &json);
	put_results(request, &json);
	put_not_attempted(request, &json);
	gs_json_end_object(&json);
	gs_buf_addc(ret, '\n');
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Score reports as the log of Inspect, version 2. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/datetime.h"
#include "base/mem.h"
#include "evaluate/export.h"
#include "evaluate/prompt.h"
#include "os/clock.h"

/* Of one log. */
struct log {
	const struct gs_tasks *tasks;
	const struct gs_answers *answers;
	const json_t *report, *results;
	const char *model;
	struct gs_json json;
	char now[GS_DATETIME_SIZE];
};

static bool is_right(const json_t *result)
{
	const char *outcome = gs_json_get_cstr(result, "outcome");
	return outcome && strcmp(outcome, "resolved") == 0;
}

/* The mean of a record's samples; 0 where there is none (E4). */
static double mean_of(const struct log *log, const char *id)
{
	size_t n = 0, right = 0;
	for (size_t i = 0; i < json_array_size(log->results); i++) {
		const json_t *result = json_array_get(log->results, i);
		const char *name = gs_json_get_cstr(result, "id");
		if (!name || strcmp(name, id) != 0)
			continue;
		n++;
		right += is_right(result);
	}
	return n ? (double)right / (double)n : 0;
}

static void put_metric(struct gs_json *json, const char *name, double value)
{
	gs_json_key(json, name);
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "name", name);
	gs_json_key(json, "value");
	gs_json_real(json, value);
	gs_json_key(json, "params");
	gs_json_begin_object(json);
	gs_json_end_object(json);
	gs_json_end_object(json);
}

/* Inspect's own two: the mean over records, and its standard error by the
 * central limit theorem. */
static void put_metrics(struct log *log)
{
	double sum = 0, squares = 0, n = (double)log->tasks->n;
	for (size_t i = 0; i < log->tasks->n; i++) {
		double x = mean_of(log, log->tasks->v[i].record.id);
		sum += x;
		squares += x * x;
	}
	double mean = n > 0 ? sum / n : 0;
	double spread = n > 1 ? (squares - n * mean * mean) / (n - 1) : 0;
	gs_json_key(&log->json, "metrics");
	gs_json_begin_object(&log->json);
	put_metric(&log->json, "accuracy", mean);
	put_metric(&log->json, "stderr", n > 1 ? sqrt(fmax(0, spread) / n) : 0);
	gs_json_end_object(&log->json);
}

static void put_empty(struct gs_json *json, const char *key)
{
	gs_json_key(json, key);
	gs_json_begin_object(json);
	gs_json_end_object(json);
}

static void put_empty_list(struct gs_json *json, const char *key)
{
	gs_json_key(json, key);
	gs_json_begin_array(json);
	gs_json_end_array(json);
}

static void put_usage(
    struct gs_json *json, const char *model, int64_t in, int64_t out)
{
	gs_json_key(json, "model_usage");
	gs_json_begin_object(json);
	if (in >= 0 && out >= 0) {
		gs_json_key(json, model);
		gs_json_begin_object(json);
		gs_json_put_int(json, "input_tokens", in);
		gs_json_put_int(json, "output_tokens", out);
		gs_json_put_int(json, "total_tokens", in + out);
		gs_json_end_object(json);
	}
	gs_json_end_object(json);
}

static void put_dataset(struct log *log)
{
	struct gs_json *json = &log->json;
	gs_json_key(json, "dataset");
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "name", "goldset");
	gs_json_put_int(json, "samples", (int64_t)log->tasks->n);
	gs_json_key(json, "sample_ids");
	gs_json_begin_array(json);
	for (size_t i = 0; i < log->tasks->n; i++)
		gs_json_cstr(json, log->tasks->v[i].record.id);
	gs_json_end_array(json);
	gs_json_put_bool(json, "shuffled", false);
	gs_json_end_object(json);
}

static void put_eval(struct log *log)
{
	struct gs_json *json = &log->json;
	const char *sha256 = log->tasks->sha256;
	GS_CLEANUP(gs_freep) char *run = gs_format("goldset-%.16s", sha256);
	int64_t epochs = gs_json_get_int(log->report, "samples", 1);
	gs_json_key(json, "eval");
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "run_id", run);
	gs_json_put_cstr(json, "created", log->now);
	gs_json_put_cstr(json, "task", "goldset_repair");
	gs_json_put_cstr(json, "task_id", run);
	gs_json_put_cstr(json, "task_version", log->tasks->version);
	put_empty(json, "task_attribs");
	put_empty(json, "task_args");
	put_dataset(log);
	gs_json_put_cstr(json, "model", log->model);
	put_empty(json, "model_args");
	gs_json_key(json, "config");
	gs_json_begin_object(json);
	gs_json_put_int(json, "epochs", epochs > 0 ? epochs : 1);
	gs_json_key(json, "epochs_reducer");
	gs_json_begin_array(json);
	gs_json_cstr(json, "mean");
	gs_json_end_array(json);
	gs_json_end_object(json);
	gs_json_key(json, "packages");
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "goldset", GS_VERSION);
	gs_json_end_object(json);
	gs_json_key(json, "metadata");
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "release_sha256", sha256);
	gs_json_end_object(json);
	gs_json_end_object(json);
}

static void put_results(struct log *log)
{
	struct gs_json *json = &log->json;
	size_t n =
	    json_array_size(log->results) +
	    json_array_size(json_object_get(log->report, "not_attempted"));
	gs_json_key(json, "plan");
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "name", "plan");
	put_empty_list(json, "steps");
	put_empty(json, "config");
	gs_json_end_object(json);
	gs_json_key(json, "results");
	gs_json_begin_object(json);
	gs_json_put_int(json, "total_samples", (int64_t)n);
	gs_json_put_int(json, "completed_samples", (int64_t)n);
	gs_json_key(json, "scores");
	gs_json_begin_array(json);
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "name", "goldset");
	gs_json_put_cstr(json, "scorer", "goldset");
	gs_json_put_cstr(json, "reducer", "mean");
	put_empty(json, "params");
	put_metrics(log);
	gs_json_end_object(json);
	gs_json_end_array(json);
	gs_json_end_object(json);
	gs_json_key(json, "stats");
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "started_at", log->now);
	gs_json_put_cstr(json, "completed_at", log->now);
	put_usage(json, log->model,
	    gs_json_get_int(log->report, "prompt_tokens", -1),
	    gs_json_get_int(log->report, "completion_tokens", -1));
	gs_json_end_object(json);
}

/* ---- samples ----------------------------------------------------------- */

static const struct gs_answer *answer_of(
    const struct log *log, const struct gs_task *task, int64_t sample)
{
	for (size_t i = 0; log->answers && i < log->answers->n; i++) {
		const struct gs_answer *answer = &log->answers->v[i];
		if (&log->tasks->v[answer->task] == task &&
		    answer->sample == sample &&
		    strcmp(answer->model, log->model) == 0)
			return answer;
	}
	return NULL;
}

static void put_output(struct log *log, const struct gs_answer *answer)
{
	struct gs_json *json = &log->json;
	gs_json_key(json, "output");
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "model", log->model);
	gs_json_key(json, "choices");
	gs_json_begin_array(json);
	if (answer) {
		gs_json_begin_object(json);
		gs_json_key(json, "message");
		gs_json_begin_object(json);
		gs_json_put_str(json, "content", answer->text);
		gs_json_put_cstr(json, "role", "assistant");
		gs_json_end_object(json);
		gs_json_put_cstr(json, "stop_reason", "stop");
		gs_json_end_object(json);
	}
	gs_json_end_array(json);
	gs_json_end_object(json);
}

static void put_score(
    struct gs_json *json, const json_t *result, const struct gs_answer *answer)
{
	const char *outcome = gs_json_get_cstr(result, "outcome");
	const char *reason = gs_json_get_cstr(result, "reason");
	gs_json_key(json, "scores");
	gs_json_begin_object(json);
	gs_json_key(json, "goldset");
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "value", is_right(result) ? "C" : "I");
	gs_json_key(json, "answer");
	if (answer)
		gs_json_string(json, answer->text);
	else
		gs_json_null(json);
	gs_json_put_cstr(json, "explanation", reason ? reason : "");
	gs_json_key(json, "metadata");
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "outcome", outcome ? outcome : "not_attempted");
	gs_json_put_bool(
	    json, "suspicious", gs_json_get_bool(result, "suspicious", false));
	gs_json_end_object(json);
	gs_json_end_object(json);
	gs_json_end_object(json);
}

static void put_sample(
    struct log *log, const struct gs_task *task, const json_t *result)
{
	struct gs_json *json = &log->json;
	const struct gs_record *record = &task->record;
	int64_t sample = gs_json_get_int(result, "sample", 0);
	const struct gs_answer *answer = answer_of(log, task, sample);
	GS_CLEANUP(gs_buf_release) struct gs_buf prompt = {0};
	gs_ignore(gs_prompt_fill(task, gs_str(gs_text_repair_tmpl),
	    gs_str(record->source_before), &prompt, NULL));
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "id", record->id);
	gs_json_put_int(json, "epoch", sample + 1);
	gs_json_put_str(json, "input", gs_buf_str(&prompt));
	gs_json_put_cstr(json, "target", record->source_after);
	put_empty_list(json, "messages");
	put_output(log, answer);
	put_score(json, result, answer);
	gs_json_key(json, "metadata");
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "repo", record->repo);
	gs_json_put_cstr(json, "committed_at", record->committed_at);
	gs_json_put_cstr(json, "granularity", record->granularity);
	gs_json_end_object(json);
	put_empty(json, "store");
	put_empty_list(json, "events");
	put_usage(json, log->model, answer ? answer->prompt_tokens : -1,
	    answer ? answer->completion_tokens : -1);
	put_empty(json, "attachments");
	gs_json_end_object(json);
}

static void put_samples(struct log *log)
{
	gs_json_key(&log->json, "samples");
	gs_json_begin_array(&log->json);
	for (size_t i = 0; i < json_array_size(log->results); i++) {
		const json_t *result = json_array_get(log->results, i);
		const struct gs_task *task =
		    gs_task_find(log->tasks, gs_json_get_str(result, "id"));
		if (task)
			put_sample(log, task, result);
	}
	for (size_t i = 0; i < log->tasks->n; i++)
		if (!gs_report_result(log->report, log->tasks->v[i].record.id))
			put_sample(log, &log->tasks->v[i], NULL);
	gs_json_end_array(&log->json);
}

void gs_export_inspect(const struct gs_tasks *tasks,
    const struct gs_answers *answers, const json_t *report, struct gs_buf *ret)
{
	const char *model = gs_json_get_cstr(report, "model");
	struct log log = {
	    .tasks = tasks,
	    .answers = answers,
	    .report = report,
	    .results = json_object_get(report, "results"),
	    .model = model ? model : "unnamed",
	    .json = {.out = ret},
	};
	gs_datetime_print(gs_clock_wall(), log.now);
	gs_json_begin_object(&log.json);
	gs_json_put_int(&log.json, "version", 2);
	gs_json_put_cstr(&log.json, "status", "success");
	put_eval(&log);
	put_results(&log);
	put_samples(&log);
	gs_json_end_object(&log.json);
	gs_buf_addc(ret, '\n');
}

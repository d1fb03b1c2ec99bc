/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/detect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "evaluate/prompt.h"
#include "evaluate/report.h"

/* What was said of a record's texts: [0] before the fix, [1] after. */
struct said {
	const struct gs_answer *of[2];
};

static struct said *collect(const struct gs_tasks *tasks,
    const struct gs_answers *answers, const char *model)
{
	struct said *said = gs_alloc((tasks->n + 1) * sizeof(*said));
	for (size_t i = 0; i < answers->n; i++) {
		const struct gs_answer *answer = &answers->v[i];
		if (strcmp(answer->model, model) != 0)
			continue;
		const struct gs_task *task = &tasks->v[answer->task];
		int side = gs_detect_is_buggy(task, answer->item) ? 0 : 1;
		/* Answers come sorted by sample: the first one stays. */
		if (!said[answer->task].of[side])
			said[answer->task].of[side] = answer;
	}
	return said;
}

static void count_text(
    const struct gs_answer *answer, bool is_buggy, struct gs_detect_report *ret)
{
	if (!answer)
		return;
	ret->attempted++;
	if (answer->says_buggy)
		++*(is_buggy ? &ret->true_buggy : &ret->false_buggy);
	else
		++*(is_buggy ? &ret->false_clean : &ret->true_clean);
}

static void count_pair(const struct said *said, struct gs_detect_report *ret)
{
	ret->pairs++;
	if (!said->of[0] || !said->of[1]) {
		ret->incomplete++;
		return;
	}
	bool before = said->of[0]->says_buggy, after = said->of[1]->says_buggy;
	if (before && after)
		ret->both_buggy++;
	else if (before)
		ret->both_right++;
	else if (after)
		ret->reversed++;
	else
		ret->both_clean++;
}

static double ratio(int64_t part, int64_t whole)
{
	return whole ? (double)part / (double)whole : NAN;
}

/* NaN when any answer goes without a score. */
static double auroc_of(const struct said *said, size_t n)
{
	double *scores[2] = {gs_alloc((n + 1) * sizeof(double)),
	    gs_alloc((n + 1) * sizeof(double))};
	size_t count[2] = {0, 0};
	bool has_all = true;
	for (size_t i = 0; i < n; i++)
		for (int side = 0; side < 2; side++) {
			const struct gs_answer *answer = said[i].of[side];
			if (!answer)
				continue;
			has_all &= answer->has_score;
			scores[side][count[side]++] = answer->score;
		}
	double area =
	    has_all ? gs_auroc(scores[0], count[0], scores[1], count[1]) : NAN;
	free(scores[0]);
	free(scores[1]);
	return area;
}

static bool is_right(const struct said *said, int side)
{
	return said->of[side] && said->of[side]->says_buggy == (side == 0);
}

static struct gs_interval bootstrap(
    const struct gs_tasks *tasks, const struct said *said)
{
	struct gs_cluster *clusters =
	    gs_alloc((tasks->n + 1) * sizeof(*clusters));
	size_t n = 0;
	for (size_t i = 0; i < tasks->n; i++) {
		if (i == 0 || strcmp(tasks->v[i].record.repo,
		                  tasks->v[i - 1].record.repo) != 0)
			n++;
		clusters[n - 1].n[0] += 2;
		clusters[n - 1].sum[0] +=
		    is_right(&said[i], 0) + is_right(&said[i], 1);
	}
	struct gs_interval interval =
	    gs_bootstrap95(clusters, n, GS_STATISTIC_RATE);
	free(clusters);
	return interval;
}

void gs_detect_score(const struct gs_tasks *tasks,
    const struct gs_answers *answers, const char *model,
    struct gs_detect_report *ret)
{
	struct said *said = collect(tasks, answers, model);
	*ret = (struct gs_detect_report){
	    .model = model, .total = 2 * (int64_t)tasks->n};
	for (size_t i = 0; i < tasks->n; i++) {
		count_text(said[i].of[0], true, ret);
		count_text(said[i].of[1], false, ret);
		count_pair(&said[i], ret);
	}
	int64_t right = ret->true_buggy + ret->true_clean;
	ret->accuracy = ratio(right, ret->total);
	ret->accuracy_attempted = ratio(right, ret->attempted);
	ret->precision =
	    ratio(ret->true_buggy, ret->true_buggy + ret->false_buggy);
	ret->recall = ratio(ret->true_buggy, (int64_t)tasks->n);
	ret->f1 = ratio(2 * ret->true_buggy,
	    ret->true_buggy + ret->false_buggy + (int64_t)tasks->n);
	ret->auroc = auroc_of(said, tasks->n);
	ret->wilson = gs_wilson95(right, ret->total);
	ret->bootstrap = bootstrap(tasks, said);
	free(said);
}

void gs_detect_write(const struct gs_detect_report *report,
    const struct gs_tasks *tasks, struct gs_buf *ret)
{
	struct gs_json json = {.out = ret};
	gs_json_begin_object(&json);
	gs_json_put_int(&json, "schema_version", GS_REPORT_SCHEMA);
	gs_json_put_cstr(&json, "task", "detect");
	gs_json_put_cstr(&json, "model", report->model);
	gs_json_put_cstr(&json, "release", tasks->version);
	gs_json_put_cstr(&json, "release_sha256", tasks->sha256);
	gs_json_put_int(&json, "total", report->total);
	gs_json_put_int(&json, "attempted", report->attempted);
	gs_json_put_real(&json, "accuracy", report->accuracy);
	gs_json_put_real(
	    &json, "accuracy_attempted", report->accuracy_attempted);
	gs_json_put_interval(&json, "wilson95", report->wilson);
	gs_json_put_interval(&json, "project_bootstrap95", report->bootstrap);
	gs_json_put_real(&json, "precision", report->precision);
	gs_json_put_real(&json, "recall", report->recall);
	gs_json_put_real(&json, "f1", report->f1);
	gs_json_put_real(&json, "auroc", report->auroc);
	gs_json_key(&json, "confusion");
	gs_json_begin_object(&json);
	gs_json_put_int(&json, "true_buggy", report->true_buggy);
	gs_json_put_int(&json, "false_buggy", report->false_buggy);
	gs_json_put_int(&json, "true_clean", report->true_clean);
	gs_json_put_int(&json, "false_clean", report->false_clean);
	gs_json_end_object(&json);
	gs_json_key(&json, "pairs");
	gs_json_begin_object(&json);
	gs_json_put_int(&json, "total", report->pairs);
	gs_json_put_int(&json, "both_right", report->both_right);
	gs_json_put_int(&json, "both_buggy", report->both_buggy);
	gs_json_put_int(&json, "both_clean", report->both_clean);
	gs_json_put_int(&json, "reversed", report->reversed);
	gs_json_put_int(&json, "incomplete", report->incomplete);
	gs_json_end_object(&json);
	gs_json_end_object(&json);
	gs_buf_addc(ret, '\n');
}

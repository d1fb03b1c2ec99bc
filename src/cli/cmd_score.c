/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/datetime.h"
#include "base/mem.h"
#include "cli/bench.h"
#include "cli/reporting.h"
#include "cli/style.h"
#include "os/file.h"

#define MAX_ANSWERS_FILE ((size_t)1 << 30)

struct score_options {
	struct gs_bench_options bench;
	const char *task, *output, *model;
	int64_t after, before, cutoff;
	bool self_test, regrade, fresh;
};

static const struct gs_option options[] = {
    {"task", 0, GS_OPT_TEXT, "repair|detect", "what was asked (repair)",
        offsetof(struct score_options, task)},
    {"output", 'o', GS_OPT_TEXT, "REPORT",
        "write the report there, JSON, one line a model",
        offsetof(struct score_options, output)},
    {"model", 0, GS_OPT_TEXT, "NAME", "only the answers of this model",
        offsetof(struct score_options, model)},
    {"after", 0, GS_OPT_DATE, "DATE", "only records from this date on",
        offsetof(struct score_options, after)},
    {"before", 0, GS_OPT_DATE, "DATE", "only records before this date",
        offsetof(struct score_options, before)},
    {"cutoff", 0, GS_OPT_DATE, "DATE",
        "compare the records before and after, as for a model's cutoff",
        offsetof(struct score_options, cutoff)},
    {"self-test", 0, GS_OPT_FLAG, NULL,
        "gold answers must score 100 %, unchanged and empty ones 0 %",
        offsetof(struct score_options, self_test)},
    {"regrade", 0, GS_OPT_FLAG, NULL,
        "grade the stored runs anew; nothing is run",
        offsetof(struct score_options, regrade)},
    {"fresh", 0, GS_OPT_FLAG, NULL, "run again what has a stored run",
        offsetof(struct score_options, fresh)},
    GS_BENCH_ROWS(struct score_options),
};

/* All that one call works on. */
struct scoring {
	struct gs_cli *cli;
	const struct score_options *options;
	struct gs_tasks tasks;
	struct gs_answers answers;
	struct gs_results results;
	struct gs_bench_kit kit;
	struct gs_buf file;    /* of the reports */
	struct gs_buf summary; /* a table over the models */
	char from[GS_DATETIME_SIZE], to[GS_DATETIME_SIZE];
	char cutoff[GS_DATETIME_SIZE];
};

static void scoring_release(struct scoring *scoring)
{
	gs_results_release(&scoring->results);
	gs_answers_release(&scoring->answers);
	gs_tasks_release(&scoring->tasks);
	gs_bench_kit_release(&scoring->kit);
	gs_buf_release(&scoring->file);
	gs_buf_release(&scoring->summary);
}

static bool is_detect(const struct score_options *score)
{
	return score->task && strcmp(score->task, "detect") == 0;
}

static int check(const struct score_options *score, const struct gs_strv *args,
    struct gs_err *err)
{
	if (score->task && strcmp(score->task, "repair") != 0 &&
	    strcmp(score->task, "detect") != 0)
		return gs_fail(err, GS_E_USAGE,
		    "--task is repair or detect, not \"%s\"", score->task);
	if (score->self_test && is_detect(score))
		return gs_fail(
		    err, GS_E_USAGE, "--self-test is for --task repair");
	if (score->self_test && args->n == 2)
		return gs_fail(err, GS_E_USAGE,
		    "--self-test makes its own answers; leave ANSWERS out");
	if (!score->self_test && args->n < 2)
		return gs_fail(err, GS_E_USAGE,
		    "the form is: goldset score RELEASE ANSWERS");
	if (score->regrade && score->fresh)
		return gs_fail(err, GS_E_USAGE,
		    "--regrade and --fresh exclude each other");
	return 0;
}

/* Only some records are asked for; answers to the others are passed over. */
static int read_tasks(
    struct scoring *scoring, const char *release, struct gs_err *err)
{
	const struct score_options *score = scoring->options;
	int rc = gs_tasks_read(release, &scoring->tasks, err);
	if (rc)
		return rc;
	if (score->after)
		gs_datetime_print(score->after, scoring->from);
	if (score->before)
		gs_datetime_print(score->before, scoring->to);
	if (score->cutoff)
		gs_datetime_print(score->cutoff, scoring->cutoff);
	gs_tasks_window(&scoring->tasks, score->after ? scoring->from : NULL,
	    score->before ? scoring->to : NULL);
	return 0;
}

static void keep_one_model(struct scoring *scoring)
{
	struct gs_answers *answers = &scoring->answers;
	const char *model = scoring->options->model;
	size_t kept = 0;
	for (size_t i = 0; i < answers->n; i++)
		if (strcmp(answers->v[i].model, model) == 0)
			answers->v[kept++] = answers->v[i];
	answers->n = kept;
	gs_strv_reset(&answers->models);
	gs_strv_push(&answers->models, model);
}

static int read_answers(struct scoring *scoring, const char *path,
    enum gs_answer_form form, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	int rc = gs_file_read(path, MAX_ANSWERS_FILE, &text, err);
	if (rc == 0)
		rc = gs_answers_parse(gs_buf_str(&text), path, form,
		    &scoring->tasks, &scoring->answers, err);
	if (rc == 0 && scoring->options->model)
		keep_one_model(scoring);
	if (rc == 0 && scoring->answers.models.n == 0)
		rc = gs_fail(err, GS_E_NOT_FOUND,
		    "%s holds no answer to a record of the release's window",
		    path);
	return rc;
}

static int try_answers(struct scoring *scoring, struct gs_err *err)
{
	const struct score_options *score = scoring->options;
	bool *wanted = gs_alloc(scoring->tasks.n + 1);
	for (size_t i = 0; i < scoring->answers.n; i++)
		wanted[scoring->answers.v[i].task] = true;
	int rc = gs_bench_kit_open(&score->bench, &scoring->kit, err);
	if (rc == 0)
		gs_bench_find_envs(
		    scoring->cli, &scoring->tasks, &scoring->kit);
	if (rc == 0 && !score->regrade)
		gs_bench_find_mirrors(
		    scoring->cli, &score->bench, &scoring->tasks, wanted);
	free(wanted);
	if (rc)
		return rc;
	struct gs_score_options how;
	gs_bench_score_options(
	    scoring->cli, &score->bench, &scoring->kit, &how);
	how.regrade = score->regrade;
	how.fresh = score->fresh;
	return gs_score(
	    &scoring->tasks, &scoring->answers, &how, &scoring->results, err);
}

static void request_of(const struct scoring *scoring, const char *model,
    struct gs_report_request *ret)
{
	const struct score_options *score = scoring->options;
	*ret = (struct gs_report_request){
	    .tasks = &scoring->tasks,
	    .answers = &scoring->answers,
	    .results = &scoring->results,
	    .model = model,
	    .from = score->after ? scoring->from : NULL,
	    .to = score->before ? scoring->to : NULL,
	    .cutoff = score->cutoff ? scoring->cutoff : NULL,
	};
}

/* E3. */
static void check_self_test(
    struct scoring *scoring, const char *model, const struct gs_report *report)
{
	struct gs_cli *cli = scoring->cli;
	bool is_gold = strcmp(model, "gold") == 0;
	int64_t wanted = is_gold ? report->all.total : 0;
	if (report->all.resolved == wanted)
		return;
	cli->status = 1;
	gs_cli_warn(cli, "%s answers resolved %lld of %lld, not %lld", model,
	    (long long)report->all.resolved, (long long)report->all.total,
	    (long long)wanted);
	for (size_t i = 0; i < scoring->answers.n; i++) {
		const struct gs_answer *answer = &scoring->answers.v[i];
		const struct gs_result *result = &scoring->results.v[i];
		if (strcmp(answer->model, model) == 0 &&
		    (result->outcome == GS_SCORE_RESOLVED) != is_gold)
			gs_cli_warn(cli, "%s: %s is %s%s%s",
			    scoring->tasks.v[answer->task].record.id, model,
			    gs_score_outcome_name(result->outcome),
			    result->reason ? ": " : "",
			    result->reason ? result->reason : "");
	}
}

static void report_model(struct scoring *scoring, const char *model)
{
	struct gs_report_request request;
	struct gs_report report;
	struct gs_cli *cli = scoring->cli;
	request_of(scoring, model, &request);
	gs_report_make(&request, &report);
	gs_report_write(&report, &request, &scoring->file);
	if (!cli->json && scoring->options->self_test)
		gs_putf(cli, GS_STYLE_PLAIN, "%-10s %lld of %lld resolved\n",
		    model, (long long)report.all.resolved,
		    (long long)report.all.total);
	else if (!cli->json)
		gs_put_report(cli, &report, &request);
	gs_add_summary(&scoring->summary, &report);
	if (scoring->options->self_test)
		check_self_test(scoring, model, &report);
	gs_report_release(&report);
}

static int score_repair(
    struct scoring *scoring, const struct gs_strv *args, struct gs_err *err)
{
	int rc = 0;
	if (scoring->options->self_test)
		gs_answers_for_self_test(&scoring->tasks, &scoring->answers);
	else
		rc = read_answers(scoring, args->v[1], GS_ANSWERS_REPAIR, err);
	if (rc == 0)
		rc = try_answers(scoring, err);
	for (size_t i = 0; rc == 0 && i < scoring->answers.models.n; i++) {
		if (i > 0 && !scoring->cli->json &&
		    !scoring->options->self_test)
			gs_buf_addc(&scoring->cli->out, '\n');
		report_model(scoring, scoring->answers.models.v[i]);
	}
	if (rc == 0 && scoring->answers.models.n > 1 && !scoring->cli->json &&
	    !scoring->options->self_test) {
		gs_put_heading(scoring->cli, "All models");
		gs_buf_adds(&scoring->cli->out, gs_buf_str(&scoring->summary));
	}
	return rc;
}

static int score_detect(
    struct scoring *scoring, const struct gs_strv *args, struct gs_err *err)
{
	int rc = read_answers(scoring, args->v[1], GS_ANSWERS_DETECT, err);
	for (size_t i = 0; rc == 0 && i < scoring->answers.models.n; i++) {
		struct gs_detect_report report;
		gs_detect_score(&scoring->tasks, &scoring->answers,
		    scoring->answers.models.v[i], &report);
		gs_detect_write(&report, &scoring->tasks, &scoring->file);
		if (!scoring->cli->json)
			gs_put_detect(scoring->cli, &report);
	}
	return rc;
}

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	GS_CLEANUP(scoring_release)
	struct scoring scoring = {.cli = cli, .options = opts};
	int rc = check(opts, args, err);
	if (rc == 0)
		rc = read_tasks(&scoring, args->v[0], err);
	if (rc == 0)
		rc = is_detect(opts) ? score_detect(&scoring, args, err)
		                     : score_repair(&scoring, args, err);
	if (rc)
		return rc;
	if (cli->json)
		gs_buf_adds(&cli->out, gs_buf_str(&scoring.file));
	return scoring.options->output
	           ? gs_file_write(scoring.options->output,
	                 gs_buf_str(&scoring.file), 0644, err)
	           : 0;
}

const struct gs_command gs_cmd_score = {
    .name = "score",
    .summary = "how many records a model's answers resolve",
    .synopsis = "[OPTIONS] RELEASE ANSWERS|--self-test RELEASE",
    .about = "Each answer (JSON Lines: id, model_name_or_path, answer or "
             "model_patch, sample) takes the\nplace of the record's function "
             "or file and is run in a sandbox against the record's\ntests, "
             "among tests that are planted to catch cheats. Results are kept "
             "by content in the\nworkspace, so that nothing is run twice.",
    .example = "goldset score --self-test release",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct score_options),
    .min_args = 1,
    .max_args = 2,
    .needs = GS_NEEDS_NOTHING,
    .run = run,
};

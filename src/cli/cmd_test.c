/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "cli/bench.h"
#include "cli/lookup.h"
#include "cli/style.h"
#include "os/file.h"

struct test_options {
	struct gs_bench_options bench;
	const char *release, *answer;
	bool before, after;
};

static const struct gs_option options[] = {
    {"before", 0, GS_OPT_FLAG, NULL, "the source before the fix (default)",
        offsetof(struct test_options, before)},
    {"after", 0, GS_OPT_FLAG, NULL, "the source after it",
        offsetof(struct test_options, after)},
    {"answer", 0, GS_OPT_TEXT, "FILE",
        "the text of the function or file in FILE, or a diff of the file",
        offsetof(struct test_options, answer)},
    {"release", 0, GS_OPT_TEXT, "DIR",
        "the record's release (default: the workspace)",
        offsetof(struct test_options, release)},
    GS_BENCH_ROWS(struct test_options),
};

static int check(const struct test_options *test, struct gs_err *err)
{
	if (test->before + test->after + (test->answer != NULL) > 1)
		return gs_fail(err, GS_E_USAGE,
		    "--before, --after and --answer exclude each other");
	return 0;
}

static int read_answer(const struct test_options *test,
    const struct gs_task *task, struct gs_buf *text, struct gs_answer *ret,
    struct gs_err *err)
{
	*ret = (struct gs_answer){.cost = -1};
	if (!test->answer) {
		ret->text = gs_str(test->after ? task->record.source_after
		                               : task->record.source_before);
		return 0;
	}
	int rc = gs_file_read(test->answer, GS_MAX_PYTHON_FILE, text, err);
	ret->text = gs_buf_str(text);
	ret->is_patch = gs_str_starts(ret->text, "--- ") ||
	                gs_str_starts(ret->text, "diff --git ");
	return rc;
}

static void tell(struct gs_cli *cli, const struct gs_task *task,
    const struct gs_result *result)
{
	bool is_resolved = result->outcome == GS_SCORE_RESOLVED;
	cli->status = !is_resolved;
	if (cli->json) {
		struct gs_json json = {.out = &cli->out};
		gs_json_begin_object(&json);
		gs_json_put_cstr(&json, "id", task->record.id);
		gs_json_put_cstr(
		    &json, "outcome", gs_score_outcome_name(result->outcome));
		gs_json_put_cstr(&json, "reason", result->reason);
		gs_json_put_int(
		    &json, "fail_to_pass_passed", result->f2p_passed);
		gs_json_put_int(
		    &json, "pass_to_pass_passed", result->p2p_passed);
		gs_json_end_object(&json);
		gs_buf_addc(&cli->out, '\n');
		return;
	}
	gs_put(cli, is_resolved ? GS_STYLE_GOOD : GS_STYLE_BAD,
	    gs_str(gs_score_outcome_name(result->outcome)));
	gs_putf(cli, GS_STYLE_PLAIN,
	    ": %lld of %zu that must begin to pass, %lld of %zu that must go "
	    "on to\n",
	    (long long)result->f2p_passed, task->record.fail_to_pass.n,
	    (long long)result->p2p_passed, task->evidence.pass_to_pass.n);
	if (result->reason)
		gs_put_line(cli, gs_str(result->reason));
}

static int try_one(struct gs_cli *cli, const struct test_options *test,
    struct gs_tasks *tasks, struct gs_err *err)
{
	GS_CLEANUP(gs_bench_kit_release) struct gs_bench_kit kit = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	GS_CLEANUP(gs_results_release) struct gs_results results = {0};
	GS_CLEANUP(gs_answers_release) struct gs_answers answers = {0};
	struct gs_score_options how;
	int rc =
	    read_answer(test, &tasks->v[0], &text, GS_VEC_ADD(&answers), err);
	if (rc == 0)
		rc = gs_bench_kit_open(&test->bench, &kit, err);
	if (rc)
		return rc;
	gs_bench_find_envs(cli, tasks, &kit);
	gs_bench_find_mirrors(cli, &test->bench, tasks, NULL);
	gs_bench_score_options(cli, &test->bench, &kit, &how);
	how.fresh = true;
	rc = gs_score(tasks, &answers, &how, &results, err);
	if (rc == 0)
		tell(cli, &tasks->v[0], &results.v[0]);
	return rc;
}

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	const struct test_options *test = opts;
	GS_CLEANUP(gs_tasks_release) struct gs_tasks tasks = {0};
	struct gs_task *task = GS_VEC_ADD(&tasks);
	int rc = check(test, err);
	if (rc == 0)
		rc = gs_lookup(cli, test->release, args->v[0], &task->record,
		    &task->evidence, err);
	return rc ? rc : try_one(cli, test, &tasks, err);
}

const struct gs_command gs_cmd_test = {
    .name = "test",
    .summary = "a record's tests, in the sandbox",
    .synopsis = "[--before|--after|--answer FILE] ID",
    .about = "Runs the record's tests against the source before the fix, "
             "after it, or with an answer in\nits place, as goldset score "
             "does. The exit status is 0 when they are as they must be\n"
             "after the fix, 1 when not.",
    .example = "goldset test --after gs-0123456789abcdef",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct test_options),
    .min_args = 1,
    .max_args = 1,
    .needs = GS_NEEDS_NOTHING,
    .run = run,
};

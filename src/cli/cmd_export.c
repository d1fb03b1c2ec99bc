/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "cli/bench.h"
#include "cli/losses.h"
#include "cli/progress.h"
#include "evaluate/export.h"
#include "evaluate/harbor.h"
#include "os/file.h"
#include "os/staging.h"

#define MAX_INPUT_FILE ((size_t)1 << 30)
/* What the harness calls a run of ours. */
#define RUN_ID "goldset"
#define HIDDEN ".goldset-export-"

struct export_options {
	struct gs_bench_options bench;
	const char *to, *output, *answers, *report;
};

static const struct gs_option options[] = {
    {"to", 0, GS_OPT_TEXT, "jsonl|swebench|humanevalpack|harbor|inspect",
        "which form (required)", offsetof(struct export_options, to)},
    {"output", 'o', GS_OPT_TEXT, "DIR", "the new folder (required)",
        offsetof(struct export_options, output)},
    {"answers", 0, GS_OPT_TEXT, "FILE",
        "answers to be exported too (swebench, inspect)",
        offsetof(struct export_options, answers)},
    {"report", 0, GS_OPT_TEXT, "FILE",
        "a report of goldset score to be exported (swebench, inspect)",
        offsetof(struct export_options, report)},
    GS_BENCH_ROW("mirror", 0, GS_OPT_TEXT, "TEMPLATE",
        "where to clone from instead, such as "
        "'/path/{owner}+{name}/repo'",
        struct export_options, mirror),
};

/* All that one call works on. */
struct exporting {
	struct gs_cli *cli;
	const struct export_options *options;
	struct gs_tasks tasks;
	struct gs_answers answers;
	json_t *reports; /* an array */
	struct gs_staging staging;
	struct gs_buf text;

	struct gs_losses losses;
};

static void exporting_release(struct exporting *x)
{
	gs_losses_release(&x->losses);
	gs_staging_release(&x->staging);
	gs_answers_release(&x->answers);
	gs_tasks_release(&x->tasks);
	gs_json_free(&x->reports);
	gs_buf_release(&x->text);
}

static int check(const struct export_options *export, struct gs_err *err)
{
	static const char *const forms[] = {
	    "jsonl", "swebench", "humanevalpack", "harbor", "inspect"};
	bool is_known = false, is_inspect = false, is_swebench = false;
	for (size_t i = 0; export->to && i < GS_COUNT(forms); i++)
		is_known = is_known || strcmp(export->to, forms[i]) == 0;
	if (!is_known)
		return gs_fail(err, GS_E_USAGE,
		    "--to takes jsonl, swebench, humanevalpack, harbor or "
		    "inspect, not \"%s\"",
		    export->to ? export->to : "");
	is_inspect = strcmp(export->to, "inspect") == 0;
	is_swebench = strcmp(export->to, "swebench") == 0;
	if (!export->output)
		return gs_fail(
		    err, GS_E_USAGE, "where shall the files go? Give -o DIR");
	if (is_inspect && !export->report)
		return gs_fail(err, GS_E_USAGE,
		    "--to inspect is for scores: give --report FILE");
	if ((export->answers || export->report) && !is_inspect && !is_swebench)
		return gs_fail(err, GS_E_USAGE,
		    "--answers and --report are for swebench and inspect");
	if (gs_path_exists(export->output))
		return gs_fail(err, GS_E_EXISTS,
		    "%s is there already; give another folder", export->output);
	return 0;
}

/* ---- what is read ------------------------------------------------------ */

static int read_reports(
    struct exporting *x, const char *path, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf file = {.max = MAX_INPUT_FILE};
	int rc = gs_file_read(path, MAX_INPUT_FILE, &file, err);
	struct gs_str rest = gs_buf_str(&file), line;
	while (rc == 0 && rest.n && gs_str_cut(&rest, '\n', &line)) {
		if (gs_str_trim(line).n == 0)
			continue;
		json_t *report = gs_json_parse(line, path, err);
		if (!report)
			return err->code;
		json_array_append_new(x->reports, report);
		if (!json_is_array(json_object_get(report, "results")))
			rc = gs_fail(err, GS_E_USAGE,
			    "%s is no report of goldset score", path);
		const char *sha256 = gs_json_get_cstr(report, "release_sha256");
		if (rc == 0 &&
		    (!sha256 || strcmp(sha256, x->tasks.sha256) != 0))
			rc = gs_fail(err, GS_E_USAGE,
			    "%s is of another release than this one", path);
	}
	return rc;
}

static int read_inputs(
    struct exporting *x, const char *release, struct gs_err *err)
{
	const struct export_options *export = x->options;
	GS_CLEANUP(gs_buf_release) struct gs_buf file = {.max = MAX_INPUT_FILE};
	x->reports = json_array();
	int rc = gs_tasks_read(release, &x->tasks, err);
	if (rc == 0 && export->report)
		rc = read_reports(x, export->report, err);
	if (rc == 0 && export->answers)
		rc = gs_file_read(export->answers, MAX_INPUT_FILE, &file, err);
	if (rc == 0 && export->answers)
		rc = gs_answers_parse(gs_buf_str(&file), export->answers,
		    GS_ANSWERS_REPAIR, &x->tasks, &x->answers, err);
	return rc;
}

static void tell(
    const struct exporting *x, const char *what, size_t done, size_t total)
{
	gs_progress(x->cli, what, (int64_t)done, (int64_t)total, NULL);
}

/* ---- what is written --------------------------------------------------- */

/* `name` may name folders that are not there yet. The text is emptied. */
static int put_file(struct exporting *x, const char *name, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *path = gs_path_join(x->staging.path, name);
	GS_CLEANUP(gs_freep)
	char *folder = gs_strndup(path, (size_t)(strrchr(path, '/') - path));
	if (x->text.overflow)
		return gs_fail(
		    err, GS_E_LIMIT, "the export is over a gibibyte");
	/* The folder was empty: a/b and a__b are one name to the harness. */
	if (gs_path_exists(path))
		return gs_fail(err, GS_E_USAGE,
		    "two models, or two reports of one, would both be %s/%s; "
		    "export them into folders of their own",
		    x->options->output, name);
	int rc = gs_dir_make(folder, 0777, err);
	if (rc == 0)
		rc = gs_file_write(path, gs_buf_str(&x->text), 0644, err);
	gs_buf_reset(&x->text);
	return rc;
}

/* A record that cannot be exported is told about, and the others go on; a
 * stop and a full disk are no fault of a record and end the whole. */
static int leave_out(struct exporting *x, const struct gs_task *task,
    const struct gs_err *why, struct gs_err *err)
{
	if (why->code == GS_E_CANCELLED || why->code == GS_E_SYSTEM) {
		*err = *why;
		return why->code;
	}
	x->cli->status = 1;
	gs_cli_warn(x->cli, "%s is left out: %s", task->record.id, why->text);
	gs_losses_add(&x->losses, task->record.id, true, why->text);
	return 0;
}

static int put_row(
    struct exporting *x, const struct gs_task *task, struct gs_err *err)
{
	struct gs_err one = {0};
	GS_CLEANUP(gs_export_note_release) struct gs_export_note note = {0};
	if (strcmp(x->options->to, "jsonl") == 0)
		gs_export_jsonl(task, &x->text);
	else if (strcmp(x->options->to, "swebench") == 0)
		gs_ignore(gs_export_swebench(task, &x->text, &note, &one));
	else
		gs_ignore(gs_export_humanevalpack(task, &x->text, &note, &one));
	if (!one.code)
		gs_losses_note(&x->losses, task->record.id, &note);
	return one.code ? leave_out(x, task, &one, err) : 0;
}

static int put_rows(struct exporting *x, const char *name, struct gs_err *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < x->tasks.n; i++) {
		rc = put_row(x, &x->tasks.v[i], err);
		tell(x, "write the records", i + 1, x->tasks.n);
	}
	return rc ? rc : put_file(x, name, err);
}

/* A file a model; of a record the first sample: the harness has one
 * prediction an instance. */
static int put_predictions(
    struct exporting *x, const char *model, struct gs_err *err)
{
	const struct gs_answer *last = NULL;
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < x->answers.n; i++) {
		const struct gs_answer *answer = &x->answers.v[i];
		const struct gs_task *task = &x->tasks.v[answer->task];
		struct gs_err one = {0};
		if (strcmp(answer->model, model) != 0 ||
		    gs_losses_has(&x->losses, task->record.id))
			continue;
		if (last && last->task == answer->task) {
			x->losses.n_samples++;
			continue;
		}
		last = answer;
		if (gs_export_prediction(task, answer, &x->text, &one))
			rc = leave_out(x, task, &one, err);
		tell(x, "write the predictions", i + 1, x->answers.n);
	}
	if (rc)
		return rc;
	GS_CLEANUP(gs_freep) char *file = gs_model_file_name(model);
	GS_CLEANUP(gs_freep)
	char *name = gs_format("predictions/%s.jsonl", file);
	return put_file(x, name, err);
}

static int put_harness_report(
    struct exporting *x, const json_t *report, struct gs_err *err)
{
	const char *model = gs_json_get_cstr(report, "model");
	GS_CLEANUP(gs_freep)
	char *file = gs_model_file_name(model ? model : "unnamed");
	GS_CLEANUP(gs_freep) char *name = gs_format("%s.%s.json", file, RUN_ID);
	gs_export_run_report(&x->tasks, report, &x->text);
	int rc = put_file(x, name, err);
	for (size_t i = 0; rc == 0 && i < x->tasks.n; i++) {
		const struct gs_task *task = &x->tasks.v[i];
		tell(x, "write the reports", i + 1, x->tasks.n);
		const json_t *result =
		    gs_report_result(report, task->record.id);
		if (!result)
			continue;
		GS_CLEANUP(gs_freep) char *id = gs_swebench_id(task);
		GS_CLEANUP(gs_freep)
		char *one =
		    gs_format("logs/run_evaluation/%s/%s/%s/report.json",
		        RUN_ID, file, id);
		gs_export_instance_report(task, result, &x->text);
		rc = put_file(x, one, err);
	}
	return rc;
}

static int put_swebench(struct exporting *x, struct gs_err *err)
{
	int rc = put_rows(x, "instances.jsonl", err);
	for (size_t i = 0; rc == 0 && i < x->answers.models.n; i++)
		rc = put_predictions(x, x->answers.models.v[i], err);
	for (size_t i = 0; rc == 0 && i < json_array_size(x->reports); i++)
		rc = put_harness_report(x, json_array_get(x->reports, i), err);
	return rc;
}

static int put_inspect(struct exporting *x, struct gs_err *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < json_array_size(x->reports); i++) {
		const json_t *report = json_array_get(x->reports, i);
		const char *model = gs_json_get_cstr(report, "model");
		GS_CLEANUP(gs_freep)
		char *file = gs_model_file_name(model ? model : "unnamed");
		GS_CLEANUP(gs_freep) char *name = gs_format("%s.json", file);
		gs_export_inspect(&x->tasks,
		    x->options->answers ? &x->answers : NULL, report, &x->text);
		rc = put_file(x, name, err);
	}
	return rc;
}

static int put_harbor(struct exporting *x, struct gs_err *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < x->tasks.n; i++) {
		const struct gs_task *task = &x->tasks.v[i];
		struct gs_err one = {0};
		GS_CLEANUP(gs_freep)
		char *folder = gs_path_join(x->staging.path, task->record.id);
		if (gs_export_harbor(task, folder, &one))
			rc = leave_out(x, task, &one, err);
		tell(x, "write the tasks", i + 1, x->tasks.n);
	}
	return rc;
}

static int put_all(struct exporting *x, struct gs_err *err)
{
	const char *to = x->options->to;
	if (strcmp(to, "swebench") == 0)
		return put_swebench(x, err);
	if (strcmp(to, "inspect") == 0)
		return put_inspect(x, err);
	if (strcmp(to, "harbor") == 0)
		return put_harbor(x, err);
	return put_rows(x,
	    strcmp(to, "jsonl") == 0 ? "records.jsonl" : "humanevalpack.jsonl",
	    err);
}

/* The folder appears whole or not at all. */
static int put_in_place(struct exporting *x, struct gs_err *err)
{
	static const struct gs_staging_kind kind = {HIDDEN, "an export", NULL};
	int rc =
	    gs_staging_open(&x->staging, x->options->output, &kind, false, err);
	if (rc == 0)
		rc = put_all(x, err);
	if (rc)
		return rc;
	if (fchmod(x->staging.lock, 0755) < 0 || syncfs(x->staging.lock) < 0)
		return gs_fail_sys(err, "flush %s", x->options->output);
	rc = gs_staging_place(&x->staging, err);
	return rc ? rc : gs_staging_finish(&x->staging, err);
}

static void put_json(const struct exporting *x)
{
	struct gs_json json = {.out = &x->cli->out};
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "folder", x->options->output);
	gs_json_put_cstr(&json, "to", x->options->to);
	gs_json_put_int(&json, "records", (int64_t)x->tasks.n);
	gs_losses_write(&x->losses, &json);
	gs_json_end_object(&json);
	gs_buf_addc(&x->cli->out, '\n');
}

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	const struct export_options *export = opts;
	GS_CLEANUP(exporting_release)
	struct exporting x = {
	    .cli = cli, .options = export, .staging = {.lock = -1}};
	int rc = check(export, err);
	if (rc == 0)
		rc = read_inputs(&x, args->v[0], err);
	if (rc)
		return rc;
	if (strcmp(export->to, "jsonl") != 0 &&
	    strcmp(export->to, "inspect") != 0)
		gs_bench_find_mirrors(cli, &export->bench, &x.tasks, NULL);
	rc = put_in_place(&x, err);
	if (rc)
		return rc;
	gs_losses_say(&x.losses, cli, x.tasks.n);
	if (cli->json)
		put_json(&x);
	else
		gs_losses_print(&x.losses, &cli->out);
	return 0;
}

const struct gs_command gs_cmd_export = {
    .name = "export",
    .summary = "a release, answers and scores in the form of another system",
    .synopsis = "--to FORM -o DIR [--answers FILE] [--report FILE] RELEASE",
    .about = "jsonl: records.jsonl, every column of both tables. swebench: "
             "instances.jsonl, the fix and the\ntests as patches against the "
             "parent commit; predictions and reports of its harness from\n"
             "--answers and --report. humanevalpack: the rows of "
             "HumanEvalFix, for records of a function.\nharbor: a folder a "
             "record, with a Dockerfile, tests that are laid down after the "
             "agent,\nand a verifier that writes reward files. inspect: the "
             "log of --report, one file a model.\nRecords that a form has "
             "no place for, and what it cannot carry of one (shims), are "
             "printed, one a line.\nThe exit status is 1 when "
             "a repository could not be had and records were left out.",
    .example = "goldset export --to jsonl -o exported release",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct export_options),
    .min_args = 1,
    .max_args = 1,
    .needs = GS_NEEDS_NOTHING,
    .run = run,
};

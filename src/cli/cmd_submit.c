/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/style.h"
#include "cli/submit.h"
#include "os/file.h"

#define ROW(name, kind, value, help, member)                                   \
	{                                                                      \
		name, 0, kind, value, help,                                    \
		    offsetof(struct gs_submit_options, member)                 \
	}

static const struct gs_option options[] = {
    ROW("engine", GS_OPT_TEXT, "slurm", "what runs the tasks (required)",
        engine),
    ROW("shards", GS_OPT_COUNT, "N", "tasks to deal the projects out to (4)",
        shards),
    ROW("status", GS_OPT_FLAG, NULL, "which shards are done, failed or missing",
        status),
    ROW("resubmit", GS_OPT_FLAG, NULL,
        "submit those that are failed or missing again", resubmit),
    ROW("dry-run", GS_OPT_FLAG, NULL, "write the script, submit nothing",
        dry_run),
    ROW("cpus", GS_OPT_COUNT, "N", "processors of a task (1)", cpus),
    ROW("memory", GS_OPT_TEXT, "SIZE", "of a task, such as 8G", memory),
    ROW("time", GS_OPT_TEXT, "TIME", "limit of a task, such as 12:00:00", time),
    ROW("partition", GS_OPT_TEXT, "NAME", "of the cluster", partition),
    GS_STEP_ADD_ROWS, GS_STEP_MINE_ROWS, GS_STEP_WINDOW_ROWS,
    GS_STEP_VALIDATE_ROWS};

static const char *const state_names[] = {
    [GS_PART_DONE] = "done",
    [GS_PART_FAILED] = "failed",
    [GS_PART_MISSING] = "missing",
};

/* "1,4,7" */
static void list_gaps(
    const struct gs_plan *plan, const bool *is_alive, struct gs_buf *ret)
{
	for (int64_t i = 0; i < plan->shards; i++) {
		int64_t status = 0;
		if (gs_plan_part(plan, i, &status) != GS_PART_DONE &&
		    !is_alive[i])
			gs_buf_addf(
			    ret, "%s%lld", ret->n ? "," : "", (long long)i);
	}
}

static void put_state(
    struct gs_cli *cli, const struct gs_plan *plan, struct gs_json *json)
{
	static const enum gs_style styles[] = {
	    GS_STYLE_GOOD, GS_STYLE_BAD, GS_STYLE_WARN};

	for (int64_t i = 0; i < plan->shards; i++) {
		int64_t status = 0;
		enum gs_part_state state = gs_plan_part(plan, i, &status);
		if (cli->json) {
			gs_json_begin_object(json);
			gs_json_put_int(json, "shard", i);
			gs_json_put_cstr(json, "state", state_names[state]);
			gs_json_key(json, "status");
			if (status < 0)
				gs_json_null(json);
			else
				gs_json_int(json, status);
			gs_json_end_object(json);
			continue;
		}
		gs_putf(cli, GS_STYLE_PLAIN, "%8lld  ", (long long)i);
		gs_putf(cli, styles[state], "%-7s", state_names[state]);
		if (status > 0)
			gs_putf(cli, GS_STYLE_PLAIN,
			    "  exit status %lld, see %s/log-%lld.txt",
			    (long long)status, plan->folder, (long long)i);
		gs_buf_addc(&cli->out, '\n');
	}
}

static void show_status(struct gs_cli *cli, const struct gs_plan *plan)
{
	int64_t counts[GS_COUNT(state_names)] = {0}, status = 0;
	struct gs_json json = {.out = &cli->out};
	for (int64_t i = 0; i < plan->shards; i++)
		counts[gs_plan_part(plan, i, &status)]++;
	if (cli->json) {
		gs_json_begin_object(&json);
		gs_json_put_int(&json, "shards", plan->shards);
		for (size_t i = 0; i < GS_COUNT(state_names); i++)
			gs_json_put_int(&json, state_names[i], counts[i]);
		gs_json_put_strv(&json, "jobs", &plan->jobs);
		gs_json_key(&json, "parts");
		gs_json_begin_array(&json);
	}
	put_state(cli, plan, &json);
	if (cli->json) {
		gs_json_end_array(&json);
		gs_json_end_object(&json);
		gs_buf_addc(&cli->out, '\n');
	}
	cli->status = counts[GS_PART_DONE] < plan->shards;
	gs_cli_say(cli, "%lld of %lld shards are done%s%s",
	    (long long)counts[GS_PART_DONE], (long long)plan->shards,
	    cli->status ? "; --resubmit fills the gaps" : ": goldset merge ",
	    cli->status ? "" : plan->folder);
}

static void told(struct gs_cli *cli, const struct gs_plan *plan,
    const char *job, const char *indices)
{
	struct gs_json json = {.out = &cli->out};
	gs_cli_say(cli, "%s%s: shards %s of %lld, in %s",
	    job ? "job " : "not submitted", job ? job : "", indices,
	    (long long)plan->shards, plan->folder);
	if (!cli->json)
		return;
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "step", "submit");
	gs_json_put_cstr(&json, "folder", plan->folder);
	gs_json_put_int(&json, "shards", plan->shards);
	gs_json_put_cstr(&json, "submitted", indices);
	gs_json_put_cstr(&json, "job", job);
	gs_json_end_object(&json);
	gs_buf_addc(&cli->out, '\n');
}

/* What still lacks and is under way nowhere. */
static int submit_gaps(
    struct gs_cli *cli, struct gs_plan *plan, bool dry_run, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf gaps = {0};
	GS_CLEANUP(gs_freep) char *job = NULL;
	bool *is_alive = gs_alloc((size_t)plan->shards * sizeof(*is_alive));
	int rc = dry_run ? 0 : gs_slurm_settle(plan, is_alive, err);
	if (rc == 0)
		list_gaps(plan, is_alive, &gaps);
	free(is_alive);
	if (rc)
		return rc;
	if (gaps.n == 0) {
		gs_cli_say(cli, "every shard is done or under way");
		return 0;
	}
	if (!dry_run) {
		rc = gs_slurm_submit(plan, gs_buf_cstr(&gaps), &job, err);
		if (rc)
			return rc;
		gs_strv_push(&plan->jobs, job);
		rc = gs_plan_write(plan, err);
	}
	if (rc == 0)
		told(cli, plan, job, gs_buf_cstr(&gaps));
	return rc;
}

/* Words that come into #SBATCH lines. */
static int check_word(const char *option, const char *word, struct gs_err *err)
{
	if (!word || (*word && strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGH"
	                                    "IJKLMNOPQRSTUVWXYZ0123456789"
	                                    ":,._-") == strlen(word)))
		return 0;
	return gs_fail(err, GS_E_USAGE,
	    "--%s takes letters, digits and \":,._-\", not \"%.40s\"", option,
	    word);
}

static int check(const struct gs_submit_options *submit,
    const struct gs_strv *args, struct gs_err *err)
{
	if (!submit->engine || strcmp(submit->engine, "slurm") != 0)
		return gs_fail(err, GS_E_USAGE,
		    "--engine takes slurm, not \"%.40s\"; docs/scale.md has "
		    "recipes for others",
		    submit->engine ? submit->engine : "");
	if (args->n == 0 && submit->build.from.n == 0)
		return gs_fail(err, GS_E_USAGE,
		    "no repository is given; name one, or a list with --from");
	if (submit->shards > GS_SUBMIT_SHARDS_MAX)
		return gs_fail(err, GS_E_USAGE, "--shards takes 1 to %d",
		    GS_SUBMIT_SHARDS_MAX);
	int rc = check_word("time", submit->time, err);
	if (rc == 0)
		rc = check_word("memory", submit->memory, err);
	if (rc == 0)
		rc = check_word("partition", submit->partition, err);
	return rc ? rc : gs_step_check(&submit->build, err);
}

static int make_folder(
    const char *folder, struct gs_plan *plan, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *path = gs_path_join(folder, "plan.json");
	if (gs_path_exists(path))
		return gs_fail(err, GS_E_EXISTS,
		    "%s is there from an earlier submit: --status says how "
		    "far it is, --resubmit fills gaps, removing the folder "
		    "begins anew",
		    folder);
	GS_CLEANUP(gs_freep) char *results = gs_path_join(folder, "results");
	int rc = gs_dir_make(results, 0777, err);
	if (rc == 0)
		rc = gs_path_real(folder, &plan->folder, err);
	/* A line of the script names it, in quotes. */
	if (rc == 0 && strpbrk(plan->folder, "\"\\\n%"))
		rc = gs_fail(err, GS_E_USAGE,
		    "the workspace's path holds a quote, a backslash, a per "
		    "cent sign or a line end, which Slurm does not take");
	return rc;
}

static int write_file(const struct gs_plan *plan, const char *name,
    const struct gs_buf *text, mode_t mode, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *path = gs_path_join(plan->folder, name);
	return gs_file_write(path, gs_buf_str(text), mode, err);
}

static int begin(struct gs_cli *cli, const struct gs_submit_options *submit,
    const struct gs_strv *args, const char *folder, struct gs_err *err)
{
	GS_CLEANUP(gs_plan_release)
	struct gs_plan plan = {.shards = submit->shards ? submit->shards : 4};
	GS_CLEANUP(gs_strv_release) struct gs_strv arguments = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf script = {0}, list = {0};
	GS_CLEANUP(gs_freep) char *bin = gs_path_of_self();
	GS_CLEANUP(gs_freep) char *goldset = gs_path_join(bin, "goldset");
	int rc = check(submit, args, err);
	if (rc == 0)
		rc = gs_submit_list(submit, args, &list, err);
	if (rc == 0)
		rc = make_folder(folder, &plan, err);
	if (rc)
		return rc;
	gs_submit_arguments(cli->command, submit, &arguments);
	gs_submit_script(submit, &plan, goldset, &arguments, &script);
	rc = write_file(&plan, "list", &list, 0644, err);
	if (rc == 0)
		rc = write_file(&plan, "array.sh", &script, 0755, err);
	if (rc == 0)
		rc = gs_plan_write(&plan, err);
	return rc ? rc : submit_gaps(cli, &plan, submit->dry_run, err);
}

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	const struct gs_submit_options *submit = opts;
	GS_CLEANUP(gs_plan_release) struct gs_plan plan = {0};
	GS_CLEANUP(gs_freep)
	char *folder = gs_path_join(cli->workspace, "submit");
	if (!submit->status && !submit->resubmit)
		return begin(cli, submit, args, folder, err);
	int rc = gs_plan_read(folder, &plan, err);
	if (rc == 0 && submit->resubmit)
		rc = submit_gaps(cli, &plan, submit->dry_run, err);
	else if (rc == 0)
		show_status(cli, &plan);
	return rc;
}

const struct gs_command gs_cmd_submit = {
    .name = "submit",
    .summary = "deal a build out to the machines of a cluster",
    .synopsis = "--engine slurm [OPTIONS] REPO...|--status|--resubmit",
    .about = "Writes the script of a job array, one task a shard, into the "
             "workspace's folder\nsubmit, and submits it, with the options of "
             "build. The workspace must lie where\nevery machine sees it. "
             "Results say what is done: --status tells, --resubmit fills\nthe "
             "gaps, and goldset merge on submit/results makes one workspace "
             "of them.",
    .example = "goldset submit --engine slurm --shards 2 --dry-run "
               "path/to/repository",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct gs_submit_options),
    .min_args = 0,
    .max_args = -1,
    .needs = GS_NEEDS_NOTHING,
    .run = run,
};

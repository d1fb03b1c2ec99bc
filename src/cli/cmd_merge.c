/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "base/mem.h"
#include "cli/command.h"
#include "os/file.h"
#include "os/signals.h"
#include "store/merge.h"

static bool is_workspace(const char *folder)
{
	GS_CLEANUP(gs_freep) char *path = gs_path_join(folder, "state.db");
	return gs_path_exists(path);
}

/* The parts that --results put there, by name. */
static int list_parts(
    const char *folder, struct gs_strv *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_dir_closep) DIR *dir = opendir(folder);
	const struct dirent *entry;
	size_t before = ret->n;
	if (!dir)
		return gs_fail(err, GS_E_NOT_FOUND,
		    "%s cannot be read: %s; give workspaces, or a folder of "
		    "results",
		    folder, strerrordesc_np(errno));
	while ((entry = readdir(dir))) {
		GS_CLEANUP(gs_freep)
		char *part = gs_path_join(folder, entry->d_name);
		if (strncmp(entry->d_name, "shard-", 6) == 0 &&
		    is_workspace(part))
			gs_strv_push(ret, part);
	}
	if (ret->n == before)
		return gs_fail(err, GS_E_NOT_FOUND,
		    "%s is neither a workspace nor a folder of results: there "
		    "is no state.db in it, and no shard-I-of-N with one",
		    folder);
	return 0;
}

static int list_folders(
    const struct gs_strv *args, struct gs_strv *ret, struct gs_err *err)
{
	for (size_t i = 0; i < args->n; i++) {
		if (is_workspace(args->v[i])) {
			gs_strv_push(ret, args->v[i]);
			continue;
		}
		GS_CLEANUP(gs_strv_release) struct gs_strv parts = {0};
		int rc = list_parts(args->v[i], &parts, err);
		if (rc)
			return rc;
		gs_strv_sort(&parts);
		gs_strv_copy(ret, &parts);
	}
	return 0;
}

static void write_json(struct gs_cli *cli, const char *folder,
    const struct gs_merge_result *result)
{
	struct gs_json json = {.out = &cli->out};
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "step", "merge");
	gs_json_put_cstr(&json, "from", folder);
	gs_json_put_int(&json, "projects", result->projects);
	gs_json_put_int(&json, "commits", result->commits);
	gs_json_put_int(&json, "candidates", result->candidates);
	gs_json_put_int(&json, "records", result->records);
	gs_json_put_strv(&json, "conflicts", &result->conflicts);
	gs_json_end_object(&json);
	gs_buf_addc(&cli->out, '\n');
}

static void report(struct gs_cli *cli, const char *folder,
    const struct gs_merge_result *result)
{
	if (cli->json)
		write_json(cli, folder, result);
	for (size_t i = 0; i < result->conflicts.n; i++)
		gs_cli_warn(cli, "%s", result->conflicts.v[i]);
	if (result->n_conflicts == 0) {
		gs_cli_say(cli,
		    "%s: new here are %lld project%s, %lld commit%s, %lld "
		    "candidate%s and %lld record%s",
		    folder, (long long)result->projects, GS_S(result->projects),
		    (long long)result->commits, GS_S(result->commits),
		    (long long)result->candidates, GS_S(result->candidates),
		    (long long)result->records, GS_S(result->records));
		return;
	}
	gs_cli_warn(cli,
	    "nothing of %s is taken: it and this workspace have seen %lld "
	    "things that cannot both be true; leave out the one that is wrong",
	    folder, (long long)result->n_conflicts);
	cli->status = 1;
}

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv folders = {0};
	(void)opts;
	int rc = list_folders(args, &folders, err);
	for (size_t i = 0; rc == 0 && i < folders.n; i++) {
		struct gs_merge_result result = {0};
		if (gs_stop_requested())
			return gs_fail(err, GS_E_CANCELLED, "interrupted");
		rc = gs_store_merge(cli->store, folders.v[i], &result, err);
		if (rc == 0)
			report(cli, folders.v[i], &result);
		gs_merge_result_release(&result);
	}
	return rc;
}

const struct gs_command gs_cmd_merge = {
    .name = "merge",
    .summary = "take in what other workspaces have seen",
    .synopsis = "DIR...",
    .about = "A DIR is a workspace, or a folder into which --results put the "
             "parts of a build.\nCommits, verdicts and records that are new "
             "here are added; no mirror is needed,\nand merging again changes "
             "nothing. Of a workspace that has seen something which\ncannot "
             "be true together with what is here, nothing is taken: each "
             "conflict is\nnamed with both sides, and the exit status is 1.",
    .example = "goldset merge results",
    .min_args = 1,
    .max_args = -1,
    .needs = GS_NEEDS_STORE_WRITE,
    .run = run,
};

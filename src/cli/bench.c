/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/bench.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/mirrors.h"
#include "cli/progress.h"
#include "os/file.h"
#include "os/pool.h"
#include "validate/validate.h"

int gs_bench_kit_open(const struct gs_bench_options *options,
    struct gs_bench_kit *ret, struct gs_err *err)
{
	size_t n = options->pythons.n;
	ret->envs = gs_alloc((n + 1) * sizeof(*ret->envs));
	int rc = gs_box_probe(options->unsafe, &ret->box, err);
	if (rc == 0 && n == 0) {
		rc = gs_env_default(&ret->envs[0], err);
		ret->n_envs = rc == 0;
	}
	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = gs_env_system(options->pythons.v[i], &ret->envs[i], err);
		ret->n_envs += rc == 0;
	}
	return rc;
}

void gs_bench_kit_release(struct gs_bench_kit *kit)
{
	for (size_t i = 0; i < kit->n_envs; i++)
		gs_env_release(&kit->envs[i]);
	free(kit->envs);
	gs_box_release(&kit->box);
	*kit = (struct gs_bench_kit){0};
}

static bool has_env(const struct gs_bench_kit *kit, const struct gs_task *task)
{
	for (size_t i = 0; i < kit->n_envs; i++)
		if (gs_env_is_of(&kit->envs[i], task))
			return true;
	return false;
}

static bool is_wanted(const struct gs_bench_kit *kit,
    const struct gs_tasks *tasks, const struct gs_env *env)
{
	for (size_t i = 0; i < tasks->n; i++)
		if (gs_env_is_of(env, &tasks->v[i]))
			return !has_env(kit, &tasks->v[i]);
	return false;
}

static void add_env(struct gs_bench_kit *kit, struct gs_env *env)
{
	kit->envs =
	    gs_realloc(kit->envs, (kit->n_envs + 1) * sizeof(*kit->envs));
	kit->envs[kit->n_envs++] = *env;
}

void gs_bench_find_envs(
    struct gs_cli *cli, const struct gs_tasks *tasks, struct gs_bench_kit *kit)
{
	bool is_complete = true;
	const struct dirent *entry;
	GS_CLEANUP(gs_freep)
	char *folder = gs_path_join(cli->workspace, "envs");
	for (size_t i = 0; is_complete && i < tasks->n; i++)
		is_complete = has_env(kit, &tasks->v[i]);
	GS_CLEANUP(gs_dir_closep)
	DIR *dir = is_complete ? NULL : opendir(folder);
	while (dir && (entry = readdir(dir)) != NULL) {
		struct gs_env env = {0};
		GS_CLEANUP(gs_freep)
		char *path = gs_path_join(folder, entry->d_name);
		if (entry->d_name[0] == '.' || !gs_path_is_dir(path) ||
		    gs_env_made(path, &env, NULL))
			continue;
		if (is_wanted(kit, tasks, &env))
			add_env(kit, &env);
		else
			gs_env_release(&env);
	}
}

/* Records of one project follow each other. */
static void find_mirror(struct gs_cli *cli,
    const struct gs_bench_options *options, struct gs_task *task,
    const struct gs_task *known)
{
	if (known && strcmp(known->record.repo, task->record.repo) == 0) {
		task->mirror = gs_strdup(known->mirror);
		task->lacking = gs_strdup(known->lacking);
		return;
	}
	struct gs_err err = {0};
	if (gs_mirror_of_record(
	        cli, &task->record, options->mirror, &task->mirror, &err)) {
		task->lacking = gs_strdup(err.text);
		gs_cli_warn(cli, "%s: %s", task->record.repo, err.text);
	}
}

void gs_bench_find_mirrors(struct gs_cli *cli,
    const struct gs_bench_options *options, struct gs_tasks *tasks,
    const bool *wanted)
{
	const struct gs_task *known = NULL;
	for (size_t i = 0; i < tasks->n; i++) {
		struct gs_task *task = &tasks->v[i];
		if (wanted && !wanted[i])
			continue;
		find_mirror(cli, options, task, known);
		task->pytest_option = gs_strdup(gs_project_setting(
		    &cli->config, task->record.repo, "pytestoption"));
		known = task;
	}
}

static void show_progress(void *ctx, size_t done, size_t total)
{
	struct gs_cli *cli = ctx;
	gs_progress(
	    cli, cli->command->name, (int64_t)done, (int64_t)total, NULL);
}

void gs_bench_score_options(struct gs_cli *cli,
    const struct gs_bench_options *options, const struct gs_bench_kit *kit,
    struct gs_score_options *ret)
{
	*ret = (struct gs_score_options){
	    .workspace = cli->workspace,
	    .envs = kit->envs,
	    .n_envs = kit->n_envs,
	    .box = &kit->box,
	    .limits = gs_box_default_limits,
	    .jobs = gs_pool_size(options->jobs),
	    .progress = show_progress,
	    .ctx = cli,
	};
	if (options->timeout_s)
		ret->limits.timeout_ms = (int)options->timeout_s * 1000;
}

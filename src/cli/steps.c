/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/steps.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/hold_out.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "cli/shard.h"
#include "licence/licence.h"
#include "mine/mine.h"
#include "os/file.h"
#include "os/pool.h"
#include "publish/publish.h"
#include "run/run.h"
#include "store/query.h"
#include "validate/validate.h"

static int one_of(const char *option, const char *value,
    const char *const *values, size_t n, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf list = {0};
	for (size_t i = 0; i < n; i++) {
		if (!value || strcmp(value, values[i]) == 0)
			return 0;
		gs_buf_addf(&list, "%s%s", i ? ", " : "", values[i]);
	}
	return gs_fail(err, GS_E_USAGE, "%s takes one of %s, not \"%s\"",
	    option, gs_buf_cstr(&list), value);
}

static int check_licences(const struct gs_strv *accept, struct gs_err *err)
{
	for (size_t i = 0; i < accept->n; i++) {
		bool is_known = false;
		for (size_t k = 0; gs_licence_extra_ids[k]; k++)
			is_known |=
			    strcmp(accept->v[i], gs_licence_extra_ids[k]) == 0;
		if (!is_known)
			return gs_fail(err, GS_E_USAGE,
			    "--accept takes 0BSD, Zlib or Unlicense, not "
			    "\"%s\"",
			    accept->v[i]);
	}
	return 0;
}

int gs_step_check(const struct gs_step_options *options, struct gs_err *err)
{
	static const char *const walks[] = {"commits", "first-parent"};
	static const char *const envs[] = {"system", "venv"};
	static const char *const kinds[] = {"bug", "feature", "unclear"};
	unsigned shims = 0;
	struct gs_shard shard;
	int rc = gs_shard_option(options, &shard, err);
	if (rc)
		return rc;
	rc = one_of("--walk", options->walk, walks, GS_COUNT(walks), err);
	if (rc == 0)
		rc = one_of("--env", options->env, envs, GS_COUNT(envs), err);
	for (size_t i = 0; rc == 0 && i < options->kinds.n; i++)
		rc = one_of("--kinds", options->kinds.v[i], kinds,
		    GS_COUNT(kinds), err);
	if (rc == 0 && options->shims)
		rc = gs_shim_parse(options->shims, &shims, err);
	if (rc == 0)
		rc = check_licences(&options->accept, err);
	if (rc == 0 && options->until && options->since > options->until)
		rc = gs_fail(err, GS_E_USAGE,
		    "no commit is at or after --since and before --until: the "
		    "first date is the later one");
	if (rc == 0 && options->wheels && !gs_path_is_dir(options->wheels))
		rc = gs_fail(err, GS_E_USAGE,
		    "--wheels takes a folder, and %s is none", options->wheels);
	struct gs_publish_options publish = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf key = {0};
	return rc ? rc : gs_step_hold_out(options, &publish, &key, err);
}

int gs_step_projects(struct gs_cli *cli, const struct gs_step_options *options,
    const struct gs_strv *names, struct gs_strv *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv all = {0};
	int rc = gs_store_project_names(cli->store, &all, err);
	if (rc)
		return rc;
	if (!names || names->n == 0)
		gs_strv_copy(ret, &all);
	for (size_t i = 0; names && i < names->n; i++) {
		if (!gs_strv_has(&all, names->v[i]))
			return gs_fail(err, GS_E_NOT_FOUND,
			    "there is no project %s in %s; goldset add "
			    "registers one",
			    names->v[i], cli->workspace);
		gs_strv_push(ret, names->v[i]);
	}
	return gs_shard_keep(options, ret, err);
}

static void mine_tick(void *ctx, const char *project, int64_t commits)
{
	gs_progress(ctx, project, commits, 0, "commits");
}

void gs_step_licences(
    const struct gs_step_options *options, struct gs_strv *ret)
{
	for (size_t i = 0; gs_licence_default_ids[i]; i++)
		gs_strv_push(ret, gs_licence_default_ids[i]);
	for (size_t i = 0; i < options->accept.n; i++)
		gs_strv_push(ret, options->accept.v[i]);
}

static int mine_one(struct gs_cli *cli, const struct gs_mine_options *mine,
    const char *name, struct gs_err *err)
{
	struct gs_project project = {0};
	struct gs_mine_result result = {0};
	int rc = gs_store_project(cli->store, name, &project, err);
	if (rc == 0 && !project.excluded_reason)
		rc = gs_mine_project(cli->store, &project, mine, &result, err);
	if (rc == 0)
		gs_report_mine(cli, name, &result);
	gs_project_release(&project);
	return rc;
}

int gs_step_mine(struct gs_cli *cli, const struct gs_step_options *options,
    const struct gs_strv *projects, int64_t *ret_broken, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv names = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv accepted = {0};
	gs_step_licences(options, &accepted);
	const struct gs_mine_options mine = {
	    .workspace = cli->workspace,
	    .first_parent =
	        options->walk && strcmp(options->walk, "first-parent") == 0,
	    .licences = &accepted,
	    .tick = mine_tick,
	    .ctx = cli,
	};
	int rc = gs_step_projects(cli, options, projects, &names, err);
	for (size_t i = 0; rc == 0 && i < names.n; i++) {
		struct gs_err one = {0};
		rc = mine_one(cli, &mine, names.v[i], &one);
		if (rc == GS_E_CORRUPT || rc == GS_E_NOT_FOUND ||
		    rc == GS_E_LIMIT || rc == GS_E_BUSY) {
			gs_cli_warn(cli, "%s; it is left out", one.text);
			++*ret_broken;
			rc = 0;
		} else if (rc) {
			*err = one;
		}
	}
	return rc;
}

static void validate_tick(
    void *ctx, const struct gs_validate_progress *progress)
{
	GS_CLEANUP(gs_freep)
	char *more = gs_format("%lld record%s", (long long)progress->records,
	    GS_S(progress->records));
	gs_progress(ctx, "validate", progress->done, progress->total, more);
}

static unsigned shims_of(const struct gs_step_options *options)
{
	unsigned shims = options->shim ? GS_SHIM_ALL : 0;
	if (options->shims)
		gs_ignore(gs_shim_parse(options->shims, &shims, NULL));
	return shims;
}

int gs_step_validate(struct gs_cli *cli, const struct gs_step_options *options,
    const struct gs_strv *projects, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv names = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv accepted = {0};
	/* bubblewrap takes its sources from "/", whatever our folder is. */
	GS_CLEANUP(gs_freep) char *workspace = realpath(cli->workspace, NULL);
	if (!workspace)
		return gs_fail_sys(err, "find %s", cli->workspace);
	gs_step_licences(options, &accepted);
	struct gs_validate_options validate = {
	    .workspace = workspace,
	    .jobs = gs_pool_size(options->jobs),
	    .filter = {.projects = &names,
	        .since = options->since,
	        /* The store counts the last second in. */
	        .until = options->until ? options->until - 1 : 0,
	        .limit = options->limit,
	        .retry_environment = options->retry},
	    .limits = gs_box_default_limits,
	    .env = options->env && strcmp(options->env, "venv") == 0
	               ? GS_ENV_VENV
	               : GS_ENV_SYSTEM,
	    .pythons = &options->pythons,
	    .wheels = options->wheels,
	    .shims = shims_of(options),
	    .allow_unsafe = options->unsafe,
	    .exhaustive = options->exhaustive,
	    .cold = options->cold,
	    .keep_missing_names = options->missing_names,
	    .licences = &accepted,
	    .config = &cli->config,
	    .progress = validate_tick,
	    .ctx = cli,
	};
	if (options->timeout_s)
		validate.limits.timeout_ms = (int)(options->timeout_s * 1000);
	struct gs_validate_result result = {0};
	int rc = gs_step_projects(cli, options, projects, &names, err);
	if (rc == 0)
		rc = gs_validate(cli->store, &validate, &result, err);
	if (rc == 0 || rc == GS_E_CANCELLED)
		gs_report_validate(cli, &result);
	if (result.infra > 0)
		cli->status = 1;
	free(result.last_infra);
	return rc;
}

/* I4: where else a text ships is known only when every project's tips were
 * looked at; with one project there is no elsewhere. */
static int survey_tips(struct gs_cli *cli, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv names = {0};
	int rc = gs_store_project_names(cli->store, &names, err);
	for (size_t i = 0; rc == 0 && names.n > 1 && i < names.n; i++) {
		struct gs_project project = {0};
		gs_progress(cli, "look for copies", (int64_t)i,
		    (int64_t)names.n, names.v[i]);
		rc = gs_store_project(cli->store, names.v[i], &project, err);
		if (rc == 0)
			rc = gs_mine_survey(
			    cli->store, cli->workspace, &project, err);
		gs_project_release(&project);
	}
	return rc;
}

/* The last value of "release.<key>" in goldset.conf, or NULL. */
static const char *release_setting(const struct gs_cli *cli, const char *key)
{
	GS_CLEANUP(gs_freep) char *name = gs_format("release.%s", key);
	const char *value = NULL;
	for (size_t i = 0; i < cli->config.n; i++)
		if (strcmp(cli->config.v[i].key, name) == 0)
			value = cli->config.v[i].value;
	return value;
}

int gs_step_publish(struct gs_cli *cli, const struct gs_step_options *options,
    const char *folder, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv kinds = {0};
	gs_strv_copy(&kinds, &options->kinds);
	if (kinds.n == 0)
		gs_strv_push(&kinds, "bug");
	struct gs_publish_options publish = {
	    .folder = folder,
	    .version = options->version,
	    .kinds = &kinds,
	    .replace = options->replace,
	    .previous = options->previous,
	    .publisher = {.name = release_setting(cli, "name"),
	        .dataset_id = release_setting(cli, "dataset"),
	        .homepage = release_setting(cli, "homepage"),
	        .code_url = release_setting(cli, "code"),
	        .author = release_setting(cli, "author"),
	        .contact = release_setting(cli, "contact"),
	        .funding = release_setting(cli, "funding")},
	    .watch = {gs_progress_tell, cli},
	};
	GS_CLEANUP(gs_buf_release) struct gs_buf key = {0};
	struct gs_publish_result result = {0};
	int rc = gs_step_hold_out(options, &publish, &key, err);
	if (rc == 0)
		rc = survey_tips(cli, err);
	if (rc == 0)
		rc = gs_publish(cli->store, &publish, &result, err);
	if (rc)
		return rc;
	gs_step_say_hold_out(cli, &publish, &result);
	gs_report_publish(cli, folder, &result);
	return 0;
}

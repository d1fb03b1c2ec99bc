/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "cli/mirrors.h"
#include "cli/progress.h"
#include "cli/shard.h"
#include "git/names.h"
#include "mine/mine.h"
#include "os/file.h"
#include "os/signals.h"

int gs_step_read_list(const char *path, struct gs_strv *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	int rc = gs_file_read(path, 16 * GS_MIB, &text, err);
	if (rc)
		return rc;
	struct gs_str rest = gs_buf_str(&text), line;
	while (rest.n && gs_str_cut(&rest, '\n', &line)) {
		line = gs_str_trim(line);
		if (line.n > 0 && line.p[0] != '#')
			gs_strv_push_str(ret, line);
	}
	return 0;
}

/* 1 added, 0 another shard's, negative error. */
static int add_request(struct gs_cli *cli,
    const struct gs_step_options *options, const struct gs_mine_source *request,
    struct gs_project *ret, struct gs_err *err)
{
	struct gs_shard shard;
	GS_CLEANUP(gs_freep) char *name = NULL;
	int rc = gs_shard_option(options, &shard, err);
	if (rc == 0 && shard.n > 1)
		rc = gs_mine_name(cli->store, request, &name, err);
	if (rc || (name && !gs_shard_has(&shard, name)))
		return rc;
	rc = gs_mine_add(cli->store, cli->workspace, request, ret, err);
	return rc ? rc : 1;
}

static int add_one(struct gs_cli *cli, const struct gs_step_options *options,
    const char *source, struct gs_project *ret, struct gs_err *err)
{
	struct gs_mine_source request = {.source = source, .as = options->as};
	struct gs_str owner, name;
	if (!options->mirror)
		return add_request(cli, options, &request, ret, err);
	if (!gs_name_split(gs_str(source), &owner, &name))
		return gs_fail(err, GS_E_USAGE,
		    "with --mirror, give a URL or OWNER/NAME, not \"%s\"",
		    source);
	GS_CLEANUP(gs_buf_release) struct gs_buf path = {0};
	GS_CLEANUP(gs_freep)
	char *full =
	    gs_format("%.*s/%.*s", GS_STR_ARG(owner), GS_STR_ARG(name));
	gs_mirror_template(options->mirror, owner, name, &path);
	request.source = gs_buf_cstr(&path);
	if (!request.as)
		request.as = full;
	if (strncmp(source, "https://", 8) == 0)
		request.repo_url = source;
	return add_request(cli, options, &request, ret, err);
}

/* What ends the whole command rather than one repository's part in it. */
static bool is_final(int rc)
{
	return rc == GS_E_CANCELLED || rc == GS_E_SYSTEM;
}

int gs_step_add(struct gs_cli *cli, const struct gs_step_options *options,
    const struct gs_strv *sources, struct gs_strv *ret_projects,
    int64_t *ret_broken, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv all = {0};
	gs_strv_copy(&all, sources);
	int rc = gs_git_check(err);
	for (size_t i = 0; rc == 0 && i < options->from.n; i++)
		rc = gs_step_read_list(options->from.v[i], &all, err);
	if (rc)
		return rc;
	if (options->as && all.n > 1)
		return gs_fail(err, GS_E_USAGE,
		    "--as names one repository, but %zu are given", all.n);
	for (size_t i = 0; i < all.n; i++) {
		struct gs_project project = {0};
		if (gs_stop_requested())
			return gs_fail(err, GS_E_CANCELLED, "interrupted");
		struct gs_err one = {0};
		gs_progress(cli, "add", (int64_t)i, (int64_t)all.n, all.v[i]);
		rc = add_one(cli, options, all.v[i], &project, &one);
		if (rc > 0) {
			gs_strv_push(ret_projects, project.name);
		} else if (rc == 0) {
			continue;
		} else if ((all.n == 1 && !options->shard) || is_final(rc)) {
			*err = one;
			return rc;
		} else {
			gs_cli_warn(cli, "%s; it is left out", one.text);
			++*ret_broken;
		}
		gs_project_release(&project);
	}
	gs_strv_sort(ret_projects);
	gs_strv_uniq(ret_projects);
	return 0;
}

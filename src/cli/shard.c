/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/shard.h"

#include <stdlib.h>

#include "base/mem.h"
#include "mine/mine.h"
#include "os/signals.h"
#include "store/merge.h"

int gs_shard_option(const struct gs_step_options *options, struct gs_shard *ret,
    struct gs_err *err)
{
	*ret = (struct gs_shard){.n = 1};
	return options->shard ? gs_shard_parse(options->shard, ret, err) : 0;
}

char *gs_shard_folder(const char *results, const struct gs_shard *shard)
{
	return gs_format("%s/shard-%u-of-%u", results, shard->at, shard->n);
}

int gs_shard_keep(const struct gs_step_options *options, struct gs_strv *names,
    struct gs_err *err)
{
	struct gs_shard shard;
	int rc = gs_shard_option(options, &shard, err);
	if (rc || names->n == 0)
		return rc;
	bool *drop = gs_alloc(names->n * sizeof(*drop));
	for (size_t i = 0; i < names->n; i++)
		drop[i] = !gs_shard_has(&shard, names->v[i]);
	gs_strv_filter(names, drop);
	free(drop);
	return 0;
}

/* I4: whoever merges has no mirrors to look into. */
static int survey(struct gs_cli *cli, const struct gs_step_options *options,
    struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv names = {0};
	int rc = gs_step_projects(cli, options, NULL, &names, err);
	for (size_t i = 0; rc == 0 && i < names.n; i++) {
		GS_CLEANUP(gs_project_release) struct gs_project project = {0};
		if (gs_stop_requested())
			return gs_fail(err, GS_E_CANCELLED, "interrupted");
		rc = gs_store_project(cli->store, names.v[i], &project, err);
		if (rc == 0)
			rc = gs_mine_survey(
			    cli->store, cli->workspace, &project, err);
	}
	return rc;
}

int gs_step_results(struct gs_cli *cli, const struct gs_step_options *options,
    struct gs_err *err)
{
	struct gs_shard shard;
	if (!options->results)
		return 0;
	int rc = gs_shard_option(options, &shard, err);
	if (rc == 0)
		rc = survey(cli, options, err);
	if (rc)
		return rc;
	GS_CLEANUP(gs_freep)
	char *folder = gs_shard_folder(options->results, &shard);
	rc = gs_store_export(cli->store, folder, err);
	if (rc == 0)
		gs_cli_say(cli, "what was seen is in %s", folder);
	return rc;
}

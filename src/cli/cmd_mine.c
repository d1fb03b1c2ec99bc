/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/shard.h"

static const struct gs_option options[] = {
    GS_STEP_MINE_ROWS, GS_STEP_WINDOW_ROWS, GS_SHARD_ROW};

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	int64_t broken = 0;
	int rc = gs_step_check(opts, err);
	if (rc == 0)
		rc = gs_step_mine(cli, opts, args, &broken, err);
	cli->status = broken > 0;
	return rc;
}

const struct gs_command gs_cmd_mine = {
    .name = "mine",
    .summary = "list the commits of projects and find the candidates",
    .synopsis = "[OPTIONS] [PROJECT...]",
    .about = "Walks what is new since the last call in the mirrors of the "
             "projects (all when\nnone is named) and decides for each commit "
             "whether it is a candidate: one\nparent, source and tests "
             "changed together, a licence that is accepted.",
    .example = "goldset mine --walk first-parent",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct gs_step_options),
    .min_args = 0,
    .max_args = -1,
    .needs = GS_NEEDS_STORE_WRITE,
    .run = run,
};

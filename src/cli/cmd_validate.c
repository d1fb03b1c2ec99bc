/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/shard.h"

static const struct gs_option options[] = {
    GS_STEP_VALIDATE_ROWS, GS_STEP_WINDOW_ROWS, GS_SHARD_ROW, GS_RESULTS_ROW};

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	int rc = gs_step_check(opts, err);
	if (rc == 0)
		rc = gs_step_validate(cli, opts, args, err);
	return rc ? rc : gs_step_results(cli, opts, err);
}

const struct gs_command gs_cmd_validate = {
    .name = "validate",
    .summary = "run the tests of candidates before and after, and decide",
    .synopsis = "[OPTIONS] [PROJECT...]",
    .about = "Each candidate's tests are run in a sandbox on the code before "
             "the fix and after\nit, reduced to the smallest text that "
             "reproduces, repeated, and tried against\ncheats. What survives "
             "is a record; everything else has its reason (goldset "
             "explain).\nStop it at any moment: what was finished is kept.",
    .example = "goldset validate -j2 --limit 100 --shim",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct gs_step_options),
    .min_args = 0,
    .max_args = -1,
    .needs = GS_NEEDS_STORE_WRITE,
    .run = run,
};

/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/steps.h"

static const struct gs_option options[] = {GS_STEP_PUBLISH_ROWS};

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	int rc = gs_step_check(opts, err);
	return rc ? rc : gs_step_publish(cli, opts, args->v[0], err);
}

const struct gs_command gs_cmd_publish = {
    .name = "publish",
    .summary = "write the records as a complete, checked release",
    .synopsis = "[OPTIONS] RELEASE",
    .about = "RELEASE is a new folder: the Parquet files, the card, the "
             "datasheet, attribution,\nlicence texts, evidence and checksums. "
             "It appears whole or not at all, and the\nsame workspace gives "
             "the same bytes.",
    .example = "goldset publish --version 1.0.0 release",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct gs_step_options),
    .min_args = 1,
    .max_args = 1,
    .needs = GS_NEEDS_STORE_WRITE,
    .run = run,
};

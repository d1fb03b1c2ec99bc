/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "base/datetime.h"
#include "base/json.h"
#include "cli/command.h"
#include "os/clock.h"

struct exclude_options {
	const char *reason;
};

static const struct gs_option options[] = {
    {"reason", 0, GS_OPT_TEXT, "TEXT", "why, for withdrawn.csv (required)",
        offsetof(struct exclude_options, reason)},
};

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	const struct exclude_options *exclude = opts;
	struct gs_project project = {0};
	char at[GS_DATETIME_SIZE];
	if (!exclude->reason || !exclude->reason[0])
		return gs_fail(
		    err, GS_E_USAGE, "why is it excluded? Give --reason TEXT");
	gs_datetime_print(gs_clock_wall(), at);
	int rc = gs_store_project(cli->store, args->v[0], &project, err);
	if (rc == 0)
		rc = gs_store_exclude(
		    cli->store, project.id, exclude->reason, at, err);
	if (rc == 0)
		gs_cli_say(cli,
		    "%s is gone from later releases; ids that were published "
		    "stay in withdrawn.csv",
		    args->v[0]);
	if (rc == 0 && cli->json) {
		struct gs_json json = {.out = &cli->out};
		gs_json_begin_object(&json);
		gs_json_put_cstr(&json, "project", args->v[0]);
		gs_json_put_cstr(&json, "reason", exclude->reason);
		gs_json_end_object(&json);
		gs_buf_addc(&cli->out, '\n');
	}
	gs_project_release(&project);
	return rc;
}

const struct gs_command gs_cmd_exclude = {
    .name = "exclude",
    .summary = "leave a project out of later releases",
    .synopsis = "PROJECT --reason TEXT",
    .about = "For a maintainer's request. What is published stays published; "
             "later releases\nleave the project's records out and name their "
             "ids in withdrawn.csv.",
    .example = "goldset exclude owner/name --reason \"asked by the "
               "maintainer\"",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct exclude_options),
    .min_args = 1,
    .max_args = 1,
    .needs = GS_NEEDS_STORE_WRITE,
    .run = run,
};

/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/shard.h"
#include "cli/style.h"

static const struct gs_option options[] = {GS_STEP_ADD_ROWS, GS_SHARD_ROW};

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv projects = {0};
	const struct gs_step_options *add = opts;
	int64_t broken = 0;
	if (args->n == 0 && add->from.n == 0)
		return gs_fail(err, GS_E_USAGE,
		    "no repository is given; name one, or a list with --from");
	int rc = gs_step_add(cli, add, args, &projects, &broken, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < projects.n; i++) {
		if (!cli->json) {
			gs_put_line(cli, gs_str(projects.v[i]));
			continue;
		}
		struct gs_json json = {.out = &cli->out};
		gs_json_begin_object(&json);
		gs_json_put_cstr(&json, "project", projects.v[i]);
		gs_json_end_object(&json);
		gs_buf_addc(&cli->out, '\n');
	}
	cli->status = broken > 0;
	return 0;
}

const struct gs_command gs_cmd_add = {
    .name = "add",
    .summary = "register repositories, with a private mirror of each",
    .synopsis = "[OPTIONS] REPO...",
    .about = "A REPO is an https URL or a folder with a repository, bare or "
             "not. Its objects\nare mirrored; nothing of its configuration, "
             "hooks or filters is executed.\nAdding a repository again "
             "refreshes its mirror. One that has moved is found again with\n"
             "--as and its project's name.",
    .example = "goldset add --as demo/shop path/to/repository",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct gs_step_options),
    .min_args = 0,
    .max_args = -1,
    .needs = GS_NEEDS_STORE_WRITE,
    .run = run,
};

/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/shard.h"
#include "os/file.h"
#include "publish/publish.h"

static const struct gs_option options[] = {
    GS_STEP_ROW("output", 'o', GS_OPT_TEXT, "RELEASE",
        "the folder of the release (required without --results)", output),
    GS_STEP_ADD_ROWS, GS_STEP_MINE_ROWS, GS_STEP_WINDOW_ROWS,
    GS_STEP_VALIDATE_ROWS, GS_STEP_PUBLISH_ROWS, GS_SHARD_ROW, GS_RESULTS_ROW};

/* What would make the last step fail is said before the first begins. */
static int check_output(const struct gs_step_options *build, struct gs_err *err)
{
	if (!build->output)
		return 0;
	if (gs_path_exists(build->output) && !build->replace)
		return gs_fail(err, GS_E_EXISTS,
		    "%s is there already; give another folder, or --replace "
		    "if it is a release of goldset",
		    build->output);
	if (gs_path_exists(build->output) && !gs_is_release(build->output))
		return gs_fail(err, GS_E_EXISTS,
		    "%s is no release of goldset, so --replace leaves it "
		    "alone; give another folder",
		    build->output);
	return 0;
}

static int check(const struct gs_step_options *build,
    const struct gs_strv *args, struct gs_err *err)
{
	if (!build->output && !build->results)
		return gs_fail(err, GS_E_USAGE,
		    "where shall the release go? Give -o RELEASE");
	if (args->n == 0 && build->from.n == 0)
		return gs_fail(err, GS_E_USAGE,
		    "no repository is given; name one, or a list with --from");
	int rc = check_output(build, err);
	return rc ? rc : gs_step_check(build, err);
}

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	const struct gs_step_options *build = opts;
	GS_CLEANUP(gs_strv_release) struct gs_strv projects = {0};
	int64_t broken = 0;
	int rc = check(build, args, err);
	if (rc == 0)
		rc = gs_step_add(cli, build, args, &projects, &broken, err);
	/* Of a shard none may be: that is a result too. */
	if (rc == 0 && projects.n == 0 && (!build->shard || broken > 0))
		return gs_fail(err, GS_E_NOT_FOUND,
		    "none of the repositories could be read");
	if (rc == 0)
		rc = gs_step_mine(cli, build, &projects, &broken, err);
	if (rc == 0)
		rc = gs_step_validate(cli, build, &projects, err);
	if (rc == 0)
		rc = gs_step_results(cli, build, err);
	if (rc == 0 && build->output)
		rc = gs_step_publish(cli, build, build->output, err);
	if (broken > 0)
		cli->status = 1;
	return rc;
}

const struct gs_command gs_cmd_build = {
    .name = "build",
    .summary = "repositories in, a verified data set out: the main job",
    .synopsis = "[OPTIONS] REPO... -o RELEASE",
    .about = "Adds, mines, validates and publishes in one go, with the "
             "options of each step.\nCalled again it goes on where it was. A "
             "repository that cannot be read is\nreported and left out; the "
             "exit status is then 1.",
    .example = "goldset build path/to/repository -o release",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct gs_step_options),
    .min_args = 0,
    .max_args = -1,
    .needs = GS_NEEDS_STORE_WRITE,
    .run = run,
};

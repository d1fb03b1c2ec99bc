/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "audit/diff.h"
#include "cli/command.h"
#include "cli/style.h"

static void put_json_row(struct gs_cli *cli, const struct gs_change_row *row)
{
	struct gs_json json = {.out = &cli->out};
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "change", gs_row_change_name(row->change));
	gs_json_put_cstr(&json, "id", row->id);
	gs_json_put_cstr(&json, "repo", row->repo);
	gs_json_put_cstr(&json, "unit", row->unit);
	gs_json_put_cstr(&json, "reason", row->reason);
	gs_json_put_cstr(&json, "other", row->other);
	gs_json_put_cstr(&json, "detail", row->detail);
	gs_json_put_strv(&json, "columns", &row->columns);
	gs_json_end_object(&json);
	gs_buf_addc(&cli->out, '\n');
}

static void put_json(struct gs_cli *cli, const struct gs_release_diff *diff)
{
	for (size_t i = 0; i < diff->n; i++)
		put_json_row(cli, &diff->v[i]);
	struct gs_json json = {.out = &cli->out};
	gs_json_begin_object(&json);
	gs_json_key(&json, "summary");
	gs_json_begin_object(&json);
	gs_json_put_int(&json, "added", (int64_t)diff->added);
	gs_json_put_int(&json, "removed", (int64_t)diff->removed);
	gs_json_put_int(&json, "edited", (int64_t)diff->edited);
	gs_json_put_int(&json, "proven_again", (int64_t)diff->proven);
	gs_json_put_cstr(&json, "bump", gs_bump_name(diff->bump));
	gs_json_put_cstr(&json, "old_version", diff->old_version);
	gs_json_put_cstr(&json, "new_version", diff->new_version);
	gs_json_put_cstr(&json, "least_version", diff->least);
	gs_json_put_bool(&json, "version_is_true", diff->is_true);
	gs_json_end_object(&json);
	gs_json_end_object(&json);
	gs_buf_addc(&cli->out, '\n');
}

static const struct {
	const char *sign;
	enum gs_style style;
} signs[] = {
    [GS_CHANGE_ADDED] = {"+", GS_STYLE_GOOD},
    [GS_CHANGE_REMOVED] = {"-", GS_STYLE_BAD},
    [GS_CHANGE_EDITED] = {"~", GS_STYLE_WARN},
    [GS_CHANGE_PROVEN] = {"=", GS_STYLE_DIM},
};

/* How a reason goes on. */
static const char *link_of(const char *reason)
{
	return strcmp(reason, "duplicate") == 0    ? " of "
	       : strcmp(reason, "stands now") == 0 ? " for the same fix as "
	       : strcmp(reason, "made anew") == 0  ? " as, or from, "
	                                           : " ";
}

static void put_row(struct gs_cli *cli, const struct gs_change_row *row)
{
	gs_putf(cli, signs[row->change].style, "%s %s", signs[row->change].sign,
	    row->id);
	gs_putf(cli, GS_STYLE_PLAIN, "  %s %s  ", row->repo, row->unit);
	gs_put(cli, GS_STYLE_PLAIN, gs_str(row->reason));
	if (row->other)
		gs_putf(cli, GS_STYLE_PLAIN, "%s%s", link_of(row->reason),
		    row->other);
	if (row->detail)
		gs_putf(cli, GS_STYLE_PLAIN, " %s", row->detail);
	for (size_t i = 0; i < row->columns.n; i++)
		gs_putf(cli, GS_STYLE_PLAIN, "%s%s", i ? ", " : "",
		    row->columns.v[i]);
	gs_buf_addc(&cli->out, '\n');
}

static void say_version(struct gs_cli *cli, const struct gs_release_diff *diff)
{
	gs_cli_say(cli,
	    "%zu came, %zu went, %zu changed, %zu were only proven again",
	    diff->added, diff->removed, diff->edited, diff->proven);
	if (!diff->is_true)
		gs_cli_warn(cli,
		    "version %s says too little: after %s this is a %s "
		    "change, at least %s",
		    diff->new_version, diff->old_version,
		    gs_bump_name(diff->bump), diff->least);
	else if (diff->bump == GS_BUMP_NONE)
		gs_cli_say(cli, "the records are the same");
	else
		gs_cli_say(cli,
		    "a %s change: after %s at least %s, and it is %s",
		    gs_bump_name(diff->bump), diff->old_version, diff->least,
		    diff->new_version);
}

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	(void)opts;
	struct gs_release_diff diff = {0};
	int rc = gs_release_diff(args->v[0], args->v[1], &diff, err);
	if (rc == 0 && cli->json)
		put_json(cli, &diff);
	for (size_t i = 0; rc == 0 && !cli->json && i < diff.n; i++)
		put_row(cli, &diff.v[i]);
	if (rc == 0) {
		say_version(cli, &diff);
		cli->status = !diff.is_true;
	}
	gs_release_diff_release(&diff);
	return rc;
}

const struct gs_command gs_cmd_diff = {
    .name = "diff",
    .summary = "what came, went and changed between two releases",
    .synopsis = "OLD NEW",
    .about = "Every id that is in one release only, or in both with other "
             "columns, and why:\nwithdrawn, a duplicate of an older record "
             "now, made anew. The version number that\ntells the truth is "
             "major where records were edited or removed, minor where some\n"
             "were added, else patch; exit status 1 where NEW bears a lower "
             "one.",
    .example = "goldset diff release-1 release-2",
    .options = NULL,
    .n_options = 0,
    .options_size = 1,
    .min_args = 2,
    .max_args = 2,
    .needs = GS_NEEDS_NOTHING,
    .run = run,
};

/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/datetime.h"
#include "base/mem.h"
#include "cli/pager.h"
#include "cli/story.h"
#include "cli/style.h"
#include "store/query.h"

struct explain_options {
	bool logs;
};

static const struct gs_option options[] = {
    {"logs", 0, GS_OPT_FLAG, NULL,
        "with what each run printed, its time and hash seed",
        offsetof(struct explain_options, logs)},
};

static void put_head(struct gs_cli *cli, const struct gs_story *story)
{
	char at[GS_DATETIME_SIZE] = "no date";
	if (story->committed_at)
		gs_datetime_print(story->committed_at, at);
	gs_putf(cli, GS_STYLE_ACCENT, "%s", story->commit.hex);
	gs_putf(cli, GS_STYLE_PLAIN, "\n%s, %.10s", story->project, at);
	if (story->licence)
		gs_putf(cli, GS_STYLE_PLAIN, ", %s by %s", story->licence,
		    story->licence_file ? story->licence_file : "?");
	gs_buf_addz(&cli->out, "\n\n");
}

static void put_refusal(struct gs_cli *cli, const struct gs_story *story)
{
	const char *meaning = gs_reason_meaning(story->reason);
	const char *help = gs_reason_help(story->reason);
	gs_put(cli, GS_STYLE_BAD, GS_STR("Refused: "));
	gs_put(cli, GS_STYLE_BOLD, gs_str(story->reason));
	gs_buf_addz(&cli->out, ".\n");
	if (meaning)
		gs_put_wrapped(cli, 0, meaning);
	if (story->detail && story->detail[0])
		gs_put_wrapped(cli, 0, story->detail);
	if (help)
		gs_put_wrapped(cli, 0, help);
}

/* "…: the function parse of tally.money, 2 lines, 1 test that flips." */
static int put_record(
    struct gs_cli *cli, const struct gs_story *story, struct gs_err *err)
{
	GS_CLEANUP(gs_json_free)
	json_t *record =
	    story->record ? gs_json_parse(gs_str(story->record), "record", err)
	                  : NULL;
	if (!record)
		return story->record ? err->code : 0;
	gs_put_wrapped(cli, 0, gs_json_get_cstr(record, "subject"));
	long long lines = gs_json_get_int(record, "diff_lines", 0);
	long long tests = gs_json_get_int(record, "n_tests", 0);
	GS_CLEANUP(gs_freep)
	char *text = gs_format(
	    "The %s %s of %s, %lld line%s changed, tells the two apart by %lld "
	    "test%s. To read it: goldset show %s",
	    gs_json_get_cstr(record, "granularity"),
	    gs_json_get_cstr(record, "unit"),
	    gs_json_get_cstr(record, "module"), lines, lines == 1 ? "" : "s",
	    tests, tests == 1 ? "" : "s", story->record_id);
	gs_put_wrapped(cli, 0, text);
	return 0;
}

static int put_state(
    struct gs_cli *cli, const struct gs_story *story, struct gs_err *err)
{
	if (story->record_id) {
		gs_put(cli, story->duplicate_of ? GS_STYLE_WARN : GS_STYLE_GOOD,
		    gs_str(
		        story->duplicate_of ? "A duplicate: " : "A record: "));
		gs_putf(cli, GS_STYLE_BOLD, "%s", story->record_id);
		if (story->duplicate_of)
			gs_putf(cli, GS_STYLE_PLAIN,
			    " has the same fix as %s, which is older (I4)",
			    story->duplicate_of);
		gs_buf_addz(&cli->out, ".\n");
		return put_record(cli, story, err);
	}
	if (strcmp(story->state, "refused") == 0 && story->reason) {
		put_refusal(cli, story);
		return 0;
	}
	gs_put(cli, GS_STYLE_ACCENT, GS_STR("Pending: "));
	gs_put_line(
	    cli, gs_str(story->detail && story->detail[0]
	                    ? story->detail
	                    : "goldset validate has not examined it yet."));
	return 0;
}

static void put_json(struct gs_cli *cli, const struct gs_story *story)
{
	struct gs_json json = {.out = &cli->out};
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "project", story->project);
	gs_json_put_cstr(&json, "commit", story->commit.hex);
	gs_json_put_cstr(&json, "parent", story->parent.hex);
	gs_json_put_cstr(&json, "state", story->state);
	gs_json_put_cstr(&json, "reason", story->reason);
	gs_json_put_cstr(&json, "detail", story->detail);
	gs_json_put_cstr(&json, "license", story->licence);
	gs_json_put_cstr(&json, "record", story->record_id);
	gs_json_put_cstr(&json, "duplicate_of", story->duplicate_of);
	gs_json_key(&json, "runs");
	gs_json_raw(&json, gs_str(story->runs ? story->runs : "[]"));
	gs_json_end_object(&json);
	gs_buf_addc(&cli->out, '\n');
}

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	const struct explain_options *explain = opts;
	struct gs_story story = {0};
	int rc = gs_store_story(cli->store, args->v[0], &story, err);
	if (rc == 0 && cli->json)
		put_json(cli, &story);
	else if (rc == 0) {
		put_head(cli, &story);
		rc = put_state(cli, &story, err);
		if (rc == 0)
			rc = gs_put_runs(cli, &story, explain->logs, err);
	}
	gs_story_release(&story);
	return rc ? rc : gs_page(cli, err);
}

const struct gs_command gs_cmd_explain = {
    .name = "explain",
    .summary = "why a commit was kept or refused, with the runs seen",
    .synopsis = "[--logs] COMMIT|ID",
    .about = "COMMIT may be shortened to four digits; ID is a record's. Tells "
             "what was decided,\nby which rule, and what each run of the "
             "tests showed.",
    .example = "goldset explain --logs 1a2b3c4d",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct explain_options),
    .min_args = 1,
    .max_args = 1,
    .needs = GS_NEEDS_STORE_READ,
    .run = run,
};

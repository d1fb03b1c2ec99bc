/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "audit/audit.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "cli/style.h"

struct audit_options {
	const char *withheld, *reveal;
};

static const struct gs_option options[] = {
    {"withheld", 0, GS_OPT_TEXT, "DIR",
        "the withheld side: nothing of it may stand in RELEASE",
        offsetof(struct audit_options, withheld)},
    {"reveal", 0, GS_OPT_TEXT, "FILE",
        "check what FILE reveals against the commitment in RELEASE",
        offsetof(struct audit_options, reveal)},
};

static void put_json(struct gs_cli *cli, const struct gs_finding *finding)
{
	struct gs_json json = {.out = &cli->out};
	gs_json_begin_object(&json);
	gs_json_put_cstr(
	    &json, "severity", gs_severity_name(finding->severity));
	gs_json_put_cstr(&json, "check", finding->check);
	gs_json_put_cstr(&json, "file", finding->file);
	gs_json_put_cstr(&json, "id", finding->id);
	gs_json_put_cstr(&json, "column", finding->column);
	gs_json_put_cstr(&json, "text", finding->text);
	gs_json_end_object(&json);
	gs_buf_addc(&cli->out, '\n');
}

static void put_text(struct gs_cli *cli, const struct gs_finding *finding)
{
	enum gs_style style = finding->severity == GS_ERROR     ? GS_STYLE_BAD
	                      : finding->severity == GS_WARNING ? GS_STYLE_WARN
	                                                        : GS_STYLE_DIM;
	gs_putf(cli, style, "%-7s", gs_severity_name(finding->severity));
	gs_putf(cli, GS_STYLE_PLAIN, " %s ", finding->check);
	const char *const parts[] = {
	    finding->file, finding->id, finding->column};
	for (size_t i = 0; i < GS_COUNT(parts); i++)
		if (parts[i])
			gs_putf(cli, GS_STYLE_BOLD, " %s", parts[i]);
	gs_buf_addz(&cli->out, ": ");
	gs_put(cli, GS_STYLE_PLAIN, gs_str(finding->text));
	gs_buf_addc(&cli->out, '\n');
}

static void tell(void *ctx, const struct gs_finding *finding)
{
	struct gs_cli *cli = ctx;
	if (cli->json)
		put_json(cli, finding);
	else
		put_text(cli, finding);
}

static void put_summary(struct gs_cli *cli, const struct gs_audit_result *is)
{
	struct gs_json json = {.out = &cli->out};
	gs_json_begin_object(&json);
	gs_json_key(&json, "summary");
	gs_json_begin_object(&json);
	gs_json_put_int(&json, "records", is->records);
	gs_json_put_int(&json, "errors", is->errors);
	gs_json_put_int(&json, "warnings", is->warnings);
	gs_json_put_int(&json, "notices", is->notices);
	gs_json_end_object(&json);
	gs_json_end_object(&json);
	gs_buf_addc(&cli->out, '\n');
}

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	const struct audit_options *is = opts;
	const struct gs_audit_options audit = {.release = args->v[0],
	    .withheld = is->withheld,
	    .reveal = is->reveal,
	    .watch = {gs_progress_tell, cli}};
	struct gs_audit_result result = {0};
	int rc = gs_audit(&audit, tell, cli, &result, err);
	if (rc)
		return rc;
	if (cli->json)
		put_summary(cli, &result);
	gs_cli_say(cli,
	    "%lld record%s: %lld error%s, %lld warning%s, %lld notice%s",
	    (long long)result.records, GS_S(result.records),
	    (long long)result.errors, GS_S(result.errors),
	    (long long)result.warnings, GS_S(result.warnings),
	    (long long)result.notices, GS_S(result.notices));
	cli->status = result.errors > 0;
	return 0;
}

const struct gs_command gs_cmd_audit = {
    .name = "audit",
    .summary = "check a release without a clone",
    .synopsis = "[--withheld DIR] [--reveal FILE] RELEASE",
    .about =
        "What the files of a release say of themselves and of each other: "
        "columns and types,\nids and fingerprints, derived numbers, "
        "checksums, the card, licence texts, secrets,\ncontrol characters, "
        "copies across projects. One line a finding: an error must be\n"
        "mended (exit status 1), a warning wants somebody to look, a notice "
        "is worth knowing.\nWhether a record reproduces is not looked at: "
        "goldset-verify runs it.",
    .example = "goldset audit release",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct audit_options),
    .min_args = 1,
    .max_args = 1,
    .needs = GS_NEEDS_NOTHING,
    .run = run,
};

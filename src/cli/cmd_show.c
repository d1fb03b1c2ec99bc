/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/lookup.h"
#include "cli/pager.h"
#include "cli/style.h"
#include "model/diff.h"

struct show_options {
	bool before, after, diff, spec, tests;
	const char *release;
};

static const struct gs_option options[] = {
    {"before", 0, GS_OPT_FLAG, NULL, "only the text before the fix",
        offsetof(struct show_options, before)},
    {"after", 0, GS_OPT_FLAG, NULL, "only the text after the fix",
        offsetof(struct show_options, after)},
    {"diff", 0, GS_OPT_FLAG, NULL, "only the change",
        offsetof(struct show_options, diff)},
    {"spec", 0, GS_OPT_FLAG, NULL, "only what the code was meant to do",
        offsetof(struct show_options, spec)},
    {"tests", 0, GS_OPT_FLAG, NULL, "only the ids of the flipping tests",
        offsetof(struct show_options, tests)},
    {"release", 0, GS_OPT_TEXT, "DIR",
        "from this release (default: the workspace)",
        offsetof(struct show_options, release)},
};

static void put_diff(struct gs_cli *cli, const struct gs_record *record,
    const struct gs_evidence *evidence)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	struct gs_diff diff = {0};
	GS_CLEANUP(gs_freep)
	char *old = gs_format("a/%s", evidence->source_path);
	GS_CLEANUP(gs_freep)
	char *new = gs_format("b/%s", evidence->source_path);
	gs_diff(
	    gs_str(record->source_before), gs_str(record->source_after), &diff);
	gs_diff_unified(&diff, old, new, &text);
	struct gs_str rest = gs_buf_str(&text), line;
	while (rest.n && gs_str_cut(&rest, '\n', &line)) {
		char first = line.n ? line.p[0] : ' ';
		gs_put(cli,
		    first == '+'   ? GS_STYLE_GOOD
		    : first == '-' ? GS_STYLE_BAD
		    : first == '@' ? GS_STYLE_ACCENT
		                   : GS_STYLE_PLAIN,
		    line);
		gs_buf_addc(&cli->out, '\n');
	}
	gs_diff_release(&diff);
}

static void put_field(struct gs_cli *cli, const char *label, const char *value)
{
	if (!value || !value[0])
		return;
	gs_putf(cli, GS_STYLE_DIM, "  %-12s", label);
	gs_put_line(cli, gs_str(value));
}

static void put_indented(struct gs_cli *cli, struct gs_str text)
{
	struct gs_str line;
	while (text.n && gs_str_cut(&text, '\n', &line)) {
		gs_buf_addz(&cli->out, line.n ? "  " : "");
		gs_put_line(cli, line);
	}
}

/* What the test said before the fix (P3): a few lines of it. */
static void put_said(
    struct gs_cli *cli, const json_t *observations, const char *id)
{
	size_t i, n = 0;
	const json_t *seen;
	struct gs_str said = {0}, line;
	json_array_foreach(observations, i, seen) if (!said.n) said =
	    gs_json_get_str(json_object_get(seen, "said"), id);
	while (said.n && n++ < 6 && gs_str_cut(&said, '\n', &line)) {
		gs_buf_addz(&cli->out, "    ");
		gs_put(cli, GS_STYLE_DIM, line);
		gs_buf_addc(&cli->out, '\n');
	}
}

static void put_tests(struct gs_cli *cli, const struct gs_record *record,
    const struct gs_evidence *evidence)
{
	const struct gs_strv *ids = &record->fail_to_pass;
	GS_CLEANUP(gs_json_free)
	json_t *observations =
	    gs_json_parse(gs_str(evidence->observations), "runs", NULL);
	for (size_t i = 0; i < ids->n && i < 20; i++) {
		gs_buf_addz(&cli->out, "  ");
		gs_put_line(cli, gs_str(ids->v[i]));
		put_said(cli, observations, ids->v[i]);
	}
	if (ids->n > 20)
		gs_putf(cli, GS_STYLE_DIM, "  … and %zu more\n", ids->n - 20);
	if (evidence->pass_to_pass.n)
		gs_putf(cli, GS_STYLE_DIM,
		    "  (and %zu that pass%s on both sides)\n",
		    evidence->pass_to_pass.n,
		    evidence->pass_to_pass.n == 1 ? "es" : "");
}

static void put_facts(struct gs_cli *cli, const struct gs_record *record,
    const struct gs_evidence *evidence)
{
	GS_CLEANUP(gs_freep)
	char *what = gs_format("%s %s of %s, %lld line%s changed",
	    record->granularity, record->unit, record->module,
	    (long long)record->diff_lines, record->diff_lines == 1 ? "" : "s");
	GS_CLEANUP(gs_freep)
	char *fixed = record->commit_url[0]
	                  ? gs_format("%.10s, %s", record->committed_at,
	                        record->commit_url)
	                  : gs_format("%.10s, in commit %.12s",
	                        record->committed_at, record->commit);
	GS_CLEANUP(gs_freep)
	char *licence =
	    gs_format("%s, from %s", record->license, record->license_file);
	GS_CLEANUP(gs_freep)
	char *kind =
	    gs_format("%s (%s)", evidence->change_kind, evidence->kind_rule);
	GS_CLEANUP(gs_freep)
	char *guess =
	    evidence->unguessable.n
	        ? gs_format("%zu word%s of the tests cannot be inferred, such "
	                    "as %s",
	              evidence->unguessable.n,
	              evidence->unguessable.n == 1 ? "" : "s",
	              evidence->unguessable.v[0])
	        : NULL;
	/* Plugins and settings stand in --json. */
	const char *settings = strstr(record->validator, " TZ=");
	size_t by = settings ? (size_t)(settings - record->validator)
	                     : strlen(record->validator);
	GS_CLEANUP(gs_freep)
	char *proven = gs_format(
	    "%.10s by %.*s", record->validated_at, (int)by, record->validator);
	put_field(cli, "what", what);
	put_field(cli, "fixed", fixed);
	put_field(cli, "licence", licence);
	put_field(cli, "kind", kind);
	put_field(cli, "unfair", guess);
	put_field(cli, "also in", record->also_in);
	put_field(cli, "proven", proven);
}

static void put_whole(struct gs_cli *cli, const struct gs_record *record,
    const struct gs_evidence *evidence)
{
	gs_putf(cli, GS_STYLE_BOLD, "%s: %s\n", record->repo, record->subject);
	gs_put(cli, GS_STYLE_ACCENT, gs_str(record->id));
	gs_buf_addz(&cli->out, "\n\n");
	put_facts(cli, record, evidence);
	gs_put_heading(
	    cli, strcmp(record->spec_source, "docstring") == 0
	             ? "What it is meant to do (its docstring)"
	             : "What it is meant to do (the commit message)");
	put_indented(cli, gs_str(record->spec));
	gs_put_heading(cli, "The fix");
	put_diff(cli, record, evidence);
	gs_put_heading(cli, record->n_tests == 1
	                        ? "The test that fails before and passes after"
	                        : "Tests that fail before and pass after");
	put_tests(cli, record, evidence);
}

static void put_json(struct gs_cli *cli, const struct gs_record *record,
    const struct gs_evidence *evidence)
{
	struct gs_json json = {.out = &cli->out};
	gs_json_begin_object(&json);
	gs_json_key(&json, "record");
	gs_columns_write(record, gs_record_columns, gs_n_record_columns, &json);
	gs_json_key(&json, "evidence");
	gs_columns_write(
	    evidence, gs_evidence_columns, gs_n_evidence_columns, &json);
	gs_json_end_object(&json);
	gs_buf_addc(&cli->out, '\n');
}

/* A text by itself goes out as it is to a file or a pipe, so that it can be
 * used; a terminal gets it harmless. */
static void put_text(struct gs_cli *cli, const char *text)
{
	if (cli->width)
		gs_put(cli, GS_STYLE_PLAIN, gs_str(text));
	else
		gs_buf_addz(&cli->out, text);
}

static void put_record(struct gs_cli *cli, const struct show_options *show,
    const struct gs_record *record, const struct gs_evidence *evidence)
{
	if (cli->json)
		put_json(cli, record, evidence);
	else if (show->before)
		put_text(cli, record->source_before);
	else if (show->after)
		put_text(cli, record->source_after);
	else if (show->diff)
		put_diff(cli, record, evidence);
	else if (show->spec)
		gs_put_line(cli, gs_str(record->spec));
	else if (show->tests)
		for (size_t i = 0; i < record->fail_to_pass.n; i++)
			gs_put_line(cli, gs_str(record->fail_to_pass.v[i]));
	else
		put_whole(cli, record, evidence);
}

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	const struct show_options *show = opts;
	GS_CLEANUP(gs_record_release) struct gs_record record = {0};
	GS_CLEANUP(gs_evidence_release) struct gs_evidence evidence = {0};
	if (show->before + show->after + show->diff + show->spec + show->tests >
	    1)
		return gs_fail(err, GS_E_USAGE,
		    "--before, --after, --diff, --spec and --tests exclude "
		    "each other");
	int rc =
	    gs_lookup(cli, show->release, args->v[0], &record, &evidence, err);
	if (rc)
		return rc;
	put_record(cli, show, &record, &evidence);
	return gs_page(cli, err);
}

const struct gs_command gs_cmd_show = {
    .name = "show",
    .summary = "one record, to read",
    .synopsis = "[--before|--after|--diff|--spec|--tests] ID",
    .about = "The record with its specification, its change and its tests, "
             "coloured and paged on\na terminal ($PAGER, else less). An id "
             "may be shortened.",
    .example = "goldset show gs-0123456789abcdef",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct show_options),
    .min_args = 1,
    .max_args = 1,
    .needs = GS_NEEDS_NOTHING,
    .run = run,
};

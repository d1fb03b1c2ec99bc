/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "cli/lookup.h"
#include "cli/mirrors.h"
#include "cli/style.h"
#include "os/file.h"
#include "validate/checkout.h"

struct checkout_options {
	const char *dir, *mirror, *release;
	bool before, after;
};

static const struct gs_option options[] = {
    {"dir", 'd', GS_OPT_TEXT, "DIR", "the new folder (required)",
        offsetof(struct checkout_options, dir)},
    {"before", 0, GS_OPT_FLAG, NULL, "the state before the fix (default)",
        offsetof(struct checkout_options, before)},
    {"after", 0, GS_OPT_FLAG, NULL, "the state after it",
        offsetof(struct checkout_options, after)},
    {"release", 0, GS_OPT_TEXT, "DIR",
        "the record's release (default: the workspace)",
        offsetof(struct checkout_options, release)},
    {"mirror", 0, GS_OPT_TEXT, "TEMPLATE",
        "where to clone from instead, such as '/path/{owner}+{name}/repo'",
        offsetof(struct checkout_options, mirror)},
};

static int check(const struct checkout_options *checkout, struct gs_err *err)
{
	if (!checkout->dir || !checkout->dir[0])
		return gs_fail(
		    err, GS_E_USAGE, "where shall the tree go? Give -d DIR");
	if (checkout->before && checkout->after)
		return gs_fail(
		    err, GS_E_USAGE, "--before and --after exclude each other");
	if (gs_path_exists(checkout->dir))
		return gs_fail(err, GS_E_EXISTS,
		    "%s is there already; give another folder", checkout->dir);
	return 0;
}

/* How to run what was checked out, for people to copy. */
static void put_hint(struct gs_cli *cli, const char *dir,
    const struct gs_record *record, const struct gs_evidence *evidence)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf line = {0};
	gs_buf_addz(&line, "cd ");
	gs_buf_add_quoted(&line, dir);
	gs_buf_addz(&line, " && PYTHONPATH=");
	for (size_t i = 0; i < evidence->import_roots.n; i++)
		gs_buf_addf(
		    &line, "%s%s", i ? ":" : "", evidence->import_roots.v[i]);
	gs_buf_addz(&line, " python3 -m pytest ");
	gs_buf_add_quoted(&line, record->test_file);
	gs_cli_say(cli, "to run its tests: %s", gs_buf_cstr(&line));
}

static void put_json(struct gs_cli *cli, const struct checkout_options *is,
    const struct gs_record *record, const struct gs_evidence *evidence)
{
	struct gs_json json = {.out = &cli->out};
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "id", record->id);
	gs_json_put_cstr(&json, "folder", is->dir);
	gs_json_put_cstr(&json, "state", is->after ? "after" : "before");
	gs_json_put_cstr(&json, "path", evidence->source_path);
	gs_json_key(&json, "import_roots");
	gs_json_strv(&json, &evidence->import_roots);
	gs_json_key(&json, "fail_to_pass");
	gs_json_strv(&json, &record->fail_to_pass);
	gs_json_end_object(&json);
	gs_buf_addc(&cli->out, '\n');
}

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	const struct checkout_options *checkout = opts;
	GS_CLEANUP(gs_record_release) struct gs_record record = {0};
	GS_CLEANUP(gs_evidence_release) struct gs_evidence evidence = {0};
	GS_CLEANUP(gs_freep) char *mirror = NULL;
	int rc = check(checkout, err);
	if (rc == 0)
		rc = gs_lookup(cli, checkout->release, args->v[0], &record,
		    &evidence, err);
	if (rc == 0)
		rc = gs_mirror_of_record(
		    cli, &record, checkout->mirror, &mirror, err);
	if (rc == 0) {
		const struct gs_checkout request = {
		    .mirror = mirror,
		    .record = &record,
		    .evidence = &evidence,
		    .is_after = checkout->after,
		    .folder = checkout->dir,
		};
		rc = gs_check_out(&request, err);
	}
	if (rc == 0 && cli->json)
		put_json(cli, checkout, &record, &evidence);
	else if (rc == 0)
		put_hint(cli, checkout->dir, &record, &evidence);
	return rc;
}

const struct gs_command gs_cmd_checkout = {
    .name = "checkout",
    .summary = "a record's tree before or after the fix, ready to run",
    .synopsis = "-d DIR [--before|--after] ID",
    .about = "The parent's tree with the fix's tests, and with --after the "
             "published source in its\nplace: exactly what the record's runs "
             "saw.",
    .example = "goldset checkout -d tree --before gs-0123456789abcdef",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct checkout_options),
    .min_args = 1,
    .max_args = 1,
    .needs = GS_NEEDS_NOTHING,
    .run = run,
};

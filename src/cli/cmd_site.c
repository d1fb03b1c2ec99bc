/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "base/json.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "site/site.h"

struct site_options {
	const char *output, *status, *url;
	struct gs_strv verified;
	bool replace;
};

#define ROW(name, letter, kind, value, help, member)                           \
	{                                                                      \
		name, letter, kind, value, help,                               \
		    offsetof(struct site_options, member)                      \
	}

static const struct gs_option options[] = {
    ROW("output", 'o', GS_OPT_TEXT, "DIR", "the folder to be made", output),
    ROW("verified", 0, GS_OPT_MANY, "FILE",
        "what goldset-verify --json printed; again for later runs", verified),
    ROW("status", 0, GS_OPT_TEXT, "FILE",
        "what goldset status --json printed, for the funnel", status),
    ROW("url", 0, GS_OPT_TEXT, "URL",
        "where the site will stand, for sitemap, feed and permalinks", url),
    ROW("replace", 0, GS_OPT_FLAG, NULL,
        "replace the folder, if it is a site of ours", replace),
};

static void tell(struct gs_cli *cli, const struct site_options *site,
    const struct gs_site_result *result)
{
	if (!cli->json) {
		gs_cli_say(cli,
		    "%lld record%s on %lld page%s, %.1f MB: open %s/index.html",
		    (long long)result->records, GS_S(result->records),
		    (long long)result->pages, GS_S(result->pages),
		    (double)result->bytes / 1e6, site->output);
		return;
	}
	struct gs_json json = {.out = &cli->out};
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "site", site->output);
	gs_json_put_int(&json, "records", result->records);
	gs_json_put_int(&json, "pages", result->pages);
	gs_json_put_int(&json, "bytes", result->bytes);
	gs_json_end_object(&json);
	gs_buf_addc(&cli->out, '\n');
}

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	const struct site_options *site = opts;
	if (!site->output)
		return gs_fail(err, GS_E_USAGE,
		    "say with -o DIR where the site is to be made");
	GS_CLEANUP(gs_strv_release) struct gs_strv reports = {0};
	for (size_t i = 1; i < args->n; i++)
		gs_strv_push(&reports, args->v[i]);
	const struct gs_site_options request = {.release = args->v[0],
	    .folder = site->output,
	    .reports = &reports,
	    .verified = &site->verified,
	    .status = site->status,
	    .url = site->url,
	    .replace = site->replace,
	    .watch = {gs_progress_tell, cli}};
	struct gs_site_result result;
	int rc = gs_site_build(&request, &result, err);
	if (rc == 0)
		tell(cli, site, &result);
	return rc;
}

const struct gs_command gs_cmd_site = {
    .name = "site",
    .summary = "a release and its scores as a static website",
    .synopsis = "[OPTIONS] RELEASE [REPORT...] -o DIR",
    .about =
        "DIR is a new folder of plain HTML that any web server, or the "
        "browser itself from\nthe disk, can show: a page for each record, "
        "lists, search, statistics, and, with\nREPORTs of goldset score, a "
        "leaderboard. It appears whole or not at all, and\nloads nothing "
        "from elsewhere.",
    .example = "goldset site release -o site",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct site_options),
    .min_args = 1,
    .max_args = -1,
    .needs = GS_NEEDS_NOTHING,
    .run = run,
};

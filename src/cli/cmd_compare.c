/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <string.h>

#include "base/mem.h"
#include "cli/reporting.h"
#include "cli/style.h"
#include "evaluate/compare.h"
#include "os/file.h"

#define MAX_REPORT ((size_t)1 << 30)
/* Records that are named; --json has them all. */
#define MAX_NAMED 10

struct compare_options {
	bool across;
};

static const struct gs_option options[] = {
    {"across", 0, GS_OPT_FLAG, NULL,
        "also reports of different releases, over the records they share",
        offsetof(struct compare_options, across)},
};

static void put_ids(
    struct gs_cli *cli, const char *model, const struct gs_strv *ids)
{
	GS_CLEANUP(gs_freep)
	char *title = gs_format("Resolved by %s alone: %zu", model, ids->n);
	gs_put_heading(cli, title);
	for (size_t i = 0; i < ids->n && i < MAX_NAMED; i++) {
		gs_buf_addz(&cli->out, "  ");
		gs_put_line(cli, gs_str(ids->v[i]));
	}
	if (ids->n > MAX_NAMED)
		gs_putf(cli, GS_STYLE_DIM, "  … and %zu more\n",
		    ids->n - MAX_NAMED);
}

static void put_comparison(
    struct gs_cli *cli, const struct gs_comparison *comparison)
{
	GS_CLEANUP(gs_freep)
	char *interval = gs_interval_text(comparison->difference);
	GS_CLEANUP(gs_freep) char *a = gs_percent_text(comparison->rate_a);
	GS_CLEANUP(gs_freep) char *b = gs_percent_text(comparison->rate_b);
	gs_putf(cli, GS_STYLE_BOLD, "%s against %s", comparison->b->model,
	    comparison->a->model);
	gs_putf(cli, GS_STYLE_DIM, ", %lld records in common\n",
	    (long long)comparison->common);
	if (!comparison->same_release)
		gs_putf(cli, GS_STYLE_WARN,
		    "  The releases differ: %lld records stand in the first "
		    "alone, %lld in the second alone.\n",
		    (long long)comparison->only_in_a,
		    (long long)comparison->only_in_b);
	gs_putf(cli, GS_STYLE_PLAIN, "\n  %s %s, %s %s: %+.1f points%s%s\n",
	    comparison->a->model, a, comparison->b->model, b,
	    100 * (comparison->rate_b - comparison->rate_a),
	    interval[0] ? " " : "", interval);
	gs_putf(cli, GS_STYLE_PLAIN,
	    "  both %lld, neither %lld, McNemar's exact test p = %.4g\n",
	    (long long)comparison->both, (long long)comparison->neither,
	    comparison->p_value);
	put_ids(cli, comparison->a->model, &comparison->only_a);
	put_ids(cli, comparison->b->model, &comparison->only_b);
}

static int read_all(
    const struct gs_strv *args, struct gs_scoreds *ret, struct gs_err *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < args->n; i++) {
		GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
		rc = gs_file_read(args->v[i], MAX_REPORT, &text, err);
		if (rc == 0)
			rc = gs_scoreds_read(
			    gs_buf_str(&text), args->v[i], ret, err);
	}
	if (rc == 0 && ret->n < 2)
		rc = gs_fail(err, GS_E_USAGE,
		    "there is one report only; a comparison needs two");
	return rc;
}

static int compare_two(struct gs_cli *cli, const struct compare_options *how,
    const struct gs_scored *a, const struct gs_scored *b, struct gs_err *err)
{
	struct gs_comparison comparison;
	int rc = 0;
	gs_compare(a, b, &comparison);
	if (!comparison.same_release && !how->across)
		rc = gs_fail(err, GS_E_USAGE,
		    "the reports of %s and %s are of different releases, with "
		    "%lld records in common; --across compares those",
		    a->model, b->model, (long long)comparison.common);
	else if (cli->json)
		gs_comparison_write(&comparison, &cli->out);
	else
		put_comparison(cli, &comparison);
	gs_comparison_release(&comparison);
	return rc;
}

/* Each against the first. */
static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	GS_CLEANUP(gs_scoreds_release) struct gs_scoreds scoreds = {0};
	int rc = read_all(args, &scoreds, err);
	for (size_t i = 1; rc == 0 && i < scoreds.n; i++) {
		if (i > 1 && !cli->json)
			gs_buf_addc(&cli->out, '\n');
		rc = compare_two(cli, opts, &scoreds.v[0], &scoreds.v[i], err);
	}
	return rc;
}

const struct gs_command gs_cmd_compare = {
    .name = "compare",
    .summary = "reports against each other, record by record",
    .synopsis = "[--across] REPORT...",
    .about = "Each report against the first: which records only one of them "
             "resolved, McNemar's exact\ntest, and the difference of the "
             "rates with its interval by projects.",
    .example = "goldset compare first.json second.json",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct compare_options),
    .min_args = 1,
    .max_args = -1,
    .needs = GS_NEEDS_NOTHING,
    .run = run,
};

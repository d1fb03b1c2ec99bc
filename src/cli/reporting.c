/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/reporting.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/style.h"

/* Parts of a dimension that a table shows; --json has them all. */
#define MAX_SHARES 12
/* Answers that are told one by one. */
#define MAX_TOLD 20

char *gs_percent_text(double rate)
{
	return gs_format("%.1f %%", 100 * rate);
}

char *gs_interval_text(struct gs_interval interval)
{
	if (!interval.is_known)
		return gs_strdup("");
	return gs_format(
	    "(%.1f to %.1f %%)", 100 * interval.low, 100 * interval.high);
}

static void put_rate(
    struct gs_cli *cli, const char *label, const struct gs_share *share)
{
	GS_CLEANUP(gs_freep) char *rate = gs_percent_text(gs_share_rate(share));
	GS_CLEANUP(gs_freep) char *wilson = gs_interval_text(share->wilson);
	gs_buf_addz(&cli->out, "  ");
	gs_put(cli, GS_STYLE_PLAIN, gs_str(label));
	for (size_t n = strlen(label); n < 26; n++)
		gs_buf_addc(&cli->out, ' ');
	gs_putf(cli, GS_STYLE_PLAIN, "%6lld of %-6lld %9s%s%s\n",
	    (long long)share->resolved, (long long)share->total, rate,
	    wilson[0] ? "  " : "", wilson);
}

static void put_head(struct gs_cli *cli, const struct gs_report *report,
    const struct gs_report_request *request)
{
	gs_put(cli, GS_STYLE_BOLD, gs_str(report->model));
	gs_putf(cli, GS_STYLE_DIM, " on release %s, %lld record%s",
	    request->tasks->version, (long long)report->all.total,
	    GS_S(report->all.total));
	if (request->from)
		gs_putf(cli, GS_STYLE_DIM, " from %s", request->from);
	if (request->to)
		gs_putf(cli, GS_STYLE_DIM, " before %s", request->to);
	gs_buf_addz(&cli->out, "\n\n");
	put_rate(cli, "resolved", &report->all);
	GS_CLEANUP(gs_freep)
	char *bootstrap = gs_interval_text(report->bootstrap);
	gs_putf(cli, GS_STYLE_DIM,
	    "  Wilson's interval, 95 %%; by projects drawn anew: %s\n",
	    bootstrap[0] ? bootstrap : "needs two projects");
	if (report->all.attempted < report->all.total)
		gs_putf(cli, GS_STYLE_WARN,
		    "  %lld records were not attempted and count as not "
		    "resolved; of those attempted: %.1f %%\n",
		    (long long)(report->all.total - report->all.attempted),
		    report->all.attempted
		        ? 100.0 * (double)report->all.resolved /
		              (double)report->all.attempted
		        : 0.0);
}

static void put_pass_at(struct gs_cli *cli, const struct gs_report *report)
{
	if (report->pass_at.n < 2)
		return;
	for (size_t i = 0; i < report->pass_at.n; i++)
		gs_putf(cli, GS_STYLE_PLAIN, "%spass@%lld %.1f %%",
		    i ? "   " : "  ", (long long)report->pass_at.v[i].k,
		    100 * report->pass_at.v[i].value);
	gs_buf_addc(&cli->out, '\n');
}

static void put_outcomes(struct gs_cli *cli, const struct gs_report *report)
{
	gs_put_heading(cli, "Answers");
	for (int i = 0; i < GS_N_SCORE_OUTCOMES; i++)
		if (report->outcomes[i] > 0)
			gs_putf(cli,
			    i == GS_SCORE_RESOLVED   ? GS_STYLE_GOOD
			    : i == GS_SCORE_TAMPERED ? GS_STYLE_BAD
			    : i == GS_SCORE_INFRA    ? GS_STYLE_WARN
			                             : GS_STYLE_PLAIN,
			    "  %6lld  %s\n", (long long)report->outcomes[i],
			    gs_score_outcome_name((enum gs_score_outcome)i));
	if (report->suspicious > 0)
		gs_putf(cli, GS_STYLE_WARN, "  %6lld  suspicious\n",
		    (long long)report->suspicious);
}

static void put_shares(struct gs_cli *cli, const struct gs_report *report)
{
	const char *open = NULL;
	size_t shown = 0;
	for (size_t i = 0; i < report->shares.n; i++) {
		const struct gs_share *share = &report->shares.v[i];
		if (share->dimension != open) {
			open = share->dimension;
			shown = 0;
			GS_CLEANUP(gs_freep)
			char *title = gs_format("By %s", open);
			gs_put_heading(cli, title);
		}
		if (shown++ < MAX_SHARES)
			put_rate(cli, share->name, share);
		else if (shown == MAX_SHARES + 1)
			gs_put(cli, GS_STYLE_DIM,
			    gs_str("  … and more: see the report\n"));
	}
}

static void put_cutoff(struct gs_cli *cli, const struct gs_report *report)
{
	if (!report->cutoff)
		return;
	GS_CLEANUP(gs_freep)
	char *title = gs_format("Before and after %s", report->cutoff);
	GS_CLEANUP(gs_freep)
	char *interval = gs_interval_text(report->difference);
	gs_put_heading(cli, title);
	put_rate(cli, "before", &report->sides[0]);
	put_rate(cli, "after", &report->sides[1]);
	if (!report->sides[0].total || !report->sides[1].total)
		gs_put(cli, GS_STYLE_DIM,
		    GS_STR("  no difference: one side has no record\n"));
	else
		gs_putf(cli, GS_STYLE_PLAIN, "  difference %+.1f points%s%s\n",
		    100 * (gs_share_rate(&report->sides[1]) -
		              gs_share_rate(&report->sides[0])),
		    interval[0] ? "  " : "", interval);
}

static void put_costs(struct gs_cli *cli, const struct gs_report *report)
{
	if (!report->has_tokens && !report->has_cost && !report->has_time)
		return;
	gs_put_heading(cli, "Cost");
	if (report->has_tokens)
		gs_putf(cli, GS_STYLE_PLAIN,
		    "  %lld tokens asked, %lld answered\n",
		    (long long)report->prompt_tokens,
		    (long long)report->completion_tokens);
	if (report->has_cost)
		gs_putf(cli, GS_STYLE_PLAIN, "  %.4f spent\n", report->cost);
	if (report->has_time) {
		GS_CLEANUP(gs_freep)
		char *time = gs_duration_text(report->elapsed_ms);
		gs_putf(cli, GS_STYLE_PLAIN, "  %s of answering\n", time);
	}
}

/* What went wrong and is not simply a wrong answer. */
static void put_told(
    struct gs_cli *cli, const struct gs_report_request *request)
{
	size_t told = 0;
	for (size_t i = 0; i < request->answers->n; i++) {
		const struct gs_answer *answer = &request->answers->v[i];
		const struct gs_result *result = &request->results->v[i];
		bool is_plain =
		    result->outcome == GS_SCORE_RESOLVED ||
		    (result->outcome == GS_SCORE_UNRESOLVED && !cli->verbose);
		if (is_plain || strcmp(answer->model, request->model) != 0)
			continue;
		if (told++ == 0)
			gs_put_heading(cli, "To look at");
		if (told > MAX_TOLD)
			continue;
		gs_putf(cli, GS_STYLE_PLAIN,
		    "  %s  %s: ", request->tasks->v[answer->task].record.id,
		    gs_score_outcome_name(result->outcome));
		gs_put_line(cli, gs_str(result->reason));
	}
	if (told > MAX_TOLD)
		gs_putf(
		    cli, GS_STYLE_DIM, "  … and %zu more\n", told - MAX_TOLD);
}

void gs_put_report(struct gs_cli *cli, const struct gs_report *report,
    const struct gs_report_request *request)
{
	put_head(cli, report, request);
	put_pass_at(cli, report);
	put_outcomes(cli, report);
	put_cutoff(cli, report);
	put_shares(cli, report);
	put_costs(cli, report);
	put_told(cli, request);
}

/* The interval by projects is the one to quote (E4); without two projects
 * there is only Wilson's. */
void gs_add_summary(struct gs_buf *table, const struct gs_report *report)
{
	struct gs_interval by_projects = report->bootstrap;
	bool is_known = by_projects.is_known;
	struct gs_interval interval =
	    is_known ? by_projects : report->all.wilson;
	if (table->n == 0)
		gs_buf_addz(table,
		    "| model | resolved | rate | 95 % interval | pass@k | "
		    "attempted | suspicious |\n"
		    "|---|--:|--:|:-:|--:|--:|--:|\n");
	gs_buf_addf(table, "| %s | %lld of %lld | %.1f %% | ", report->model,
	    (long long)report->all.resolved, (long long)report->all.total,
	    100 * gs_share_rate(&report->all));
	if (interval.is_known)
		gs_buf_addf(table, "%.1f to %.1f%s | ", 100 * interval.low,
		    100 * interval.high, is_known ? "" : " (Wilson)");
	else
		gs_buf_addz(table, "- | ");
	if (report->pass_at.n > 1)
		gs_buf_addf(table, "@%lld %.1f %%",
		    (long long)report->pass_at.v[report->pass_at.n - 1].k,
		    100 * report->pass_at.v[report->pass_at.n - 1].value);
	gs_buf_addf(table, " | %lld | %lld |\n",
	    (long long)report->all.attempted, (long long)report->suspicious);
}

static void put_number(struct gs_cli *cli, const char *label, double value)
{
	if (isnan(value))
		gs_putf(cli, GS_STYLE_DIM, "  %-12s -\n", label);
	else
		gs_putf(cli, GS_STYLE_PLAIN, "  %-12s %.3f\n", label, value);
}

void gs_put_detect(struct gs_cli *cli, const struct gs_detect_report *report)
{
	GS_CLEANUP(gs_freep) char *rate = gs_percent_text(report->accuracy);
	GS_CLEANUP(gs_freep) char *wilson = gs_interval_text(report->wilson);
	gs_put(cli, GS_STYLE_BOLD, gs_str(report->model));
	gs_putf(cli, GS_STYLE_DIM, ", detect: %lld of %lld texts judged\n\n",
	    (long long)report->attempted, (long long)report->total);
	gs_putf(
	    cli, GS_STYLE_PLAIN, "  %-12s %s %s\n", "accuracy", rate, wilson);
	put_number(cli, "precision", report->precision);
	put_number(cli, "recall", report->recall);
	put_number(cli, "F1", report->f1);
	put_number(cli, "AUROC", report->auroc);
	gs_put_heading(cli, "Pairs");
	gs_putf(cli, GS_STYLE_PLAIN,
	    "  both right %lld, both buggy %lld, both clean %lld, reversed "
	    "%lld, incomplete %lld\n",
	    (long long)report->both_right, (long long)report->both_buggy,
	    (long long)report->both_clean, (long long)report->reversed,
	    (long long)report->incomplete);
}

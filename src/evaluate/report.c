/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

/* A record's answers of the model at hand. */
struct tally {
	int64_t n, right;
	bool first_right;
};

double gs_share_rate(const struct gs_share *share)
{
	return share->total ? (double)share->resolved / (double)share->total
	                    : 0;
}

static struct tally *count_answers(
    const struct gs_report_request *request, struct gs_report *ret)
{
	struct tally *tallies =
	    gs_alloc((request->tasks->n + 1) * sizeof(*tallies));
	for (size_t i = 0; i < request->answers->n; i++) {
		const struct gs_answer *answer = &request->answers->v[i];
		const struct gs_result *result = &request->results->v[i];
		if (strcmp(answer->model, request->model) != 0)
			continue;
		struct tally *tally = &tallies[answer->task];
		bool right = result->outcome == GS_SCORE_RESOLVED;
		/* Answers come sorted by sample. */
		if (tally->n++ == 0)
			tally->first_right = right;
		tally->right += right;
		if (tally->n > ret->samples)
			ret->samples = tally->n;
		ret->answers++;
		ret->outcomes[result->outcome]++;
		ret->suspicious += result->suspicious != NULL;
	}
	return tallies;
}

static void sum_costs(
    const struct gs_report_request *request, struct gs_report *ret)
{
	for (size_t i = 0; i < request->answers->n; i++) {
		const struct gs_answer *answer = &request->answers->v[i];
		if (strcmp(answer->model, request->model) != 0)
			continue;
		if (answer->prompt_tokens >= 0) {
			ret->prompt_tokens += answer->prompt_tokens;
			ret->has_tokens = true;
		}
		if (answer->completion_tokens >= 0)
			ret->completion_tokens += answer->completion_tokens;
		if (answer->elapsed_ms >= 0) {
			ret->elapsed_ms += answer->elapsed_ms;
			ret->has_time = true;
		}
		if (answer->cost >= 0) {
			ret->cost += answer->cost;
			ret->has_cost = true;
		}
	}
}

static void count_in(struct gs_share *share, const struct tally *tally)
{
	share->total++;
	share->attempted += tally->n > 0;
	share->resolved += tally->first_right;
}

static struct gs_share *share_of(
    struct gs_report *report, const char *dimension, const char *name)
{
	for (size_t i = 0; i < report->shares.n; i++)
		if (report->shares.v[i].dimension == dimension &&
		    strcmp(report->shares.v[i].name, name) == 0)
			return &report->shares.v[i];
	struct gs_share *share = GS_VEC_ADD(&report->shares);
	share->dimension = dimension;
	share->name = gs_strdup(name);
	return share;
}

static const char *size_of(int64_t diff_lines)
{
	return diff_lines <= 5     ? "1-5 lines"
	       : diff_lines <= 20  ? "6-20 lines"
	       : diff_lines <= 100 ? "21-100 lines"
	                           : "over 100 lines";
}

static void add_to_shares(struct gs_report *report,
    const struct gs_record *record, const struct tally *tally)
{
	static const char *const dimensions[] = {
	    "granularity", "license", "diff_lines", "repo", "year"};
	char year[8] = "";
	memcpy(year, record->committed_at, 4);
	const char *names[] = {record->granularity, record->license,
	    size_of(record->diff_lines), record->repo, year};
	for (size_t i = 0; i < GS_COUNT(dimensions); i++)
		count_in(share_of(report, dimensions[i], names[i]), tally);
}

static int by_name(const void *a, const void *b)
{
	const struct gs_share *x = a, *y = b;
	int order = strcmp(x->dimension, y->dimension);
	return order ? order : strcmp(x->name, y->name);
}

/* pass@k for 1, 2, 5, 10, … and the largest k that every attempted record
 * has samples for; a record without answers counts as zero. */
static void add_pass_at(const struct gs_report_request *request,
    const struct tally *tallies, struct gs_report *ret)
{
	int64_t least = INT64_MAX;
	for (size_t i = 0; i < request->tasks->n; i++)
		if (tallies[i].n > 0 && tallies[i].n < least)
			least = tallies[i].n;
	if (least == INT64_MAX)
		least = 1;
	static const int64_t steps[] = {1, 2, 5, 10, 20, 50, 100, 200, 500};
	int64_t last = 0;
	for (size_t s = 0; s <= GS_COUNT(steps); s++) {
		int64_t k = s < GS_COUNT(steps) ? steps[s] : least;
		if (k > least || k == last)
			continue;
		double sum = 0;
		for (size_t i = 0; i < request->tasks->n; i++)
			if (tallies[i].n > 0)
				sum += gs_pass_at(
				    tallies[i].n, tallies[i].right, k);
		struct gs_pass_at *pass = GS_VEC_ADD(&ret->pass_at);
		pass->k = last = k;
		pass->value =
		    request->tasks->n ? sum / (double)request->tasks->n : 0;
	}
}

/* Records follow each other by project: one cluster each. */
static struct gs_cluster *cluster(const struct gs_report_request *request,
    const struct tally *tallies, size_t *ret_n)
{
	const struct gs_tasks *tasks = request->tasks;
	struct gs_cluster *clusters =
	    gs_alloc((tasks->n + 1) * sizeof(*clusters));
	size_t n = 0;
	for (size_t i = 0; i < tasks->n; i++) {
		const struct gs_record *record = &tasks->v[i].record;
		if (i == 0 ||
		    strcmp(record->repo, tasks->v[i - 1].record.repo) != 0)
			n++;
		int side = request->cutoff &&
		           strcmp(record->committed_at, request->cutoff) >= 0;
		clusters[n - 1].n[side]++;
		clusters[n - 1].sum[side] += tallies[i].first_right;
	}
	*ret_n = n;
	return clusters;
}

static void bootstrap(const struct gs_report_request *request,
    const struct tally *tallies, struct gs_report *ret)
{
	size_t n = 0;
	struct gs_cluster *clusters = cluster(request, tallies, &n);
	if (request->cutoff)
		ret->difference =
		    gs_bootstrap95(clusters, n, GS_STATISTIC_DIFFERENCE);
	for (size_t i = 0; i < n; i++) {
		clusters[i].sum[0] += clusters[i].sum[1];
		clusters[i].n[0] += clusters[i].n[1];
	}
	ret->bootstrap = gs_bootstrap95(clusters, n, GS_STATISTIC_RATE);
	free(clusters);
}

static void finish_share(struct gs_share *share)
{
	share->wilson = gs_wilson95(share->resolved, share->total);
}

void gs_report_make(
    const struct gs_report_request *request, struct gs_report *ret)
{
	*ret = (struct gs_report){
	    .model = request->model, .cutoff = request->cutoff};
	struct tally *tallies = count_answers(request, ret);
	for (size_t i = 0; i < request->tasks->n; i++) {
		const struct gs_record *record = &request->tasks->v[i].record;
		count_in(&ret->all, &tallies[i]);
		add_to_shares(ret, record, &tallies[i]);
		if (request->cutoff)
			count_in(&ret->sides[strcmp(record->committed_at,
			                         request->cutoff) >= 0],
			    &tallies[i]);
	}
	GS_VEC_SORT(&ret->shares, by_name);
	for (size_t i = 0; i < ret->shares.n; i++)
		finish_share(&ret->shares.v[i]);
	finish_share(&ret->all);
	finish_share(&ret->sides[0]);
	finish_share(&ret->sides[1]);
	add_pass_at(request, tallies, ret);
	bootstrap(request, tallies, ret);
	sum_costs(request, ret);
	free(tallies);
}

void gs_report_release(struct gs_report *report)
{
	for (size_t i = 0; i < report->shares.n; i++)
		free(report->shares.v[i].name);
	GS_VEC_FREE(&report->shares);
	GS_VEC_FREE(&report->pass_at);
}

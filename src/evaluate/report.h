/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the answers of one model come to (E4). Rates are over all records of
 * the window, attempted or not, and count a record's first sample; pass@k
 * looks at all of them.
 */
#ifndef EVALUATE_REPORT_H
#define EVALUATE_REPORT_H

#include "evaluate/numbers.h"
#include "evaluate/score.h"

#define GS_REPORT_SCHEMA 1

/* A part of the records, or all. */
struct gs_share {
	const char *dimension; /* "granularity", "license", … (static) */
	char *name;
	int64_t total, attempted, resolved;
	struct gs_interval wilson;
};

struct gs_report {
	const char *model;
	struct gs_share all;
	int64_t answers, samples;              /* of a record, at most */
	int64_t outcomes[GS_N_SCORE_OUTCOMES]; /* of answers */
	int64_t suspicious;
	struct gs_interval bootstrap;

	struct {
		struct gs_pass_at {
			int64_t k;
			double value;
		} * v;

		size_t n, cap;
	} pass_at;

	struct {
		struct gs_share *v;
		size_t n, cap;
	} shares;

	/* Before and from a model's cutoff on. */
	const char *cutoff; /* or NULL */
	struct gs_share sides[2];
	struct gs_interval difference; /* of the rates: after - before */
	int64_t prompt_tokens, completion_tokens, elapsed_ms;
	double cost;
	bool has_tokens, has_cost, has_time;
};

struct gs_report_request {
	const struct gs_tasks *tasks;
	const struct gs_answers *answers;
	const struct gs_results *results; /* parallel to the answers */
	const char *model;
	const char *from, *to; /* window as asked for, or NULL */
	const char *cutoff;    /* an instant as records print it, or NULL */
};

void gs_report_make(
    const struct gs_report_request *request, struct gs_report *ret);
void gs_report_release(struct gs_report *report);
/* One line of JSON. */
void gs_report_write(const struct gs_report *report,
    const struct gs_report_request *request, struct gs_buf *ret);

double gs_share_rate(const struct gs_share *share);
void gs_json_put_interval(
    struct gs_json *json, const char *key, struct gs_interval interval);
void gs_json_put_real(struct gs_json *json, const char *key, double value);

#endif

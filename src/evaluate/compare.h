/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Two reports of the same release, record by record: what one resolved and
 * the other did not, McNemar's exact test, and the difference of the rates
 * with its interval by projects (E4).
 */
#ifndef EVALUATE_COMPARE_H
#define EVALUATE_COMPARE_H

#include "base/buf.h"
#include "base/err.h"
#include "base/map.h"
#include "base/strv.h"
#include "base/vec.h"
#include "evaluate/numbers.h"

/* As much of a report as a comparison needs. */
struct gs_scored {
	char *model, *release, *sha256;
	struct gs_strv ids; /* of all records: with an answer, and without */
	struct gs_map resolved; /* ids whose first sample was */
	struct gs_map repos;    /* id → its project (owned), where known */
};

/* The reports of a file: one JSON object a line. */
struct gs_scoreds {
	struct gs_scored *v;
	size_t n, cap;
};

GS_MUST_CHECK int gs_scoreds_read(struct gs_str text, const char *name,
    struct gs_scoreds *ret, struct gs_err *err);
void gs_scoreds_release(struct gs_scoreds *scoreds);

struct gs_comparison {
	const struct gs_scored *a, *b;
	bool same_release;
	int64_t only_in_a, only_in_b; /* records that one report lacks */
	int64_t common, both, neither;
	struct gs_strv only_a, only_b; /* ids that one of them resolved */
	double rate_a, rate_b;         /* over the common records */
	double p_value;
	struct gs_interval difference; /* rate_b - rate_a */
};

void gs_compare(const struct gs_scored *a, const struct gs_scored *b,
    struct gs_comparison *ret);
void gs_comparison_release(struct gs_comparison *comparison);
void gs_comparison_write(
    const struct gs_comparison *comparison, struct gs_buf *ret);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The statistics of scores (E4). Pure, and the same everywhere: the bootstrap
 * draws from a generator of our own with a fixed seed.
 */
#ifndef EVALUATE_NUMBERS_H
#define EVALUATE_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct gs_interval {
	bool is_known;
	double low, high;
};

/* Wilson's score interval, 95 %, without continuity correction. Unknown for
 * n = 0. */
struct gs_interval gs_wilson95(int64_t k, int64_t n);

/* Chen et al. 2021: 1 - C(n - c, k) / C(n, k), for n samples of which c were
 * right and k <= n. */
double gs_pass_at(int64_t n, int64_t c, int64_t k);

/* McNemar's exact test, two-sided, for b and c discordant pairs. */
double gs_mcnemar(int64_t b, int64_t c);

/* A project's records: what they sum to, in up to two groups. */
struct gs_cluster {
	double sum[2];
	int64_t n[2];
};

enum gs_statistic {
	GS_STATISTIC_RATE,       /* sum[0] / n[0] */
	GS_STATISTIC_DIFFERENCE, /* sum[1] / n[1] - sum[0] / n[0] */
};

#define GS_BOOTSTRAP_DRAWS 10000

/* Percentile bootstrap, 95 %: projects are drawn with replacement, each with
 * all its records, GS_BOOTSTRAP_DRAWS times. Unknown for fewer than two
 * projects, which have no spread. */
struct gs_interval gs_bootstrap95(
    const struct gs_cluster *clusters, size_t n, enum gs_statistic statistic);

/* Area under the curve of scores: how often one of `bad` is above one of
 * `good`, ties half. NaN when either is empty. Both are sorted by it. */
double gs_auroc(double *bad, size_t n_bad, double *good, size_t n_good);

#endif

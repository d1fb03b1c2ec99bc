/* SPDX-License-Identifier: Apache-2.0 */
/* Reports of `goldset score`, and what can be said of them and of two of
 * them (E4). */
#ifndef SITE_SCORE_H
#define SITE_SCORE_H

#include "site/catalogue.h"

struct interval {
	double low, high;
};

struct report {
	char *name;
	char *from, *to;
	int64_t total, attempted, resolved, samples;
	double rate, rate_attempted;
	struct interval wilson, bootstrap;
	bool has_bootstrap;
	/* By entry of the catalogue: 0 not attempted, 1 not resolved, 2
	 * resolved in its first sample. */
	unsigned char *results;
	int64_t unknown; /* results of records that this release lacks */
};

struct reports {
	struct report *v;
	size_t n, cap;
};

/* Appends those of a file. */
GS_MUST_CHECK int reports_read(const struct catalogue *catalogue,
    const char *path, struct reports *ret, struct gs_err *err);
/* The same of its text; `path` names it in the error, which is GS_E_CORRUPT for
 * what no goldset score prints, GS_E_USAGE for a report that has no place. */
GS_MUST_CHECK int reports_parse(const struct catalogue *catalogue,
    struct gs_str text, const char *path, struct reports *ret,
    struct gs_err *err);
void report_release(struct report *report);

/* Wilson's 95 % interval. */
struct interval wilson(int64_t good, int64_t n);

/* Over records that both attempted. */
struct pair {
	int64_t both, only_a, only_b, neither;
	double difference;        /* rate of a less that of b */
	struct interval interval; /* 95 %, Newcombe's for pairs */
	double p;                 /* McNemar, exact, two-sided */
};

struct pair pair_of(
    const struct report *a, const struct report *b, size_t n_entries);

#endif

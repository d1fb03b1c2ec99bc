/* SPDX-License-Identifier: Apache-2.0 */
/* Known answers of the statistics (E4), and what must hold of any. */
#include <math.h>

#include "evaluate/numbers.h"
#include "gs_test.h"

#define NEAR(a, b, digits)                                                     \
	ck_assert_double_eq_tol(a, b, 0.5 * pow(10, -(digits)))

static const struct {
	int64_t n, c, k;
	double value;
} passes[] = {
    {10, 3, 1, .3},
    {10, 3, 5, .916666666667},
    {5, 0, 1, 0},
    {5, 5, 3, 1},
    {200, 13, 100, .999919497199},
    {1, 1, 1, 1},
};

START_TEST(pass_at)
	{
		NEAR(gs_pass_at(passes[_i].n, passes[_i].c, passes[_i].k),
		    passes[_i].value, 11);
	}

END_TEST

static const struct {
	int64_t k, n;
	double low, high;
} wilsons[] = {
    {12, 40, .180748452, .454300188},
    {0, 20, 0, .161125158},
    {896, 896, .99573096, 1},
    {1, 10, .017876213, .404150027},
};

START_TEST(wilson)
	{
		struct gs_interval i =
		    gs_wilson95(wilsons[_i].k, wilsons[_i].n);
		ck_assert(i.is_known);
		NEAR(i.low, wilsons[_i].low, 8);
		NEAR(i.high, wilsons[_i].high, 8);
	}

END_TEST

START_TEST(wilson_holds_the_rate_and_narrows)
	{
		ck_assert(!gs_wilson95(0, 0).is_known);
		for (int64_t n = 1; n < 60; n++)
			for (int64_t k = 0; k <= n; k++) {
				struct gs_interval a = gs_wilson95(k, n);
				struct gs_interval b =
				    gs_wilson95(10 * k, 10 * n);
				double rate = (double)k / (double)n;
				ck_assert(a.low <= rate && rate <= a.high);
				ck_assert(a.low >= 0 && a.high <= 1);
				ck_assert(b.high - b.low < a.high - a.low);
				/* The mirror image of n - k. */
				struct gs_interval m = gs_wilson95(n - k, n);
				NEAR(m.low, 1 - a.high, 12);
			}
	}

END_TEST

static const struct {
	int64_t b, c;
	double value;
} mcnemars[] = {
    {10, 3, .09228515625},
    {0, 6, .03125},
    {25, 25, 1},
    {0, 0, 1},
    {3, 10, .09228515625},
};

START_TEST(mcnemar)
	{
		NEAR(gs_mcnemar(mcnemars[_i].b, mcnemars[_i].c),
		    mcnemars[_i].value, 11);
	}

END_TEST

START_TEST(pass_at_grows_with_k_and_c)
	{
		for (int64_t n = 1; n < 30; n++)
			for (int64_t c = 0; c <= n; c++)
				for (int64_t k = 1; k <= n; k++) {
					double p = gs_pass_at(n, c, k);
					ck_assert(p >= 0 && p <= 1);
					if (k < n)
						ck_assert(
						    gs_pass_at(n, c, k + 1) >=
						    p - 1e-12);
					if (c < n)
						ck_assert(gs_pass_at(n, c + 1,
						              k) >= p - 1e-12);
				}
	}

END_TEST

/* Records of one project are not independent: ten alike in each of four
 * projects say no more than four do. */
START_TEST(bootstrap_draws_projects)
	{
		struct gs_cluster four[4] = {0}, forty[4] = {0};
		for (int i = 0; i < 4; i++) {
			four[i] = (struct gs_cluster){.sum = {i % 2}, .n = {1}};
			forty[i] = (struct gs_cluster){
			    .sum = {10 * (i % 2)}, .n = {10}};
		}
		struct gs_interval a =
		    gs_bootstrap95(four, 4, GS_STATISTIC_RATE);
		struct gs_interval b =
		    gs_bootstrap95(forty, 4, GS_STATISTIC_RATE);
		ck_assert(a.is_known && b.is_known);
		ck_assert_double_eq(a.low, b.low);
		ck_assert_double_eq(a.high, b.high);
		ck_assert(a.low < 0.5 && a.high > 0.5);
		ck_assert(!gs_bootstrap95(four, 1, GS_STATISTIC_RATE).is_known);
		/* The seed is fixed. */
		struct gs_interval again =
		    gs_bootstrap95(four, 4, GS_STATISTIC_RATE);
		ck_assert_double_eq(a.low, again.low);
	}

END_TEST

/* Many equal projects: the percentile interval is the normal one. */
START_TEST(bootstrap_agrees_with_theory)
	{
		struct gs_cluster many[400] = {0};
		for (int i = 0; i < 400; i++)
			many[i] = (struct gs_cluster){
			    .sum = {i % 4 == 0, i % 2}, .n = {1, 1}};
		struct gs_interval rate =
		    gs_bootstrap95(many, 400, GS_STATISTIC_RATE);
		double half = 1.96 * sqrt(.25 * .75 / 400);
		NEAR(rate.low, .25 - half, 2);
		NEAR(rate.high, .25 + half, 2);
		struct gs_interval difference =
		    gs_bootstrap95(many, 400, GS_STATISTIC_DIFFERENCE);
		ck_assert(difference.low > .1 && difference.high < .4);
	}

END_TEST

START_TEST(auroc)
	{
		double bad[] = {.9, .8, .4}, good[] = {.5, .3, .2};
		NEAR(gs_auroc(bad, 3, good, 3), 8.0 / 9, 12);
		double same[] = {1, 1}, too[] = {1, 1};
		NEAR(gs_auroc(same, 2, too, 2), .5, 12);
		ck_assert(isnan(gs_auroc(bad, 3, good, 0)));
	}

END_TEST

GS_TESTS(numbers, GS_TEST_ROWS(pass_at, passes), GS_TEST_ROWS(wilson, wilsons),
    GS_TEST_ROWS(mcnemar, mcnemars), GS_TEST(wilson_holds_the_rate_and_narrows),
    GS_TEST(pass_at_grows_with_k_and_c), GS_TEST(bootstrap_draws_projects),
    GS_TEST(bootstrap_agrees_with_theory), GS_TEST(auroc))

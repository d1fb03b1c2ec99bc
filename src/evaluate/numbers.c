/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/numbers.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

/* The 97.5 % point of the normal distribution. */
#define Z95 1.959963984540054

struct gs_interval gs_wilson95(int64_t k, int64_t n)
{
	if (n <= 0)
		return (struct gs_interval){0};
	double p = (double)k / (double)n, m = (double)n;
	double z2 = Z95 * Z95;
	double centre = (p + z2 / (2 * m)) / (1 + z2 / m);
	double half =
	    Z95 * sqrt(p * (1 - p) / m + z2 / (4 * m * m)) / (1 + z2 / m);
	/* The ends that are exact are made so: 1 - 2e-17 is not 1. */
	return (struct gs_interval){
	    .is_known = true,
	    .low = k == 0 ? 0 : fmax(0, centre - half),
	    .high = k == n ? 1 : fmin(1, centre + half),
	};
}

double gs_pass_at(int64_t n, int64_t c, int64_t k)
{
	if (n - c < k)
		return 1;
	double none = 1;
	for (int64_t i = n - c + 1; i <= n; i++)
		none *= 1 - (double)k / (double)i;
	return 1 - none;
}

double gs_mcnemar(int64_t b, int64_t c)
{
	int64_t n = b + c, least = b < c ? b : c;
	double tail = 0;
	for (int64_t i = 0; i <= least; i++)
		tail += exp(lgamma((double)n + 1) - lgamma((double)i + 1) -
		            lgamma((double)(n - i) + 1) - (double)n * log(2));
	return fmin(1, 2 * tail);
}

/* splitmix64 */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;
	return (x > y) - (x < y);
}

static bool statistic_of(
    const struct gs_cluster *sum, enum gs_statistic statistic, double *ret)
{
	if (sum->n[0] == 0)
		return false;
	*ret = sum->sum[0] / (double)sum->n[0];
	if (statistic == GS_STATISTIC_RATE)
		return true;
	if (sum->n[1] == 0)
		return false;
	*ret = sum->sum[1] / (double)sum->n[1] - *ret;
	return true;
}

static bool draw(const struct gs_cluster *clusters, size_t n,
    enum gs_statistic statistic, uint64_t *state, double *ret)
{
	struct gs_cluster sum = {0};
	for (size_t i = 0; i < n; i++) {
		const struct gs_cluster *one =
		    &clusters[next_random(state) % n];
		for (int g = 0; g < 2; g++) {
			sum.sum[g] += one->sum[g];
			sum.n[g] += one->n[g];
		}
	}
	return statistic_of(&sum, statistic, ret);
}

/* Between the two nearest of the sorted values. */
static double quantile(const double *values, size_t n, double q)
{
	double at = q * (double)(n - 1);
	size_t below = (size_t)at;
	double rest = at - (double)below;
	if (below + 1 >= n)
		return values[n - 1];
	return values[below] + rest * (values[below + 1] - values[below]);
}

struct gs_interval gs_bootstrap95(
    const struct gs_cluster *clusters, size_t n, enum gs_statistic statistic)
{
	struct gs_interval interval = {0};
	if (n < 2)
		return interval;
	double *values = gs_alloc(GS_BOOTSTRAP_DRAWS * sizeof(*values));
	uint64_t state = UINT64_C(0x676f6c64736574); /* "goldset" */
	size_t kept = 0;
	for (int i = 0; i < GS_BOOTSTRAP_DRAWS; i++)
		kept += draw(clusters, n, statistic, &state, &values[kept]);
	if (kept > 0) {
		qsort(values, kept, sizeof(*values), by_value);
		interval = (struct gs_interval){
		    .is_known = true,
		    .low = quantile(values, kept, 0.025),
		    .high = quantile(values, kept, 0.975),
		};
	}
	free(values);
	return interval;
}

double gs_auroc(double *bad, size_t n_bad, double *good, size_t n_good)
{
	if (n_bad == 0 || n_good == 0)
		return NAN;
	qsort(bad, n_bad, sizeof(*bad), by_value);
	qsort(good, n_good, sizeof(*good), by_value);
	double wins = 0;
	size_t below = 0, up_to = 0;
	for (size_t i = 0; i < n_bad; i++) {
		while (below < n_good && good[below] < bad[i])
			below++;
		while (up_to < n_good && good[up_to] <= bad[i])
			up_to++;
		wins += (double)below + 0.5 * (double)(up_to - below);
	}
	return wins / ((double)n_bad * (double)n_good);
}

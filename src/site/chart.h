/* SPDX-License-Identifier: Apache-2.0 */
/* Pictures of numbers as inline SVG, each with its table beside it. Widths
 * and positions are attributes: no style is inline. */
#ifndef SITE_CHART_H
#define SITE_CHART_H

#include "site/html.h"

struct bar {
	const char *label;
	int64_t value;
	const char *link; /* of the label, or NULL */
};

struct chart {
	const char *title;
	const char *what, *counts; /* heads of the table's columns */
	const struct bar *bars;
	size_t n;
	int64_t total; /* that shares are of; 0: the sum of the bars */
};

/* Upright bars, in a given order: dates, sizes. */
void chart_columns(struct html *html, const struct chart *chart);
/* Lying bars: names. */
void chart_rows(struct html *html, const struct chart *chart);
/* Lying bars, centred, each a part of the one above. */
void chart_funnel(struct html *html, const struct chart *chart);

#endif

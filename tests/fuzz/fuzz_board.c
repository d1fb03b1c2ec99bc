/* SPDX-License-Identifier: Apache-2.0 */
/* Reports as the website takes them: what is refused says in which file, what
 * is taken has counts and intervals that can be drawn. */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "site/score.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void look(const struct report *report, size_t n_entries)
{
	for (size_t i = 0; i < n_entries; i++)
		if (report->results[i] > 2)
			abort();
	if (!report->name || !report->from || !report->to)
		abort();
	struct interval interval = wilson(report->resolved, report->total);
	if (report->total > 0 && report->resolved >= 0 &&
	    report->resolved <= report->total &&
	    !(interval.low >= 0 && interval.high <= 1 &&
	        interval.low <= interval.high))
		abort();
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static const char *const ids[] = {
	    "gs-0123456789abcdef", "gs-fedcba9876543210"};
	struct catalogue catalogue = {0};
	struct reports reports = {0};
	struct gs_err err = {0};

	for (size_t i = 0; i < GS_COUNT(ids); i++) {
		*GS_VEC_ADD(&catalogue.entries) = (struct entry){0};
		*gs_map_at(&catalogue.ids, gs_str(ids[i])) = (void *)(i + 1);
	}
	if (reports_parse(&catalogue, gs_str_n((const char *)data, size),
	        "reports", &reports, &err)) {
		if (!strstr(err.text, "reports"))
			abort();
	} else {
		for (size_t i = 0; i < reports.n; i++)
			look(&reports.v[i], catalogue.entries.n);
		for (size_t i = 0; i + 1 < reports.n && i < 4; i++) {
			struct pair pair = pair_of(&reports.v[i],
			    &reports.v[i + 1], catalogue.entries.n);
			if (!(pair.p >= 0 && pair.p <= 1))
				abort();
		}
	}
	for (size_t i = 0; i < reports.n; i++)
		report_release(&reports.v[i]);
	GS_VEC_FREE(&reports);
	GS_VEC_FREE(&catalogue.entries);
	gs_map_release(&catalogue.ids);
	return 0;
}

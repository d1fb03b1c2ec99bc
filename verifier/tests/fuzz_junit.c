/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the report that a run has left: tests can write it too. */
#include <stdlib.h>

#include "fuzz.h"
#include "junit.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct gv_buf xml = {0};
	struct gv_report report = {0};
	const char *message = "";
	size_t failed = 0;

	gv_put(&xml, bytes, n);
	(void)gv_read_junit(&xml, &report);
	for (size_t i = 0; i < report.n; i++) {
		failed += report.v[i].outcome == GV_FAILED ||
		          report.v[i].outcome == GV_BROKEN;
		(void)gv_outcome_of(&report, report.v[i].name, &message);
	}
	if (failed > report.failed)
		__builtin_trap();
	(void)gv_outcome_of(&report, gv_text(&xml), &message);
	for (size_t i = 0; i < report.n; i++) {
		free(report.v[i].class);
		free(report.v[i].name);
		free(report.v[i].message);
	}
	free(report.v);
	gv_drop(&xml);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Outcomes out of pytest's JUnit report (family xunit1). */
#ifndef GV_JUNIT_H
#define GV_JUNIT_H

#include "util.h"

enum gv_outcome {
	GV_ABSENT,
	GV_PASSED,
	GV_FAILED,
	GV_BROKEN,
	GV_SKIPPED,
	GV_DUPLICATE,
	GV_TIMEOUT
};

struct gv_case {
	char *class, *name;
	enum gv_outcome outcome; /* broken: set-up, teardown or collection */
	char *message;
};

struct gv_report {
	struct gv_case *v; /* by class and name */
	size_t n, failed;  /* and how many are failed or broken */
};

const char *gv_outcome_name(enum gv_outcome outcome);
/* false when the XML is not whole */
bool gv_read_junit(const struct gv_buf *xml, struct gv_report *to);
void gv_sort_report(struct gv_report *report);
/* the outcome of a node id, and the message if it has one */
enum gv_outcome gv_outcome_of(
    const struct gv_report *report, const char *id, const char **message);

#endif

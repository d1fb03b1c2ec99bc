/* SPDX-License-Identifier: Apache-2.0 */
/* A process for each record: whatever goes wrong in it is its own verdict. */
#ifndef GV_WORKER_H
#define GV_WORKER_H

#include "check.h"
#include "report.h"

struct gv_work {
	struct gv_result *results; /* each names its row */
	size_t n, jobs;            /* jobs: how many at a time */
	bool json;
};

/* checks the rows and prints each in order as soon as it is there */
void gv_work(const struct gv_release *release, const struct gv_options *options,
    const struct gv_python *python, const struct gv_work *work);

#endif

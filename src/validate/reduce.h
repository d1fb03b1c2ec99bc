/* SPDX-License-Identifier: Apache-2.0 */
/* K2: the smallest published source that reproduces, found by execution. */
#ifndef VALIDATE_REDUCE_H
#define VALIDATE_REDUCE_H

#include "validate/observe.h"

/* What is published: a unit of a file, or a whole file. */
struct gs_reduction {
	const struct gs_changed_file *file;
	const struct gs_unit *unit_before, *unit_after; /* NULL: whole file */
	struct gs_buf text; /* the file as it is after */
	struct gs_state after;
	const struct gs_run *run; /* the whole-file run that held */
	struct gs_buf tried;      /* JSON array for the evidence */
};

/* `full` is the after run of the whole commit. Sets verdict->reason when
 * nothing reproduces. */
GS_MUST_CHECK int gs_reduce(struct gs_observer *observer,
    const struct gs_oracle *oracle, const struct gs_run *before,
    const struct gs_run *full, struct gs_reduction *ret,
    struct gs_verdict *verdict, struct gs_err *err);
void gs_reduction_release(struct gs_reduction *reduction);

/* The published text after the fix: a view into the file's bytes. */
struct gs_str gs_reduction_after(const struct gs_reduction *reduction);

/* The state in which the published span of the before tree is `text`. The
 * file's bytes are made in `file`, which must outlive the state. */
void gs_state_with(const struct gs_candidate *candidate,
    const struct gs_reduction *reduction, const char *name, struct gs_str text,
    struct gs_buf *file, struct gs_state *ret);

#endif

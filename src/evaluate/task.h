/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records of a release as tasks: read into memory once, so that the
 * table is closed before anything is run.
 */
#ifndef EVALUATE_TASK_H
#define EVALUATE_TASK_H

#include "base/err.h"
#include "base/map.h"
#include "model/record.h"

struct gs_task {
	struct gs_record record;
	struct gs_evidence evidence;
	/* Filled in by who asks for runs: */
	char *mirror;  /* folder, or NULL: the repository cannot be had … */
	char *lacking; /* … for this reason */
	char *pytest_option; /* an extra one of the project, or NULL */
};

struct gs_tasks {
	struct gs_task *v; /* in the order of the release */
	size_t n, cap;
	struct gs_map by_id;   /* id → index + 1, see gs_task_find */
	struct gs_map outside; /* ids that gs_tasks_window dropped */
	char *version;         /* of the release */
	char sha256[65];       /* of its oracles.parquet */
};

/* GS_E_NOT_FOUND when the folder is no release. */
GS_MUST_CHECK int gs_tasks_read(
    const char *release, struct gs_tasks *ret, struct gs_err *err);
void gs_tasks_release(struct gs_tasks *tasks);
struct gs_task *gs_task_find(const struct gs_tasks *tasks, struct gs_str id);
/* Drops the tasks outside [after, before), instants as records print them;
 * NULL: no bound. */
void gs_tasks_window(
    struct gs_tasks *tasks, const char *after, const char *before);

bool gs_task_is_function(const struct gs_task *task);

#endif

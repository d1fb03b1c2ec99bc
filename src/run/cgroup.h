/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Limits on memory and processes by control groups, version 2 or 1.
 *
 * Folders are named goldset-<pid of the worker>-<n> below our own group, so
 * that those of a worker that was killed are known by their dead owner and
 * are removed by the next gs_cgroup_probe.
 */
#ifndef RUN_CGROUP_H
#define RUN_CGROUP_H

#include "run/box.h"

/* Fills in cgroup, cgroup_path and cgroup_pids. */
void gs_cgroup_probe(struct gs_box *box);

/* The group of one slot; a zeroed one limits nothing. */
struct gs_cgroup {
	bool is_v2;
	char *memory, *pids;       /* folders; equal under version 2 */
	uint64_t n_memory, n_pids; /* hits counted before the present run */
};

GS_MUST_CHECK int gs_cgroup_open(const struct gs_box *box,
    const struct gs_box_limits *limits, struct gs_cgroup *ret,
    struct gs_err *err);
void gs_cgroup_close(struct gs_cgroup *cgroup);
/* Puts a process (and what it will start) into the group. */
GS_MUST_CHECK int gs_cgroup_attach(
    const struct gs_cgroup *cgroup, int pid, struct gs_err *err);
/* Whether a limit was hit since the last call; both at once. */
void gs_cgroup_hits(
    struct gs_cgroup *cgroup, bool *ret_memory, bool *ret_processes);

#endif

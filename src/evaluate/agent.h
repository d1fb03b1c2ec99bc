/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An agent at work on a record: a command that is run in the sandbox, in the
 * parent's tree (before the fix, without the fix's tests, without history),
 * with TASK.md, which says what is wanted. What it makes of the record's
 * source is its answer; what else it changed is kept aside.
 */
#ifndef EVALUATE_AGENT_H
#define EVALUATE_AGENT_H

#include "evaluate/task.h"
#include "run/run.h"

struct gs_agent_work {
	const struct gs_task *task;
	const struct gs_env *env;
	const struct gs_strv *command; /* program and arguments, in the box */
	const struct gs_strv *binds;   /* further folders of the host */
	bool network;
	int timeout_ms;
};

struct gs_agent_result {
	struct gs_buf answer;     /* of the unit or file; empty: it is gone */
	bool changed;             /* the record's source is not what it was */
	struct gs_strv elsewhere; /* other paths of the tree that changed */
	char *log;                /* what it printed, head and tail */
	char *how;                /* "exited with 0", "was ended after …" */
	int64_t elapsed_ms;
};

void gs_agent_result_release(struct gs_agent_result *result);

/* In a worker process that has opened `slot`. */
GS_MUST_CHECK int gs_agent_run(struct gs_slot *slot,
    const struct gs_agent_work *work, struct gs_agent_result *ret,
    struct gs_err *err);

#endif

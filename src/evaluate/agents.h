/* SPDX-License-Identifier: Apache-2.0 */
/* An agent set to every record, some at a time; its answers are appended to a
 * file as those of a model are (solve.h). */
#ifndef EVALUATE_AGENTS_H
#define EVALUATE_AGENTS_H

#include "evaluate/score.h"
#include "evaluate/solve.h"

struct gs_agents_options {
	const struct gs_score_options *bench; /* workspace, box, envs, jobs */
	const struct gs_strv *command;
	const struct gs_strv *binds;
	const char *model; /* what the answers are filed under */
	const char *output, *log;
	int64_t samples;
	bool network;
	int timeout_ms;
};

/* `failed` counts records whose agent could not be run at all. */
GS_MUST_CHECK int gs_agents(const struct gs_tasks *tasks,
    const struct gs_agents_options *options, struct gs_solve_result *ret,
    struct gs_err *err);

#endif

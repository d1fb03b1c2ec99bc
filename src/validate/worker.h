/* SPDX-License-Identifier: Apache-2.0 */
/* A slot's process: what it keeps from one candidate to the next. */
#ifndef VALIDATE_WORKER_H
#define VALIDATE_WORKER_H

#include "git/listing.h"
#include "git/materialise.h"
#include "run/warm.h"
#include "validate/jobs.h"
#include "validate/validate.h"

/* Made by the parent before the workers are forked; read-only after. */
struct gs_validate_context {
	struct gs_store *store; /* the parent's alone */
	const struct gs_validate_options *options;
	struct gs_box box;
	struct gs_env *envs; /* of options->pythons */
	size_t n_envs;
	char *slots;         /* folder for the slots, absolute */
	struct gs_jobs jobs; /* that are out */
	struct gs_validate_progress progress;
	struct gs_validate_result result;
	int64_t started_ms;
};

struct gs_worker {
	const struct gs_validate_context *context;
	struct gs_slot *slot;
	struct gs_warm *warm; /* NULL: every run is cold */
	/* Of the project at hand: */
	int64_t project;
	struct gs_objects *objects;
	struct gs_tree_cache *trees;
	struct gs_workdir *workdir;
	struct gs_env venv; /* made for the candidate at hand; else zeroed */
};

/* Opens what belongs to a project, unless it is at hand already. */
GS_MUST_CHECK int gs_worker_enter(struct gs_worker *worker, int64_t project,
    const char *mirror, struct gs_err *err);
/* Whether the mirror is still there and knows the commit: else nothing that git
 * said of it is a fact about the candidate. */
GS_MUST_CHECK int gs_worker_check(
    struct gs_worker *worker, const struct gs_work *work, struct gs_err *err);
void gs_worker_leave(struct gs_worker *worker);

#endif

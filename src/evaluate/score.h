/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Scoring answers to the repair task: each is tried in a box of its own, in
 * parallel, and graded (E1, E2). A failure of ours is tried again; whatever
 * does not resolve is held against the right answer, tried on this machine:
 * where that fails too, the outcome is `infra` and nobody's fault.
 */
#ifndef EVALUATE_SCORE_H
#define EVALUATE_SCORE_H

#include "evaluate/answers.h"
#include "evaluate/grade.h"
#include "run/box.h"
#include "run/env.h"

struct gs_result {
	enum gs_score_outcome outcome;
	char *reason;     /* NULL when resolved */
	char *suspicious; /* why, or NULL (E2) */
	int64_t f2p_passed, p2p_passed;
	struct gs_strv failed; /* ids that did not pass in a complete run */
	int64_t elapsed_ms;    /* of the run; 0 when it came from the store */
	bool from_store;
};

struct gs_results {
	struct gs_result *v; /* one an answer, in the order of the answers */
	size_t n, cap;
};

void gs_result_release(struct gs_result *result);
void gs_results_release(struct gs_results *results);

struct gs_score_options {
	const char *workspace;
	const struct gs_env *envs;
	size_t n_envs;
	const struct gs_box *box;
	struct gs_box_limits limits;
	int jobs;
	bool regrade; /* from the store alone; nothing is run */
	bool fresh;   /* everything is run, whatever the store holds */
	/* About once a second; may be NULL. */
	void (*progress)(void *ctx, size_t done, size_t total);
	void *ctx;
};

GS_MUST_CHECK int gs_score(const struct gs_tasks *tasks,
    const struct gs_answers *answers, const struct gs_score_options *options,
    struct gs_results *ret, struct gs_err *err);

/* E3: for each record the gold answer, the unchanged source and an empty
 * text, as answers of the models "gold", "unchanged" and "empty". */
void gs_answers_for_self_test(
    const struct gs_tasks *tasks, struct gs_answers *ret);

#endif

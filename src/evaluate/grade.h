/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What one run says of one answer (E2). Pure: the same run gives the same
 * grade, today or from the store.
 */
#ifndef EVALUATE_GRADE_H
#define EVALUATE_GRADE_H

#include "evaluate/task.h"
#include "model/outcome.h"
#include "py/canary.h"

enum gs_score_outcome {
	GS_SCORE_RESOLVED,
	GS_SCORE_UNRESOLVED,
	GS_SCORE_INVALID_ANSWER,
	GS_SCORE_TAMPERED,
	GS_SCORE_TIMEOUT,
	GS_SCORE_INFRA,
};

#define GS_N_SCORE_OUTCOMES 6

const char *gs_score_outcome_name(enum gs_score_outcome outcome);
bool gs_score_outcome_parse(const char *name, enum gs_score_outcome *ret);

/* One run of an answer, with what was planted for it. */
struct gs_trial {
	struct gs_run run;
	struct gs_canaries canaries;
	bool at_end; /* where the canaries stood */
	/* Test-side files that were not what was laid down when it ended. */
	struct gs_strv touched;
};

void gs_trial_release(struct gs_trial *trial);

/* What the right answer taught. */
struct gs_gold {
	bool is_known;
	bool holds; /* the gold answer is resolved on this machine */
	bool at_end;
	struct gs_strv sound; /* copies that do what they must: "role[param]" */
	struct gs_strv touched, peeked;
	char *reason; /* when it does not hold */
};

void gs_gold_release(struct gs_gold *gold);

struct gs_grade {
	enum gs_score_outcome outcome;
	char *reason; /* a sentence */
	size_t f2p_passed, p2p_passed;
	struct gs_strv failed; /* the other ids, where the run was complete */
	/* A copy passed, or a file was touched or read, and only the gold
	 * answer can tell whether that is anybody's fault. */
	bool needs_gold;
};

void gs_grade_release(struct gs_grade *grade);

/* `gold` may be unknown (zeroed). */
void gs_grade_trial(const struct gs_task *task, const struct gs_trial *trial,
    const struct gs_gold *gold, struct gs_grade *ret);
/* From a trial of the gold answer. */
void gs_gold_learn(const struct gs_task *task, const struct gs_trial *trial,
    struct gs_gold *ret);

/* E2: words in the answer that only a cheat would want; the caller frees the
 * sentence, NULL when there are none. `before` is the text it replaces: what
 * stood there already is nobody's cheat. */
char *gs_suspicion(
    const struct gs_task *task, struct gs_str answer, struct gs_str before);

#endif

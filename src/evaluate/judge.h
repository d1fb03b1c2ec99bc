/* SPDX-License-Identifier: Apache-2.0 */
/* One answer judged: from the store, or by a trial on a worker's bench. */
#ifndef EVALUATE_JUDGE_H
#define EVALUATE_JUDGE_H

#include "evaluate/kept.h"
#include "evaluate/places.h"
#include "evaluate/score.h"

struct gs_judge {
	const struct gs_score_options *options;
	struct gs_bench *bench; /* NULL: from the store alone */
	const char *kept;       /* the store's folder */
	const struct gs_places *places;
};

/* GS_E_NOT_FOUND without a bench when the store lacks a run. What else goes
 * wrong with the record's state is an `infra` outcome. */
GS_MUST_CHECK int gs_judge_answer(const struct gs_judge *judge,
    const struct gs_task *task, const struct gs_answer *answer,
    struct gs_result *ret, struct gs_err *err);

#endif

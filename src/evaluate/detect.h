/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The detect task: is this text buggy? Each record gives the text before and
 * the text after its fix, so that neither answer is the commoner one.
 * Accuracy is over all texts, answered or not; of several samples the first
 * counts.
 */
#ifndef EVALUATE_DETECT_H
#define EVALUATE_DETECT_H

#include "evaluate/answers.h"
#include "evaluate/numbers.h"

struct gs_detect_report {
	const char *model;
	int64_t total, attempted; /* texts: two a record */
	int64_t true_buggy, false_buggy, true_clean, false_clean;
	double accuracy, accuracy_attempted, precision, recall, f1; /* or NaN */
	double auroc; /* NaN unless every answer has a score */
	struct gs_interval wilson, bootstrap; /* of the accuracy */
	/* Pairs: both right; one word for both; each the wrong way round. */
	int64_t pairs, both_right, both_buggy, both_clean, reversed, incomplete;
};

void gs_detect_score(const struct gs_tasks *tasks,
    const struct gs_answers *answers, const char *model,
    struct gs_detect_report *ret);
/* One line of JSON. */
void gs_detect_write(const struct gs_detect_report *report,
    const struct gs_tasks *tasks, struct gs_buf *ret);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers: JSON Lines, one answer a line, of any number of models and of any
 * number of samples a record:
 *
 *	{"id" (or "instance_id"), "model_name_or_path",
 *	 "answer" (text) or "model_patch" (unified diff), "sample": 0 …}
 *
 * What is not in that form is an error with its line, and nothing is scored
 * (F159): a slip of a script must not become a number.
 */
#ifndef EVALUATE_ANSWERS_H
#define EVALUATE_ANSWERS_H

#include "evaluate/task.h"

#define GS_MAX_SAMPLES 10000

struct gs_answer {
	size_t task; /* index */
	char *model;
	int64_t sample;
	struct gs_str text;
	bool is_patch;
	/* For detect: which text of the record, and what was said of it. */
	int item;
	bool says_buggy, has_score;
	double score;
	/* What it cost, where the line says so; -1: not said. */
	int64_t prompt_tokens, completion_tokens, elapsed_ms;
	double cost;
	size_t line;
};

struct gs_answers {
	struct gs_answer *v; /* by model, then task, then sample */
	size_t n, cap;
	struct gs_strv models; /* sorted */
	struct gs_arena arena;
};

enum gs_answer_form {
	GS_ANSWERS_REPAIR,
	GS_ANSWERS_DETECT,
};

/* `name` is what the errors call the source. Answers to records outside the
 * window that `tasks` was cut to are passed over. */
GS_MUST_CHECK int gs_answers_parse(struct gs_str text, const char *name,
    enum gs_answer_form form, const struct gs_tasks *tasks,
    struct gs_answers *ret, struct gs_err *err);
void gs_answers_release(struct gs_answers *answers);

/* What an answer is missing, said in the text of the report. */
const char *gs_answer_empty_reason(const struct gs_answer *answer);

#endif

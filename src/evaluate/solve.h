/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asking a model for answers. Each that comes is appended to the file of
 * answers at once, so that a call that was ended goes on where it was: what
 * the file holds of this model is not asked again.
 */
#ifndef EVALUATE_SOLVE_H
#define EVALUATE_SOLVE_H

#include "evaluate/chat.h"
#include "evaluate/task.h"

struct gs_solve_options {
	struct gs_chat_options chat;
	bool detect;
	struct gs_str template; /* empty: the usual one */
	int64_t samples;        /* of each record */
	const char *output;     /* answers, JSON Lines; appended to */
	const char *log; /* requests with their tokens and fates, or NULL */
	double price_in, price_out; /* of a million tokens; 0: unknown */
	void (*progress)(void *ctx, size_t done, size_t total);
	void *ctx;
};

struct gs_solve_result {
	int64_t asked, answered, failed, known; /* known: were there already */
	int64_t prompt_tokens, completion_tokens;
	double cost;
	char last_failure[256];
};

GS_MUST_CHECK int gs_solve(const struct gs_tasks *tasks,
    const struct gs_solve_options *options, struct gs_solve_result *ret,
    struct gs_err *err);

/* Ids with "\n" and the sample behind them that a file of answers holds of a
 * model; a last line that was cut off is cut away. No file is fine. */
GS_MUST_CHECK int gs_answers_known(const char *path, const char *model,
    struct gs_map *ret, struct gs_err *err);
/* Appends one line and flushes it to disk. */
GS_MUST_CHECK int gs_answers_append(
    const char *path, struct gs_str line, struct gs_err *err);

#endif

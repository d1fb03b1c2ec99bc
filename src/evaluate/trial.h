/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One answer, tried: its text spliced into the record's one span, the test
 * side laid over it with canaries in it, and one cold run (E1, E2).
 */
#ifndef EVALUATE_TRIAL_H
#define EVALUATE_TRIAL_H

#include "evaluate/grade.h"
#include "run/run.h"

/* A worker process's state: a slot, and what belongs to the record at hand. */
struct gs_bench;

GS_MUST_CHECK int gs_bench_open(const char *dir, const struct gs_box *box,
    const struct gs_box_limits *limits, struct gs_bench **ret,
    struct gs_err *err);
void gs_bench_close(struct gs_bench *bench);

struct gs_try {
	const struct gs_task *task;
	const struct gs_env *env;
	struct gs_str text; /* of the unit or the file */
	bool at_end;
	uint64_t places; /* of the planted tests, see places.h */
};

/* E1: the source file with the answer in it, in the file's own encoding.
 * False and a sentence where the answer is invalid; an error only when the
 * record's own state cannot be had. */
GS_MUST_CHECK int gs_bench_splice(struct gs_bench *bench,
    const struct gs_try *attempt, struct gs_buf *ret, bool *ret_valid,
    struct gs_buf *ret_why, struct gs_err *err);
/* Runs the record's test files with `file` as its source. */
GS_MUST_CHECK int gs_bench_run(struct gs_bench *bench,
    const struct gs_try *attempt, struct gs_str file, struct gs_trial *ret,
    struct gs_err *err);

/* True when just the same distributions can be imported as were when the
 * record was made. */
bool gs_env_is_of(const struct gs_env *env, const struct gs_task *task);
/* The interpreter that the record names, of those at hand: with the same
 * distributions, else the same version, else the same minor version, else the
 * first. */
const struct gs_env *gs_env_for(
    const struct gs_task *task, const struct gs_env *envs, size_t n);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A fixed number of long-lived worker processes of our own, each fed one job
 * at a time through a pipe and answering through another.
 *
 *	struct gs_pool_ops ops = { .next = …, .work = …, .done = … };
 *	rc = gs_pool_run(4, &ops, ctx, err);
 *
 * `next` and `done` are called in the parent, never at once; `work` runs in
 * the worker, job after job, and may keep state in what `begin` returned.
 * Only `done` may touch the store: a killed worker or parent loses the job
 * it was on and nothing else. A worker that dies is replaced and its job
 * comes back as done(…, died = true). On a stop request no new job is given,
 * the workers are killed, jobs under way are reported to `dropped`, and the
 * call returns GS_E_CANCELLED. Workers die with the parent, however it dies.
 * What a killed worker had started is reaped (os/orphans.h), unless the caller
 * has children of its own.
 */
#ifndef OS_POOL_H
#define OS_POOL_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct gs_pool_ops {
	/* Writes the next job; 1 given, 0 none left, negative error. `ret_tag`
	 * is the caller's name for it. Asked again after an answer: the pool
	 * ends when none is left and none is under way. */
	int (*next)(void *ctx, struct gs_buf *job, int64_t *ret_tag,
	    struct gs_err *err);
	/* In the worker, once, before the first job; may be NULL, may fail
	 * (then the pool ends with that error). */
	int (*begin)(void *ctx, int slot, void **ret_state, struct gs_err *err);
	/* In the worker: the answer to one job. An error ends the pool. */
	int (*work)(void *ctx, void *state, struct gs_str job,
	    struct gs_buf *answer, struct gs_err *err);
	/* In the worker, before it leaves of its own accord; may be NULL. */
	void (*end)(void *ctx, void *state);
	/* In the parent. `died`: the worker was lost, `answer` is empty. */
	int (*done)(void *ctx, int64_t tag, struct gs_str answer, bool died,
	    struct gs_err *err);
	void (*dropped)(void *ctx, int64_t tag); /* may be NULL */
	void (*tick)(
	    void *ctx); /* progress, about once a second; may be NULL */
};

/* How many workers: as asked for, 0 one a processor; from 1 to 256. */
int gs_pool_size(int64_t asked);

GS_MUST_CHECK int gs_pool_run(
    int n_slots, const struct gs_pool_ops *ops, void *ctx, struct gs_err *err);

#endif

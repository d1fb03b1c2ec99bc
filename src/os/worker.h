/* SPDX-License-Identifier: Apache-2.0 */
/* The worker's side of os/pool. */
#ifndef OS_WORKER_H
#define OS_WORKER_H

#include <sys/types.h>

#include "os/pool.h"

/* First byte of what a worker sends: an answer, or why it gave up. */
#define GS_WORKER_ANSWER 'A'
#define GS_WORKER_FAILURE 'F'

struct gs_worker {
	const struct gs_pool_ops *ops;
	void *ctx;
	int index;
	pid_t parent;
	int job_fd, answer_fd;
};

/* In the forked process; signals are blocked. */
GS_NORETURN void gs_worker_main(const struct gs_worker *worker);
/* Sets `err` from a failure message and returns its code. */
GS_MUST_CHECK int gs_worker_read_failure(
    struct gs_str message, struct gs_err *err);

#endif

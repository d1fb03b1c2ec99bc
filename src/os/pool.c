/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The state of a slot:
 *
 *	empty ── a job comes ──► busy ── answer ──► idle ── a job ──► busy
 *	  ▲                       │                  │
 *	  └────── worker died ────┴──────────────────┘
 *
 * A worker is made only when a job is there for it.
 */
#include "os/pool.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/orphans.h"
#include "os/signals.h"
#include "os/worker.h"

#define TICK_MS 1000
/* What a worker may take to leave once it is told to. */
#define LEAVE_MS 10000

struct slot {
	pid_t pid; /* 0: empty */
	int pidfd;
	int job_fd, answer_fd;
	bool is_busy;
	int64_t tag;
};

struct pool {
	const struct gs_pool_ops *ops;
	void *ctx;
	struct slot *slots;
	struct pollfd *watched;
	int n;
	struct gs_buf message;
	int64_t tick_at_ms;
	bool adopts; /* what a killed worker leaves */
};

static const struct slot no_worker = {
    .pidfd = -1, .job_fd = -1, .answer_fd = -1};

static void slot_empty(struct slot *slot)
{
	gs_closep(&slot->pidfd);
	gs_closep(&slot->job_fd);
	gs_closep(&slot->answer_fd);
	*slot = no_worker;
}

/* Kills the worker with its group, and reaps it. */
static void slot_kill(struct slot *slot)
{
	if (slot->pid > 0) {
		(void)kill(-slot->pid, SIGKILL);
		(void)kill(slot->pid, SIGKILL);
		while (waitpid(slot->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	slot_empty(slot);
}

static void pool_release(struct pool *pool)
{
	for (int i = 0; i < pool->n; i++)
		slot_kill(&pool->slots[i]);
	gs_orphans_release(pool->adopts);
	free(pool->slots);
	free(pool->watched);
	gs_buf_release(&pool->message);
}

/* In the new worker: the parent's ends are not ours. Otherwise the others
 * would never see an end of file. */
static void forget_pool(struct pool *pool)
{
	for (int i = 0; i < pool->n; i++)
		slot_empty(&pool->slots[i]);
}

/* Forks with all signals blocked, so that a handler of ours never runs in
 * the worker. */
static int slot_fork(struct pool *pool, int index, int jobs[2], int answers[2])
{
	struct gs_worker worker = {.ops = pool->ops,
	    .ctx = pool->ctx,
	    .index = index,
	    .parent = getpid(),
	    .job_fd = jobs[0],
	    .answer_fd = answers[1]};
	sigset_t all, before;

	(void)fflush(NULL); /* else it could be written twice */
	(void)sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, &before);
	pid_t pid = fork();
	if (pid == 0) {
		gs_closep(&jobs[1]);
		gs_closep(&answers[0]);
		forget_pool(pool);
		gs_worker_main(&worker);
	}
	int reason = errno;
	/* Here and there: whoever comes first. */
	if (pid > 0)
		(void)setpgid(pid, pid);
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	errno = reason;
	return pid;
}

static int slot_fill(struct pool *pool, int index, struct gs_err *err)
{
	struct slot *slot = &pool->slots[index];
	int jobs[2], answers[2];
	int rc = gs_fd_pipe(jobs, err);

	if (rc < 0)
		return rc;
	rc = gs_fd_pipe(answers, err);
	if (rc < 0) {
		gs_closep(&jobs[0]);
		gs_closep(&jobs[1]);
		return rc;
	}
	pid_t pid = slot_fork(pool, index, jobs, answers);
	int reason = errno;
	gs_closep(&jobs[0]);
	gs_closep(&answers[1]);
	*slot = (struct slot){.pid = pid > 0 ? pid : 0,
	    .pidfd = pid > 0 ? pidfd_open(pid, 0) : -1,
	    .job_fd = jobs[1],
	    .answer_fd = answers[0]};
	if (pid > 0 && slot->pidfd >= 0)
		return 0;
	if (pid < 0)
		errno = reason;
	rc = gs_fail_sys(err, "start a worker process");
	slot_kill(slot);
	return rc;
}

/* The worker is gone, and with it the job it was on. */
static int slot_died(struct pool *pool, struct slot *slot, struct gs_err *err)
{
	bool was_busy = slot->is_busy;
	int64_t tag = slot->tag;

	gs_log("worker %d died", (int)slot->pid);
	slot_kill(slot);
	if (!was_busy)
		return 0;
	return pool->ops->done(pool->ctx, tag, gs_str(NULL), true, err);
}

/* Gives the next job to a slot; 1 given, 0 none left, negative error. */
static int slot_feed(struct pool *pool, int index, struct gs_err *err)
{
	struct slot *slot = &pool->slots[index];
	struct gs_err why = {0};
	int64_t tag = 0;

	gs_buf_reset(&pool->message);
	int rc = pool->ops->next(pool->ctx, &pool->message, &tag, err);
	if (rc <= 0)
		return rc;
	if (pool->message.overflow)
		return gs_fail(err, GS_E_LIMIT, "a job is too large");
	if (slot->pid == 0) {
		rc = slot_fill(pool, index, err);
		if (rc < 0) {
			if (pool->ops->dropped)
				pool->ops->dropped(pool->ctx, tag);
			return rc;
		}
	}
	slot->is_busy = true;
	slot->tag = tag;
	/* A write that fails is a worker that died: poll will say so. */
	if (gs_fd_send(slot->job_fd, gs_buf_str(&pool->message), &why) < 0)
		gs_log("worker %d: %s", (int)slot->pid, why.text);
	return 1;
}

/* Takes an answer, or finds out that none will come. */
static int slot_hear(struct pool *pool, struct slot *slot, struct gs_err *err)
{
	struct gs_err why = {0};
	int rc = gs_fd_receive(
	    slot->answer_fd, GS_BUF_MAX_DEFAULT - 1, &pool->message, &why);

	if (rc <= 0 || pool->message.n == 0 || !slot->is_busy)
		return slot_died(pool, slot, err);
	struct gs_str answer = gs_buf_str(&pool->message);
	if (answer.p[0] != GS_WORKER_ANSWER)
		return gs_worker_read_failure(answer, err);
	slot->is_busy = false;
	return pool->ops->done(
	    pool->ctx, slot->tag, gs_str_from(answer, 1), false, err);
}

/* Fills the free slots. Returns how many are busy. */
static int feed_all(struct pool *pool, struct gs_err *err)
{
	int busy = 0;
	bool none_left = false;

	for (int i = 0; i < pool->n; i++) {
		if (!pool->slots[i].is_busy && !none_left) {
			if (gs_stop_requested())
				break;
			int rc = slot_feed(pool, i, err);
			if (rc < 0)
				return rc;
			none_left = rc == 0;
		}
		busy += pool->slots[i].is_busy;
	}
	return busy;
}

/* Hears whoever poll says has something: two entries a slot, the answers
 * and the process. */
static int hear_all(struct pool *pool, struct gs_err *err)
{
	const struct pollfd *watched = pool->watched;

	for (int i = 0; i < pool->n; i++, watched += 2) {
		struct slot *slot = &pool->slots[i];
		int rc = 0;
		if (watched[0].revents)
			rc = slot_hear(pool, slot, err);
		else if (watched[1].revents)
			rc = slot_died(pool, slot, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

/* Waits for an answer, a death, a stop or the tick. */
static int watch(struct pool *pool, struct gs_err *err)
{
	struct pollfd *next = pool->watched;
	int64_t until = pool->ops->tick ? pool->tick_at_ms : 0;

	for (int i = 0; i < pool->n; i++) {
		const struct slot *slot = &pool->slots[i];
		*next++ = (struct pollfd){slot->answer_fd, POLLIN, 0};
		*next++ = (struct pollfd){slot->pidfd, POLLIN, 0};
	}
	*next++ = (struct pollfd){gs_stop_fd(), POLLIN, 0};
	nfds_t n = (nfds_t)(next - pool->watched);
	int ready = poll(pool->watched, n, gs_clock_left(until));
	if (ready < 0 && errno != EINTR)
		return gs_fail_sys(err, "wait for the worker processes");
	/* Before any answer: Ctrl-C reaches more than us, and what a program
	 * answered while it was being ended is not to be believed. */
	if (ready <= 0 || gs_stop_requested())
		return 0;
	return hear_all(pool, err);
}

static bool is_worker(const void *ctx, pid_t pid)
{
	const struct pool *pool = ctx;

	for (int i = 0; i < pool->n; i++)
		if (pool->slots[i].pid == pid)
			return true;
	return false;
}

static void tick(struct pool *pool)
{
	if (!pool->ops->tick || gs_clock_left(pool->tick_at_ms) > 0)
		return;
	pool->ops->tick(pool->ctx);
	pool->tick_at_ms = gs_clock_ms() + TICK_MS;
}

static int run(struct pool *pool, struct gs_err *err)
{
	for (;;) {
		if (gs_stop_requested())
			return gs_fail(err, GS_E_CANCELLED,
			    "stopped on request, before the work was done");
		int busy = feed_all(pool, err);
		if (busy < 0)
			return busy;
		if (busy == 0 && !gs_stop_requested())
			return 0;
		int rc = watch(pool, err);
		if (rc < 0)
			return rc;
		if (pool->adopts)
			gs_orphans_reap(is_worker, pool);
		tick(pool);
	}
}

/* All is done: the workers may clean up. Who does not come to an end in
 * time is killed by the release. */
static void let_go(struct pool *pool)
{
	int64_t deadline_ms = gs_clock_ms() + LEAVE_MS;

	for (int i = 0; i < pool->n; i++)
		gs_closep(&pool->slots[i].job_fd);
	for (int i = 0; i < pool->n && !gs_stop_requested(); i++) {
		struct pollfd ended = {pool->slots[i].pidfd, POLLIN, 0};
		while (ended.fd >= 0 && !gs_stop_requested() &&
		       poll(&ended, 1, gs_clock_left(deadline_ms)) < 0 &&
		       errno == EINTR)
			;
	}
}

static void drop_all(struct pool *pool)
{
	for (int i = 0; i < pool->n; i++) {
		struct slot *slot = &pool->slots[i];
		bool was_busy = slot->is_busy;
		int64_t tag = slot->tag;
		slot_kill(slot);
		if (was_busy && pool->ops->dropped)
			pool->ops->dropped(pool->ctx, tag);
	}
}

int gs_pool_size(int64_t asked)
{
	long n = asked ? (long)asked : sysconf(_SC_NPROCESSORS_ONLN);
	return n < 1 ? 1 : n > 256 ? 256 : (int)n;
}

int gs_pool_run(
    int n_slots, const struct gs_pool_ops *ops, void *ctx, struct gs_err *err)
{
	assert(n_slots > 0);
	GS_CLEANUP(pool_release)
	struct pool pool = {
	    .ops = ops,
	    .ctx = ctx,
	    .slots = gs_alloc((size_t)n_slots * sizeof(*pool.slots)),
	    .watched =
	        gs_alloc((2 * (size_t)n_slots + 1) * sizeof(*pool.watched)),
	    .n = n_slots,
	    .tick_at_ms = gs_clock_ms() + TICK_MS,
	    .adopts = gs_orphans_adopt(),
	};

	for (int i = 0; i < n_slots; i++)
		pool.slots[i] = no_worker;
	(void)signal(SIGPIPE, SIG_IGN); /* a dead worker is no reason to die */
	int rc = run(&pool, err);
	if (rc == 0)
		let_go(&pool);
	else
		drop_all(&pool);
	return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "gs_test.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/file.h"
#include "os/pool.h"
#include "os/proc.h"
#include "os/signals.h"

#define N_JOBS 60

static struct gs_err err;

struct work {
	int n_jobs, next;
	int n_done[N_JOBS], n_died[N_JOBS], n_dropped[N_JOBS];
	int ticks;
	int begin_code;     /* what begin returns */
	const char *script; /* what every job runs, or NULL */
	int tell_fd;        /* where `end` and scripts say so */
	size_t answer_size;
};

static int give(
    void *ctx, struct gs_buf *job, int64_t *ret_tag, struct gs_err *e)
{
	struct work *work = ctx;

	(void)e;
	if (work->next == work->n_jobs)
		return 0;
	gs_buf_addf(job, "%d", work->next);
	*ret_tag = work->next++;
	return 1;
}

static int begin(void *ctx, int slot, void **ret_state, struct gs_err *e)
{
	struct work *work = ctx;
	int *count = gs_alloc(sizeof(*count));

	(void)slot;
	*ret_state = count;
	if (work->begin_code == 0)
		return 0;
	free(count);
	return gs_fail(
	    e, (enum gs_code)work->begin_code, "no sandbox: %s", "why");
}

static int run_script(struct work *work, struct gs_err *e)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv argv = {0};
	struct gs_fd_map map = {work->tell_fd, 5};
	struct gs_proc_io io = {0};
	struct gs_end end;

	gs_strv_push_all(&argv, "sh", "-c", work->script, NULL);
	struct gs_child child = {.argv = gs_strv_argv(&argv),
	    .fds = &map,
	    .n_fds = 1,
	    .own_session = true};
	return gs_proc_run(&child, &io, &end, e);
}

/* Jobs with a 7 at the end kill their worker, on its first and its later
 * jobs alike. */
static int square(void *ctx, void *state, struct gs_str job,
    struct gs_buf *answer, struct gs_err *e)
{
	struct work *work = ctx;
	int *count = state;
	int n = atoi(job.p);

	if (work->script)
		return run_script(work, e);
	if (n % 10 == 7)
		(void)raise(SIGKILL);
	++*count;
	gs_buf_addf(answer, "%d %d", n * n, *count);
	while (answer->n < work->answer_size)
		gs_buf_addc(answer, 'x');
	return 0;
}

static void leave(void *ctx, void *state)
{
	struct work *work = ctx;

	free(state);
	if (work->tell_fd > 0 && write(work->tell_fd, "e", 1) < 0)
		_exit(9);
}

static int take(
    void *ctx, int64_t tag, struct gs_str answer, bool died, struct gs_err *e)
{
	struct work *work = ctx;

	(void)e;
	if (died) {
		ck_assert_uint_eq(answer.n, 0);
		work->n_died[tag]++;
		return 0;
	}
	if (!work->script)
		ck_assert_int_eq(atoi(answer.p), tag * tag);
	work->n_done[tag]++;
	return 0;
}

static void drop(void *ctx, int64_t tag)
{
	((struct work *)ctx)->n_dropped[tag]++;
}

static void tick(void *ctx)
{
	((struct work *)ctx)->ticks++;
}

static const struct gs_pool_ops ops = {.next = give,
    .begin = begin,
    .work = square,
    .end = leave,
    .done = take,
    .dropped = drop,
    .tick = tick};

static const int slot_counts[] = {1, 2, 5, 90};

START_TEST(each_job_comes_back_once)
	{
		struct work work = {.n_jobs = N_JOBS, .answer_size = 100000};

		ck_assert_msg(
		    gs_pool_run(slot_counts[_i], &ops, &work, &err) == 0, "%s",
		    err.text);
		for (int i = 0; i < N_JOBS; i++) {
			ck_assert_int_eq(work.n_died[i], i % 10 == 7);
			ck_assert_int_eq(work.n_done[i], i % 10 != 7);
			ck_assert_int_eq(work.n_dropped[i], 0);
		}
		ck_assert_int_eq(
		    waitpid(-1, NULL, WNOHANG), -1); /* all reaped */
		int n = 0;
		for (int fd = 3; fd < 256; fd++)
			n += fcntl(fd, F_GETFD) >= 0;
		struct work again = {.n_jobs = 3};
		ck_assert_int_eq(gs_pool_run(2, &ops, &again, &err), 0);
		for (int fd = 3; fd < 256; fd++)
			n -= fcntl(fd, F_GETFD) >= 0;
		ck_assert_int_eq(n, 0);
	}

END_TEST

START_TEST(no_job_no_worker)
	{
		struct work work = {.begin_code = GS_E_ENVIRONMENT};

		ck_assert_int_eq(gs_pool_run(3, &ops, &work, &err), 0);
	}

END_TEST

START_TEST(workers_live_long_and_leave_in_order)
	{
		char text[10];
		int ends[2];
		struct work work = {.n_jobs = 7};

		ck_assert_int_eq(gs_fd_pipe(ends, &err), 0);
		work.tell_fd = ends[1];
		ck_assert_int_eq(gs_pool_run(2, &ops, &work, &err), 0);
		gs_closep(&ends[1]);
		/* Seven jobs, two workers: two farewells. */
		ck_assert_int_eq(read(ends[0], text, sizeof(text)), 2);
	}

END_TEST

START_TEST(a_failing_begin_ends_the_pool)
	{
		struct work work = {
		    .n_jobs = N_JOBS, .begin_code = GS_E_ENVIRONMENT};
		int dropped = 0;

		ck_assert_int_eq(
		    gs_pool_run(2, &ops, &work, &err), GS_E_ENVIRONMENT);
		ck_assert_str_eq(err.text, "no sandbox: why");
		for (int i = 0; i < N_JOBS; i++)
			dropped += work.n_dropped[i];
		ck_assert_int_eq(
		    dropped, work.next); /* every job that was given */
		ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	}

END_TEST

static int fail_at_five(
    void *ctx, int64_t tag, struct gs_str answer, bool died, struct gs_err *e)
{
	(void)ctx;
	(void)answer;
	(void)died;
	return tag == 5 ? gs_fail(e, GS_E_CORRUPT, "five") : 0;
}

START_TEST(a_failing_done_ends_the_pool)
	{
		struct work work = {.n_jobs = N_JOBS};
		struct gs_pool_ops failing = ops;

		failing.done = fail_at_five;
		ck_assert_int_eq(
		    gs_pool_run(3, &failing, &work, &err), GS_E_CORRUPT);
		ck_assert_int_lt(work.next, 12);
	}

END_TEST

static void stop_after_one(void *ctx)
{
	((struct work *)ctx)->ticks++;
	(void)raise(SIGTERM);
}

/* No new job, workers and what they run are dead, jobs reported. */
START_TEST(a_stop_ends_all)
	{
		int ends[2];
		char byte;
		struct gs_pool_ops stopping = ops;
		struct work work = {
		    .n_jobs = N_JOBS, .script = "echo >&5; exec sleep 60"};
		int64_t start = gs_clock_ms();

		gs_stop_install();
		stopping.tick = stop_after_one;
		ck_assert_int_eq(gs_fd_pipe(ends, &err), 0);
		work.tell_fd = ends[1];
		ck_assert_int_eq(
		    gs_pool_run(3, &stopping, &work, &err), GS_E_CANCELLED);
		ck_assert_int_lt(gs_clock_ms() - start, 20000);
		ck_assert_int_eq(work.ticks, 1);
		ck_assert_int_eq(work.next, 3);
		for (int i = 0; i < N_JOBS; i++) {
			ck_assert_int_eq(work.n_dropped[i], i < 3);
			ck_assert_int_eq(work.n_done[i] + work.n_died[i], 0);
		}
		/* End of file: the last program that held it is gone too. */
		gs_closep(&ends[1]);
		struct pollfd gone = {ends[0], POLLIN, 0};
		do
			ck_assert_int_eq(poll(&gone, 1, 5000), 1);
		while (read(ends[0], &byte, 1) > 0);
	}

END_TEST

/* The parent is killed outright: workers and their programs go. */
START_TEST(all_die_with_the_parent)
	{
		int ends[2];
		char byte;

		ck_assert_int_eq(gs_fd_pipe(ends, &err), 0);
		pid_t parent = fork();
		if (parent == 0) {
			struct work work = {.n_jobs = 2,
			    .script = "echo >&5; exec sleep 60",
			    .tell_fd = ends[1]};
			_exit(gs_pool_run(2, &ops, &work, &err) != 0);
		}
		gs_closep(&ends[1]);
		ck_assert_int_eq(read(ends[0], &byte, 1), 1);
		ck_assert_int_eq(read(ends[0], &byte, 1), 1);
		ck_assert_int_eq(kill(parent, SIGKILL), 0);
		struct pollfd gone = {ends[0], POLLIN, 0};
		ck_assert_int_eq(poll(&gone, 1, 5000), 1);
		ck_assert_int_eq(read(ends[0], &byte, 1), 0);
		ck_assert_int_eq(waitpid(parent, NULL, 0), parent);
	}

END_TEST

/* A program that the worker leaves to die with it, and its death. */
static int die_with_program(void *ctx, void *state, struct gs_str job,
    struct gs_buf *answer, struct gs_err *e)
{
	const struct work *work = ctx;
	struct gs_proc proc;
	char *argv[] = {(char[]){"sleep"}, (char[]){"60"}, NULL};
	struct gs_child child = {.argv = argv, .own_session = true};

	if (atoi(job.p) == 1) {
		ck_assert_int_eq(gs_proc_start(&child, &proc, e), 0);
		ck_assert_int_eq(
		    write(work->tell_fd, &proc.pid, sizeof(proc.pid)),
		    sizeof(proc.pid));
		(void)raise(SIGKILL);
	}
	return square(ctx, state, job, answer, e);
}

START_TEST(what_a_killed_worker_leaves_is_reaped)
	{
		int ends[2];
		pid_t program = 0;
		ck_assert_int_eq(gs_fd_pipe(ends, &err), 0);
		struct work work = {.n_jobs = 4, .tell_fd = ends[1]};
		struct gs_pool_ops dying = ops;

		dying.work = die_with_program;
		ck_assert_int_eq(gs_pool_run(1, &dying, &work, &err), 0);
		ck_assert_int_eq(work.n_died[1], 1);
		ck_assert_int_eq(
		    read(ends[0], &program, sizeof(program)), sizeof(program));
		/* Neither running nor a zombie. */
		GS_CLEANUP(gs_freep)
		char *place = gs_format("/proc/%d", (int)program);
		ck_assert(!gs_path_exists(place));
		ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
		gs_closep(&ends[0]);
		gs_closep(&ends[1]);
	}

END_TEST

/* A child of the caller's is the caller's to reap. */
START_TEST(a_child_of_the_caller_is_left_alone)
	{
		struct work work = {.n_jobs = 4};
		int status = -1;
		pid_t child = fork();

		if (child == 0)
			_exit(7);
		ck_assert_int_eq(
		    waitid(P_PID, (id_t)child, NULL, WEXITED | WNOWAIT), 0);
		ck_assert_int_eq(gs_pool_run(2, &ops, &work, &err), 0);
		ck_assert_int_eq(waitpid(child, &status, 0), child);
		ck_assert_int_eq(WEXITSTATUS(status), 7);
	}

END_TEST

/* A worker that is told to stop is replaced; the stop is its own affair. */
static int terminate_self(void *ctx, void *state, struct gs_str job,
    struct gs_buf *answer, struct gs_err *e)
{
	(void)e;
	if (atoi(job.p) == 1)
		(void)raise(SIGTERM);
	return square(ctx, state, job, answer, e);
}

START_TEST(a_terminated_worker_is_replaced)
	{
		struct work work = {.n_jobs = 4};
		struct gs_pool_ops terminating = ops;

		gs_stop_install();
		terminating.work = terminate_self;
		ck_assert_int_eq(gs_pool_run(1, &terminating, &work, &err), 0);
		ck_assert_int_eq(work.n_died[1], 1);
		ck_assert_int_eq(work.n_done[2] + work.n_done[3], 2);
		ck_assert(!gs_stop_requested());
	}

END_TEST

GS_TESTS(os_pool, GS_TEST_ROWS(each_job_comes_back_once, slot_counts),
    GS_TEST(no_job_no_worker), GS_TEST(workers_live_long_and_leave_in_order),
    GS_TEST(a_failing_begin_ends_the_pool),
    GS_TEST(a_failing_done_ends_the_pool), GS_TEST(a_stop_ends_all),
    GS_TEST(all_die_with_the_parent),
    GS_TEST(what_a_killed_worker_leaves_is_reaped),
    GS_TEST(a_child_of_the_caller_is_left_alone),
    GS_TEST(a_terminated_worker_is_replaced))

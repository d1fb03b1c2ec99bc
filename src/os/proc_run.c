/* SPDX-License-Identifier: Apache-2.0 */
/* One child, fed and read until it has ended: one poll over everything that
 * can happen. It has ended when the pidfd says so *and* the pipes are at
 * their end or the grace has passed: a daemon that a test left behind may
 * hold them open for ever. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "os/clock.h"
#include "os/fd.h"
#include "os/proc.h"
#include "os/signals.h"

#define GRACE_MS 200
#define READ_SIZE ((size_t)64 << 10)

enum {
	IN,
	OUT,
	ERRORS,
	SIDE,
	ENDED,
	STOP,
	N_WATCHED
};

struct session {
	const struct gs_proc_io *io;
	struct gs_proc proc;
	struct gs_str input; /* what is left of it */
	int side_fd;
	uint64_t printed;
	int64_t deadline_ms;
	int64_t tick_at_ms;  /* 0: no tick */
	int64_t ended_at_ms; /* 0: it runs */
	bool is_killed;
	enum gs_end_kind why; /* when killed */
};

static void session_release(struct session *s)
{
	gs_proc_release(&s->proc);
}

static void end_it(struct session *s, enum gs_end_kind why)
{
	if (s->is_killed || s->ended_at_ms)
		return;
	s->is_killed = true;
	s->why = why;
	gs_proc_kill(&s->proc);
}

static bool is_over(const struct session *s)
{
	bool at_end =
	    s->proc.stdout_fd < 0 && s->proc.stderr_fd < 0 && s->side_fd < 0;
	return s->ended_at_ms &&
	       (at_end || gs_clock_ms() >= s->ended_at_ms + GRACE_MS);
}

static int64_t earlier(int64_t a, int64_t b)
{
	if (a == 0 || b == 0)
		return a ? a : b;
	return a < b ? a : b;
}

static int wait_ms(const struct session *s)
{
	if (s->ended_at_ms)
		return gs_clock_left(s->ended_at_ms + GRACE_MS);
	if (s->is_killed)
		return -1;
	return gs_clock_left(earlier(s->deadline_ms, s->tick_at_ms));
}

/* A child that does not read its input to the end is in its right. */
static void feed(struct session *s)
{
	ssize_t n = write(s->proc.stdin_fd, s->input.p, s->input.n);

	if (n >= 0)
		s->input = gs_str_from(s->input, (size_t)n);
	else if (errno == EAGAIN || errno == EINTR)
		return;
	if (n < 0 || s->input.n == 0)
		gs_closep(&s->proc.stdin_fd);
}

static int keep_whole(
    struct gs_buf *buf, struct gs_str bytes, struct gs_err *err)
{
	gs_buf_adds(buf, bytes);
	if (!buf->overflow)
		return 0;
	return gs_fail(err, GS_E_LIMIT,
	    "a program printed more than the %zu bytes that are kept",
	    buf->max ? buf->max : GS_BUF_MAX_DEFAULT);
}

static int take(
    struct session *s, int which, struct gs_str bytes, struct gs_err *err)
{
	const struct gs_proc_io *io = s->io;
	struct gs_buf *whole = which == OUT ? io->out : io->errors;

	if (which == SIDE) {
		if (!s->is_killed && io->side(io->ctx, bytes) != 0)
			end_it(s, GS_END_OUTPUT);
		return 0;
	}
	s->printed += bytes.n;
	if (io->captured)
		gs_capture_add(io->captured, bytes);
	if (io->output_max && s->printed > io->output_max)
		end_it(s, GS_END_OUTPUT);
	return whole ? keep_whole(whole, bytes, err) : 0;
}

/* Reads once: poll has said that this does not block. */
static int drain(struct session *s, int which, int *fd, struct gs_err *err)
{
	char bytes[READ_SIZE];
	ssize_t n = read(*fd, bytes, sizeof(bytes));

	if (n > 0)
		return take(s, which, gs_str_n(bytes, (size_t)n), err);
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	if (which == SIDE)
		*fd = -1; /* the caller's to close */
	else
		gs_closep(fd);
	return 0;
}

static void check_clock(struct session *s)
{
	const struct gs_proc_io *io = s->io;

	if (s->tick_at_ms && gs_clock_left(s->tick_at_ms) == 0) {
		int64_t deadline_ms = io->tick(io->ctx);
		if (deadline_ms)
			s->deadline_ms = deadline_ms;
		s->tick_at_ms = gs_clock_ms() + io->tick_ms;
	}
	if (gs_clock_left(s->deadline_ms) == 0)
		end_it(s, GS_END_TIMEOUT);
}

static int handle(
    struct session *s, const struct pollfd *watched, struct gs_err *err)
{
	int rc = 0;

	if (watched[IN].revents)
		feed(s);
	if (watched[OUT].revents)
		rc = drain(s, OUT, &s->proc.stdout_fd, err);
	if (rc == 0 && watched[ERRORS].revents)
		rc = drain(s, ERRORS, &s->proc.stderr_fd, err);
	if (rc == 0 && watched[SIDE].revents)
		rc = drain(s, SIDE, &s->side_fd, err);
	if (watched[ENDED].revents) {
		s->ended_at_ms = gs_clock_ms();
		gs_closep(&s->proc.stdin_fd);
	}
	if (gs_stop_requested())
		end_it(s, GS_END_STOPPED);
	if (!s->ended_at_ms)
		check_clock(s);
	return rc;
}

static int watch(struct session *s, struct gs_err *err)
{
	while (!is_over(s)) {
		bool runs = !s->ended_at_ms;
		struct pollfd watched[N_WATCHED] = {
		    [IN] = {s->proc.stdin_fd, POLLOUT, 0},
		    [OUT] = {s->proc.stdout_fd, POLLIN, 0},
		    [ERRORS] = {s->proc.stderr_fd, POLLIN, 0},
		    [SIDE] = {s->side_fd, POLLIN, 0},
		    [ENDED] = {runs ? s->proc.pidfd : -1, POLLIN, 0},
		    [STOP] = {runs && !s->is_killed ? gs_stop_fd() : -1, POLLIN,
		        0},
		};
		if (poll(watched, N_WATCHED, wait_ms(s)) < 0) {
			if (errno != EINTR)
				return gs_fail_sys(err, "wait for a program");
			for (int i = 0; i < N_WATCHED; i++)
				watched[i].revents = 0;
		}
		int rc = handle(s, watched, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int start(
    const struct gs_child *form, struct session *s, struct gs_err *err)
{
	const struct gs_proc_io *io = s->io;
	struct gs_child child = *form;
	enum gs_to captured = io->captured ? GS_TO_STDOUT : GS_TO_NULL;

	/* Kept together, both streams share one pipe and keep their order. */
	if (io->errors || (io->captured && io->out))
		captured = GS_TO_PIPE;
	child.stdin_to = io->input.n > 0 ? GS_TO_PIPE : GS_TO_NULL;
	child.stdout_to = io->out || io->captured ? GS_TO_PIPE : GS_TO_NULL;
	child.stderr_to = captured;
	int rc = gs_proc_start(&child, &s->proc, err);
	if (rc < 0)
		return rc;
	int fd = s->proc.stdin_fd;
	if (fd >= 0 && fcntl(fd, F_SETFL, O_WRONLY | O_NONBLOCK) < 0)
		return gs_fail_sys(err, "set up the input of a program");
	return 0;
}

int gs_proc_run(const struct gs_child *child, const struct gs_proc_io *io,
    struct gs_end *ret, struct gs_err *err)
{
	GS_CLEANUP(session_release)
	struct session s = {
	    .io = io,
	    .input = io->input,
	    .side_fd = io->side ? io->side_fd : -1,
	    .deadline_ms = io->deadline_ms,
	    .tick_at_ms =
	        io->tick && io->tick_ms > 0 ? gs_clock_ms() + io->tick_ms : 0,
	};
	int rc = start(child, &s, err);

	if (rc == 0)
		rc = watch(&s, err);
	if (rc < 0)
		return rc;
	int64_t elapsed_ms = s.ended_at_ms - s.proc.started_ms;
	rc = gs_proc_wait(&s.proc, 0, ret, err);
	if (rc < 0)
		return rc;
	ret->elapsed_ms = elapsed_ms;
	/* At the deadline it may just have left by itself. */
	if (s.is_killed &&
	    (s.why != GS_END_TIMEOUT || ret->kind == GS_END_SIGNALLED))
		ret->kind = s.why;
	return 0;
}

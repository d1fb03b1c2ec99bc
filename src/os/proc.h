/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Child processes, described by filling in a form.
 *
 *	struct gs_child child = {
 *	    .argv = gs_strv_argv(&args), .stdout_to = GS_TO_PIPE};
 *	rc = gs_proc_start(&child, &proc, err);
 *	... read proc.stdout_fd ...
 *	rc = gs_proc_wait(&proc, deadline_ms, &end, err);
 *
 * or gs_proc_run, which does all of it and keeps the output to a cap.
 *
 * Guarantees: descriptors that are not named are closed in the child; exec
 * failure comes back as an error; signals are blocked across the fork and
 * reset in the child; the child dies with its parent (PDEATHSIG, parent
 * re-checked); nothing waits by polling (pidfd). A descendant that keeps a
 * pipe open never holds up the end (grace of 200 ms after the exit). Giving
 * a child a pipe for its stdin sets SIGPIPE to be ignored in ourselves.
 */
#ifndef OS_PROC_H
#define OS_PROC_H

#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/strv.h"

enum gs_to {
	GS_TO_NULL = 0, /* /dev/null */
	GS_TO_PIPE,     /* a pipe whose other end is in struct gs_proc */
	GS_TO_INHERIT,
	GS_TO_FD,     /* the descriptor given beside it */
	GS_TO_STDOUT, /* for stderr: wherever stdout goes, in order */
};

struct gs_fd_map {
	int from; /* ours */
	int to;   /* its number in the child */
};

struct gs_child {
	char *const *argv; /* argv[0] is looked up on PATH when without '/' */
	char *const *envp; /* NULL: ours */
	const char *cwd;   /* NULL: ours */
	enum gs_to stdin_to, stdout_to, stderr_to;
	int stdin_fd, stdout_fd, stderr_fd; /* for GS_TO_FD */
	const struct gs_fd_map *fds; /* further descriptors to hand over */
	size_t n_fds;
	uid_t uid;        /* 0: stay; else setgroups(0), setgid, setuid to it */
	bool own_session; /* setsid */
	size_t file_size_max; /* RLIMIT_FSIZE; 0: none */
	/* RLIMIT_DATA: memory of its own, mapped files aside; 0: none, and
	 * never more than we have ourselves. */
	size_t data_max;
};

struct gs_proc {
	pid_t pid;
	int pidfd;
	int stdin_fd, stdout_fd, stderr_fd; /* our pipe ends or -1 */
	int64_t started_ms;
};

enum gs_end_kind {
	GS_END_EXITED,
	GS_END_SIGNALLED,
	GS_END_TIMEOUT, /* we ended it at the deadline */
	GS_END_OUTPUT,  /* we ended it for printing too much */
	GS_END_STOPPED, /* we ended it because a stop was requested */
};

struct gs_end {
	enum gs_end_kind kind;
	int code; /* exit status or signal number */
	int64_t elapsed_ms, cpu_ms;
	/* At least our own size at the fork: Linux counts it. */
	int64_t peak_kib;
};

GS_MUST_CHECK int gs_proc_start(
    const struct gs_child *child, struct gs_proc *ret, struct gs_err *err);
/* Waits for the end; at the deadline (0: none) SIGKILL to the process, and to
 * its group where it leads one. Closes the pidfd; the pipe ends stay. */
GS_MUST_CHECK int gs_proc_wait(struct gs_proc *proc, int64_t deadline_ms,
    struct gs_end *ret, struct gs_err *err);
/* SIGKILL to the process, and to its group where it leads one. */
void gs_proc_kill(const struct gs_proc *proc);
/* Kills (if alive), reaps, closes everything. For clean-up; never fails; a
 * zeroed struct is fine. */
void gs_proc_release(struct gs_proc *proc);

/* Output kept to a cap: the head and the tail, the middle counted. */
struct gs_capture {
	struct gs_buf head, tail;
	size_t keep;    /* each of the two; 0: GS_MAX_OUTPUT_KEPT / 2 */
	uint64_t total; /* bytes seen */
};

void gs_capture_add(struct gs_capture *capture, struct gs_str bytes);
/* The text, with "[... N bytes left out ...]" where there was a middle. */
void gs_capture_text(const struct gs_capture *capture, struct gs_buf *out);
void gs_capture_release(struct gs_capture *capture);

struct gs_proc_io {
	struct gs_str input; /* for stdin when not empty */
	struct gs_buf *out;  /* whole stdout, GS_E_LIMIT over out->max */
	struct gs_capture *captured; /* or/and kept to a cap, with stderr */
	struct gs_buf *errors;       /* whole stderr */
	uint64_t output_max;         /* GS_END_OUTPUT beyond; 0: none */
	int64_t deadline_ms;         /* absolute; 0: none */
	/* A further descriptor to read (an event stream), or -1 … */
	int side_fd;
	/* … and what takes its bytes; non-zero ends the child as GS_END_OUTPUT.
	 */
	int (*side)(void *ctx, struct gs_str bytes);
	/* Called at least every tick_ms while it runs (0: never). Returns an
	 * absolute deadline_ms that replaces the present one, or 0 to keep it.
	 */
	int64_t (*tick)(void *ctx);
	int tick_ms;
	void *ctx;
};

/* Starts, feeds, reads and waits. stdin/stdout/stderr of `child` are set
 * from `io` (left NULL: /dev/null). */
GS_MUST_CHECK int gs_proc_run(const struct gs_child *child,
    const struct gs_proc_io *io, struct gs_end *ret, struct gs_err *err);

#endif

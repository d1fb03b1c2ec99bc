/* SPDX-License-Identifier: Apache-2.0 */
#include "os/proc.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "os/child.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/file.h"

/* Nothing started yet, nothing open. */
static const struct gs_proc no_proc = {
    .pid = 0, .pidfd = -1, .stdin_fd = -1, .stdout_fd = -1, .stderr_fd = -1};

/* The three descriptors of the child, while they are still ours. */
struct ends {
	int fd[3];
};

static void ends_release(struct ends *ends)
{
	for (int i = 0; i < 3; i++)
		gs_closep(&ends->fd[i]);
}

/* Opens the child's side of one stream into *ret_theirs and, for a pipe, our
 * side into *ret_ours. Both are ours to close. */
static int open_end(enum gs_to to, int number, int given, int *ret_theirs,
    int *ret_ours, struct gs_err *err)
{
	int pipe_ends[2];
	int mine = number == STDIN_FILENO ? 1 : 0;

	switch (to) {
	case GS_TO_PIPE:
		if (gs_fd_pipe(pipe_ends, err) < 0)
			return GS_E_SYSTEM;
		/* A program that does not read its input must not end us. */
		if (mine == 1)
			(void)signal(SIGPIPE, SIG_IGN);
		*ret_ours = pipe_ends[mine];
		*ret_theirs = pipe_ends[1 - mine];
		return 0;
	case GS_TO_INHERIT:
		given = number;
		break;
	case GS_TO_FD:
	case GS_TO_STDOUT:
		break;
	case GS_TO_NULL:
	default:
		*ret_theirs = open("/dev/null", O_RDWR | O_CLOEXEC);
		if (*ret_theirs < 0)
			return gs_fail_sys(err, "open /dev/null");
		return 0;
	}
	*ret_theirs = fcntl(given, F_DUPFD_CLOEXEC, 3);
	/* Inheriting a closed stream: it stays closed. */
	if (*ret_theirs < 0 && !(to == GS_TO_INHERIT && errno == EBADF))
		return gs_fail_sys(err, "duplicate descriptor %d", given);
	return 0;
}

static int open_ends(const struct gs_child *child, struct ends *ends,
    struct gs_proc *proc, struct gs_err *err)
{
	int rc = open_end(child->stdin_to, STDIN_FILENO, child->stdin_fd,
	    &ends->fd[0], &proc->stdin_fd, err);

	if (rc == 0)
		rc = open_end(child->stdout_to, STDOUT_FILENO, child->stdout_fd,
		    &ends->fd[1], &proc->stdout_fd, err);
	if (rc < 0)
		return rc;
	int given =
	    child->stderr_to == GS_TO_STDOUT ? ends->fd[1] : child->stderr_fd;
	return open_end(child->stderr_to, STDERR_FILENO, given, &ends->fd[2],
	    &proc->stderr_fd, err);
}

/* Forks with all signals blocked: a handler of ours never runs in the child
 * between the fork and its reset. 0 with proc->pid set. */
static int spawn(
    struct gs_child_plan *plan, struct gs_proc *proc, struct gs_err *err)
{
	sigset_t all, before;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, &before);
	plan->parent = getpid();
	pid_t pid = fork();
	if (pid == 0)
		gs_child_exec(plan);
	int reason = errno;
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	if (pid < 0) {
		errno = reason;
		return gs_fail_sys(
		    err, "fork for the program %s", plan->program);
	}
	proc->pid = pid;
	proc->started_ms = gs_clock_ms();
	/* The child is ours and not reaped: its number cannot be reused. */
	proc->pidfd = pidfd_open(pid, 0);
	if (proc->pidfd < 0)
		return gs_fail_sys(
		    err, "open a descriptor of process %d", (int)pid);
	return 0;
}

/* Waits until the child has become the program, which closes the pipe, or
 * tells what went wrong. */
static int read_report(
    int fd, const struct gs_child_plan *plan, struct gs_err *err)
{
	struct gs_child_report report = {0};
	ssize_t n;

	do
		n = read(fd, &report, sizeof(report));
	while (n < 0 && errno == EINTR);
	if (n == 0)
		return 0;
	if (n != (ssize_t)sizeof(report))
		return gs_fail_sys(
		    err, "learn whether %s has started", plan->program);
	errno = report.reason;
	/* What fcntl() says of a number over the limit. */
	if (report.step == GS_CHILD_STREAMS && errno == EINVAL)
		return gs_fail(err, GS_E_SYSTEM,
		    "start %s: this user may have too few descriptors open "
		    "(ulimit -n says how many)",
		    plan->program);
	int rc = gs_fail_sys(err, "start %s: %s", plan->program,
	    gs_child_step_name(report.step));
	if (report.step == GS_CHILD_EXEC && report.reason == ENOENT) {
		rc = GS_E_NOT_FOUND;
		if (err)
			err->code = GS_E_NOT_FOUND;
	}
	return rc;
}

int gs_proc_start(
    const struct gs_child *child, struct gs_proc *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_proc_release) struct gs_proc proc = no_proc;
	GS_CLEANUP(ends_release) struct ends ends = {{-1, -1, -1}};
	GS_CLEANUP(gs_freep) char *program = gs_path_find(child->argv[0]);
	GS_CLEANUP(gs_closep) int report_in = -1;
	GS_CLEANUP(gs_closep) int report_out = -1;
	int report[2] = {-1, -1};

	/* A name with a slash may be relative to the child's own folder. */
	if (!program && strchr(child->argv[0], '/'))
		program = gs_strdup(child->argv[0]);
	if (!program)
		return gs_fail(err, GS_E_NOT_FOUND,
		    "there is no program named %s on PATH", child->argv[0]);
	assert(child->n_fds <= GS_CHILD_MAX_FDS);
	for (size_t i = 0; i < child->n_fds; i++)
		assert(child->fds[i].to < GS_CHILD_REPORT_MIN);
	int rc = open_ends(child, &ends, &proc, err);
	if (rc == 0)
		rc = gs_fd_pipe(report, err);
	if (rc < 0)
		return rc;
	report_in = report[0];
	report_out = report[1];
	struct gs_child_plan plan = {.child = child,
	    .program = program,
	    .envp = child->envp ? child->envp : environ,
	    .report_fd = report_out,
	    .stream_fds = ends.fd};
	rc = spawn(&plan, &proc, err);
	if (rc < 0)
		return rc;
	gs_closep(&report_out);
	rc = read_report(report_in, &plan, err);
	if (rc < 0)
		return rc;
	*ret = proc;
	proc = no_proc;
	return 0;
}

void gs_proc_kill(const struct gs_proc *proc)
{
	/* While it is not reaped neither number can be anybody else's. */
	if (proc->pid <= 0)
		return;
	if (getpgid(proc->pid) == proc->pid)
		(void)kill(-proc->pid, SIGKILL);
	(void)kill(proc->pid, SIGKILL);
}

static int64_t ms_of(struct timeval t)
{
	return (int64_t)t.tv_sec * 1000 + t.tv_usec / 1000;
}

/* Reaps a process that has ended or is about to. */
static int reap(struct gs_proc *proc, struct gs_end *ret, struct gs_err *err)
{
	struct rusage usage;
	int status;
	pid_t pid;

	do
		pid = wait4(proc->pid, &status, 0, &usage);
	while (pid < 0 && errno == EINTR);
	if (pid < 0)
		return gs_fail_sys(err, "wait for process %d", (int)proc->pid);
	*ret = (struct gs_end){
	    .kind = WIFEXITED(status) ? GS_END_EXITED : GS_END_SIGNALLED,
	    .code = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status),
	    .elapsed_ms = gs_clock_ms() - proc->started_ms,
	    .cpu_ms = ms_of(usage.ru_utime) + ms_of(usage.ru_stime),
	    .peak_kib = usage.ru_maxrss,
	};
	proc->pid = 0;
	gs_closep(&proc->pidfd);
	return 0;
}

int gs_proc_wait(struct gs_proc *proc, int64_t deadline_ms, struct gs_end *ret,
    struct gs_err *err)
{
	struct pollfd ended = {.fd = proc->pidfd, .events = POLLIN};
	bool timed_out = false;

	for (;;) {
		int left = gs_clock_left(deadline_ms);
		int n = poll(&ended, 1, left);
		if (n > 0)
			break;
		if (n < 0 && errno != EINTR)
			return gs_fail_sys(
			    err, "wait for process %d", (int)proc->pid);
		if (n == 0 && gs_clock_left(deadline_ms) == 0) {
			timed_out = true;
			gs_proc_kill(proc);
			break;
		}
	}
	int rc = reap(proc, ret, err);
	/* It may have left by itself at the last moment. */
	if (rc == 0 && timed_out && ret->kind == GS_END_SIGNALLED)
		ret->kind = GS_END_TIMEOUT;
	return rc;
}

void gs_proc_release(struct gs_proc *proc)
{
	struct gs_end end;

	/* A zeroed form was never started, and descriptor 0 is not its. */
	if (proc->pid == 0 && proc->pidfd == 0)
		return;
	if (proc->pid > 0) {
		gs_proc_kill(proc);
		if (reap(proc, &end, NULL) < 0)
			proc->pid = 0;
	}
	gs_closep(&proc->pidfd);
	gs_closep(&proc->stdin_fd);
	gs_closep(&proc->stdout_fd);
	gs_closep(&proc->stderr_fd);
}

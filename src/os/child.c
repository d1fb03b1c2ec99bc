/* SPDX-License-Identifier: Apache-2.0 */
#include "os/child.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define N_STREAMS 3
#define THREAD_SIGNAL 32 /* the first of the kernel's real-time signals */

const char *gs_child_step_name(enum gs_child_step step)
{
	static const char *const names[] = {
	    [GS_CHILD_STREAMS] = "set up its descriptors",
	    [GS_CHILD_SESSION] = "make its session",
	    [GS_CHILD_LIMITS] = "set its limits",
	    [GS_CHILD_FOLDER] = "enter its folder",
	    [GS_CHILD_USER] = "change to its user",
	    [GS_CHILD_EXEC] = "execute it",
	};
	return names[step];
}

/* Whoever started us may ignore or block signals; the program shall find
 * none of that, so that tests see the same everywhere. Only nohup's wish
 * for SIGHUP goes on, within our own session. */
static void reset_signals(bool own_session)
{
	/* As the kernel has it: the mask is one word of 64 bits. */
	struct {
		void (*handler)(int);
		unsigned long flags;
		void (*restorer)(void);
		uint64_t mask;
	} plain = {.handler = SIG_DFL};
	struct sigaction action = {.sa_handler = SIG_DFL};
	struct sigaction now;
	bool keep_hangup = !own_session && sigaction(SIGHUP, NULL, &now) == 0 &&
	                   now.sa_handler == SIG_IGN;

	for (int signal = 1; signal < NSIG; signal++)
		if (signal != SIGHUP || !keep_hangup)
			(void)sigaction(signal, &action, NULL);
	/* The two that glibc keeps for its threads it does not let us name;
	 * whoever ignored them handed that down (a start by another libc). */
	for (int signal = THREAD_SIGNAL; signal < SIGRTMIN; signal++)
		(void)syscall(
		    SYS_rt_sigaction, signal, &plain, NULL, sizeof(plain.mask));
}

static int set_limits(const struct gs_child *child)
{
	struct rlimit file = {child->file_size_max, child->file_size_max};
	struct rlimit data;

	if (child->file_size_max > 0 && setrlimit(RLIMIT_FSIZE, &file) < 0)
		return -1;
	if (child->data_max == 0)
		return 0;
	if (getrlimit(RLIMIT_DATA, &data) < 0)
		return -1;
	/* RLIM_INFINITY is the largest number there is. */
	if (data.rlim_max > child->data_max)
		data.rlim_max = child->data_max;
	data.rlim_cur = data.rlim_max;
	return setrlimit(RLIMIT_DATA, &data);
}

static int change_user(uid_t uid)
{
	if (uid == 0)
		return 0;
	if (setgroups(0, NULL) < 0 || setgid((gid_t)uid) < 0)
		return -1;
	return setuid(uid);
}

/* After the change of user, which clears the signal. The parent may have
 * died before: then we belong to somebody else by now. */
static void die_with(pid_t parent)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || getppid() != parent)
		_exit(127);
}

/* Moves all that is named above every target, marks everything to be closed
 * by exec, and only then puts the named ones in place: no target can run
 * over a source, and what is not named closes. */
static int place_fds(const struct gs_child_plan *plan)
{
	const struct gs_child *child = plan->child;
	int streams[N_STREAMS], high[GS_CHILD_MAX_FDS];
	int base = N_STREAMS;

	for (size_t i = 0; i < child->n_fds; i++)
		if (child->fds[i].to >= base)
			base = child->fds[i].to + 1;
	for (int i = 0; i < N_STREAMS; i++) {
		streams[i] = fcntl(plan->stream_fds[i], F_DUPFD_CLOEXEC, base);
		if (streams[i] < 0 && plan->stream_fds[i] >= 0)
			return -1;
	}
	for (size_t i = 0; i < child->n_fds; i++) {
		high[i] = fcntl(child->fds[i].from, F_DUPFD_CLOEXEC, base);
		if (high[i] < 0)
			return -1;
	}
	if (close_range(N_STREAMS, ~0U, CLOSE_RANGE_CLOEXEC) < 0)
		return -1;
	for (int i = 0; i < N_STREAMS; i++)
		if (streams[i] >= 0 && dup2(streams[i], i) < 0)
			return -1;
	for (size_t i = 0; i < child->n_fds; i++)
		if (dup2(high[i], child->fds[i].to) < 0)
			return -1;
	return 0;
}

static int prepare(const struct gs_child_plan *plan, enum gs_child_step *step)
{
	const struct gs_child *child = plan->child;

	*step = GS_CHILD_SESSION;
	if (child->own_session && setsid() < 0)
		return -1;
	*step = GS_CHILD_LIMITS;
	if (set_limits(child) < 0)
		return -1;
	/* As ourselves: the way to it may be closed to the other user. */
	*step = GS_CHILD_FOLDER;
	if (child->cwd && chdir(child->cwd) < 0)
		return -1;
	*step = GS_CHILD_USER;
	if (change_user(child->uid) < 0)
		return -1;
	die_with(plan->parent);
	*step = GS_CHILD_STREAMS;
	return place_fds(plan);
}

void gs_child_exec(const struct gs_child_plan *plan)
{
	struct gs_child_report report = {.step = GS_CHILD_STREAMS};
	sigset_t none;
	/* Out of the way of every descriptor that the child may name. */
	int report_fd =
	    fcntl(plan->report_fd, F_DUPFD_CLOEXEC, GS_CHILD_REPORT_MIN);

	reset_signals(plan->child->own_session);
	if (report_fd >= 0 && prepare(plan, &report.step) == 0) {
		(void)sigemptyset(&none);
		(void)sigprocmask(SIG_SETMASK, &none, NULL);
		report.step = GS_CHILD_EXEC;
		(void)execve(plan->program, plan->child->argv, plan->envp);
	}
	report.reason = errno;
	ssize_t n = write(report_fd >= 0 ? report_fd : plan->report_fd, &report,
	    sizeof(report));
	(void)n;
	_exit(127);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "os/orphans.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>

#include "os/clock.h"

/* The kernel has killed them already: they need a moment to be gone. */
#define GONE_MS 1000

/* A child that has ended, left as it is; 0: none has, -1: there are none. */
static pid_t peek(void)
{
	siginfo_t info = {0};

	if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
		return errno == ECHILD ? -1 : 0;
	return info.si_pid;
}

bool gs_orphans_adopt(void)
{
	return peek() < 0 && prctl(PR_SET_CHILD_SUBREAPER, 1) == 0;
}

void gs_orphans_reap(
    bool (*is_known)(const void *ctx, pid_t pid), const void *ctx)
{
	pid_t pid;

	while ((pid = peek()) > 0 && !(is_known && is_known(ctx, pid)))
		(void)waitpid(pid, NULL, 0);
}

void gs_orphans_release(bool ours)
{
	int64_t until = gs_clock_ms() + GONE_MS;
	sigset_t ended, before;

	if (!ours)
		return;
	/* Blocked, the signal of an end waits for us: none is missed between
	 * looking and waiting. */
	(void)sigemptyset(&ended);
	(void)sigaddset(&ended, SIGCHLD);
	(void)sigprocmask(SIG_BLOCK, &ended, &before);
	for (;;) {
		gs_orphans_reap(NULL, NULL);
		int left = gs_clock_left(until);
		if (peek() < 0 || left == 0)
			break;
		const struct timespec wait = {
		    left / 1000, (long)(left % 1000) * 1000000};
		(void)sigtimedwait(&ended, NULL, &wait);
	}
	(void)sigprocmask(SIG_SETMASK, &before, NULL);
	(void)prctl(PR_SET_CHILD_SUBREAPER, 0);
}

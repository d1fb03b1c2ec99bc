/* SPDX-License-Identifier: Apache-2.0 */
#include "os/signals.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/attr.h"

static const int stop_signals[] = {SIGINT, SIGTERM, SIGHUP};

static volatile sig_atomic_t requested;
static volatile sig_atomic_t interrupts;
static int wake_fd = -1;

/* Only async-signal-safe calls. */
static void on_stop(int signal)
{
	const uint64_t one = 1;
	int saved = errno;

	if (signal == SIGINT && interrupts++ > 0)
		_exit(130);
	requested = 1;
	if (wake_fd >= 0 && write(wake_fd, &one, sizeof(one)) < 0) {
		/* Full, and so readable: as good. */
	}
	errno = saved;
}

static bool is_ignored(int signal)
{
	struct sigaction now;
	return sigaction(signal, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
}

static void handle(int signal, void (*handler)(int))
{
	struct sigaction action = {
	    .sa_handler = handler, .sa_flags = SA_RESTART};

	(void)sigemptyset(&action.sa_mask);
	(void)sigaction(signal, &action, NULL);
}

void gs_stop_install(void)
{
	if (wake_fd < 0)
		wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	for (size_t i = 0; i < GS_COUNT(stop_signals); i++)
		/* nohup has its way. */
		if (stop_signals[i] != SIGHUP || !is_ignored(SIGHUP))
			handle(stop_signals[i], on_stop);
	handle(SIGPIPE, SIG_IGN);
	/* A file-size limit of the user's is an error like a full disk. */
	handle(SIGXFSZ, SIG_IGN);
	/* A parent that ignored SIGCHLD would make the kernel reap our
	 * children behind our back. */
	handle(SIGCHLD, SIG_DFL);
}

void gs_stop_forget(void)
{
	for (size_t i = 0; i < GS_COUNT(stop_signals); i++)
		if (!is_ignored(stop_signals[i]))
			handle(stop_signals[i], SIG_DFL);
	if (wake_fd >= 0)
		(void)close(wake_fd);
	wake_fd = -1;
	requested = 0;
	interrupts = 0;
}

bool gs_stop_requested(void)
{
	return requested != 0;
}

int gs_stop_fd(void)
{
	return wake_fd;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What happens between fork and exec: only async-signal-safe calls, on what
 * the parent has prepared. */
#ifndef OS_CHILD_H
#define OS_CHILD_H

#include "os/proc.h"

#define GS_CHILD_MAX_FDS 16 /* in gs_child.fds */

/* Targets in gs_child.fds lie below this. */
#define GS_CHILD_REPORT_MIN 200

enum gs_child_step {
	GS_CHILD_STREAMS,
	GS_CHILD_SESSION,
	GS_CHILD_LIMITS,
	GS_CHILD_FOLDER,
	GS_CHILD_USER,
	GS_CHILD_EXEC,
};

struct gs_child_plan {
	const struct gs_child *child;
	const char *program; /* a path */
	char *const *envp;
	pid_t parent;
	int report_fd;         /* CLOEXEC: closes when all went well */
	const int *stream_fds; /* three; -1: stays closed */
};

/* Written to report_fd when a step fails. */
struct gs_child_report {
	enum gs_child_step step;
	int reason; /* errno */
};

const char *gs_child_step_name(enum gs_child_step step);
GS_NORETURN void gs_child_exec(const struct gs_child_plan *plan);

#endif

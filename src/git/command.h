/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The git executable, called one way only: pinned options, and an
 * environment that is built from nothing (no GIT_* variable, HOME or locale
 * of the caller gets through, W1, F010, F020), so that no configuration but
 * our own mirror's is ever read and no hook, helper or prompt ever runs.
 *
 * Input goes in through a sealed memory file and not a pipe: git may read it
 * or die without it, neither blocks nor signals us.
 */
#ifndef GIT_COMMAND_H
#define GIT_COMMAND_H

#include "base/buf.h"
#include "base/err.h"
#include "base/strv.h"
#include "os/proc.h"

struct gs_command {
	struct gs_strv argv, envp;
	int input;  /* memory file or -1 */
	int errors; /* what git says on stderr, kept for the error sentence */
	bool may_be_silent; /* for as long as it likes: a fetch */
};

/* Starts the words "git --git-dir=<mirror> -c …"; the caller pushes the
 * rest to argv. `mirror` NULL: outside any repository. */
GS_MUST_CHECK int gs_command_init(
    struct gs_command *command, const char *mirror, struct gs_err *err);
void gs_command_release(struct gs_command *command);
/* Lets https through, and the variables that a proxy needs. */
void gs_command_allow_network(struct gs_command *command);
GS_MUST_CHECK int gs_command_input(
    struct gs_command *command, struct gs_str bytes, struct gs_err *err);

/* Starts it; stdout is a pipe in `ret`, stdin the input or `stdin_fd`. */
GS_MUST_CHECK int gs_command_start(struct gs_command *command, int stdin_fd,
    struct gs_proc *ret, struct gs_err *err);
/* Waits until there is something to read, or the end. GS_E_CANCELLED on a
 * stop request, GS_E_BUSY after `silence_ms` without a byte (-1: never). */
GS_MUST_CHECK int gs_command_wait(
    const struct gs_proc *proc, int silence_ms, struct gs_err *err);
/* Waits and appends what it prints next. 1 read, 0 the end. */
GS_MUST_CHECK int gs_command_read(struct gs_proc *proc, int silence_ms,
    struct gs_buf *buf, struct gs_err *err);
/* An error for a git that failed: GS_E_CORRUPT with the last thing it said,
 * GS_E_SYSTEM when it said nothing, GS_E_CANCELLED after a stop request. */
int gs_command_fail(
    struct gs_command *command, const char *what, struct gs_err *err);
/* Runs it to its end; the whole stdout into `out` (may be NULL). */
GS_MUST_CHECK int gs_command_run(struct gs_command *command, const char *what,
    struct gs_buf *out, struct gs_err *err);

#endif

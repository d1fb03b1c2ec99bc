/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of child processes share. */
#ifndef OS_FIXTURE_H
#define OS_FIXTURE_H

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "gs_test.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/file.h"
#include "os/proc.h"
#include "os/signals.h"

static struct gs_err err;
static struct gs_end end;

/* An argv that lives until the next call. */
static inline char *const *sh(const char *script)
{
	static struct gs_strv words;

	gs_strv_reset(&words);
	gs_strv_push_all(&words, "sh", "-c", script, NULL);
	return gs_strv_argv(&words);
}

static inline int run(const char *script, const struct gs_proc_io *io)
{
	struct gs_child child = {.argv = sh(script)};
	return gs_proc_run(&child, io, &end, &err);
}

/* How many descriptors we have open: none may leak. */
static inline int count_fds(void)
{
	int n = 0;
	for (int fd = 0; fd < 256; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

/* A process is gone, or a zombie that waits for its reaper. */
static inline bool is_alive(pid_t pid)
{
	GS_CLEANUP(gs_freep)
	char *path = gs_format("/proc/%d/stat", (int)pid);
	GS_CLEANUP(gs_buf_release) struct gs_buf stat = {0};

	if (gs_file_read(path, 4096, &stat, &err) < 0)
		return false;
	struct gs_str s = gs_buf_str(&stat);
	s = gs_str_from(s, (size_t)gs_str_rfind_char(s, ')') + 2);
	return s.p[0] != 'Z' && s.p[0] != 'X';
}

static inline bool dies_soon(pid_t pid)
{
	for (int i = 0; i < 200 && is_alive(pid); i++)
		(void)usleep(10000);
	return !is_alive(pid);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/utf8.h"

static bool enabled;

void gs_log_enable(bool on)
{
	enabled = on;
}

void gs_log(const char *fmt, ...)
{
	if (!enabled)
		return;
	int saved = errno;
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0}, line = {0};
	va_list args;

	va_start(args, fmt);
	gs_buf_vaddf(&text, fmt, args);
	va_end(args);
	/* One write: the lines of several processes do not mix. */
	gs_buf_addf(&line, "goldset[%ld]: ", (long)getpid());
	gs_utf8_harmless(&line, gs_buf_str(&text), false);
	gs_buf_addc(&line, '\n');
	ssize_t n = write(STDERR_FILENO, line.p, line.n);
	(void)n;
	errno = saved;
}

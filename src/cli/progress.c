/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "cli/style.h"
#include "os/clock.h"
#include "os/fd.h"

/* Often enough to look alive. */
#define PAUSE_MS 100
/* Before that a rate is a guess. */
#define SETTLED_MS 1000

static void add_rate(struct gs_buf *ret, const struct gs_pace *pace)
{
	int64_t n = pace->done - pace->first;
	if (n <= 0 || pace->elapsed_ms < SETTLED_MS)
		return;
	double a_second = 1000.0 * (double)n / (double)pace->elapsed_ms;
	if (a_second >= 2)
		gs_buf_addf(ret, ", %.0f a second", a_second);
	else
		gs_buf_addf(ret, ", %.1f a minute", 60 * a_second);
	if (pace->total <= pace->done)
		return;
	GS_CLEANUP(gs_freep)
	char *left = gs_duration_text(
	    (int64_t)(1000 * (double)(pace->total - pace->done) / a_second));
	gs_buf_addf(ret, ", %s left", left);
}

void gs_progress_words(struct gs_buf *ret, const char *what,
    const struct gs_pace *pace, const char *more)
{
	gs_buf_addf(ret, "%s %lld", what, (long long)pace->done);
	if (pace->total > 0)
		gs_buf_addf(ret, "/%lld (%lld %%)", (long long)pace->total,
		    (long long)(100 * pace->done / pace->total));
	if (more)
		gs_buf_addf(ret, "%s %s", pace->total > 0 ? "," : "", more);
	add_rate(ret, pace);
}

/* What does not fit would wrap, and then not be written over. */
static struct gs_str cut_to_width(struct gs_str line)
{
	struct winsize size;
	size_t width = 80;
	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1)
		width = size.ws_col - 1U;
	while (line.n && gs_utf8_width(line) > width)
		line = gs_str_sub(
		    line, 0, gs_utf8_prefix(gs_str_sub(line, 0, line.n - 1)));
	return line;
}

void gs_progress(struct gs_cli *cli, const char *what, int64_t done,
    int64_t total, const char *more)
{
	struct gs_shown *shown = &cli->shown;
	int64_t now = gs_clock_ms();
	if (!cli->is_interactive || cli->quiet || cli->json)
		return;
	if (shown->what != what)
		*shown = (struct gs_shown){
		    .what = what, .first = done, .began_ms = now};
	else if (now - shown->at_ms < PAUSE_MS && done != total)
		return;
	shown->at_ms = now;
	const struct gs_pace pace = {.done = done,
	    .total = total,
	    .first = shown->first,
	    .elapsed_ms = now - shown->began_ms};
	GS_CLEANUP(gs_buf_release) struct gs_buf words = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf safe = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf line = {0};
	gs_progress_words(&words, what, &pace, more);
	gs_utf8_harmless(&safe, gs_buf_str(&words), false);
	gs_buf_addz(&line, "\r\033[K");
	gs_buf_adds(&line, cut_to_width(gs_buf_str(&safe)));
	gs_ignore(gs_fd_write(STDERR_FILENO, gs_buf_str(&line), NULL));
}

void gs_progress_tell(void *ctx, const char *what, int64_t done, int64_t total)
{
	gs_progress(ctx, what, done, total, NULL);
}

void gs_progress_end(struct gs_cli *cli)
{
	if (cli->shown.what)
		gs_ignore(gs_fd_write(STDERR_FILENO, GS_STR("\r\033[K"), NULL));
	cli->shown.what = NULL;
}

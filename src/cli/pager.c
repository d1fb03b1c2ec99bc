/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/pager.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "os/fd.h"
#include "os/proc.h"

/* $PAGER is split at blanks: no shell is asked. */
static void pager_argv(struct gs_strv *ret)
{
	const char *pager = getenv("PAGER");
	struct gs_str rest = gs_str(pager && *pager ? pager : "less -FRX");
	struct gs_str word;
	while (rest.n && gs_str_cut(&rest, ' ', &word))
		if (word.n > 0)
			gs_strv_push_str(ret, word);
}

int gs_page(struct gs_cli *cli, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv argv = {0};
	if (!cli->width || !isatty(STDOUT_FILENO))
		return 0;
	pager_argv(&argv);
	if (argv.n == 0 || strcmp(argv.v[0], "cat") == 0)
		return 0;
	const struct gs_child child = {
	    .argv = gs_strv_argv(&argv),
	    .stdin_to = GS_TO_PIPE,
	    .stdout_to = GS_TO_INHERIT,
	    .stderr_to = GS_TO_INHERIT,
	};
	struct gs_proc proc = {0};
	struct gs_end end;
	if (gs_proc_start(&child, &proc, NULL) == 0) {
		/* A reader who leaves early is no error. */
		gs_ignore(
		    gs_fd_write(proc.stdin_fd, gs_buf_str(&cli->out), NULL));
		gs_closep(&proc.stdin_fd);
		gs_ignore(gs_proc_wait(&proc, 0, &end, NULL));
		gs_buf_reset(&cli->out);
	}
	gs_proc_release(&proc);
	(void)err;
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* How far long work is, in one line on a terminal that is written over
 * itself: "validate 12/340 (3 %), 5 records, 20.1 a minute, 16 min 20 s left".
 * Nothing is shown elsewhere, when quiet, or with --json. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "cli/command.h"

/* `what` begins anew when it changes, its pointer counts; `total` 0: not
 * known; `more` (or NULL) stands behind the numbers. What was done at the first
 * call, by an earlier run, does not count for the rate. */
void gs_progress(struct gs_cli *cli, const char *what, int64_t done,
    int64_t total, const char *more);

/* The same as a watch of a stage; `ctx` is the struct gs_cli. */
void gs_progress_tell(void *ctx, const char *what, int64_t done, int64_t total);

/* Takes the line away. */
void gs_progress_end(struct gs_cli *cli);

struct gs_pace {
	int64_t done, total, first, elapsed_ms;
};

/* The words of that line, `elapsed_ms` after `first` were done. */
void gs_progress_words(struct gs_buf *ret, const char *what,
    const struct gs_pace *pace, const char *more);

#endif

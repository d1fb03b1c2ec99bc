/* SPDX-License-Identifier: Apache-2.0 */
/* A commit's story in words: what was run, in what order and why, and what a
 * reason means and what one can do about it. */
#ifndef CLI_STORY_H
#define CLI_STORY_H

#include "cli/command.h"
#include "store/query.h"

/* Two sentences at most, or NULL: what a refusal means, what helps. */
const char *gs_reason_meaning(const char *name);
const char *gs_reason_help(const char *name);
/* The runs, grouped by what they were for; a failure is told once. */
GS_MUST_CHECK int gs_put_runs(struct gs_cli *cli, const struct gs_story *story,
    bool with_logs, struct gs_err *err);

#endif

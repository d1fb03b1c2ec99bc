/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <string.h>

#include "cli/command.h"
#include "evaluate/prompt.h"
#include "os/file.h"

#define MAX_TEMPLATE ((size_t)1 << 20)

struct prompt_options {
	const char *task, *template;
};

static const struct gs_option options[] = {
    {"task", 0, GS_OPT_TEXT, "repair|detect", "what is asked (repair)",
        offsetof(struct prompt_options, task)},
    {"template", 0, GS_OPT_TEXT, "FILE",
        "the words, with {{spec}}, {{source}} and the like in them",
        offsetof(struct prompt_options, template)},
};

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	const struct prompt_options *prompt = opts;
	GS_CLEANUP(gs_tasks_release) struct gs_tasks tasks = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf template = {0};
	bool is_detect = prompt->task && strcmp(prompt->task, "detect") == 0;
	if (prompt->task && !is_detect && strcmp(prompt->task, "repair") != 0)
		return gs_fail(err, GS_E_USAGE,
		    "--task is repair or detect, not \"%s\"", prompt->task);
	int rc = gs_tasks_read(args->v[0], &tasks, err);
	if (rc == 0 && prompt->template)
		rc = gs_file_read(
		    prompt->template, MAX_TEMPLATE, &template, err);
	if (rc == 0)
		rc = gs_prompts_write(
		    &tasks, is_detect, gs_buf_str(&template), &cli->out, err);
	return rc;
}

const struct gs_command gs_cmd_prompt = {
    .name = "prompt",
    .summary = "what to ask a model, one JSON line a record",
    .synopsis = "[--task repair|detect] [--template FILE] RELEASE",
    .about = "Each line holds id, task and prompt, and nothing of the "
             "answer. The template's places are\n{{repo}}, {{module}}, "
             "{{path}}, {{unit}}, {{what}}, {{whole}}, {{granularity}}, "
             "{{spec}} and\n{{source}}. For detect a record gives two lines, "
             "its text before and after the fix, in\nan order that tells "
             "nothing.",
    .example = "goldset prompt release",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct prompt_options),
    .min_args = 1,
    .max_args = 1,
    .needs = GS_NEEDS_NOTHING,
    .run = run,
};

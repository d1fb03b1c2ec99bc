/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a model is asked, from a template: {{repo}}, {{module}}, {{path}},
 * {{unit}}, {{what}} ("the function `f`" or "this file"), {{whole}}
 * ("function" or "file"), {{granularity}}, {{spec}}, {{source}}. Nothing of
 * the answer and nothing of the tests is among them.
 */
#ifndef EVALUATE_PROMPT_H
#define EVALUATE_PROMPT_H

#include "evaluate/task.h"

/* The templates that are used when none is given. */
extern const char gs_text_repair_tmpl[];
extern const char gs_text_detect_tmpl[];

/* GS_E_USAGE for a name that is none of the above. */
GS_MUST_CHECK int gs_prompt_fill(const struct gs_task *task,
    struct gs_str template, struct gs_str source, struct gs_buf *ret,
    struct gs_err *err);

/* detect: each record gives two texts, "<id>#1" and "<id>#2"; the record's
 * own hash says which of them is the one before the fix. */
bool gs_detect_is_buggy(const struct gs_task *task, int item);

/* One JSON line a prompt: {"id", "task", "prompt"}; those of detect in an
 * order that tells nothing. `template` empty: the one above. */
GS_MUST_CHECK int gs_prompts_write(const struct gs_tasks *tasks, bool detect,
    struct gs_str template, struct gs_buf *ret, struct gs_err *err);

#endif

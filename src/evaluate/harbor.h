/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A record as a task of Harbor: a folder with task.toml, instruction.md,
 * environment/ (what the agent works in: the parent's tree, without the fix's
 * tests and without history), tests/ (laid down after the agent: a pristine
 * tree of the before state and the script that writes the reward files) and
 * solution/. The shims that a record needs lie in environment/, for the agent,
 * and once more in tests/, for the verifier.
 */
#ifndef EVALUATE_HARBOR_H
#define EVALUATE_HARBOR_H

#include "evaluate/task.h"

/* `folder` must not exist. Needs the record's repository. */
GS_MUST_CHECK int gs_export_harbor(
    const struct gs_task *task, const char *folder, struct gs_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The shims (O6) of a record that needs them, as files beside its task. */
#ifndef EVALUATE_HARBOR_SHIMS_H
#define EVALUATE_HARBOR_SHIMS_H

#include "evaluate/trees.h"

/* What is run in the place of `python -m pytest`. */
#define GS_HARBOR_PYTEST "pytest_with_shims.py"

bool gs_harbor_needs_shims(const struct gs_task *task);
/* Into the new folder `dir`: the program above, the shims that the evidence
 * names, and what the distribution shim finds. Nothing for a record without
 * any. */
GS_MUST_CHECK int gs_harbor_put_shims(const struct gs_task *task,
    const struct gs_task_trees *trees, const char *dir, struct gs_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whether the runs of a candidate show what another system says of it: that
 * its tests fail before the fix and pass after it. Pure.
 */
#ifndef MODEL_REPRODUCE_H
#define MODEL_REPRODUCE_H

#include "base/json.h"
#include "base/strv.h"

/* `runs` is the array of {state, run} that the store keeps of a candidate.
 * True when some test that `tests` names (any, when it names none) did not
 * pass in the before state and passed with the whole commit, in any of the
 * looks that were taken: a commit's run and the before run behind it. A name
 * is a pytest id, a file, or unittest's dotted name of a method, class or
 * module; of a parametrised test one case is enough. */
bool gs_runs_reproduce(const json_t *runs, const struct gs_strv *tests);

#endif

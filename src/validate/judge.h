/* SPDX-License-Identifier: Apache-2.0 */
/* K7 and K8: the signals and the words of a proven candidate, gathered from
 * its texts; model/kind.h holds the table that decides. */
#ifndef VALIDATE_JUDGE_H
#define VALIDATE_JUDGE_H

#include "model/kind.h"
#include "validate/reduce.h"

GS_MUST_CHECK int gs_gather_signals(struct gs_observer *observer,
    const struct gs_oracle *oracle, struct gs_signals *ret, struct gs_err *err);

/* K8 against `spec`. */
GS_MUST_CHECK int gs_gather_unguessable(struct gs_observer *observer,
    const struct gs_reduction *reduction, const struct gs_oracle *oracle,
    struct gs_str spec, struct gs_strv *ret, struct gs_err *err);

#endif

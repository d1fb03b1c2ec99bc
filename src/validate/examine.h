/* SPDX-License-Identifier: Apache-2.0 */
/* One candidate from claim to verdict, in a worker. */
#ifndef VALIDATE_EXAMINE_H
#define VALIDATE_EXAMINE_H

#include "validate/worker.h"

struct gs_verdict;

/* An error means that this worker cannot go on at all; a candidate that
 * could not be examined is a verdict with is_infra. */
GS_MUST_CHECK int gs_examine(struct gs_worker *worker,
    const struct gs_work *work, struct gs_verdict *ret, struct gs_err *err);

#endif

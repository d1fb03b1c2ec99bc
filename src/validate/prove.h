/* SPDX-License-Identifier: Apache-2.0 */
/* K1 and K6: repeated observations that agree, and cheats that fail. */
#ifndef VALIDATE_PROVE_H
#define VALIDATE_PROVE_H

#include "validate/reduce.h"

/* Drops what does not agree from the oracle; sets verdict->reason when no id
 * is left. Flaky ids go to `ret_flaky`. */
GS_MUST_CHECK int gs_prove(struct gs_observer *observer,
    const struct gs_reduction *reduction, struct gs_oracle *oracle,
    struct gs_strv *ret_flaky, struct gs_verdict *verdict, struct gs_err *err);

/* Tries every cheat; `ret` gets a JSON object, name → outcome. */
GS_MUST_CHECK int gs_try_cheats(struct gs_observer *observer,
    const struct gs_reduction *reduction, const struct gs_oracle *oracle,
    const struct gs_run *before, struct gs_buf *ret, struct gs_verdict *verdict,
    struct gs_err *err);

#endif

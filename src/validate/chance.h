/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whose outcome may be luck (K1): tests and sources that draw lots, or that
 * wait for other threads and processes. Three observations can agree by
 * chance there; a race can even fall one way in every warm fork and under a
 * moved clock, and the other way in a plain run.
 */
#ifndef VALIDATE_CHANCE_H
#define VALIDATE_CHANCE_H

#include "validate/observe.h"
#include "validate/reduce.h"

/* Whether the changed test files or the record's source, as they stand after
 * the fix, name any of K1's words. */
GS_MUST_CHECK int gs_leans_on_chance(struct gs_observer *observer,
    const struct gs_reduction *reduction, bool *ret, struct gs_err *err);

#endif

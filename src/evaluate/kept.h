/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trials kept by content, in the workspace's scores/: the name of each is the
 * hash of all that its run depended on (the record, the answer, the
 * interpreter, the rules), so that a changed answer never meets an old
 * result. What is kept is what was seen; the grade is made from it anew each
 * time.
 */
#ifndef EVALUATE_KEPT_H
#define EVALUATE_KEPT_H

#include "base/hash.h"
#include "evaluate/trial.h"

/* The version of what a trial does: another one, other keys. */
#define GS_SCORING_RULES 8

/* Key of a trial. */
void gs_kept_key(
    const struct gs_try *attempt, int timeout_ms, char ret[GS_SHA256_HEX]);
/* 1 there, 0 not there, negative error. An entry that cannot be read is not
 * there. */
GS_MUST_CHECK int gs_kept_read(
    const char *dir, const char *key, struct gs_trial *ret, struct gs_err *err);
GS_MUST_CHECK int gs_kept_write(const char *dir, const char *key,
    const struct gs_trial *trial, struct gs_err *err);

#endif

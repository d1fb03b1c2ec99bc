/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The history of a mirror, object by object: slower than `git log`, which
 * gives up a whole history for one commit that it cannot read. Here such a
 * commit is given with what is the trouble with it, and the walk goes on
 * (W5). Same commits, same changes; in no particular order.
 */
#ifndef GIT_CAREFUL_H
#define GIT_CAREFUL_H

#include "git/walk.h"

struct gs_careful;

/* Known tips are not looked at. */
GS_MUST_CHECK int gs_careful_open(const struct gs_walk_options *options,
    struct gs_careful **ret, struct gs_err *err);
/* 1 a commit, 0 the end, negative error. Borrowed until the next. */
GS_MUST_CHECK int gs_careful_next(
    struct gs_careful *careful, struct gs_commit *ret, struct gs_err *err);
void gs_careful_close(struct gs_careful *careful);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a commit's changes say of its parent, kept until the parent comes. A
 * history is walked from its tips back; a place that two parents want goes to
 * the later one, so that the table never grows: what is not found in it is
 * looked up in the parent's tree.
 */
#ifndef MINE_AHEAD_H
#define MINE_AHEAD_H

#include "git/walk.h"

struct gs_ahead;

struct gs_ahead *gs_ahead_new(void);
void gs_ahead_free(struct gs_ahead *ahead);

/* Is its parent what it is, with its changes taken back? (Not where changes
 * were not given, as of a merge.) */
bool gs_ahead_is_told(const struct gs_commit *commit);
/* `value` is the caller's; NULL forgets. */
void gs_ahead_put(struct gs_ahead *ahead, const struct gs_oid *id, void *value);
void *gs_ahead_get(const struct gs_ahead *ahead, const struct gs_oid *id);

#endif

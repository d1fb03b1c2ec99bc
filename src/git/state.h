/* SPDX-License-Identifier: Apache-2.0 */
/* The before state of a commit (S1), as a listing. */
#ifndef GIT_STATE_H
#define GIT_STATE_H

#include "base/strv.h"
#include "git/listing.h"

/* python_files as the commit's own pytest configuration names them. */
GS_MUST_CHECK int gs_state_patterns(struct gs_objects *objects,
    const struct gs_listing *commit_tree, struct gs_strv *ret,
    struct gs_err *err);
/* The parent's tree with the test side and the pytest configuration of the
 * commit. */
void gs_state_before(const struct gs_listing *parent_tree,
    const struct gs_listing *commit_tree, const struct gs_strv *patterns,
    struct gs_listing *ret);

#endif

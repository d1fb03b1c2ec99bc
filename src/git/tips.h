/* SPDX-License-Identifier: Apache-2.0 */
/* Which of some ids are commits that a mirror has. */
#ifndef GIT_TIPS_H
#define GIT_TIPS_H

#include "base/err.h"
#include "base/strv.h"
#include "git/objects.h"

/* Peels tags; what is missing or no commit is left out. Sorted, once each. */
GS_MUST_CHECK int gs_commits_present(const char *mirror,
    const struct gs_strv *ids, struct gs_strv *ret, struct gs_err *err);
/* gs_mirror_tips by a reader of that mirror. */
GS_MUST_CHECK int gs_objects_tips(struct gs_objects *objects, const char *path,
    struct gs_strv *ret, struct gs_err *err);
/* Which commits the mirror holds without their parents (shallow). */
GS_MUST_CHECK int gs_mirror_shallow(
    const char *mirror, struct gs_strv *ret, struct gs_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Other systems' instances in a mirror's history. */
#ifndef MINE_LOCATE_H
#define MINE_LOCATE_H

#include "mine/instances.h"
#include "model/change.h"

struct gs_located {
	struct gs_oid commit; /* "": none of the history is it */
	bool is_child;        /* its first parent is the instance's base */
};

/* One walk for all of a project: the commit that an instance names, else the
 * one that gives the files of its test patch the very blobs that the patch
 * names (of several a child of its base, else the oldest). Only commits that
 * W1 walks are found. `ret` has room for n, zeroed. */
GS_MUST_CHECK int gs_foreigns_locate(const char *mirror, bool first_parent,
    const struct gs_foreign *foreigns, size_t n, struct gs_located *ret,
    struct gs_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What differs between two trees, as `git diff-tree -r --raw --no-renames`
 * says it, but read by ourselves: one tree object that is malformed or absent
 * is an error of this comparison, and a bomb of nested trees ends it early.
 */
#ifndef GIT_TREE_DIFF_H
#define GIT_TREE_DIFF_H

#include "git/listing.h"

struct gs_tree_diff {
	struct gs_change *v; /* by path */
	size_t n, cap;
	bool is_cut; /* there are more than GS_MAX_TREE_FILES */
	struct gs_arena arena;
};

void gs_tree_diff_release(struct gs_tree_diff *diff);
/* `ret` is emptied first; ids may be those of commits. GS_E_NOT_FOUND for an
 * object that is not there, GS_E_CORRUPT for one that is no tree, GS_E_LIMIT
 * for trees that are too deep or too many. */
GS_MUST_CHECK int gs_tree_diff(struct gs_tree_cache *cache,
    const struct gs_oid *before, const struct gs_oid *after,
    struct gs_tree_diff *ret, struct gs_err *err);

#endif

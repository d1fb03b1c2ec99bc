/* SPDX-License-Identifier: Apache-2.0 */
/* Tree objects by id, parsed once and kept while they fit. */
#ifndef GIT_TREE_CACHE_H
#define GIT_TREE_CACHE_H

#include "git/listing.h"
#include "git/tree.h"

struct gs_tree {
	struct gs_tree_entry *v; /* git's order; no name twice */
	size_t n;
};

/* Borrowed until the next gs_tree_cache_trim. `id` may also be a commit's. */
GS_MUST_CHECK int gs_tree_cache_get(struct gs_tree_cache *cache,
    const struct gs_oid *id, const struct gs_tree **ret, struct gs_err *err);
/* The folder at a path below that tree or commit, in one question and without
 * the folders above it; GS_E_NOT_FOUND where none is. Only for paths that git
 * can be asked for by name. */
bool gs_tree_cache_can_find(struct gs_str folder);
GS_MUST_CHECK int gs_tree_cache_find(struct gs_tree_cache *cache,
    const struct gs_oid *id, struct gs_str folder, const struct gs_tree **ret,
    struct gs_err *err);
/* Empties the cache when it is over its cap: only between listings, since
 * trees in use are borrowed. */
void gs_tree_cache_trim(struct gs_tree_cache *cache);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a commit's tree holds: every path with its mode and blob id, sorted
 * by path. Subtrees are cached by id, so that listing the next commit costs
 * what differs. Caps: GS_MAX_TREE_FILES, GS_MAX_TREE_DEPTH (GS_E_LIMIT, so
 * that a bomb of nested trees ends early: F168).
 *
 * A listing can be edited (an entry laid over another: S1) and materialised.
 */
#ifndef GIT_LISTING_H
#define GIT_LISTING_H

#include "base/arena.h"
#include "base/err.h"
#include "git/objects.h"

struct gs_entry {
	struct gs_str path; /* bytes, NUL-terminated */
	unsigned mode;      /* 100644 100755 120000 160000 (octal), canonical */
	struct gs_oid id;
};

/* A file with bytes: no link, no gitlink, no folder; false for NULL. */
bool gs_entry_is_file(const struct gs_entry *entry);

struct gs_listing {
	struct gs_entry *v; /* sorted by path, bytewise */
	size_t n, cap;
	struct gs_arena arena;
};

void gs_listing_release(struct gs_listing *listing);

/* Belongs to one reader and dies before it. */
struct gs_tree_cache;

struct gs_tree_cache *gs_tree_cache_new(struct gs_objects *objects);
void gs_tree_cache_free(struct gs_tree_cache *cache);

/* `ret` is emptied first. GS_E_CORRUPT when a path occurs twice, or `tree`
 * names something else. `tree` is the id of a tree, or of a commit that stands
 * for its tree; so below. */
GS_MUST_CHECK int gs_listing_read(struct gs_tree_cache *cache,
    const struct gs_oid *tree, struct gs_listing *ret, struct gs_err *err);
/* The direct entries of one folder ("" is the root) of a tree, unsorted by
 * anything but git's order; GS_E_NOT_FOUND when it is no folder there. For
 * licences, without listing the whole tree. Paths are whole, from the root;
 * folders have mode 040000. Appends to `ret`. */
GS_MUST_CHECK int gs_listing_folder(struct gs_tree_cache *cache,
    const struct gs_oid *tree, struct gs_str folder, struct gs_listing *ret,
    struct gs_err *err);
/* `ret` is emptied first. */
void gs_listing_copy(struct gs_listing *ret, const struct gs_listing *other);
const struct gs_entry *gs_listing_find(
    const struct gs_listing *listing, struct gs_str path);
/* true when some path lies under this folder. */
bool gs_listing_has_folder(
    const struct gs_listing *listing, struct gs_str folder);
/* Sets an entry; whatever was at that path, above it or below it, goes (S3). */
void gs_listing_put(struct gs_listing *listing, const struct gs_entry *entry);
void gs_listing_drop(struct gs_listing *listing, struct gs_str path);
/* The id of the git tree that this listing is: equal listings, equal ids,
 * and an unchanged tree has its own (unless old tools wrote its modes). */
void gs_listing_tree_id(const struct gs_listing *listing, struct gs_oid *ret);
/* The id that git gives a blob of these bytes, by the hash that `like` is of.
 */
void gs_blob_id(
    struct gs_str bytes, const struct gs_oid *like, struct gs_oid *ret);

#endif

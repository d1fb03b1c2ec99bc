/* SPDX-License-Identifier: Apache-2.0 */
#include "git/listing.h"

#include <string.h>

#include "base/limits.h"
#include "base/vec.h"
#include "git/tree_cache.h"

void gs_listing_release(struct gs_listing *listing)
{
	GS_VEC_FREE(listing);
	gs_arena_release(&listing->arena);
}

bool gs_entry_is_file(const struct gs_entry *entry)
{
	return entry && (entry->mode & 0170000) == 0100000;
}

/* One listing under way. */
struct reading {
	struct gs_tree_cache *cache;
	struct gs_listing *listing;
	struct gs_buf path; /* of the folder that is read, with its slash */
	size_t trees;       /* visited: a bomb may hold no file at all */
};

static int add(struct reading *reading, const struct gs_tree_entry *entry,
    struct gs_err *err)
{
	struct gs_entry *added;
	size_t folder = reading->path.n;

	if (reading->listing->n >= GS_MAX_TREE_FILES)
		return gs_fail(err, GS_E_LIMIT,
		    "the tree holds more than %d files", GS_MAX_TREE_FILES);
	gs_buf_adds(&reading->path, entry->name);
	added = GS_VEC_ADD(reading->listing);
	added->path =
	    gs_arena_str(&reading->listing->arena, gs_buf_str(&reading->path));
	added->mode = entry->mode;
	added->id = entry->id;
	gs_buf_cut(&reading->path, folder);
	return 0;
}

static int descend(struct reading *reading, const struct gs_oid *id, int depth,
    struct gs_err *err)
{
	const struct gs_tree *tree;
	size_t folder = reading->path.n;
	int rc;

	if (depth > GS_MAX_TREE_DEPTH || ++reading->trees > GS_MAX_TREE_FILES)
		return gs_fail(err, GS_E_LIMIT,
		    "the tree is deeper than %d folders or holds more than "
		    "%d of them",
		    GS_MAX_TREE_DEPTH, GS_MAX_TREE_FILES);
	rc = gs_tree_cache_get(reading->cache, id, &tree, err);
	for (size_t i = 0; rc == 0 && i < tree->n; i++) {
		const struct gs_tree_entry *entry = &tree->v[i];

		if (entry->mode != GS_MODE_DIR) {
			rc = add(reading, entry, err);
			continue;
		}
		gs_buf_adds(&reading->path, entry->name);
		gs_buf_addc(&reading->path, '/');
		rc = descend(reading, &entry->id, depth + 1, err);
		gs_buf_cut(&reading->path, folder);
	}
	return rc;
}

static int by_path(const void *a, const void *b)
{
	const struct gs_entry *x = a, *y = b;

	return gs_str_cmp(x->path, y->path);
}

/* git's order in its trees is the order of whole paths, unless a tool wrote
 * a tree unsorted. */
static void sort(struct gs_listing *listing)
{
	for (size_t i = 1; i < listing->n; i++)
		if (by_path(&listing->v[i - 1], &listing->v[i]) > 0) {
			GS_VEC_SORT(listing, by_path);
			return;
		}
}

int gs_listing_read(struct gs_tree_cache *cache, const struct gs_oid *tree,
    struct gs_listing *ret, struct gs_err *err)
{
	struct reading reading = {.cache = cache, .listing = ret};
	int rc;

	ret->n = 0;
	gs_arena_reset(&ret->arena);
	gs_tree_cache_trim(cache);
	rc = descend(&reading, tree, 0, err);
	gs_buf_release(&reading.path);
	if (rc)
		return rc;
	sort(ret);
	return 0;
}

static const struct gs_tree_entry *entry_named(
    const struct gs_tree *tree, struct gs_str name)
{
	for (size_t i = 0; i < tree->n; i++)
		if (gs_str_eq(tree->v[i].name, name))
			return &tree->v[i];
	return NULL;
}

/* Down from the root, name by name. */
static int walk_down(struct gs_tree_cache *cache, const struct gs_oid *tree,
    struct gs_str folder, const struct gs_tree **ret, struct gs_err *err)
{
	struct gs_str rest = folder, part;
	int rc = gs_tree_cache_get(cache, tree, ret, err);

	while (rc == 0 && gs_str_cut(&rest, '/', &part)) {
		const struct gs_tree_entry *entry = entry_named(*ret, part);

		if (!entry || entry->mode != GS_MODE_DIR)
			return gs_fail(err, GS_E_NOT_FOUND,
			    "%.*s is no folder of the tree %s",
			    GS_STR_ARG(folder), tree->hex);
		rc = gs_tree_cache_get(cache, &entry->id, ret, err);
	}
	return rc;
}

int gs_listing_folder(struct gs_tree_cache *cache, const struct gs_oid *tree,
    struct gs_str folder, struct gs_listing *ret, struct gs_err *err)
{
	struct reading reading = {.cache = cache, .listing = ret};
	const struct gs_tree *now = NULL;
	int rc;

	gs_tree_cache_trim(cache);
	rc = gs_tree_cache_can_find(folder)
	         ? gs_tree_cache_find(cache, tree, folder, &now, err)
	         : walk_down(cache, tree, folder, &now, err);
	if (rc)
		return rc;
	if (folder.n > 0) {
		gs_buf_adds(&reading.path, folder);
		gs_buf_addc(&reading.path, '/');
	}
	for (size_t i = 0; rc == 0 && i < now->n; i++)
		rc = add(&reading, &now->v[i], err);
	gs_buf_release(&reading.path);
	return rc;
}

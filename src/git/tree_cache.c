/* SPDX-License-Identifier: Apache-2.0 */
#include "git/tree_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"

#define MAX_TREE_OBJECT (64 * GS_MIB)
#define CACHE_BYTES (64 * GS_MIB)
#define MAX_FOLDER_NAME 4096

struct gs_tree_cache {
	struct gs_objects *objects;
	struct gs_map trees; /* id to struct gs_tree in the arena */
	struct gs_arena arena;
	size_t bytes;
	struct gs_buf buf;
};

struct gs_tree_cache *gs_tree_cache_new(struct gs_objects *objects)
{
	struct gs_tree_cache *cache = gs_alloc(sizeof(*cache));

	cache->objects = objects;
	return cache;
}

void gs_tree_cache_free(struct gs_tree_cache *cache)
{
	if (!cache)
		return;
	gs_map_release(&cache->trees);
	gs_arena_release(&cache->arena);
	gs_buf_release(&cache->buf);
	free(cache);
}

void gs_tree_cache_trim(struct gs_tree_cache *cache)
{
	if (cache->bytes < CACHE_BYTES)
		return;
	gs_map_release(&cache->trees);
	gs_arena_release(&cache->arena);
	cache->bytes = 0;
}

static int by_name(const void *a, const void *b)
{
	const struct gs_str *x = a, *y = b;

	return gs_str_cmp(*x, *y);
}

/* git's order does not put a file and a folder of one name together, so
 * names are compared on their own. */
static bool has_twice(const struct gs_tree *tree)
{
	GS_CLEANUP(gs_freep)
	struct gs_str *names = gs_alloc((tree->n + 1) * sizeof(*names));

	for (size_t i = 0; i < tree->n; i++)
		names[i] = tree->v[i].name;
	qsort(names, tree->n, sizeof(*names), by_name);
	for (size_t i = 1; i < tree->n; i++)
		if (gs_str_eq(names[i - 1], names[i]))
			return true;
	return false;
}

static int parse(struct gs_tree_cache *cache, size_t id_size,
    struct gs_tree *ret, struct gs_err *err)
{
	struct gs_str bytes = gs_buf_str(&cache->buf);

	struct {
		struct gs_tree_entry *v;
		size_t n, cap;
	} found = {0};
	struct gs_tree_entry entry;
	int rc;

	while ((rc = gs_tree_next(&bytes, id_size, &entry, err)) > 0) {
		entry.name = gs_arena_str(&cache->arena, entry.name);
		*GS_VEC_ADD(&found) = entry;
	}
	if (rc == 0 && found.n > 0) {
		ret->v =
		    gs_arena_alloc(&cache->arena, found.n * sizeof(*found.v));
		memcpy(ret->v, found.v, found.n * sizeof(*found.v));
		ret->n = found.n;
	}
	GS_VEC_FREE(&found);
	if (rc == 0 && has_twice(ret))
		rc = gs_fail(err, GS_E_CORRUPT, "the tree has one name twice");
	return rc;
}

/* git says "missing" of what is there and no tree, too: that will never be
 * one, while what is not there may come. */
static int tell_no_tree(
    struct gs_tree_cache *cache, const struct gs_oid *id, struct gs_err *err)
{
	GS_CLEANUP(gs_commit_text_release) struct gs_commit_text commit = {0};
	struct gs_object_info info;
	struct gs_oid tree = *id;

	if (gs_objects_info(cache->objects, id->hex, &info, NULL) == 0 &&
	    info.type == GS_OBJECT_COMMIT &&
	    gs_objects_commit(cache->objects, id->hex, &commit, NULL) == 0)
		tree = commit.tree;
	if (gs_objects_info(cache->objects, tree.hex, &info, NULL) != 0)
		return GS_E_NOT_FOUND;
	return gs_fail(err, GS_E_CORRUPT,
	    "%s, where a tree should be, is something else", tree.hex);
}

/* What is read under that name becomes the tree under that key. */
static int keep(struct gs_tree_cache *cache, struct gs_str key,
    const struct gs_tree **ret, struct gs_err *err)
{
	struct gs_tree *tree = gs_arena_alloc(&cache->arena, sizeof(*tree));
	ptrdiff_t colon = gs_str_find_char(key, ':');
	size_t digits = colon < 0 ? key.n : (size_t)colon;
	int rc = parse(cache, digits / 2, tree, err);

	if (rc)
		return gs_wrap(err, "tree %.*s", GS_STR_ARG(key));
	cache->bytes += tree->n * (sizeof(*tree->v) + 16) + 256;
	*gs_map_at(&cache->trees, key) = tree;
	*ret = tree;
	return 0;
}

int gs_tree_cache_get(struct gs_tree_cache *cache, const struct gs_oid *id,
    const struct gs_tree **ret, struct gs_err *err)
{
	const struct gs_tree *known =
	    gs_map_get(&cache->trees, gs_str(id->hex));
	GS_CLEANUP(gs_buf_release) struct gs_buf name = {0};
	int rc;

	if (known) {
		*ret = known;
		return 0;
	}
	gs_buf_reset(&cache->buf);
	/* Peeled: a commit's id gives its tree, a blob's is refused. */
	gs_buf_addf(&name, "%s^{tree}", id->hex);
	rc = gs_objects_read(cache->objects, gs_buf_cstr(&name),
	    MAX_TREE_OBJECT, &cache->buf, err);
	if (rc == GS_E_NOT_FOUND)
		rc = tell_no_tree(cache, id, err);
	return rc ? rc : keep(cache, gs_str(id->hex), ret, err);
}

bool gs_tree_cache_can_find(struct gs_str folder)
{
	return folder.n > 0 && folder.n < MAX_FOLDER_NAME &&
	       folder.p[0] != '.' && gs_str_find_char(folder, '\n') < 0 &&
	       gs_str_find_char(folder, '\0') < 0;
}

int gs_tree_cache_find(struct gs_tree_cache *cache, const struct gs_oid *id,
    struct gs_str folder, const struct gs_tree **ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf name = {0};
	struct gs_object_info info;
	int rc;

	gs_buf_addf(&name, "%s:", id->hex);
	gs_buf_adds(&name, folder);
	*ret = gs_map_get(&cache->trees, gs_buf_str(&name));
	if (*ret)
		return 0;
	gs_buf_reset(&cache->buf);
	rc = gs_objects_read_info(cache->objects, gs_buf_cstr(&name),
	    MAX_TREE_OBJECT, &info, &cache->buf, err);
	if (rc)
		return rc;
	if (info.type != GS_OBJECT_TREE)
		return gs_fail(
		    err, GS_E_NOT_FOUND, "%s is no folder", gs_buf_cstr(&name));
	return keep(cache, gs_buf_str(&name), ret, err);
}

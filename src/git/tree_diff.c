/* SPDX-License-Identifier: Apache-2.0 */
#include "git/tree_diff.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "git/tree_cache.h"

/* Entries of all trees that one comparison reads: folders without a file
 * would be no change, however many they are. */
#define MAX_ENTRIES ((size_t)20 * GS_MAX_TREE_FILES)

void gs_tree_diff_release(struct gs_tree_diff *diff)
{
	GS_VEC_FREE(diff);
	gs_arena_release(&diff->arena);
}

struct comparison {
	struct gs_tree_cache *cache;
	struct gs_tree_diff *diff;
	struct gs_buf path; /* of the folder that is compared, with its slash */
	size_t entries;
};

/* Entries in the order of their plain names; git's own has a folder as if it
 * ended in a slash, and old tools wrote trees in none. */
struct side {
	struct gs_tree_entry *v;
	size_t n;
};

static void side_release(struct side *side)
{
	free(side->v);
}

static int by_name(const void *a, const void *b)
{
	const struct gs_tree_entry *x = a, *y = b;

	return gs_str_cmp(x->name, y->name);
}

/* `id` NULL: an empty side. */
static int read_side(struct comparison *comparison, const struct gs_oid *id,
    struct side *ret, struct gs_err *err)
{
	const struct gs_tree *tree = NULL;

	if (!id)
		return 0;
	int rc = gs_tree_cache_get(comparison->cache, id, &tree, err);
	if (rc)
		return rc;
	comparison->entries += tree->n + 1;
	if (comparison->entries > MAX_ENTRIES)
		return gs_fail(err, GS_E_LIMIT,
		    "the changed folders hold more than %zu entries",
		    MAX_ENTRIES);
	ret->v = gs_alloc((tree->n + 1) * sizeof(*ret->v));
	ret->n = tree->n;
	for (size_t i = 0; i < tree->n; i++)
		ret->v[i] = tree->v[i];
	qsort(ret->v, ret->n, sizeof(*ret->v), by_name);
	return 0;
}

static bool is_folder(const struct gs_tree_entry *entry)
{
	return entry && entry->mode == GS_MODE_DIR;
}

static char status_of(
    const struct gs_tree_entry *before, const struct gs_tree_entry *after)
{
	if (!before)
		return 'A';
	if (!after)
		return 'D';
	return (before->mode & 0170000) == (after->mode & 0170000) ? 'M' : 'T';
}

/* A change of something that is no folder; either may be NULL. */
static void add_change(struct comparison *comparison,
    const struct gs_tree_entry *before, const struct gs_tree_entry *after)
{
	struct gs_tree_diff *diff = comparison->diff;
	const struct gs_tree_entry *named = before ? before : after;
	size_t folder = comparison->path.n;

	if (diff->n >= GS_MAX_TREE_FILES) {
		diff->is_cut = true;
		return;
	}
	gs_buf_adds(&comparison->path, named->name);
	struct gs_change *change = GS_VEC_ADD(diff);
	change->status = status_of(before, after);
	change->path =
	    gs_arena_str(&diff->arena, gs_buf_str(&comparison->path));
	if (before) {
		change->old_mode = before->mode;
		change->old_id = before->id;
	}
	if (after) {
		change->new_mode = after->mode;
		change->new_id = after->id;
	}
	gs_buf_cut(&comparison->path, folder);
}

static int compare(struct comparison *comparison, const struct gs_oid *before,
    const struct gs_oid *after, int depth, struct gs_err *err);

static int compare_folders(struct comparison *comparison,
    const struct gs_tree_entry *before, const struct gs_tree_entry *after,
    int depth, struct gs_err *err)
{
	size_t folder = comparison->path.n;

	gs_buf_adds(&comparison->path, before ? before->name : after->name);
	gs_buf_addc(&comparison->path, '/');
	int rc = compare(comparison, before ? &before->id : NULL,
	    after ? &after->id : NULL, depth + 1, err);
	gs_buf_cut(&comparison->path, folder);
	return rc;
}

/* What stands under one name on either side. A file that became a folder is
 * gone, and what is in the folder is new. */
static int compare_entries(struct comparison *comparison,
    const struct gs_tree_entry *before, const struct gs_tree_entry *after,
    int depth, struct gs_err *err)
{
	if (before && after && before->mode == after->mode &&
	    gs_oid_eq(&before->id, &after->id))
		return 0;
	const struct gs_tree_entry *old_folder =
	    is_folder(before) ? before : NULL;
	const struct gs_tree_entry *new_folder =
	    is_folder(after) ? after : NULL;
	const struct gs_tree_entry *old_file = old_folder ? NULL : before;
	const struct gs_tree_entry *new_file = new_folder ? NULL : after;
	if (old_file || new_file)
		add_change(comparison, old_file, new_file);
	if (old_folder || new_folder)
		return compare_folders(
		    comparison, old_folder, new_folder, depth, err);
	return 0;
}

static int compare(struct comparison *comparison, const struct gs_oid *before,
    const struct gs_oid *after, int depth, struct gs_err *err)
{
	GS_CLEANUP(side_release) struct side old = {0};
	GS_CLEANUP(side_release) struct side new = {0};

	if (depth > GS_MAX_TREE_DEPTH)
		return gs_fail(err, GS_E_LIMIT,
		    "a changed folder is deeper than %d others",
		    GS_MAX_TREE_DEPTH);
	int rc = read_side(comparison, before, &old, err);
	if (rc == 0)
		rc = read_side(comparison, after, &new, err);
	size_t i = 0, k = 0;
	while (
	    rc == 0 && !comparison->diff->is_cut && (i < old.n || k < new.n)) {
		int order = i == old.n   ? 1
		            : k == new.n ? -1
		                         : by_name(&old.v[i], &new.v[k]);
		const struct gs_tree_entry *was =
		    order <= 0 ? &old.v[i++] : NULL;
		const struct gs_tree_entry *is =
		    order >= 0 ? &new.v[k++] : NULL;
		rc = compare_entries(comparison, was, is, depth, err);
	}
	return rc;
}

static int by_path(const void *a, const void *b)
{
	const struct gs_change *x = a, *y = b;

	return gs_str_cmp(x->path, y->path);
}

int gs_tree_diff(struct gs_tree_cache *cache, const struct gs_oid *before,
    const struct gs_oid *after, struct gs_tree_diff *ret, struct gs_err *err)
{
	struct comparison comparison = {.cache = cache, .diff = ret};

	ret->n = 0;
	ret->is_cut = false;
	gs_arena_reset(&ret->arena);
	gs_tree_cache_trim(cache);
	int rc = compare(&comparison, before, after, 0, err);
	gs_buf_release(&comparison.path);
	/* As git has it: a folder's entries stand where its slash sorts. */
	GS_VEC_SORT(ret, by_path);
	return rc;
}

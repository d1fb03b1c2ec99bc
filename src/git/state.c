/* SPDX-License-Identifier: Apache-2.0 */
#include "git/state.h"

#include "base/limits.h"
#include "base/vec.h"
#include "model/paths.h"

int gs_state_patterns(struct gs_objects *objects,
    const struct gs_listing *commit_tree, struct gs_strv *ret,
    struct gs_err *err)
{
	for (size_t i = 0; i < commit_tree->n; i++) {
		const struct gs_entry *entry = &commit_tree->v[i];
		if (!gs_path_is_pytest_config(entry->path) ||
		    !gs_entry_is_file(entry))
			continue;
		GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};
		int rc = gs_objects_read(
		    objects, entry->id.hex, GS_MAX_PYTHON_FILE, &bytes, err);
		if (rc == 0)
			gs_python_files(entry->path, gs_buf_str(&bytes), ret);
		else if (rc != GS_E_LIMIT)
			return rc;
	}
	return 0;
}

static bool comes_from_commit(
    struct gs_str path, const struct gs_strv *patterns)
{
	return gs_path_classify(path, patterns) == GS_PATH_TEST ||
	       gs_path_is_pytest_config(path);
}

static void append(struct gs_listing *ret, const struct gs_entry *entry)
{
	struct gs_entry *added = GS_VEC_ADD(ret);
	*added = *entry;
	added->path = gs_arena_str(&ret->arena, entry->path);
}

/* The next entry from `i` on that does, or does not, come from the commit. */
static size_t next_of(const struct gs_listing *tree, size_t i,
    const struct gs_strv *patterns, bool from_commit)
{
	while (i < tree->n &&
	       comes_from_commit(tree->v[i].path, patterns) != from_commit)
		i++;
	return i;
}

/* Both are sorted, and no path can come from both. */
static void merge(const struct gs_listing *parent_tree,
    const struct gs_listing *commit_tree, const struct gs_strv *patterns,
    struct gs_listing *ret)
{
	size_t i = next_of(parent_tree, 0, patterns, false);
	size_t k = next_of(commit_tree, 0, patterns, true);
	while (i < parent_tree->n || k < commit_tree->n) {
		bool is_parents =
		    k == commit_tree->n ||
		    (i < parent_tree->n && gs_str_cmp(parent_tree->v[i].path,
		                               commit_tree->v[k].path) < 0);
		if (is_parents) {
			append(ret, &parent_tree->v[i]);
			i = next_of(parent_tree, i + 1, patterns, false);
		} else {
			append(ret, &commit_tree->v[k]);
			k = next_of(commit_tree, k + 1, patterns, true);
		}
	}
}

/* A file stands where the path needs a folder, or the other way round. */
static bool collides(const struct gs_listing *tree, struct gs_str path)
{
	for (size_t i = 0; i < path.n; i++)
		if (path.p[i] == '/' &&
		    gs_listing_find(tree, gs_str_sub(path, 0, i)))
			return true;
	return gs_listing_has_folder(tree, path);
}

void gs_state_before(const struct gs_listing *parent_tree,
    const struct gs_listing *commit_tree, const struct gs_strv *patterns,
    struct gs_listing *ret)
{
	ret->n = 0;
	gs_arena_reset(&ret->arena);
	merge(parent_tree, commit_tree, patterns, ret);
	for (size_t k = 0; k < commit_tree->n; k++) {
		struct gs_str path = commit_tree->v[k].path;
		/* What is in its way goes (S3); rare, and rearranges. */
		if (comes_from_commit(path, patterns) && collides(ret, path))
			gs_listing_put(ret, &commit_tree->v[k]);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/trees.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "git/project.h"
#include "git/state.h"

int gs_tree_of_commit(struct gs_objects *objects, struct gs_tree_cache *cache,
    const char *commit, struct gs_listing *ret, struct gs_err *err)
{
	struct gs_commit_text text = {0};
	int rc = gs_objects_commit(objects, commit, &text, err);
	if (rc == 0)
		rc = gs_listing_read(cache, &text.tree, ret, err);
	gs_commit_text_release(&text);
	return rc;
}

static int check_before(const struct gs_task *task,
    const struct gs_listing *before, struct gs_err *err)
{
	struct gs_oid tree;
	gs_listing_tree_id(before, &tree);
	if (strcmp(tree.hex, task->evidence.tree_before) != 0)
		return gs_fail(err, GS_E_CORRUPT,
		    "the before state of %s is tree %s here and %s in its "
		    "evidence",
		    task->record.id, tree.hex, task->evidence.tree_before);
	return 0;
}

int gs_task_state_read(struct gs_objects *objects, struct gs_tree_cache *cache,
    const struct gs_task *task, struct gs_task_state *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_listing_release) struct gs_listing parent = {0};
	GS_CLEANUP(gs_listing_release) struct gs_listing commit = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv patterns = {0};
	int rc = gs_tree_of_commit(
	    objects, cache, task->record.parent, &parent, err);
	if (rc == 0)
		rc = gs_tree_of_commit(
		    objects, cache, task->record.commit, &commit, err);
	if (rc == 0)
		rc = gs_state_patterns(objects, &commit, &patterns, err);
	if (rc)
		return rc;
	gs_state_before(&parent, &commit, &patterns, &ret->before);
	rc = check_before(task, &ret->before, err);
	return rc ? rc
	          : gs_project_identity(objects, &ret->before, &ret->dist_name,
	                &ret->dist_version, err);
}

void gs_task_state_release(struct gs_task_state *state)
{
	gs_listing_release(&state->before);
	free(state->dist_name);
	free(state->dist_version);
	*state = (struct gs_task_state){0};
}

static int read_source(
    const struct gs_task *task, struct gs_task_trees *trees, struct gs_err *err)
{
	const char *path = task->evidence.source_path;
	const struct gs_entry *entry =
	    gs_listing_find(&trees->before, gs_str(path));
	if (!entry)
		return gs_fail(err, GS_E_CORRUPT, "%s is not in the tree of %s",
		    path, task->record.parent);
	return gs_task_trees_read(trees, entry, &trees->source, err);
}

int gs_task_trees_open(
    const struct gs_task *task, struct gs_task_trees *ret, struct gs_err *err)
{
	const struct gs_record *record = &task->record;
	if (!task->mirror)
		return gs_fail(err, GS_E_NOT_FOUND, "%s",
		    task->lacking ? task->lacking : "there is no repository");
	int rc = gs_objects_open(task->mirror, &ret->objects, err);
	if (rc)
		return rc;
	ret->cache = gs_tree_cache_new(ret->objects);
	rc = gs_tree_of_commit(
	    ret->objects, ret->cache, record->parent, &ret->parent, err);
	if (rc == 0)
		rc = gs_tree_of_commit(ret->objects, ret->cache, record->commit,
		    &ret->commit, err);
	if (rc == 0)
		rc = gs_state_patterns(
		    ret->objects, &ret->commit, &ret->patterns, err);
	if (rc)
		return rc;
	gs_state_before(
	    &ret->parent, &ret->commit, &ret->patterns, &ret->before);
	rc = check_before(task, &ret->before, err);
	return rc ? rc : read_source(task, ret, err);
}

void gs_task_trees_release(struct gs_task_trees *trees)
{
	gs_listing_release(&trees->parent);
	gs_listing_release(&trees->commit);
	gs_listing_release(&trees->before);
	gs_strv_release(&trees->patterns);
	gs_buf_release(&trees->source);
	gs_tree_cache_free(trees->cache);
	gs_objects_close(trees->objects);
}

int gs_task_trees_read(struct gs_task_trees *trees,
    const struct gs_entry *entry, struct gs_buf *ret, struct gs_err *err)
{
	return entry ? gs_objects_read(
	                   trees->objects, entry->id.hex, GS_MAX_BLOB, ret, err)
	             : 0;
}

int gs_task_splice(const struct gs_task *task, struct gs_str file,
    struct gs_str text, struct gs_buf *ret, bool *ret_valid,
    struct gs_buf *ret_why, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};
	struct gs_err bad = {0};
	*ret_valid = false;
	if (gs_source_encode(text, file, &bytes, &bad)) {
		gs_buf_addz(ret_why, bad.text);
		return 0;
	}
	bool is_function = gs_task_is_function(task);
	size_t start = is_function ? (size_t)task->evidence.unit_start : 0;
	size_t end = is_function ? (size_t)task->evidence.unit_end : file.n;
	if (start > end || end > file.n)
		return gs_fail(err, GS_E_CORRUPT,
		    "the evidence of %s names bytes that %s does not have",
		    task->record.id, task->evidence.source_path);
	gs_source_splice(file, start, end, gs_buf_str(&bytes), ret);
	if (ret->n > GS_MAX_PYTHON_FILE)
		gs_buf_addz(ret_why, "the file would be over 1 MiB");
	*ret_valid = ret->n <= GS_MAX_PYTHON_FILE;
	return 0;
}

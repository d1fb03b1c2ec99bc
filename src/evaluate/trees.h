/* SPDX-License-Identifier: Apache-2.0 */
/* The trees of a record, read from its mirror, and its span in them. */
#ifndef EVALUATE_TREES_H
#define EVALUATE_TREES_H

#include "evaluate/task.h"
#include "git/listing.h"
#include "py/source.h"

struct gs_task_trees {
	struct gs_objects *objects;
	struct gs_tree_cache *cache;
	struct gs_listing parent, commit;
	struct gs_listing before; /* S1 */
	struct gs_strv patterns;  /* python_files of the commit */
	struct gs_buf source;     /* the file to mend, as it was */
};

/* One commit's tree. */
GS_MUST_CHECK int gs_tree_of_commit(struct gs_objects *objects,
    struct gs_tree_cache *cache, const char *commit, struct gs_listing *ret,
    struct gs_err *err);

/* What a record's runs see. */
struct gs_task_state {
	struct gs_listing before;
	char *dist_name, *dist_version; /* of the project itself, or NULL */
};

/* The before state of a record, compared with the id in its evidence. */
GS_MUST_CHECK int gs_task_state_read(struct gs_objects *objects,
    struct gs_tree_cache *cache, const struct gs_task *task,
    struct gs_task_state *ret, struct gs_err *err);
void gs_task_state_release(struct gs_task_state *state);

/* Errors: the task's mirror is NULL, or lacks the commits. */
GS_MUST_CHECK int gs_task_trees_open(
    const struct gs_task *task, struct gs_task_trees *ret, struct gs_err *err);
void gs_task_trees_release(struct gs_task_trees *trees);
/* The bytes of an entry; nothing for NULL. */
GS_MUST_CHECK int gs_task_trees_read(struct gs_task_trees *trees,
    const struct gs_entry *entry, struct gs_buf *ret, struct gs_err *err);

/* E1: the file with `text` (UTF-8) in the record's span, in the file's own
 * encoding. False and a sentence where the text is no answer; an error only
 * when the record's own span is wrong. */
GS_MUST_CHECK int gs_task_splice(const struct gs_task *task, struct gs_str file,
    struct gs_str text, struct gs_buf *ret, bool *ret_valid,
    struct gs_buf *ret_why, struct gs_err *err);

#endif

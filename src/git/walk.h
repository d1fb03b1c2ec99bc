/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The history of a mirror, streamed from one `git log --raw -z` child: every
 * commit reachable from the walked refs, once, with its changes against its
 * only parent. Memory does not grow with the history's length.
 *
 * Where git gives up (a malformed tree, a parent that is missing, a bomb of
 * nested trees), all is walked once more, object by object (git/careful.h):
 * then commits come twice, and those of known tips come too.
 *
 *	rc = gs_walk_open(&options, &walk, err);
 *	while ((rc = gs_walk_next(walk, &commit, err)) > 0)
 *		…                       // `commit` is borrowed until the next
 *call gs_walk_close(walk);
 */
#ifndef GIT_WALK_H
#define GIT_WALK_H

#include <stdint.h>

#include "base/err.h"
#include "base/strv.h"
#include "model/change.h"

struct gs_commit {
	struct gs_oid id;
	struct gs_oid parent; /* the first, when n_parents > 0 */
	unsigned n_parents;   /* as the commit object says */
	/* F022: at a shallow boundary the parents are known by name only;
	 * the changes are empty, and it is no root commit. */
	bool parent_missing;
	bool has_date;        /* W6: a committer date that can be printed */
	int64_t committed_at; /* epoch seconds */
	/* Against the first parent; empty for root commits, and for merges
	 * unless first_parent was asked for. Paths are bytes. */
	const struct gs_change *changes;
	size_t n_changes;
	bool changes_cut; /* there are more than GS_MAX_TREE_FILES */
	/* W5: why its changes, or the commit itself, cannot be seen:
	 * GS_E_NOT_FOUND, GS_E_CORRUPT or GS_E_LIMIT, and a sentence. 0: they
	 * are seen. */
	enum gs_code trouble;
	const char *why;
};

struct gs_walk_options {
	const char *mirror;
	/* Where to begin, as gs_mirror_tips gave it; NULL: asked for again. */
	const struct gs_strv *tips;
	bool
	    first_parent; /* also diff merges against their first parent (W2) */
	/* Tips whose history was walked before: not given again. Ids that
	 * the mirror no longer has are ignored. NULL: none. */
	const struct gs_strv *known_tips;
	/* Only these commits (whole ids), wherever they are; NULL: all.
	 * Borrowed for the walk. */
	const struct gs_strv *only;
};

struct gs_walk;

GS_MUST_CHECK int gs_walk_open(const struct gs_walk_options *options,
    struct gs_walk **ret, struct gs_err *err);
/* 1 a commit, 0 the end, negative error (a missing object names itself). */
GS_MUST_CHECK int gs_walk_next(
    struct gs_walk *walk, struct gs_commit *ret, struct gs_err *err);
/* Was the whole history given, tips that were known before included? */
bool gs_walk_is_whole(const struct gs_walk *walk);
void gs_walk_close(struct gs_walk *walk);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "mine/mine.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "git/listing.h"
#include "git/mirror.h"
#include "git/tips.h"
#include "git/walk.h"
#include "mine/licences.h"
#include "mine/patterns.h"
#include "model/paths.h"
#include "os/signals.h"

/* One project being walked. */
struct miner {
	struct gs_store *store;
	const struct gs_project *project;
	const struct gs_mine_options *options;
	struct gs_objects *objects;
	struct gs_tree_cache *trees;
	struct gs_licences *licences;
	const struct gs_strv *only; /* these commits; NULL: what is new */
	struct gs_patterns *patterns;
	struct gs_strv roots;  /* of what was walked */
	struct gs_err trouble; /* with the present commit */
	bool is_unseen;        /* it is refused for that */
	int64_t walked;
	struct gs_mine_result result;
};

/* W5: what cannot be seen of a commit refuses it, and it alone. */
static void refuse_unseen(
    struct miner *miner, int rc, const char *why, struct gs_commit_row *row)
{
	row->reason = rc == GS_E_NOT_FOUND ? "missing object" /* F022 */
	              : rc == GS_E_LIMIT   ? "tree too large"
	              : rc == GS_E_CORRUPT ? "unreadable object"
	                                   : NULL;
	row->detail = row->reason ? why : NULL;
	miner->is_unseen = row->reason != NULL;
}

/* W2, W6 and what a shallow or partial mirror lacks; NULL: look further. */
static const char *refused_by_shape(
    const struct gs_commit *commit, bool first_parent)
{
	if (commit->parent_missing)
		return "parent missing";
	if (commit->n_parents == 0)
		return "no parent";
	if (commit->n_parents > 1 && !first_parent)
		return "merge";
	if (!commit->has_date)
		return "bad date";
	return NULL;
}

/* W3, W4: by the names alone first; what the project calls a test besides
 * (python_files) matters only where a source file is left. */
static int judge(struct miner *miner, const struct gs_commit *commit,
    struct gs_commit_row *row, struct gs_err *err)
{
	struct gs_walk_verdict verdict = {0};
	const struct gs_strv *patterns = NULL;
	gs_classify_changes(commit->changes, commit->n_changes, NULL, &verdict);
	row->reason = refused_by_shape(commit, miner->options->first_parent);
	if (!row->reason && commit->changes_cut)
		row->reason = "too many changed files";
	int rc = gs_patterns_at(miner->patterns, commit,
	    !row->reason && verdict.n_source > 0, &patterns, err);
	if (rc || row->reason)
		return rc;
	if (patterns && patterns->n > 0)
		gs_classify_changes(
		    commit->changes, commit->n_changes, patterns, &verdict);
	row->reason = verdict.reason;
	if (!verdict.is_candidate)
		return 0;
	return gs_licences_decide(miner->licences, commit, patterns, row, err);
}

static int judge_or_refuse(struct miner *miner, const struct gs_commit *commit,
    struct gs_commit_row *row, struct gs_err *err)
{
	miner->is_unseen = false;
	if (commit->trouble) {
		refuse_unseen(miner, commit->trouble, commit->why, row);
		return 0;
	}
	miner->trouble = (struct gs_err){0};
	int rc = judge(miner, commit, row, &miner->trouble);
	if (rc)
		refuse_unseen(miner, rc, miner->trouble.text, row);
	if (rc == 0 || miner->is_unseen)
		return 0;
	return gs_fail(err, (enum gs_code)rc, "%s", miner->trouble.text);
}

static int mine_commit(
    struct miner *miner, const struct gs_commit *commit, struct gs_err *err)
{
	struct gs_commit_row row = {
	    .project = miner->project->id,
	    .id = commit->id,
	    .parent = commit->parent,
	    .n_parents = commit->n_parents,
	    .committed_at = commit->committed_at,
	    .has_date = commit->has_date,
	};
	bool is_new = false;
	int rc = judge_or_refuse(miner, commit, &row, err);
	gs_licences_follow(miner->licences, commit);
	if (rc == 0)
		rc = gs_store_put_commit(miner->store, &row, &is_new, err);
	if (rc)
		return gs_wrap(err, "commit %s", commit->id.hex);
	miner->result.commits += is_new;
	miner->result.candidates += is_new && !row.reason;
	miner->result.unreadable += is_new && miner->is_unseen;
	if (commit->n_parents == 0 || commit->parent_missing)
		gs_strv_push(&miner->roots, commit->id.hex);
	if (miner->options->tick && ++miner->walked % 1000 == 0)
		miner->options->tick(
		    miner->options->ctx, miner->project->name, miner->walked);
	return 0;
}

static int walk_all(struct miner *miner, const struct gs_walk_options *options,
    bool *ret_whole, struct gs_err *err)
{
	struct gs_walk *walk = NULL;
	int rc = gs_walk_open(options, &walk, err);
	if (rc)
		return rc;
	struct gs_commit commit;
	while ((rc = gs_walk_next(walk, &commit, err)) > 0) {
		if (gs_stop_requested())
			rc = gs_fail(err, GS_E_CANCELLED, "interrupted");
		else
			rc = mine_commit(miner, &commit, err);
		if (rc)
			break;
	}
	*ret_whole = gs_walk_is_whole(walk);
	gs_walk_close(walk);
	return rc;
}

/* P4: a walk of the whole history has seen its roots; else git lists them. */
static int find_roots(
    struct miner *miner, const char *mirror, bool is_whole, struct gs_err *err)
{
	if (!is_whole) {
		gs_strv_release(&miner->roots);
		return gs_mirror_roots(mirror, &miner->roots, err);
	}
	gs_strv_sort(&miner->roots);
	gs_strv_uniq(&miner->roots);
	return 0;
}

/* The transaction of one project. `known` NULL: all is walked. */
static int mine_new(struct miner *miner, const char *mirror,
    const struct gs_strv *tips, const struct gs_strv *known, struct gs_err *err)
{
	const struct gs_mined mined = {.tips = tips,
	    .roots = &miner->roots,
	    .first_parent = miner->options->first_parent};
	const struct gs_walk_options options = {.mirror = mirror,
	    .tips = tips,
	    .first_parent = mined.first_parent,
	    .known_tips = known,
	    .only = miner->only};
	bool is_whole = false;
	int rc = gs_store_begin(miner->store, err);
	if (rc)
		return rc;
	rc = walk_all(miner, &options, &is_whole, err);
	if (rc == 0 && !miner->only)
		rc = find_roots(miner, mirror, is_whole, err);
	if (rc == 0 && !miner->only)
		rc = gs_store_set_mined(
		    miner->store, miner->project->id, &mined, err);
	if (rc == 0)
		rc = gs_store_commit(miner->store, err);
	else
		gs_store_rollback(miner->store);
	return rc;
}

static bool same_strings(const struct gs_strv *a, const struct gs_strv *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->v[i], b->v[i]) != 0)
			return false;
	return true;
}

/* A walk of the other kind (W2), and one of a history that was not whole,
 * sees commits again that were seen before. */
static int choose_known(struct gs_store *store,
    const struct gs_project *project, bool first_parent,
    const struct gs_strv **ret, struct gs_err *err)
{
	bool is_incomplete = false;
	int rc =
	    gs_store_is_incomplete(store, project->id, &is_incomplete, err);
	if (rc == 0 && !is_incomplete && project->first_parent == first_parent)
		*ret = &project->mined_tips;
	return rc;
}

/* `tips` and what the walk is to begin behind; *ret_is_old when there is
 * nothing behind it. */
static int find_tips(struct miner *miner, const char *mirror,
    struct gs_strv *tips, const struct gs_strv **known, bool *ret_is_old,
    struct gs_err *err)
{
	int rc = gs_objects_open(mirror, &miner->objects, err);
	if (rc == 0)
		rc = gs_objects_tips(miner->objects, mirror, tips, err);
	if (rc || miner->only)
		return rc;
	rc = choose_known(miner->store, miner->project,
	    miner->options->first_parent, known, err);
	*ret_is_old =
	    rc == 0 && *known && tips->n > 0 && same_strings(tips, *known);
	return rc;
}

static int mine_mirror(
    struct miner *miner, const char *mirror, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv tips = {0};
	const struct gs_strv *known = NULL;
	bool is_old = false;
	int rc = find_tips(miner, mirror, &tips, &known, &is_old, err);
	if (rc == 0 && !is_old) {
		miner->trees = gs_tree_cache_new(miner->objects);
		miner->licences = gs_licences_new(miner->store, miner->objects,
		    miner->trees, miner->options->licences);
		miner->patterns = gs_patterns_new(miner->objects, miner->trees);
		rc = mine_new(miner, mirror, &tips, known, err);
		gs_patterns_free(miner->patterns);
		gs_licences_free(miner->licences);
		gs_tree_cache_free(miner->trees);
	}
	gs_objects_close(miner->objects);
	gs_strv_release(&miner->roots);
	return rc;
}

static int mine(
    struct miner *miner, struct gs_mine_result *ret, struct gs_err *err)
{
	const struct gs_project *project = miner->project;
	GS_CLEANUP(gs_freep)
	char *mirror =
	    gs_mirror_path(miner->options->workspace, project->mirror);
	int rc = mine_mirror(miner, mirror, err);
	if (rc == GS_E_NOT_FOUND && gs_source_is_gone(project->source))
		return gs_fail(err, rc,
		    "%s: its repository %s is gone; put it back, or say where "
		    "it is now: goldset add --as %s FOLDER",
		    project->name, project->source, project->name);
	if (rc)
		return gs_wrap(err, "%s", project->name);
	*ret = miner->result;
	return 0;
}

int gs_mine_project(struct gs_store *store, const struct gs_project *project,
    const struct gs_mine_options *options, struct gs_mine_result *ret,
    struct gs_err *err)
{
	struct miner miner = {
	    .store = store, .project = project, .options = options};
	return mine(&miner, ret, err);
}

int gs_mine_commits(struct gs_store *store, const struct gs_project *project,
    const struct gs_mine_options *options, const struct gs_strv *ids,
    struct gs_mine_result *ret, struct gs_err *err)
{
	struct miner miner = {.store = store,
	    .project = project,
	    .options = options,
	    .only = ids};
	return mine(&miner, ret, err);
}

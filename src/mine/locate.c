/* SPDX-License-Identifier: Apache-2.0 */
#include "mine/locate.h"

#include <string.h>

#include "git/walk.h"
#include "os/signals.h"

static bool makes(
    const struct gs_commit *commit, const struct gs_wanted_blob *blob)
{
	for (size_t i = 0; i < commit->n_changes; i++) {
		const struct gs_change *change = &commit->changes[i];
		if (gs_str_is(change->path, blob->path))
			return strncmp(change->new_id.hex, blob->id,
			           strlen(blob->id)) == 0;
	}
	return false;
}

/* Every file of the patch has after the commit the blob that it names. Where
 * it names none, the parent must be the one that is meant. */
static bool makes_all(const struct gs_commit *commit,
    const struct gs_foreign *foreign, bool is_child)
{
	bool has_ids = foreign->blobs.n > 0;
	for (size_t i = 0; i < foreign->blobs.n; i++) {
		if (!makes(commit, &foreign->blobs.v[i]))
			return false;
		has_ids = has_ids && foreign->blobs.v[i].id[0];
	}
	return foreign->blobs.n > 0 && (has_ids || is_child);
}

static void look_at(const struct gs_commit *commit,
    const struct gs_foreign *foreign, struct gs_located *ret)
{
	bool is_child = strcmp(commit->parent.hex, foreign->base) == 0;
	if (ret->is_child && !is_child)
		return;
	if (foreign->commit ? strcmp(commit->id.hex, foreign->commit) != 0
	                    : !makes_all(commit, foreign, is_child))
		return;
	/* Commits come newest first: the oldest match stands, but for a child
	 * of the base; of several children (one was amended, and the other
	 * branch kept) the oldest again, as where records are told apart. */
	ret->commit = commit->id;
	ret->is_child = is_child;
}

int gs_foreigns_locate(const char *mirror, bool first_parent,
    const struct gs_foreign *foreigns, size_t n, struct gs_located *ret,
    struct gs_err *err)
{
	const struct gs_walk_options options = {
	    .mirror = mirror, .first_parent = first_parent};
	struct gs_walk *walk = NULL;
	struct gs_commit commit;
	int rc = gs_walk_open(&options, &walk, err);
	if (rc)
		return rc;
	while ((rc = gs_walk_next(walk, &commit, err)) > 0) {
		if (gs_stop_requested()) {
			rc = gs_fail(err, GS_E_CANCELLED, "interrupted");
			break;
		}
		for (size_t i = 0; i < n; i++)
			look_at(&commit, &foreigns[i], &ret[i]);
	}
	gs_walk_close(walk);
	return rc;
}

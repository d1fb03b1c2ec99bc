/* SPDX-License-Identifier: Apache-2.0 */
#include "git/careful.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "git/commit_text.h"
#include "git/mirror.h"
#include "git/objects.h"
#include "git/tree_diff.h"

struct gs_careful {
	struct gs_objects *objects;
	struct gs_tree_cache *trees;
	bool first_parent;
	bool only_these;    /* no parents */
	struct gs_map seen; /* ids that are or were to be visited */

	struct {
		struct gs_oid *v;
		size_t n, cap;
	} todo;
	struct gs_tree_diff diff;
	struct gs_err why; /* the present commit's trouble */
};

static void visit(struct gs_careful *careful, const struct gs_oid *id)
{
	if (gs_map_add(&careful->seen, gs_str(id->hex), NULL))
		*GS_VEC_ADD(&careful->todo) = *id;
}

int gs_careful_open(const struct gs_walk_options *options,
    struct gs_careful **ret, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv tips = {0};
	const char *mirror = options->mirror;
	int rc = options->only ? 0 : gs_mirror_tips(mirror, &tips, err);

	if (rc)
		return rc;
	if (options->only)
		gs_strv_copy(&tips, options->only);
	struct gs_careful *careful = gs_alloc(sizeof(*careful));
	careful->first_parent = options->first_parent;
	careful->only_these = options->only;
	rc = gs_objects_open(mirror, &careful->objects, err);
	if (rc) {
		gs_careful_close(careful);
		return rc;
	}
	careful->trees = gs_tree_cache_new(careful->objects);
	for (size_t i = 0; i < tips.n; i++) {
		struct gs_oid id;
		if (gs_oid_parse(gs_str(tips.v[i]), &id))
			visit(careful, &id);
	}
	*ret = careful;
	return 0;
}

void gs_careful_close(struct gs_careful *careful)
{
	if (!careful)
		return;
	gs_tree_cache_free(careful->trees);
	gs_objects_close(careful->objects);
	gs_map_release(&careful->seen);
	GS_VEC_FREE(&careful->todo);
	gs_tree_diff_release(&careful->diff);
	free(careful);
}

/* What lies in the commit and not in our way to read it. */
static bool is_of_the_commit(int rc)
{
	return rc == GS_E_NOT_FOUND || rc == GS_E_CORRUPT || rc == GS_E_LIMIT;
}

/* Every parent that is there comes into the walk. */
static int visit_parents(
    struct gs_careful *careful, struct gs_str text, struct gs_commit *ret)
{
	struct gs_str line;

	(void)gs_str_cut(&text, '\n', &line); /* the tree */
	while (
	    gs_str_cut(&text, '\n', &line) && gs_str_starts(line, "parent ")) {
		struct gs_object_info info;
		struct gs_oid id;
		if (!gs_oid_parse(gs_str_from(line, 7), &id))
			break;
		bool is_first = gs_oid_eq(&id, &ret->parent);
		bool is_known = gs_map_has(&careful->seen, gs_str(id.hex));
		int rc = is_known ? 0
		                  : gs_objects_info(careful->objects, id.hex,
		                        &info, &careful->why);
		if (rc && !is_of_the_commit(rc))
			return rc;
		if (rc == 0 && !is_known && info.type != GS_OBJECT_COMMIT)
			rc = GS_E_NOT_FOUND;
		if (rc == 0 && !careful->only_these)
			visit(careful, &id);
		else if (rc && is_first)
			ret->parent_missing = true;
	}
	return 0;
}

static int read_commit(
    struct gs_careful *careful, const struct gs_oid *id, struct gs_commit *ret)
{
	GS_CLEANUP(gs_commit_text_release) struct gs_commit_text text = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};
	int rc = gs_objects_read(careful->objects, id->hex,
	    GS_MAX_COMMIT_OBJECT, &bytes, &careful->why);

	if (rc == 0)
		rc = gs_commit_text_parse(
		    gs_buf_str(&bytes), &text, &careful->why);
	if (rc)
		return rc;
	ret->n_parents = text.n_parents;
	ret->parent = text.parent;
	ret->has_date = text.has_date;
	ret->committed_at = text.committed_at;
	return visit_parents(careful, gs_buf_str(&bytes), ret);
}

static int find_changes(struct gs_careful *careful, struct gs_commit *ret)
{
	if (ret->parent_missing || ret->n_parents == 0 ||
	    (ret->n_parents > 1 && !careful->first_parent))
		return 0;
	int rc = gs_tree_diff(careful->trees, &ret->parent, &ret->id,
	    &careful->diff, &careful->why);
	if (rc)
		return rc;
	ret->changes = careful->diff.v;
	ret->n_changes = careful->diff.n;
	ret->changes_cut = careful->diff.is_cut;
	return 0;
}

int gs_careful_next(
    struct gs_careful *careful, struct gs_commit *ret, struct gs_err *err)
{
	if (careful->todo.n == 0)
		return 0;
	struct gs_commit commit = {
	    .id = careful->todo.v[--careful->todo.n],
	};
	careful->why = (struct gs_err){0};
	int rc = read_commit(careful, &commit.id, &commit);
	if (rc == 0)
		rc = find_changes(careful, &commit);
	if (rc && !is_of_the_commit(rc))
		return gs_fail(err, (enum gs_code)rc, "%s", careful->why.text);
	if (rc) {
		commit.trouble = (enum gs_code)rc;
		commit.why = careful->why.text;
	}
	*ret = commit;
	return 1;
}

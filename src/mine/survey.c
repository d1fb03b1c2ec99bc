/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "base/limits.h"
#include "base/mem.h"
#include "git/listing.h"
#include "git/mirror.h"
#include "mine/mine.h"
#include "model/identity.h"
#include "os/signals.h"
#include "py/source.h"
#include "store/also.h"

/* Hashes of one Python file and of each function in it, once each. */
static int hash_texts(
    struct gs_str bytes, struct gs_strv *ret, struct gs_err *err)
{
	char hash[GS_SHA256_HEX];
	gs_text_hash(bytes, hash);
	gs_strv_push(ret, hash);
	struct gs_source source = {0};
	int rc = gs_source_parse(bytes, &source, err);
	for (size_t i = 0; rc == 0 && i < source.n_units; i++) {
		const struct gs_unit *unit = &source.units[i];
		if (unit->kind != GS_UNIT_FUNCTION)
			continue;
		gs_text_hash(gs_str_sub(bytes, unit->start, unit->end), hash);
		gs_strv_push(ret, hash);
	}
	gs_source_release(&source);
	gs_strv_sort(ret);
	gs_strv_uniq(ret);
	return rc == GS_E_LIMIT ? 0 : rc;
}

static int survey_blob(struct gs_store *store, int64_t project,
    struct gs_objects *objects, const struct gs_oid *blob, struct gs_err *err)
{
	bool is_known = false;
	int rc = gs_store_has_tip_blob(store, project, blob, &is_known, err);
	if (rc || is_known)
		return rc;
	GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv hashes = {0};
	rc = gs_objects_read(
	    objects, blob->hex, GS_MAX_PYTHON_FILE, &bytes, err);
	if (rc == 0)
		rc = hash_texts(gs_buf_str(&bytes), &hashes, err);
	else if (rc == GS_E_LIMIT || rc == GS_E_NOT_FOUND)
		rc = 0; /* remembered as looked at, with nothing in it */
	if (rc == 0)
		rc = gs_store_put_tip_blob(store, project, blob, &hashes, err);
	return rc;
}

static int survey_tip(struct gs_store *store, int64_t project,
    struct gs_objects *objects, struct gs_tree_cache *trees, const char *tip,
    struct gs_err *err)
{
	GS_CLEANUP(gs_listing_release) struct gs_listing listing = {0};
	struct gs_oid commit = {0};
	(void)gs_oid_parse(gs_str(tip), &commit);
	int rc = gs_listing_read(trees, &commit, &listing, err);
	if (rc == GS_E_LIMIT || rc == GS_E_NOT_FOUND)
		return 0;
	for (size_t i = 0; rc == 0 && i < listing.n; i++) {
		if (!gs_entry_is_file(&listing.v[i]) ||
		    !gs_str_ends(listing.v[i].path, ".py"))
			continue;
		if (gs_stop_requested())
			return gs_fail(err, GS_E_CANCELLED, "interrupted");
		rc =
		    survey_blob(store, project, objects, &listing.v[i].id, err);
	}
	return rc;
}

static int survey_tips(struct gs_store *store, const char *mirror,
    const struct gs_project *project, struct gs_err *err)
{
	struct gs_objects *objects = NULL;
	int rc = gs_objects_open(mirror, &objects, err);
	if (rc)
		return rc;
	struct gs_tree_cache *trees = gs_tree_cache_new(objects);
	rc = gs_store_begin(store, err);
	for (size_t i = 0; rc == 0 && i < project->mined_tips.n; i++)
		rc = survey_tip(store, project->id, objects, trees,
		    project->mined_tips.v[i], err);
	if (rc == 0)
		rc = gs_store_set_surveyed(store, project->id, err);
	if (rc == 0)
		rc = gs_store_commit(store, err);
	else
		gs_store_rollback(store);
	gs_tree_cache_free(trees);
	gs_objects_close(objects);
	return rc;
}

int gs_mine_survey(struct gs_store *store, const char *workspace,
    const struct gs_project *project, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *mirror = gs_mirror_path(workspace, project->mirror);
	bool is_surveyed = false;
	int rc = gs_store_is_surveyed(store, project->id, &is_surveyed, err);
	if (rc == 0 && !is_surveyed)
		rc = survey_tips(store, mirror, project, err);
	return rc ? gs_wrap(err, "%s", project->name) : 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/fault.h"
#include "store/db.h"
#include "store/query.h"

void gs_project_release(struct gs_project *project)
{
	free(project->name);
	free(project->repo_url);
	free(project->source);
	free(project->mirror);
	free(project->excluded_reason);
	free(project->excluded_at);
	gs_strv_release(&project->mined_tips);
	gs_strv_release(&project->roots);
	*project = (struct gs_project){0};
}

static int parse_list(const char *text, struct gs_strv *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_json_free)
	json_t *list = gs_json_parse(gs_str(text), "a list in the store", err);

	if (!list)
		return GS_E_CORRUPT;
	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *item = json_string_value(json_array_get(list, i));
		if (item)
			gs_strv_push(ret, item);
	}
	return 0;
}

static void write_list(const struct gs_strv *list, struct gs_buf *ret)
{
	struct gs_json json = {.out = ret};

	gs_json_strv(&json, list);
}

static int read_project(
    sqlite3_stmt *query, struct gs_project *ret, struct gs_err *err)
{
	struct gs_project project = {
	    .id = sqlite3_column_int64(query, 0),
	    .name = gs_db_column_dup(query, 1),
	    .repo_url = gs_db_column_dup(query, 2),
	    .source = gs_db_column_dup(query, 3),
	    .mirror = gs_db_column_dup(query, 4),
	    .excluded_reason = gs_db_column_dup(query, 5),
	    .excluded_at = gs_db_column_dup(query, 6),
	    .first_parent = sqlite3_column_int(query, 9) != 0,
	};
	GS_CLEANUP(gs_freep) char *tips = gs_db_column_dup(query, 7);
	GS_CLEANUP(gs_freep) char *roots = gs_db_column_dup(query, 8);

	int rc = parse_list(tips, &project.mined_tips, err);
	if (rc == 0)
		rc = parse_list(roots, &project.roots, err);
	if (rc < 0)
		gs_project_release(&project);
	else
		*ret = project;
	return rc;
}

int gs_store_project(struct gs_store *store, const char *name,
    struct gs_project *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_PROJECT, err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_text(query, 1, name);
	int rc = gs_db_next(store, query, err);
	if (rc < 0)
		return rc;
	if (rc == 0)
		return gs_fail(err, GS_E_NOT_FOUND,
		    "workspace %s holds no project %s: `goldset status` lists "
		    "them",
		    store->workspace, name);
	return read_project(query, ret, err);
}

int gs_store_find_source(struct gs_store *store, const char *source,
    struct gs_project *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *name = NULL;
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_PROJECT_BY_SOURCE, err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_text(query, 1, source);
	int rc = gs_db_next(store, query, err);
	if (rc <= 0)
		return rc;
	name = gs_db_column_dup(query, 0);
	rc = gs_store_project(store, name, ret, err);
	return rc < 0 ? rc : 1;
}

/* `found` is there under the name that `project` wants. */
static int same_source(const struct gs_project *found,
    struct gs_project *project, struct gs_err *err)
{
	if (!gs_str_eq(gs_str(found->source), gs_str(project->source)))
		return gs_fail(err, GS_E_EXISTS,
		    "the name %s is taken by %s: give %s another with --as",
		    found->name, found->source, project->source);
	project->id = found->id;
	return 0;
}

static int insert_project(
    struct gs_store *store, struct gs_project *project, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_ADD_PROJECT, err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_text(query, 1, project->name);
	gs_db_bind_text(query, 2, project->repo_url ? project->repo_url : "");
	gs_db_bind_text(query, 3, project->source);
	gs_db_bind_text(query, 4, project->mirror ? project->mirror : "");
	int rc = gs_db_next(store, query, err);
	project->id = sqlite3_last_insert_rowid(store->db);
	gs_turns_forget(&store->turns);
	gs_fault("store.add_project");
	return rc;
}

int gs_store_add_project(
    struct gs_store *store, struct gs_project *project, struct gs_err *err)
{
	GS_CLEANUP(gs_project_release) struct gs_project found = {0};
	int rc = gs_db_enter(store, err);

	if (rc < 0)
		return rc;
	rc = gs_store_project(store, project->name, &found, NULL);
	if (rc == 0) {
		/* Nothing is written: what the caller did before stays. */
		rc = gs_db_leave(store, 0, err);
		return rc < 0 ? rc : same_source(&found, project, err);
	}
	if (rc == GS_E_NOT_FOUND)
		rc = insert_project(store, project, err);
	else
		rc = gs_db_fail(store, err);
	return gs_db_leave(store, rc, err);
}

int gs_store_project_names(
    struct gs_store *store, struct gs_strv *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_PROJECT_NAMES, err);
	int rc = 0;

	if (!query)
		return gs_db_fail(store, NULL);
	while ((rc = gs_db_next(store, query, err)) > 0)
		gs_strv_push(ret, (const char *)sqlite3_column_text(query, 0));
	return rc;
}

int gs_store_set_mined(struct gs_store *store, int64_t project,
    const struct gs_mined *mined, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf tips_json = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf roots_json = {0};
	int rc = gs_db_enter(store, err);

	if (rc < 0)
		return rc;
	write_list(mined->tips, &tips_json);
	write_list(mined->roots, &roots_json);
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_SET_MINED, err);
	if (query) {
		gs_db_bind_int(query, 1, project);
		gs_db_bind_text(query, 2, gs_buf_cstr(&tips_json));
		gs_db_bind_text(query, 3, gs_buf_cstr(&roots_json));
		gs_db_bind_int(query, 4, mined->first_parent);
	}
	rc = query ? gs_db_next(store, query, err) : gs_db_fail(store, NULL);
	gs_turns_forget(&store->turns);
	gs_fault("store.set_mined");
	return gs_db_leave(store, rc, err);
}

int gs_store_set_source(struct gs_store *store, int64_t project,
    const char *source, const char *repo_url, struct gs_err *err)
{
	int rc = gs_db_enter(store, err);

	if (rc < 0)
		return rc;
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_SET_SOURCE, err);
	if (query) {
		gs_db_bind_int(query, 1, project);
		gs_db_bind_text(query, 2, source);
		gs_db_bind_text(query, 3, repo_url);
	}
	rc = query ? gs_db_next(store, query, err) : gs_db_fail(store, NULL);
	gs_fault("store.set_source");
	return gs_db_leave(store, rc, err);
}

int gs_store_is_incomplete(
    struct gs_store *store, int64_t project, bool *ret, struct gs_err *err)
{
	return gs_db_has_row(store, GS_Q_INCOMPLETE, project, ret, err);
}

int gs_store_exclude(struct gs_store *store, int64_t project,
    const char *reason, const char *at, struct gs_err *err)
{
	int rc = gs_db_enter(store, err);

	if (rc < 0)
		return rc;
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_EXCLUDE, err);
	if (query) {
		gs_db_bind_int(query, 1, project);
		gs_db_bind_text(query, 2, reason);
		gs_db_bind_text(query, 3, at);
	}
	rc = query ? gs_db_next(store, query, err) : gs_db_fail(store, NULL);
	gs_turns_forget(&store->turns);
	gs_fault("store.exclude");
	return gs_db_leave(store, rc, err);
}

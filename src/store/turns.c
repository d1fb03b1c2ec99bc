/* SPDX-License-Identifier: Apache-2.0 */
#include "store/turns.h"

#include "store/db.h"

void gs_turns_release(struct gs_turns *turns)
{
	GS_VEC_FREE(turns);
	gs_strv_release(&turns->projects);
	*turns = (struct gs_turns){0};
}

void gs_turns_forget(struct gs_turns *turns)
{
	turns->is_valid = false;
}

static bool same_projects(
    const struct gs_turns *turns, const struct gs_strv *projects)
{
	if (!projects || turns->all_projects)
		return !projects && turns->all_projects;
	if (projects->n != turns->projects.n)
		return false;
	for (size_t i = 0; i < projects->n; i++)
		if (!gs_strv_has(&turns->projects, projects->v[i]))
			return false;
	return true;
}

static bool is_of(
    const struct gs_turns *turns, const struct gs_work_filter *filter)
{
	return turns->is_valid && turns->since == filter->since &&
	       turns->until == filter->until && turns->limit == filter->limit &&
	       turns->retry_environment == filter->retry_environment &&
	       same_projects(turns, filter->projects);
}

/* The one after the project that had the last turn begins. */
static void choose_first(struct gs_turns *turns)
{
	turns->at = 0;
	while (
	    turns->at < turns->n && turns->v[turns->at].project <= turns->last)
		turns->at++;
}

static int fill(
    struct gs_store *store, const struct gs_strv *projects, struct gs_err *err)
{
	GS_CLEANUP(gs_map_release) struct gs_map wanted = {0};
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_TURNS, err);
	int rc = 0;

	if (!query)
		return gs_db_fail(store, NULL);
	for (size_t i = 0; projects && i < projects->n; i++)
		(void)gs_map_add(&wanted, gs_str(projects->v[i]), NULL);
	while ((rc = gs_db_next(store, query, err)) > 0) {
		struct gs_str name =
		    gs_str((const char *)sqlite3_column_text(query, 1));
		if (projects && !gs_map_has(&wanted, name))
			continue;
		struct gs_turn *turn = GS_VEC_ADD(&store->turns);
		turn->project = sqlite3_column_int64(query, 0);
		turn->first_parent = sqlite3_column_int(query, 2) != 0;
	}
	return rc;
}

int gs_turns_prepare(struct gs_store *store,
    const struct gs_work_filter *filter, struct gs_err *err)
{
	struct gs_turns *turns = &store->turns;

	if (is_of(turns, filter))
		return 0;
	int64_t last = turns->last;
	gs_turns_release(turns);
	turns->last = last;
	turns->all_projects = !filter->projects;
	if (filter->projects)
		gs_strv_copy(&turns->projects, filter->projects);
	turns->since = filter->since;
	turns->until = filter->until;
	turns->limit = filter->limit;
	turns->retry_environment = filter->retry_environment;
	int rc = fill(store, filter->projects, err);
	choose_first(turns);
	turns->is_valid = rc == 0;
	return rc;
}

int gs_turn_window(
    struct gs_store *store, struct gs_turn *turn, struct gs_err *err)
{
	const struct gs_turns *turns = &store->turns;

	if (turn->has_floor)
		return 0;
	turn->since = turns->since ? turns->since : INT64_MIN;
	turn->has_floor = true;
	if (turns->limit <= 0)
		return 0;
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_FLOOR, err);
	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_int(query, 1, turn->project);
	gs_db_bind_int(query, 2, turn->since);
	gs_db_bind_int(query, 3, turns->until ? turns->until : INT64_MAX);
	gs_db_bind_int(query, 4, turns->limit - 1);
	gs_db_bind_int(query, 5, turn->first_parent);
	int rc = gs_db_next(store, query, err);
	if (rc > 0) {
		turn->since = sqlite3_column_int64(query, 0);
		gs_db_column_oid(query, 1, &turn->floor);
	}
	return rc < 0 ? rc : 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What mining puts in: commits, candidates, licence texts. */
#include <string.h>

#include "base/fault.h"
#include "store/db.h"

static int look_up_reason(
    struct gs_store *store, const char *name, int64_t *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_REASON, err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_text(query, 1, name);
	int rc = gs_db_next(store, query, err);
	if (rc > 0)
		*ret = sqlite3_column_int64(query, 0);
	return rc;
}

static int add_reason(
    struct gs_store *store, const char *name, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_ADD_REASON, err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_text(query, 1, name);
	return gs_db_next(store, query, err);
}

int gs_db_reason(
    struct gs_store *store, const char *name, int64_t *ret, struct gs_err *err)
{
	const int64_t *known = gs_map_get(&store->reasons, gs_str(name));

	if (known) {
		*ret = *known;
		return 0;
	}
	int rc = add_reason(store, name, err);
	if (rc == 0)
		rc = look_up_reason(store, name, ret, err);
	if (rc <= 0)
		return rc < 0 ? rc : gs_db_fail(store, err);
	int64_t *id = gs_arena_alloc(&store->reason_ids, sizeof(*id));
	*id = *ret;
	(void)gs_map_add(&store->reasons, gs_str(name), id);
	return 0;
}

/* Parameters 1 to 7 of both statements. */
static void bind_row(
    sqlite3_stmt *query, const struct gs_commit_row *row, int64_t reason)
{
	gs_db_bind_int(query, 1, row->project);
	gs_db_bind_hex(query, 2, row->id.hex);
	gs_db_bind_hex(query, 3, row->parent.hex);
	gs_db_bind_int(query, 4, row->n_parents);
	if (row->has_date)
		gs_db_bind_int(query, 5, row->committed_at);
	if (row->reason)
		gs_db_bind_int(query, 6, reason);
	gs_db_bind_text(query, 7, row->detail);
}

/* 1 when it is judged otherwise now. A merge that was refused for another
 * reason by a walk that admits merges is one again (W2). */
static int judge_again(struct gs_store *store, const struct gs_commit_row *row,
    int64_t reason, int64_t *ret_id, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_JUDGE_AGAIN, err);

	if (!query)
		return gs_db_fail(store, NULL);
	bind_row(query, row, reason);
	gs_db_bind_int(
	    query, 8, row->reason && strcmp(row->reason, "merge") == 0);
	int rc = gs_db_next(store, query, err);
	if (rc > 0)
		*ret_id = sqlite3_column_int64(query, 0);
	return rc;
}

/* 1 when it was new. */
static int put_walked(struct gs_store *store, const struct gs_commit_row *row,
    int64_t *ret_id, struct gs_err *err)
{
	int64_t reason = 0;
	int rc =
	    row->reason ? gs_db_reason(store, row->reason, &reason, err) : 0;

	if (rc < 0)
		return rc;
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_PUT_COMMIT, err);
	if (!query)
		return gs_db_fail(store, NULL);
	bind_row(query, row, reason);
	rc = gs_db_next(store, query, err);
	*ret_id = sqlite3_last_insert_rowid(store->db);
	if (rc == 0 && sqlite3_changes(store->db) == 0)
		return judge_again(store, row, reason, ret_id, err);
	return rc < 0 ? rc : 1;
}

static int put_candidate(struct gs_store *store,
    const struct gs_commit_row *row, int64_t id, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_PUT_CANDIDATE, err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_int(query, 1, id);
	gs_db_bind_int(query, 2, row->project);
	gs_db_bind_hex(query, 3, row->id.hex);
	gs_db_bind_int(query, 4, row->committed_at);
	gs_db_bind_text(query, 5, row->licence);
	gs_db_bind_text(query, 6, row->licence_file);
	gs_db_bind_text(query, 7, row->licence_texts);
	gs_db_bind_int(query, 8, row->n_parents > 1);
	gs_turns_forget(&store->turns);
	return gs_db_next(store, query, err);
}

int gs_store_put_commit(struct gs_store *store, const struct gs_commit_row *row,
    bool *ret_new, struct gs_err *err)
{
	int64_t id = 0;

	/* W6: without a date there is no candidate. */
	if (!row->reason && !row->has_date)
		return gs_fail(err, GS_E_USAGE,
		    "commit %s has no date and cannot be a candidate",
		    row->id.hex);
	int rc = gs_db_enter(store, err);
	if (rc < 0)
		return rc;
	rc = put_walked(store, row, &id, err);
	bool is_new = rc > 0;
	gs_fault("store.put_commit");
	if (is_new && !row->reason)
		rc = put_candidate(store, row, id, err);
	rc = gs_db_leave(store, rc, err);
	if (rc < 0)
		return rc;
	if (ret_new)
		*ret_new = is_new;
	return 0;
}

int gs_store_put_text(struct gs_store *store, const char *sha256,
    struct gs_str bytes, struct gs_err *err)
{
	int rc = gs_db_enter(store, err);

	if (rc < 0)
		return rc;
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_PUT_TEXT, err);
	if (query) {
		gs_db_bind_hex(query, 1, sha256);
		gs_db_bind_bytes(query, 2, bytes);
	}
	rc = query ? gs_db_next(store, query, err) : gs_db_fail(store, NULL);
	gs_fault("store.put_text");
	return gs_db_leave(store, rc, err);
}

int gs_store_text(struct gs_store *store, const char *sha256,
    struct gs_buf *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_TEXT, err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_hex(query, 1, sha256);
	int rc = gs_db_next(store, query, err);
	if (rc < 0)
		return rc;
	if (rc == 0)
		return gs_fail(err, GS_E_NOT_FOUND,
		    "workspace %s holds no text with SHA-256 %s",
		    store->workspace, sha256);
	gs_buf_adds(ret, gs_db_column_bytes(query, 0));
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Claim, finish, give back: the life of a candidate (docs/state.md). */
#include <string.h>

#include "base/fault.h"
#include "store/db.h"

#define UNSATISFIED "environment unsatisfied"

void gs_work_release(struct gs_work *work)
{
	free(work->project_name);
	free(work->repo_url);
	free(work->mirror);
	free(work->licence);
	free(work->licence_file);
	free(work->licence_texts);
	*work = (struct gs_work){0};
}

struct pick {
	int64_t id, committed_at;
	struct gs_oid oid;
};

static void bind_window(sqlite3_stmt *query, const struct gs_store *store,
    const struct gs_turn *turn, enum gs_state state)
{
	int64_t until = store->turns.until;

	gs_db_bind_int(query, 1, state);
	gs_db_bind_int(query, 2, turn->project);
	gs_db_bind_int(query, 3, turn->since);
	gs_db_bind_int(query, 4, until ? until : INT64_MAX);
	if (turn->floor.hex[0])
		gs_db_bind_hex(query, 5, turn->floor.hex);
	else
		gs_db_bind_bytes(query, 5, GS_STR(""));
	gs_db_bind_int(query, 6, turn->first_parent);
}

/* Replaces *pick by the newest in this state, when that is newer. */
static int pick_newer(struct gs_store *store, const struct gs_turn *turn,
    enum gs_state state, struct pick *pick, struct gs_err *err)
{
	struct gs_oid oid;
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_NEWEST, err);

	if (!query)
		return gs_db_fail(store, NULL);
	bind_window(query, store, turn, state);
	int rc = gs_db_next(store, query, err);
	if (rc <= 0)
		return rc;
	int64_t at = sqlite3_column_int64(query, 1);
	gs_db_column_oid(query, 2, &oid);
	if (pick->id && (at < pick->committed_at ||
	                    (at == pick->committed_at &&
	                        strcmp(oid.hex, pick->oid.hex) < 0)))
		return 0;
	*pick = (struct pick){sqlite3_column_int64(query, 0), at, oid};
	return 0;
}

/* 1 found, 0 this project has nothing left. */
static int pick_of_project(struct gs_store *store, struct gs_turn *turn,
    struct pick *ret, struct gs_err *err)
{
	struct pick pick = {0};
	int rc = gs_turn_window(store, turn, err);

	if (rc == 0)
		rc = pick_newer(store, turn, GS_STATE_PENDING, &pick, err);
	if (rc == 0 && store->turns.retry_environment)
		rc = pick_newer(store, turn, GS_STATE_UNSATISFIED, &pick, err);
	if (rc < 0 || pick.id == 0)
		return rc;
	*ret = pick;
	return 1;
}

/* Goes round once; a project with nothing left leaves the round. */
static int pick_next(
    struct gs_store *store, struct pick *ret, struct gs_err *err)
{
	struct gs_turns *turns = &store->turns;

	while (turns->n > 0) {
		if (turns->at >= turns->n)
			turns->at = 0;
		struct gs_turn *turn = &turns->v[turns->at];
		int rc = pick_of_project(store, turn, ret, err);
		if (rc < 0)
			return rc;
		if (rc > 0) {
			turns->last = turn->project;
			turns->at++;
			return 1;
		}
		memmove(
		    turn, turn + 1, (turns->n - turns->at - 1) * sizeof(*turn));
		turns->n--;
	}
	return 0;
}

static int read_work(struct gs_store *store, int64_t row, struct gs_work *ret,
    struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_WORK, err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_int(query, 1, row);
	int rc = gs_db_next(store, query, err);
	if (rc < 0)
		return rc;
	if (rc == 0)
		return gs_fail(err, GS_E_CORRUPT,
		    "%s: candidate %lld has no commit", store->path,
		    (long long)row);
	*ret = (struct gs_work){
	    .row = row,
	    .project = sqlite3_column_int64(query, 0),
	    .project_name = gs_db_column_dup(query, 1),
	    .repo_url = gs_db_column_dup(query, 2),
	    .mirror = gs_db_column_dup(query, 3),
	    .n_parents = (unsigned)sqlite3_column_int64(query, 6),
	    .committed_at = sqlite3_column_int64(query, 7),
	    .licence = gs_db_column_dup(query, 8),
	    .licence_file = gs_db_column_dup(query, 9),
	    .licence_texts = gs_db_column_dup(query, 10),
	};
	gs_db_column_oid(query, 4, &ret->id);
	gs_db_column_oid(query, 5, &ret->parent);
	return 0;
}

static int mark_claimed(struct gs_store *store, int64_t row, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_CLAIM, err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_int(query, 1, row);
	return gs_db_next(store, query, err);
}

int gs_store_claim(struct gs_store *store, const struct gs_work_filter *filter,
    struct gs_work *ret, struct gs_err *err)
{
	struct gs_work work = {0};
	struct pick pick = {0};
	int rc = gs_db_enter(store, err);

	if (rc < 0)
		return rc;
	rc = gs_turns_prepare(store, filter, err);
	if (rc == 0)
		rc = pick_next(store, &pick, err);
	if (rc > 0) {
		rc = read_work(store, pick.id, &work, err);
		if (rc == 0)
			rc = mark_claimed(store, pick.id, err);
		gs_fault("store.claim");
		rc = rc < 0 ? rc : 1;
	}
	rc = gs_db_leave(store, rc, err);
	if (rc > 0)
		*ret = work;
	else
		gs_work_release(&work);
	return rc;
}

static int count_state(struct gs_store *store, const struct gs_turn *turn,
    enum gs_state state, int64_t *count, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_COUNT_STATE, err);

	if (!query)
		return gs_db_fail(store, NULL);
	bind_window(query, store, turn, state);
	int rc = gs_db_next(store, query, err);
	*count += rc > 0 ? sqlite3_column_int64(query, 0) : 0;
	return rc < 0 ? rc : 0;
}

int gs_store_count_pending(struct gs_store *store,
    const struct gs_work_filter *filter, int64_t *ret, struct gs_err *err)
{
	int64_t count = 0;
	int rc = gs_turns_prepare(store, filter, err);

	for (size_t i = 0; rc == 0 && i < store->turns.n; i++) {
		struct gs_turn *turn = &store->turns.v[i];
		rc = gs_turn_window(store, turn, err);
		if (rc == 0)
			rc = count_state(
			    store, turn, GS_STATE_PENDING, &count, err);
		if (rc == 0 && filter->retry_environment)
			rc = count_state(
			    store, turn, GS_STATE_UNSATISFIED, &count, err);
	}
	if (rc == 0)
		*ret = count;
	return rc;
}

static enum gs_state state_of(const struct gs_verdict *verdict)
{
	if (verdict->is_infra)
		return GS_STATE_ASIDE;
	if (verdict->is_record)
		return GS_STATE_RECORD;
	if (verdict->missing_module ||
	    gs_str_is(gs_str(verdict->reason), UNSATISFIED))
		return GS_STATE_UNSATISFIED_NOW;
	return GS_STATE_REFUSED;
}

/* Only what is claimed can be finished: S3. */
static int set_state(struct gs_store *store, int64_t row, enum gs_state state,
    const struct gs_verdict *verdict, struct gs_err *err)
{
	const char *name =
	    verdict && state != GS_STATE_RECORD ? verdict->reason : NULL;
	int64_t reason = 0;
	int rc = name ? gs_db_reason(store, name, &reason, err) : 0;

	if (rc < 0)
		return rc;
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_FINISH, err);
	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_int(query, 1, row);
	gs_db_bind_int(query, 2, state);
	if (name) {
		gs_db_bind_int(query, 3, reason);
		gs_db_bind_text(query, 4, verdict->detail);
		gs_db_bind_text(query, 5, verdict->missing_module);
	}
	rc = gs_db_next(store, query, err);
	if (rc == 0 && sqlite3_changes(store->db) != 1)
		rc = gs_fail(err, GS_E_USAGE,
		    "%s: candidate %lld is not claimed", store->path,
		    (long long)row);
	return rc;
}

static int pack_columns(const void *row, const struct gs_column *columns,
    size_t n, struct gs_buf *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	struct gs_json json = {.out = &text};

	gs_columns_write(row, columns, n, &json);
	if (text.overflow)
		return gs_fail(
		    err, GS_E_LIMIT, "a record is too large for the store");
	return gs_db_pack(gs_buf_str(&text), ret, err);
}

static int put_record(struct gs_store *store, int64_t row,
    const struct gs_verdict *verdict, struct gs_err *err)
{
	const struct gs_record *record = &verdict->record;
	const struct gs_evidence *evidence = &verdict->evidence;
	GS_CLEANUP(gs_buf_release) struct gs_buf body = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf beside = {0};

	int rc = pack_columns(
	    record, gs_record_columns, gs_n_record_columns, &body, err);
	if (rc == 0)
		rc = pack_columns(evidence, gs_evidence_columns,
		    gs_n_evidence_columns, &beside, err);
	if (rc < 0)
		return rc;
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_PUT_RECORD, err);
	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_int(query, 1, row);
	gs_db_bind_text(query, 2, record->id);
	gs_db_bind_hex(query, 3, record->fingerprint);
	gs_db_bind_text(query, 4, record->granularity);
	gs_db_bind_text(query, 5,
	    evidence->change_kind ? evidence->change_kind : "unclear");
	gs_db_bind_bytes(query, 6, gs_buf_str(&body));
	gs_db_bind_bytes(query, 7, gs_buf_str(&beside));
	return gs_db_next(store, query, err);
}

static int put_runs(
    struct gs_store *store, int64_t row, const char *runs, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf packed = {0};
	int rc = gs_db_pack(gs_str(runs), &packed, err);

	if (rc < 0)
		return rc;
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_PUT_RUNS, err);
	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_int(query, 1, row);
	gs_db_bind_bytes(query, 2, gs_buf_str(&packed));
	return gs_db_next(store, query, err);
}

int gs_store_finish(struct gs_store *store, int64_t row,
    const struct gs_verdict *verdict, struct gs_err *err)
{
	enum gs_state state = state_of(verdict);
	int rc = gs_db_enter(store, err);

	if (rc < 0)
		return rc;
	rc = set_state(store, row, state, verdict, err);
	gs_fault("store.finish.state");
	if (rc == 0 && state == GS_STATE_RECORD)
		rc = put_record(store, row, verdict, err);
	gs_fault("store.finish.record");
	if (rc == 0 && verdict->runs)
		rc = put_runs(store, row, verdict->runs, err);
	gs_fault("store.finish.runs");
	return gs_db_leave(store, rc, err);
}

int gs_store_unclaim(struct gs_store *store, int64_t row, struct gs_err *err)
{
	int rc = gs_db_enter(store, err);

	if (rc < 0)
		return rc;
	rc = set_state(store, row, GS_STATE_PENDING, NULL, err);
	gs_turns_forget(&store->turns);
	gs_fault("store.unclaim");
	return gs_db_leave(store, rc, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/fault.h"
#include "store/db.h"

static int run(
    struct gs_store *store, enum gs_db_query which, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, which, err);

	return query ? gs_db_next(store, query, err) : gs_db_fail(store, NULL);
}

/* SQLite has rolled back by itself after a full disk; then there is nothing
 * left to do. What was remembered of the undone rows goes too. */
static void undo(struct gs_store *store)
{
	if (!sqlite3_get_autocommit(store->db))
		(void)run(store, GS_Q_ROLLBACK, NULL);
	gs_map_release(&store->reasons);
	gs_arena_release(&store->reason_ids);
	gs_turns_forget(&store->turns);
}

static int check_usable(struct gs_store *store, struct gs_err *err)
{
	if (!store->is_open_for_writing)
		return gs_fail(err, GS_E_USAGE, "%s is open for reading only",
		    store->path);
	if (store->is_broken)
		return gs_fail(err, GS_E_USAGE,
		    "%s: an error before this undid the transaction",
		    store->path);
	return 0;
}

static int begin(struct gs_store *store, struct gs_err *err)
{
	int rc = check_usable(store, err);

	return rc < 0 ? rc : run(store, GS_Q_BEGIN, err);
}

static int commit(struct gs_store *store, struct gs_err *err)
{
	gs_fault("store.commit");
	int rc = run(store, GS_Q_COMMIT, err);
	if (rc < 0)
		undo(store);
	gs_fault("store.committed");
	return rc;
}

int gs_store_begin(struct gs_store *store, struct gs_err *err)
{
	if (store->in_transaction)
		return gs_fail(err, GS_E_USAGE,
		    "%s: a transaction is open already", store->path);
	int rc = begin(store, err);
	store->in_transaction = rc == 0;
	return rc;
}

int gs_store_commit(struct gs_store *store, struct gs_err *err)
{
	int rc = check_usable(store, err);

	if (rc == 0 && !store->in_transaction)
		rc = gs_fail(
		    err, GS_E_USAGE, "%s: no transaction is open", store->path);
	if (rc == 0)
		rc = commit(store, err);
	store->in_transaction = store->is_broken = false;
	return rc;
}

void gs_store_rollback(struct gs_store *store)
{
	undo(store);
	store->in_transaction = store->is_broken = false;
}

int gs_db_enter(struct gs_store *store, struct gs_err *err)
{
	return store->in_transaction ? check_usable(store, err)
	                             : begin(store, err);
}

int gs_db_leave(struct gs_store *store, int rc, struct gs_err *err)
{
	if (rc < 0) {
		undo(store);
		store->is_broken = store->in_transaction;
		return rc;
	}
	if (store->in_transaction)
		return rc;
	int committed = commit(store, err);
	return committed < 0 ? committed : rc;
}

int gs_db_enter_read(
    struct gs_store *store, bool *ret_begun, struct gs_err *err)
{
	*ret_begun = false;
	if (!sqlite3_get_autocommit(store->db))
		return 0;
	int rc = run(store, GS_Q_BEGIN_READ, err);
	*ret_begun = rc == 0;
	return rc;
}

void gs_db_leave_read(struct gs_store *store, bool begun)
{
	if (begun)
		(void)run(store, GS_Q_ROLLBACK, NULL);
}

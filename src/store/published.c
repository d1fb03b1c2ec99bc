/* SPDX-License-Identifier: Apache-2.0 */
/* What was published, and what decides who stays together (P4, P5). */
#include "base/fault.h"
#include "store/db.h"
#include "store/query.h"

static int put_one(struct gs_store *store, const char *id, bool is_withheld,
    struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_PUT_PUBLISHED, err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_text(query, 1, id);
	gs_db_bind_int(query, 2, is_withheld);
	return gs_db_next(store, query, err);
}

int gs_store_put_published(struct gs_store *store, const struct gs_strv *ids,
    bool is_withheld, struct gs_err *err)
{
	int rc = gs_db_enter(store, err);

	if (rc < 0)
		return rc;
	for (size_t i = 0; rc == 0 && i < ids->n; i++)
		rc = put_one(store, ids->v[i], is_withheld, err);
	gs_fault("store.put_published");
	return gs_db_leave(store, rc, err);
}

int gs_store_was_published(struct gs_store *store, const char *id,
    bool is_withheld, bool *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_WAS_PUBLISHED, err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_text(query, 1, id);
	gs_db_bind_int(query, 2, is_withheld);
	int rc = gs_db_next(store, query, err);
	if (rc >= 0)
		*ret = rc > 0;
	return rc < 0 ? rc : 0;
}

int gs_store_each_fingerprint(
    struct gs_store *store, gs_fingerprint_fn fn, void *ctx, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_FINGERPRINTS, err);
	int rc = 0;

	if (!query)
		return gs_db_fail(store, NULL);
	while ((rc = gs_db_next(store, query, err)) > 0) {
		rc = fn(ctx, (const char *)sqlite3_column_text(query, 0),
		    (const char *)sqlite3_column_text(query, 1), err);
		if (rc != 0)
			break;
	}
	return rc;
}

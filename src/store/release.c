/* SPDX-License-Identifier: Apache-2.0 */
/* The records that a release holds, and those that it no longer does. */
#include "store/db.h"
#include "store/query.h"

struct rows {
	int64_t *v;
	size_t n, cap;
};

static void release_rows(struct rows *rows)
{
	GS_VEC_FREE(rows);
}

static bool is_wanted(
    sqlite3_stmt *query, const struct gs_release_filter *filter)
{
	const char *kind = (const char *)sqlite3_column_text(query, 1);
	const char *repo = (const char *)sqlite3_column_text(query, 2);

	return (!filter->kinds || gs_strv_has(filter->kinds, kind)) &&
	       (!filter->projects || gs_strv_has(filter->projects, repo));
}

/* Only the row numbers are sorted; texts are read one record at a time. */
static int list(struct gs_store *store, const struct gs_release_filter *filter,
    struct rows *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_RELEASE, err);
	int rc = 0;

	if (!query)
		return gs_db_fail(store, NULL);
	while ((rc = gs_db_next(store, query, err)) > 0)
		if (is_wanted(query, filter))
			*GS_VEC_ADD(ret) = sqlite3_column_int64(query, 0);
	return rc;
}

static int parse(sqlite3_stmt *query, int at, void *row,
    const struct gs_column *columns, size_t n, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	GS_CLEANUP(gs_json_free) json_t *json = NULL;
	int rc = gs_db_unpack(gs_db_column_bytes(query, at), &text, err);

	if (rc < 0)
		return rc;
	json = gs_json_parse(gs_buf_str(&text), "a record in the store", err);
	return json ? gs_columns_parse(json, row, columns, n, err)
	            : GS_E_CORRUPT;
}

static int read_one(struct gs_store *store, int64_t row,
    struct gs_record *record, struct gs_evidence *evidence, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_RECORD, err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_int(query, 1, row);
	int rc = gs_db_next(store, query, err);
	if (rc <= 0)
		return rc < 0 ? rc : gs_db_fail(store, err);
	rc = parse(
	    query, 1, record, gs_record_columns, gs_n_record_columns, err);
	if (rc == 0)
		rc = parse(query, 2, evidence, gs_evidence_columns,
		    gs_n_evidence_columns, err);
	return rc;
}

static int give(struct gs_store *store, int64_t row, gs_record_fn fn, void *ctx,
    struct gs_err *err)
{
	GS_CLEANUP(gs_record_release) struct gs_record record = {0};
	GS_CLEANUP(gs_evidence_release) struct gs_evidence evidence = {0};
	int rc = read_one(store, row, &record, &evidence, err);

	return rc < 0 ? rc : fn(ctx, &record, &evidence, err);
}

int gs_store_each_record(struct gs_store *store,
    const struct gs_release_filter *filter, gs_record_fn fn, void *ctx,
    struct gs_err *err)
{
	GS_CLEANUP(release_rows) struct rows rows = {0};
	bool begun = false;
	int rc = gs_db_enter_read(store, &begun, err);

	if (rc == 0)
		rc = list(store, filter, &rows, err);
	for (size_t i = 0; rc == 0 && i < rows.n; i++)
		rc = give(store, rows.v[i], fn, ctx, err);
	gs_db_leave_read(store, begun);
	return rc;
}

int gs_store_count_records(struct gs_store *store,
    const struct gs_release_filter *filter, int64_t *ret, struct gs_err *err)
{
	GS_CLEANUP(release_rows) struct rows rows = {0};
	int rc = list(store, filter, &rows, err);

	if (rc == 0)
		*ret = (int64_t)rows.n;
	return rc;
}

int gs_store_each_withdrawn(
    struct gs_store *store, gs_withdrawn_fn fn, void *ctx, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_WITHDRAWN, err);
	int rc = 0;

	if (!query)
		return gs_db_fail(store, NULL);
	while ((rc = gs_db_next(store, query, err)) > 0) {
		rc = fn(ctx, (const char *)sqlite3_column_text(query, 0),
		    (const char *)sqlite3_column_text(query, 1),
		    (const char *)sqlite3_column_text(query, 2),
		    (const char *)sqlite3_column_text(query, 3), err);
		if (rc != 0)
			break;
	}
	return rc;
}

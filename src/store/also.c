/* SPDX-License-Identifier: Apache-2.0 */
/* I4: which projects hold a text at a tip. */
#include "store/also.h"

#include <string.h>

#include "base/fault.h"
#include "base/hash.h"
#include "store/db.h"

#define TIP_HASH_SIZE 16

static void bind_tip_hash(sqlite3_stmt *query, int at, const char *hex)
{
	char head[2 * TIP_HASH_SIZE + 1] = {0};

	if (hex && strlen(hex) >= sizeof(head) - 1)
		memcpy(head, hex, sizeof(head) - 1);
	gs_db_bind_hex(query, at, head);
}

static int put_blob(struct gs_store *store, int64_t project,
    const struct gs_oid *blob, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_PUT_TIP_BLOB, err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_int(query, 1, project);
	gs_db_bind_hex(query, 2, blob->hex);
	return gs_db_next(store, query, err);
}

static int put_hash(struct gs_store *store, int64_t project, const char *hash,
    struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_PUT_TIP_TEXT, err);

	if (!query)
		return gs_db_fail(store, NULL);
	bind_tip_hash(query, 1, hash);
	gs_db_bind_int(query, 2, project);
	return gs_db_next(store, query, err);
}

int gs_store_put_tip_blob(struct gs_store *store, int64_t project,
    const struct gs_oid *blob, const struct gs_strv *text_hashes,
    struct gs_err *err)
{
	int rc = gs_db_enter(store, err);

	if (rc < 0)
		return rc;
	rc = put_blob(store, project, blob, err);
	gs_fault("store.put_tip_blob");
	for (size_t i = 0; rc == 0 && i < text_hashes->n; i++)
		rc = put_hash(store, project, text_hashes->v[i], err);
	return gs_db_leave(store, rc, err);
}

int gs_store_has_tip_blob(struct gs_store *store, int64_t project,
    const struct gs_oid *blob, bool *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_HAS_TIP_BLOB, err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_int(query, 1, project);
	gs_db_bind_hex(query, 2, blob->hex);
	int rc = gs_db_next(store, query, err);
	if (rc >= 0)
		*ret = rc > 0;
	return rc < 0 ? rc : 0;
}

int gs_store_also_in(struct gs_store *store, const char *repo,
    const char *fingerprint, const char *after_text_hash, struct gs_strv *ret,
    struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_ALSO_IN, err);
	int rc = 0;

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_text(query, 1, repo);
	gs_db_bind_hex(query, 2, fingerprint);
	bind_tip_hash(query, 3, after_text_hash);
	while ((rc = gs_db_next(store, query, err)) > 0)
		gs_strv_push(ret, (const char *)sqlite3_column_text(query, 0));
	return rc;
}

int gs_store_is_surveyed(
    struct gs_store *store, int64_t project, bool *ret, struct gs_err *err)
{
	return gs_db_has_row(store, GS_Q_IS_SURVEYED, project, ret, err);
}

int gs_store_set_surveyed(
    struct gs_store *store, int64_t project, struct gs_err *err)
{
	int rc = gs_db_enter(store, err);

	if (rc < 0)
		return rc;
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_SET_SURVEYED, err);
	if (query)
		gs_db_bind_int(query, 1, project);
	rc = query ? gs_db_next(store, query, err) : gs_db_fail(store, NULL);
	gs_fault("store.set_surveyed");
	return gs_db_leave(store, rc, err);
}

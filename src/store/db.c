/* SPDX-License-Identifier: Apache-2.0 */
#include "store/db.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/hash.h"

extern const char gs_text_queries_sql[];

static const char *const query_names[] = {
#define QUERY_NAME(id, name) [GS_Q_##id] = (name),
    GS_QUERIES(QUERY_NAME)
#undef QUERY_NAME
};

/* SQLite reports a full disk as its own code only where write() said so. */
static bool is_disk_full(sqlite3 *db, int code)
{
	int error = sqlite3_system_errno(db);

	return code == SQLITE_FULL ||
	       (code == SQLITE_IOERR && (error == ENOSPC || error == EDQUOT));
}

int gs_db_fail(struct gs_store *store, struct gs_err *err)
{
	int code = sqlite3_errcode(store->db) & 0xff;
	const char *why = sqlite3_errmsg(store->db);

	if (is_disk_full(store->db, code))
		return gs_fail(err, GS_E_SYSTEM,
		    "%s cannot grow, the disk is full: make room and run the "
		    "same command again; everything finished is kept",
		    store->path);
	if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
		return gs_fail(err, GS_E_CORRUPT,
		    "%s is damaged (%s) and is left as it is: put a copy of it "
		    "back, or move it away and mine again",
		    store->path, why);
	if (code == SQLITE_BUSY || code == SQLITE_LOCKED)
		return gs_fail(err, GS_E_BUSY,
		    "%s is being written by another process: try again later",
		    store->path);
	if (code == SQLITE_CONSTRAINT)
		return gs_fail(err, GS_E_USAGE, "%s does not take this row: %s",
		    store->path, why);
	int error = sqlite3_system_errno(store->db);
	return gs_fail(err, GS_E_SYSTEM, "read or write %s: %s%s%s",
	    store->path, why, error ? ": " : "",
	    error ? strerrordesc_np(error) : "");
}

struct gs_str gs_db_named(const char *texts, const char *name)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf marker = {0};
	struct gs_str all = gs_str(texts);

	gs_buf_addf(&marker, "\n-- :%s\n", name);
	ptrdiff_t at = gs_str_find(all, gs_buf_str(&marker));
	assert(at >= 0);
	all = gs_str_from(all, (size_t)at + marker.n);
	at = gs_str_find(all, GS_STR("\n-- :"));
	return at < 0 ? all : gs_str_sub(all, 0, (size_t)at);
}

sqlite3_stmt *gs_db_query(
    struct gs_store *store, enum gs_db_query which, struct gs_err *err)
{
	sqlite3_stmt **query = &store->queries[which];

	if (*query)
		return *query;
	struct gs_str text =
	    gs_db_named(gs_text_queries_sql, query_names[which]);
	if (sqlite3_prepare_v3(store->db, text.p, (int)text.n,
	        SQLITE_PREPARE_PERSISTENT, query, NULL) != SQLITE_OK) {
		(void)gs_db_fail(store, err);
		return NULL;
	}
	return *query;
}

void gs_db_end(sqlite3_stmt **query)
{
	if (!*query)
		return;
	(void)sqlite3_reset(*query);
	(void)sqlite3_clear_bindings(*query);
}

int gs_db_next(struct gs_store *store, sqlite3_stmt *query, struct gs_err *err)
{
	int rc = sqlite3_step(query);

	if (rc == SQLITE_ROW)
		return 1;
	if (rc == SQLITE_DONE)
		return 0;
	return gs_db_fail(store, err);
}

int gs_db_has_row(struct gs_store *store, enum gs_db_query which,
    int64_t number, bool *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, which, err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_int(query, 1, number);
	int rc = gs_db_next(store, query, err);
	if (rc >= 0)
		*ret = rc > 0;
	return rc < 0 ? rc : 0;
}

void gs_db_bind_int(sqlite3_stmt *query, int at, int64_t value)
{
	(void)sqlite3_bind_int64(query, at, value);
}

void gs_db_bind_text(sqlite3_stmt *query, int at, const char *text)
{
	(void)sqlite3_bind_text(query, at, text, -1, SQLITE_STATIC);
}

void gs_db_bind_bytes(sqlite3_stmt *query, int at, struct gs_str bytes)
{
	/* A NULL pointer would be SQL's NULL. */
	(void)sqlite3_bind_blob64(
	    query, at, bytes.n ? bytes.p : "", bytes.n, SQLITE_STATIC);
}

void gs_db_bind_hex(sqlite3_stmt *query, int at, const char *hex)
{
	unsigned char bytes[GS_SHA256_SIZE];
	size_t n = hex ? strlen(hex) / 2 : 0;

	if (n > 0 && n <= sizeof(bytes) && gs_unhex(gs_str(hex), bytes, n))
		(void)sqlite3_bind_blob(
		    query, at, bytes, (int)n, SQLITE_TRANSIENT);
	else
		(void)sqlite3_bind_null(query, at);
}

char *gs_db_column_dup(sqlite3_stmt *query, int at)
{
	const unsigned char *text = sqlite3_column_text(query, at);

	return text ? gs_strdup((const char *)text) : NULL;
}

struct gs_str gs_db_column_bytes(sqlite3_stmt *query, int at)
{
	const char *p = sqlite3_column_blob(query, at);

	return gs_str_n(p, (size_t)sqlite3_column_bytes(query, at));
}

void gs_db_column_oid(sqlite3_stmt *query, int at, struct gs_oid *ret)
{
	struct gs_str bytes = gs_db_column_bytes(query, at);

	ret->hex[0] = '\0';
	if (bytes.n > 0 && bytes.n <= GS_SHA256_SIZE)
		gs_hex((const unsigned char *)bytes.p, bytes.n, ret->hex);
}

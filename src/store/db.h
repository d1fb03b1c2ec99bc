/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One connection to SQLite: the statements of queries.sql, transactions, and
 * errors as sentences. For this module only.
 *
 *	GS_CLEANUP(gs_db_end) sqlite3_stmt *query =
 *	    gs_db_query(store, GS_Q_TEXT, err); // NULL: an error
 *	gs_db_bind_text(query, 1, name);
 *	while ((rc = gs_db_next(store, query, err)) > 0)
 *		…
 *
 * What is bound is borrowed until gs_db_end.
 */
#ifndef STORE_DB_H
#define STORE_DB_H

#include <sqlite3.h>

#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "store/queries.h"
#include "store/state.h"
#include "store/store.h"
#include "store/turns.h"

struct gs_store {
	sqlite3 *db;
	char *workspace, *path;
	int lock; /* -1 for readers */
	bool is_open_for_writing;
	bool is_immutable;   /* read without locks: nobody can write it */
	bool in_transaction; /* of gs_store_begin */
	bool is_broken;      /* that one was rolled back by an error */
	sqlite3_stmt *queries[GS_N_QUERIES];
	struct gs_map reasons;      /* name → its id, in */
	struct gs_arena reason_ids; /* here */
	struct gs_turns turns;
};

/* Sets `err` from the last failure of the connection. */
int gs_db_fail(struct gs_store *store, struct gs_err *err);

/* What may be attached of `reader`, to be read only. The caller frees. */
char *gs_db_uri(const struct gs_store *reader);

/* NULL with `err` set when it cannot be prepared. */
sqlite3_stmt *gs_db_query(
    struct gs_store *store, enum gs_db_query which, struct gs_err *err);
void gs_db_end(sqlite3_stmt **query);
/* The statement between "-- :name" and the next marker in `texts`. */
struct gs_str gs_db_named(const char *texts, const char *name);
/* 1 row, 0 end, negative error. */
GS_MUST_CHECK int gs_db_next(
    struct gs_store *store, sqlite3_stmt *query, struct gs_err *err);

/* Does the query, which takes one number, have a row? */
GS_MUST_CHECK int gs_db_has_row(struct gs_store *store, enum gs_db_query which,
    int64_t number, bool *ret, struct gs_err *err);

void gs_db_bind_int(sqlite3_stmt *query, int at, int64_t value);
void gs_db_bind_text(
    sqlite3_stmt *query, int at, const char *text); /* or NULL */
void gs_db_bind_bytes(sqlite3_stmt *query, int at, struct gs_str bytes);
/* Hex as bytes; NULL in SQL for none or what is not hex. */
void gs_db_bind_hex(sqlite3_stmt *query, int at, const char *hex);
char *gs_db_column_dup(sqlite3_stmt *query, int at); /* NULL for NULL */
struct gs_str gs_db_column_bytes(sqlite3_stmt *query, int at);
void gs_db_column_oid(sqlite3_stmt *query, int at, struct gs_oid *ret);

/* A piece of writing: joins the transaction that is open, else is one by
 * itself. gs_db_leave takes the piece's result and gives the final one; an
 * error undoes everything (S6). */
GS_MUST_CHECK int gs_db_enter(struct gs_store *store, struct gs_err *err);
GS_MUST_CHECK int gs_db_leave(
    struct gs_store *store, int rc, struct gs_err *err);
/* Several questions about one moment. */
GS_MUST_CHECK int gs_db_enter_read(
    struct gs_store *store, bool *ret_begun, struct gs_err *err);
void gs_db_leave_read(struct gs_store *store, bool begun);

/* The id of a reason, made where it is new. */
GS_MUST_CHECK int gs_db_reason(
    struct gs_store *store, const char *name, int64_t *ret, struct gs_err *err);

/* zstd there and back; what does not unpack is GS_E_CORRUPT. */
GS_MUST_CHECK int gs_db_pack(
    struct gs_str bytes, struct gs_buf *ret, struct gs_err *err);
GS_MUST_CHECK int gs_db_unpack(
    struct gs_str packed, struct gs_buf *ret, struct gs_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/mem.h"
#include "os/fd.h"
#include "table/duck.h"

static bool type_fits(const struct duck *duck, duckdb_logical_type type,
    enum gs_column_type wanted)
{
	duckdb_type id = duck->get_type_id(type);
	switch (wanted) {
	case GS_COLUMN_TEXT:
		return id == DUCKDB_TYPE_VARCHAR;
	case GS_COLUMN_INT:
		return id == DUCKDB_TYPE_BIGINT;
	case GS_COLUMN_BOOL:
		return id == DUCKDB_TYPE_BOOLEAN;
	case GS_COLUMN_LIST:
		break;
	}
	if (id != DUCKDB_TYPE_LIST)
		return false;
	duckdb_logical_type child = duck->list_type_child_type(type);
	bool fits = duck->get_type_id(child) == DUCKDB_TYPE_VARCHAR;
	duck->destroy_logical_type(&child);
	return fits;
}

static const char *type_name(enum gs_column_type type)
{
	switch (type) {
	case GS_COLUMN_TEXT:
		return "text";
	case GS_COLUMN_LIST:
		return "a list of text";
	case GS_COLUMN_INT:
		return "a 64-bit integer";
	case GS_COLUMN_BOOL:
		return "a truth value";
	}
	return "?";
}

/* A statement over the file behind `fd`; the caller destroys it. */
static int prepare(struct duck_session *session, const char *sql,
    duckdb_prepared_statement *ret, struct gs_err *err)
{
	const struct duck *duck = session->duck;
	if (duck->prepare(session->connection, sql, ret) == DuckDBSuccess)
		return 0;
	int rc = duck_fail(err, GS_E_CORRUPT, duck->prepare_error(*ret));
	duck->destroy_prepare(ret);
	return rc;
}

static int check_columns(const struct duck *duck,
    duckdb_prepared_statement statement, const struct gs_column *columns,
    size_t n, struct gs_err *err)
{
	size_t found = duck->prepared_statement_column_count(statement);
	for (size_t i = 0; i < n && i < found; i++) {
		GS_CLEANUP(gs_freep)
		char *name = duck_column_name(duck, statement, i);
		if (strcmp(name, columns[i].name) != 0)
			return gs_fail(err, GS_E_CORRUPT,
			    "column %zu is \"%s\", not \"%s\"", i + 1, name,
			    columns[i].name);
		duckdb_logical_type type =
		    duck->prepared_statement_column_logical_type(statement, i);
		bool fits = type_fits(duck, type, columns[i].type);
		duck->destroy_logical_type(&type);
		if (!fits)
			return gs_fail(err, GS_E_CORRUPT, "column %s is not %s",
			    columns[i].name, type_name(columns[i].type));
	}
	if (found != n)
		return gs_fail(
		    err, GS_E_CORRUPT, "it has %zu columns, not %zu", found, n);
	return 0;
}

int gs_table_check_schema(struct gs_table *table, const char *parquet,
    const struct gs_column *columns, size_t n, struct gs_err *err)
{
	GS_CLEANUP(gs_closep) int fd = -1;
	int rc = duck_open_parquet(parquet, &fd, err);
	if (rc)
		return rc;
	char path[DUCK_FD_PATH_SIZE];
	duck_fd_path(fd, path);
	GS_CLEANUP(gs_freep)
	char *sql = gs_format("SELECT * FROM read_parquet('%s')", path);
	duckdb_prepared_statement statement;
	rc = prepare(&table->session, sql, &statement, err);
	if (rc == 0) {
		rc = check_columns(&table->duck, statement, columns, n, err);
		table->duck.destroy_prepare(&statement);
	}
	return rc ? gs_wrap(
	                err, "%s does not hold what a release holds", parquet)
	          : 0;
}

static int take_info(const struct duck *duck, struct duck_session *session,
    duckdb_prepared_statement statement, struct gs_table_info *ret,
    struct gs_err *err)
{
	duckdb_result result;
	int rc = duck_stream(session, statement, GS_E_CORRUPT, &result, err);
	if (rc)
		return rc;
	duckdb_data_chunk chunk = NULL;
	rc = duck_next(session, &result, GS_E_CORRUPT, &chunk, err);
	if (rc > 0) {
		int64_t *values[2];
		for (idx_t i = 0; i < 2; i++)
			values[i] = duck->vector_get_data(
			    duck->data_chunk_get_vector(chunk, i));
		*ret = (struct gs_table_info){
		    .rows = values[0][0], .row_groups = values[1][0]};
		duck->destroy_data_chunk(&chunk);
	}
	duck->destroy_result(&result);
	return rc < 0 ? rc : 0;
}

int gs_table_inspect(struct gs_table *table, const char *parquet,
    struct gs_table_info *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_closep) int fd = -1;
	int rc = duck_open_parquet(parquet, &fd, err);
	if (rc)
		return rc;
	char path[DUCK_FD_PATH_SIZE];
	duck_fd_path(fd, path);
	GS_CLEANUP(gs_freep)
	char *sql = gs_format("SELECT num_rows, num_row_groups FROM "
	                      "parquet_file_metadata('%s')",
	    path);
	duckdb_prepared_statement statement;
	rc = prepare(&table->session, sql, &statement, err);
	if (rc == 0) {
		rc = take_info(
		    &table->duck, &table->session, statement, ret, err);
		table->duck.destroy_prepare(&statement);
	}
	return rc ? gs_wrap(err, "%s does not read", parquet) : 0;
}

struct cursor {
	const struct duck *duck;
	const struct gs_column *columns;
	size_t n;
	duckdb_data_chunk chunk;
	idx_t row;
};

static char *text_at(const struct duck *duck, duckdb_vector vector, idx_t row)
{
	duckdb_string_t *string =
	    &((duckdb_string_t *)duck->vector_get_data(vector))[row];
	return gs_strndup(
	    duck->string_t_data(string), duck->string_t_length(*string));
}

static bool is_null(const struct duck *duck, duckdb_vector vector, idx_t row)
{
	uint64_t *validity = duck->vector_get_validity(vector);
	return validity && !duck->validity_row_is_valid(validity, row);
}

/* Text is a C string for the rest of us: a NUL in it would cut it. */
static bool holds_nul(const struct duck *duck, duckdb_vector vector, idx_t row)
{
	duckdb_string_t *string =
	    &((duckdb_string_t *)duck->vector_get_data(vector))[row];
	return memchr(duck->string_t_data(string), 0,
	           duck->string_t_length(*string)) != NULL;
}

static int read_list(const struct duck *duck, duckdb_vector vector, idx_t row,
    struct gs_strv *ret, struct gs_err *err)
{
	duckdb_list_entry entry =
	    ((duckdb_list_entry *)duck->vector_get_data(vector))[row];
	duckdb_vector child = duck->list_vector_get_child(vector);
	for (uint64_t i = 0; i < entry.length; i++) {
		idx_t at = entry.offset + i;
		if (is_null(duck, child, at) || holds_nul(duck, child, at))
			return gs_fail(
			    err, GS_E_CORRUPT, "holds null or a NUL");
		GS_CLEANUP(gs_freep) char *text = text_at(duck, child, at);
		gs_strv_push(ret, text);
	}
	return 0;
}

static int read_value(const struct cursor *cursor, duckdb_vector vector,
    const struct gs_column *column, void *row, struct gs_err *err)
{
	const struct duck *duck = cursor->duck;
	void *member = (char *)row + column->offset;
	if (is_null(duck, vector, cursor->row))
		return gs_fail(err, GS_E_CORRUPT, "holds null");
	switch (column->type) {
	case GS_COLUMN_TEXT:
		if (holds_nul(duck, vector, cursor->row))
			return gs_fail(err, GS_E_CORRUPT, "holds a NUL");
		*(char **)member = text_at(duck, vector, cursor->row);
		return 0;
	case GS_COLUMN_LIST:
		return read_list(duck, vector, cursor->row, member, err);
	case GS_COLUMN_INT:
		*(int64_t *)member =
		    ((int64_t *)duck->vector_get_data(vector))[cursor->row];
		return 0;
	case GS_COLUMN_BOOL:
		*(bool *)member =
		    ((bool *)duck->vector_get_data(vector))[cursor->row];
		return 0;
	}
	return 0;
}

static int read_row(const struct cursor *cursor, void *row, struct gs_err *err)
{
	for (size_t i = 0; i < cursor->n; i++) {
		int rc = read_value(cursor,
		    cursor->duck->data_chunk_get_vector(cursor->chunk, i),
		    &cursor->columns[i], row, err);
		if (rc)
			return gs_wrap(
			    err, "column %s", cursor->columns[i].name);
	}
	return 0;
}

/* What the two readers differ in. */
struct row_kind {
	const struct gs_column *columns;
	size_t n, size;
	void (*release)(void *row);
	int (*give)(const void *fn, void *ctx, void *row, struct gs_err *err);
	const void *fn;
	void *ctx;
	const char *parquet;
};

/* Only what the file is to blame for names it; errors of the callback pass. */
static int blame(const struct row_kind *kind, struct gs_err *err)
{
	return gs_wrap(err, "%s does not read", kind->parquet);
}

static int give_chunk(const struct row_kind *kind, struct cursor *cursor,
    void *row, struct gs_err *err)
{
	idx_t n = cursor->duck->data_chunk_get_size(cursor->chunk);
	int rc = 0;
	for (cursor->row = 0; rc == 0 && cursor->row < n; cursor->row++) {
		memset(row, 0, kind->size);
		if (read_row(cursor, row, err) == 0)
			rc = kind->give(kind->fn, kind->ctx, row, err);
		else
			rc = blame(kind, err);
		kind->release(row);
	}
	return rc;
}

static int give_all(const struct row_kind *kind, struct duck_session *session,
    duckdb_prepared_statement statement, struct gs_err *err)
{
	const struct duck *duck = session->duck;
	duckdb_result result;
	int rc = duck_stream(session, statement, GS_E_CORRUPT, &result, err);
	if (rc)
		return blame(kind, err);
	GS_CLEANUP(gs_freep) void *row = gs_alloc(kind->size);
	struct cursor cursor = {
	    .duck = duck, .columns = kind->columns, .n = kind->n};
	int given = 0;
	while (given == 0 && (rc = duck_next(session, &result, GS_E_CORRUPT,
	                          &cursor.chunk, err)) > 0) {
		given = give_chunk(kind, &cursor, row, err);
		duck->destroy_data_chunk(&cursor.chunk);
	}
	duck->destroy_result(&result);
	return given ? given : rc < 0 ? blame(kind, err) : 0;
}

static void select_from(
    struct gs_buf *sql, const struct row_kind *kind, int fd, const char *where)
{
	char path[DUCK_FD_PATH_SIZE];
	duck_fd_path(fd, path);
	gs_buf_addz(sql, "SELECT ");
	for (size_t i = 0; i < kind->n; i++)
		gs_buf_addf(
		    sql, "%s\"%s\"", i ? ", " : "", kind->columns[i].name);
	gs_buf_addf(sql, " FROM read_parquet('%s')", path);
	if (where)
		gs_buf_addf(sql, " WHERE %s", where);
}

static int each(struct gs_table *table, const char *parquet, const char *where,
    const char *argument, const struct row_kind *kind, struct gs_err *err)
{
	GS_CLEANUP(gs_closep) int fd = -1;
	int rc = duck_open_parquet(parquet, &fd, err);
	if (rc)
		return rc;
	GS_CLEANUP(gs_buf_release) struct gs_buf sql = {0};
	select_from(&sql, kind, fd, where);
	const struct duck *duck = &table->duck;
	duckdb_prepared_statement statement;
	rc = prepare(&table->session, gs_buf_cstr(&sql), &statement, err);
	if (rc)
		return blame(kind, err);
	rc = check_columns(duck, statement, kind->columns, kind->n, err);
	if (rc)
		rc = blame(kind, err);
	else if (argument &&
	         duck->bind_varchar(statement, 1, argument) != DuckDBSuccess)
		rc = gs_fail(err, GS_E_USAGE,
		    "the condition \"%s\" takes no argument",
		    where ? where : "");
	if (rc == 0)
		rc = give_all(kind, &table->session, statement, err);
	duck->destroy_prepare(&statement);
	return rc;
}

/* A function pointer cannot pass as void *; its address can. */
typedef int (*record_fn)(void *, struct gs_record *, struct gs_err *);
typedef int (*evidence_fn)(void *, struct gs_evidence *, struct gs_err *);

static int give_record(const void *fn, void *ctx, void *row, struct gs_err *err)
{
	return (*(const record_fn *)fn)(ctx, row, err);
}

static int give_evidence(
    const void *fn, void *ctx, void *row, struct gs_err *err)
{
	return (*(const evidence_fn *)fn)(ctx, row, err);
}

static void release_record(void *row)
{
	gs_record_release(row);
}

static void release_evidence(void *row)
{
	gs_evidence_release(row);
}

/* Seven, since a query and its argument belong side by side.
 * NOLINTNEXTLINE(readability-function-size) */
int gs_table_each_record(struct gs_table *table, const char *parquet,
    const char *where, const char *argument, record_fn fn, void *ctx,
    struct gs_err *err)
{
	const struct row_kind kind = {.columns = gs_record_columns,
	    .n = gs_n_record_columns,
	    .size = sizeof(struct gs_record),
	    .release = release_record,
	    .give = give_record,
	    .fn = &fn,
	    .ctx = ctx,
	    .parquet = parquet};
	return each(table, parquet, where, argument, &kind, err);
}

/* Seven, since a query and its argument belong side by side.
 * NOLINTNEXTLINE(readability-function-size) */
int gs_table_each_evidence(struct gs_table *table, const char *parquet,
    const char *where, const char *argument, evidence_fn fn, void *ctx,
    struct gs_err *err)
{
	const struct row_kind kind = {.columns = gs_evidence_columns,
	    .n = gs_n_evidence_columns,
	    .size = sizeof(struct gs_evidence),
	    .release = release_evidence,
	    .give = give_evidence,
	    .fn = &fn,
	    .ctx = ctx,
	    .parquet = parquet};
	return each(table, parquet, where, argument, &kind, err);
}

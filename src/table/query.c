/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A stranger's SQL over a release. It runs in a database of its own, whose
 * only openable files are the two of the release, whose settings are locked
 * and of which only SELECT is taken: opening a file for writing is DuckDB's
 * COPY, which is another kind of statement.
 */
#include <string.h>

#include "base/mem.h"
#include "os/fd.h"
#include "os/file.h"
#include "table/duck.h"
#include "table/grid.h"

#define MAX_COLUMNS 1000
#define MAX_MEMORY "2GB"

static const char *const views[] = {"oracles", "evidence"};

#define N_VIEWS GS_COUNT(views)

/* DuckDB's first line, with the name that people know. */
static int unreadable(const char *path, const char *fd_path, struct gs_err *err)
{
	struct gs_str words = gs_str(err ? err->text : ""), line;
	GS_CLEANUP(gs_buf_release) struct gs_buf told = {0};
	ptrdiff_t at;

	(void)gs_str_cut(&words, '\n', &line);
	while ((at = gs_str_find(line, gs_str(fd_path))) >= 0) {
		gs_buf_adds(&told, gs_str_sub(line, 0, (size_t)at));
		gs_buf_addz(&told, path);
		line = gs_str_from(line, (size_t)at + strlen(fd_path));
	}
	gs_buf_adds(&told, line);
	return gs_fail(err, GS_E_CORRUPT, "%s does not read: %s", path,
	    gs_buf_cstr(&told));
}

static int open_views(const char *release, int fds[N_VIEWS],
    struct duck_session *session, struct gs_err *err)
{
	for (size_t i = 0; i < N_VIEWS; i++) {
		GS_CLEANUP(gs_freep)
		char *path = gs_format("%s/%s.parquet", release, views[i]);
		int rc = duck_open_parquet(path, &fds[i], err);
		if (rc == GS_E_NOT_FOUND)
			return gs_fail(err, rc,
			    "%s is not a release: it has no %s.parquet",
			    release, views[i]);
		if (rc)
			return rc;
		char fd_path[DUCK_FD_PATH_SIZE];
		duck_fd_path(fds[i], fd_path);
		GS_CLEANUP(gs_freep)
		char *sql = gs_format("CREATE VIEW %s AS SELECT * FROM "
		                      "read_parquet('%s')",
		    views[i], fd_path);
		rc = duck_run(session, sql, err);
		if (rc) {
			(void)unreadable(path, fd_path, err);
			return GS_E_CORRUPT;
		}
	}
	return 0;
}

static int lock_down(
    const int fds[N_VIEWS], struct duck_session *session, struct gs_err *err)
{
	char paths[N_VIEWS][DUCK_FD_PATH_SIZE];
	for (size_t i = 0; i < N_VIEWS; i++)
		duck_fd_path(fds[i], paths[i]);
	GS_CLEANUP(gs_freep)
	char *allow =
	    gs_format("SET allowed_paths = ['%s', '%s']", paths[0], paths[1]);
	int rc = duck_run(session, allow, err);
	if (rc == 0)
		rc = duck_run(
		    session, "SET memory_limit = '" MAX_MEMORY "'", err);
	if (rc == 0)
		rc = duck_run(
		    session, "SET enable_external_access = false", err);
	if (rc == 0)
		rc = duck_run(session, "SET lock_configuration = true", err);
	return rc;
}

/* One statement, and one that only reads. Its prepared form names the
 * columns; the caller destroys it. */
static int prepare(struct duck_session *session, const char *sql,
    duckdb_prepared_statement *ret, struct gs_err *err)
{
	const struct duck *duck = session->duck;
	duckdb_extracted_statements all = NULL;
	idx_t n = duck->extract_statements(session->connection, sql, &all);
	duckdb_prepared_statement statement = NULL;
	const char *words = n == 0 ? duck->extract_statements_error(all) : NULL;
	int rc = 0;
	if (words && *words)
		rc = duck_fail(err, GS_E_USAGE, words);
	else if (n != 1)
		rc = gs_fail(err, GS_E_USAGE,
		    "a query is one SQL statement, not %llu (PIVOT counts as "
		    "several: name its columns with IN, or group)",
		    (unsigned long long)n);
	else if (duck->prepare_extracted_statement(
	             session->connection, all, 0, &statement) != DuckDBSuccess)
		rc = duck_fail(err, GS_E_USAGE, duck->prepare_error(statement));
	else if (duck->prepared_statement_type(statement) !=
	         DUCKDB_STATEMENT_TYPE_SELECT)
		rc = gs_fail(err, GS_E_USAGE,
		    "a release is only read: the query must be a SELECT");
	else if (duck->nparams(statement) > 0)
		rc = gs_fail(
		    err, GS_E_USAGE, "a query takes no parameters ($1, ?)");
	duck->destroy_extracted(&all);
	if (rc)
		duck->destroy_prepare(&statement);
	else
		*ret = statement;
	return rc;
}

static bool is_number(duckdb_type type)
{
	switch ((int)type) {
	case DUCKDB_TYPE_TINYINT:
	case DUCKDB_TYPE_SMALLINT:
	case DUCKDB_TYPE_INTEGER:
	case DUCKDB_TYPE_BIGINT:
	case DUCKDB_TYPE_UTINYINT:
	case DUCKDB_TYPE_USMALLINT:
	case DUCKDB_TYPE_UINTEGER:
	case DUCKDB_TYPE_UBIGINT:
	case DUCKDB_TYPE_HUGEINT:
	case DUCKDB_TYPE_UHUGEINT:
	case DUCKDB_TYPE_FLOAT:
	case DUCKDB_TYPE_DOUBLE:
	case DUCKDB_TYPE_DECIMAL:
		return true;
	default:
		return false;
	}
}

static int describe(const struct duck *duck,
    duckdb_prepared_statement statement, struct grid *grid, struct gs_err *err)
{
	grid->n = duck->prepared_statement_column_count(statement);
	if (grid->n > MAX_COLUMNS)
		return gs_fail(err, GS_E_LIMIT,
		    "the query gives more than %d columns", MAX_COLUMNS);
	grid->is_number = gs_alloc(grid->n + 1);
	for (size_t i = 0; i < grid->n; i++) {
		GS_CLEANUP(gs_freep)
		char *name = duck_column_name(duck, statement, i);
		gs_strv_push(&grid->names, name);
		grid->is_number[i] = is_number(
		    duck->prepared_statement_column_type(statement, i));
	}
	return 0;
}

/* Every column as text. The query goes in as a string, not as text between
 * parentheses: comments and semicolons at its end stay harmless. */
static void as_text(
    const struct grid *grid, const char *sql, struct gs_buf *out)
{
	gs_buf_addz(out, "SELECT ");
	for (size_t i = 0; i < grid->n; i++) {
		if (i > 0)
			gs_buf_addz(out, ", ");
		gs_buf_addf(out,
		    grid->format == GS_QUERY_JSON_LINES
		        ? "CASE WHEN c%zu IS NOT NULL THEN "
		          "to_json(c%zu)::VARCHAR END"
		        : "CASE WHEN c%zu IS NOT NULL THEN c%zu::VARCHAR END",
		    i, i);
	}
	gs_buf_addz(out, " FROM query(");
	duck_quote(out, sql);
	gs_buf_addz(out, ") AS user_query(");
	for (size_t i = 0; i < grid->n; i++)
		gs_buf_addf(out, "%sc%zu", i ? ", " : "", i);
	gs_buf_addz(out, ")");
}

static void give_chunk(
    const struct duck *duck, duckdb_data_chunk chunk, struct grid *grid)
{
	GS_CLEANUP(gs_freep)
	struct grid_cell *cells = gs_alloc((grid->n + 1) * sizeof(*cells));
	idx_t n = duck->data_chunk_get_size(chunk);
	for (idx_t row = 0; row < n; row++) {
		for (size_t i = 0; i < grid->n; i++) {
			duckdb_vector vector =
			    duck->data_chunk_get_vector(chunk, i);
			uint64_t *validity = duck->vector_get_validity(vector);
			duckdb_string_t *text =
			    &((duckdb_string_t *)duck->vector_get_data(
			        vector))[row];
			cells[i].is_null =
			    validity &&
			    !duck->validity_row_is_valid(validity, row);
			cells[i].text =
			    cells[i].is_null
			        ? GS_STR("")
			        : gs_str_n(duck->string_t_data(text),
			              duck->string_t_length(*text));
		}
		grid_row(grid, cells);
	}
}

static int fetch(struct duck_session *session,
    duckdb_prepared_statement statement, struct grid *grid, struct gs_err *err)
{
	const struct duck *duck = session->duck;
	duckdb_result result;
	int rc = duck_stream(session, statement, GS_E_USAGE, &result, err);
	if (rc)
		return rc;
	grid_begin(grid);
	duckdb_data_chunk chunk = NULL;
	while (!grid->out->overflow && (rc = duck_next(session, &result,
	                                    GS_E_USAGE, &chunk, err)) > 0) {
		give_chunk(duck, chunk, grid);
		duck->destroy_data_chunk(&chunk);
	}
	duck->destroy_result(&result);
	if (rc < 0)
		return rc;
	grid_end(grid);
	return grid->out->overflow
	           ? gs_fail(err, GS_E_LIMIT,
	                 "the answer is longer than %zu bytes: ask for fewer rows "
	                 "or columns",
	                 grid->out->max ? grid->out->max : GS_BUF_MAX_DEFAULT)
	           : 0;
}

static int answer(struct duck_session *session, const struct gs_query *query,
    struct grid *grid, struct gs_err *err)
{
	const struct duck *duck = session->duck;
	duckdb_prepared_statement statement = NULL;
	int rc = prepare(session, query->sql, &statement, err);
	if (rc)
		return rc;
	rc = describe(duck, statement, grid, err);
	duck->destroy_prepare(&statement);
	if (rc)
		return rc;
	GS_CLEANUP(gs_buf_release) struct gs_buf sql = {0};
	as_text(grid, query->sql, &sql);
	/* It was understood alone: then it is a PRAGMA or the like. */
	if (duck->prepare(session->connection, gs_buf_cstr(&sql), &statement) !=
	    DuckDBSuccess)
		rc = gs_fail(err, GS_E_USAGE,
		    "a release is only read: the query must be a SELECT, and "
		    "its columns must have a text form");
	else
		rc = fetch(session, statement, grid, err);
	duck->destroy_prepare(&statement);
	return rc;
}

int gs_table_query(struct gs_table *table, const struct gs_query *query,
    struct gs_buf *ret, struct gs_err *err)
{
	struct duck_session session;
	int rc = duck_open(&table->duck, 0, &session, err);
	if (rc)
		return rc;
	int fds[N_VIEWS] = {-1, -1};
	struct grid grid = {
	    .format = query->format, .width = query->width, .out = ret};
	rc = open_views(query->release, fds, &session, err);
	if (rc == 0)
		rc = lock_down(fds, &session, err);
	if (rc == 0)
		rc = answer(&session, query, &grid, err);
	grid_release(&grid);
	duck_close(&session);
	for (size_t i = 0; i < N_VIEWS; i++)
		gs_closep(&fds[i]);
	return rc;
}

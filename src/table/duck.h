/* SPDX-License-Identifier: Apache-2.0 */
/*
 * DuckDB's C interface as a table of function pointers, filled when the
 * library is loaded. The names are DuckDB's without their prefix, so that
 * `duck->query(...)` is what its manual calls duckdb_query.
 */
#ifndef TABLE_DUCK_H
#define TABLE_DUCK_H

#include <duckdb.h>

#include "base/buf.h"
#include "base/err.h"
#include "table/table.h"

/* The bytes of a release depend on the version that wrote it: its name
 * stands in every file. */
#define DUCK_VERSION "v1.4.4"

#define DUCK_FUNCTIONS(X)                                                      \
	X(library_version)                                                     \
	X(create_config)                                                       \
	X(set_config)                                                          \
	X(destroy_config)                                                      \
	X(open_ext)                                                            \
	X(close)                                                               \
	X(connect)                                                             \
	X(disconnect)                                                          \
	X(interrupt)                                                           \
	X(free)                                                                \
	X(query)                                                               \
	X(destroy_result)                                                      \
	X(result_error)                                                        \
	X(result_error_type)                                                   \
	X(column_count)                                                        \
	X(column_name)                                                         \
	X(column_type)                                                         \
	X(column_logical_type)                                                 \
	X(extract_statements)                                                  \
	X(extract_statements_error)                                            \
	X(destroy_extracted)                                                   \
	X(prepare_extracted_statement)                                         \
	X(prepare)                                                             \
	X(prepare_error)                                                       \
	X(destroy_prepare)                                                     \
	X(nparams)                                                             \
	X(bind_varchar)                                                        \
	X(prepared_statement_type)                                             \
	X(prepared_statement_column_count)                                     \
	X(prepared_statement_column_name)                                      \
	X(prepared_statement_column_type)                                      \
	X(prepared_statement_column_logical_type)                              \
	X(pending_prepared_streaming)                                          \
	X(pending_execute_task)                                                \
	X(pending_execution_is_finished)                                       \
	X(pending_error)                                                       \
	X(execute_pending)                                                     \
	X(destroy_pending)                                                     \
	X(fetch_chunk)                                                         \
	X(destroy_data_chunk)                                                  \
	X(data_chunk_get_size)                                                 \
	X(data_chunk_set_size)                                                 \
	X(data_chunk_get_vector)                                               \
	X(vector_get_data)                                                     \
	X(vector_get_validity)                                                 \
	X(validity_row_is_valid)                                               \
	X(vector_assign_string_element_len)                                    \
	X(list_vector_get_child)                                               \
	X(list_vector_get_size)                                                \
	X(list_vector_reserve)                                                 \
	X(list_vector_set_size)                                                \
	X(string_t_length)                                                     \
	X(string_t_data)                                                       \
	X(create_logical_type)                                                 \
	X(create_list_type)                                                    \
	X(list_type_child_type)                                                \
	X(get_type_id)                                                         \
	X(destroy_logical_type)                                                \
	X(create_table_function)                                               \
	X(destroy_table_function)                                              \
	X(table_function_set_name)                                             \
	X(table_function_set_extra_info)                                       \
	X(table_function_set_bind)                                             \
	X(table_function_set_init)                                             \
	X(table_function_set_function)                                         \
	X(register_table_function)                                             \
	X(bind_get_extra_info)                                                 \
	X(bind_add_result_column)                                              \
	X(init_set_max_threads)                                                \
	X(function_get_extra_info)                                             \
	X(function_set_error)

#define DUCK_MEMBER(name) __typeof__(&duckdb_##name) name;

struct duck {
	DUCK_FUNCTIONS(DUCK_MEMBER)
};

/* One database in memory with its connection. */
struct duck_session {
	const struct duck *duck;
	duckdb_database database;
	duckdb_connection connection;
};

struct gs_table {
	struct duck duck;
	void *library;
	struct duck_session session; /* for reading */
};

/* `threads` 0: at most four of this machine's. */
GS_MUST_CHECK int duck_open(const struct duck *duck, unsigned threads,
    struct duck_session *ret, struct gs_err *err);
void duck_close(struct duck_session *session);

/* SQL of ours that gives no rows. */
GS_MUST_CHECK int duck_run(
    struct duck_session *session, const char *sql, struct gs_err *err);
/* Runs a prepared statement for its rows, a chunk at a time, and comes home
 * with GS_E_CANCELLED on a stop request. The words of an error are DuckDB's;
 * its code is `otherwise` unless the bytes of a file are to blame. */
GS_MUST_CHECK int duck_stream(struct duck_session *session,
    duckdb_prepared_statement statement, enum gs_code otherwise,
    duckdb_result *ret, struct gs_err *err);
/* 1 a chunk (the caller destroys it), 0 the end, negative error. */
GS_MUST_CHECK int duck_next(struct duck_session *session, duckdb_result *result,
    enum gs_code otherwise, duckdb_data_chunk *ret, struct gs_err *err);
/* The caller frees. */
char *duck_column_name(
    const struct duck *duck, duckdb_prepared_statement statement, idx_t column);
/* Appends 'text' with its quotes doubled. */
void duck_quote(struct gs_buf *out, const char *text);
/* "Binder Error: …" as one sentence, into err. */
int duck_fail(struct gs_err *err, enum gs_code code, const char *message);

/* A descriptor's path under /proc: whatever stands in the real path ('*',
 * '[', "s3://", '~'), DuckDB must not read a meaning into it. */
#define DUCK_FD_PATH_SIZE 32
void duck_fd_path(int fd, char out[DUCK_FD_PATH_SIZE]);
/* Opens a Parquet file for reading; GS_E_NOT_FOUND, or GS_E_CORRUPT where
 * its two ends are not those of a whole Parquet file. */
GS_MUST_CHECK int duck_open_parquet(
    const char *path, int *ret_fd, struct gs_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows to Parquet and back, and SQL over a release: DuckDB, loaded from the
 * library folder only by the commands that need it (linking it would cost
 * every start 10 ms). It has threads: nothing forks while a gs_table is open.
 *
 * The same rows give the same bytes, whatever the number of threads.
 */
#ifndef TABLE_TABLE_H
#define TABLE_TABLE_H

#include "base/err.h"
#include "base/json.h"
#include "model/record.h"

struct gs_table;

/* Loads the library; GS_E_ENVIRONMENT says where it was looked for. */
GS_MUST_CHECK int gs_table_open(struct gs_table **ret, struct gs_err *err);
void gs_table_close(struct gs_table *table);
const char *gs_table_version(const struct gs_table *table);

/* Rows in memory of DuckDB (bounded, spilling to `temp_dir`), then written. */
struct gs_table_writer;

GS_MUST_CHECK int gs_table_begin(struct gs_table *table,
    const struct gs_column *columns, size_t n, const char *temp_dir,
    struct gs_table_writer **ret, struct gs_err *err);
/* `row` is the struct that the columns describe; copied. Invalid UTF-8 is
 * GS_E_CORRUPT. */
GS_MUST_CHECK int gs_table_add(
    struct gs_table_writer *writer, const void *row, struct gs_err *err);
/* Writes in the order added, zstd, and frees the writer; *ret_arrow_bytes is
 * what the rows take in Arrow's memory (num_bytes of the card: per text
 * column its bytes and 4 (rows + 1), integers 8, lists their offsets and
 * their child column). */
GS_MUST_CHECK int gs_table_end(struct gs_table_writer *writer, const char *path,
    uint64_t *ret_arrow_bytes, struct gs_err *err);
void gs_table_abandon(struct gs_table_writer *writer);

/* Reads rows into structs, in file order; `where` is SQL or NULL, with one
 * optional parameter $1 = `argument`. `fn` gets a borrowed row. */
typedef int (*gs_row_fn)(void *ctx, void *row, struct gs_err *err);

GS_MUST_CHECK int gs_table_each_record(struct gs_table *table,
    const char *parquet, const char *where, const char *argument,
    int (*fn)(void *ctx, struct gs_record *record, struct gs_err *err),
    void *ctx, struct gs_err *err);
GS_MUST_CHECK int gs_table_each_evidence(struct gs_table *table,
    const char *parquet, const char *where, const char *argument,
    int (*fn)(void *ctx, struct gs_evidence *evidence, struct gs_err *err),
    void *ctx, struct gs_err *err);
/* Checks that the file has exactly these columns in order; GS_E_CORRUPT. */
GS_MUST_CHECK int gs_table_check_schema(struct gs_table *table,
    const char *parquet, const struct gs_column *columns, size_t n,
    struct gs_err *err);

/* What the file says of itself. */
struct gs_table_info {
	int64_t rows, row_groups;
};

GS_MUST_CHECK int gs_table_inspect(struct gs_table *table, const char *parquet,
    struct gs_table_info *ret, struct gs_err *err);

/* SQL of a user over the views `oracles` and `evidence` of a release (reading
 * only: no other file, no setting). GS_E_USAGE with DuckDB's words. */
enum gs_query_format {
	GS_QUERY_TABLE,
	GS_QUERY_CSV,
	GS_QUERY_JSON_LINES,
};

struct gs_query {
	const char *release; /* folder */
	const char *sql;
	enum gs_query_format format;
	size_t width; /* columns of the terminal, for tables; 0: no cutting */
};

GS_MUST_CHECK int gs_table_query(struct gs_table *table,
    const struct gs_query *query, struct gs_buf *ret, struct gs_err *err);

#endif

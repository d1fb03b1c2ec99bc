/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows are first put into a nameless file, then read back by DuckDB through
 * a table function of ours while it writes the Parquet file: memory holds
 * one row group, however many rows there are and however long they are. One
 * thread reads and writes, so that neither order nor bytes depend on the
 * machine.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "os/fd.h"
#include "os/signals.h"
#include "table/duck.h"

/* F134: a row group ends at this many rows or bytes, whichever is first, but
 * holds at least one row. 2048 is DuckDB's vector. */
#define GROUP_ROWS 2048
#define GROUP_BYTES (64 * GS_MIB)
#define MAX_ROW (256 * GS_MIB)

struct column_size {
	uint64_t bytes, children;
};

struct gs_table_writer {
	struct gs_table *table;
	const struct gs_column *columns;
	size_t n;
	FILE *spill;
	uint64_t n_rows, n_read;
	struct column_size *sizes; /* what Arrow would hold, by column */
	struct gs_buf row;
	uint64_t next_size; /* of the row that did not fit the last group */
};

static int open_spill(const char *temp_dir, FILE **ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *path = gs_format("%s/goldset-rows-XXXXXX", temp_dir);
	int fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return gs_fail_sys(
		    err, "make a temporary file in %s", temp_dir);
	(void)unlink(path);
	FILE *spill = fdopen(fd, "w+e");
	if (!spill) {
		int rc = gs_fail_sys(err, "open a stream in %s", temp_dir);
		gs_closep(&fd);
		return rc;
	}
	*ret = spill;
	return 0;
}

int gs_table_begin(struct gs_table *table, const struct gs_column *columns,
    size_t n, const char *temp_dir, struct gs_table_writer **ret,
    struct gs_err *err)
{
	FILE *spill = NULL;
	int rc = open_spill(temp_dir, &spill, err);
	if (rc)
		return rc;
	struct gs_table_writer *writer = gs_alloc(sizeof(*writer));
	*writer = (struct gs_table_writer){.table = table,
	    .columns = columns,
	    .n = n,
	    .spill = spill,
	    .sizes = gs_alloc((n ? n : 1) * sizeof(*writer->sizes)),
	    .row.max = MAX_ROW};
	*ret = writer;
	return 0;
}

void gs_table_abandon(struct gs_table_writer *writer)
{
	if (!writer)
		return;
	(void)fclose(writer->spill); /* nameless: nothing can be lost */
	gs_buf_release(&writer->row);
	free(writer->sizes);
	free(writer);
}

static void put_number(struct gs_buf *out, uint64_t number)
{
	gs_buf_add(out, &number, sizeof(number));
}

static int put_text(struct gs_table_writer *writer, size_t column,
    const char *text, struct gs_err *err)
{
	const char *name = writer->columns[column].name;
	if (!text)
		return gs_fail(err, GS_E_CORRUPT,
		    "column %s of row %llu has no value", name,
		    (unsigned long long)writer->n_rows + 1);
	struct gs_str s = gs_str(text);
	if (!gs_utf8_valid(s)) /* F132 */
		return gs_fail(err, GS_E_CORRUPT,
		    "column %s of row %llu is not UTF-8", name,
		    (unsigned long long)writer->n_rows + 1);
	writer->sizes[column].bytes += s.n;
	put_number(&writer->row, s.n);
	gs_buf_adds(&writer->row, s);
	return 0;
}

static int put_list(struct gs_table_writer *writer, size_t column,
    const struct gs_strv *list, struct gs_err *err)
{
	writer->sizes[column].children += list->n;
	put_number(&writer->row, list->n);
	for (size_t i = 0; i < list->n; i++) {
		int rc = put_text(writer, column, list->v[i], err);
		if (rc)
			return rc;
	}
	return 0;
}

static int put_value(struct gs_table_writer *writer, const void *row,
    size_t column, struct gs_err *err)
{
	const struct gs_column *c = &writer->columns[column];
	switch (c->type) {
	case GS_COLUMN_TEXT:
		return put_text(writer, column, gs_column_text(row, c), err);
	case GS_COLUMN_LIST:
		return put_list(writer, column, gs_column_list(row, c), err);
	case GS_COLUMN_INT:
	case GS_COLUMN_BOOL:
		break;
	}
	put_number(&writer->row, (uint64_t)gs_column_int(row, c));
	return 0;
}

int gs_table_add(
    struct gs_table_writer *writer, const void *row, struct gs_err *err)
{
	gs_buf_reset(&writer->row);
	for (size_t i = 0; i < writer->n; i++) {
		int rc = put_value(writer, row, i, err);
		if (rc)
			return rc;
	}
	if (writer->row.overflow)
		return gs_fail(err, GS_E_LIMIT,
		    "row %llu is longer than %zu MiB",
		    (unsigned long long)writer->n_rows + 1, MAX_ROW / GS_MIB);
	uint64_t size = writer->row.n;
	if (fwrite(&size, sizeof(size), 1, writer->spill) != 1 ||
	    fwrite(gs_buf_cstr(&writer->row), 1, size, writer->spill) != size)
		return gs_fail_sys(err, "write a temporary file of rows");
	writer->n_rows++;
	return 0;
}

/* What follows runs inside DuckDB, which pulls. */

static duckdb_logical_type type_of(
    const struct duck *duck, enum gs_column_type type)
{
	switch (type) {
	case GS_COLUMN_INT:
		return duck->create_logical_type(DUCKDB_TYPE_BIGINT);
	case GS_COLUMN_BOOL:
		return duck->create_logical_type(DUCKDB_TYPE_BOOLEAN);
	case GS_COLUMN_TEXT:
	case GS_COLUMN_LIST:
		break;
	}
	duckdb_logical_type text =
	    duck->create_logical_type(DUCKDB_TYPE_VARCHAR);
	if (type == GS_COLUMN_TEXT)
		return text;
	duckdb_logical_type list = duck->create_list_type(text);
	duck->destroy_logical_type(&text);
	return list;
}

/* DuckDB hands our own pointer back to each callback; its function table is
 * needed to ask for it, hence this one static, set once and always alike. */
static const struct duck *the_duck;

static void bind_rows(duckdb_bind_info info)
{
	const struct duck *duck = the_duck;
	const struct gs_table_writer *writer = duck->bind_get_extra_info(info);
	for (size_t i = 0; i < writer->n; i++) {
		duckdb_logical_type type =
		    type_of(duck, writer->columns[i].type);
		duck->bind_add_result_column(
		    info, writer->columns[i].name, type);
		duck->destroy_logical_type(&type);
	}
}

static void init_rows(duckdb_init_info info)
{
	the_duck->init_set_max_threads(info, 1);
}

static bool take(struct gs_str *rest, void *out, size_t n)
{
	if (rest->n < n)
		return false;
	memcpy(out, rest->p, n);
	*rest = gs_str_from(*rest, n);
	return true;
}

static bool take_text(struct gs_str *rest, struct gs_str *ret)
{
	uint64_t n;
	if (!take(rest, &n, sizeof(n)) || rest->n < n)
		return false;
	*ret = gs_str_n(rest->p, n);
	*rest = gs_str_from(*rest, n);
	return true;
}

static bool move_list(const struct duck *duck, struct gs_str *rest,
    duckdb_vector vector, idx_t row)
{
	uint64_t n;
	if (!take(rest, &n, sizeof(n)))
		return false;
	duckdb_list_entry *entries = duck->vector_get_data(vector);
	idx_t offset = duck->list_vector_get_size(vector);
	entries[row] = (duckdb_list_entry){.offset = offset, .length = n};
	if (duck->list_vector_reserve(vector, offset + n) != DuckDBSuccess ||
	    duck->list_vector_set_size(vector, offset + n) != DuckDBSuccess)
		return false;
	duckdb_vector child = duck->list_vector_get_child(vector);
	for (uint64_t i = 0; i < n; i++) {
		struct gs_str text;
		if (!take_text(rest, &text))
			return false;
		duck->vector_assign_string_element_len(
		    child, offset + i, text.p, text.n);
	}
	return true;
}

static bool move_value(const struct duck *duck, enum gs_column_type type,
    struct gs_str *rest, duckdb_vector vector, idx_t row)
{
	struct gs_str text;
	int64_t number;
	switch (type) {
	case GS_COLUMN_LIST:
		return move_list(duck, rest, vector, row);
	case GS_COLUMN_TEXT:
		if (!take_text(rest, &text))
			return false;
		duck->vector_assign_string_element_len(
		    vector, row, text.p, text.n);
		return true;
	case GS_COLUMN_INT:
	case GS_COLUMN_BOOL:
		break;
	}
	if (!take(rest, &number, sizeof(number)))
		return false;
	if (type == GS_COLUMN_INT)
		((int64_t *)duck->vector_get_data(vector))[row] = number;
	else
		((bool *)duck->vector_get_data(vector))[row] = number != 0;
	return true;
}

static bool move_row(
    struct gs_table_writer *writer, duckdb_data_chunk chunk, idx_t row)
{
	const struct duck *duck = &writer->table->duck;
	gs_buf_reset(&writer->row);
	char *room = gs_buf_room(&writer->row, writer->next_size);
	if (!room || fread(room, 1, writer->next_size, writer->spill) !=
	                 writer->next_size)
		return false;
	gs_buf_grew(&writer->row, writer->next_size);
	struct gs_str rest = gs_buf_str(&writer->row);
	for (size_t i = 0; i < writer->n; i++)
		if (!move_value(duck, writer->columns[i].type, &rest,
		        duck->data_chunk_get_vector(chunk, i), row))
			return false;
	return true;
}

/* One call gives one row group. */
static void give_rows(duckdb_function_info info, duckdb_data_chunk chunk)
{
	struct gs_table_writer *writer =
	    the_duck->function_get_extra_info(info);
	uint64_t bytes = 0;
	idx_t n = 0;
	while (n < GROUP_ROWS && writer->n_read < writer->n_rows) {
		if (writer->next_size == 0 &&
		    fread(&writer->next_size, sizeof(writer->next_size), 1,
		        writer->spill) != 1)
			goto broken;
		if (n > 0 && bytes + writer->next_size > GROUP_BYTES)
			break;
		if (!move_row(writer, chunk, n))
			goto broken;
		bytes += writer->next_size;
		writer->next_size = 0;
		writer->n_read++;
		n++;
	}
	if (gs_stop_requested())
		the_duck->function_set_error(info, "interrupted");
	the_duck->data_chunk_set_size(chunk, n);
	return;
broken:
	the_duck->function_set_error(info, "the temporary file does not read");
}

static int offer_rows(struct gs_table_writer *writer,
    struct duck_session *session, struct gs_err *err)
{
	const struct duck *duck = session->duck;
	the_duck = duck;
	duckdb_table_function rows = duck->create_table_function();
	duck->table_function_set_name(rows, "rows");
	duck->table_function_set_extra_info(rows, writer, NULL);
	duck->table_function_set_bind(rows, bind_rows);
	duck->table_function_set_init(rows, init_rows);
	duck->table_function_set_function(rows, give_rows);
	duckdb_state state =
	    duck->register_table_function(session->connection, rows);
	duck->destroy_table_function(&rows);
	return state == DuckDBSuccess
	           ? 0
	           : gs_fail(err, GS_E_SYSTEM, "DuckDB does not take our rows");
}

/* ROW_GROUP_SIZE 1: a group is written as soon as a chunk has come in, so
 * that give_rows decides where groups end. Level 12 is the knee of size
 * against time. No other metadata: readers stumble over "huggingface". */
static int copy_out(struct gs_table_writer *writer, int fd, struct gs_err *err)
{
	struct duck_session session;
	int rc = duck_open(&writer->table->duck, 1, &session, err);
	if (rc)
		return rc;
	char target[DUCK_FD_PATH_SIZE];
	duck_fd_path(fd, target);
	GS_CLEANUP(gs_freep)
	char *sql = gs_format("COPY (SELECT * FROM rows()) TO '%s' (FORMAT "
	                      "parquet, COMPRESSION zstd, COMPRESSION_LEVEL "
	                      "12, ROW_GROUP_SIZE 1, USE_TMP_FILE false)",
	    target);
	rc = offer_rows(writer, &session, err);
	if (rc == 0)
		rc = duck_run(&session, sql, err);
	if (rc && gs_stop_requested())
		rc = gs_fail(err, GS_E_CANCELLED, "interrupted while writing");
	duck_close(&session);
	return rc;
}

static uint64_t arrow_bytes(const struct gs_table_writer *writer)
{
	uint64_t rows = writer->n_rows, total = 0;
	for (size_t i = 0; i < writer->n; i++) {
		const struct column_size *size = &writer->sizes[i];
		switch (writer->columns[i].type) {
		case GS_COLUMN_TEXT:
			total += size->bytes + 4 * (rows + 1);
			break;
		case GS_COLUMN_LIST:
			total += 4 * (rows + 1) + size->bytes +
			         4 * (size->children + 1);
			break;
		case GS_COLUMN_INT:
			total += 8 * rows;
			break;
		case GS_COLUMN_BOOL:
			total += (rows + 7) / 8;
			break;
		}
	}
	return total;
}

static int finish(
    struct gs_table_writer *writer, const char *path, struct gs_err *err)
{
	if (fflush(writer->spill) != 0 ||
	    fseeko(writer->spill, 0, SEEK_SET) != 0)
		return gs_fail_sys(err, "write a temporary file of rows");
	GS_CLEANUP(gs_closep)
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	if (fd < 0)
		return gs_fail_sys(err, "create %s", path);
	int rc = copy_out(writer, fd, err);
	if (rc)
		return gs_wrap(err, "%s cannot be written", path);
	if (writer->n_read != writer->n_rows)
		return gs_fail(err, GS_E_SYSTEM, "%s holds %llu rows of %llu",
		    path, (unsigned long long)writer->n_read,
		    (unsigned long long)writer->n_rows);
	return fsync(fd) < 0 ? gs_fail_sys(err, "flush %s", path) : 0;
}

int gs_table_end(struct gs_table_writer *writer, const char *path,
    uint64_t *ret_arrow_bytes, struct gs_err *err)
{
	int rc = finish(writer, path, err);
	if (rc == 0)
		*ret_arrow_bytes = arrow_bytes(writer);
	gs_table_abandon(writer);
	return rc;
}

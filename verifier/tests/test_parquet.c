/* SPDX-License-Identifier: Apache-2.0 */
/* The reader against files of three writers (DuckDB, arrow-rs, hyparquet),
 * which all hold the same rows: test_parquet FOLDER. */
#include <stdio.h>
#include <string.h>

#include "parquet.h"
#include "test.h"
#include "util.h"

static json_t *list_of(int i)
{
	json_t *list;

	if (i % 4 == 0)
		return json_null();
	list = json_array();
	for (int x = 0; i % 4 != 1 && x <= i % 3; x++)
		json_array_append_new(list, json_sprintf("e%d-%d", x, i));
	return list;
}

/* The row that every writer was given as its i-th. */
static json_t *row_of(int i)
{
	json_t *row = json_object();

	json_object_set_new(row, "small", json_integer(i));
	json_object_set_new(
	    row, "big", json_integer((int64_t)i * 1000003 % 97 - 40));
	json_object_set_new(row, "flag", json_boolean(i % 3 == 0));
	json_object_set_new(row, "real", json_real(i * 0.5));
	json_object_set_new(row, "word", json_sprintf("word %d", i % 7));
	json_object_set_new(row, "gap",
	    i % 5 ? json_sprintf("text \xc3\xa4 %d", i) : json_null());
	json_object_set_new(row, "list", list_of(i));
	return row;
}

static void check_file(
    const char *folder, const char *name, size_t rows, bool lists)
{
	char *path = gv_format("%s/%s", folder, name);
	struct gv_buf bytes = {0};
	const char *why = NULL;
	json_t *table = NULL, *columns = NULL;
	size_t wrong = 0;

	if (gv_read(path, &bytes))
		table = gv_parquet(bytes.s, bytes.n, &columns, &why);
	test(table && json_array_size(table) == rows, "%s has %zu rows (%s)",
	    name, rows, why ? why : "it was read");
	for (size_t i = 0; table && i < rows; i++) {
		json_t *row = row_of((int)i);

		if (!lists)
			json_object_del(row, "list");
		wrong += !json_equal(row, json_array_get(table, i));
		json_decref(row);
	}
	test(!wrong, "%s: every row is as it was written (%zu are not)", name,
	    wrong);
	json_decref(table);
	json_decref(columns);
	gv_drop(&bytes);
	free(path);
}

/* A file that is cut, or has a byte changed, gives rows or a sentence. */
static void check_damage(const char *folder, const char *name)
{
	char *path = gv_format("%s/%s", folder, name);
	struct gv_buf bytes = {0};
	const char *why;
	json_t *table;
	size_t refused = 0, n = 0;

	test(gv_read(path, &bytes), "%s is there", name);
	for (size_t cut = 0; cut < bytes.n; cut += 7, n++) {
		table = gv_parquet(bytes.s, cut, NULL, &why);
		refused += !table && why;
		json_decref(table);
	}
	test(refused == n, "%s is refused wherever it is cut", name);
	for (size_t i = 0; i < bytes.n; i++) {
		bytes.s[i] = (char)(bytes.s[i] ^ 0x55);
		table = gv_parquet(bytes.s, bytes.n, NULL, &why);
		json_decref(table);
		bytes.s[i] = (char)(bytes.s[i] ^ 0x55);
	}
	test(true, "%s can be damaged anywhere", name);
	gv_drop(&bytes);
	free(path);
}

int main(int argc, char **argv)
{
	const char *folder = argc > 1 ? argv[1] : "parquet";

	check_file(folder, "duckdb-snappy.parquet", 5000, true);
	check_file(folder, "duckdb-gzip.parquet", 5000, true);
	check_file(folder, "duckdb-plain.parquet", 40, true);
	check_file(folder, "duckdb-v2.parquet", 5000, true);
	check_file(folder, "duckdb-empty.parquet", 0, true);
	check_file(folder, "arrow-rs-zstd.parquet", 600, true);
	check_file(folder, "arrow-rs-v2-snappy.parquet", 600, true);
	check_file(folder, "arrow-rs-delta.parquet", 600, true);
	check_file(folder, "hyparquet.parquet", 600, false);
	check_damage(folder, "duckdb-plain.parquet");
	return test_end();
}

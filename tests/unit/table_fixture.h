/* SPDX-License-Identifier: Apache-2.0 */
/* A small table of our own, and a release of two records, for test_table. */
#ifndef TABLE_FIXTURE_H
#define TABLE_FIXTURE_H

#include <stddef.h>

#include "base/mem.h"
#include "gs_test.h"
#include "os/file.h"
#include "os/tree.h"
#include "table/table.h"

struct item {
	char *name;
	struct gs_strv tags;
	int64_t size;
	bool good;
};

static const struct gs_column columns[] = {
    {"name", GS_COLUMN_TEXT, offsetof(struct item, name), ""},
    {"tags", GS_COLUMN_LIST, offsetof(struct item, tags), ""},
    {"size", GS_COLUMN_INT, offsetof(struct item, size), ""},
    {"good", GS_COLUMN_BOOL, offsetof(struct item, good), ""},
};

static struct gs_err err;

static void ok(int rc)
{
	ck_assert_msg(rc == 0, "%d: %s", rc, err.text);
}

static struct gs_table *open_table(void)
{
	struct gs_table *table = NULL;
	ok(gs_table_open(&table, &err));
	return table;
}

static char *temp(void)
{
	char *dir = NULL;
	ok(gs_dir_make_temp("/tmp", "gs-table-", &dir, &err));
	return dir;
}

static void end_temp(char *dir)
{
	ok(gs_tree_remove(dir, &err));
	free(dir);
}

static void write_items(struct gs_table *table, const char *path,
    const char *dir, const struct item *items, size_t n, uint64_t *ret_bytes)
{
	struct gs_table_writer *writer = NULL;
	ok(gs_table_begin(
	    table, columns, GS_COUNT(columns), dir, &writer, &err));
	for (size_t i = 0; i < n; i++)
		ok(gs_table_add(writer, &items[i], &err));
	ok(gs_table_end(writer, path, ret_bytes, &err));
}

static void set_record(struct gs_record *record, const char *id)
{
	for (size_t i = 0; i < gs_n_record_columns; i++)
		if (gs_record_columns[i].type == GS_COLUMN_TEXT) {
			char **at =
			    (char **)(void *)((char *)record +
			                      gs_record_columns[i].offset);
			*at = gs_format(
			    "%s of %s", gs_record_columns[i].name, id);
		}
	free(record->id);
	record->id = gs_strdup(id);
	record->diff_lines = 7;
	record->n_tests = 2;
	record->schema_version = 1;
	gs_strv_push(&record->fail_to_pass, "tests/t.py::test_a[\"x'\\n]");
	gs_strv_push(&record->fail_to_pass, "tests/t.py::test_b[ü😀]");
	gs_strv_push(&record->units_changed, "m:f");
}

static void set_evidence(struct gs_evidence *evidence, const char *id)
{
	for (size_t i = 0; i < gs_n_evidence_columns; i++)
		if (gs_evidence_columns[i].type == GS_COLUMN_TEXT) {
			char **at =
			    (char **)(void *)((char *)evidence +
			                      gs_evidence_columns[i].offset);
			*at = gs_strdup("[]");
		}
	free(evidence->id);
	evidence->id = gs_strdup(id);
	evidence->docstring_changed = true;
	evidence->unit_end = 99;
	gs_strv_push(&evidence->unguessable, "magic");
}

/* A release of two records; the caller frees. */
static char *make_release(struct gs_table *table)
{
	char *dir = temp();
	GS_CLEANUP(gs_freep)
	char *oracles = gs_path_join(dir, "oracles.parquet");
	GS_CLEANUP(gs_freep)
	char *evidence = gs_path_join(dir, "evidence.parquet");
	struct gs_table_writer *a = NULL, *b = NULL;
	ok(gs_table_begin(
	    table, gs_record_columns, gs_n_record_columns, dir, &a, &err));
	ok(gs_table_begin(
	    table, gs_evidence_columns, gs_n_evidence_columns, dir, &b, &err));
	static const char *const ids[] = {"gs-1", "gs-2"};
	for (size_t i = 0; i < GS_COUNT(ids); i++) {
		GS_CLEANUP(gs_record_release) struct gs_record record = {0};
		GS_CLEANUP(gs_evidence_release) struct gs_evidence e = {0};
		set_record(&record, ids[i]);
		set_evidence(&e, ids[i]);
		ok(gs_table_add(a, &record, &err));
		ok(gs_table_add(b, &e, &err));
	}
	uint64_t bytes;
	ok(gs_table_end(a, oracles, &bytes, &err));
	ok(gs_table_end(b, evidence, &bytes, &err));
	return dir;
}

#endif

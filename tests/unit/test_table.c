/* SPDX-License-Identifier: Apache-2.0 */
/* Rows to Parquet and back (P1), through the real library. */
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "gs_test.h"
#include "os/file.h"
#include "os/tree.h"
#include "table/table.h"
#include "table_fixture.h"

START_TEST(version_is_pinned)
	{
		struct gs_table *table = open_table();
		ck_assert_str_eq(gs_table_version(table), "v1.4.4");
		gs_table_close(table);
	}

END_TEST

START_TEST(a_missing_library_says_where_it_looked)
	{
		setenv("GOLDSET_LIBDIR", "/nowhere/at/all", 1);
		struct gs_table *table = NULL;
		ck_assert_int_eq(gs_table_open(&table, &err), GS_E_ENVIRONMENT);
		ck_assert_ptr_nonnull(strstr(err.text, "/nowhere/at/all"));
		ck_assert_ptr_nonnull(strstr(err.text, "bootstrap"));
	}

END_TEST

/* P1, F130: empty lists, a row behind an empty one, null bytes of no kind. */
START_TEST(arrow_counts_what_the_rows_hold)
	{
		struct gs_table *table = open_table();
		char *dir = temp();
		GS_CLEANUP(gs_freep)
		char *path = gs_path_join(dir, "x.parquet");
		char a[] = "abc", b[] = "", t[] = "tag", u[] = "ü";
		char *tags[] = {t, u, NULL};
		struct item items[] = {
		    {.name = a, .tags = {tags, 2, 3}, .size = 1, .good = true},
		    {.name = b},
		    {.name = u, .tags = {tags, 1, 3}, .size = -5},
		};
		uint64_t bytes = 0;
		write_items(table, path, dir, items, 3, &bytes);
		/* name: 5 + 4·4; tags: 4·4 + (3+2+3) + 4·4; size: 24; good: 1
		 */
		ck_assert_uint_eq(bytes, 21 + 16 + 8 + 16 + 24 + 1);
		ok(gs_table_check_schema(
		    table, path, columns, GS_COUNT(columns), &err));
		end_temp(dir);
		gs_table_close(table);
	}

END_TEST

static int count_records(void *ctx, struct gs_record *record, struct gs_err *e)
{
	(void)e;
	size_t *n = ctx;
	++*n;
	ck_assert_str_eq(record->id, *n == 1 ? "gs-1" : "gs-2");
	ck_assert_str_eq(record->license_file,
	    *n == 1 ? "license_file of gs-1" : "license_file of gs-2");
	ck_assert_int_eq((int)record->diff_lines, 7);
	ck_assert_uint_eq(record->fail_to_pass.n, 2);
	ck_assert_str_eq(
	    record->fail_to_pass.v[0], "tests/t.py::test_a[\"x'\\n]");
	ck_assert_str_eq(record->fail_to_pass.v[1], "tests/t.py::test_b[ü😀]");
	return 0;
}

static int count_evidence(
    void *ctx, struct gs_evidence *evidence, struct gs_err *e)
{
	(void)e;
	++*(size_t *)ctx;
	ck_assert(evidence->docstring_changed);
	ck_assert_int_eq((int)evidence->unit_end, 99);
	ck_assert_uint_eq(evidence->unguessable.n, 1);
	ck_assert_uint_eq(evidence->flaky.n, 0);
	return 0;
}

static int refuse(void *ctx, struct gs_record *record, struct gs_err *e)
{
	(void)ctx;
	return gs_fail(e, GS_E_BUSY, "not %s", record->id);
}

START_TEST(rows_come_back_in_order)
	{
		struct gs_table *table = open_table();
		char *dir = make_release(table);
		GS_CLEANUP(gs_freep)
		char *oracles = gs_path_join(dir, "oracles.parquet");
		GS_CLEANUP(gs_freep)
		char *evidence = gs_path_join(dir, "evidence.parquet");
		size_t n = 0;
		ok(gs_table_each_record(
		    table, oracles, NULL, NULL, count_records, &n, &err));
		ck_assert_uint_eq(n, 2);
		n = 1;
		ok(gs_table_each_record(table, oracles, "id = $1", "gs-2",
		    count_records, &n, &err));
		ck_assert_uint_eq(n, 2);
		n = 0;
		ok(gs_table_each_record(table, oracles, "id = $1", "'; --",
		    count_records, &n, &err));
		ck_assert_uint_eq(n, 0);
		ok(gs_table_each_evidence(
		    table, evidence, NULL, NULL, count_evidence, &n, &err));
		ck_assert_uint_eq(n, 2);
		ck_assert_int_eq(gs_table_each_record(table, oracles, NULL,
		                     NULL, refuse, NULL, &err),
		    GS_E_BUSY);
		ck_assert_str_eq(err.text, "not gs-1");
		ck_assert_int_eq(gs_table_each_record(table, evidence, NULL,
		                     NULL, count_records, &n, &err),
		    GS_E_CORRUPT);
		end_temp(dir);
		gs_table_close(table);
	}

END_TEST

static int check_lists(
    void *ctx, struct gs_evidence *evidence, struct gs_err *e)
{
	(void)e;
	size_t i = (*(size_t *)ctx)++;
	ck_assert_uint_eq(evidence->unguessable.n, i % 4);
	for (size_t k = 0; k < i % 4; k++) {
		char name[32];
		(void)snprintf(name, sizeof(name), "name %zu %zu", i, k);
		ck_assert_str_eq(evidence->unguessable.v[k], name);
	}
	ck_assert_int_eq((int)evidence->unit_start, (int)i);
	return 0;
}

/* F130: rows behind empty lists, across row groups and vectors. */
START_TEST(lists_keep_their_rows)
	{
		struct gs_table *table = open_table();
		char *dir = temp();
		GS_CLEANUP(gs_freep)
		char *path = gs_path_join(dir, "x.parquet");
		struct gs_table_writer *writer = NULL;
		ok(gs_table_begin(table, gs_evidence_columns,
		    gs_n_evidence_columns, dir, &writer, &err));
		GS_CLEANUP(gs_evidence_release) struct gs_evidence row = {0};
		set_evidence(&row, "gs-1");
		for (size_t i = 0; i < 5000; i++) {
			gs_strv_reset(&row.unguessable);
			for (size_t k = 0; k < i % 4; k++)
				gs_strv_pushf(
				    &row.unguessable, "name %zu %zu", i, k);
			row.unit_start = (int64_t)i;
			ok(gs_table_add(writer, &row, &err));
		}
		uint64_t bytes;
		ok(gs_table_end(writer, path, &bytes, &err));
		size_t n = 0;
		ok(gs_table_each_evidence(
		    table, path, NULL, NULL, check_lists, &n, &err));
		ck_assert_uint_eq(n, 5000);
		struct gs_table_info info = {0};
		ok(gs_table_inspect(table, path, &info, &err));
		ck_assert_int_eq((int)info.row_groups, 3);
		end_temp(dir);
		gs_table_close(table);
	}

END_TEST

/* F132: what is not UTF-8 never gets in; P1: nor does null. */
START_TEST(bad_text_is_refused)
	{
		struct gs_table *table = open_table();
		char *dir = temp();
		char bad[] = "caf\xe9";
		char *tags[] = {bad, NULL};
		char good[] = "x";
		const struct item items[] = {
		    {.name = bad},
		    {.name = good, .tags = {tags, 1, 2}},
		    {.name = NULL},
		};
		for (size_t i = 0; i < GS_COUNT(items); i++) {
			struct gs_table_writer *writer = NULL;
			ok(gs_table_begin(table, columns, GS_COUNT(columns),
			    dir, &writer, &err));
			ck_assert_int_eq(gs_table_add(writer, &items[i], &err),
			    GS_E_CORRUPT);
			ck_assert_ptr_nonnull(
			    strstr(err.text, i == 1 ? "tags" : "name"));
			gs_table_abandon(writer);
		}
		end_temp(dir);
		gs_table_close(table);
	}

END_TEST

/* An empty release is valid, and reads (F134). */
START_TEST(no_rows_make_a_file_that_reads)
	{
		struct gs_table *table = open_table();
		char *dir = temp();
		GS_CLEANUP(gs_freep)
		char *path = gs_path_join(dir, "x.parquet");
		struct gs_table_writer *writer = NULL;
		ok(gs_table_begin(table, gs_record_columns, gs_n_record_columns,
		    dir, &writer, &err));
		uint64_t bytes = 0;
		ok(gs_table_end(writer, path, &bytes, &err));
		/* 24 text columns and 2 lists, offsets only: 24·4 + 2·8 */
		ck_assert_uint_eq(bytes, 24 * 4 + 2 * 8);
		ok(gs_table_check_schema(
		    table, path, gs_record_columns, gs_n_record_columns, &err));
		size_t n = 0;
		ok(gs_table_each_record(
		    table, path, NULL, NULL, count_records, &n, &err));
		ck_assert_uint_eq(n, 0);
		end_temp(dir);
		gs_table_close(table);
	}

END_TEST

static void read_file(const char *path, struct gs_buf *ret)
{
	ok(gs_file_read(path, (size_t)1 << 30, ret, &err));
}

/* F138: bytes do not depend on the zone, the locale, or when. */
START_TEST(the_same_rows_give_the_same_bytes)
	{
		GS_CLEANUP(gs_buf_release)
		struct gs_buf first = {0}, second = {0};
		static const char *const zones[] = {"UTC", "Asia/Tokyo"};
		for (size_t i = 0; i < 2; i++) {
			setenv("TZ", zones[i], 1);
			setenv("LC_ALL", i ? "tr_TR.UTF-8" : "C", 1);
			struct gs_table *table = open_table();
			char *dir = temp();
			GS_CLEANUP(gs_freep)
			char *path = gs_path_join(dir, "x.parquet");
			struct item items[5000];
			for (size_t k = 0; k < GS_COUNT(items); k++)
				items[k] = (struct item){
				    .name =
				        gs_format("row %zu of many rows", k),
				    .size = (int64_t)k};
			uint64_t bytes;
			write_items(
			    table, path, dir, items, GS_COUNT(items), &bytes);
			read_file(path, i ? &second : &first);
			for (size_t k = 0; k < GS_COUNT(items); k++)
				free(items[k].name);
			end_temp(dir);
			gs_table_close(table);
		}
		ck_assert(gs_str_eq(gs_buf_str(&first), gs_buf_str(&second)));
	}

END_TEST

/* F134: long rows make short row groups, and order survives. */
START_TEST(row_groups_are_bounded)
	{
		struct gs_table *table = open_table();
		char *dir = temp();
		GS_CLEANUP(gs_freep)
		char *path = gs_path_join(dir, "x.parquet");
		size_t n_big = (size_t)1 << 20;
		char *big = gs_alloc(n_big + 1);
		memset(big, 'x', n_big);
		struct item items[200];
		for (size_t k = 0; k < GS_COUNT(items); k++)
			items[k] =
			    (struct item){.name = big, .size = (int64_t)k};
		uint64_t bytes;
		write_items(table, path, dir, items, GS_COUNT(items), &bytes);
		ck_assert_uint_gt(bytes, 200 * n_big);
		struct gs_table_info info = {0};
		ok(gs_table_inspect(table, path, &info, &err));
		ck_assert_int_eq((int)info.rows, 200);
		ck_assert_int_eq(
		    (int)info.row_groups, 4); /* 63 rows in 64 MiB */
		free(big);
		end_temp(dir);
		gs_table_close(table);
	}

END_TEST

/* Bad input of issue 2: a truncated Parquet file. */
START_TEST(a_cut_file_is_named)
	{
		struct gs_table *table = open_table();
		char *dir = make_release(table);
		GS_CLEANUP(gs_freep)
		char *path = gs_path_join(dir, "oracles.parquet");
		GS_CLEANUP(gs_buf_release) struct gs_buf whole = {0};
		read_file(path, &whole);
		static const size_t cuts[] = {
		    0, 3, 100, SIZE_MAX, SIZE_MAX - 1};
		for (size_t i = 0; i < GS_COUNT(cuts); i++) {
			GS_CLEANUP(gs_buf_release) struct gs_buf cut = {0};
			gs_buf_adds(&cut, gs_buf_str(&whole));
			if (cuts[i] ==
			    SIZE_MAX) /* the footer's length is a lie */
				cut.p[cut.n - 6] = '\x7f';
			else if (cuts[i] ==
			         SIZE_MAX - 1) /* the footer is noise */
				memset(cut.p + cut.n - 300, 0xa5, 280);
			else
				gs_buf_cut(&cut, cuts[i]);
			ok(gs_file_write(path, gs_buf_str(&cut), 0644, &err));
			size_t n = 0;
			ck_assert_int_eq(gs_table_each_record(table, path, NULL,
			                     NULL, count_records, &n, &err),
			    GS_E_CORRUPT);
			ck_assert_ptr_nonnull(strstr(err.text, path));
			const struct gs_query query = {
			    .release = dir, .sql = "SELECT 1"};
			GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
			ck_assert_int_eq(
			    gs_table_query(table, &query, &out, &err),
			    GS_E_CORRUPT);
			ck_assert_ptr_nonnull(strstr(err.text, path));
		}
		ok(gs_tree_remove(path, &err) == 0 || unlink(path) == 0 ? 0
		                                                        : -1);
		ck_assert_int_eq(gs_table_each_record(table, path, NULL, NULL,
		                     count_records, NULL, &err),
		    GS_E_NOT_FOUND);
		end_temp(dir);
		gs_table_close(table);
	}

END_TEST

/* Names that DuckDB would read a meaning into. */
START_TEST(odd_paths_are_only_paths)
	{
		struct gs_table *table = open_table();
		char *dir = temp();
		static const char *const names[] = {
		    "a'b", "*", "[x]", "s3:", "~", "ü 1", "?.parquet"};
		for (size_t i = 0; i < GS_COUNT(names); i++) {
			GS_CLEANUP(gs_freep)
			char *path = gs_path_join(dir, names[i]);
			struct item item = {.name = path};
			uint64_t bytes;
			write_items(table, path, dir, &item, 1, &bytes);
			ok(gs_table_check_schema(
			    table, path, columns, GS_COUNT(columns), &err));
		}
		end_temp(dir);
		gs_table_close(table);
	}

END_TEST

START_TEST(another_schema_is_told)
	{
		struct gs_table *table = open_table();
		char *dir = temp();
		GS_CLEANUP(gs_freep)
		char *path = gs_path_join(dir, "x.parquet");
		uint64_t bytes;
		write_items(table, path, dir, NULL, 0, &bytes);
		ck_assert_int_eq(
		    gs_table_check_schema(table, path, columns, 3, &err),
		    GS_E_CORRUPT);
		struct gs_column other[GS_COUNT(columns)];
		memcpy(other, columns, sizeof(other));
		other[0].name = "title";
		ck_assert_int_eq(gs_table_check_schema(
		                     table, path, other, GS_COUNT(other), &err),
		    GS_E_CORRUPT);
		ck_assert_ptr_nonnull(strstr(err.text, "title"));
		other[0] = columns[0];
		other[1].type = GS_COLUMN_TEXT;
		ck_assert_int_eq(gs_table_check_schema(
		                     table, path, other, GS_COUNT(other), &err),
		    GS_E_CORRUPT);
		ck_assert_ptr_nonnull(strstr(err.text, "tags"));
		end_temp(dir);
		gs_table_close(table);
	}

END_TEST

GS_TESTS(table, GS_TEST(version_is_pinned),
    GS_TEST(a_missing_library_says_where_it_looked),
    GS_TEST(arrow_counts_what_the_rows_hold), GS_TEST(rows_come_back_in_order),
    GS_TEST(lists_keep_their_rows), GS_TEST(bad_text_is_refused),
    GS_TEST(no_rows_make_a_file_that_reads),
    GS_TEST(the_same_rows_give_the_same_bytes), GS_TEST(row_groups_are_bounded),
    GS_TEST(a_cut_file_is_named), GS_TEST(odd_paths_are_only_paths),
    GS_TEST(another_schema_is_told))

/* SPDX-License-Identifier: Apache-2.0 */
/* SQL of a stranger over a release. */
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "gs_test.h"
#include "os/file.h"
#include "os/tree.h"
#include "table/table.h"

static struct gs_err err;
static struct gs_table *table;
static char *release;

static void ok(int rc)
{
	ck_assert_msg(rc == 0, "%d: %s", rc, err.text);
}

static void set_texts(
    void *row, const struct gs_column *columns, size_t n, const char *id)
{
	for (size_t i = 0; i < n; i++)
		if (columns[i].type == GS_COLUMN_TEXT) {
			char **at =
			    (char **)(void *)((char *)row + columns[i].offset);
			free(*at);
			*at = gs_strdup(
			    strcmp(columns[i].name, "id") == 0 ? id : "[]");
		}
}

static void put_record(struct gs_table_writer *writer, const char *id,
    const char *subject, int64_t lines)
{
	GS_CLEANUP(gs_record_release) struct gs_record record = {0};
	set_texts(&record, gs_record_columns, gs_n_record_columns, id);
	free(record.subject);
	record.subject = gs_strdup(subject);
	record.diff_lines = lines;
	gs_strv_push(&record.fail_to_pass, "t.py::a");
	gs_strv_push(&record.fail_to_pass, "t.py::b");
	ok(gs_table_add(writer, &record, &err));
}

static void setup(void)
{
	ok(gs_table_open(&table, &err));
	ok(gs_dir_make_temp("/tmp", "gs-query-", &release, &err));
	GS_CLEANUP(gs_freep)
	char *oracles = gs_path_join(release, "oracles.parquet");
	GS_CLEANUP(gs_freep)
	char *evidence = gs_path_join(release, "evidence.parquet");
	struct gs_table_writer *writer = NULL;
	ok(gs_table_begin(table, gs_record_columns, gs_n_record_columns,
	    release, &writer, &err));
	put_record(writer, "gs-1", "fix", 3);
	put_record(writer, "gs-2", "say \"hi\", then\nbye", 12);
	put_record(
	    writer, "gs-3", "\x1b]0;x\x07 \u202e| a | <script> 漢字", 200);
	uint64_t bytes;
	ok(gs_table_end(writer, oracles, &bytes, &err));
	ok(gs_table_begin(table, gs_evidence_columns, gs_n_evidence_columns,
	    release, &writer, &err));
	GS_CLEANUP(gs_evidence_release) struct gs_evidence e = {0};
	set_texts(&e, gs_evidence_columns, gs_n_evidence_columns, "gs-1");
	ok(gs_table_add(writer, &e, &err));
	ok(gs_table_end(writer, evidence, &bytes, &err));
}

static void teardown(void)
{
	ok(gs_tree_remove(release, &err));
	free(release);
	gs_table_close(table);
}

static const struct {
	enum gs_query_format format;
	size_t width;
	const char *sql, *answer;
} answers[] = {
    {GS_QUERY_TABLE, 0, "SELECT id, diff_lines FROM oracles WHERE id < 'gs-3'",
        "id    diff_lines\n"
        "----  ----------\n"
        "gs-1           3\n"
        "gs-2          12\n"},
    {GS_QUERY_TABLE, 0, "SELECT subject FROM oracles WHERE id = 'gs-2'",
        "subject\n"
        "---------------------\n"
        "say \"hi\", then\\x0abye\n"},
    {GS_QUERY_TABLE, 24, "SELECT id, repeat('x', 100) AS x FROM oracles",
        "id    x\n"
        "----  ------------------\n"
        "gs-1  xxxxxxxxxxxxxxxxx…\n"
        "gs-2  xxxxxxxxxxxxxxxxx…\n"
        "gs-3  xxxxxxxxxxxxxxxxx…\n"},
    /* wide characters count two columns */
    {GS_QUERY_TABLE, 8, "SELECT '漢字漢字漢字' AS w",
        "w\n"
        "-------\n"
        "漢字漢…\n"},
    {GS_QUERY_TABLE, 0, "SELECT id FROM oracles WHERE false",
        "id\n"
        "--\n"},
    /* a query may end in a semicolon, or in a comment */
    {GS_QUERY_CSV, 0, "SELECT 1 AS a; -- done", "a\n1\n"},
    {GS_QUERY_CSV, 0, "SELECT 'it''s' AS \"q'\" -- x", "q'\nit's\n"},
    {GS_QUERY_CSV, 0,
        "SELECT subject, NULL AS n, '' AS e FROM oracles WHERE id = 'gs-2'",
        "subject,n,e\n\"say \"\"hi\"\", then\nbye\",,\"\"\n"},
    {GS_QUERY_CSV, 0, "FROM oracles SELECT count(*) AS n", "n\n3\n"},
    {GS_QUERY_CSV, 0, "SELECT 1 AS a, 2 AS a", "a,a\n1,2\n"},
    {GS_QUERY_JSON_LINES, 0,
        "SELECT id, fail_to_pass, diff_lines, 1.5::DOUBLE AS d, NULL AS n, "
        "true AS t FROM oracles LIMIT 1",
        "{\"id\":\"gs-1\",\"fail_to_pass\":[\"t.py::a\",\"t.py::b\"],"
        "\"diff_lines\":3,\"d\":1.5,\"n\":null,\"t\":true}\n"},
    {GS_QUERY_JSON_LINES, 0,
        "SELECT o.id FROM oracles o JOIN evidence e USING (id)",
        "{\"id\":\"gs-1\"}\n"},
    {GS_QUERY_CSV, 0,
        "SELECT subject FROM oracles ORDER BY diff_lines DESC LIMIT 1 OFFSET 2",
        "subject\nfix\n"},
    {GS_QUERY_CSV, 0, "SELECT TIMESTAMPTZ '2024-01-01 00:00:00+00' AS t",
        "t\n2024-01-01 00:00:00+00\n"},
};

/* Opening DuckDB takes over a second under sanitizers: no one test process
 * does all rows, lest it meet Check's time limit on a busy machine. */
static const int shares[4] __attribute__((used));

START_TEST(answers_are_exact)
	{
		setup();
		for (size_t i = (size_t)_i; i < GS_COUNT(answers);
		     i += GS_COUNT(shares)) {
			const struct gs_query query = {.release = release,
			    .sql = answers[i].sql,
			    .format = answers[i].format,
			    .width = answers[i].width};
			GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
			ok(gs_table_query(table, &query, &out, &err));
			ck_assert_str_eq(gs_buf_cstr(&out), answers[i].answer);
		}
		teardown();
	}

END_TEST

/* Nothing but reading the two views; DuckDB's words where it has some. */
static const struct {
	const char *sql, *words;
} refusals[] = {
    {"SELEC 1", "syntax error"},
    {"SELECT nothing FROM oracles", "nothing"},
    {"SELECT * FROM nowhere", "nowhere"},
    {"SELECT 'x'::INTEGER", "Could not convert"},
    {"SELECT subject::INTEGER FROM oracles", "Could not convert"},
    {"", "one SQL statement"},
    {"-- nothing", "one SQL statement"},
    {"SELECT 1; SELECT 2", "one SQL statement"},
    {"SELECT $1", "parameters"},
    {"COPY oracles TO '/tmp/gs-query-stolen'", ""},
    {"COPY (SELECT 1) TO '/proc/self/fd/5'", "SELECT"},
    {"EXPLAIN ANALYZE COPY (SELECT 1) TO '/tmp/gs-query-stolen'", ""},
    {"CREATE TABLE t (x INT)", "SELECT"},
    {"DROP VIEW oracles", "SELECT"},
    {"ATTACH '/tmp/gs-query-stolen'", "SELECT"},
    {"INSTALL httpfs", "SELECT"},
    {"LOAD httpfs", "SELECT"},
    {"SET enable_external_access = true", "SELECT"},
    {"PRAGMA enable_external_access", ""},
    {"SELECT * FROM read_text('/etc/passwd')", "disabled"},
    {"SELECT * FROM '/etc/passwd'", ""},
    {"SELECT * FROM read_csv('/etc/passwd')", "disabled"},
    {"SELECT * FROM glob('/etc/*')", ""},
    {"SELECT * FROM read_parquet('https://example.org/x.parquet')", ""},
    {"SELECT * FROM sqlite_scan('/etc/passwd', 'x')", ""},
    {"SELECT * FROM query('COPY oracles TO ''/tmp/gs-query-stolen''')", ""},
};

START_TEST(only_reading_is_allowed)
	{
		setup();
		for (size_t i = (size_t)_i; i < GS_COUNT(refusals);
		     i += GS_COUNT(shares)) {
			const struct gs_query query = {
			    .release = release, .sql = refusals[i].sql};
			GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
			int rc = gs_table_query(table, &query, &out, &err);
			ck_assert_msg(rc == GS_E_USAGE, "%s: %d, %s, %s",
			    query.sql, rc, err.text, gs_buf_cstr(&out));
			ck_assert_msg(
			    strstr(err.text, refusals[i].words) != NULL,
			    "%s: %s", query.sql, err.text);
			ck_assert(!gs_path_exists("/tmp/gs-query-stolen"));
		}
		teardown();
	}

END_TEST

/* F171: no escape sequence, no override, one line a row. */
START_TEST(a_table_is_harmless)
	{
		setup();
		const struct gs_query query = {.release = release,
		    .sql = "SELECT subject, id FROM oracles WHERE id = 'gs-3'"};
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		ok(gs_table_query(table, &query, &out, &err));
		const char *text = gs_buf_cstr(&out);
		ck_assert(!strchr(text, '\x1b') && !strchr(text, '\x07'));
		ck_assert(!strstr(text, "\u202e"));
		ck_assert(strstr(text, "<script>"));
		teardown();
	}

END_TEST

START_TEST(a_folder_that_is_no_release)
	{
		setup();
		const struct gs_query query = {
		    .release = "/tmp", .sql = "SELECT 1"};
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		ck_assert_int_eq(
		    gs_table_query(table, &query, &out, &err), GS_E_NOT_FOUND);
		ck_assert_ptr_nonnull(
		    strstr(err.text, "/tmp is not a release"));
		teardown();
	}

END_TEST

/* Asking leaves nothing behind, neither in the release nor where one stands. */
START_TEST(an_answer_too_long_is_told)
	{
		setup();
		const struct gs_query query = {.release = release,
		    .sql = "SELECT repeat('x', 1000) FROM range(100000)"};
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {.max = 1 << 20};
		ck_assert_int_eq(
		    gs_table_query(table, &query, &out, &err), GS_E_LIMIT);
		ck_assert(!gs_path_exists(".tmp"));
		teardown();
	}

END_TEST

GS_TESTS(query, GS_TEST_ROWS(answers_are_exact, shares),
    GS_TEST_ROWS(only_reading_is_allowed, shares), GS_TEST(a_table_is_harmless),
    GS_TEST(a_folder_that_is_no_release), GS_TEST(an_answer_too_long_is_told))

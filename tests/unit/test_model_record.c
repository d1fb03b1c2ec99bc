/* SPDX-License-Identifier: Apache-2.0 */
/* The 29 columns, what every record must be by itself, and verdicts. */
#include <string.h>

#include "base/mem.h"
#include "gs_test.h"
#include "model/diff.h"
#include "model/identity.h"
#include "model/verdict.h"

/* P1: the card's columns, in its order and types */
static const struct column_row {
	const char *name;
	enum gs_column_type type;
} column_rows[] = {
    {"repo", GS_COLUMN_TEXT},
    {"unit", GS_COLUMN_TEXT},
    {"subject", GS_COLUMN_TEXT},
    {"granularity", GS_COLUMN_TEXT},
    {"spec_source", GS_COLUMN_TEXT},
    {"spec", GS_COLUMN_TEXT},
    {"source_before", GS_COLUMN_TEXT},
    {"source_after", GS_COLUMN_TEXT},
    {"test_file", GS_COLUMN_TEXT},
    {"fail_to_pass", GS_COLUMN_LIST},
    {"committed_at", GS_COLUMN_TEXT},
    {"parent_at", GS_COLUMN_TEXT},
    {"license", GS_COLUMN_TEXT},
    {"license_file", GS_COLUMN_TEXT},
    {"also_in", GS_COLUMN_TEXT},
    {"commit", GS_COLUMN_TEXT},
    {"parent", GS_COLUMN_TEXT},
    {"commit_url", GS_COLUMN_TEXT},
    {"repo_url", GS_COLUMN_TEXT},
    {"module", GS_COLUMN_TEXT},
    {"units_changed", GS_COLUMN_LIST},
    {"diff_lines", GS_COLUMN_INT},
    {"n_tests", GS_COLUMN_INT},
    {"fingerprint", GS_COLUMN_TEXT},
    {"id", GS_COLUMN_TEXT},
    {"language", GS_COLUMN_TEXT},
    {"validated_at", GS_COLUMN_TEXT},
    {"validator", GS_COLUMN_TEXT},
    {"schema_version", GS_COLUMN_INT},
};

START_TEST(columns)
	{
		ck_assert_uint_eq(gs_n_record_columns, 29);
		ck_assert_str_eq(
		    gs_record_columns[_i].name, column_rows[_i].name);
		ck_assert_int_eq(
		    gs_record_columns[_i].type, column_rows[_i].type);
		ck_assert_str_ne(gs_record_columns[_i].meaning, "");
	}

END_TEST

static void set(char **member, const char *text)
{
	free(*member);
	*member = gs_strdup(text);
}

/* I2, I3, P2: what follows from the rest, put right again */
static void derive(struct gs_record *r)
{
	char hex[GS_SHA256_HEX], id[GS_ID_SIZE];
	struct gs_diff diff = {0};
	gs_diff(gs_str(r->source_before), gs_str(r->source_after), &diff);
	r->diff_lines = (int64_t)(diff.added + diff.removed);
	gs_diff_release(&diff);
	r->n_tests = (int64_t)r->fail_to_pass.n;
	gs_fingerprint(gs_str(r->source_before), gs_str(r->source_after), hex);
	set(&r->fingerprint, hex);
	gs_record_id(&(struct gs_identity){r->repo, r->commit, r->parent,
	                 r->module, r->unit, r->granularity, r->fingerprint},
	    id);
	set(&r->id, id);
}

static struct gs_record good_record(void)
{
	struct gs_record r = {.schema_version = GS_SCHEMA_VERSION};
	set(&r.repo, "owner/name");
	set(&r.unit, "f");
	set(&r.subject, "Fix f");
	set(&r.granularity, "function");
	set(&r.spec_source, "docstring");
	set(&r.spec, "One more.");
	set(&r.source_before, "def f(x):\n    return x\n");
	set(&r.source_after, "def f(x):\n    return x + 1\n");
	set(&r.test_file, "tests/test_m.py");
	gs_strv_push(&r.fail_to_pass, "tests/test_m.py::test_a");
	gs_strv_push(&r.fail_to_pass, "tests/test_m.py::test_b");
	set(&r.committed_at, "2024-05-01T00:00:00Z");
	set(&r.parent_at, "2024-06-01T00:00:00Z"); /* F008: may be later */
	set(&r.license, "MIT");
	set(&r.license_file, "LICENSE");
	set(&r.also_in, "");
	set(&r.commit, "1111111111111111111111111111111111111111");
	set(&r.parent, "2222222222222222222222222222222222222222");
	set(&r.commit_url, "");
	set(&r.repo_url, "");
	set(&r.module, "pkg.m");
	gs_strv_push(&r.units_changed, "pkg.m:f");
	set(&r.language, "python");
	set(&r.validated_at, "2026-01-01T00:00:00Z");
	set(&r.validator, "goldset 0.1.0; CPython 3.11.2; pytest 7.2.1");
	derive(&r);
	return r;
}

static char *text_column(struct gs_record *record, const char *name,
    const struct gs_column **ret_column)
{
	for (size_t i = 0; i < gs_n_record_columns; i++)
		if (strcmp(gs_record_columns[i].name, name) == 0) {
			*ret_column = &gs_record_columns[i];
			return (char *)record + gs_record_columns[i].offset;
		}
	ck_abort_msg("no column %s", name);
	return NULL;
}

/* One member spoilt; the sentence names it. F132: UTF-8 only. */
static const struct bad_row {
	const char *column, *value;
	bool rederive; /* so that only the column itself is wrong */
} bad_rows[] = {
    {"repo", "", true},
    {"unit", "", true},
    {"spec", "", false},
    {"spec", "caf\xE9", false},
    {"subject", NULL, false},
    {"source_before", "", true},
    {"source_after", "", true},
    {"source_after", "\xFF", true},
    {"granularity", "class", true},
    {"spec_source", "commit_message", false},
    {"test_file", "tests/test_n.py", false},
    {"committed_at", "2024-05-01", false},
    {"committed_at", "2024-05-01T00:00:00+00:00", false},
    {"parent_at", "2024-13-01T00:00:00Z", false},
    {"validated_at", "", false},
    {"license", "", false},
    {"commit", "1111", true},
    {"parent", "GGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGGG", true},
    {"repo_url", "https://example.org/r", false},
    {"fingerprint", "00", false},
    {"id", "gs-0000000000000000", false},
    {"language", "rust", false},
    {"validator", "", false},
};

START_TEST(refuses)
	{
		const struct bad_row *row = &bad_rows[_i];
		struct gs_record record = good_record();
		struct gs_err err = {0};
		const struct gs_column *column;
		char **member =
		    (char **)(void *)text_column(&record, row->column, &column);
		set(member, row->value);
		if (row->rederive)
			derive(&record);
		ck_assert_int_eq(gs_record_check(&record, &err), GS_E_CORRUPT);
		ck_assert_msg(strstr(err.text, row->column) != NULL, "%s: %s",
		    row->column, err.text);
		gs_record_release(&record);
	}

END_TEST

/* P2, K1: numbers and lists */
START_TEST(refuses_numbers_and_lists)
	{
		struct gs_record record = good_record();
		int64_t *const numbers[] = {&record.diff_lines, &record.n_tests,
		    &record.schema_version};
		struct gs_err err = {0};
		for (size_t i = 0; i < GS_COUNT(numbers); i++) {
			(*numbers[i])++;
			ck_assert_int_eq(
			    gs_record_check(&record, &err), GS_E_CORRUPT);
			(*numbers[i])--;
			ck_assert_int_eq(gs_record_check(&record, &err), 0);
		}
		struct gs_strv *const lists[] = {
		    &record.fail_to_pass, &record.units_changed};
		for (size_t i = 0; i < GS_COUNT(lists); i++) {
			/* not sorted, then twice */
			gs_strv_push(lists[i], "a");
			derive(&record);
			ck_assert_int_eq(
			    gs_record_check(&record, &err), GS_E_CORRUPT);
			gs_strv_push(lists[i], "a");
			gs_strv_sort(lists[i]);
			derive(&record);
			ck_assert_int_eq(
			    gs_record_check(&record, &err), GS_E_CORRUPT);
			gs_strv_uniq(lists[i]);
			derive(&record);
			ck_assert_int_eq(gs_record_check(&record, &err), 0);
		}
		gs_strv_reset(&record.fail_to_pass);
		derive(&record);
		ck_assert_int_eq(gs_record_check(&record, &err), GS_E_CORRUPT);
		gs_record_release(&record);
	}

END_TEST

START_TEST(accepts)
	{
		struct gs_record record = good_record();
		struct gs_err err = {0};
		ck_assert_msg(
		    gs_record_check(&record, &err) == 0, "good: %s", err.text);
		/* K4: an empty subject where the docstring is the spec */
		set(&record.subject, "");
		ck_assert_int_eq(gs_record_check(&record, &err), 0);
		set(&record.repo_url, "https://example.org/r");
		set(&record.commit_url, "https://example.org/r/commit/1");
		ck_assert_int_eq(gs_record_check(&record, &err), 0);
		/* a file that was empty before */
		set(&record.granularity, "file");
		set(&record.unit, "pkg.m");
		set(&record.spec_source, "commit_message");
		set(&record.source_before, "");
		derive(&record);
		ck_assert_int_eq(gs_record_check(&record, &err), GS_E_CORRUPT);
		ck_assert_ptr_nonnull(strstr(err.text, "subject"));
		set(&record.subject, "Fix f");
		ck_assert_int_eq(gs_record_check(&record, &err), 0);
		gs_record_release(&record);
	}

END_TEST

/* One JSON document from the worker to the store, the same after. */
START_TEST(verdict_of_a_record)
	{
		struct gs_verdict verdict = {
		    .is_record = true, .record = good_record()};
		struct gs_verdict back;
		struct gs_buf first = {0}, second = {0};
		struct gs_err err = {0};
		set(&verdict.evidence.id, verdict.record.id);
		set(&verdict.evidence.signals, "{\"fix_word\": true}");
		gs_strv_push(&verdict.evidence.flaky, "t::\"x\"\n");
		verdict.evidence.docstring_changed = true;
		verdict.evidence.unit_end = 21;
		set(&verdict.runs, "[{\"label\": \"before\"}]");
		gs_verdict_write(&verdict, &first);
		ck_assert_msg(
		    gs_verdict_parse(gs_buf_str(&first), &back, &err) == 0,
		    "%s", err.text);
		gs_verdict_write(&back, &second);
		ck_assert_str_eq(gs_buf_cstr(&first), gs_buf_cstr(&second));
		ck_assert(back.evidence.docstring_changed);
		ck_assert_int_eq(back.evidence.unit_end, 21);
		ck_assert_str_eq(back.runs, verdict.runs);
		ck_assert_ptr_null(back.evidence.cheats);
		ck_assert_int_eq(gs_record_check(&back.record, &err), 0);
		gs_verdict_release(&verdict);
		gs_verdict_release(&back);
		gs_buf_release(&first);
		gs_buf_release(&second);
	}

END_TEST

START_TEST(verdict_of_a_refusal)
	{
		struct gs_verdict verdict = {.is_infra = true};
		struct gs_verdict back;
		struct gs_buf text = {0};
		struct gs_err err = {0};
		set(&verdict.reason, "environment unsatisfied");
		set(&verdict.detail, "The module six is not installed.");
		set(&verdict.missing_module, "six");
		gs_verdict_write(&verdict, &text);
		ck_assert_int_eq(
		    gs_verdict_parse(gs_buf_str(&text), &back, &err), 0);
		ck_assert(!back.is_record && back.is_infra);
		ck_assert_str_eq(back.reason, "environment unsatisfied");
		ck_assert_str_eq(back.missing_module, "six");
		gs_verdict_release(&verdict);
		gs_verdict_release(&back);
		gs_buf_release(&text);
	}

END_TEST

static const char *const bad_verdicts[] = {
    "",
    "[]",
    "{}",
    "{\"is_record\": 1}",
    "{\"is_record\": false}",
    "{\"is_record\": true}",
    "{\"is_record\": true, \"record\": {\"repo\": 3}}",
    "{\"is_record\": true, \"record\": {\"repo\": \"a\\u0000b\"}}",
};

START_TEST(bad_verdict)
	{
		struct gs_verdict verdict;
		struct gs_err err = {0};
		ck_assert_int_eq(
		    gs_verdict_parse(gs_str(bad_verdicts[_i]), &verdict, &err),
		    GS_E_CORRUPT);
		ck_assert_str_ne(err.text, "");
	}

END_TEST

/* Evidence names every member once, and each column can be reached. */
START_TEST(evidence_columns)
	{
		struct gs_evidence evidence = {.unit_start = 7};
		struct gs_strv names = {0};
		ck_assert_uint_eq(gs_n_evidence_columns, 26);
		for (size_t i = 0; i < gs_n_evidence_columns; i++) {
			const struct gs_column *column =
			    &gs_evidence_columns[i];
			gs_strv_push(&names, column->name);
			ck_assert_uint_lt(column->offset, sizeof(evidence));
			if (strcmp(column->name, "unit_start") == 0)
				ck_assert_int_eq(
				    gs_column_int(&evidence, column), 7);
		}
		gs_strv_sort(&names);
		gs_strv_uniq(&names);
		ck_assert_uint_eq(names.n, gs_n_evidence_columns);
		gs_strv_release(&names);
	}

END_TEST

GS_TESTS(record, GS_TEST_ROWS(columns, column_rows), GS_TEST(accepts),
    GS_TEST_ROWS(refuses, bad_rows), GS_TEST(refuses_numbers_and_lists),
    GS_TEST(verdict_of_a_record), GS_TEST(verdict_of_a_refusal),
    GS_TEST_ROWS(bad_verdict, bad_verdicts), GS_TEST(evidence_columns))

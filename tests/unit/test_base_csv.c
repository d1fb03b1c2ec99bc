/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of CSV, out and in. */
#include "base/csv.h"
#include "gs_test.h"

static const struct {
	const char *line;
	const char *fields[4];
} lines[] = {
    {"a,b,c", {"a", "b", "c"}},
    {"a,,", {"a", "", ""}},
    {"", {""}},
    {"\"a,b\",\"say \"\"no\"\"\"", {"a,b", "say \"no\""}},
    {"\"a\nb\",c", {"a\nb", "c"}},
    {"\"open", {"open"}},
};

START_TEST(fields_of_a_line)
	{
		struct gs_str rest = gs_str(lines[_i].line);
		struct gs_buf field = {0};
		for (size_t i = 0; lines[_i].fields[i]; i++) {
			ck_assert(gs_csv_field(&rest, &field));
			ck_assert_str_eq(
			    gs_buf_cstr(&field), lines[_i].fields[i]);
		}
		ck_assert(!gs_csv_field(&rest, &field));
		gs_buf_release(&field);
	}

END_TEST

static const struct {
	const char *field, *written;
} fields[] = {
    {"", ""},
    {"plain text", "plain text"},
    {"a,b", "\"a,b\""},
    {"a\nb", "\"a\nb\""},
    {"a\r", "\"a\r\""},
    {"say \"no\"", "\"say \"\"no\"\"\""},
};

START_TEST(what_is_written_is_read)
	{
		struct gs_buf line = {0}, field = {0};
		gs_csv_add(&line, gs_str(fields[_i].field));
		ck_assert_str_eq(gs_buf_cstr(&line), fields[_i].written);
		struct gs_str rest = gs_buf_str(&line);
		if (rest.n > 0) {
			ck_assert(gs_csv_field(&rest, &field));
			ck_assert_str_eq(gs_buf_cstr(&field), fields[_i].field);
		}
		gs_buf_release(&line);
		gs_buf_release(&field);
	}

END_TEST

GS_TESTS(base_csv, GS_TEST_ROWS(fields_of_a_line, lines),
    GS_TEST_ROWS(what_is_written_is_read, fields))

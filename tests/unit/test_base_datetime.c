/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <time.h>

#include "base/datetime.h"
#include "gs_test.h"

static const struct at_row {
	int64_t at;
	const char *text;
} at_rows[] = {
    {0, "1970-01-01T00:00:00Z"},
    {-1, "1969-12-31T23:59:59Z"},
    {951782400, "2000-02-29T00:00:00Z"},
    {1709164800, "2024-02-29T00:00:00Z"},
    {4107542400, "2100-03-01T00:00:00Z"},
    {2147483648, "2038-01-19T03:14:08Z"},
    {-62135596800, "0001-01-01T00:00:00Z"},
    {GS_DATETIME_MIN, "0000-01-01T00:00:00Z"},
    {GS_DATETIME_MAX, "9999-12-31T23:59:59Z"},
};

START_TEST(both_ways)
	{
		const struct at_row *row = &at_rows[_i];
		char text[GS_DATETIME_SIZE];
		int64_t at = 42;

		gs_datetime_print(row->at, text);
		ck_assert_str_eq(text, row->text);
		ck_assert(gs_datetime_parse(gs_str(row->text), &at));
		ck_assert_int_eq(at, row->at);
	}

END_TEST

/* The C library as the oracle, over ten thousand years. */
START_TEST(agrees_with_gmtime)
	{
		for (int64_t at = GS_DATETIME_MIN; at <= GS_DATETIME_MAX;
		     at += INT64_C(86399) * 17) {
			char text[GS_DATETIME_SIZE], want[64];
			time_t t = (time_t)at;
			struct tm tm;
			int64_t back;
			if (!gmtime_r(&t, &tm))
				ck_abort();
			(void)strftime(
			    want, sizeof(want), "-%m-%dT%H:%M:%SZ", &tm);
			gs_datetime_print(at, text);
			if (strcmp(text + 4, want) != 0 ||
			    atoi(text) != tm.tm_year + 1900)
				ck_abort_msg("%lld: %s, not %s", (long long)at,
				    text, want);
			if (!gs_datetime_parse(gs_str(text), &back) ||
			    back != at)
				ck_abort_msg("%s does not come back", text);
		}
	}

END_TEST

START_TEST(a_bare_day)
	{
		int64_t at;

		ck_assert(gs_datetime_parse(GS_STR("2024-02-29"), &at));
		ck_assert_int_eq(at, 1709164800);
	}

END_TEST

static const char *const refused[] = {"", "2024", "2024-02", "2024-2-29",
    "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-04-31",
    "2024-01-00", "2024-01-01T", "2024-01-01T00:00:00", "2024-01-01T00:00:00z",
    "2024-01-01 00:00:00Z", "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z",
    "2024-01-01T00:00:60Z", "2024-01-01T00:00:00+00:00",
    "2024-01-01T00:00:00.5Z", " 2024-01-01", "2024-01-01 ", "+024-01-01",
    "-024-01-01", "20240101", "\xd9\xa2\x32\x34-01-01"};

START_TEST(refuses)
	{
		int64_t at = 42;

		ck_assert(!gs_datetime_parse(gs_str(refused[_i]), &at));
		ck_assert_int_eq(at, 42);
	}

END_TEST

GS_TESTS(base_datetime, GS_TEST_ROWS(both_ways, at_rows),
    GS_TEST(agrees_with_gmtime), GS_TEST(a_bare_day),
    GS_TEST_ROWS(refuses, refused))

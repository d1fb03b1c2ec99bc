/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/progress.h"
#include "gs_test.h"

static const struct {
	struct gs_pace pace;
	const char *more, *line;
} rows[] = {
    {{.done = 0, .total = 340}, NULL, "work 0/340 (0 %)"},
    {{.done = 12, .total = 340, .elapsed_ms = 900}, "a",
        "work 12/340 (3 %), a"},
    {{.done = 12, .total = 340, .elapsed_ms = 36000}, "records",
        "work 12/340 (3 %), records, 20.0 a minute, 16 min 24 s left"},
    {{.done = 1000, .total = 3000, .elapsed_ms = 10000}, NULL,
        "work 1000/3000 (33 %), 100 a second, 20 s left"},
    /* What an earlier run did gives no rate. */
    {{.done = 1000, .total = 3000, .first = 1000, .elapsed_ms = 10000}, NULL,
        "work 1000/3000 (33 %)"},
    {{.done = 1010, .total = 1020, .first = 1000, .elapsed_ms = 60000}, NULL,
        "work 1010/1020 (99 %), 10.0 a minute, 1 min 0 s left"},
    {{.done = 340, .total = 340, .elapsed_ms = 36000}, NULL,
        "work 340/340 (100 %), 9 a second"},
    {{.done = 51000, .elapsed_ms = 10000}, "commits",
        "work 51000 commits, 5100 a second"},
};

START_TEST(the_line_says_how_far_how_fast_and_how_long)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf line = {0};
		gs_progress_words(&line, "work", &rows[_i].pace, rows[_i].more);
		ck_assert_str_eq(gs_buf_cstr(&line), rows[_i].line);
	}

END_TEST

GS_TESTS(cli_progress,
    GS_TEST_ROWS(the_line_says_how_far_how_fast_and_how_long, rows))

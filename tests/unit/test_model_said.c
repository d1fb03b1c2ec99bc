/* SPDX-License-Identifier: Apache-2.0 */
/* What failing tests said, made fit to be published (P1, P3). */
#include <string.h>

#include "base/utf8.h"
#include "gs_test.h"
#include "model/said.h"

static const struct row {
	const char *name;
	const char *exception, *message, *want;
} rows[] = {
    {"both", "ValueError", "no such day", "ValueError: no such day"},
    {"no text", "KeyError", "", "KeyError"},
    {"no exception", NULL, "Interrupted", "Interrupted"},
    {"lines stay", "AssertionError", "assert 1 == 2\n + where 1 = f()",
        "AssertionError: assert 1 == 2\n + where 1 = f()"},
    {"an address", "E", "<T object at 0x7f12ab34> and 0x7",
        "E: <T object at 0x…> and 0x7"},
    {"controls", "E",
        "\x1b[31mred\a \xe2\x80\xae"
        "drawkcab",
        "E: \\x1b[31mred\\x07 \\u{202e}drawkcab"},
    {"a folder of the machine", "E", "no /srv/ws/envs/a1/lib/x.py in /w/tree",
        "E: no …/lib/x.py in /w/tree"},
};

START_TEST(clean)
	{
		const struct row *row = &rows[_i];
		struct gs_strv hidden = {0};
		struct gs_buf got = {0};
		gs_strv_push(&hidden, "/srv/ws");
		gs_strv_push(&hidden, "/srv/ws/envs/a1");
		gs_said_clean(row->exception, row->message, &hidden, &got);
		ck_assert_str_eq(gs_buf_cstr(&got), row->want);
		gs_buf_release(&got);
		gs_strv_release(&hidden);
	}

END_TEST

START_TEST(long_ones_are_cut)
	{
		struct gs_strv hidden = {0};
		struct gs_buf text = {0}, got = {0};
		for (int i = 0; i < 3000; i++)
			gs_buf_addz(&text, "é");
		gs_said_clean(NULL, gs_buf_cstr(&text), &hidden, &got);
		ck_assert(gs_utf8_valid(gs_buf_str(&got)));
		ck_assert_uint_eq(gs_utf8_width(gs_buf_str(&got)), GS_SAID_MAX);
		ck_assert(gs_str_ends(gs_buf_str(&got), "é…"));
		gs_buf_release(&got);
		gs_buf_release(&text);
	}

END_TEST

static const struct alike_row {
	const char *name;
	const char *a, *b, *want;
} alike_rows[] = {
    {"the same", "E: one\ntwo", "E: one\ntwo", "E: one\ntwo"},
    {"a word", "E: took 12.5 s", "E: took 12.7 s", "E: took … s"},
    {"half a number is none", "E: 1732", "E: 1733", "E: …"},
    {"what was left out stays out", "E: took … s", "E: took 3 s",
        "E: took … s"},
    {"a line", "E\nat 10\nend", "E\nat 11\nend", "E\nat …\nend"},
    {"more lines", "E\n{1, 2}", "E\n{1, 2}\n{3}", "E\n{1, 2}\n…"},
    {"the words between", "f(a b c d)", "f(a x y d)", "f(a … d)"},
};

START_TEST(alike)
	{
		const struct alike_row *row = &alike_rows[_i];
		struct gs_buf got = {0}, back = {0};
		gs_said_alike(gs_str(row->a), gs_str(row->b), &got);
		gs_said_alike(gs_str(row->b), gs_str(row->a), &back);
		ck_assert_str_eq(gs_buf_cstr(&got), row->want);
		ck_assert_str_eq(gs_buf_cstr(&back), row->want);
		gs_buf_release(&got);
		gs_buf_release(&back);
	}

END_TEST

GS_TESTS(model_said, GS_TEST_ROWS(clean, rows), GS_TEST(long_ones_are_cut),
    GS_TEST_ROWS(alike, alike_rows))

/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/utf8.h"
#include "gs_test.h"

#define R "\xef\xbf\xbd"

/* Unicode 15, table 3-8 and its neighbours: what each ill-formed sequence
 * becomes. */
static const struct repair_row {
	const char *in, *out;
} repair_rows[] = {
    {"", ""},
    {"abc", "abc"},
    {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
        "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
    {"\xc0\xaf\xe0\x80\xbf\xf0\x81\x82\x41", R R R R R R R R "A"},
    {"\xed\xa0\x80\xed\xbf\xbf\xed\xaf\x41", R R R R R R R R "A"},
    {"\xf4\x91\x92\x93\xff\x41\x80\xbf\x42", R R R R R "A" R R "B"},
    {"\xe1\x80\xe2\xf0\x91\x92\xf1\xbf\x41", R R R R "A"},
    {"\xe2\x82", R},
    {"\xf0\x9f\x98", R},
    {"a\xf4\x8f\xbf\xbf", "a\xf4\x8f\xbf\xbf"},
    {"\xf5\x80\x80\x80", R R R R},
};

START_TEST(repairs)
	{
		const struct repair_row *row = &repair_rows[_i];
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};

		gs_utf8_repair(&out, gs_str(row->in));
		ck_assert_str_eq(gs_buf_cstr(&out), row->out);
		ck_assert(gs_utf8_valid(gs_buf_str(&out)));
		ck_assert_int_eq(gs_utf8_valid(gs_str(row->in)),
		    strcmp(row->in, row->out) == 0);
	}

END_TEST

/* Every code point goes out and comes back; surrogates never go out. */
START_TEST(every_code_point)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};

		for (uint32_t c = 0; c <= 0x110000; c++) {
			bool is_scalar =
			    c <= 0x10ffff && (c < 0xd800 || c > 0xdfff);
			gs_buf_reset(&out);
			gs_utf8_put(&out, c);
			struct gs_str s = gs_buf_str(&out);
			if (!gs_utf8_valid(s))
				ck_abort_msg("U+%04X is not valid", c);
			if (gs_utf8_next(&s) != (is_scalar ? c : 0xfffd) ||
			    s.n != 0)
				ck_abort_msg("U+%04X does not come back", c);
		}
	}

END_TEST

static const uint32_t seeds[] = {1, 2, 3, 5, 8};

/* Random bytes: the repair is valid, changes nothing that is valid, and is
 * its own fixed point; the harmless form is valid and has no control. */
START_TEST(random_bytes)
	{
		static const unsigned char likely[] = {0x00, 0x0a, 0x1b, 0x41,
		    0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf,
		    0xe0, 0xe2, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff};
		GS_CLEANUP(gs_buf_release) struct gs_buf once = {0};
		GS_CLEANUP(gs_buf_release) struct gs_buf twice = {0};
		GS_CLEANUP(gs_buf_release) struct gs_buf harmless = {0};
		uint32_t state = seeds[_i];

		for (int round = 0; round < 1000; round++) {
			char bytes[24];
			for (size_t i = 0; i < sizeof(bytes); i++) {
				state = state * 1664525u + 1013904223u;
				bytes[i] =
				    (char)likely[(state >> 8) % sizeof(likely)];
			}
			struct gs_str s = gs_str_n(bytes, (state >> 4) % 25);
			gs_buf_reset(&once);
			gs_buf_reset(&twice);
			gs_buf_reset(&harmless);
			gs_utf8_repair(&once, s);
			gs_utf8_repair(&twice, gs_buf_str(&once));
			ck_assert(gs_utf8_valid(gs_buf_str(&once)));
			ck_assert(
			    gs_str_eq(gs_buf_str(&once), gs_buf_str(&twice)));
			if (gs_utf8_valid(s))
				ck_assert(gs_str_eq(gs_buf_str(&once), s));
			ck_assert_uint_le(gs_utf8_prefix(s), s.n);
			gs_utf8_harmless(&harmless, s, false);
			ck_assert(gs_utf8_valid(gs_buf_str(&harmless)));
			for (size_t i = 0; i < harmless.n; i++)
				if ((unsigned char)harmless.p[i] < 0x20)
					ck_abort_msg("a control is left");
		}
	}

END_TEST

static const struct harmless_row {
	const char *in;
	bool multiline;
	const char *out;
} harmless_rows[] = {
    {"caf\xc3\xa9", false, "caf\xc3\xa9"},
    {"a\nb\tc", true, "a\nb\tc"},
    {"a\nb\tc", false, "a\\x0ab\\x09c"},
    {"a\rb", true, "a\\x0db"},
    {"\033[2J", true, "\\x1b[2J"},
    {"\x7f", true, "\\x7f"},
    {"\xc2\x9b", true, "\\u{009b}"}, /* CSI in one */
    {"a\xe2\x80\xae"
     "b",
        true, "a\\u{202e}b"}, /* override */
    {"\xe2\x81\xa6", true, "\\u{2066}"},
    {"\xe2\x80\xa8", true, "\\u{2028}"},
    {"\xf3\xa0\x81\x81", true, "\\u{e0041}"}, /* a tag character */
    {"\xff\xe2\x82", true, "\\xff\\xe2\\x82"},
};

START_TEST(harmless)
	{
		const struct harmless_row *row = &harmless_rows[_i];
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};

		gs_utf8_harmless(&out, gs_str(row->in), row->multiline);
		ck_assert_str_eq(gs_buf_cstr(&out), row->out);
	}

END_TEST

static const struct width_row {
	const char *in;
	size_t width;
} width_rows[] = {
    {"", 0}, {"abc", 3}, {"caf\xc3\xa9", 4},
    {"cafe\xcc\x81", 4},             /* combining accent */
    {"\xe6\x97\xa5\xe6\x9c\xac", 4}, /* two ideographs */
    {"\xf0\x9f\x98\x80", 2},         /* an emoji */
    {"\xef\xbd\xb1", 1},             /* halfwidth katakana */
    {"\xef\xbc\xa1", 2},             /* fullwidth A */
    {"\xe2\x9c\x93", 1},             /* check mark */
};

START_TEST(width)
	{
		const struct width_row *row = &width_rows[_i];
		ck_assert_uint_eq(gs_utf8_width(gs_str(row->in)), row->width);
	}

END_TEST

GS_TESTS(base_utf8, GS_TEST_ROWS(repairs, repair_rows),
    GS_TEST(every_code_point), GS_TEST_ROWS(random_bytes, seeds),
    GS_TEST_ROWS(harmless, harmless_rows), GS_TEST_ROWS(width, width_rows))

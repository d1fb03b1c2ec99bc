/* SPDX-License-Identifier: Apache-2.0 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "gs_test.h"

static void write_sample(struct gs_json *json)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv strv = {0};

	gs_strv_push_all(&strv, "a", "b", NULL);
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "name", "x");
	gs_json_put_cstr(json, "none", NULL);
	gs_json_put_int(json, "n", INT64_MIN);
	gs_json_put_bool(json, "ok", true);
	gs_json_put_strv(json, "list", &strv);
	gs_json_key(json, "empty");
	gs_json_begin_array(json);
	gs_json_end_array(json);
	gs_json_key(json, "nested");
	gs_json_begin_array(json);
	gs_json_begin_object(json);
	gs_json_end_object(json);
	gs_json_real(json, 0.5);
	gs_json_raw(json, GS_STR("[1]"));
	gs_json_end_array(json);
	gs_json_end_object(json);
}

START_TEST(writes_compact)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		struct gs_json json = {.out = &out};

		write_sample(&json);
		ck_assert_str_eq(gs_buf_cstr(&out),
		    "{\"name\":\"x\",\"none\":null,\"n\":-9223372036854775808,"
		    "\"ok\":true,\"list\":[\"a\",\"b\"],\"empty\":[],"
		    "\"nested\":[{},0.5,[1]]}");
		/* The same writer goes on with the next line. */
		gs_buf_reset(&out);
		gs_json_begin_object(&json);
		gs_json_end_object(&json);
		gs_json_int(&json, 1);
		ck_assert_str_eq(gs_buf_cstr(&out), "{}1");
	}

END_TEST

START_TEST(writes_pretty)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		struct gs_json json = {.out = &out, .pretty = true};

		gs_json_begin_object(&json);
		gs_json_put_int(&json, "a", 1);
		gs_json_key(&json, "b");
		gs_json_begin_array(&json);
		gs_json_bool(&json, false);
		gs_json_null(&json);
		gs_json_end_array(&json);
		gs_json_key(&json, "c");
		gs_json_begin_object(&json);
		gs_json_end_object(&json);
		gs_json_end_object(&json);
		ck_assert_str_eq(gs_buf_cstr(&out), "{\n"
		                                    "  \"a\": 1,\n"
		                                    "  \"b\": [\n"
		                                    "    false,\n"
		                                    "    null\n"
		                                    "  ],\n"
		                                    "  \"c\": {}\n"
		                                    "}");
	}

END_TEST

static const bool ways[] = {false, true};

START_TEST(what_is_written_is_read)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		GS_CLEANUP(gs_strv_release) struct gs_strv strv = {0};
		struct gs_json json = {.out = &out, .pretty = ways[_i]};
		struct gs_err err = {0};

		write_sample(&json);
		GS_CLEANUP(gs_json_free)
		json_t *read =
		    gs_json_parse(gs_buf_str(&out), "the sample", &err);
		ck_assert_ptr_nonnull(read);
		ck_assert(gs_str_is(gs_json_get_str(read, "name"), "x"));
		ck_assert_ptr_null(gs_json_get_cstr(read, "none"));
		ck_assert(gs_json_get_int(read, "n", 0) == INT64_MIN);
		ck_assert(gs_json_get_bool(read, "ok", false));
		gs_json_get_strv(read, "list", &strv);
		gs_json_get_strv(read, "nested", &strv);
		ck_assert_uint_eq(strv.n, 2);
		/* Missing and mistyped members */
		ck_assert_int_eq(gs_json_get_int(read, "name", 7), 7);
		ck_assert(gs_json_get_real(read, "absent", 0.25) == 0.25);
		ck_assert(gs_json_get_bool(read, "n", true));
		ck_assert_uint_eq(gs_json_get_str(read, "n").n, 0);
		ck_assert_int_eq(gs_json_get_int(NULL, "n", 3), 3);
	}

END_TEST

/* Every byte: what is read back is what was written, or U+FFFD. */
START_TEST(strings_come_back)
	{
		for (int c = 0; c < 256; c++) {
			GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
			struct gs_json json = {.out = &out};
			char bytes[3] = {'<', (char)c, '>'};
			struct gs_err err = {0};
			gs_json_begin_object(&json);
			gs_json_put_str(&json, "s", gs_str_n(bytes, 3));
			gs_json_end_object(&json);
			for (size_t i = 0; i < out.n; i++)
				ck_assert_int_ge((unsigned char)out.p[i], 0x20);
			GS_CLEANUP(gs_json_free)
			json_t *read =
			    gs_json_parse(gs_buf_str(&out), "it", &err);
			ck_assert_msg(read != NULL, "%s", err.text);
			struct gs_str back = gs_json_get_str(read, "s");
			if (c < 0x80)
				ck_assert(gs_str_eq(back, gs_str_n(bytes, 3)));
			else
				ck_assert(gs_str_is(back, "<\xef\xbf\xbd>"));
		}
	}

END_TEST

static const struct real_row {
	double value;
	const char *text;
} real_rows[] = {
    {0, "0.0"},
    {1, "1.0"},
    {-2.5, "-2.5"},
    {0.1, "0.1"},
    {1.0 / 3, "0.3333333333333333"},
    {1e100, "1e+100"},
    {123456789, "123456789.0"},
    {DBL_MAX, "1.7976931348623157e+308"},
    {DBL_MIN, "2.2250738585072014e-308"},
    {(double)NAN, "null"},
    {(double)-INFINITY, "null"},
};

START_TEST(reals)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		struct gs_json json = {.out = &out};

		gs_json_real(&json, real_rows[_i].value);
		ck_assert_str_eq(gs_buf_cstr(&out), real_rows[_i].text);
		if (isfinite(real_rows[_i].value))
			ck_assert(strtod(gs_buf_cstr(&out), NULL) ==
			          real_rows[_i].value);
	}

END_TEST

static const char *const refused[] = {"", "{", "{\"a\":1,\"a\":2}", "[1,]",
    "nul", "{} {}", "\"\xff\"", "[1e999]", "[99999999999999999999]",
    "\"\xed\xa0\x80\"", "'a'", "NaN"};

START_TEST(refuses)
	{
		struct gs_err err = {0};

		ck_assert_ptr_null(
		    gs_json_parse(gs_str(refused[_i]), "x.json", &err));
		ck_assert_int_eq(err.code, GS_E_CORRUPT);
		ck_assert(
		    gs_str_starts(gs_str(err.text), "x.json is not JSON"));
	}

END_TEST

START_TEST(depth_is_capped)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf deep = {0};
		struct gs_err err = {0};

		for (int i = 0; i < 100000; i++)
			gs_buf_addc(&deep, '[');
		ck_assert_ptr_null(gs_json_parse(gs_buf_str(&deep), "x", &err));
		ck_assert_int_eq(err.code, GS_E_CORRUPT);
	}

END_TEST

GS_TESTS(base_json, GS_TEST(writes_compact), GS_TEST(writes_pretty),
    GS_TEST_ROWS(what_is_written_is_read, ways), GS_TEST(strings_come_back),
    GS_TEST_ROWS(reals, real_rows), GS_TEST_ROWS(refuses, refused),
    GS_TEST(depth_is_capped))

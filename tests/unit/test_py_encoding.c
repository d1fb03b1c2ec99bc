/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "gs_test.h"
#include "py/source.h"

/* F061: bytes, their text, and back; NULL: the interpreter refuses them. */
static const struct {
	const char *bytes, *text;
} rows[] = {
    {"x = '\xc3\xa9'\n", "x = '\xc3\xa9'\n"},
    {"x = '\xe9'\n", NULL},
    {"# -*- coding: latin-1 -*-\nx = '\xe9'\n",
        "# -*- coding: latin-1 -*-\nx = '\xc3\xa9'\n"},
    {"#!/usr/bin/python\n# vim: set fileencoding=iso-8859-15 :\n'\xa4'\n",
        "#!/usr/bin/python\n# vim: set fileencoding=iso-8859-15 :\n"
        "'\xe2\x82\xac'\n"},
    {"\n\n# coding: latin-1\n'\xe9'\n", NULL}, /* third line: no cookie */
    {"x = 1\n# coding: latin-1\n'\xe9'\n", NULL},
    {"x = 1 # coding: latin-1\n'\xe9'\n", NULL},
    {"# coding=cp1252\n'\x80'\n", "# coding=cp1252\n'\xe2\x82\xac'\n"},
    {"# coding=cp1252\n'\x81'\n", NULL},
    {"# coding: KOI8_R\n'\xc1'\n", "# coding: KOI8_R\n'\xd0\xb0'\n"},
    {"# coding: Latin_1-unix\n'\xe9'\n",
        "# coding: Latin_1-unix\n'\xc3\xa9'\n"},
    {"# coding: euc-jp\n'\xa4\xa2'\n", "# coding: euc-jp\n'\xe3\x81\x82'\n"},
    {"# coding: euc-jp\n'\xa4'\n", NULL},
    {"# coding: utf8\n'\xc3\xa9'\n", "# coding: utf8\n'\xc3\xa9'\n"},
    {"# coding: utf-8\n'\xe9'\n", NULL},
    {"# coding: ascii\n'a'\n", "# coding: ascii\n'a'\n"},
    {"# coding: ascii\n'\xe9'\n", NULL},
    {"# coding: utf-16\nx\n", NULL},
    {"# coding: utf-7\nx\n", NULL},
    {"# coding: no-such-thing\nx\n", NULL},
    {"\xef\xbb\xbf# coding: latin-1\nx\n", NULL},
};

START_TEST(there_and_back)
	{
		struct gs_str bytes = gs_str(rows[_i].bytes);
		GS_CLEANUP(gs_buf_release) struct gs_buf text = {0}, back = {0};
		int rc = gs_source_decode(bytes, &text, NULL);
		ck_assert_msg(
		    (rc == 0) == (rows[_i].text != NULL), "%s", rows[_i].bytes);
		if (rc != 0) {
			ck_assert_int_eq(rc, GS_E_CORRUPT);
			return;
		}
		ck_assert_str_eq(gs_buf_cstr(&text), rows[_i].text);
		ck_assert_int_eq(
		    gs_source_encode(gs_buf_str(&text), bytes, &back, NULL), 0);
		ck_assert(gs_str_eq(gs_buf_str(&back), bytes));
	}

END_TEST

START_TEST(bom_and_nul)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
		ck_assert_int_eq(gs_source_decode(GS_STR("\xef\xbb\xbfx = 1\n"),
		                     &text, NULL),
		    0);
		ck_assert_str_eq(gs_buf_cstr(&text), "x = 1\n");
		ck_assert_int_eq(
		    gs_source_decode(GS_STR("x\0y\n"), &text, NULL),
		    GS_E_CORRUPT);
	}

END_TEST

/* A character that the file's encoding lacks cannot go into it. */
START_TEST(not_in_the_encoding)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		struct gs_err err = {0};
		ck_assert_int_eq(gs_source_encode(GS_STR("ok \xe2\x82\xac"),
		                     GS_STR("# coding: latin-1\n"), &out, &err),
		    GS_E_CORRUPT);
		ck_assert_uint_eq(out.n, 0);
	}

END_TEST

/* Spans are in the file's own bytes, texts are UTF-8. */
START_TEST(spans)
	{
		struct gs_str bytes = GS_STR("# coding: latin-1\n"
		                             "a = '\xe9\xe9\xe9'\n"
		                             "class \xc9:\n"
		                             "    def f(a='\xe9'):\n"
		                             "        'caf\xe9'\n"
		                             "        return 1\n");
		struct gs_source source;
		ck_assert_int_eq(gs_source_parse(bytes, &source, NULL), 0);
		ck_assert(!source.has_error);
		ck_assert_uint_eq(source.n_units, 2);
		const struct gs_unit *unit = &source.units[1];
		ck_assert(gs_str_is(unit->qualname, "\xc3\x89.f"));
		ck_assert(gs_str_is(unit->docstring, "caf\xc3\xa9"));
		ck_assert(gs_str_is(unit->signature, "(a='\xc3\xa9')"));
		ck_assert(gs_str_is(gs_str_sub(bytes, unit->start, unit->end),
		    "    def f(a='\xe9'):\n        'caf\xe9'\n        return 1\n"));
		ck_assert(gs_str_is(gs_str_sub(bytes, unit->docstring_start,
		                        unit->docstring_end),
		    "'caf\xe9'"));
		gs_source_release(&source);
	}

END_TEST

GS_TESTS(py_encoding, GS_TEST_ROWS(there_and_back, rows), GS_TEST(bom_and_nul),
    GS_TEST(not_in_the_encoding), GS_TEST(spans))

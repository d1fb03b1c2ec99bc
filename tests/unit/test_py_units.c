/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/limits.h"
#include "gs_test.h"
#include "py/source.h"

/* Units of a text as "name[ordinal] kind text|" in one string. */
static void print_units(struct gs_str text, struct gs_buf *ret)
{
	struct gs_source source;
	ck_assert_int_eq(gs_source_parse(text, &source, NULL), 0);
	for (size_t i = 0; i < source.n_units; i++) {
		const struct gs_unit *unit = &source.units[i];
		gs_buf_addf(ret, "%.*s[%d]%s%s<%.*s>",
		    GS_STR_ARG(unit->qualname), unit->ordinal,
		    unit->kind == GS_UNIT_CLASS ? "C" : "",
		    unit->has_error ? "!" : "", (int)(unit->end - unit->start),
		    text.p + unit->start);
	}
	gs_source_release(&source);
}

static const struct {
	const char *name, *text, *units;
} spans[] = {
    {"plain", "x = 1\ndef f():\n    pass\ny = 2\n",
        "f[0]<def f():\n    pass\n>"},
    /* F051 */
    {"decorators", "@a\n# c\n\n@b(1)\ndef f(): pass\n",
        "f[0]<@a\n# c\n\n@b(1)\ndef f(): pass\n>"},
    /* K3, F052: the comment behind a statement stays, those below do not */
    {"tail comments", "def f():\n    x = 1  # last\n    # inner\n\n# outer\n",
        "f[0]<def f():\n    x = 1  # last\n>"},
    {"tail comment in a nested block",
        "def f():\n  if x:\n    y\n    # a\n  # b\nz\n",
        "f[0]<def f():\n  if x:\n    y\n>"},
    /* K5, F054 */
    {"nested belongs to the outermost",
        "def f():\n  def g(): pass\n  class C: pass\n  return g\n",
        "f[0]<def f():\n  def g(): pass\n  class C: pass\n  return g\n>"},
    {"methods", "class C(B):\n  a = 1\n\n  def m(self): pass\n\n  b = 2\n",
        "C[0]C<class C(B):\n  a = 1\n\n  def m(self): pass\n\n  b = 2\n>"
        "C.m[0]<  def m(self): pass\n>"},
    {"class in class", "class A:\n class B:\n  def m(s): 0\n def n(s): 0\n",
        "A[0]C<class A:\n class B:\n  def m(s): 0\n def n(s): 0\n>"
        "A.B[0]C< class B:\n  def m(s): 0\n>A.B.m[0]<  def m(s): 0\n>"
        "A.n[0]< def n(s): 0\n>"},
    /* K2: one name, told apart by order */
    {"getter and setter",
        "class C:\n @property\n def a(s): 0\n @a.setter\n def a(s, v): 0\n",
        "C[0]C<class C:\n @property\n def a(s): 0\n @a.setter\n"
        " def a(s, v): 0\n>C.a[0]< @property\n def a(s): 0\n>"
        "C.a[1]< @a.setter\n def a(s, v): 0\n>"},
    {"under control flow",
        "if a:\n def f(): 1\nelif b:\n def f(): 2\nelse:\n def f(): 3\n"
        "try:\n def g(): 1\nexcept E:\n def g(): 2\nfinally:\n def h(): 1\n"
        "with x:\n def i(): 1\nfor a in b:\n def j(): 1\n"
        "while a:\n def k(): 1\nmatch a:\n case 1:\n  def l(): 1\n",
        "f[0]< def f(): 1\n>f[1]< def f(): 2\n>f[2]< def f(): 3\n>"
        "g[0]< def g(): 1\n>g[1]< def g(): 2\n>h[0]< def h(): 1\n>"
        "i[0]< def i(): 1\n>j[0]< def j(): 1\n>k[0]< def k(): 1\n>"
        "l[0]<  def l(): 1\n>"},
    /* F058 */
    {"async, and what is no unit",
        "f = lambda x: x\nasync def g(): pass\nh = partial(g, 1)\n",
        "g[0]<async def g(): pass\n>"},
    /* F059 */
    {"CRLF stays", "def f():\r\n    pass\r\nx\r\n",
        "f[0]<def f():\r\n    pass\r\n>"},
    {"form feed and U+2028 end no line",
        "def f():\n    '\xe2\x80\xa8'\n\x0c\ndef g(): 1\n",
        "f[0]<def f():\n    '\xe2\x80\xa8'\n>g[0]<def g(): 1\n>"},
    {"no final newline", "def f():\n    pass", "f[0]<def f():\n    pass>"},
    {"lone CR in a unit", "def f():\n    '''a\rb'''\ndef g(): 1\n",
        "f[0]!<def f():\n    '''a\rb'''\n>g[0]<def g(): 1\n>"},
    /* K3, F061 */
    {"BOM is no part",
        "\xef\xbb\xbf"
        "def f(): 1\n",
        "f[0]<def f(): 1\n>"},
    /* F049 */
    {"new syntax",
        "def f[T](x: T) -> T:\n  match x:\n    case [1, *_]: pass\n"
        "  try: pass\n  except* (A, B): pass\n  return f\"{d[\"k\"]}\"\n",
        "f[0]<def f[T](x: T) -> T:\n  match x:\n    case [1, *_]: pass\n"
        "  try: pass\n  except* (A, B): pass\n  return f\"{d[\"k\"]}\"\n>"},
    {"Python 2", "def f((a, b), c):\n  print >>x, 'a'\n  raise E, 'x'\n",
        "f[0]<def f((a, b), c):\n  print >>x, 'a'\n  raise E, 'x'\n>"},
    /* what cannot be replaced alone is marked */
    {"code before it on its line", "x = 1; def f(): pass\ny = 1\n",
        "f[0]!<x = 1; def f(): pass\n>"},
    {"empty body", "def f():\nf()\n", "f[0]!<def f():\n>"}, /* F047 */
    {"error inside", "def f():\n    x = = 1\n\ndef g():\n    pass\n",
        "f[0]!<def f():\n    x = = 1\n>g[0]<def g():\n    pass\n>"},
};

START_TEST(unit_spans)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		print_units(gs_str(spans[_i].text), &out);
		ck_assert_msg(strcmp(gs_buf_cstr(&out), spans[_i].units) == 0,
		    "%s:\n%s\nwanted\n%s", spans[_i].name, gs_buf_cstr(&out),
		    spans[_i].units);
	}

END_TEST

/* K4, F063: evaluated, then cleaned as inspect.cleandoc does. Each expected
 * text is what ast.get_docstring of Python 3.11 gives; NULL: none. */
static const struct {
	const char *body, *docstring;
} docs[] = {
    {"'''one'''", "one"},
    {"'''  one\n      two\n\n        three\n    '''", "one\ntwo\n\n  three"},
    {"\"\"\"\n\n    a\n\tb\n    \"\"\"", "a\n    b"},
    {"'a' \"b\" r'\\d'", "ab\\d"}, {"('a'\n     'b')", "ab"},
    {"u'x\\u00e9\\x41\\101\\n\\q'", "x\xc3\xa9"
                                    "AA\n\\q"},
    {"'a\\\nb'", "ab"}, {"# comment first\n    'doc'", "doc"},
    {"'doc'; x = 1", "doc"}, {"'''\xc2\xa0 a\n\xe2\x80\x83 b'''", "a\nb"},
    {"'''a\n   \n      '''", "a\n   \n      "}, {"''", NULL}, {"f'x'", NULL},
    {"b'x'", NULL}, {"'a' f'b'", NULL}, {"`x`", NULL}, {"'a'.strip()", NULL},
    {"'a', 'b'", NULL}, {"'a',", NULL}, {"x = 1\n    'late'", NULL},
    {"'\\N{DASH}'", NULL}, /* needs the name table: no docstring here */
    {"'\\ud800'", NULL},   /* no UTF-8 form */
    {"'\\xg1'", NULL},     /* the interpreter refuses it */
};

START_TEST(docstrings)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
		gs_buf_addf(
		    &text, "def f():\n    %s\n    return 1\n", docs[_i].body);
		struct gs_source source;
		ck_assert_int_eq(
		    gs_source_parse(gs_buf_str(&text), &source, NULL), 0);
		ck_assert_uint_eq(source.n_units, 1);
		const struct gs_unit *unit = &source.units[0];
		ck_assert_msg(
		    unit->has_docstring == (docs[_i].docstring != NULL), "%s",
		    docs[_i].body);
		if (docs[_i].docstring)
			ck_assert_msg(
			    gs_str_is(unit->docstring, docs[_i].docstring),
			    "%s gives %.*s", docs[_i].body,
			    GS_STR_ARG(unit->docstring));
		gs_source_release(&source);
	}

END_TEST

START_TEST(parts)
	{
		struct gs_str text =
		    GS_STR("class C(A, B):\n"
		           "    @d\n"
		           "    async def m(self, a=(1, 2)) -> int:\n"
		           "        # first\n"
		           "        'doc' # x\n"
		           "        return 1  # last\n");
		struct gs_source source;
		ck_assert_int_eq(gs_source_parse(text, &source, NULL), 0);
		ck_assert(!source.has_error);
		const struct gs_unit *unit =
		    gs_source_unit(&source, GS_STR("C.m"), 0);
		ck_assert_ptr_nonnull(unit);
		ck_assert(unit->is_async);
		ck_assert_int_eq(unit->parent, 0);
		ck_assert(gs_str_is(unit->name, "m"));
		ck_assert(gs_str_is(unit->indent, "    "));
		ck_assert(
		    gs_str_is(unit->signature, "(self, a=(1, 2)) -> int"));
		ck_assert(gs_str_is(source.units[0].signature, "(A, B)"));
		ck_assert(gs_str_starts(
		    gs_str_from(text, unit->def_start), "async def m"));
		ck_assert(gs_str_is(gs_str_sub(text, unit->docstring_start,
		                        unit->docstring_end),
		    "'doc'"));
		ck_assert(gs_str_is(
		    gs_str_sub(text, unit->body_start, unit->body_end),
		    "'doc' # x\n        return 1"));
		ck_assert_ptr_null(gs_source_unit(&source, GS_STR("C.m"), 1));
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		gs_source_splice(text, unit->start, unit->end,
		    gs_str_sub(text, unit->start, unit->end), &out);
		ck_assert(gs_str_eq(gs_buf_str(&out), text));
		gs_source_release(&source);
	}

END_TEST

/* F062 */
START_TEST(nul)
	{
		struct gs_source source;
		struct gs_str text = GS_STR("x = 'a\0b'\ndef f(): pass\n");
		ck_assert_int_eq(gs_source_parse(text, &source, NULL), 0);
		ck_assert(source.has_nul);
		ck_assert(source.has_error);
		gs_source_release(&source);
	}

END_TEST

static void repeat(struct gs_buf *buf, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		gs_buf_addz(buf, s);
}

/* F064: what makes parsers slow or deep; all of it must end. */
static const struct {
	const char *unit;
	size_t times;
} bombs[] = {
    {"[", 100000},
    {"(", 100000},
    {"f(", 100000},
    {"-", 100000},
    {"x = {", 50000},
    {"#\n", 200000},
    {"lambda: ", 50000},
    {"if 1:\n", 50000},
    {"'", 100001},
    {"f'{", 30000},
    {"def f():\n", 20000},
    {"@a\n", 100000},
    {"x.", 200000},
    {"a if b else ", 50000},
    {"\\\n", 200000},
    {"\xff", 200000},
    {"0x ", 200000},
};

START_TEST(bomb)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
		repeat(&text, bombs[_i].unit, bombs[_i].times);
		struct gs_source source;
		if (gs_source_parse(gs_buf_str(&text), &source, NULL) == 0)
			gs_source_release(&source);
		(void)gs_source_same_tokens(gs_buf_str(&text), GS_STR("x\n"));
	}

END_TEST

START_TEST(nested_blocks)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
		/* The interpreter refuses more than 100 levels. */
		for (size_t i = 0; i < 98; i++) {
			repeat(&text, " ", i);
			gs_buf_addz(&text, i % 2 ? "if 1:\n" : "class C:\n");
		}
		repeat(&text, " ", 98);
		gs_buf_addz(&text, "def f(): 1\n");
		struct gs_source source;
		ck_assert_int_eq(
		    gs_source_parse(gs_buf_str(&text), &source, NULL), 0);
		ck_assert_uint_eq(source.n_units, 50);
		gs_source_release(&source);
	}

END_TEST

START_TEST(limits)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
		struct gs_source source;
		struct gs_err err = {0};
		repeat(&text, "def f(): 1\n", GS_MAX_UNITS + 1);
		ck_assert_int_eq(
		    gs_source_parse(gs_buf_str(&text), &source, &err),
		    GS_E_LIMIT);
		gs_buf_reset(&text);
		repeat(&text, "#", GS_MAX_PYTHON_FILE + 1);
		ck_assert_int_eq(
		    gs_source_parse(gs_buf_str(&text), &source, &err),
		    GS_E_LIMIT);
	}

END_TEST

/* W4 */
static const struct {
	const char *text;
	bool is_generated;
} headers[] = {
    {"# Generated by the protocol buffer compiler.  DO NOT EDIT!\n", true},
    {"#!/usr/bin/env python\n# -*- coding: utf-8 -*-\n\n"
     "# This file was automatically generated by SWIG\n",
        true},
    {"# @generated\nx = 1\n", true},
    {"\"\"\"Tables.\n\nThis file is generated. Do not edit.\n\"\"\"\n", true},
    {"\"\"\"Generated by make_tables.py; do not edit.\"\"\"\n", true},
    {"\xef\xbb\xbf# Autogenerated by Thrift\r\n", true},
    {"\"\"\"Reads code generated by others.\"\"\"\nx = 1\n", false},
    {"x = 1\n# generated by hand\n", false},
    {"# created by sphinx-quickstart, generated by it\n", false},
    {"# This file is not generated by a tool\n", false},
    {"import os\n", false},
    {"", false},
};

START_TEST(generated)
	{
		ck_assert_msg(
		    gs_source_is_generated(gs_str(headers[_i].text)) ==
		        headers[_i].is_generated,
		    "%s", headers[_i].text);
	}

END_TEST

GS_TESTS(py_units, GS_TEST_ROWS(unit_spans, spans),
    GS_TEST_ROWS(docstrings, docs), GS_TEST(parts), GS_TEST(nul),
    GS_TEST_ROWS(bomb, bombs), GS_TEST(nested_blocks), GS_TEST(limits),
    GS_TEST_ROWS(generated, headers))

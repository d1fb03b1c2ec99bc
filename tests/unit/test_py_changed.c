/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/mem.h"
#include "gs_test.h"
#include "py/changed.h"

static void join(const struct gs_strv *strv, struct gs_buf *ret)
{
	for (size_t i = 0; i < strv->n; i++)
		gs_buf_addf(ret, "%s%s", i ? " " : "", strv->v[i]);
}

/* K5 and K2: names in order; "#": every change is of comments only; "?": not
 * paired; then the smallest unit that holds all. */
static const struct {
	const char *name, *before, *after, *names, *flags, *smallest;
} rows[] = {
    {"same", "def f(): 1\n", "def f(): 1\n", "", "", ""},
    {"one function", "def f(): 1\n\ndef g(): 1\n", "def f(): 2\n\ndef g(): 1\n",
        "m:f", "", "f"},
    /* F051 */
    {"decorator", "@a\ndef f(): 1\n", "@b\ndef f(): 1\n", "m:f", "", "f"},
    /* F052 */
    {"tail comment", "def f():\n    x  # a\n", "def f():\n    x  # b\n", "m:f",
        "#", "f"},
    {"docstring", "def f():\n    'a'\n    x\n", "def f():\n    'b'\n    x\n",
        "m:f", "#", "f"},
    /* F054 */
    {"inner function", "def o():\n def i(): 1\n return i\n",
        "def o():\n def i(): 2\n return i\n", "m:o", "", "o"},
    /* F055 */
    {"import and function", "def f(): 1\n", "import re\ndef f(): re\n",
        "m: m:f", "M", ""},
    {"constant", "LIMIT = 10\ndef f(): 1\n", "LIMIT = 11\ndef f(): 1\n",
        "m:", "M", ""},
    /* F056 */
    {"moved method", "class A:\n x = 1\n def m(s): 1\nclass B:\n x = 1\n",
        "class A:\n x = 1\nclass B:\n x = 1\n def m(s): 2\n", "m:A.m m:B.m", "",
        ""},
    /* F057: blank lines come with it */
    {"helper added", "def f(): 1\n", "def g(): 2\n\n\ndef f(): g()\n",
        "m:f m:g", "", ""},
    {"added alone", "import a\n\n\ndef f(): 1\n",
        "import a\n\n\ndef g(): 2\n\n\ndef f(): 1\n", "m:g", "", "g"},
    {"removed alone", "def g(): 2\n\n\ndef f(): 1\n", "def f(): 1\n", "m:g", "",
        "g"},
    {"method", "class A:\n x = 1\n def m(s): 1\n def n(s): 1\n",
        "class A:\n x = 1\n def m(s): 2\n def n(s): 1\n", "m:A.m", "", "A.m"},
    {"two methods", "class A:\n def m(s): 1\n def n(s): 1\n",
        "class A:\n def m(s): 2\n def n(s): 2\n", "m:A.m m:A.n", "", "A"},
    {"class attribute", "class A:\n x = 1\n def m(s): 1\n",
        "class A:\n x = 2\n def m(s): 1\n", "m:A", "M", "A"},
    {"class added", "x\n", "x\nclass A:\n def m(s): 1\n", "m:A m:A.m", "M",
        "A"},
    /* K2 */
    {"setter of two", "class A:\n @p\n def a(s): 1\n @a.s\n def a(s, v): 1\n",
        "class A:\n @p\n def a(s): 1\n @a.s\n def a(s, v): 2\n", "m:A.a", "",
        "A.a"},
    {"a setter more", "class A:\n @p\n def a(s): 1\n",
        "class A:\n @p\n def a(s): 1\n @a.s\n def a(s, v): 2\n", "m:A.a", "?",
        "A.a"},
    {"a namesake before", "def f(): 1\n", "def f(): 2\ndef f(): 1\n", "m:f",
        "?", ""},
    /* nothing but order or blank lines */
    {"reordered", "def f(): 1\ndef g(): 1\n", "def g(): 1\ndef f(): 1\n",
        "m:", "M", ""},
    {"blank lines", "x\ny\n", "x\n\ny\n", "m:", "M", ""},
    /* K5: a file that does not parse */
    {"broken", "def f(: 1\n", "def f(): 1\n", "m:", "", "f"},
    {"file added", "", "def f(): 1\n", "m:f", "", "f"},
};

START_TEST(changes)
	{
		struct gs_source before, after;
		ck_assert_int_eq(
		    gs_source_parse(gs_str(rows[_i].before), &before, NULL), 0);
		ck_assert_int_eq(
		    gs_source_parse(gs_str(rows[_i].after), &after, NULL), 0);
		struct gs_file_change change;
		gs_file_change_find(&before, &after, &change);
		GS_CLEANUP(gs_strv_release) struct gs_strv names = {0};
		gs_file_change_names(&change, &before, &after, "m", &names);
		gs_strv_sort(&names);
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0}, flags = {0};
		join(&names, &out);
		ck_assert_msg(strcmp(gs_buf_cstr(&out), rows[_i].names) == 0,
		    "%s: %s", rows[_i].name, gs_buf_cstr(&out));
		bool comments = change.n > 0;
		for (size_t i = 0; i < change.n; i++)
			comments = comments && change.v[i].comments_only;
		gs_buf_addf(&flags, "%s%s%s", comments ? "#" : "",
		    change.module_changed ? "M" : "",
		    change.unpaired ? "?" : "");
		ck_assert_msg(strcmp(gs_buf_cstr(&flags), rows[_i].flags) == 0,
		    "%s: %s", rows[_i].name, gs_buf_cstr(&flags));
		const struct gs_unit *unit =
		    gs_file_change_smallest(&before, &after);
		ck_assert_msg(unit
		                  ? gs_str_is(unit->qualname, rows[_i].smallest)
		                  : rows[_i].smallest[0] == 0,
		    "%s: %.*s", rows[_i].name, unit ? (int)unit->qualname.n : 0,
		    unit ? unit->qualname.p : "");
		gs_file_change_release(&change);
		gs_source_release(&before);
		gs_source_release(&after);
	}

END_TEST

/* K5, S5 */
static const struct {
	const char *path, *name;
} modules[] = {
    {"a/b/c.py", "a.b.c"},
    {"src/a/b.py", "a.b"},
    {"src/a/__init__.py", "a"},
    {"lib/x.py", "lib.x"},
    {"srcs/a.py", "srcs.a"},
    {"a.py", "a"},
    {"__init__.py", "__init__"},
};

START_TEST(module_names)
	{
		GS_CLEANUP(gs_strv_release) struct gs_strv roots = {0};
		gs_strv_push_all(&roots, "", "src/", NULL);
		GS_CLEANUP(gs_freep)
		char *name = gs_module_name(gs_str(modules[_i].path), &roots);
		ck_assert_str_eq(name, modules[_i].name);
	}

END_TEST

/* K7: what callers can see */
static const struct {
	const char *before, *after, *added, *signature, *defaults;
} apis[] = {
    {"def f(a): 1\n", "def f(a): 2\n", "", "", ""},
    {"def f(a): 1\n", "def f(a, b): 1\n", "", "f", ""},
    {"def f(a): 1\n", "def f(a=1): 1\n", "", "f", ""},
    {"def f(a=1): 1\n", "def f(a=2): 1\n", "", "", "f"},
    {"def f(a='x'): 1\n", "def f(a = \"x\",): 1\n", "", "", ""},
    {"def f(a='x'): 1\n", "def f(a=b'x'): 1\n", "", "", "f"},
    {"def f(a=[1]): 1\n", "def f(a=(1,)): 1\n", "", "", "f"},
    {"def f(a, b): 1\n", "def f(a: int, b: str) -> int: 1\n", "", "", ""},
    {"def f(a, *b): 1\n", "def f(a, *, b): 1\n", "", "f", ""},
    {"def f(a, **k): 1\n", "def f(a, /, **k): 1\n", "", "f", ""},
    {"def _f(a): 1\n", "def _f(a, b): 1\ndef _g(): 1\n", "", "", ""},
    {"class A:\n def m(s): 1\n",
        "class A:\n def m(s): 1\n def n(s): 1\n def _o(s): 1\nclass B: 1\n",
        "A.n B", "", ""},
    {"class A:\n def __init__(s): 1\n",
        "class A:\n def __init__(s, a): 1\n def __eq__(s, o): 1\n", "",
        "A.__init__", ""},
};

START_TEST(public_api)
	{
		struct gs_source before, after;
		ck_assert_int_eq(
		    gs_source_parse(gs_str(apis[_i].before), &before, NULL), 0);
		ck_assert_int_eq(
		    gs_source_parse(gs_str(apis[_i].after), &after, NULL), 0);
		struct gs_strv lists[3] = {0};
		gs_public_api_change(
		    &before, &after, &lists[0], &lists[1], &lists[2]);
		const char *wanted[] = {
		    apis[_i].added, apis[_i].signature, apis[_i].defaults};
		for (size_t i = 0; i < 3; i++) {
			GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
			join(&lists[i], &out);
			ck_assert_msg(strcmp(gs_buf_cstr(&out), wanted[i]) == 0,
			    "%s: %s", apis[_i].after, gs_buf_cstr(&out));
			gs_strv_release(&lists[i]);
		}
		gs_source_release(&before);
		gs_source_release(&after);
	}

END_TEST

GS_TESTS(py_changed, GS_TEST_ROWS(changes, rows),
    GS_TEST_ROWS(module_names, modules), GS_TEST_ROWS(public_api, apis))

/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>

#include "gs_test.h"
#include "py/changed.h"

static void check(const struct gs_strv *strv, const char *wanted)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
	for (size_t i = 0; i < strv->n; i++)
		gs_buf_addf(&out, "%s%s", i ? " " : "", strv->v[i]);
	ck_assert_str_eq(gs_buf_cstr(&out), wanted);
}

static void check_flags(const bool *lines, size_t n, const char *wanted)
{
	ck_assert_uint_eq(n, strlen(wanted));
	for (size_t i = 0; i < n; i++)
		ck_assert_msg(
		    lines[i] == (wanted[i] == '+'), "line %zu", i + 1);
}

/* O4, K7: what a test can reach, so no locals. */
START_TEST(defined_names)
	{
		struct gs_str text =
		    GS_STR("import os\n"
		           "A = b.c = 1\n"
		           "D, (E, *F) = x\n"
		           "class K(Base):\n"
		           "    field: int\n"
		           "    def m(self, p, *args, q=1, **kw):\n"
		           "        local = self.attr = 2\n"
		           "        self.n += 1\n"
		           "        def inner(z): pass\n"
		           "        inner.hung, here = clear, 1\n"
		           "        for loop in x: with_[0] = 1\n"
		           "        call(key=1)\n"
		           "async def g(t: int = 0): pass\n");
		GS_CLEANUP(gs_strv_release) struct gs_strv names = {0};
		gs_source_defined_names(text, &names);
		check(
		    &names, "A D E F K args attr c field g hung kw m n p q t");
		gs_strv_reset(&names);
		gs_source_defined_names(
		    GS_STR("    def m(self, p):\n        self.x = y = 1\n"),
		    &names);
		check(&names, "m p x");
	}

END_TEST

/* K8 */
START_TEST(words)
	{
		struct gs_str text = GS_STR("import a.b\n"
		                            "x = f('one', \"one\", k=1.5)\n"
		                            "y = f\"{z}!\"\n");
		GS_CLEANUP(gs_strv_release) struct gs_strv names = {0};
		GS_CLEANUP(gs_strv_release) struct gs_strv literals = {0};
		gs_source_words(text, NULL, 0, &names, &literals);
		check(&names, "a b f k x y z");
		check(&literals, "\"one\" \"{z}!\" 1.5");
		gs_strv_reset(&names);
		gs_strv_reset(&literals);
		const bool lines[] = {false, true, false};
		gs_source_words(text, lines, 3, &names, &literals);
		check(&names, "f k x");
		check(&literals, "\"one\" 1.5");
	}

END_TEST

START_TEST(changed_lines)
	{
		size_t n;
		bool *lines = gs_changed_lines(
		    GS_STR("a\nb\nc\n"), GS_STR("a\nB\nc\nd"), &n);
		check_flags(lines, n, " + +");
		free(lines);
		lines = gs_changed_lines(GS_STR("a\n"), GS_STR(""), &n);
		check_flags(lines, n, "");
		free(lines);
	}

END_TEST

/* F112: parameters hold anything; one id comes many times. */
START_TEST(test_lines)
	{
		struct gs_str text = GS_STR("import x\n"
		                            "@p\n"
		                            "def test_a(v):\n"
		                            "    pass\n"
		                            "class TestB(Base):\n"
		                            "    def test_c(self): pass\n"
		                            "    def test_d(self): pass\n"
		                            "class TestE(TestB): pass\n");
		GS_CLEANUP(gs_strv_release) struct gs_strv ids = {0};
		gs_strv_push_all(&ids, "t/test_x.py::test_a[a::b[1]]",
		    "t/test_x.py::test_a[2]", "t/test_x.py::TestE::test_d",
		    "t/test_xy.py::TestB::test_c", NULL);
		size_t n;
		bool *lines =
		    gs_test_lines(text, &ids, GS_STR("t/test_x.py"), &n);
		check_flags(lines, n, " +++  + ");
		free(lines);
	}

END_TEST

GS_TESTS(py_words, GS_TEST(defined_names), GS_TEST(words),
    GS_TEST(changed_lines), GS_TEST(test_lines))

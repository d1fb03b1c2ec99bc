/* SPDX-License-Identifier: Apache-2.0 */
/* O7: which tests of a file a commit changed, and which nodes they are. */
#include "gs_test.h"
#include "validate/select.h"

#define HEAD "import a\n\nX = [1]\n\n\n"
#define ONE "def test_one(x):\n    assert x\n"
#define TWO "class TestC:\n    v = 1\n\n    def test_two(self):\n        pass\n"
#define HELP "def help():\n    return 1\n"

static const struct row {
	const char *name, *before, *after;
	const char *told; /* NULL: the whole file */
} rows[] = {
    {"one function changed", HEAD ONE TWO,
        HEAD "def test_one(x):\n    assert not x\n" TWO, "t.py::test_one"},
    {"a method, by its name alone", HEAD ONE TWO,
        HEAD ONE "class TestC:\n    v = 1\n\n    def test_two(self):\n"
                 "        assert 0\n",
        "t.py::test_two"},
    {"one added, another's comment changed", HEAD ONE,
        HEAD "def test_one(x):\n    # new\n    assert x\n" TWO
             "def test_three(): pass\n",
        "t.py::TestC t.py::test_three"},
    {"imports alone do not count", HEAD ONE,
        "import b\nfrom c import (\n    d,\n    e,\n)\n" HEAD "# note\n" ONE
        "def test_new(): d()\n",
        "t.py::test_new"},
    {"one removed", HEAD ONE TWO, HEAD TWO, ""},
    {"a decorator belongs to its test", HEAD ONE, HEAD "@mark.x([1, 2])\n" ONE,
        "t.py::test_one"},
    {"a helper changed", HEAD HELP ONE, HEAD "def help():\n    return 2\n" ONE,
        NULL},
    {"a helper went", HEAD HELP ONE, HEAD ONE, NULL},
    {"a fixture came", HEAD ONE, HEAD "@fixture\ndef x(): pass\n" ONE, NULL},
    {"data changed", HEAD ONE, "import a\n\nX = [1, 2]\n\n\n" ONE, NULL},
    {"a class attribute changed", TWO,
        "class TestC:\n    v = 2\n\n    def test_two(self):\n        pass\n",
        NULL},
    {"a base class went", "class Base:\n    pass\n" TWO, TWO, NULL},
    {"no Python", "def test_(:\n", ONE, NULL},
};

START_TEST(selects)
	{
		const struct row *row = &rows[_i];
		struct gs_selection selection = {0};
		struct gs_strv *names = &selection.tests;
		struct gs_err err = {0};
		bool is_part = false;
		ck_assert_int_eq(
		    gs_select_in_file(GS_STR("t.py"), gs_str(row->before),
		        gs_str(row->after), &selection, &is_part, &err),
		    0);
		gs_strv_sort(names);
		char *told = gs_strv_join(names, " ");
		ck_assert_int_eq(is_part, row->told != NULL);
		ck_assert_str_eq(told, row->told ? row->told : "");
		free(told);
		gs_selection_release(&selection);
	}

END_TEST

/* The nodes of a selection, as observer.py understands it too. */
static const struct node_row {
	const char *name, *node;
	bool is_held;
} node_rows[] = {
    {"a function", "t.py::test_one", true},
    {"its parameters", "t.py::test_one[a::test_x]", true},
    {"in a class", "t.py::TestA::test_one", true},
    {"of a class", "t.py::TestC::test_any", true},
    {"in a whole file", "u.py::test_any", true},
    {"another", "t.py::test_two", false},
    {"another's parameter", "t.py::test_two[test_one]", false},
    {"in another file", "v.py::test_one", false},
};

START_TEST(holds)
	{
		const struct node_row *row = &node_rows[_i];
		struct gs_strv tests = {0};
		ck_assert(gs_selection_holds(&tests, row->node));
		gs_strv_push_all(
		    &tests, "t.py::TestC", "t.py::test_one", "u.py", NULL);
		ck_assert_int_eq(
		    gs_selection_holds(&tests, row->node), row->is_held);
		gs_strv_release(&tests);
	}

END_TEST

GS_TESTS(validate_select, GS_TEST_ROWS(selects, rows),
    GS_TEST_ROWS(holds, node_rows))

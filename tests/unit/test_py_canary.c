/* SPDX-License-Identifier: Apache-2.0 */
/* Planted tests (E2). */
#include <string.h>

#include "base/mem.h"
#include "gs_test.h"
#include "py/canary.h"
#include "py/mutant.h"

static const struct row {
	const char *name, *unit, *right, *left; /* NULL: no such copy */
} rows[] = {
    {"a number", "def test_x():\n    assert f(5) == 2\n",
        "def test_y():\n    assert f(5) == 21\n",
        "def test_y():\n    assert (f(5), 'other') == 2\n"},
    {"nothing stays nothing", "def test_x():\n    assert f() == 0\n",
        "def test_y():\n    assert f() == 1\n",
        "def test_y():\n    assert (f(), 'other') == 0\n"},
    {"a negative one", "def test_x():\n    assert f() == -3\n",
        "def test_y():\n    assert f() == -31\n",
        "def test_y():\n    assert (f(), 'other') == -3\n"},
    {"text", "def test_x():\n    assert 'a' == f()\n",
        "def test_y():\n    assert 'a' == (f(), 'other')\n",
        "def test_y():\n    assert 'ax' == f()\n"},
    {"a list", "def test_x():\n    assert f() == [1, 2]\n",
        "def test_y():\n    assert f() == [11, 2]\n",
        "def test_y():\n    assert (f(), 'other') == [1, 2]\n"},
    {"a dictionary", "def test_x():\n    assert f() == {'a': 1}\n",
        "def test_y():\n    assert f() == {'a': 11}\n",
        "def test_y():\n    assert (f(), 'other') == {'a': 1}\n"},
    {"an empty one", "def test_x():\n    assert f() == {}\n",
        "def test_y():\n    assert f() == ({}, 'other')\n",
        "def test_y():\n    assert (f(), 'other') == {}\n"},
    {"a truth", "def test_x():\n    assert f() == True, 'why'\n",
        "def test_y():\n    assert f() == False, 'why'\n",
        "def test_y():\n    assert (f(), 'other') == True, 'why'\n"},
    {"each of several",
        "def test_x():\n    assert f() == 1\n    assert g() == 2\n",
        "def test_y():\n    assert f() == 11\n    assert g() == 21\n",
        "def test_y():\n    assert (f(), 'other') == 1\n    assert (g(), "
        "'other') == 2\n"},
    {"unittest", "def test_x(self):\n    self.assertEqual(f(), 2)\n",
        "def test_y(self):\n    self.assertEqual(f(), 21)\n",
        "def test_y(self):\n    self.assertEqual((f(), 'other'), 2)\n"},
    {"decorated",
        "@pytest.mark.parametrize('n', [1])\ndef test_x(n):\n    assert n == "
        "f(n)\n",
        "@pytest.mark.parametrize('n', [1])\ndef test_y(n):\n    assert n == "
        "(f(n), 'other')\n",
        "@pytest.mark.parametrize('n', [1])\ndef test_y(n):\n    assert (n, "
        "'other') == f(n)\n"},
    {"no equality", "def test_x():\n    assert f()\n", NULL, NULL},
    {"a chain", "def test_x():\n    assert 1 == f() == 1\n", NULL, NULL},
};

static void check_copy(const struct gs_source *source, struct gs_str file,
    enum gs_mutant_side side, const char *wanted)
{
	struct gs_buf copy = {0};
	bool made =
	    gs_test_mutant(file, &source->units[0], side, "test_y", &copy);
	ck_assert(made == (wanted != NULL));
	ck_assert_str_eq(gs_buf_cstr(&copy), wanted ? wanted : "");
	gs_buf_release(&copy);
}

START_TEST(mutants)
	{
		struct gs_source source = {0};
		struct gs_str file = gs_str(rows[_i].unit);
		ck_assert_int_eq(gs_source_parse(file, &source, NULL), 0);
		check_copy(&source, file, GS_MUTANT_RIGHT, rows[_i].right);
		check_copy(&source, file, GS_MUTANT_LEFT, rows[_i].left);
		gs_source_release(&source);
	}

END_TEST

static const char tests[] = "import halves\n"
                            "\n"
                            "\n"
                            "def test_a():\n"
                            "    assert halves.half(4) == 2\n"
                            "\n"
                            "\n"
                            "class TestB:\n"
                            "    x = 1\n"
                            "\n"
                            "    def test_c(self):\n"
                            "        assert halves.half(5) == 2\n";

static void plant_in(const char *text, uint64_t seed, const char *id,
    bool at_end, struct gs_canaries *ret, struct gs_buf *ret_file)
{
	struct gs_strv ids = {0};
	gs_strv_push(&ids, id);
	const struct gs_canary_request request = {.path = GS_STR("tests/t.py"),
	    .file = gs_str(text),
	    .ids = &ids,
	    .seed = seed,
	    .at_end = at_end};
	ck_assert_int_eq(gs_canaries_plant(&request, ret, ret_file, NULL), 0);
	gs_strv_release(&ids);
}

static void plant(uint64_t seed, const char *id, bool at_end,
    struct gs_canaries *ret, struct gs_buf *ret_file)
{
	plant_in(tests, seed, id, at_end, ret, ret_file);
}

static void plant_at(uint64_t seed, uint64_t places, struct gs_buf *ret_file)
{
	struct gs_strv ids = {0};
	struct gs_canaries canaries = {0};
	gs_strv_push(&ids, "tests/t.py::test_d");
	const struct gs_canary_request request = {.path = GS_STR("tests/t.py"),
	    .file = GS_STR("def test_a():\n    assert 1 == 1\n\n\n"
	                   "def test_b():\n    assert 2 == 2\n\n\n"
	                   "def test_c():\n    assert 3 == 3\n\n\n"
	                   "def test_d():\n    assert 4 == 4\n"),
	    .ids = &ids,
	    .seed = seed,
	    .places = places};
	ck_assert_int_eq(
	    gs_canaries_plant(&request, &canaries, ret_file, NULL), 0);
	gs_canaries_release(&canaries);
	gs_strv_release(&ids);
}

/* The lines on which the file's own tests begin, in one number. */
static size_t lines_of_own(uint64_t seed, uint64_t places)
{
	struct gs_buf file = {0};
	plant_at(seed, places, &file);
	struct gs_str rest = gs_buf_str(&file), line;
	size_t number = 0, all = 0;
	while (rest.n && gs_str_cut(&rest, '\n', &line)) {
		number++;
		/* A planted name goes on: "def test_b_again_both():". */
		if (line.n == sizeof("def test_a():") - 1 &&
		    gs_str_starts(line, "def test_"))
			all = all * 100 + number;
	}
	gs_buf_release(&file);
	return all;
}

/* E2: what moves is the same in every run, so that a test which counts lines
 * fares the same with every answer. */
START_TEST(the_places_are_those_of_their_seed)
	{
		bool differ = false;
		for (uint64_t places = 0; places < 20; places++) {
			size_t first = lines_of_own(1, places);
			ck_assert_uint_gt(first, 1000000);
			for (uint64_t seed = 2; seed < 40; seed++)
				ck_assert_uint_eq(
				    lines_of_own(seed, places), first);
			differ = differ || first != lines_of_own(1, 0);
		}
		ck_assert(differ);
	}

END_TEST

START_TEST(the_names_are_new_at_the_same_places)
	{
		struct gs_buf one = {0}, two = {0};
		plant_at(1, 7, &one);
		plant_at(2, 7, &two);
		ck_assert_str_ne(gs_buf_cstr(&one), gs_buf_cstr(&two));
		gs_buf_release(&one);
		gs_buf_release(&two);
	}

END_TEST

static size_t count(
    const struct gs_canaries *canaries, enum gs_canary_kind kind)
{
	size_t n = 0;
	for (size_t i = 0; i < canaries->n; i++)
		n += canaries->v[i].kind == kind;
	return n;
}

/* Whatever the seed: a canary that another one's name hides would be missed,
 * and an honest answer called a cheat. */
START_TEST(each_has_a_name_of_its_own)
	{
		for (uint64_t seed = 0; seed < 4000; seed++) {
			struct gs_canaries canaries = {0};
			struct gs_buf file = {0};
			plant(seed, "tests/t.py::test_a", false, &canaries,
			    &file);
			for (size_t i = 0; i < canaries.n; i++)
				for (size_t k = 0; k < i; k++)
					ck_assert_str_ne(
					    canaries.v[i].id, canaries.v[k].id);
			gs_canaries_release(&canaries);
			gs_buf_release(&file);
		}
	}

END_TEST

/* In the class of the test that is copied, with other names for another seed,
 * and nothing of the file lost. */
START_TEST(among_the_tests)
	{
		struct gs_canaries one = {0}, two = {0};
		struct gs_buf file = {0}, other = {0};
		struct gs_source source = {0};
		plant(1, "tests/t.py::TestB::test_c", false, &one, &file);
		plant(2, "tests/t.py::TestB::test_c", false, &two, &other);
		ck_assert_uint_eq(count(&one, GS_CANARY_PASSES), 1);
		ck_assert_uint_eq(count(&one, GS_CANARY_FAILS), 1);
		ck_assert_uint_eq(count(&one, GS_CANARY_TWIN), 1);
		ck_assert_uint_eq(count(&one, GS_CANARY_MUTANT), 3);
		ck_assert_int_eq(
		    gs_source_parse(gs_buf_str(&file), &source, NULL), 0);
		ck_assert(!source.has_error);
		ck_assert(
		    gs_source_unit(&source, GS_STR("TestB.test_c"), 0) != NULL);
		for (size_t i = 0; i < one.n; i++) {
			ck_assert(strncmp(one.v[i].id,
			              "tests/t.py::TestB::test_c_", 26) == 0);
			char *name = gs_format("TestB.%s", one.v[i].id + 19);
			ck_assert_msg(
			    gs_source_unit(&source, gs_str(name), 0) != NULL,
			    "%s", name);
			free(name);
			ck_assert_str_eq(one.v[i].role, two.v[i].role);
		}
		ck_assert_str_ne(one.v[0].id, two.v[0].id);
		gs_source_release(&source);
		gs_canaries_release(&one);
		gs_canaries_release(&two);
		gs_buf_release(&file);
		gs_buf_release(&other);
	}

END_TEST

START_TEST(at_the_end_no_line_moves)
	{
		struct gs_canaries canaries = {0};
		struct gs_buf file = {0};
		plant(3, "tests/t.py::test_a", true, &canaries, &file);
		ck_assert(
		    strncmp(gs_buf_cstr(&file), tests, sizeof(tests) - 1) == 0);
		ck_assert_uint_eq(canaries.n, 2);
		gs_canaries_release(&canaries);
		gs_buf_release(&file);
	}

END_TEST

static const char *near_of(const char *unit, struct gs_buf *copy)
{
	struct gs_source source = {0};
	ck_assert_int_eq(gs_source_parse(gs_str(unit), &source, NULL), 0);
	ck_assert(gs_test_mutant(
	    gs_str(unit), &source.units[0], GS_MUTANT_NEAR, "test_y", copy));
	gs_source_release(&source);
	return gs_buf_cstr(copy);
}

/* A value that equals a range of numbers equals its neighbour too. */
START_TEST(near)
	{
		static const char *const numbers[][2] = {{"2", "3"},
		    {"29", "28"}, {"0", "1"}, {"2.5", "2.6"}, {"0x1", "0x11"},
		    {"1e3", "1e31"}, {"2.", "2.1"}, {"'a'", "'ax'"}};
		for (size_t i = 0; i < GS_COUNT(numbers); i++) {
			struct gs_buf copy = {0};
			char *unit =
			    gs_format("def test_x():\n    assert f() == %s\n",
			        numbers[i][0]);
			char *wanted =
			    gs_format("def test_y():\n    assert f() == %s\n",
			        numbers[i][1]);
			ck_assert_str_eq(near_of(unit, &copy), wanted);
			free(unit);
			free(wanted);
			gs_buf_release(&copy);
		}
	}

END_TEST

/* What stands in a block that may not be run is never heard. */
START_TEST(in_the_block_of_the_test)
	{
		static const char text[] = "import sys\n"
		                           "if sys.version_info < (3,):\n"
		                           "    def test_a():\n"
		                           "        assert 1 == 1\n"
		                           "else:\n"
		                           "    def test_b():\n"
		                           "        assert 1 == 1\n";
		const char *other = strstr(text, "else:");
		for (uint64_t seed = 0; seed < 50; seed++) {
			struct gs_canaries canaries = {0};
			struct gs_buf file = {0};
			plant_in(text, seed, "tests/t.py::test_b", false,
			    &canaries, &file);
			ck_assert_uint_eq(canaries.n, 6);
			ck_assert(strncmp(gs_buf_cstr(&file), text,
			              (size_t)(other - text)) == 0);
			gs_canaries_release(&canaries);
			gs_buf_release(&file);
		}
	}

END_TEST

/* Made by a loop or inherited: no such function stands in the file. */
START_TEST(an_unknown_test)
	{
		struct gs_canaries canaries = {0};
		struct gs_buf file = {0};
		plant(
		    3, "tests/t.py::TestZ::test_q[1]", false, &canaries, &file);
		ck_assert_uint_eq(canaries.n, 2);
		gs_canaries_release(&canaries);
		gs_buf_release(&file);
	}

END_TEST

GS_TESTS(canary, GS_TEST_ROWS(mutants, rows), GS_TEST(among_the_tests),
    GS_TEST(each_has_a_name_of_its_own), GS_TEST(at_the_end_no_line_moves),
    GS_TEST(the_places_are_those_of_their_seed),
    GS_TEST(the_names_are_new_at_the_same_places), GS_TEST(an_unknown_test),
    GS_TEST(near), GS_TEST(in_the_block_of_the_test))

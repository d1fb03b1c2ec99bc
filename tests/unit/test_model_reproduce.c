/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"
#include "gs_test.h"
#include "model/reproduce.h"

/* A commit's run in which test_a and C.test_b pass, and the before state's,
 * in which only C.test_b does not. */
static const char runs_text[] =
    "[{\"state\":\"commit\",\"run\":{\"kind\":\"complete\",\"exit_code\":0,"
    "\"nodes\":[{\"id\":\"tests/test_m.py::test_a[1]\",\"outcome\":\"passed\"},"
    "{\"id\":\"tests/test_m.py::C::test_b[x::y]\",\"outcome\":\"passed\"}]}},"
    "{\"state\":\"before\",\"run\":{\"kind\":\"complete\",\"exit_code\":1,"
    "\"nodes\":[{\"id\":\"tests/test_m.py::test_a[1]\",\"outcome\":\"passed\"},"
    "{\"id\":\"tests/test_m.py::C::test_b[x::y]\",\"outcome\":\"failed\","
    "\"failure\":\"assertion\"}]}}]";

static const struct {
	const char *name; /* that an instance gives its test; NULL: none */
	bool reproduces;
} rows[] = {
    {"tests/test_m.py::C::test_b[x::y]", true},
    {"tests/test_m.py::C::test_b", true},
    {"./tests/test_m.py::C", true},
    {"tests/test_m.py", true},
    {"tests.test_m.C.test_b", true},
    {"tests.test_m", true},
    {"tests", true},
    {NULL, true},
    {"tests/test_m.py::test_a", false},
    {"tests.test_m.C.test_bb", false},
    {"tests.test_m.C.test", false},
    {"tests/test_n.py", false},
};

START_TEST(names_of_tests)
	{
		json_t *runs = gs_json_parse(gs_str(runs_text), "runs", NULL);
		struct gs_strv names = {0};

		ck_assert_ptr_nonnull(runs);
		if (rows[_i].name)
			gs_strv_push(&names, rows[_i].name);
		ck_assert_int_eq(
		    gs_runs_reproduce(runs, &names), rows[_i].reproduces);
		gs_strv_release(&names);
		gs_json_free(&runs);
	}

END_TEST

START_TEST(nothing_was_run)
	{
		struct gs_strv names = {0};
		json_t *none = gs_json_parse(GS_STR("[]"), "runs", NULL);

		ck_assert(!gs_runs_reproduce(none, &names));
		ck_assert(!gs_runs_reproduce(NULL, &names));
		gs_json_free(&none);
	}

END_TEST

/* Each look at a candidate is a run of the commit and one of before. */
#define RUN(state, kind, nodes)                                                \
	"{\"state\":\"" state "\",\"run\":{\"kind\":\"" kind                   \
	"\",\"nodes\":[" nodes "],\"collect_errors\":[],\"origins\":[]}}"
#define NODE(id, outcome)                                                      \
	"{\"id\":\"tests/test_a.py::" id "\",\"outcome\":\"" outcome "\"}"
#define COMMIT(nodes) RUN("commit", "complete", nodes)
#define BEFORE(nodes) RUN("before", "complete", nodes)

static const struct look_row {
	const char *name, *runs, *test;
	bool want;
} look_rows[] = {
    {"it flips",
        COMMIT(NODE("C::test_x", "passed")) "," BEFORE(
            NODE("C::test_x", "failed")),
        "tests/test_a.py::C::test_x", true},
    {"by its dotted name",
        COMMIT(NODE("C::test_x[1]", "passed")) "," BEFORE(
            NODE("C::test_x[1]", "failed")),
        "tests.test_a.C.test_x", true},
    {"by its file",
        COMMIT(NODE("test_x", "passed")) "," BEFORE(NODE("test_x", "failed")),
        "tests/test_a.py", true},
    {"another flips",
        COMMIT(NODE("test_xy", "passed")) "," BEFORE(NODE("test_xy", "failed")),
        "tests/test_a.py::test_x", false},
    {"it passed before",
        COMMIT(NODE("test_x", "passed")) "," BEFORE(NODE("test_x", "passed")),
        "tests/test_a.py", false},
    {"never run before", COMMIT(NODE("test_x", "passed")), "tests/test_a.py",
        false},
    {"the first environment refuses the syntax",
        COMMIT("") "," COMMIT(NODE("test_x", "passed")) "," BEFORE(
            NODE("test_x", "failed")),
        "tests/test_a.py", true},
    {"the screening looked at other tests",
        COMMIT(NODE("test_y", "passed")) "," BEFORE(
            NODE("test_y", "failed")) "," COMMIT(NODE("test_x",
            "passed")) "," BEFORE(NODE("test_x", "failed")),
        "tests/test_a.py::test_x", true},
    {"each commit's run has its own before run",
        COMMIT(NODE("test_y", "passed")) "," BEFORE(
            NODE("test_y", "failed")) "," COMMIT(NODE("test_x",
            "passed")) "," BEFORE(NODE("test_x", "passed")),
        "tests/test_a.py::test_x", false},
    {"ids alone say nothing of the others",
        COMMIT(NODE("test_x", "passed")) "," BEFORE(
            NODE("test_x", "passed")) "," BEFORE(NODE("test_y", "failed")),
        "tests/test_a.py::test_x", false},
    {"a run that did not finish was made again",
        COMMIT(NODE("test_x", "passed")) "," RUN(
            "before", "timeout", "") "," BEFORE(NODE("test_x", "passed")),
        "tests/test_a.py::test_x", false},
    {"it ends the interpreter",
        COMMIT(NODE("test_x", "passed")) "," RUN("before", "crash", ""),
        "tests/test_a.py::test_x", true},
};

START_TEST(looks)
	{
		const struct look_row *row = &look_rows[_i];
		GS_CLEANUP(gs_strv_release) struct gs_strv tests = {0};
		GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
		gs_buf_addf(&text, "[%s]", row->runs);
		GS_CLEANUP(gs_json_free)
		json_t *runs = gs_json_parse(gs_buf_str(&text), "runs", NULL);
		ck_assert_ptr_nonnull(runs);
		gs_strv_push(&tests, row->test);
		ck_assert_msg(gs_runs_reproduce(runs, &tests) == row->want,
		    "%s", row->name);
	}

END_TEST

GS_TESTS(model_reproduce, GS_TEST_ROWS(names_of_tests, rows),
    GS_TEST(nothing_was_run), GS_TEST_ROWS(looks, look_rows))

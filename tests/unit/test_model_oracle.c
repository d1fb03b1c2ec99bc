/* SPDX-License-Identifier: Apache-2.0 */
/* Before against after: flips, what must keep passing, what agrees. */
#include <string.h>

#include "base/vec.h"
#include "gs_test.h"
#include "model/oracle.h"

/* A run in shorthand: "id outcome[ failure[ missing]]" lines. */
static struct gs_run run_of(enum gs_run_kind kind, const char *text)
{
	struct gs_run run = {.kind = kind};
	struct gs_str rest = gs_str(text), line;
	while (gs_str_cut(&rest, '\n', &line)) {
		struct gs_str id = {0}, outcome = {0}, failure, missing;
		ck_assert(gs_str_cut(&line, ' ', &id));
		ck_assert(gs_str_cut(&line, ' ', &outcome));
		struct gs_node *node = GS_VEC_ADD(&run.nodes);
		node->id = gs_strndup(id.p, id.n);
		node->started = true;
		char *name = gs_strndup(outcome.p, outcome.n);
		ck_assert(gs_outcome_parse(name, &node->outcome));
		free(name);
		if (!gs_str_cut(&line, ' ', &failure))
			continue;
		name = gs_strndup(failure.p, failure.n);
		ck_assert(gs_failure_parse(name, &node->failure));
		free(name);
		if (gs_str_cut(&line, ' ', &missing))
			node->missing = gs_strndup(missing.p, missing.n);
	}
	gs_run_index(&run);
	return run;
}

static void add_collect_error(struct gs_run *run, const char *id)
{
	struct gs_collect_error *error = GS_VEC_ADD(&run->collect_errors);
	error->id = gs_strdup(id);
}

static void assert_list(const struct gs_strv *list, const char *want)
{
	struct gs_buf got = {0};
	for (size_t i = 0; i < list->n; i++)
		gs_buf_addf(&got, "%s%s", i ? " " : "", list->v[i]);
	ck_assert_str_eq(gs_buf_cstr(&got), want);
	gs_buf_release(&got);
}

static const struct row {
	const char *name;
	const char *before, *after;
	const char *kept, *flips, *reason; /* flips: "id=kind" */
} rows[] = {
    /* O5 */
    {"assertion", "t::a failed assertion", "t::a passed", "t::a", "t::a=call",
        ""},
    {"exception", "t::a failed exception", "t::a passed", "t::a", "t::a=call",
        ""},
    {"passes before", "t::a passed", "t::a passed", "", "", "passes before"},
    {"fails after", "t::a failed assertion", "t::a failed assertion", "", "",
        "fails after"},
    /* O2, F121, F120, F128 */
    {"a skip is neither", "t::a skipped", "t::a passed", "", "",
        "not failed before"},
    {"skipped after", "t::a failed assertion", "t::a skipped", "", "",
        "skipped"},
    {"xfailed before", "t::a xfailed", "t::a passed", "", "",
        "not failed before"},
    {"xpassed after", "t::a failed assertion", "t::a xpassed", "", "",
        "skipped"},
    {"rerun after", "t::a failed assertion", "t::a rerun", "", "", "skipped"},
    {"reported twice", "t::a failed assertion\nt::a failed assertion",
        "t::a passed", "", "", "not failed before"},
    {"absent before", "t::b passed", "t::a passed\nt::b passed", "", "",
        "passes before"},
    /* F114: one test under two ids */
    {"absent after", "t::a failed assertion", "t::b passed", "", "",
        "unstable ids"},
    {"no tests", "", "", "", "", "no tests"},
    /* O4 */
    {"a name of the fix", "t::a failed exception NEW", "t::a passed", "",
        "t::a=missing_name", "name did not exist"},
    {"as the observer calls it", "t::a failed missing_name NEW", "t::a passed",
        "", "t::a=missing_name", "name did not exist"},
    {"a dotted name of the fix", "t::a failed exception pkg.m.NEW",
        "t::a passed", "", "t::a=missing_name", "name did not exist"},
    {"a name that is not the fix's", "t::a failed missing_name long",
        "t::a passed", "t::a", "t::a=call", ""},
    {"setup", "t::a failed setup", "t::a passed", "", "",
        "failed outside the call before"},
    {"teardown", "t::a failed teardown", "t::a passed", "", "",
        "failed outside the call before"},
    /* one of each, sorted */
    {"mixed",
        "t::c failed assertion\nt::a failed exception NEW\nt::b passed\n"
        "t::d failed exception",
        "t::d passed\nt::c passed\nt::b passed\nt::a passed", "t::c t::d",
        "t::a=missing_name t::c=call t::d=call", ""},
};

static const char *const flip_kind_names[] = {
    [GS_FLIP_CALL] = "call",
    [GS_FLIP_TIMEOUT] = "timeout",
    [GS_FLIP_MISSING_NAME] = "missing_name",
    [GS_FLIP_COLLECTION] = "collection",
};

START_TEST(compare)
	{
		const struct row *row = &rows[_i];
		struct gs_run before = run_of(GS_RUN_COMPLETE, row->before);
		struct gs_run after = run_of(GS_RUN_COMPLETE, row->after);
		struct gs_strv introduced = {0}, flips = {0};
		struct gs_oracle oracle;
		gs_strv_push(&introduced, "NEW");
		gs_oracle_compare(&before, &after, &introduced, &oracle);
		for (size_t i = 0; i < oracle.flips.n; i++)
			gs_strv_pushf(&flips, "%s=%s", oracle.flips.v[i].id,
			    flip_kind_names[oracle.flips.v[i].kind]);
		assert_list(&oracle.kept, row->kept);
		assert_list(&flips, row->flips);
		ck_assert_str_eq(oracle.reason, row->reason);
		gs_oracle_release(&oracle);
		gs_strv_release(&introduced);
		gs_strv_release(&flips);
		gs_run_release(&before);
		gs_run_release(&after);
	}

END_TEST

/* O3, F093, F094, F096: how a run broke off is a reason of its own */
static const struct incomplete_row {
	enum gs_run_kind before, after;
	const char *reason;
} incomplete_rows[] = {
    {GS_RUN_CRASH, GS_RUN_COMPLETE, "crash before"},
    {GS_RUN_TIMEOUT, GS_RUN_COMPLETE, "timeout before"},
    {GS_RUN_MEMORY, GS_RUN_COMPLETE, "memory limit before"},
    {GS_RUN_LEFT, GS_RUN_COMPLETE, "left early before"},
    {GS_RUN_OUTPUT, GS_RUN_COMPLETE, "output limit before"},
    {GS_RUN_DISK, GS_RUN_COMPLETE, "disk limit before"},
    {GS_RUN_USAGE, GS_RUN_COMPLETE, "pytest refused to start"},
    {GS_RUN_VOID, GS_RUN_COMPLETE, "imported from outside"},
    {GS_RUN_INFRA, GS_RUN_COMPLETE, "infra"},
    {GS_RUN_COMPLETE, GS_RUN_CRASH, "crash after"},
    {GS_RUN_COMPLETE, GS_RUN_TIMEOUT, "timeout after"},
    {GS_RUN_CRASH, GS_RUN_LEFT, "left early after"},
};

START_TEST(incomplete)
	{
		const struct incomplete_row *row = &incomplete_rows[_i];
		struct gs_run before =
		    run_of(row->before, "t::a failed assertion");
		struct gs_run after = run_of(row->after, "t::a passed");
		struct gs_oracle oracle;
		gs_oracle_compare(&before, &after, NULL, &oracle);
		ck_assert_uint_eq(oracle.kept.n, 0);
		ck_assert_str_eq(oracle.reason, row->reason);
		gs_oracle_release(&oracle);
		gs_run_release(&before);
		gs_run_release(&after);
	}

END_TEST

/* O5: the node that was running when the time was up, and no other */
START_TEST(hang)
	{
		struct gs_run before = run_of(GS_RUN_TIMEOUT,
		    "t::a failed assertion\nt::b unfinished\nt::c unfinished");
		struct gs_run after = run_of(
		    GS_RUN_COMPLETE, "t::a passed\nt::b passed\nt::c passed");
		struct gs_oracle oracle;
		before.running = gs_strdup("t::b");
		gs_oracle_compare(&before, &after, NULL, &oracle);
		assert_list(&oracle.kept, "t::b");
		ck_assert_int_eq(oracle.flips.v[0].kind, GS_FLIP_TIMEOUT);
		ck_assert_int_eq(oracle.flips.v[0].failure, GS_FAILURE_TIMEOUT);
		gs_oracle_release(&oracle);

		/* the others were run without it, and it stands there as
		 * timeout */
		struct gs_run rest = run_of(GS_RUN_COMPLETE,
		    "t::a failed assertion\nt::b unfinished timeout\nt::c passed");
		struct gs_strv flaky = {0};
		gs_oracle_compare(&rest, &after, NULL, &oracle);
		assert_list(&oracle.kept, "t::a t::b");
		assert_list(&oracle.pass_to_pass, "t::c");
		/* K1: a hang that did not hang again is not believed */
		struct gs_run again = run_of(GS_RUN_COMPLETE,
		    "t::a failed assertion\nt::b passed\nt::c passed");
		gs_oracle_confirm(&oracle, &again, NULL, NULL, &flaky);
		assert_list(&oracle.kept, "t::a");
		assert_list(&flaky, "t::b");
		gs_strv_release(&flaky);
		gs_oracle_release(&oracle);
		gs_run_release(&before);
		gs_run_release(&rest);
		gs_run_release(&again);
		gs_run_release(&after);
	}

END_TEST

/* O3, O5, F101, F104: a file that did not import leaves its nodes absent and
 * the run complete; that test_old would have passed is not known. */
START_TEST(collection)
	{
		struct gs_run before =
		    run_of(GS_RUN_COMPLETE, "u.py::x passed");
		struct gs_run after = run_of(GS_RUN_COMPLETE,
		    "t.py::new passed\nt.py::old passed\nu.py::x passed\n"
		    "t.pyx::other passed");
		struct gs_oracle oracle;
		add_collect_error(&before, "t.py");
		gs_oracle_compare(&before, &after, NULL, &oracle);
		ck_assert_uint_eq(oracle.kept.n, 0);
		ck_assert_uint_eq(oracle.flips.n, 2);
		ck_assert_int_eq(oracle.flips.v[0].kind, GS_FLIP_COLLECTION);
		ck_assert_str_eq(oracle.flips.v[1].id, "t.py::old");
		ck_assert_str_eq(oracle.reason, "name did not exist");
		gs_oracle_release(&oracle);

		/* a file that does not import after is the environment's or the
		 * fix's */
		struct gs_run broken = run_of(GS_RUN_COMPLETE, "");
		add_collect_error(&broken, "t.py");
		gs_oracle_compare(&before, &broken, NULL, &oracle);
		ck_assert_str_eq(oracle.reason, "cannot collect");
		gs_oracle_release(&oracle);
		gs_run_release(&before);
		gs_run_release(&after);
		gs_run_release(&broken);
	}

END_TEST

/* K1: one parameter lost a race; the others leave pass_to_pass, not kept. */
START_TEST(confirm_siblings)
	{
		struct gs_run before = run_of(GS_RUN_COMPLETE,
		    "t::r[a] failed assertion\nt::r[b] passed\nt::r[c] passed\n"
		    "t::rest[b] passed\nt::r passed");
		struct gs_run after = run_of(GS_RUN_COMPLETE,
		    "t::r[a] passed\nt::r[b] passed\nt::r[c] passed\n"
		    "t::rest[b] passed\nt::r passed");
		struct gs_run lost = run_of(GS_RUN_COMPLETE,
		    "t::r[a] passed\nt::r[b] passed\nt::r[c] failed assertion\n"
		    "t::rest[b] passed\nt::r passed");
		struct gs_oracle oracle;
		struct gs_strv flaky = {0};

		gs_oracle_compare(&before, &after, NULL, &oracle);
		gs_oracle_confirm(&oracle, &before, &lost, NULL, &flaky);
		assert_list(&oracle.kept, "t::r[a]");
		assert_list(&oracle.pass_to_pass, "t::r t::rest[b]");
		assert_list(&flaky, "t::r[c]");
		gs_strv_release(&flaky);
		gs_oracle_release(&oracle);
		gs_run_release(&before);
		gs_run_release(&after);
		gs_run_release(&lost);
	}

END_TEST

/* K1, F103, F114, F142 */
START_TEST(confirm)
	{
		struct gs_run before = run_of(GS_RUN_COMPLETE,
		    "t::a failed assertion\nt::b failed assertion\nt::p passed\n"
		    "t::q passed");
		struct gs_run after = run_of(GS_RUN_COMPLETE,
		    "t::a passed\nt::b passed\nt::p passed\nt::q passed");
		struct gs_run lucky = run_of(GS_RUN_COMPLETE,
		    "t::a failed assertion\nt::b passed\nt::p passed");
		struct gs_run alone = run_of(GS_RUN_COMPLETE,
		    "t::a failed exception\nt::b failed assertion");
		struct gs_run crash =
		    run_of(GS_RUN_CRASH, "t::a failed assertion\nt::b passed");
		struct gs_oracle oracle;
		struct gs_strv flaky = {0};

		gs_oracle_compare(&before, &after, NULL, &oracle);
		gs_oracle_confirm(&oracle, &before, &after, NULL, &flaky);
		gs_oracle_confirm(&oracle, &alone, NULL, NULL, &flaky);
		assert_list(&flaky, "");
		assert_list(&oracle.kept, "t::a t::b");
		assert_list(&oracle.pass_to_pass, "t::p t::q");

		/* t::b passed before this time, t::q was not there at all */
		gs_oracle_confirm(&oracle, &lucky, &after, NULL, &flaky);
		assert_list(&oracle.kept, "t::a");
		assert_list(&oracle.pass_to_pass, "t::p");
		assert_list(&flaky, "t::b t::q");
		ck_assert_str_eq(oracle.reason, "");

		gs_oracle_confirm(&oracle, &crash, &after, NULL, &flaky);
		assert_list(&oracle.kept, "");
		ck_assert_str_eq(oracle.reason, "flaky");
		gs_strv_release(&flaky);
		gs_oracle_release(&oracle);
		gs_run_release(&before);
		gs_run_release(&after);
		gs_run_release(&lucky);
		gs_run_release(&alone);
		gs_run_release(&crash);
	}

END_TEST

/* O5: names that did not exist are kept where the user asks for them, and
 * then confirmed like the others. */
START_TEST(confirm_missing_names)
	{
		struct gs_run before = run_of(GS_RUN_COMPLETE,
		    "t::a failed exception NEW\nt::b failed assertion");
		struct gs_run after =
		    run_of(GS_RUN_COMPLETE, "t::a passed\nt::b passed");
		struct gs_run other = run_of(GS_RUN_COMPLETE,
		    "t::a failed exception NEW\nt::b failed exception NEW");
		struct gs_strv introduced = {0}, flaky = {0};
		struct gs_oracle oracle;
		gs_strv_push(&introduced, "NEW");
		gs_oracle_compare(&before, &after, &introduced, &oracle);
		assert_list(&oracle.kept, "t::b");
		gs_strv_push(&oracle.kept, "t::a");
		gs_strv_sort(&oracle.kept);
		gs_oracle_confirm(
		    &oracle, &before, &after, &introduced, &flaky);
		assert_list(&oracle.kept, "t::a t::b");
		/* t::b fails in another way: not the same flip */
		gs_oracle_confirm(&oracle, &other, &after, &introduced, &flaky);
		assert_list(&oracle.kept, "t::a");
		assert_list(&flaky, "t::b");
		gs_strv_release(&introduced);
		gs_strv_release(&flaky);
		gs_oracle_release(&oracle);
		gs_run_release(&before);
		gs_run_release(&after);
		gs_run_release(&other);
	}

END_TEST

/* K2, K6 */
START_TEST(holds)
	{
		struct gs_run before = run_of(GS_RUN_COMPLETE,
		    "t::a failed assertion\nt::p passed\nt::s skipped");
		struct gs_run after = run_of(GS_RUN_COMPLETE,
		    "t::a passed\nt::p passed\nt::s failed assertion");
		struct gs_run breaks =
		    run_of(GS_RUN_COMPLETE, "t::a passed\nt::p skipped");
		struct gs_run empty =
		    run_of(GS_RUN_LEFT, "t::a passed\nt::p passed");
		struct gs_oracle oracle;
		const char *why = "";
		gs_oracle_compare(&before, &after, NULL, &oracle);
		ck_assert(gs_oracle_holds(&oracle, &before, &after, &why));
		ck_assert_ptr_null(why);
		ck_assert(!gs_oracle_holds(&oracle, &before, &before, &why));
		ck_assert_str_eq(why, "t::a");
		ck_assert(!gs_oracle_holds(&oracle, &before, &breaks, &why));
		ck_assert_str_eq(why, "t::p");
		ck_assert(gs_oracle_holds(&oracle, NULL, &breaks, NULL));
		/* F156: left with status 0 after passing */
		ck_assert(!gs_oracle_holds(&oracle, NULL, &empty, &why));
		ck_assert_ptr_null(why);
		gs_oracle_release(&oracle);
		gs_run_release(&before);
		gs_run_release(&after);
		gs_run_release(&breaks);
		gs_run_release(&empty);
	}

END_TEST

/* K5, F112 */
static const struct file_row {
	const char *ids[4], *file;
} file_rows[] = {
    {{"a.py::x", "b.py::y", "b.py::z"}, "b.py"},
    {{"b.py::x", "a.py::y"}, "a.py"},
    {{"t/a.py::T::x[p::q]"}, "t/a.py"},
    {{"t/a.py"}, "t/a.py"},
    {{NULL}, ""},
};

START_TEST(test_file)
	{
		const struct file_row *row = &file_rows[_i];
		struct gs_strv ids = {0};
		for (size_t i = 0; i < 4 && row->ids[i]; i++)
			gs_strv_push(&ids, row->ids[i]);
		char *file = gs_test_file_of(&ids);
		ck_assert_str_eq(file, row->file);
		free(file);
		gs_strv_release(&ids);
	}

END_TEST

/* A run survives its JSON, whatever its ids hold (F111, F112, F113). */
START_TEST(json_round_trip)
	{
		struct gs_run run = run_of(GS_RUN_TIMEOUT,
		    "t::a passed\nt::b[\"\\n\xC3\xBC] failed missing_name x.y");
		struct gs_buf first = {0}, second = {0};
		struct gs_json json = {.out = &first};
		struct gs_err err = {0};
		struct gs_run back;

		add_collect_error(&run, "u.py");
		run.collect_errors.v[0].is_syntax = true;
		run.collect_errors.v[0].missing_module = gs_strdup("six");
		struct gs_module_origin *origin = GS_VEC_ADD(&run.origins);
		origin->module = gs_strdup("pkg");
		origin->inside = true;
		run.exit_code = -1;
		run.signal = 9;
		run.elapsed_ms = 1234;
		run.running = gs_strdup("t::b");
		run.nodes.v[1].message = gs_strdup("line\nline");
		gs_strv_push(&run.shims_used, "collections");

		gs_run_write(&run, &json);
		json_t *object =
		    gs_json_parse(gs_buf_str(&first), "the run", &err);
		ck_assert_int_eq(gs_run_parse(object, &back, &err), 0);
		json = (struct gs_json){.out = &second};
		gs_run_write(&back, &json);
		ck_assert_str_eq(gs_buf_cstr(&first), gs_buf_cstr(&second));
		ck_assert(gs_run_passed(&back, "t::a"));
		ck_assert_ptr_nonnull(
		    gs_run_node(&back, "t::b[\"\\n\xC3\xBC]"));
		json_decref(object);
		gs_buf_release(&first);
		gs_buf_release(&second);
		gs_run_release(&run);
		gs_run_release(&back);
	}

END_TEST

static const char *const bad_runs[] = {
    "1",
    "{}",
    "{\"kind\": \"odd\"}",
    "{\"kind\": \"complete\", \"nodes\": [{\"outcome\": \"passed\"}]}",
    "{\"kind\": \"complete\", \"nodes\": [{\"id\": \"a\"}]}",
    ("{\"kind\": \"complete\", \"nodes\": [{\"id\": \"a\", "
     "\"outcome\": \"passed\", \"failure\": \"odd\"}]}"),
    "{\"kind\": \"complete\", \"collect_errors\": [{}]}",
    "{\"kind\": \"complete\", \"origins\": [{}]}",
};

START_TEST(bad_json)
	{
		struct gs_err err = {0};
		struct gs_run run;
		json_t *object =
		    gs_json_parse(gs_str(bad_runs[_i]), "the run", &err);
		ck_assert_ptr_nonnull(object);
		ck_assert_int_eq(
		    gs_run_parse(object, &run, &err), GS_E_CORRUPT);
		ck_assert_str_ne(err.text, "");
		json_decref(object);
	}

END_TEST

GS_TESTS(oracle, GS_TEST_ROWS(compare, rows),
    GS_TEST_ROWS(incomplete, incomplete_rows), GS_TEST(hang),
    GS_TEST(collection), GS_TEST(confirm), GS_TEST(confirm_siblings),
    GS_TEST(confirm_missing_names), GS_TEST(holds),
    GS_TEST_ROWS(test_file, file_rows), GS_TEST(json_round_trip),
    GS_TEST_ROWS(bad_json, bad_runs))

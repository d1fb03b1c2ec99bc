/* SPDX-License-Identifier: Apache-2.0 */
/* The life of commits, candidates and records in the store. */
#include "store_fixture.h"

/* Claims until nothing is left; gives the order as the
 * leading digits of the ids. */
static char *claim_order(
    struct gs_store *store, const struct gs_work_filter *filter)
{
	struct gs_buf order = {0};
	struct gs_work work = {0};

	while (OK(gs_store_claim(store, filter, &work, &err)) > 0) {
		char digits[9];
		(void)snprintf(digits, sizeof(digits), "%.8s", work.id.hex);
		gs_buf_addf(&order, "%s%lx", order.n ? " " : "",
		    strtol(digits, NULL, 16));
		gs_work_release(&work);
	}
	return gs_buf_steal(&order);
}

START_TEST(names_of_projects)
	{
		char *path = make_workspace();
		struct gs_store *store = open_store(path, GS_STORE_WRITE);
		struct gs_project project = {0}, other = {0};
		struct gs_strv tips = {0}, names = {0};

		int64_t b = add_project(store, "b/b");
		ck_assert_int_eq(
		    add_project(store, "b/b"), b); /* same source */
		(void)add_project(store, "a/a");
		other.name = gs_strdup("b/b");
		other.source = gs_strdup("/elsewhere");
		check_fails(gs_store_add_project(store, &other, &err),
		    GS_E_EXISTS, "/srv/b/b");
		gs_project_release(&other);
		gs_strv_push(&tips, oid_of(1).hex);
		const struct gs_mined mined = {.tips = &tips, .roots = &tips};
		OK(gs_store_set_mined(store, b, &mined, &err));
		OK(gs_store_exclude(store, b, "asked", "2026-01-02", &err));
		OK(gs_store_exclude(store, b, "again", "2026-01-03", &err));
		OK(gs_store_project(store, "b/b", &project, &err));
		ck_assert_str_eq(project.excluded_reason, "asked");
		ck_assert_str_eq(project.excluded_at, "2026-01-02");
		ck_assert_str_eq(project.mined_tips.v[0], oid_of(1).hex);
		ck_assert_uint_eq(project.roots.n, 1);
		ck_assert_str_eq(project.repo_url, "https://example.org/b/b");
		gs_project_release(&project);
		check_fails(gs_store_project(store, "c/c", &project, &err),
		    GS_E_NOT_FOUND, "c/c");
		OK(gs_store_project_names(store, &names, &err));
		ck_assert_uint_eq(names.n, 2);
		ck_assert_str_eq(names.v[0], "a/a");
		gs_strv_release(&names);
		gs_strv_release(&tips);
		gs_store_close(store);
		drop_workspace(path);
	}

END_TEST

/* S1: putting again changes nothing, not even with another verdict. */
START_TEST(commits_are_put_once)
	{
		char *path = make_workspace();
		struct gs_store *store = open_store(path, GS_STORE_WRITE);
		int64_t a = add_project(store, "a/a");

		put(store, a, 1, 100, NULL);
		put(store, a, 1, 100, "merge");
		put(store, a, 2, 200, "bad date");
		put(store, a, 2, 200, NULL);
		/* The same commit in another project is another row. */
		put(store, add_project(store, "b/b"), 1, 100, NULL);
		struct gs_funnel funnel = funnel_of(store, NULL);
		ck_assert_int_eq(funnel.projects, 2);
		ck_assert_int_eq(funnel.commits, 3);
		ck_assert_int_eq(funnel.candidates, 2);
		ck_assert_int_eq(funnel.pending, 2);
		ck_assert_int_eq(count_of(&funnel.reasons, "bad date"), 1);
		gs_funnel_release(&funnel);
		/* W6 */
		struct gs_commit_row undated = {.project = a, .id = oid_of(9)};
		check_fails(gs_store_put_commit(store, &undated, NULL, &err),
		    GS_E_USAGE, "no date");
		undated.reason = "unreadable date";
		OK(gs_store_put_commit(store, &undated, NULL, &err));
		gs_store_close(store);
		drop_workspace(path);
	}

END_TEST

/* S1: what was missing may be there the next time. */
START_TEST(unseen_is_judged_again)
	{
		static const char *const reasons[] = {"merge", "parent missing",
		    "missing object", "unreadable object"};
		char *path = make_workspace();
		struct gs_store *store = open_store(path, GS_STORE_WRITE);
		int64_t a = add_project(store, "a/a");
		bool is_incomplete = false;

		for (uint32_t i = 0; i < GS_COUNT(reasons); i++) {
			put(store, a, i, 100, reasons[i]);
			OK(gs_store_is_incomplete(
			    store, a, &is_incomplete, &err));
			ck_assert(is_incomplete == (i > 0));
			put(store, a, i, 100, i % 2 ? NULL : "no test change");
			OK(gs_store_is_incomplete(
			    store, a, &is_incomplete, &err));
			ck_assert(!is_incomplete);
			put(store, a, i, 100, NULL); /* and that is that */
		}
		struct gs_funnel funnel = funnel_of(store, NULL);
		ck_assert_int_eq(funnel.commits, GS_COUNT(reasons));
		ck_assert_int_eq(funnel.pending, 2);
		ck_assert_int_eq(
		    count_of(&funnel.reasons, "no test change"), 2);
		gs_funnel_release(&funnel);
		gs_store_close(store);
		drop_workspace(path);
	}

END_TEST

static struct gs_commit_row merge_row(int64_t project, uint32_t number)
{
	return (struct gs_commit_row){
	    .project = project,
	    .id = oid_of(number),
	    .parent = oid_of(number + 1),
	    .n_parents = 2,
	    .committed_at = number,
	    .has_date = true,
	};
}

static void set_walk(struct gs_store *store, int64_t project, bool first_parent)
{
	struct gs_strv none = {0};
	const struct gs_mined mined = {
	    .tips = &none, .roots = &none, .first_parent = first_parent};

	OK(gs_store_set_mined(store, project, &mined, &err));
}

/* W2: merges that one kind of walk admits are refused by the other, whatever
 * became of them, and come back with it. */
START_TEST(kinds_of_walk)
	{
		char *path = make_workspace();
		struct gs_store *store = open_store(path, GS_STORE_WRITE);
		int64_t a = add_project(store, "a/a");
		const struct gs_work_filter all = {0};
		struct gs_work work = {0};
		struct gs_story story = {0};
		struct gs_commit_row row = merge_row(a, 7);
		int64_t pending = 0;

		row.reason = "merge";
		OK(gs_store_put_commit(store, &row, NULL, &err));
		set_walk(store, a, false);
		/* Now with them: one becomes a record, one stays pending. */
		row.reason = NULL;
		bool is_new = false;
		OK(gs_store_put_commit(store, &row, &is_new, &err));
		ck_assert(is_new);
		row = merge_row(a, 8);
		OK(gs_store_put_commit(store, &row, NULL, &err));
		row = merge_row(a, 9);
		row.reason = "no test change";
		OK(gs_store_put_commit(store, &row, NULL, &err));
		set_walk(store, a, true);
		ck_assert_int_eq(
		    OK(gs_store_claim(store, &all, &work, &err)), 1);
		ck_assert_str_eq(work.id.hex, oid_of(8).hex);
		finish(store, &work, record_of(&work, "x"));
		gs_work_release(&work);
		for (int turn = 0; turn < 2; turn++) {
			row.reason = "merge"; /* what the plain walk gives */
			OK(gs_store_put_commit(store, &row, NULL, &err));
			set_walk(store, a, false);
			struct gs_funnel funnel = funnel_of(store, NULL);
			ck_assert_int_eq(funnel.commits, 3);
			ck_assert_int_eq(funnel.candidates, 0);
			ck_assert_int_eq(funnel.records, 0);
			ck_assert_int_eq(count_of(&funnel.reasons, "merge"), 3);
			gs_funnel_release(&funnel);
			OK(gs_store_count_pending(store, &all, &pending, &err));
			ck_assert_int_eq(pending, 0);
			ck_assert_int_eq(
			    OK(gs_store_claim(store, &all, &work, &err)), 0);
			OK(gs_store_story(store, oid_of(8).hex, &story, &err));
			ck_assert_str_eq(story.state, "refused");
			ck_assert_str_eq(story.reason, "merge");
			gs_story_release(&story);

			row.reason = "no test change";
			OK(gs_store_put_commit(store, &row, NULL, &err));
			set_walk(store, a, true);
			funnel = funnel_of(store, NULL);
			ck_assert_int_eq(funnel.candidates, 2);
			ck_assert_int_eq(funnel.records, 1);
			ck_assert_int_eq(funnel.pending, 1);
			ck_assert_int_eq(count_of(&funnel.reasons, "merge"), 0);
			gs_funnel_release(&funnel);
			OK(gs_store_count_pending(store, &all, &pending, &err));
			ck_assert_int_eq(pending, 1);
		}
		gs_store_close(store);
		drop_workspace(path);
	}

END_TEST

START_TEST(texts)
	{
		char *path = make_workspace();
		struct gs_store *store = open_store(path, GS_STORE_WRITE);
		struct gs_buf text = {0};
		char hex[GS_SHA256_HEX];

		gs_sha256_hex(GS_STR("a\0b"), hex);
		OK(gs_store_put_text(store, hex, GS_STR("a\0b"), &err));
		OK(gs_store_put_text(store, hex, GS_STR("a\0b"), &err));
		OK(gs_store_text(store, hex, &text, &err));
		ck_assert_uint_eq(text.n, 3);
		gs_buf_release(&text);
		gs_sha256_hex(GS_STR(""), hex);
		check_fails(gs_store_text(store, hex, &text, &err),
		    GS_E_NOT_FOUND, hex);
		OK(gs_store_put_text(store, hex, GS_STR(""), &err));
		OK(gs_store_text(store, hex, &text, &err));
		gs_buf_release(&text);
		gs_store_close(store);
		drop_workspace(path);
	}

END_TEST

static const struct order_row {
	const char *name;
	struct gs_work_filter filter;
	const char *expected;
	int project; /* 1-based, 0 all */
} orders[] = {
    /* a: 1..5 at 100..500; b: 11..12 at 900, 901; c: 21 at 50, 22 at 50 */
    {"newest first, in turn", {0}, "5 c 16 4 b 15 3 2 1", 0},
    {"limit", {.limit = 2}, "5 c 16 4 b 15", 0},
    {"limit one, ties by id", {.limit = 1}, "5 c 16", 0},
    {"since", {.since = 300}, "5 c 4 b 3", 0},
    {"until", {.until = 300}, "3 16 2 15 1", 0},
    {"limit counts inside the window", {.limit = 1, .until = 300}, "3 16", 0},
    {"one project", {0}, "5 4 3 2 1", 1},
};

START_TEST(order_of_claims)
	{
		const struct order_row *row = &orders[_i];
		char *path = make_workspace();
		struct gs_store *store = open_store(path, GS_STORE_WRITE);
		struct gs_work_filter filter = row->filter;
		struct gs_strv projects = {0};
		int64_t count = -1;

		int64_t a = add_project(store, "a/a");
		int64_t b = add_project(store, "b/b");
		int64_t c = add_project(store, "c/c");
		for (uint32_t i = 1; i <= 5; i++)
			put(store, a, i, 100 * i, NULL);
		put(store, a, 6, 10000, "merge"); /* no candidate: counts not */
		put(store, b, 11, 900, NULL);
		put(store, b, 12, 901, NULL);
		put(store, c, 21, 50, NULL);
		put(store, c, 22, 50, NULL);
		gs_strv_push(&projects, "a/a");
		if (row->project)
			filter.projects = &projects;
		OK(gs_store_count_pending(store, &filter, &count, &err));
		char *order = claim_order(store, &filter);
		ck_assert_str_eq(order, row->expected);
		size_t spaces = 0;
		for (const char *p = order; *p; p++)
			spaces += *p == ' ';
		ck_assert_int_eq(count, (int64_t)spaces + 1);
		free(order);
		OK(gs_store_count_pending(store, &filter, &count, &err));
		ck_assert_int_eq(count, 0);
		gs_strv_release(&projects);
		gs_store_close(store);
		drop_workspace(path);
	}

END_TEST

/* What is finished among the newest N counts towards N. */
START_TEST(limit_counts_finished)
	{
		char *path = make_workspace();
		struct gs_store *store = open_store(path, GS_STORE_WRITE);
		const struct gs_work_filter two = {.limit = 2};
		struct gs_work work = {0};
		int64_t a = add_project(store, "a/a");

		for (uint32_t i = 1; i <= 4; i++)
			put(store, a, i, i, NULL);
		ck_assert_int_eq(
		    OK(gs_store_claim(store, &two, &work, &err)), 1);
		finish(store, &work, refusal("passes before"));
		gs_work_release(&work);
		gs_store_close(store);
		store = open_store(path, GS_STORE_WRITE);
		char *order = claim_order(store, &two);
		ck_assert_str_eq(order, "3");
		free(order);
		/* A newer one moves the window. */
		put(store, a, 5, 5, NULL);
		order = claim_order(store, &two);
		ck_assert_str_eq(order, "5");
		free(order);
		gs_store_close(store);
		drop_workspace(path);
	}

END_TEST

/* S5: a claim does not outlive its process; unclaim gives back at once; an
 * infra verdict gives back at the next opening and keeps its reason. */
START_TEST(claims_come_back)
	{
		char *path = make_workspace();
		struct gs_store *store = open_store(path, GS_STORE_WRITE);
		const struct gs_work_filter all = {0};
		struct gs_work work = {0};
		struct gs_story story = {0};
		struct gs_verdict infra = refusal("no sandbox");
		int64_t a = add_project(store, "a/a");

		put(store, a, 1, 1, NULL);
		OK(gs_store_claim(store, &all, &work, &err));
		OK(gs_store_unclaim(store, work.row, &err));
		check_fails(gs_store_unclaim(store, work.row, &err), GS_E_USAGE,
		    "not claimed");
		gs_work_release(&work);
		ck_assert_int_eq(
		    OK(gs_store_claim(store, &all, &work, &err)), 1);
		ck_assert_str_eq(work.licence_file, "LICENSE");
		ck_assert_str_eq(work.parent.hex, oid_of(2).hex);
		ck_assert_str_eq(work.mirror, "mirror");
		gs_store_close(store);

		store = open_store(path, GS_STORE_WRITE);
		gs_work_release(&work);
		ck_assert_int_eq(
		    OK(gs_store_claim(store, &all, &work, &err)), 1);
		infra.is_infra = true;
		finish(store, &work, infra);
		gs_work_release(&work);
		ck_assert_int_eq(
		    OK(gs_store_claim(store, &all, &work, &err)), 0);
		OK(gs_store_story(store, "00000001", &story, &err));
		ck_assert_str_eq(story.state, "pending");
		ck_assert_str_eq(story.reason, "no sandbox");
		ck_assert_ptr_nonnull(story.runs);
		gs_story_release(&story);
		struct gs_funnel funnel = funnel_of(store, NULL);
		ck_assert_int_eq(funnel.pending, 1);
		gs_funnel_release(&funnel);
		gs_store_close(store);

		store = open_store(path, GS_STORE_WRITE);
		ck_assert_int_eq(
		    OK(gs_store_claim(store, &all, &work, &err)), 1);
		gs_work_release(&work);
		gs_store_close(store);
		drop_workspace(path);
	}

END_TEST

START_TEST(retry_environment)
	{
		char *path = make_workspace();
		struct gs_store *store = open_store(path, GS_STORE_WRITE);
		const struct gs_work_filter all = {0},
		                            again = {.retry_environment = true};
		struct gs_work work = {0};
		int64_t a = add_project(store, "a/a"), count = 0;

		put(store, a, 1, 1, NULL);
		put(store, a, 2, 2, NULL);
		OK(gs_store_claim(store, &all, &work, &err));
		struct gs_verdict verdict = refusal("environment unsatisfied");
		verdict.missing_module = gs_strdup("numpy");
		finish(store, &work, verdict);
		gs_work_release(&work);
		OK(gs_store_claim(store, &all, &work, &err));
		finish(store, &work, refusal("flaky"));
		gs_work_release(&work);
		struct gs_funnel funnel = funnel_of(store, "a/a");
		ck_assert_int_eq(count_of(&funnel.lacking, "numpy"), 1);
		ck_assert_int_eq(
		    count_of(&funnel.reasons, "environment unsatisfied"), 1);
		gs_funnel_release(&funnel);
		/* This process has just tried: it would go round for ever. */
		OK(gs_store_count_pending(store, &again, &count, &err));
		ck_assert_int_eq(count, 0);
		gs_store_close(store);

		store = open_store(path, GS_STORE_WRITE);
		ck_assert_int_eq(
		    OK(gs_store_claim(store, &all, &work, &err)), 0);
		OK(gs_store_count_pending(store, &again, &count, &err));
		ck_assert_int_eq(count, 1);
		ck_assert_int_eq(
		    OK(gs_store_claim(store, &again, &work, &err)), 1);
		ck_assert_str_eq(work.id.hex, oid_of(2).hex);
		finish(store, &work, record_of(&work, "x"));
		gs_work_release(&work);
		funnel = funnel_of(store, NULL);
		ck_assert_int_eq(funnel.records, 1);
		ck_assert_uint_eq(funnel.lacking.n, 0);
		gs_funnel_release(&funnel);
		gs_store_close(store);
		drop_workspace(path);
	}

END_TEST

/* Nothing of a refused transaction stays, and what follows is told. */
START_TEST(rollback)
	{
		char *path = make_workspace();
		struct gs_store *store = open_store(path, GS_STORE_WRITE);
		int64_t a = add_project(store, "a/a");

		OK(gs_store_begin(store, &err));
		check_fails(gs_store_begin(store, &err), GS_E_USAGE, "already");
		put(store, a, 1, 1, "merge");
		gs_store_rollback(store);
		OK(gs_store_begin(store, &err));
		put(store, a, 2, 1, "merge"); /* its reason was undone too */
		OK(gs_store_commit(store, &err));
		OK(gs_store_begin(store, &err));
		put(store, a, 3, 1, "merge");
		check_fails(
		    gs_store_unclaim(store, 77, &err), GS_E_USAGE, "77");
		struct gs_commit_row row = {
		    .project = a, .id = oid_of(4), .reason = "merge"};
		check_fails(gs_store_put_commit(store, &row, NULL, &err),
		    GS_E_USAGE, "undid");
		check_fails(gs_store_commit(store, &err), GS_E_USAGE, "undid");
		/* An unknown project: a foreign key. */
		row.project = 99;
		check_fails(gs_store_put_commit(store, &row, NULL, &err),
		    GS_E_USAGE, "does not take");
		OK(gs_store_begin(store, &err));
		put(store, a, 5, 1, NULL);
		gs_store_close(store); /* without a commit */
		store = open_store(path, GS_STORE_READ);
		struct gs_funnel funnel = funnel_of(store, NULL);
		ck_assert_int_eq(funnel.commits, 1);
		gs_funnel_release(&funnel);
		check_fails(
		    gs_store_begin(store, &err), GS_E_USAGE, "reading only");
		gs_store_close(store);
		drop_workspace(path);
	}

END_TEST

GS_TESTS(store, GS_TEST(names_of_projects), GS_TEST(commits_are_put_once),
    GS_TEST(unseen_is_judged_again), GS_TEST(kinds_of_walk), GS_TEST(texts),
    GS_TEST_ROWS(order_of_claims, orders), GS_TEST(limit_counts_finished),
    GS_TEST(claims_come_back), GS_TEST(retry_environment), GS_TEST(rollback))

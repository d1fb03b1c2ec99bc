/* SPDX-License-Identifier: Apache-2.0 */
/* Several stores become one: what is known stays, what is more is added. */
#include "os/tree.h"
#include "store/also.h"
#include "store/merge.h"
#include "store_fixture.h"

/* Two workspaces, a and b, both empty. */
struct pair {
	char *path_a, *path_b;
	struct gs_store *a, *b;
};

static struct pair open_pair(void)
{
	struct pair pair = {
	    .path_a = make_workspace(), .path_b = make_workspace()};
	pair.a = open_store(pair.path_a, GS_STORE_WRITE);
	pair.b = open_store(pair.path_b, GS_STORE_WRITE);
	return pair;
}

static void close_pair(struct pair *pair)
{
	gs_store_close(pair->a);
	gs_store_close(pair->b);
	drop_workspace(pair->path_a);
	drop_workspace(pair->path_b);
}

/* Examines the newest of a project: a record of this text, or a refusal. */
static void examine(struct gs_store *store, const char *project,
    const char *record, const char *reason)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv names = {0};
	gs_strv_push(&names, project);
	struct gs_work_filter filter = {.projects = &names};
	struct gs_work work = {0};
	ck_assert_int_eq(OK(gs_store_claim(store, &filter, &work, &err)), 1);
	finish(
	    store, &work, record ? record_of(&work, record) : refusal(reason));
	gs_work_release(&work);
}

static struct gs_merge_result merge(struct gs_store *store, const char *folder)
{
	struct gs_merge_result result = {0};
	OK(gs_store_merge(store, folder, &result, &err));
	return result;
}

/* Merged without a conflict: what was new. */
static void merges(struct gs_store *store, const char *folder,
    int64_t candidates, int64_t records)
{
	struct gs_merge_result result = merge(store, folder);
	ck_assert_msg(result.n_conflicts == 0, "%s",
	    result.conflicts.n ? result.conflicts.v[0] : "");
	ck_assert_int_eq(result.candidates, candidates);
	ck_assert_int_eq(result.records, records);
	gs_merge_result_release(&result);
}

static void conflicts(
    struct gs_store *store, const char *folder, const char *part)
{
	struct gs_funnel before = funnel_of(store, NULL);
	struct gs_merge_result result = merge(store, folder);
	ck_assert_uint_gt(result.conflicts.n, 0);
	ck_assert_msg(strstr(result.conflicts.v[0], part) != NULL, "%s",
	    result.conflicts.v[0]);
	ck_assert_msg(strstr(result.conflicts.v[0], folder) != NULL, "%s",
	    result.conflicts.v[0]);
	struct gs_funnel after = funnel_of(store, NULL);
	ck_assert_int_eq(before.projects, after.projects);
	ck_assert_int_eq(before.commits, after.commits);
	ck_assert_int_eq(before.records, after.records);
	gs_merge_result_release(&result);
	gs_funnel_release(&before);
	gs_funnel_release(&after);
}

/* Rows have other numbers on either side: all goes by names and ids. */
START_TEST(projects_of_both_are_there_and_again_changes_nothing)
	{
		struct pair pair = open_pair();
		int64_t one = add_project(pair.a, "a/one");
		put(pair.a, one, 1, 100, NULL);
		put(pair.a, one, 2, 50, "merge");
		examine(pair.a, "a/one", "text", NULL);
		int64_t two = add_project(pair.b, "b/two");
		int64_t three = add_project(pair.b, "c/three");
		put(pair.b, two, 3, 200, "no parent");
		put(pair.b, two, 4, 300, NULL);
		put(pair.b, three, 5, 90, NULL);
		put(pair.b, three, 6, 91, NULL);
		examine(pair.b, "b/two", NULL, "flaky");
		examine(pair.b, "c/three", "text", NULL);
		merges(pair.a, pair.path_b, 3, 1);
		for (int i = 0; i < 2; i++) {
			struct gs_funnel funnel = funnel_of(pair.a, NULL);
			ck_assert_int_eq(funnel.projects, 3);
			ck_assert_int_eq(funnel.commits, 6);
			ck_assert_int_eq(funnel.pending, 1);
			/* I4: the older one of the two equal ones stands. */
			ck_assert_int_eq(funnel.records, 1);
			ck_assert_int_eq(funnel.duplicates, 1);
			ck_assert_int_eq(count_of(&funnel.reasons, "flaky"), 1);
			ck_assert_int_eq(count_of(&funnel.reasons, "merge"), 1);
			gs_funnel_release(&funnel);
			merges(pair.a, pair.path_b, 0, 0);
		}
		struct gs_story story = {0};
		OK(gs_store_story(pair.a, "b/two:00000004", &story, &err));
		ck_assert_str_eq(story.reason, "flaky");
		ck_assert_str_eq(story.detail, "because");
		ck_assert_ptr_nonnull(story.runs);
		gs_story_release(&story);
		close_pair(&pair);
	}

END_TEST

/* The same commits on both sides, examined on one of them or the other. */
static void mine_both(struct pair *pair)
{
	(void)add_project(pair->b, "x/unrelated");
	int64_t a = add_project(pair->a, "a/one");
	int64_t b = add_project(pair->b, "a/one");
	for (uint32_t i = 1; i <= 3; i++) {
		put(pair->a, a, i, 100 + i, NULL);
		put(pair->b, b, i, 100 + i, NULL);
	}
}

START_TEST(of_a_candidate_the_verdict_that_there_is_stands)
	{
		struct pair pair = open_pair();
		mine_both(&pair);
		examine(pair.a, "a/one", NULL, "environment unsatisfied");
		examine(pair.a, "a/one", NULL, "flaky");
		examine(pair.b, "a/one", "text", NULL); /* what a lacked */
		/* A claim there, alive or dead, is nothing here. */
		struct gs_work_filter filter = {0};
		struct gs_work work = {0};
		ck_assert_int_eq(
		    OK(gs_store_claim(pair.b, &filter, &work, &err)), 1);
		gs_work_release(&work);
		merges(pair.a, pair.path_b, 1, 1);
		struct gs_funnel funnel = funnel_of(pair.a, NULL);
		ck_assert_int_eq(funnel.records, 1);
		ck_assert_int_eq(funnel.pending, 1);
		ck_assert_int_eq(count_of(&funnel.reasons, "flaky"), 1);
		ck_assert_uint_eq(funnel.reasons.n, 1);
		gs_funnel_release(&funnel);
		/* The other way round it is the same in the end. */
		merges(pair.b, pair.path_a, 1, 0);
		funnel = funnel_of(pair.b, "a/one");
		ck_assert_int_eq(funnel.records, 1);
		ck_assert_int_eq(funnel.pending, 1);
		ck_assert_int_eq(count_of(&funnel.reasons, "flaky"), 1);
		gs_funnel_release(&funnel);
		close_pair(&pair);
	}

END_TEST

START_TEST(a_record_here_and_a_refusal_there)
	{
		struct pair pair = open_pair();
		mine_both(&pair);
		examine(pair.a, "a/one", "text", NULL);
		examine(pair.b, "a/one", NULL, "passes before");
		conflicts(pair.a, pair.path_b, "here a record, in ");
		conflicts(pair.b, pair.path_a,
		    "a/one, commit 000000030000: here refused: passes before");
		close_pair(&pair);
	}

END_TEST

START_TEST(two_reasons_for_one_candidate)
	{
		struct pair pair = open_pair();
		mine_both(&pair);
		examine(pair.a, "a/one", NULL, "flaky");
		examine(pair.b, "a/one", NULL, "passes before");
		conflicts(pair.a, pair.path_b, "here refused: flaky, in ");
		close_pair(&pair);
	}

END_TEST

/* Dates and programs of the runs may differ; what was seen may not. */
static const bool differ[] = {false, true};

START_TEST(two_records_of_one_candidate)
	{
		struct pair pair = open_pair();
		mine_both(&pair);
		const struct gs_work_filter filter = {0};
		struct gs_store *const stores[] = {pair.a, pair.b};
		for (int i = 0; i < 2; i++) {
			struct gs_work work = {0};
			int rc = 0;
			do {
				gs_work_release(&work);
				rc = OK(gs_store_claim(
				    stores[i], &filter, &work, &err));
			} while (
			    rc > 0 && strcmp(work.project_name, "a/one") != 0);
			struct gs_verdict verdict = record_of(&work, "text");
			free(verdict.record.id);
			verdict.record.id = gs_strdup("gs-0123456789abcdef");
			verdict.record.validated_at =
			    gs_strdup(i ? "2025-01-01T00:00:00Z"
			                : "2025-01-02T00:00:00Z");
			verdict.record.validator =
			    gs_strdup(i ? "python 3.11" : "python 3.12");
			verdict.record.also_in = gs_strdup(i ? "x/y" : "");
			if (differ[_i])
				gs_strv_push(&verdict.record.fail_to_pass,
				    i ? "t.py::test_x" : "t.py::test_y");
			finish(stores[i], &work, verdict);
			gs_work_release(&work);
		}
		if (differ[_i])
			conflicts(pair.a, pair.path_b, "another fail_to_pass");
		else
			merges(pair.a, pair.path_b, 0, 0);
		close_pair(&pair);
	}

END_TEST

START_TEST(another_history_under_one_name)
	{
		struct pair pair = open_pair();
		GS_CLEANUP(gs_strv_release) struct gs_strv tips = {0};
		GS_CLEANUP(gs_strv_release) struct gs_strv roots = {0};
		gs_strv_push(&tips, oid_of(1).hex);
		gs_strv_push(&roots, oid_of(7).hex);
		int64_t a = add_project(pair.a, "a/one");
		OK(gs_store_set_mined(pair.a, a,
		    &(struct gs_mined){.tips = &tips, .roots = &roots}, &err));
		gs_strv_push(&roots, oid_of(8).hex);
		int64_t b = add_project(pair.b, "a/one");
		OK(gs_store_set_mined(pair.b, b,
		    &(struct gs_mined){.tips = &tips, .roots = &roots}, &err));
		merges(pair.a, pair.path_b, 0, 0); /* they share a root */
		struct gs_project project = {0};
		OK(gs_store_project(pair.a, "a/one", &project, &err));
		ck_assert_uint_eq(project.roots.n, 2);
		ck_assert_uint_eq(project.mined_tips.n, 1);
		gs_project_release(&project);
		gs_strv_reset(&roots);
		gs_strv_push(&roots, oid_of(9).hex);
		OK(gs_store_set_mined(pair.b, b,
		    &(struct gs_mined){.tips = &tips, .roots = &roots}, &err));
		conflicts(pair.a, pair.path_b,
		    "here a history that begins at 00000007");
		close_pair(&pair);
	}

END_TEST

START_TEST(a_commit_that_was_mined_otherwise)
	{
		struct pair pair = open_pair();
		int64_t a = add_project(pair.a, "a/one");
		int64_t b = add_project(pair.b, "a/one");
		put(pair.a, a, 1, 100, NULL);
		put(pair.b, b, 1, 100, "licence not accepted");
		conflicts(pair.a, pair.path_b,
		    "refused when mined: licence not accepted");
		close_pair(&pair);
	}

END_TEST

/* P5: an exclusion anywhere holds everywhere; the first one stands. */
START_TEST(exclusions_and_published_ids_are_kept)
	{
		struct pair pair = open_pair();
		mine_both(&pair);
		struct gs_project project = {0};
		OK(gs_store_project(pair.b, "a/one", &project, &err));
		OK(gs_store_exclude(
		    pair.b, project.id, "asked", "2025-01-01T00:00:00Z", &err));
		gs_project_release(&project);
		GS_CLEANUP(gs_strv_release) struct gs_strv ids = {0};
		gs_strv_push(&ids, "gs-1");
		OK(gs_store_put_published(pair.b, &ids, false, &err));
		merges(pair.a, pair.path_b, 0, 0);
		OK(gs_store_project(pair.a, "a/one", &project, &err));
		ck_assert_str_eq(project.excluded_reason, "asked");
		gs_project_release(&project);
		bool was = false;
		OK(gs_store_was_published(pair.a, "gs-1", false, &was, &err));
		ck_assert(was);
		merges(pair.b, pair.path_a, 0, 0);
		close_pair(&pair);
	}

END_TEST

/* I4: who merges has no mirror to look into. */
START_TEST(texts_at_tips_come_along)
	{
		struct pair pair = open_pair();
		GS_CLEANUP(gs_strv_release) struct gs_strv hashes = {0};
		GS_CLEANUP(gs_strv_release) struct gs_strv tips = {0};
		GS_CLEANUP(gs_strv_release) struct gs_strv found = {0};
		char hash[GS_SHA256_HEX];
		struct gs_oid blob = oid_of(5);
		bool is_surveyed = false;
		gs_sha256_hex(GS_STR("text"), hash);
		gs_strv_push(&hashes, hash);
		gs_strv_push(&tips, oid_of(1).hex);
		(void)add_project(pair.a, "a/one");
		int64_t b = add_project(pair.b, "b/two");
		OK(gs_store_set_mined(pair.b, b,
		    &(struct gs_mined){.tips = &tips, .roots = &tips}, &err));
		OK(gs_store_is_surveyed(pair.b, b, &is_surveyed, &err));
		ck_assert(!is_surveyed);
		OK(gs_store_put_tip_blob(pair.b, b, &blob, &hashes, &err));
		OK(gs_store_set_surveyed(pair.b, b, &err));
		merges(pair.a, pair.path_b, 0, 0);
		OK(gs_store_also_in(pair.a, "a/one", hash, hash, &found, &err));
		ck_assert_uint_eq(found.n, 1);
		ck_assert_str_eq(found.v[0], "b/two");
		struct gs_project project = {0};
		OK(gs_store_project(pair.a, "b/two", &project, &err));
		OK(gs_store_is_surveyed(
		    pair.a, project.id, &is_surveyed, &err));
		ck_assert(is_surveyed);
		gs_project_release(&project);
		close_pair(&pair);
	}

END_TEST

/* A copy is whole, is found by readers, and replaces the one before. */
START_TEST(a_copy_holds_what_the_store_held)
	{
		struct pair pair = open_pair();
		mine_both(&pair);
		char *folder = gs_path_join(pair.path_b, "out/shard-0-of-1");
		char *unfinished = gs_path_join(folder, ".new-abcdef");
		OK(gs_dir_make(unfinished, 0755, &err));
		OK(gs_store_export(pair.a, folder, &err));
		ck_assert(!gs_path_exists(unfinished));
		examine(pair.a, "a/one", "text", NULL);
		OK(gs_store_export(pair.a, folder, &err));
		merges(pair.b, folder, 1, 1);
		char *out = gs_path_join(pair.path_b, "out");
		OK(gs_tree_remove(out, &err));
		check_fails(gs_store_export(pair.a, "/proc/none", &err),
		    GS_E_NOT_FOUND, "/proc/none");
		free(out);
		free(folder);
		free(unfinished);
		close_pair(&pair);
	}

END_TEST

START_TEST(itself_and_what_is_none_is_refused)
	{
		struct pair pair = open_pair();
		struct gs_merge_result result = {0};
		check_fails(gs_store_merge(pair.a, pair.path_a, &result, &err),
		    GS_E_USAGE, "is the workspace itself");
		check_fails(gs_store_merge(pair.a, "/proc", &result, &err),
		    GS_E_NOT_FOUND, "/proc is no workspace");
		/* … and after that it goes on. */
		merges(pair.a, pair.path_b, 0, 0);
		close_pair(&pair);
	}

END_TEST

GS_TESTS(store_merge,
    GS_TEST(projects_of_both_are_there_and_again_changes_nothing),
    GS_TEST(of_a_candidate_the_verdict_that_there_is_stands),
    GS_TEST(a_record_here_and_a_refusal_there),
    GS_TEST(two_reasons_for_one_candidate),
    GS_TEST_ROWS(two_records_of_one_candidate, differ),
    GS_TEST(another_history_under_one_name),
    GS_TEST(a_commit_that_was_mined_otherwise),
    GS_TEST(exclusions_and_published_ids_are_kept),
    GS_TEST(texts_at_tips_come_along),
    GS_TEST(a_copy_holds_what_the_store_held),
    GS_TEST(itself_and_what_is_none_is_refused))

/* SPDX-License-Identifier: Apache-2.0 */
/* What the store answers: the funnel, a story, the records of a release. */
#include "store/also.h"
#include "store_fixture.h"

static const struct gs_work_filter all = {0};

/* Claims the newest of `project` and makes it a record of `text`. */
static void keep_newest(
    struct gs_store *store, const char *project, const char *text)
{
	struct gs_strv projects = {0};
	struct gs_work work = {0};

	gs_strv_push(&projects, project);
	ck_assert_int_eq(
	    OK(gs_store_claim(store,
	        &(struct gs_work_filter){.projects = &projects}, &work, &err)),
	    1);
	finish(store, &work, record_of(&work, text));
	gs_work_release(&work);
	gs_strv_release(&projects);
}

static int note_id(void *ctx, struct gs_record *record,
    struct gs_evidence *evidence, struct gs_err *e)
{
	(void)e;
	ck_assert_str_eq(record->id, evidence->id);
	ck_assert_uint_eq(record->fail_to_pass.n, 1);
	gs_strv_push(ctx, record->id);
	return 0;
}

static char *released(struct gs_store *store, const struct gs_strv *kinds,
    const struct gs_strv *projects)
{
	const struct gs_release_filter filter = {kinds, projects};
	struct gs_strv ids = {0};
	struct gs_buf text = {0};

	OK(gs_store_each_record(store, &filter, note_id, &ids, &err));
	for (size_t i = 0; i < ids.n; i++)
		gs_buf_addf(&text, "%s%s", i ? " " : "", ids.v[i]);
	gs_strv_release(&ids);
	return gs_buf_steal(&text);
}

static void check_released(struct gs_store *store, const char *expected)
{
	char *ids = released(store, NULL, NULL);

	ck_assert_str_eq(ids, expected);
	free(ids);
}

static int note_withdrawn(void *ctx, const char *repo, const char *id,
    const char *date, const char *reason, struct gs_err *e)
{
	(void)repo;
	(void)e;
	gs_buf_addf(ctx, "%s,%s,%s\n", id, date, reason);
	return 0;
}

/* I4, F008: of equal records the oldest stands, ties by repo, then commit;
 * one of an excluded project does not stand in the way. */
START_TEST(duplicates)
	{
		char *path = make_workspace();
		struct gs_store *store = open_store(path, GS_STORE_WRITE);
		struct gs_story story = {0};
		struct gs_buf withdrawn = {0};
		int64_t a = add_project(store, "a/a");
		int64_t b = add_project(store, "b/b");

		put(store, a, 1, 100, NULL);
		put(store, b, 2, 100, NULL); /* same date: repo decides */
		put(store, b, 3, 50, NULL);  /* older, another text */
		put(store, b, 4, 40, NULL);
		keep_newest(store, "a/a", "same");
		keep_newest(store, "b/b", "same");
		keep_newest(store, "b/b", "other");
		keep_newest(store, "b/b", "other");
		struct gs_funnel funnel = funnel_of(store, NULL);
		ck_assert_int_eq(funnel.records, 2);
		ck_assert_int_eq(funnel.duplicates, 2);
		ck_assert_int_eq(
		    count_of(&funnel.by_granularity, "function"), 2);
		ck_assert_int_eq(count_of(&funnel.by_change_kind, "bug"), 2);
		gs_funnel_release(&funnel);
		funnel = funnel_of(store, "b/b");
		ck_assert_int_eq(funnel.records, 1);
		ck_assert_int_eq(funnel.duplicates, 2);
		gs_funnel_release(&funnel);
		check_released(
		    store, "gs-0000000100000001 gs-0000000400000002");
		OK(gs_store_story(store, "00000002", &story, &err));
		ck_assert_str_eq(story.state, "duplicate");
		ck_assert_str_eq(story.duplicate_of, "gs-0000000100000001");
		gs_story_release(&story);

		OK(gs_store_exclude(
		    store, a, "asked", "2026-01-02T00:00:00Z", &err));
		check_released(
		    store, "gs-0000000400000002 gs-0000000200000002");
		funnel = funnel_of(store, NULL);
		ck_assert_int_eq(funnel.records, 2);
		ck_assert_int_eq(funnel.duplicates, 1);
		ck_assert_int_eq(
		    count_of(&funnel.reasons, "excluded project"), 1);
		gs_funnel_release(&funnel);
		OK(gs_store_story(store, "gs-0000000100000001", &story, &err));
		ck_assert_str_eq(story.state, "excluded");
		ck_assert_str_eq(story.detail, "asked");
		gs_story_release(&story);
		OK(gs_store_each_withdrawn(
		    store, note_withdrawn, &withdrawn, &err));
		ck_assert_str_eq(gs_buf_cstr(&withdrawn),
		    "gs-0000000100000001,2026-01-02T00:00:00Z,asked\n");
		gs_buf_release(&withdrawn);
		gs_store_close(store);
		drop_workspace(path);
	}

END_TEST

/* P5: nothing of an excluded project is worked on, and it still adds up. */
START_TEST(excluded_is_not_claimed)
	{
		char *path = make_workspace();
		struct gs_store *store = open_store(path, GS_STORE_WRITE);
		struct gs_work work = {0};
		int64_t a = add_project(store, "a/a");

		put(store, a, 1, 100, NULL);
		OK(gs_store_exclude(
		    store, a, "asked", "2026-01-02T00:00:00Z", &err));
		ck_assert_int_eq(
		    OK(gs_store_claim(store, &all, &work, &err)), 0);
		struct gs_funnel funnel = funnel_of(store, NULL);
		ck_assert_int_eq(funnel.pending, 0);
		ck_assert_int_eq(
		    count_of(&funnel.reasons, "excluded project"), 1);
		gs_funnel_release(&funnel);
		gs_store_close(store);
		drop_workspace(path);
	}

END_TEST

/* K7: a release holds the kinds it is asked for. */
START_TEST(kinds_and_projects)
	{
		char *path = make_workspace();
		struct gs_store *store = open_store(path, GS_STORE_WRITE);
		struct gs_strv kinds = {0}, projects = {0};

		put(store, add_project(store, "a/a"), 1, 100, NULL);
		put(store, add_project(store, "b/b"), 2, 100, NULL);
		keep_newest(store, "a/a", "x");
		keep_newest(store, "b/b", "y");
		gs_strv_push(&kinds, "feature");
		char *ids = released(store, &kinds, NULL);
		ck_assert_str_eq(ids, "");
		free(ids);
		gs_strv_push(&kinds, "bug");
		gs_strv_push(&projects, "b/b");
		ids = released(store, &kinds, &projects);
		ck_assert_str_eq(ids, "gs-0000000200000002");
		free(ids);
		gs_strv_release(&kinds);
		gs_strv_release(&projects);
		gs_store_close(store);
		drop_workspace(path);
	}

END_TEST

static const struct story_row {
	const char *name;
	enum gs_code code;
	const char *expected; /* state, or part of the sentence */
} stories[] = {
    {"00000001", GS_OK, "record"},
    {"gs-0000000100000001", GS_OK, "record"},
    {"gs-00000001", GS_OK, "record"},
    {"a/a:0000000300000", GS_OK, "refused"},
    {"a/a:0000000300", GS_OK, "refused"},
    {"ABCDE", GS_OK, "pending"},
    {"0000", GS_E_USAGE, "more digits"},
    {"00000003", GS_E_USAGE, "a/a:00000003 or b/b:00000003"},
    {"000", GS_E_USAGE, "at least 4"},
    {"../x", GS_E_USAGE, "neither"},
    {"", GS_E_USAGE, "neither"},
    {"ffffffff", GS_E_NOT_FOUND, "no commit"},
    {"gs-none", GS_E_NOT_FOUND, "no commit or record"},
    {"c/c:00000001", GS_E_NOT_FOUND, "no commit"},
    {"00000001000000000000000000000000000000000000000000000000000000000000000",
        GS_E_USAGE, "neither"},
};

START_TEST(stories_by_name)
	{
		const struct story_row *row = &stories[_i];
		char *path = make_workspace();
		struct gs_store *store = open_store(path, GS_STORE_WRITE);
		struct gs_story story = {0};
		int64_t a = add_project(store, "a/a");

		put(store, a, 1, 100, NULL);
		keep_newest(store, "a/a", "x");
		put(store, a, 3, 100, "merge");
		put(store, add_project(store, "b/b"), 3, 100, "merge");
		put(store, a, 0xabcdef01, 100, NULL);
		int rc = gs_store_story(store, row->name, &story, &err);
		if (row->code == GS_OK) {
			ck_assert_msg(rc == 0, "%s", err.text);
			ck_assert_str_eq(story.state, row->expected);
		} else {
			check_fails(rc, row->code, row->expected);
		}
		gs_story_release(&story);
		gs_store_close(store);
		drop_workspace(path);
	}

END_TEST

START_TEST(whole_story)
	{
		char *path = make_workspace();
		struct gs_store *store = open_store(path, GS_STORE_WRITE);
		struct gs_story story = {0};
		int64_t a = add_project(store, "a/a");

		put(store, a, 1, 100, NULL);
		put(store, a, 2, 99, "merge");
		keep_newest(store, "a/a", "text \xc3\xa9\n");
		OK(gs_store_story(store, "00000001", &story, &err));
		ck_assert_str_eq(story.project, "a/a");
		ck_assert_str_eq(story.parent.hex, oid_of(2).hex);
		ck_assert_int_eq(story.committed_at, 100);
		ck_assert_str_eq(story.licence, "MIT");
		ck_assert_str_eq(story.runs, "[]");
		ck_assert_ptr_nonnull(strstr(
		    story.record, "\"source_after\":\"text \xc3\xa9\\n\""));
		ck_assert_ptr_nonnull(
		    strstr(story.evidence, "\"change_kind\":\"bug\""));
		gs_story_release(&story);
		OK(gs_store_story(store, "00000002", &story, &err));
		ck_assert_str_eq(story.reason, "merge");
		ck_assert_str_eq(story.detail, "a sentence");
		ck_assert_ptr_null(story.record);
		gs_story_release(&story);
		gs_store_close(store);
		drop_workspace(path);
	}

END_TEST

/* I4 */
START_TEST(also_in)
	{
		char *path = make_workspace();
		struct gs_store *store = open_store(path, GS_STORE_WRITE);
		struct gs_strv hashes = {0}, names = {0};
		struct gs_oid blob = oid_of(7);
		char text[GS_SHA256_HEX], fingerprint[GS_SHA256_HEX];
		bool has = true;
		int64_t a = add_project(store, "a/a");
		int64_t b = add_project(store, "b/b");
		int64_t c = add_project(store, "c/c");

		gs_sha256_hex(GS_STR("after"), text);
		gs_sha256_hex(GS_STR("same"), fingerprint);
		gs_strv_push(&hashes, text);
		OK(gs_store_has_tip_blob(store, c, &blob, &has, &err));
		ck_assert(!has);
		OK(gs_store_put_tip_blob(store, c, &blob, &hashes, &err));
		OK(gs_store_put_tip_blob(store, c, &blob, &hashes, &err));
		OK(gs_store_put_tip_blob(store, a, &blob, &hashes, &err));
		OK(gs_store_has_tip_blob(store, c, &blob, &has, &err));
		ck_assert(has);
		OK(gs_store_has_tip_blob(store, b, &blob, &has, &err));
		ck_assert(!has);
		put(store, b, 1, 100, NULL);
		keep_newest(store, "b/b", "same");
		OK(gs_store_also_in(
		    store, "a/a", fingerprint, text, &names, &err));
		ck_assert_uint_eq(names.n, 2);
		ck_assert_str_eq(names.v[0], "b/b");
		ck_assert_str_eq(names.v[1], "c/c");
		gs_strv_reset(&names);
		/* P5: who asked to be left out is not named either. */
		OK(gs_store_exclude(
		    store, c, "asked", "2026-01-02T00:00:00Z", &err));
		OK(gs_store_exclude(
		    store, b, "asked", "2026-01-02T00:00:00Z", &err));
		OK(gs_store_also_in(
		    store, "a/a", fingerprint, text, &names, &err));
		ck_assert_uint_eq(names.n, 0);
		gs_strv_release(&names);
		gs_strv_release(&hashes);
		gs_store_close(store);
		drop_workspace(path);
	}

END_TEST

GS_TESTS(store_query, GS_TEST(duplicates), GS_TEST(excluded_is_not_claimed),
    GS_TEST(kinds_and_projects), GS_TEST_ROWS(stories_by_name, stories),
    GS_TEST(whole_story), GS_TEST(also_in))

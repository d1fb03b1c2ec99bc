/* SPDX-License-Identifier: Apache-2.0 */
/* Releases over time: versions, changelog, withdrawals (P5). */
#include "publish_fixture.h"

static void has(const char *text, const char *part)
{
	ck_assert_msg(
	    strstr(text, part) != NULL, "lacks \"%s\":\n%s", part, text);
}

struct history {
	char *workspace, *folders[4];
	struct gs_store *store;
};

static struct history begin(void)
{
	struct history history = {0};
	history.store = sample_store(&history.workspace);
	for (int i = 0; i < 4; i++)
		history.folders[i] = gs_format("%s/r%d", history.workspace, i);
	return history;
}

static void end(struct history *history)
{
	for (int i = 0; i < 4; i++)
		free(history->folders[i]);
	end_samples(history->store, history->workspace);
}

static struct gs_publish_result next(struct history *history, int i)
{
	struct gs_publish_result result = {0};
	const struct gs_publish_options options = {
	    .folder = history->folders[i],
	    .previous = i ? history->folders[i - 1] : NULL};
	publish(history->store, &options, &result);
	return result;
}

START_TEST(versions_tell_the_change)
	{
		struct history history = begin();
		ck_assert_str_eq(next(&history, 0).version, "1.0.0");
		ck_assert_str_eq(
		    next(&history, 1).version, "1.0.1"); /* the same */
		static const struct sample more = {
		    "d/d", "bug", "Fix", "MIT", "LICENSE", 9, 50, false, false};
		add_sample(history.store, &more);
		ck_assert_str_eq(next(&history, 2).version, "1.1.0");
		struct gs_project project = {0};
		OK(gs_store_project(history.store, "b/b", &project, &err));
		OK(gs_store_exclude(history.store, project.id,
		    "=asked,\n\"by\" mail", "2026-03-04", &err));
		gs_project_release(&project);
		struct gs_publish_result last = next(&history, 3);
		ck_assert_str_eq(last.version, "2.0.0");
		ck_assert_int_eq(last.records, 2);
		char *log = read_text(history.folders[3], "CHANGELOG.md");
		has(log,
		    "## [2.0.0] - 2026-02-03\n\n### Removed\n\n- 2 records: gs-");
		has(log,
		    "## [1.1.0] - 2026-02-03\n\n### Added\n\n- 1 record: gs-");
		has(log, "## [1.0.1] - 2026-02-03\n\n### Changed\n");
		has(log, "- First release: 3 records from 2 projects.");
		char *gone = read_text(history.folders[3], "withdrawn.csv");
		has(gone, "id,date,reason\ngs-");
		has(gone, ",2026-03-04,\"'=asked,\\x0a\"\"by\"\" mail\"\n");
		char *index =
		    read_text(history.folders[3], "licenses/index.csv");
		ck_assert_ptr_null(strstr(index, "b/b"));
		free(index);
		free(gone);
		free(log);
		end(&history);
	}

END_TEST

static const struct {
	const char *version;
	bool is_true;
} claims[] = {
    {"1.1.0", true},
    {"1.2.0", true},
    {"2.0.0", true},
    {"1.0.1", false},
    {"1.0.0", false},
    {"0.9.0", false},
    {"1.1", false},
    {"1.1.0.0", false},
    {"01.1.0", false},
    {"v1.1.0", false},
    {"", false},
};

START_TEST(a_version_must_not_lie)
	{
		struct history history = begin();
		(void)next(&history, 0);
		static const struct sample more = {
		    "d/d", "bug", "Fix", "MIT", "LICENSE", 9, 50, false, false};
		add_sample(history.store, &more);
		for (size_t i = 0; i < GS_COUNT(claims); i++) {
			struct gs_publish_result result = {0};
			const struct gs_publish_options options = {
			    .folder = history.folders[1],
			    .version = claims[i].version,
			    .previous = history.folders[0]};
			int rc =
			    gs_publish(history.store, &options, &result, &err);
			ck_assert_msg(
			    rc == (claims[i].is_true ? 0 : GS_E_USAGE),
			    "%s: %d %s", claims[i].version, rc, err.text);
			ck_assert(gs_path_exists(history.folders[1]) ==
			          claims[i].is_true);
			OK(gs_tree_remove(history.folders[1], &err));
		}
		end(&history);
	}

END_TEST

/* P5: an id once withdrawn stays so, also when the store knows no more. */
START_TEST(withdrawn_ids_are_carried_over)
	{
		struct history history = begin();
		struct gs_project project = {0};
		ck_assert_int_eq(next(&history, 0).withdrawn, 0);
		OK(gs_store_project(history.store, "a/a", &project, &err));
		OK(gs_store_exclude(
		    history.store, project.id, "asked", "2026-03-04", &err));
		gs_project_release(&project);
		ck_assert_int_eq(next(&history, 1).withdrawn, 1);
		char *first = read_text(history.folders[1], "withdrawn.csv");
		char *other = make_workspace();
		struct gs_store *store = open_store(other, GS_STORE_WRITE);
		add_sample(store, &samples[0]);
		struct gs_publish_result result = {0};
		const struct gs_publish_options options = {
		    .folder = history.folders[2],
		    .previous = history.folders[1]};
		publish(store, &options, &result);
		ck_assert_int_eq(result.withdrawn, 1);
		char *second = read_text(history.folders[2], "withdrawn.csv");
		ck_assert_str_eq(first, second);
		free(first);
		free(second);
		end_samples(store, other);
		end(&history);
	}

END_TEST

/* P5: what was never published is not named, though the store has it. */
START_TEST(only_what_was_published_is_withdrawn)
	{
		struct history history = begin();
		struct gs_project project = {0};
		OK(gs_store_project(history.store, "b/b", &project, &err));
		OK(gs_store_exclude(
		    history.store, project.id, "asked", "2026-03-04", &err));
		gs_project_release(&project);
		ck_assert_int_eq(next(&history, 0).withdrawn, 0);
		char *gone = read_text(history.folders[0], "withdrawn.csv");
		ck_assert_str_eq(gone, "id,date,reason\n");
		free(gone);
		end(&history);
	}

END_TEST

/* The folder that is replaced is the release before: its number stays only
 * where every byte does. */
START_TEST(a_replaced_release_is_the_one_before)
	{
		struct history history = begin();
		struct gs_publish_result result = {0};
		struct gs_publish_options options = {
		    .folder = history.folders[0], .replace = true};
		publish(history.store, &options, &result);
		char *first = read_text(history.folders[0], "SHA256SUMS");
		publish(history.store, &options, &result);
		char *second = read_text(history.folders[0], "SHA256SUMS");
		ck_assert_str_eq(result.version, "1.0.0");
		ck_assert_str_eq(first, second);
		options.publisher.name = "Other words";
		publish(history.store, &options, &result);
		ck_assert_str_eq(result.version, "1.0.1");
		options.publisher.name = "Yet others";
		options.version = "1.0.1";
		check_fails(gs_publish(history.store, &options, &result, &err),
		    GS_E_USAGE, "says too little");
		static const struct sample more = {
		    "d/d", "bug", "Fix", "MIT", "LICENSE", 9, 50, false, false};
		add_sample(history.store, &more);
		options.version = NULL;
		publish(history.store, &options, &result);
		ck_assert_str_eq(result.version, "1.1.0");
		char *log = read_text(history.folders[0], "CHANGELOG.md");
		has(log, "## [1.1.0]");
		has(log, "## [1.0.1]");
		has(log, "## [1.0.0]");
		free(log);
		free(first);
		free(second);
		end(&history);
	}

END_TEST

START_TEST(the_previous_must_be_a_release)
	{
		struct history history = begin();
		struct gs_publish_result result = {0};
		const struct gs_publish_options options = {
		    .folder = history.folders[0],
		    .previous = history.workspace};
		check_fails(gs_publish(history.store, &options, &result, &err),
		    GS_E_USAGE, "is not a release");
		end(&history);
	}

END_TEST

GS_TESTS(changes, GS_TEST(versions_tell_the_change),
    GS_TEST(a_version_must_not_lie),
    GS_TEST(only_what_was_published_is_withdrawn),
    GS_TEST(a_replaced_release_is_the_one_before),
    GS_TEST(withdrawn_ids_are_carried_over),
    GS_TEST(the_previous_must_be_a_release))

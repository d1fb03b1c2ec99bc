/* SPDX-License-Identifier: Apache-2.0 */
#include "validate/judge.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "model/diff.h"
#include "model/paths.h"

/* Sources of the before tree that are searched for a word (K8). */
#define MAX_SEARCHED 4000

/* Both sides of a path, read; a missing side is empty. */
struct sides {
	struct gs_buf before, after;
};

static void sides_release(struct sides *sides)
{
	gs_buf_release(&sides->before);
	gs_buf_release(&sides->after);
}

static int read_entry(struct gs_observer *observer,
    const struct gs_entry *entry, struct gs_buf *ret, struct gs_err *err)
{
	if (!gs_entry_is_file(entry))
		return 0;
	int rc = gs_objects_read(observer->worker->objects, entry->id.hex,
	    GS_MAX_PYTHON_FILE, ret, err);
	return rc == GS_E_LIMIT ? 0 : rc;
}

static int read_sides(struct gs_observer *observer, struct gs_str path,
    struct sides *ret, struct gs_err *err)
{
	const struct gs_candidate *candidate = observer->candidate;
	int rc = read_entry(observer,
	    gs_listing_find(&candidate->parent_tree, path), &ret->before, err);
	if (rc == 0)
		rc = read_entry(observer,
		    gs_listing_find(&candidate->commit_tree, path), &ret->after,
		    err);
	return rc;
}

static void added_lines(const struct sides *sides, struct gs_buf *ret)
{
	struct gs_diff diff = {0};
	gs_diff(gs_buf_str(&sides->before), gs_buf_str(&sides->after), &diff);
	for (size_t i = 0; i < diff.n; i++)
		if (diff.v[i].op == GS_DIFF_ADDED)
			gs_buf_adds(ret, diff.v[i].text);
	gs_diff_release(&diff);
}

static int look_at_prose(
    struct gs_observer *observer, struct gs_signals *ret, struct gs_err *err)
{
	const struct gs_candidate *candidate = observer->candidate;
	GS_CLEANUP(gs_buf_release) struct gs_buf gained = {0};
	for (size_t i = 0; i < candidate->others.n; i++) {
		struct gs_str path = candidate->others.v[i].path;
		if (gs_path_is_documentation(path))
			ret->documentation_changed = true;
		if (!gs_path_is_changelog(path))
			continue;
		GS_CLEANUP(sides_release) struct sides sides = {0};
		int rc = read_sides(observer, path, &sides, err);
		if (rc)
			return rc;
		added_lines(&sides, &gained);
	}
	gs_signals_of_changelog(gs_buf_str(&gained), ret);
	return 0;
}

static void look_at_sources(
    const struct gs_candidate *candidate, struct gs_signals *ret)
{
	for (size_t i = 0; i < candidate->files.n; i++) {
		const struct gs_changed_file *file = &candidate->files.v[i];
		gs_public_api_change(&file->before, &file->after,
		    &ret->new_public, &ret->changed_signatures,
		    &ret->changed_defaults);
	}
}

/* Lines that a test file lost: none, or some with an assertion on them. */
static void look_at_removed(const struct sides *sides, struct gs_signals *ret)
{
	struct gs_diff diff = {0};
	gs_diff(gs_buf_str(&sides->before), gs_buf_str(&sides->after), &diff);
	for (size_t i = 0; i < diff.n; i++)
		if (diff.v[i].op == GS_DIFF_REMOVED)
			gs_signals_of_removed_test_line(diff.v[i].text, ret);
	gs_diff_release(&diff);
}

/* Words on the added lines of a test file; with ids only on the lines of the
 * tests that these name. */
static void words_of_test(const struct sides *sides, struct gs_str path,
    const struct gs_strv *ids, struct gs_strv *names, struct gs_strv *literals)
{
	struct gs_str after = gs_buf_str(&sides->after);
	size_t n = 0, n_tests = 0;
	bool *lines = gs_changed_lines(gs_buf_str(&sides->before), after, &n);
	bool *tests = ids ? gs_test_lines(after, ids, path, &n_tests) : NULL;
	for (size_t i = 0; tests && i < n; i++)
		lines[i] = i < n_tests && lines[i] && tests[i];
	gs_source_words(after, lines, n, names, literals);
	free(lines);
	free(tests);
}

static int look_at_tests(
    struct gs_observer *observer, struct gs_signals *ret, struct gs_err *err)
{
	const struct gs_candidate *candidate = observer->candidate;
	GS_CLEANUP(gs_strv_release) struct gs_strv names = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv literals = {0};
	ret->tests_only_add = true;
	for (size_t i = 0; i < candidate->test_files.n; i++) {
		GS_CLEANUP(sides_release) struct sides sides = {0};
		struct gs_str path = gs_str(candidate->test_files.v[i]);
		int rc = read_sides(observer, path, &sides, err);
		if (rc)
			return rc;
		look_at_removed(&sides, ret);
		words_of_test(&sides, path, NULL, &names, &literals);
	}
	for (size_t i = 0; i < candidate->introduced.n; i++)
		if (gs_strv_has(&names, candidate->introduced.v[i]))
			gs_strv_push(&ret->new_names_used_by_tests,
			    candidate->introduced.v[i]);
	return 0;
}

int gs_gather_signals(struct gs_observer *observer,
    const struct gs_oracle *oracle, struct gs_signals *ret, struct gs_err *err)
{
	gs_signals_of_message(
	    gs_buf_str(&observer->candidate->commit.message), ret);
	int rc = look_at_prose(observer, ret, err);
	if (rc == 0)
		rc = look_at_tests(observer, ret, err);
	look_at_sources(observer->candidate, ret);
	ret->n_flips = oracle->flips.n;
	for (size_t i = 0; i < oracle->flips.n; i++)
		if (oracle->flips.v[i].kind == GS_FLIP_MISSING_NAME)
			ret->missing_name_flips = true;
	return rc;
}

static void move_held(
    struct gs_str text, const struct gs_strv *words, bool *held)
{
	for (size_t i = 0; i < words->n; i++)
		if (!held[i] && gs_text_holds_word(text, words->v[i]))
			held[i] = true;
}

/* Which of the words some source file of the before tree holds. */
static int search_before(struct gs_observer *observer,
    const struct gs_strv *words, struct gs_strv *ret, struct gs_err *err)
{
	const struct gs_candidate *candidate = observer->candidate;
	const struct gs_listing *tree = &candidate->before;
	bool *held = gs_alloc(words->n + 1);
	size_t searched = 0;
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < tree->n && searched < MAX_SEARCHED;
	     i++) {
		struct gs_str path = tree->v[i].path;
		if (gs_path_classify(path, &candidate->patterns) !=
		    GS_PATH_SOURCE)
			continue;
		GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};
		rc = read_entry(observer, &tree->v[i], &bytes, err);
		move_held(gs_buf_str(&bytes), words, held);
		searched++;
	}
	for (size_t i = 0; i < words->n; i++)
		if (held[i])
			gs_strv_push(ret, words->v[i]);
	free(held);
	return rc;
}

/* Words of the flipping tests that the after text holds, sorted. */
static int shared_words(struct gs_observer *observer, struct gs_str after,
    const struct gs_oracle *oracle, struct gs_strv *ret, struct gs_err *err)
{
	const struct gs_candidate *candidate = observer->candidate;
	GS_CLEANUP(gs_strv_release) struct gs_strv tests = {0};
	for (size_t i = 0; i < candidate->test_files.n; i++) {
		GS_CLEANUP(sides_release) struct sides sides = {0};
		struct gs_str path = gs_str(candidate->test_files.v[i]);
		int rc = read_sides(observer, path, &sides, err);
		if (rc)
			return rc;
		words_of_test(&sides, path, &oracle->kept, &tests, &tests);
	}
	gs_strv_sort(&tests);
	gs_strv_uniq(&tests);
	for (size_t i = 0; i < tests.n; i++)
		if (gs_text_holds_word(after, tests.v[i]))
			gs_strv_push(ret, tests.v[i]);
	return 0;
}

int gs_gather_unguessable(struct gs_observer *observer,
    const struct gs_reduction *reduction, const struct gs_oracle *oracle,
    struct gs_str spec, struct gs_strv *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv shared = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv known = {0};
	struct gs_str after = gs_reduction_after(reduction);
	int rc = shared_words(observer, after, oracle, &shared, err);
	if (rc == 0 && shared.n > 0)
		rc = search_before(observer, &shared, &known, err);
	if (rc == 0)
		gs_unguessable(&shared, after, &known, spec, ret);
	return rc;
}

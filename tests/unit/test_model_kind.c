/* SPDX-License-Identifier: Apache-2.0 */
/* K7 and K8. Sentences are of our own making; how the table does on real
 * commits stands in docs/kinds.md. */
#include <string.h>

#include "gs_test.h"
#include "model/glob.h"
#include "model/kind.h"
#include "model/words.h"

/* F013: words of the subject */
static const struct message_row {
	const char *message,
	    *want; /* f fix, r repair, v verb, h house, i issue */
} message_rows[] = {
    {"Fix crash on empty input", "fr"},
    {"fix: allow empty input", "fr"},
    {"fix(core)!: use the other name", "f"},
    {"Fixed #12: Support names", "vi"},
    {"Fixes #12", "i"},
    {"Fix issue #12", "i"},
    {"Closes GH-12", "i"},
    {"Fixes: https://example.org/issues/12", "i"},
    {"Correct rounding (#12)", "fi"},
    {"Bug in the parser", "f"},
    {"parser: fix off by one", "f"},
    {"[parser] Fix off by one", "f"},
    {"Do not raise on blank lines", "r"},
    {"Handle None in parse()", "r"},
    {"Add a bug tracker link", "fv"},
    {"feat: names", "v"},
    {"feat(core): fix names", "fv"},
    {"refactor: names", "v"},
    {"parser: add names", "v"},
    {"NEW: Names", "v"},
    {"Address the rest", ""},
    {"docs: fix the example", "fh"},
    {"Fix typo", "fh"},
    {"fix typos in the error message", "frh"},
    {"Fix tests", "fh"},
    {"fix failing unit tests on Windows", "frh"},
    {"Fix test runner crash", "fr"},
    {"Fix mypy", "fh"},
    {"fix flake8", "fh"},
    {"fix lint errors", "frh"},
    {"Fix docs", "fh"},
    {"Fix style of lists", "f"},
    {"chore: fix names", "fh"},
    {"Fix crash in tests folder lookup", "fr"},
    {"Revert \"Fix crash\"", "frh"},
    {"Revert \"Add names\"", "h"},
    {"\n\n  Fix names\n\nAdd docs", "f"},
    {"Names\n\nfix it, see #3", "i"},
    {"A sentence with many words before: fix", "f"},
    {"prefix and suffix", ""},
    {"", ""},
};

START_TEST(messages)
	{
		const struct message_row *row = &message_rows[_i];
		struct gs_signals signals = {0};
		char got[8] = "";
		size_t n = 0;
		gs_signals_of_message(gs_str(row->message), &signals);
		if (signals.fix_word)
			got[n++] = 'f';
		if (signals.repair_word)
			got[n++] = 'r';
		if (signals.feature_verb)
			got[n++] = 'v';
		if (signals.housekeeping)
			got[n++] = 'h';
		if (signals.issue_reference)
			got[n++] = 'i';
		ck_assert_msg(strcmp(got, row->want) == 0,
		    "\"%s\": %s, want %s", row->message, got, row->want);
		gs_signals_release(&signals);
	}

END_TEST

static const struct changelog_row {
	const char *lines;
	bool fix, feature;
} changelog_rows[] = {
    {"- Fix crash on new names (#3)\n", true, false},
    {"* Added names\n", false, true},
    {"- Fix crash\n- Add names\n", true, true},
    {"### Fixed\n\n- Names are kept\n", true, false},
    {"Bug fixes\n", true, false},
    {"- Names are kept. Fixes #3\n", false, false},
    /* a line that goes on is no entry */
    {"-   Fix the label of\n    deprecated names\n", true, false},
    {"", false, false},
};

START_TEST(changelogs)
	{
		const struct changelog_row *row = &changelog_rows[_i];
		struct gs_signals signals = {0};
		gs_signals_of_changelog(gs_str(row->lines), &signals);
		ck_assert_int_eq(signals.changelog_says_fix, row->fix);
		ck_assert_int_eq(signals.changelog_says_feature, row->feature);
	}

END_TEST

/* K7 */
static const struct removed_row {
	const char *line;
	bool only_add, old_assertion;
} removed_rows[] = {
    {"\n", true, false},
    {"    # a comment\n", true, false},
    {"import os\n", true, false},
    {"from pkg import raises\n", true, false},
    {"    x = 1\n", false, false},
    {"    assert x == 1\n", false, true},
    {"    self.assertEqual(x, 1)\n", false, true},
    {"    with pytest.raises(ValueError):\n", false, true},
};

START_TEST(removed_lines)
	{
		const struct removed_row *row = &removed_rows[_i];
		struct gs_signals signals = {.tests_only_add = true};
		gs_signals_of_removed_test_line(gs_str(row->line), &signals);
		ck_assert_int_eq(signals.tests_only_add, row->only_add);
		ck_assert_int_eq(
		    signals.old_assertion_changed, row->old_assertion);
	}

END_TEST

/* K7: the rows of the table, each reached */
static const struct table_row {
	const char *set; /* letters below */
	enum gs_change_kind kind;
	const char *why;
} table_rows[] = {
    {"f", GS_KIND_BUG, "fix said, nothing new"},
    {"F", GS_KIND_BUG, "fix said, nothing new"},
    {"fr", GS_KIND_BUG, "fix said, nothing new"},
    {"fd", GS_KIND_BUG, "fix said, nothing new"},
    {"fh", GS_KIND_UNCLEAR, "housekeeping"},
    {"fdo", GS_KIND_UNCLEAR, "documented behaviour changed"},
    {"fv", GS_KIND_FEATURE, "feature verb"},
    {"va", GS_KIND_FEATURE, "feature verb"},
    {"fn", GS_KIND_FEATURE, "tests use a new name"},
    {"ra", GS_KIND_BUG, "repair said, tests only add"},
    {"r", GS_KIND_UNCLEAR, "nothing decides"},
    {"ram", GS_KIND_UNCLEAR, "nothing decides"},
    {"rap", GS_KIND_FEATURE, "interface changed"},
    {"ras", GS_KIND_FEATURE, "interface changed"},
    {"fD", GS_KIND_FEATURE, "interface changed"},
    {"rad", GS_KIND_FEATURE, "documentation changed"},
    {"raL", GS_KIND_FEATURE, "changelog of a feature"},
    {"a", GS_KIND_UNCLEAR, "nothing decides"},
    {"", GS_KIND_UNCLEAR, "nothing decides"},
};

START_TEST(table)
	{
		const struct table_row *row = &table_rows[_i];
		struct gs_signals s = {
		    .fix_word = strchr(row->set, 'f') != NULL,
		    .repair_word = strchr(row->set, 'r') != NULL,
		    .feature_verb = strchr(row->set, 'v') != NULL,
		    .housekeeping = strchr(row->set, 'h') != NULL,
		    .changelog_says_fix = strchr(row->set, 'F') != NULL,
		    .changelog_says_feature = strchr(row->set, 'L') != NULL,
		    .documentation_changed = strchr(row->set, 'd') != NULL,
		    .tests_only_add = strchr(row->set, 'a') != NULL,
		    .old_assertion_changed = strchr(row->set, 'o') != NULL,
		    .missing_name_flips = strchr(row->set, 'm') != NULL};
		const char *why;
		if (strchr(row->set, 'n'))
			gs_strv_push(&s.new_names_used_by_tests, "helper");
		if (strchr(row->set, 'p'))
			gs_strv_push(&s.new_public, "helper");
		if (strchr(row->set, 's'))
			gs_strv_push(&s.changed_signatures, "f");
		if (strchr(row->set, 'D'))
			gs_strv_push(&s.changed_defaults, "f");
		ck_assert_int_eq(gs_change_kind(&s, &why), row->kind);
		ck_assert_str_eq(why, row->why);
		gs_signals_release(&s);
	}

END_TEST

/* K7: every signal stands in the evidence */
START_TEST(signals_json)
	{
		struct gs_signals signals = {.fix_word = true, .n_flips = 2};
		struct gs_buf text = {0};
		struct gs_json json = {.out = &text};
		gs_strv_push(&signals.changed_defaults, "C.f");
		gs_signals_write(&signals, &json);
		json_t *object =
		    gs_json_parse(gs_buf_str(&text), "signals", NULL);
		ck_assert_uint_eq(json_object_size(object), 16);
		ck_assert(gs_json_get_bool(object, "fix_word", false));
		ck_assert_int_eq(gs_json_get_int(object, "n_flips", 0), 2);
		json_decref(object);
		gs_buf_release(&text);
		gs_signals_release(&signals);
		ck_assert_str_eq(gs_change_kind_name(GS_KIND_BUG), "bug");
		ck_assert_str_eq(
		    gs_change_kind_name(GS_KIND_FEATURE), "feature");
		ck_assert_str_eq(
		    gs_change_kind_name(GS_KIND_UNCLEAR), "unclear");
	}

END_TEST

static void push_words(struct gs_strv *words, const char *text)
{
	struct gs_str rest = gs_str(text), word;
	while (gs_str_cut(&rest, ' ', &word))
		gs_strv_push_str(words, word);
	gs_strv_sort(words);
}

/* K8 */
static const struct fair_row {
	const char *test, *after, *before, *spec, *want;
} fair_rows[] = {
    {"helper parse", "helper(parse)", "parse", "", "helper"},
    {"helper parse", "helper(parse)", "parse", "call helper()", ""},
    {"helper", "parse", "parse", "", ""},
    {"\"msg\" 42", "f('msg', 42)", "42", "", "\"msg\""},
    {"\"msg\"", "f('msg')", "", "the text is 'msg'", ""},
    /* a part of what the fix says is as hard to guess as the whole */
    {"\"outside-dir\"", "f('outside-dir: %s' % x)", "", "", "\"outside-dir\""},
    {"\"out\" out", "f('outside')", "", "", ""},
    {"b a", "a = b", "", "", "a b"},
    {"\"\" \"", "a", "", "", ""},
    {"", "a", "", "", ""},
};

START_TEST(unguessable)
	{
		const struct fair_row *row = &fair_rows[_i];
		struct gs_strv test = {0}, before = {0}, got = {0};
		struct gs_strv want = {0};
		push_words(&test, row->test);
		push_words(&before, row->before);
		push_words(&want, row->want);
		gs_unguessable(&test, gs_str(row->after), &before,
		    gs_str(row->spec), &got);
		ck_assert_uint_eq(got.n, want.n);
		for (size_t i = 0; i < got.n; i++)
			ck_assert_str_eq(got.v[i], want.v[i]);
		gs_strv_release(&test);
		gs_strv_release(&before);
		gs_strv_release(&got);
		gs_strv_release(&want);
	}

END_TEST

/* W4: python_files as Python's fnmatch reads them */
static const struct glob_row {
	const char *pattern, *text;
	bool matches;
} glob_rows[] = {
    {"test_*.py", "test_a.py", true},
    {"test_*.py", "test_.py", true},
    {"test_*.py", "test.py", false},
    {"*", "", true},
    {"", "", true},
    {"", "a", false},
    {"a*b*c", "aXbYbZc", true},
    {"a*b*c", "aXbYbZ", false},
    {"a?c", "abc", true},
    {"a?c", "ac", false},
    {"[ab]x", "bx", true},
    {"[!ab]x", "bx", false},
    {"[!ab]x", "cx", true},
    {"[a-c]x", "bx", true},
    {"[a-c]x", "dx", false},
    {"[]a]x", "]x", true},
    {"[ax", "[ax", true},
    {"[", "[", true},
    {"[a-]", "-", true},
    {"Test_*", "test_a", false},
    {"*.py", "a/b.py", true},
    {"****a****a****a****a****b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        false},
};

START_TEST(globs)
	{
		const struct glob_row *row = &glob_rows[_i];
		ck_assert_msg(gs_glob_match(gs_str(row->pattern),
		                  gs_str(row->text)) == row->matches,
		    "%s against %s", row->pattern, row->text);
	}

END_TEST

GS_TESTS(kind, GS_TEST_ROWS(messages, message_rows),
    GS_TEST_ROWS(changelogs, changelog_rows),
    GS_TEST_ROWS(removed_lines, removed_rows), GS_TEST_ROWS(table, table_rows),
    GS_TEST(signals_json), GS_TEST_ROWS(unguessable, fair_rows),
    GS_TEST_ROWS(globs, glob_rows))

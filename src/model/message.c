/* SPDX-License-Identifier: Apache-2.0 */
/*
 * K7: what the words of a commit message and of a changelog say. English
 * only, and only what authors commonly write; the words were chosen on real
 * commits (docs/kinds.md).
 */
#include "model/kind.h"
#include "model/words.h"

static const char *const fix_words[] = {"fix", "fixes", "fixed", "fixing",
    "bugfix", "bugfixes", "hotfix", "bug", "bugs", "correct", "corrects",
    "corrected", "correctly", "correcting", "regression", "regressions", NULL};

/* Words of something that goes wrong, or goes wrong no more. */
static const char *const repair_words[] = {"crash", "crashes", "crashed",
    "crashing", "handle", "handles", "handled", "handling", "avoid", "avoids",
    "prevent", "prevents", "properly", "proper", "don't", "dont", "doesn't",
    "shouldn't", "not", "never", "longer", "wrong", "wrongly", "broken",
    "breaks", "breakage", "error", "errors", "exception", "exceptions",
    "traceback", "typeerror", "valueerror", "keyerror", "attributeerror",
    "indexerror", "unicodeerror", "unicodedecodeerror", "unicodeencodeerror",
    "recursionerror", "zerodivisionerror", "assertionerror", "oserror",
    "failure", "failures", "fails", "fail", "failing", "incorrect",
    "incorrectly", "invalid", "ensure", "ensures", "respect", "respects",
    "preserve", "preserves", "preserving", "restore", "restores", "leak",
    "leaks", "infinite", "recursion", "deadlock", "race", "missing", "lost",
    "problem", "problems", "empty", "none", "overflow", "corrupt", "corruption",
    "segfault", "hang", "hangs", "mistake", "spurious", "unexpected",
    "duplicate", "duplicated", "consistent", "inconsistent", "repair",
    "repairs", "workaround", "unclosed", "should", "instead", "rather",
    "always", NULL};

static const char *const feature_verbs[] = {"add", "adds", "added", "adding",
    "allow", "allows", "allowing", "support", "supports", "supported",
    "supporting", "implement", "implements", "implemented", "implementing",
    "introduce", "introduces", "introduced", "deprecate", "deprecates",
    "deprecated", "rename", "renames", "renamed", "new", "enable", "enables",
    "enabled", "improve", "improves", "improved", "improving", "update",
    "updates", "updated", "expose", "exposes", "exposed", "refactor",
    "refactored", "refactors", "refactoring", "make", "makes", "made",
    "feature", "enh", "enhancement", "enhance", "enhanced", "remove", "removes",
    "removed", "drop", "drops", "dropped", "change", "changes", "changed",
    "use", "uses", "extend", "extends", "switch", "replace", "move", "moved",
    "merge", "bump", "release", "provide", "provides", "convert", "optimize",
    "optimise", "optimized", "simplify", "cleanup", "clean", "rewrite", "speed",
    "let", "port", "initial", "create", "require", "default", "rework",
    "reduce", "increase", "accept", "accepts", "include", "pass", "more",
    "better", "try", "set", "turn", "upgrade", "migrate", "separate", "split",
    "start", "begin", "wip", "complete", "finish", "export", "generate", "show",
    "print", "display", NULL};

/* The kinds of commit that put their name before a colon. */
static const char *const fix_areas[] = {"fix", "bugfix", "hotfix", "bug", NULL};
static const char *const feature_areas[] = {"feat", "feature", "refactor",
    "perf", "enh", "new", "deprecate", "api", NULL};
static const char *const housekeeping_areas[] = {"docs", "doc", "test", "tests",
    "chore", "ci", "build", "typing", "types", "lint", "release", "deps", "tst",
    NULL};

/* What is repaired is not the program, wherever it stands in the object. */
static const char *const housekeeping_words[] = {"typo", "typos", "lint",
    "linter", "linting", "flake", "mypy", "pylint", "pyright", "pep", "docs",
    "docstring", "docstrings", "documentation", "readme", "ruff", "isort",
    "coverage", "ci", "travis", "tox", "typing", "annotations", "annotation",
    "changelog", "spelling", "grammar", "compat", "whitespace", "doctest",
    "doctests", NULL};
static const char *const tests_words[] = {
    "test", "tests", "unittest", "unittests", "testcase", NULL};
/* The object of a sentence ends here. */
static const char *const prepositions[] = {"in", "for", "on", "when", "with",
    "from", "to", "by", "if", "and", "that", "under", "at", "where", "which",
    "so", "as", "after", "during", "via", NULL};

static struct gs_str first_line(struct gs_str message)
{
	struct gs_str line;
	while (gs_str_cut(&message, '\n', &line)) {
		line = gs_str_trim(line);
		if (line.n > 0)
			return line;
	}
	return gs_str_n(NULL, 0);
}

struct subject {
	struct gs_str area; /* "fix" of "fix(core)!: …", else empty */
	struct gs_str rest;
};

/* "area: …", "area(scope)!: …" or "[area] …"; what is longer than two words
 * is a sentence with a colon in it. */
static struct subject split_area(struct gs_str subject)
{
	struct subject whole = {.rest = subject};
	char end = ':';
	size_t start = 0;
	if (subject.n > 0 && subject.p[0] == '[') {
		end = ']';
		start = 1;
	}
	ptrdiff_t at = gs_str_find_char(subject, end);
	if (at <= 0 || at > 40)
		return whole;
	struct gs_str area = gs_str_sub(subject, start, (size_t)at);
	struct gs_str words = area, word;
	size_t n = 0;
	while (gs_word_next(&words, &word))
		n++;
	if (n == 0 || n > 2)
		return whole;
	words = area;
	(void)gs_word_next(&words, &word);
	return (struct subject){
	    word, gs_str_trim(gs_str_from(subject, (size_t)at + 1))};
}

/* "Fix typo in x", "fixed the unit tests": the words up to the first
 * preposition say what was worked on. Tests count only as the last of them:
 * a "test runner crash" is one of the program. */
static bool is_housekeeping(struct gs_str sentence)
{
	struct gs_str word, last = {0};
	for (size_t i = 0; i < 6 && gs_word_next(&sentence, &word); i++) {
		if (gs_word_is_one_of(word, housekeeping_words))
			return true;
		if (gs_word_is_one_of(word, prepositions))
			break;
		last = word;
	}
	return gs_word_is_one_of(last, tests_words);
}

/* git's own "Revert …": takes back what was, good or bad. */
static bool is_revert(struct gs_str sentence)
{
	static const char *const reverts[] = {
	    "revert", "reverts", "reverted", "reapply", NULL};
	struct gs_str word;
	return gs_word_next(&sentence, &word) &&
	       gs_word_is_one_of(word, reverts);
}

static bool begins_with(struct gs_str sentence, const char *const *list)
{
	struct gs_str word;
	return gs_word_next(&sentence, &word) && gs_word_is_one_of(word, list);
}

void gs_signals_of_message(struct gs_str message, struct gs_signals *ret)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf line = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf rest = {0};

	gs_words_without_issues(
	    first_line(message), &line, &ret->issue_reference);
	gs_words_without_issues(message, &rest, &ret->issue_reference);
	struct gs_str words = gs_str_trim(gs_buf_str(&line));
	struct subject subject = split_area(words);

	ret->fix_word = gs_words_have(words, fix_words);
	ret->repair_word = gs_words_have(words, repair_words);
	ret->housekeeping =
	    gs_word_is_one_of(subject.area, housekeeping_areas) ||
	    is_housekeeping(subject.rest) || is_revert(subject.rest);
	/* "fix: allow x" is a fix, whatever verb follows. */
	ret->feature_verb = gs_word_is_one_of(subject.area, feature_areas) ||
	                    (!gs_word_is_one_of(subject.area, fix_areas) &&
	                        (begins_with(words, feature_verbs) ||
	                            begins_with(subject.rest, feature_verbs)));
}

/* A line that goes on with the entry above is indented and has no bullet. */
static bool begins_entry(struct gs_str line)
{
	struct gs_str text = gs_str_trim(line);
	if (text.n == 0)
		return false;
	return text.p == line.p || text.p[0] == '-' || text.p[0] == '*' ||
	       text.p[0] == '+' || text.p[0] == '#';
}

void gs_signals_of_changelog(struct gs_str added_lines, struct gs_signals *ret)
{
	static const char *const features[] = {"add", "added", "adds", "new",
	    "feature", "features", "support", "supports", "deprecate",
	    "deprecated", "allow", "allows", "removed", "remove", "rename",
	    "renamed", "implement", "implemented", "introduce", "changed",
	    "enhancement", "enhancements", NULL};
	GS_CLEANUP(gs_buf_release) struct gs_buf words = {0};
	struct gs_str text, line;

	gs_words_without_issues(added_lines, &words, NULL);
	text = gs_buf_str(&words);
	ret->changelog_says_fix = gs_words_have(text, fix_words);
	ret->changelog_says_feature = false;
	while (gs_str_cut(&text, '\n', &line))
		if (begins_entry(line) && begins_with(line, features))
			ret->changelog_says_feature = true;
}

void gs_signals_of_removed_test_line(struct gs_str line, struct gs_signals *ret)
{
	struct gs_str text = gs_str_trim(line);
	if (text.n == 0 || text.p[0] == '#' || gs_str_starts(text, "import ") ||
	    gs_str_starts(text, "from "))
		return;
	ret->tests_only_add = false;
	if (gs_str_contains(text, GS_STR("assert")) ||
	    gs_str_contains(text, GS_STR("raises")))
		ret->old_assertion_changed = true;
}

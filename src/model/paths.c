/* SPDX-License-Identifier: Apache-2.0 */
/* W4: what a path is, from its name alone. */
#include "model/paths.h"

#include "base/limits.h"
#include "base/utf8.h"
#include "model/glob.h"

static struct gs_str base_name(struct gs_str path)
{
	return gs_str_from(path, (size_t)(gs_str_rfind_char(path, '/') + 1));
}

static bool is_one_of(struct gs_str name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (gs_str_is(name, names[i]))
			return true;
	return false;
}

static bool is_one_of_any_case(
    struct gs_str name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (gs_str_ieq(name, gs_str(names[i])))
			return true;
	return false;
}

/* Does any folder of the path (its last part is the file) bear a name? */
static bool has_folder(struct gs_str path, const char *const *names, size_t n)
{
	struct gs_str part;
	while (
	    gs_str_find_char(path, '/') >= 0 && gs_str_cut(&path, '/', &part))
		if (is_one_of_any_case(part, names, n))
			return true;
	return false;
}

/* The names that pytest and unittest collect, conftest.py apart (W3). A
 * test.py is one at the root only: deeper it is often a library's module. */
static bool is_test_name(struct gs_str path, struct gs_str name)
{
	if (gs_str_is(path, "test.py"))
		return true;
	return gs_str_ends(name, ".py") &&
	       (gs_str_starts(name, "test_") || gs_str_ends(name, "_test.py") ||
	           gs_str_is(name, "tests.py"));
}

/* A bare "*.py" (or "*") would make the whole project a test (W4). */
static bool matches_everything(struct gs_str pattern)
{
	while (pattern.n > 0 && pattern.p[0] == '*')
		pattern = gs_str_from(pattern, 1);
	return pattern.n == 0 || gs_str_is(pattern, ".py");
}

/* pytest matches a pattern without a slash against the file's name, another
 * one against the whole path from any folder on. */
static bool matches_pattern(
    struct gs_str path, struct gs_str name, struct gs_str pattern)
{
	if (matches_everything(pattern))
		return false;
	if (gs_str_find_char(pattern, '/') < 0)
		return gs_glob_match(pattern, name);
	for (;;) {
		if (gs_glob_match(pattern, path))
			return true;
		ptrdiff_t slash = gs_str_find_char(path, '/');
		if (slash < 0)
			return false;
		path = gs_str_from(path, (size_t)slash + 1);
	}
}

static bool is_named_by(
    struct gs_str path, struct gs_str name, const struct gs_strv *patterns)
{
	if (!patterns || !gs_str_ends(name, ".py"))
		return false;
	for (size_t i = 0; i < patterns->n; i++)
		if (matches_pattern(path, name, gs_str(patterns->v[i])))
			return true;
	return false;
}

static bool is_test_side(
    struct gs_str path, struct gs_str name, const struct gs_strv *patterns)
{
	static const char *const folders[] = {"test", "tests"};
	return has_folder(path, folders, GS_COUNT(folders)) ||
	       gs_str_starts(path, "testing/") || is_test_name(path, name) ||
	       gs_str_is(name, "conftest.py") ||
	       is_named_by(path, name, patterns);
}

static bool is_auxiliary(struct gs_str path, struct gs_str name)
{
	static const char *const docs[] = {"doc", "docs"};
	static const char *const samples[] = {
	    "example", "examples", "benchmark", "benchmarks"};
	if (gs_str_is(name, "setup.py"))
		return true;
	if (gs_str_is(name, "conf.py") &&
	    has_folder(path, docs, GS_COUNT(docs)))
		return true;
	return has_folder(path, samples, GS_COUNT(samples));
}

enum gs_path_class gs_path_classify(
    struct gs_str path, const struct gs_strv *patterns)
{
	static const char *const vendored[] = {
	    "_vendor", "vendor", "third_party", "extern"};
	static const char *const generated[] = {"versioneer.py", "_version.py"};
	struct gs_str name = base_name(path);

	if (is_test_side(path, name, patterns))
		return GS_PATH_TEST;
	if (!gs_str_ends(name, ".py"))
		return GS_PATH_OTHER;
	if (has_folder(path, vendored, GS_COUNT(vendored)))
		return GS_PATH_VENDORED;
	if (gs_str_ends(name, "_pb2.py") ||
	    is_one_of(name, generated, GS_COUNT(generated)))
		return GS_PATH_GENERATED;
	if (is_auxiliary(path, name))
		return GS_PATH_AUXILIARY;
	return GS_PATH_SOURCE;
}

bool gs_path_is_collected(struct gs_str path, const struct gs_strv *patterns)
{
	struct gs_str name = base_name(path);
	return is_test_name(path, name) || (is_named_by(path, name, patterns) &&
	                                       !gs_str_is(name, "conftest.py"));
}

bool gs_path_is_pytest_config(struct gs_str path)
{
	static const char *const names[] = {"pytest.ini", ".pytest.ini",
	    "pyproject.toml", "tox.ini", "setup.cfg"};
	return is_one_of(path, names, GS_COUNT(names));
}

/* Prose: no extension, or one of a text format. */
static bool is_prose(struct gs_str name)
{
	static const char *const ends[] = {
	    ".rst", ".md", ".txt", ".markdown", ".adoc", ".ipynb"};
	if (gs_str_find_char(name, '.') < 0)
		return true;
	for (size_t i = 0; i < GS_COUNT(ends); i++)
		if (gs_str_iends(name, ends[i]))
			return true;
	return false;
}

bool gs_path_is_changelog(struct gs_str path)
{
	static const char *const folders[] = {"newsfragments", "changelog.d",
	    "changelogs", "changelog", "changes", "news", "news.d", "changes.d",
	    "releasenotes", "releases", "whatsnew"};
	static const char *const starts[] = {"change", "history", "news",
	    "release", "whatsnew", "whats_new", "whats-new"};
	static const char *const tests[] = {"test", "tests"};
	struct gs_str name = base_name(path);

	if (has_folder(path, tests, GS_COUNT(tests)))
		return false;
	/* Fragments are named freely ("1234.bugfix"), so only code is not. */
	if (has_folder(path, folders, GS_COUNT(folders)))
		return !gs_str_ends(name, ".py");
	if (!is_prose(name))
		return false;
	for (size_t i = 0; i < GS_COUNT(starts); i++)
		if (gs_str_istarts(name, starts[i]))
			return true;
	return false;
}

bool gs_path_is_documentation(struct gs_str path)
{
	static const char *const folders[] = {"doc", "docs", "documentation"};
	static const char *const tests[] = {"test", "tests", ".github"};
	/* People, law and housekeeping are not user documentation. */
	static const char *const others[] = {"authors", "contribut", "thanks",
	    "credits", "licen", "copying", "notice", "security", "code_of",
	    "maintain", "requirements", "manifest", "todo"};
	struct gs_str name = base_name(path);

	if (has_folder(path, tests, GS_COUNT(tests)) ||
	    gs_path_is_changelog(path) || !is_prose(name))
		return false;
	for (size_t i = 0; i < GS_COUNT(others); i++)
		if (gs_str_istarts(name, others[i]))
			return false;
	return has_folder(path, folders, GS_COUNT(folders)) ||
	       gs_str_istarts(name, "readme") || gs_str_iends(name, ".rst") ||
	       gs_str_iends(name, ".md");
}

struct tally {
	size_t source, source_gone, test_gone;
	size_t vendored, generated, auxiliary;
	bool has_bad_path, has_link;
};

static bool is_link(const struct gs_change *change)
{
	return change->old_mode == GS_MODE_LINK ||
	       change->new_mode == GS_MODE_LINK;
}

static void count_change(const struct gs_change *change,
    const struct gs_strv *patterns, struct tally *tally,
    struct gs_walk_verdict *ret)
{
	bool is_gone = change->status == 'D';

	if (!gs_utf8_valid(change->path))
		tally->has_bad_path = true;
	/* W5: a submodule is an empty folder, whatever its name. */
	if (change->new_mode == GS_MODE_GITLINK ||
	    (is_gone && change->old_mode == GS_MODE_GITLINK))
		return;
	switch (gs_path_classify(change->path, patterns)) {
	case GS_PATH_SOURCE:
		*(is_gone ? &tally->source_gone : &ret->n_source) += 1;
		tally->has_link |= is_link(change);
		break;
	case GS_PATH_TEST:
		ret->n_test++;
		tally->has_link |= is_link(change);
		if (!gs_path_is_collected(change->path, patterns))
			break;
		*(is_gone ? &tally->test_gone : &ret->n_collected) += 1;
		break;
	case GS_PATH_VENDORED:
		tally->vendored++;
		break;
	case GS_PATH_GENERATED:
		tally->generated++;
		break;
	case GS_PATH_AUXILIARY:
		tally->auxiliary++;
		break;
	case GS_PATH_OTHER:
		break;
	}
}

static const char *no_source_reason(const struct tally *tally)
{
	if (tally->vendored > 0)
		return "vendored";
	if (tally->generated > 0)
		return "generated";
	return "no source change";
}

/* First what most commits lack, so that the funnel's counts of the other
 * reasons speak of would-be candidates. */
static const char *refusal(
    const struct tally *tally, const struct gs_walk_verdict *seen)
{
	if (seen->n_source == 0)
		return no_source_reason(tally);
	if (seen->n_collected == 0)
		return tally->test_gone > 0 ? "tests only deleted"
		                            : "no test change";
	if (tally->has_bad_path)
		return "path not UTF-8";
	if (tally->has_link)
		return "symlink";
	if (seen->n_source + tally->source_gone > GS_MAX_SOURCE_FILES)
		return "too many source files";
	if (seen->n_changed > GS_MAX_CHANGED_FILES)
		return "too many changed files";
	return NULL;
}

void gs_classify_changes(const struct gs_change *changes, size_t n,
    const struct gs_strv *patterns, struct gs_walk_verdict *ret)
{
	struct tally tally = {0};
	struct gs_walk_verdict seen = {.n_changed = n};

	for (size_t i = 0; i < n; i++)
		count_change(&changes[i], patterns, &tally, &seen);
	seen.reason = refusal(&tally, &seen);
	seen.is_candidate = !seen.reason;
	*ret = seen;
}

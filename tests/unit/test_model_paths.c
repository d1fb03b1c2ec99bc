/* SPDX-License-Identifier: Apache-2.0 */
/* Candidates by names, modes and counts, and what pytest is told to collect.
 * The classes of single paths (W4) stand in spec/vectors/paths.json. */
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "gs_test.h"
#include "model/paths.h"

#define FILE_MODE 0100644u

static const struct change_row {
	const char *name;

	struct {
		char status;
		unsigned mode;
		const char *path;
	} changes[4];

	const char *reason; /* NULL: a candidate */
} change_rows[] = {
    /* W3 */
    {"source and test",
        {{'M', FILE_MODE, "m.py"}, {'M', FILE_MODE, "test_m.py"}}, NULL},
    {"both added", {{'A', FILE_MODE, "m.py"}, {'A', FILE_MODE, "test_m.py"}},
        NULL},
    {"no test", {{'M', FILE_MODE, "m.py"}}, "no test change"},
    {"no source", {{'M', FILE_MODE, "test_m.py"}}, "no source change"},
    {"neither", {{'M', FILE_MODE, "README"}}, "no source change"},
    {"nothing at all", {{0}}, "no source change"},
    /* F065: helpers travel with the tests, they are no tests */
    {"helper only", {{'M', FILE_MODE, "m.py"}, {'M', FILE_MODE, "tests/h.py"}},
        "no test change"},
    {"conftest only",
        {{'M', FILE_MODE, "m.py"}, {'M', FILE_MODE, "tests/conftest.py"}},
        "no test change"},
    {"library's testing module",
        {{'M', FILE_MODE, "pkg/testing.py"},
            {'M', FILE_MODE, "tests/test_m.py"}},
        NULL},
    /* W3, F030 */
    {"tests only deleted",
        {{'M', FILE_MODE, "m.py"}, {'D', FILE_MODE, "test_m.py"}},
        "tests only deleted"},
    {"one test deleted, one added",
        {{'M', FILE_MODE, "m.py"}, {'D', FILE_MODE, "test_a.py"},
            {'A', FILE_MODE, "test_b.py"}},
        NULL},
    {"source only deleted",
        {{'D', FILE_MODE, "m.py"}, {'M', FILE_MODE, "test_m.py"}},
        "no source change"},
    /* W4, F016 */
    {"vendored",
        {{'M', FILE_MODE, "pkg/_vendor/six.py"}, {'M', FILE_MODE, "test_m.py"}},
        "vendored"},
    {"generated",
        {{'M', FILE_MODE, "pkg/foo_pb2.py"}, {'M', FILE_MODE, "test_m.py"}},
        "generated"},
    {"setup.py", {{'M', FILE_MODE, "setup.py"}, {'M', FILE_MODE, "test_m.py"}},
        "no source change"},
    /* W5, F027, F024 */
    {"source becomes a link",
        {{'T', GS_MODE_LINK, "m.py"}, {'M', FILE_MODE, "test_m.py"}},
        "symlink"},
    {"test data is a link",
        {{'M', FILE_MODE, "m.py"}, {'M', FILE_MODE, "test_m.py"},
            {'A', GS_MODE_LINK, "tests/data/x"}},
        "symlink"},
    {"a link elsewhere does not matter",
        {{'M', FILE_MODE, "m.py"}, {'M', FILE_MODE, "test_m.py"},
            {'A', GS_MODE_LINK, "docs/x"}},
        NULL},
    {"a gitlink is no source",
        {{'M', GS_MODE_GITLINK, "sub.py"}, {'M', FILE_MODE, "test_m.py"}},
        "no source change"},
    {"a path that is not UTF-8",
        {{'M', FILE_MODE, "m.py"}, {'M', FILE_MODE, "test_m.py"},
            {'M', FILE_MODE, "caf\xE9.txt"}},
        "path not UTF-8"},
    /* F017, F019 */
    {"odd names",
        {{'M', FILE_MODE, "new\nline.py"},
            {'M', FILE_MODE, "tests/test_-k.py"}},
        NULL},
};

/* W2 is the walk's: here only what the changes say */
START_TEST(candidates)
	{
		const struct change_row *row = &change_rows[_i];
		struct gs_change changes[4] = {0};
		size_t n = 0;
		for (; n < 4 && row->changes[n].path; n++) {
			bool is_gone = row->changes[n].status == 'D';
			changes[n].status = row->changes[n].status;
			*(is_gone ? &changes[n].old_mode
			          : &changes[n].new_mode) =
			    row->changes[n].mode;
			changes[n].path = gs_str(row->changes[n].path);
		}
		struct gs_walk_verdict verdict;
		gs_classify_changes(changes, n, NULL, &verdict);
		ck_assert_msg(!verdict.reason == !row->reason &&
		                  (!row->reason ||
		                      strcmp(verdict.reason, row->reason) == 0),
		    "%s: %s", row->name,
		    verdict.reason ? verdict.reason : "kept");
		ck_assert_int_eq(verdict.is_candidate, !row->reason);
		ck_assert_uint_eq(verdict.n_changed, n);
	}

END_TEST

/* W5: 20 source files, 300 files, and not one more */
START_TEST(too_many)
	{
		static struct gs_change changes[GS_MAX_CHANGED_FILES + 1];
		static char names[GS_MAX_CHANGED_FILES + 1][16];
		struct gs_walk_verdict verdict;
		size_t n = GS_COUNT(changes);
		for (size_t i = 0; i < n; i++) {
			bool is_code = i <= GS_MAX_SOURCE_FILES;
			(void)snprintf(names[i], sizeof(names[i]), "f%zu.%s", i,
			    is_code ? "py" : "txt");
			changes[i] = (struct gs_change){.status = 'M',
			    .new_mode = FILE_MODE,
			    .path = gs_str(names[i])};
		}
		changes[GS_MAX_SOURCE_FILES].path = GS_STR("test_m.py");
		gs_classify_changes(changes, n - 1, NULL, &verdict);
		ck_assert(verdict.is_candidate);
		ck_assert_uint_eq(verdict.n_source, GS_MAX_SOURCE_FILES);
		gs_classify_changes(changes, n, NULL, &verdict);
		ck_assert_str_eq(verdict.reason, "too many changed files");
		changes[n - 2].path = GS_STR("one_more.py");
		gs_classify_changes(changes, n - 1, NULL, &verdict);
		ck_assert_str_eq(verdict.reason, "too many source files");
		changes[n - 2].status = 'D';
		gs_classify_changes(changes, n - 1, NULL, &verdict);
		ck_assert_str_eq(verdict.reason, "too many source files");
	}

END_TEST

static const struct config_row {
	const char *name, *bytes, *want; /* joined by blanks */
} config_rows[] = {
    /* W4 */
    {"pytest.ini", "[pytest]\npython_files = check_*.py tests.py\n",
        "check_*.py tests.py"},
    {"pytest.ini",
        "[pytest]\npython_files=\n    a_*.py\n    b_*.py\naddopts = -v\n",
        "a_*.py b_*.py"},
    {"tox.ini",
        "[tox]\npython_files = no.py\n[pytest]\r\npython_files : yes.py\r\n",
        "yes.py"},
    {"setup.cfg", "[tool:pytest]\npython_files = 'a b.py' \"c.py\"\n",
        "a b.py c.py"},
    {"setup.cfg",
        "[pytest]\n; python_files = no.py\n# python_files = no.py\n"
        "python_files = old.py # why\n",
        "old.py"},
    {"setup.cfg", "python_files = no.py\n[metadata]\npython_files = no.py\n",
        ""},
    {"pytest.ini", "[pytest]\npython_files_extra = no.py\n", ""},
    {"pytest.ini", "\xEF\xBB\xBF[pytest]\npython_files = bom.py", "bom.py"},
    {"pytest.ini", "[pytest]\npython_files = a.py\n\n  b.py\n[other]\n  c.py\n",
        "a.py b.py"},
    {"pyproject.toml",
        "[tool.pytest.ini_options]\npython_files = \"a_*.py b_*.py\"\n",
        "a_*.py b_*.py"},
    {"pyproject.toml",
        "[tool.pytest.ini_options]\npython_files = [\n  \"a.py\", # ]\n"
        "  'b.py',\n]\nx = [\"no\"]\n",
        "a.py b.py"},
    {"pyproject.toml",
        "[tool.pytest.ini_options]\npython_files = [\"a.py\"]\n"
        "[tool.other]\npython_files = [\"no.py\"]\n",
        "a.py"},
    {"pyproject.toml",
        "[ tool.pytest.ini_options ]\npython_files = '''\na.py\nb.py'''\n",
        "a.py b.py"},
    {"pyproject.toml", "[tool.pytest.ini_options]\npython_files = [\"a.py\"",
        "a.py"},
    {"pyproject.toml", "[tool.pytest.ini_options]\npython_files = \"a.py",
        "a.py"},
    {"pyproject.toml", "[tool.pytest.ini_options]\npython_files =\n", ""},
    {"pyproject.toml", "", ""},
};

START_TEST(python_files)
	{
		const struct config_row *row = &config_rows[_i];
		struct gs_strv patterns = {0};
		struct gs_buf got = {0};
		gs_python_files(
		    gs_str(row->name), gs_str(row->bytes), &patterns);
		for (size_t i = 0; i < patterns.n; i++)
			gs_buf_addf(&got, "%s%s", i ? " " : "", patterns.v[i]);
		ck_assert_str_eq(gs_buf_cstr(&got), row->want);
		gs_buf_release(&got);
		gs_strv_release(&patterns);
	}

END_TEST

/* S1: at the root only */
START_TEST(pytest_config)
	{
		ck_assert(gs_path_is_pytest_config(GS_STR("pytest.ini")));
		ck_assert(gs_path_is_pytest_config(GS_STR(".pytest.ini")));
		ck_assert(gs_path_is_pytest_config(GS_STR("setup.cfg")));
		ck_assert(gs_path_is_pytest_config(GS_STR("tox.ini")));
		ck_assert(gs_path_is_pytest_config(GS_STR("pyproject.toml")));
		ck_assert(!gs_path_is_pytest_config(GS_STR("sub/pytest.ini")));
		ck_assert(!gs_path_is_pytest_config(GS_STR("setup.py")));
	}

END_TEST

/* K7: what is a changelog, what is user documentation */
static const struct text_row {
	const char *path;
	bool is_changelog, is_documentation;
} text_rows[] = {
    {"CHANGES.rst", true, false},
    {"CHANGELOG.md", true, false},
    {"docs/changelog.rst", true, false},
    {"HISTORY", true, false},
    {"NEWS.txt", true, false},
    {"newsfragments/1234.bugfix", true, false},
    {"changes/12.fix.rst", true, false},
    {"docs/release_notes.md", true, false},
    {"changes.py", false, false},
    {"pkg/history.py", false, false},
    {"README.md", false, true},
    {"README", false, true},
    {"docs/usage.rst", false, true},
    {"docs/conf.py", false, false},
    {"docs/logo.png", false, false},
    {"docs/requirements.txt", false, false},
    {"pkg/guide.rst", false, true},
    {"AUTHORS.rst", false, false},
    {"CONTRIBUTING.md", false, false},
    {"LICENSE.txt", false, false},
    {".github/ISSUE_TEMPLATE.md", false, false},
    {"tests/data/README.md", false, false},
    {"tests/CHANGES.txt", false, false},
    {"pkg/m.py", false, false},
};

START_TEST(texts)
	{
		const struct text_row *row = &text_rows[_i];
		struct gs_str path = gs_str(row->path);
		ck_assert_msg(gs_path_is_changelog(path) == row->is_changelog,
		    "%s", row->path);
		ck_assert_msg(
		    gs_path_is_documentation(path) == row->is_documentation,
		    "%s", row->path);
	}

END_TEST

GS_TESTS(paths, GS_TEST_ROWS(candidates, change_rows), GS_TEST(too_many),
    GS_TEST_ROWS(python_files, config_rows), GS_TEST(pytest_config),
    GS_TEST_ROWS(texts, text_rows))

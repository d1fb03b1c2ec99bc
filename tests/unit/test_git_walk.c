/* SPDX-License-Identifier: Apache-2.0 */
/* W1, W2, W6 and F001 to F030: what the history gives, and how. */
#include <sys/resource.h>

#include "git/mirror.h"
#include "git/objects.h"
#include "git/walk.h"
#include "git_walk_fixture.h"
#include "gs_test.h"

START_TEST(plain_and_root)
	{
		fx_enter();
		fx_base();
		walk("repo");
		ck_assert_uint_eq(n_seen, 2);
		const struct seen *fix = find(GIT("repo", "rev-parse", "HEAD"));
		const struct seen *root =
		    find(GIT("repo", "rev-parse", "HEAD~1"));
		ck_assert_uint_eq(fix->commit.n_parents, 1);
		ck_assert_str_eq(fix->commit.parent.hex, root->commit.id.hex);
		ck_assert_str_eq(fix->paths, "M pkg/m.py\nM tests/test_m.py\n");
		ck_assert(fix->commit.has_date);
		ck_assert_int_eq(fix->commit.committed_at, 1700000000);
		ck_assert(!fix->commit.parent_missing);
		/* F003 */
		ck_assert_uint_eq(root->commit.n_parents, 0);
		ck_assert_str_eq(root->paths, "");
		ck_assert(!root->commit.parent_missing);
		fx_end();
	}

END_TEST

/* F001, F002, W2 */
START_TEST(merges)
	{
		struct gs_walk_options first = {
		    .mirror = "mirror", .first_parent = true};

		fx_enter();
		fx_base();
		GIT("repo", "checkout", "-q", "-b", "a");
		fx_write("repo/a", "a");
		fx_commit("repo", "a");
		GIT("repo", "checkout", "-q", "-b", "b", "main");
		fx_write("repo/b", "b");
		fx_commit("repo", "b");
		GIT("repo", "checkout", "-q", "main");
		GIT("repo", "merge", "-q", "--no-ff", "-m", "two", "a");
		const char *two = GIT("repo", "rev-parse", "HEAD");
		fx_write("repo/c", "c");
		fx_commit("repo", "c");
		GIT("repo", "branch", "c");
		GIT("repo", "reset", "-q", "--hard", "HEAD~2");
		GIT("repo", "merge", "-q", "--no-ff", "-m", "octopus", "a",
		    "b");
		const char *octopus = GIT("repo", "rev-parse", "HEAD");
		GIT("repo", "merge", "-q", "--no-commit", "c");
		fx_write("repo/evil", "in no parent");
		const char *evil = fx_commit("repo", "evil");

		walk("repo");
		ck_assert_uint_eq(n_seen, 8);
		ck_assert_uint_eq(find(two)->commit.n_parents, 2);
		ck_assert_str_eq(find(two)->paths, "");
		ck_assert_uint_eq(find(octopus)->commit.n_parents, 3);
		ck_assert_str_eq(find(octopus)->paths, "");
		ck_assert_str_eq(find(evil)->paths, "");
		OK(walk_with(&first));
		ck_assert_uint_eq(n_seen, 8);
		ck_assert_str_eq(find(two)->paths, "A a\n");
		ck_assert_str_eq(find(octopus)->paths, "A a\nA b\n");
		ck_assert_str_eq(find(evil)->paths, "A c\nA evil\n");
		fx_end();
	}

END_TEST

/* F005, F006, F007, F012: literal commit objects. */
static const struct {
	const char *name;
	struct gs_str bytes;
	bool has_date;
	int64_t at;
} literal[] = {
    {"no zone", GS_STR(TREE AUTHOR "committer C <c@x> 1312735823\n\nm\n"),
        false, 0},
    {"negative", GS_STR(TREE AUTHOR "committer C <c@x> -1000 +0000\n\nm\n"),
        false, 0},
    {"overflow",
        GS_STR(
            TREE AUTHOR "committer C <c@x> 99999999999999999999 +0000\n\nm\n"),
        false, 0},
    {"year 2100",
        GS_STR(TREE AUTHOR "committer C <c@x> 4102444800 +0000\n\nm\n"), true,
        4102444800},
    {"senseless zone",
        GS_STR(TREE AUTHOR "committer C <c@x> 1312735823 +9999\n\nm\n"), true,
        1312735823},
    {"-0000", GS_STR(TREE AUTHOR "committer C <c@x> 1312735823 -0000\n\nm\n"),
        true, 1312735823},
    {"two authors",
        GS_STR(TREE AUTHOR AUTHOR "committer C <c@x> 3 +0000\n\nm\n"), true, 3},
    {"broken mail",
        GS_STR(TREE "author A <a@x\n> 1334833756 -0700\n"
                    "committer C <c@x> 3 +0000\n\nm\n"),
        true, 3},
    {"NUL in the message",
        GS_STR(TREE AUTHOR "committer C <c@x> 3 +0000\n\nabc\0def\n"), true, 3},
    {"framing in the message",
        GS_STR(TREE AUTHOR "committer C <c@x> 3 +0000\n\n\0\n:100644 100644 "
                           "x\0\0\n"),
        true, 3},
    {"no message", GS_STR(TREE AUTHOR "committer C <c@x> 3 +0000\n\n"), true,
        3},
    {"no committer", GS_STR(TREE AUTHOR "\nm\n"), false, 0},
};

START_TEST(literal_commits)
	{
		struct gs_commit_text text = {0};
		struct gs_objects *objects;

		fx_enter();
		fx_base();
		const char *id = fx_object("repo", "commit", literal[_i].bytes);
		branch("literal", id);
		walk("repo");
		ck_assert_uint_eq(n_seen, 3);
		const struct seen *one = find(id);
		ck_assert_msg(one->commit.has_date == literal[_i].has_date,
		    "%s", literal[_i].name);
		ck_assert_int_eq(one->commit.committed_at, literal[_i].at);
		(void)find(GIT("repo", "rev-parse", "main"));
		/* The object says the same as the walk (it dates the parents).
		 */
		OK(gs_objects_open("mirror", &objects, &fx_err));
		OK(gs_objects_commit(objects, id, &text, &fx_err));
		ck_assert_int_eq(text.has_date, one->commit.has_date);
		ck_assert_int_eq(text.committed_at, one->commit.committed_at);
		gs_commit_text_release(&text);
		gs_objects_close(objects);
		fx_end();
	}

END_TEST

/* F008: committer dates, unsorted as they are. */
START_TEST(committer_dates)
	{
		fx_enter();
		fx_date = "1717200000 +0000";
		fx_base();
		fx_date = "1714521600 +0200";
		fx_write("repo/x", "x");
		const char *id = fx_commit("repo", "older than its parent");
		walk("repo");
		ck_assert_int_eq(find(id)->commit.committed_at, 1714521600);
		ck_assert_int_eq(
		    find(find(id)->commit.parent.hex)->commit.committed_at,
		    1717200000);
		fx_end();
	}

END_TEST

/* F017, F018, F019, F026: paths come back byte for byte. */
START_TEST(paths)
	{
		static const char *const names[] = {"-rf.py", ":top.py",
		    "[ab].py", "a b/t\xc3\xa9 st.py", "bad\xff\xfe.py",
		    "new\n:100644.py", "new\nline.py", "pkg/M.py", "pkg/m.py",
		    "qu\"ote.py", "tab\t.py", "x b/y.py"};
		struct gs_buf expected = {0};

		fx_enter();
		GIT(".", "init", "-q", "repo");
		fx_commit("repo", "root");
		for (size_t i = 0; i < GS_COUNT(names); i++) {
			GS_CLEANUP(gs_freep)
			char *path = gs_path_join("repo", names[i]);

			fx_write(path, names[i]);
			gs_buf_addf(&expected, "A %s\n", names[i]);
		}
		const char *id = fx_commit("repo", "names");
		walk("repo");
		ck_assert_str_eq(find(id)->paths, gs_buf_cstr(&expected));
		gs_buf_release(&expected);
		fx_end();
	}

END_TEST

/* F024, F027, F029: types, gitlinks, and no guessing at renames. */
START_TEST(kinds_of_changes)
	{
		fx_enter();
		fx_base();
		GIT("repo", "mv", "tests/test_m.py", "tests/test_n.py");
		ck_assert_int_eq(unlink("repo/pkg/m.py"), 0);
		ck_assert_int_eq(symlink("../x", "repo/pkg/m.py"), 0);
		GIT("repo", "update-index", "--add", "--cacheinfo",
		    "160000,1234567890123456789012345678901234567890,sub");
		GIT("repo", "add", "pkg");
		GIT("repo", "commit", "-q", "-m", "kinds");
		const char *id = GIT("repo", "rev-parse", "HEAD");
		walk("repo");
		ck_assert_str_eq(find(id)->paths,
		    "T pkg/m.py\nA sub\nD tests/test_m.py\nA tests/test_n.py\n");
		fx_end();
	}

END_TEST

/* F010, F020: no configuration of a user or system changes what is read. */
START_TEST(user_configuration)
	{
		fx_enter();
		fx_base();
		fx_write("home/.gitconfig",
		    "[diff]\n\trenames = copies\n\tnoprefix = true\n"
		    "\texternal = false\n\tmnemonicPrefix = true\n"
		    "[color]\n\tui = always\n[log]\n\tshowSignature = true\n"
		    "\tshowRoot = true\n\tdiffMerges = separate\n\tdecorate = full\n"
		    "[i18n]\n\tlogOutputEncoding = UTF-16\n"
		    "[core]\n\tabbrev = 5\n\tquotePath = false\n");
		GS_CLEANUP(gs_freep)
		char *home = gs_path_join(fx_folder, "home");
		ck_assert_int_eq(setenv("HOME", home, 1), 0);
		ck_assert_int_eq(setenv("XDG_CONFIG_HOME", home, 1), 0);
		ck_assert_int_eq(
		    setenv("GIT_CONFIG_GLOBAL", "home/.gitconfig", 1), 0);
		ck_assert_int_eq(
		    setenv("GIT_REPLACE_REF_BASE", "refs/heads/", 1), 0);
		ck_assert_int_eq(setenv("GIT_TRACE", "1", 1), 0);
		ck_assert_int_eq(setenv("GIT_NAMESPACE", "x", 1), 0);
		GIT("repo", "mv", "pkg/m.py", "pkg/n.py");
		const char *id = fx_commit("repo", "rename");
		walk("repo");
		ck_assert_uint_eq(n_seen, 3);
		ck_assert_str_eq(find(id)->paths, "D pkg/m.py\nA pkg/n.py\n");
		fx_end();
	}

END_TEST

/* F022 */
START_TEST(shallow)
	{
		fx_enter();
		fx_base();
		const char *parent = GIT("repo", "rev-parse", "HEAD");
		fx_write("repo/x", "x");
		const char *id = fx_commit("repo", "tip");
		GS_CLEANUP(gs_freep)
		char *url = gs_format("file://%s/repo", fx_folder);
		GIT(".", "clone", "-q", "--depth", "1", url, "shallow");
		walk("shallow");
		ck_assert_uint_eq(n_seen, 1);
		ck_assert_str_eq(seen[0].commit.id.hex, id);
		ck_assert(seen[0].commit.parent_missing);
		ck_assert_uint_eq(seen[0].commit.n_parents, 1);
		ck_assert_str_eq(seen[0].commit.parent.hex, parent);
		ck_assert_uint_eq(seen[0].commit.n_changes, 0);
		/* Deepened: all is there, and the boundary is a true root. */
		GIT("shallow", "fetch", "-q", "--depth", "100", url);
		walk("shallow");
		ck_assert_uint_eq(n_seen, 3);
		for (size_t i = 0; i < n_seen; i++)
			ck_assert(!seen[i].commit.parent_missing);
		fx_end();
	}

END_TEST

/* F022: history and trees are there, blobs are not, and nobody is asked. */
START_TEST(partial)
	{
		struct gs_objects *objects;
		struct gs_object_info info;
		char blob[41] = {0};

		fx_enter();
		fx_base();
		GIT("repo", "config", "uploadpack.allowFilter", "true");
		memcpy(blob, GIT("repo", "rev-parse", "HEAD~1:pkg/m.py"), 40);
		GS_CLEANUP(gs_freep)
		char *url = gs_format("file://%s/repo", fx_folder);
		GIT(".", "clone", "-q", "--no-checkout", "--filter=blob:none",
		    url, "partial");
		walk("partial");
		ck_assert_uint_eq(n_seen, 2);
		ck_assert_str_eq(find(GIT("repo", "rev-parse", "HEAD"))->paths,
		    "M pkg/m.py\nM tests/test_m.py\n");
		OK(gs_objects_open("mirror", &objects, &fx_err));
		FAILS(GS_E_NOT_FOUND,
		    gs_objects_info(objects, blob, &info, &fx_err));
		gs_objects_close(objects);
		fx_end();
	}

END_TEST

/* The tips of an earlier walk, also those that are gone, cut the next. */
START_TEST(known_tips)
	{
		struct gs_strv known = {0};
		struct gs_walk_options options = {
		    .mirror = "mirror", .known_tips = &known};

		fx_enter();
		fx_base();
		walk("repo");
		OK(gs_mirror_tips("mirror", &known, &fx_err));
		gs_strv_push(
		    &known, "1234567890123456789012345678901234567890");
		gs_strv_push(&known, "no id at all");
		OK(walk_with(&options));
		ck_assert_uint_eq(n_seen, 0);
		fx_write("repo/x", "x");
		const char *id = fx_commit("repo", "new");
		OK(gs_mirror_update("mirror", "repo", &fx_err));
		OK(walk_with(&options));
		ck_assert_uint_eq(n_seen, 1);
		ck_assert_str_eq(seen[0].commit.id.hex, id);
		gs_strv_release(&known);
		fx_end();
	}

END_TEST

/* W5: a history with a hole is walked all the same; the commit above the hole
 * says so, and an incremental walk that fails is done anew as a whole. */
START_TEST(missing_object)
	{
		struct gs_walk_options options = {.mirror = "mirror"};

		fx_enter();
		fx_base();
		const char *parent = GIT("repo", "rev-parse", "HEAD~1");
		OK(gs_mirror_update("mirror", "repo", &fx_err));
		GS_CLEANUP(gs_freep)
		char *path =
		    gs_format("repo/.git/objects/%.2s/%s", parent, parent + 2);
		ck_assert_int_eq(unlink(path), 0);
		OK(walk_with(&options));
		ck_assert_uint_eq(n_seen, 1);
		ck_assert(seen[0].commit.parent_missing);
		ck_assert_str_eq(seen[0].commit.parent.hex, parent);
		ck_assert_str_eq(seen[0].paths, "");
		fx_end();
	}

END_TEST

/* F028: a commit with more files than any tree we take is cut, and said. */
START_TEST(huge_commit)
	{
		struct gs_walk_options options = {.mirror = "mirror"};
		struct gs_buf tree = {0};
		struct gs_walk *handle;
		struct gs_commit commit;
		unsigned char id[20] = {0};

		fx_enter();
		GIT(".", "init", "-q", "repo");
		const char *root = fx_commit("repo", "root");
		for (int i = 0; i < GS_MAX_TREE_FILES + 10; i++) {
			gs_buf_addf(&tree, "100644 f%06d", i);
			gs_buf_addc(&tree, '\0');
			gs_buf_add(&tree, id, sizeof(id));
		}
		const char *big = fx_object("repo", "tree", gs_buf_str(&tree));
		branch("big",
		    GIT("repo", "commit-tree", "-p", root, "-m", "big", big));
		OK(gs_mirror_update("mirror", "repo", &fx_err));
		OK(gs_walk_open(&options, &handle, &fx_err));
		ck_assert_int_eq(gs_walk_next(handle, &commit, &fx_err), 1);
		ck_assert_uint_eq(commit.n_changes, GS_MAX_TREE_FILES);
		ck_assert(commit.changes_cut);
		ck_assert_int_eq(gs_walk_next(handle, &commit, &fx_err), 1);
		ck_assert(!commit.changes_cut);
		ck_assert_int_eq(gs_walk_next(handle, &commit, &fx_err), 0);
		ck_assert_int_eq(gs_walk_next(handle, &commit, &fx_err), 0);
		gs_walk_close(handle);
		/* Closing in the middle leaves nobody behind. */
		OK(gs_walk_open(&options, &handle, &fx_err));
		gs_walk_close(handle);
		gs_walk_close(NULL);
		gs_buf_release(&tree);
		fx_end();
	}

END_TEST

GS_TESTS(git_walk, GS_TEST(plain_and_root), GS_TEST(merges),
    GS_TEST_ROWS(literal_commits, literal), GS_TEST(committer_dates),
    GS_TEST(paths), GS_TEST(kinds_of_changes), GS_TEST(user_configuration),
    GS_TEST(shallow), GS_TEST(partial), GS_TEST(known_tips),
    GS_TEST(missing_object), GS_TEST(huge_commit))

/* SPDX-License-Identifier: Apache-2.0 */
/* W5, F028, F168: histories over which git gives up. */
#include <sys/stat.h>

#include "git/careful.h"
#include "git_walk_fixture.h"
#include "gs_test.h"

/* Trees that git cannot read: each costs its own commit and nothing else. */
static const struct {
	const char *name;
	struct gs_str bytes;
	enum gs_code trouble;
} broken[] = {
    {"cut id", GS_STR("40000 d\0\x12\x34"), GS_E_CORRUPT},
    {"no name", GS_STR("100644 \0aaaaaaaaaaaaaaaaaaaa"), GS_E_CORRUPT},
    {"a folder that is not there", GS_STR("40000 d\0aaaaaaaaaaaaaaaaaaaa"),
        GS_E_NOT_FOUND},
    {"a file instead", GS_STR(""), GS_E_CORRUPT},
    {"rubbish", GS_STR("\xff\xfe\n"), GS_E_CORRUPT},
};

START_TEST(broken_tree)
	{
		fx_enter();
		fx_base();
		const char *tree =
		    broken[_i].bytes.n
		        ? fx_object("repo", "tree", broken[_i].bytes)
		        : GIT("repo", "rev-parse", "main:pkg/m.py");
		GS_CLEANUP(gs_freep)
		char *text = gs_format("tree %s\nparent %s\n" AUTHOR
		                       "committer C <c@x> 5 +0000\n\nm\n",
		    tree, GIT("repo", "rev-parse", "main"));
		const char *bad = fx_object("repo", "commit", gs_str(text));
		branch("bad", bad);
		/* Another on top of it, whole again. */
		branch("good", GIT("repo", "commit-tree", "-p", bad, "-m",
		                   "after", "main^{tree}"));
		walk("repo");
		const struct seen *one = find(bad);
		ck_assert_msg(one->commit.trouble == broken[_i].trouble,
		    "%s: %d", broken[_i].name, one->commit.trouble);
		ck_assert_int_eq(one->commit.committed_at, 5);
		ck_assert_int_eq(
		    find(GIT("repo", "rev-parse", "good"))->commit.trouble,
		    broken[_i].trouble);
		ck_assert_str_eq(find(GIT("repo", "rev-parse", "main"))->paths,
		    "M pkg/m.py\nM tests/test_m.py\n");
		(void)find(GIT("repo", "rev-parse", "main~1"));
		fx_end();
	}

END_TEST

/* The same commits and changes, whichever way they are read. */
START_TEST(careful_is_equal)
	{
		struct gs_careful *careful;
		struct gs_commit commit;
		size_t n = 0;
		int rc;

		fx_enter();
		fx_base();
		fx_write("repo/a/b/c.py", "x");
		fx_write("repo/a.b", "x");
		fx_write("repo/a-b", "x");
		fx_commit("repo", "folders");
		GIT("repo", "rm", "-q", "-r", "a", "tests", "pkg");
		fx_write("repo/a", "now a file");
		fx_write("repo/pkg/m.py/now", "a folder");
		fx_commit("repo", "swapped");
		ck_assert_int_eq(symlink("pkg", "repo/tests"), 0);
		ck_assert_int_eq(chmod("repo/a.b", 0755), 0);
		fx_commit("repo", "modes");
		GIT("repo", "branch", "side", "main~2");
		GIT("repo", "merge", "-q", "-s", "ours", "-m", "m", "side");
		GIT("repo", "checkout", "-q", "--orphan", "other");
		fx_commit("repo", "second root");
		GIT("repo", "checkout", "-q", "main");
		GIT("repo", "merge", "-q", "-s", "ours", "-m", "both",
		    "--allow-unrelated-histories", "other");
		for (int first = 0; first < 2; first++) {
			struct gs_walk_options options = {
			    .mirror = "mirror", .first_parent = first};
			OK(gs_mirror_update("mirror", "repo", &fx_err));
			OK(walk_with(&options));
			OK(gs_careful_open(&options, &careful, &fx_err));
			n = 0;
			while ((rc = gs_careful_next(
			            careful, &commit, &fx_err)) > 0) {
				const struct seen *one = find(commit.id.hex);
				GS_CLEANUP(gs_buf_release)
				struct gs_buf list = {0};
				for (size_t i = 0; i < commit.n_changes; i++)
					gs_buf_addf(&list, "%c %s\n",
					    commit.changes[i].status,
					    commit.changes[i].path.p);
				ck_assert_str_eq(
				    gs_buf_cstr(&list), one->paths);
				ck_assert_uint_eq(
				    commit.n_parents, one->commit.n_parents);
				ck_assert_int_eq(commit.committed_at,
				    one->commit.committed_at);
				n++;
			}
			ck_assert_int_eq(rc, 0);
			ck_assert_uint_eq(n, n_seen);
			gs_careful_close(careful);
		}
		fx_end();
	}

END_TEST

/* F168: ten trees of ten, nine deep, are a thousand million files. git gives
 * up for want of memory, and the commit is cut like any that is too large. */
START_TEST(bomb)
	{
		struct gs_walk_options options = {.mirror = "mirror"};
		struct gs_walk *handle;
		struct gs_commit commit;
		bool is_there = false;
		int rc;

		fx_enter();
		fx_base();
		const char *id = GIT("repo", "rev-parse", "main:pkg/m.py");
		for (int level = 0; level < 9; level++) {
			GS_CLEANUP(gs_buf_release) struct gs_buf list = {0};
			for (int i = 0; i < 10; i++)
				gs_buf_addf(&list, "%s %s\tn%d\n",
				    level ? "040000 tree" : "100644 blob", id,
				    i);
			id = GIT_IN(gs_buf_str(&list), "repo", "mktree");
		}
		const char *bad =
		    GIT("repo", "commit-tree", "-p", "main", "-m", "bomb", id);
		branch("bomb", bad);
		OK(gs_mirror_update("mirror", "repo", &fx_err));
		OK(gs_walk_open(&options, &handle, &fx_err));
		while ((rc = gs_walk_next(handle, &commit, &fx_err)) > 0) {
			if (strcmp(commit.id.hex, bad) == 0) {
				ck_assert(commit.changes_cut);
				is_there = true;
			}
		}
		ck_assert_int_eq(rc, 0);
		ck_assert(is_there && gs_walk_is_whole(handle));
		gs_walk_close(handle);
		fx_end();
	}

END_TEST

GS_TESTS(git_careful, GS_TEST_ROWS(broken_tree, broken),
    GS_TEST(careful_is_equal), GS_TEST(bomb))

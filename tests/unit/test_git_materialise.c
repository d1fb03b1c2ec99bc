/* SPDX-License-Identifier: Apache-2.0 */
/* S2, S3, F027, F081, F165: what a tree on disk holds, and what it may not. */
#include "git_workdir.h"
#include "gs_test.h"

/* S3: mtime from the id, no filters, no compiled files, gitlinks, links. */
START_TEST(what_is_written)
	{
		struct gs_buf bytes = {0};
		struct gs_oid id;
		struct stat st;

		fx_enter();
		fx_base();
		fx_write("repo/x.txt", "a\r\nb $Id$ $Format:%H$\r\n");
		GIT("repo", "add", "x.txt");
		fx_write(
		    "repo/.gitattributes", "*.txt text ident export-subst\n");
		fx_write("repo/pkg/__pycache__/m.pyc", "compiled");
		fx_write("repo/pkg/old.pyc", "compiled");
		ck_assert_int_eq(symlink("../tests", "repo/pkg/inside"), 0);
		ck_assert_int_eq(
		    symlink("/etc/passwd", "repo/pkg/absolute"), 0);
		OK(gs_dir_make("repo/only", 0755, &fx_err));
		ck_assert_int_eq(
		    symlink("../../outside", "repo/only/escapes"), 0);
		GIT("repo", "update-index", "--add", "--cacheinfo",
		    "160000,1234567890123456789012345678901234567890,sub/module");
		/* Without x.txt: it is in the index as it is, CRs and all. */
		GIT("repo", "add", ".gitattributes", "pkg", "only");
		GIT("repo", "commit", "-q", "-m", "all");
		const char *commit = GIT("repo", "rev-parse", "HEAD");
		start();
		list(commit);
		reset();
		OK(gs_file_read("work/x.txt", 100, &bytes, &fx_err));
		ck_assert_str_eq(
		    gs_buf_cstr(&bytes), "a\r\nb $Id$ $Format:%H$\r\n");
		ck_assert(gs_oid_parse(
		    gs_str(GIT("repo", "rev-parse", "HEAD:x.txt")), &id));
		ck_assert_int_eq(stat("work/x.txt", &st), 0);
		ck_assert_int_eq(st.st_mtim.tv_sec, gs_blob_mtime(&id));
		ck_assert_int_ge(st.st_mtim.tv_sec, 978307200);
		ck_assert_int_lt(st.st_mtim.tv_sec, 1420070400);
		ck_assert_int_eq(st.st_mtim.tv_nsec, 0);
		ck_assert(!gs_path_exists("work/pkg/__pycache__"));
		ck_assert(!gs_path_exists("work/pkg/old.pyc"));
		ck_assert(gs_path_exists("work/pkg/inside"));
		ck_assert(!gs_path_exists("work/pkg/absolute"));
		/* Also not on the way: a fresh tree has no folder for it. */
		ck_assert(!gs_path_exists("work/only"));
		ck_assert(gs_path_is_dir("work/sub/module"));
		ck_assert(!gs_path_exists("work/.git"));
		fx_write("work/sub/module/x", "x");
		reset();
		ck_assert(!gs_path_exists("work/sub/module/x"));
		is_fresh("a file in a gitlink's folder");
		gs_buf_release(&bytes);
		stop();
	}

END_TEST

/* S2: a unit spliced in, a new file, and back. */
START_TEST(overlays)
	{
		struct gs_buf bytes = {0};
		struct stat plain, spliced, again;

		fx_enter();
		const char *id = make_repository();
		start();
		list(id);
		reset();
		ck_assert_int_eq(stat("work/pkg/m.py", &plain), 0);
		const struct gs_overlay laid[] = {
		    {.path = GS_STR("pkg/m.py"),
		        .bytes = GS_STR("def f(): 3\n")},
		    {.path = GS_STR("run.sh"), .bytes = GS_STR("x")},
		    {.path = GS_STR("empty/now/a/folder"),
		        .bytes = GS_STR("y"),
		        .mode = 0100755},
		};
		OK(gs_workdir_reset(workdir, &listing, laid, 3, &fx_err));
		OK(gs_file_read("work/pkg/m.py", 100, &bytes, &fx_err));
		ck_assert_str_eq(gs_buf_cstr(&bytes), "def f(): 3\n");
		ck_assert_int_eq(stat("work/pkg/m.py", &spliced), 0);
		ck_assert_int_ne(spliced.st_mtim.tv_sec, plain.st_mtim.tv_sec);
		ck_assert_int_eq(stat("work/run.sh", &again), 0);
		ck_assert_uint_eq(again.st_mode & 07777, 0755);
		ck_assert_int_eq(stat("work/empty/now/a/folder", &again), 0);
		ck_assert_uint_eq(again.st_mode & 07777, 0755);
		/* The same again writes nothing; other bytes are another file.
		 */
		OK(gs_workdir_reset(workdir, &listing, laid, 3, &fx_err));
		ck_assert_int_eq(stat("work/pkg/m.py", &again), 0);
		ck_assert_uint_eq(again.st_ino, spliced.st_ino);
		ck_assert_int_eq(
		    again.st_ctim.tv_nsec, spliced.st_ctim.tv_nsec);
		reset();
		is_fresh("overlays");
		const struct gs_overlay bad = {
		    .path = GS_STR("../x"), .bytes = GS_STR("y")};
		FAILS(GS_E_CORRUPT,
		    gs_workdir_reset(workdir, &listing, &bad, 1, &fx_err));
		ck_assert(!gs_path_exists("x"));
		gs_buf_release(&bytes);
		stop();
	}

END_TEST

/* F165: git mktree refuses some of these; the objects can be made anyway. */
static const char *const unsafe[] = {
    "..", ".", ".git", ".GIT", ".Git", "git~1", ".git ", ".git."};

START_TEST(unsafe_paths)
	{
		struct gs_buf tree = {0};
		unsigned char id[20];

		fx_enter();
		fx_base();
		const char *blob = fx_object("repo", "blob", GS_STR("x"));
		ck_assert(gs_unhex(gs_str(blob), id, sizeof(id)));
		gs_buf_addz(&tree, "100644 a");
		gs_buf_addc(&tree, '\0');
		gs_buf_add(&tree, id, sizeof(id));
		gs_buf_addf(&tree, "100644 %s", unsafe[_i]);
		gs_buf_addc(&tree, '\0');
		gs_buf_add(&tree, id, sizeof(id));
		const char *hex = fx_object("repo", "tree", gs_buf_str(&tree));
		start();
		list(hex);
		FAILS(GS_E_CORRUPT,
		    gs_workdir_reset(workdir, &listing, NULL, 0, &fx_err));
		/* Before anything is written. */
		ck_assert(!gs_path_exists("work/a"));
		gs_buf_release(&tree);
		stop();
	}

END_TEST

START_TEST(names_that_no_disk_takes)
	{
		struct gs_entry entry = {.mode = 0100644};
		struct gs_buf path = {0};

		fx_enter();
		fx_base();
		start();
		for (int i = 0; i < 300; i++)
			gs_buf_addc(&path, 'x');
		entry.path = gs_buf_str(&path);
		gs_listing_put(&listing, &entry);
		FAILS(GS_E_CORRUPT,
		    gs_workdir_reset(workdir, &listing, NULL, 0, &fx_err));
		gs_buf_release(&path);
		stop();
	}

END_TEST

/* A missing blob (partial) or too large a tree fails, and the next reset
 * is right again. */
START_TEST(failures)
	{
		struct gs_entry entry = {.path = GS_STR("zz"), .mode = 0100644};

		fx_enter();
		const char *id = make_repository();
		start();
		list(id);
		ck_assert(gs_oid_parse(
		    GS_STR("1234567890123456789012345678901234567890"),
		    &entry.id));
		gs_listing_put(&listing, &entry);
		FAILS(GS_E_NOT_FOUND,
		    gs_workdir_reset(workdir, &listing, NULL, 0, &fx_err));
		list(id);
		reset();
		is_fresh("a failure");
		stop();
	}

END_TEST

GS_TESTS(git_materialise, GS_TEST(what_is_written), GS_TEST(overlays),
    GS_TEST_ROWS(unsafe_paths, unsafe), GS_TEST(names_that_no_disk_takes),
    GS_TEST(failures))

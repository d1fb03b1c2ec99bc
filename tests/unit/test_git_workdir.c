/* SPDX-License-Identifier: Apache-2.0 */
/* S4, F166: a reset tree equals a fresh one, whatever was done to it. */
#include <errno.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>

#include "git_workdir.h"
#include "gs_test.h"

static void overwrite(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	ck_assert_int_eq(close(fd), 0);
}

static void same_size_same_time(void)
{
	struct stat st;

	ck_assert_int_eq(stat("work/deep/er/file", &st), 0);
	overwrite("work/deep/er/file", "4321");
	struct timespec times[2] = {st.st_atim, st.st_mtim};
	ck_assert_int_eq(utimensat(AT_FDCWD, "work/deep/er/file", times, 0), 0);
}

static void replaced_with_same_time(void)
{
	struct stat st;

	ck_assert_int_eq(stat("work/deep/er/file", &st), 0);
	fx_write("work/deep/er/new", "4321");
	ck_assert_int_eq(chmod("work/deep/er/new", 0644), 0);
	struct timespec times[2] = {st.st_atim, st.st_mtim};
	ck_assert_int_eq(utimensat(AT_FDCWD, "work/deep/er/new", times, 0), 0);
	ck_assert_int_eq(rename("work/deep/er/new", "work/deep/er/file"), 0);
}

/* On tmpfs a page that was read first is written without any time stamp. */
static void through_a_mapping(void)
{
	int fd = open("work/deep/er/file", O_RDWR | O_CLOEXEC);
	volatile char *map =
	    mmap(NULL, 4, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	ck_assert(map != MAP_FAILED);
	map[0] = (char)(map[0] + 1);
	ck_assert_int_eq(munmap((void *)(size_t)map, 4), 0);
	ck_assert_int_eq(close(fd), 0);
}

static void mode(void)
{
	ck_assert_int_eq(chmod("work/pkg/m.py", 0600), 0);
	ck_assert_int_eq(chmod("work/run.sh", 0644), 0);
	ck_assert_int_eq(chmod("work/empty", 04755), 0);
}

static void folder_modes(void)
{
	ck_assert_int_eq(chmod("work/deep/er", 0), 0);
	ck_assert_int_eq(chmod("work/deep", 0), 0);
	ck_assert_int_eq(chmod("work/pkg", 01777), 0);
	ck_assert_int_eq(chmod("work", 0500), 0);
}

static void times(void)
{
	ck_assert_int_eq(utimensat(AT_FDCWD, "work/empty", NULL, 0), 0);
}

static void removed(void)
{
	ck_assert_int_eq(unlink("work/empty"), 0);
	OK(gs_tree_remove("work/deep", &fx_err));
}

static void added(void)
{
	fx_write("work/new", "");
	fx_write("work/pkg/__pycache__/m.cpython-311.pyc", "x");
	fx_write("work/.git/config", "x");
	fx_write("work/a/b/c/d", "x");
	ck_assert_int_eq(chmod("work/a/b", 0), 0);
	ck_assert_int_eq(mkfifo("work/fifo", 0644), 0);
	ck_assert_int_eq(symlink("/", "work/root"), 0);
	ck_assert_int_eq(mkdir("work/bad\xff\nname", 0755), 0);
}

static void swapped_kinds(void)
{
	ck_assert_int_eq(unlink("work/pkg/m.py"), 0);
	ck_assert_int_eq(mkdir("work/pkg/m.py", 0755), 0);
	fx_write("work/pkg/m.py/x", "x");
	OK(gs_tree_remove("work/deep", &fx_err));
	fx_write("work/deep", "a file");
	ck_assert_int_eq(unlink("work/empty"), 0);
	ck_assert_int_eq(mkfifo("work/empty", 0644), 0);
}

/* F166: what is outside stays as it is. */
static void links_out(void)
{
	fx_write("outside/pkg/m.py", "outside");
	fx_write("outside/keep", "outside");
	OK(gs_tree_remove("work/pkg", &fx_err));
	ck_assert_int_eq(symlink("../outside/pkg", "work/pkg"), 0);
	ck_assert_int_eq(unlink("work/empty"), 0);
	ck_assert_int_eq(symlink("../outside/keep", "work/empty"), 0);
	ck_assert_int_eq(unlink("work/tests/link"), 0);
	ck_assert_int_eq(symlink("../../outside", "work/tests/link"), 0);
}

static void hard_links(void)
{
	fx_write("outside/keep", "");
	ck_assert_int_eq(unlink("work/empty"), 0);
	ck_assert_int_eq(link("outside/keep", "work/empty"), 0);
	ck_assert_int_eq(link("work/pkg/m.py", "outside/m.py"), 0);
}

static void hard_link_and_gone(void)
{
	ck_assert_int_eq(link("work/pkg/m.py", "work/pkg/n.py"), 0);
	ck_assert_int_eq(unlink("work/pkg/n.py"), 0);
}

static void attributes(void)
{
	if (setxattr("work/pkg", "user.x", "1", 1, 0) != 0)
		ck_assert_int_eq(errno, ENOTSUP);
	else
		ck_assert_int_eq(
		    setxattr("work/pkg/m.py", "user.x", "1", 1, 0), 0);
}

static void exchanged(void)
{
	ck_assert_int_eq(rename("work/empty", "work/x"), 0);
	ck_assert_int_eq(rename("work/crlf.txt", "work/empty"), 0);
	ck_assert_int_eq(rename("work/x", "work/crlf.txt"), 0);
	ck_assert_int_eq(rename("work/deep/er", "work/pkg/er"), 0);
}

static void owners(void)
{
	if (geteuid() != 0)
		return;
	ck_assert_int_eq(chown("work/pkg", 4242, 4242), 0);
	ck_assert_int_eq(chown("work/empty", 4242, 4242), 0);
	ck_assert_int_eq(lchown("work/tests/link", 4242, 4242), 0);
}

static const struct {
	const char *name;
	void (*act)(void);
} deeds[] = {
    {"nothing", NULL},
    {"an edit of the same size with its time put back", same_size_same_time},
    {"a file put in place of another", replaced_with_same_time},
    {"a write through a mapping", through_a_mapping},
    {"chmod of files", mode},
    {"chmod of folders", folder_modes},
    {"touch", times},
    {"removals", removed},
    {"additions", added},
    {"files for folders and folders for files", swapped_kinds},
    {"links that lead out", links_out},
    {"hard links", hard_links},
    {"a hard link that is gone again", hard_link_and_gone},
    {"attributes", attributes},
    {"renames", exchanged},
    {"chown", owners},
};

static void do_deed(int i)
{
	/* Reset leaves no moment in which an edit would not show. */
	reset();
	if (deeds[i].act)
		deeds[i].act();
	reset();
	is_fresh(deeds[i].name);
	if (gs_path_exists("outside/keep") && deeds[i].act == links_out) {
		struct gs_buf bytes = {0};

		OK(gs_file_read("outside/keep", 100, &bytes, &fx_err));
		OK(gs_file_read("outside/pkg/m.py", 100, &bytes, &fx_err));
		ck_assert_str_eq(gs_buf_cstr(&bytes), "outsideoutside");
		gs_buf_release(&bytes);
	}
}

START_TEST(deed)
	{
		fx_enter();
		const char *id = make_repository();
		start();
		list(id);
		do_deed(_i);
		stop();
	}

END_TEST

/* The same on a tmpfs of our own, where root can make one. */
START_TEST(deed_on_tmpfs)
	{
		fx_enter();
		const char *id = make_repository();
		ck_assert_int_eq(mkdir("ram", 0755), 0);
		/* In a namespace of its own: gone with the test, however it
		 * ends. */
		if (unshare(CLONE_NEWNS) != 0 ||
		    mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
		    mount("goldset", "ram", "tmpfs", 0, "size=16m") != 0) {
			fx_end();
			return;
		}
		OK(gs_mirror_update("mirror", "repo", &fx_err));
		ck_assert_int_eq(rename("mirror", "m"), 0);
		ck_assert_int_eq(chdir("ram"), 0);
		OK(gs_objects_open("../m", &objects, &fx_err));
		cache = gs_tree_cache_new(objects);
		OK(gs_dir_make("work", 0755, &fx_err));
		OK(gs_workdir_open("work", owner, objects, &workdir, &fx_err));
		list(id);
		do_deed(_i);
		gs_workdir_close(workdir);
		workdir = NULL;
		ck_assert_int_eq(chdir(".."), 0);
		ck_assert_int_eq(umount2("ram", MNT_DETACH), 0);
		stop();
	}

END_TEST

/* As root the files belong to whom they are made for. */
START_TEST(deed_for_an_owner)
	{
		if (geteuid() != 0)
			return;
		owner = 65534;
		fx_enter();
		const char *id = make_repository();
		start();
		list(id);
		do_deed(_i);
		struct stat st;
		ck_assert_int_eq(stat("work/pkg/m.py", &st), 0);
		ck_assert_uint_eq(st.st_uid, 65534);
		ck_assert_int_eq(stat("work", &st), 0);
		ck_assert_uint_eq(st.st_uid, 65534);
		stop();
	}

END_TEST

/* From commit to commit: only what differs is written, all is right. */
START_TEST(moves)
	{
		struct stat before, after;

		fx_enter();
		fx_base();
		fx_write("repo/same", "same");
		fx_write("repo/d/e/f", "x");
		const char *one = fx_commit("repo", "one");
		OK(gs_tree_remove("repo/d", &fx_err));
		fx_write("repo/d", "now a file");
		ck_assert_int_eq(unlink("repo/pkg/m.py"), 0);
		fx_write("repo/pkg/m.py/inner", "now a folder");
		ck_assert_int_eq(chmod("repo/tests/test_m.py", 0755), 0);
		const char *two = fx_commit("repo", "two");
		start();
		list(one);
		reset();
		is_fresh("the first tree");
		ck_assert_int_eq(stat("work/same", &before), 0);
		list(two);
		reset();
		is_fresh("going on");
		ck_assert_int_eq(stat("work/same", &after), 0);
		ck_assert_uint_eq(before.st_ino, after.st_ino);
		ck_assert_int_eq(before.st_ctim.tv_nsec, after.st_ctim.tv_nsec);
		list(one);
		reset();
		is_fresh("going back");
		listing.n = 0;
		reset();
		is_fresh("an empty tree");
		stop();
	}

END_TEST

GS_TESTS(git_workdir, GS_TEST_ROWS(deed, deeds),
    GS_TEST_ROWS(deed_on_tmpfs, deeds), GS_TEST_ROWS(deed_for_an_owner, deeds),
    GS_TEST(moves))

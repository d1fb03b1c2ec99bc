/* SPDX-License-Identifier: Apache-2.0 */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "gs_test.h"
#include "os/fd.h"
#include "os/file.h"
#include "os/tree.h"

static struct gs_err err;

/* A folder of its own for each test, removed at its end. */
static char *make_home(void)
{
	char *home = NULL;
	ck_assert_int_eq(gs_dir_make_temp("/tmp", "gs-file-", &home, &err), 0);
	return home;
}

static void drop_home(char **home)
{
	ck_assert_int_eq(gs_tree_remove(*home, &err), 0);
	ck_assert(!gs_path_exists(*home));
	free(*home);
}

static int count_entries(const char *path)
{
	DIR *dir = opendir(path);
	int n = 0;

	ck_assert_ptr_nonnull(dir);
	while (readdir(dir))
		n++;
	(void)closedir(dir);
	return n - 2;
}

START_TEST(writes_all_or_nothing)
	{
		GS_CLEANUP(drop_home) char *home = make_home();
		GS_CLEANUP(gs_freep) char *path = gs_path_join(home, "x");
		GS_CLEANUP(gs_buf_release) struct gs_buf got = {0};
		struct stat st;

		(void)umask(077);
		ck_assert_int_eq(
		    gs_file_write(path, GS_STR("old"), 0644, &err), 0);
		ck_assert_int_eq(
		    gs_file_write(path, GS_STR("new"), 0644, &err), 0);
		ck_assert_int_eq(gs_file_read(path, 3, &got, &err), 0);
		ck_assert_str_eq(gs_buf_cstr(&got), "new");
		ck_assert_int_eq(stat(path, &st), 0);
		ck_assert_uint_eq(st.st_mode & 07777, 0644);
		/* No temporary neighbour stays, not after a failure either. */
		GS_CLEANUP(gs_freep) char *dir = gs_path_join(home, "d");
		ck_assert_int_eq(gs_dir_make(dir, 0755, &err), 0);
		ck_assert_int_lt(
		    gs_file_write(dir, GS_STR("x"), 0644, &err), 0);
		ck_assert_int_eq(count_entries(home), 2);
	}

END_TEST

START_TEST(writes_into_what_is_no_file)
	{
		GS_CLEANUP(drop_home) char *home = make_home();
		GS_CLEANUP(gs_freep) char *pipe = gs_path_join(home, "pipe");
		GS_CLEANUP(gs_freep) char *link = gs_path_join(home, "link");
		GS_CLEANUP(gs_freep) char *file = gs_path_join(home, "file");
		GS_CLEANUP(gs_freep) char *to = gs_path_join(home, "to");
		GS_CLEANUP(gs_buf_release) struct gs_buf got = {0};
		char said[8] = {0};
		struct stat st;

		ck_assert_int_eq(mkfifo(pipe, 0600), 0);
		GS_CLEANUP(gs_closep) int fd = open(pipe, O_RDWR);
		ck_assert_int_eq(
		    gs_file_write(pipe, GS_STR("into"), 0644, &err), 0);
		ck_assert_int_eq(read(fd, said, sizeof(said)), 4);
		ck_assert_str_eq(said, "into");
		ck_assert_int_eq(lstat(pipe, &st), 0);
		ck_assert(S_ISFIFO(st.st_mode));
		ck_assert_int_eq(symlink("/dev/null", link), 0);
		ck_assert_int_eq(
		    gs_file_write(link, GS_STR("x"), 0644, &err), 0);
		ck_assert_int_eq(lstat(link, &st), 0);
		ck_assert(S_ISLNK(st.st_mode));
		ck_assert_int_eq(stat(link, &st), 0);
		ck_assert(S_ISCHR(st.st_mode));
		/* A link to a file is replaced: it may be a stranger's. */
		ck_assert_int_eq(
		    gs_file_write(file, GS_STR("his"), 0644, &err), 0);
		ck_assert_int_eq(symlink(file, to), 0);
		ck_assert_int_eq(
		    gs_file_write(to, GS_STR("ours"), 0644, &err), 0);
		ck_assert_int_eq(gs_file_read(file, 9, &got, &err), 0);
		ck_assert_str_eq(gs_buf_cstr(&got), "his");
	}

END_TEST

START_TEST(reads_within_a_cap)
	{
		GS_CLEANUP(drop_home) char *home = make_home();
		GS_CLEANUP(gs_freep) char *path = gs_path_join(home, "x");
		GS_CLEANUP(gs_buf_release) struct gs_buf got = {0};

		gs_buf_addz(&got, "before ");
		ck_assert_int_eq(
		    gs_file_write(path, GS_STR("12345"), 0644, &err), 0);
		ck_assert_int_eq(gs_file_read(path, 4, &got, &err), GS_E_LIMIT);
		ck_assert_int_eq(gs_file_read(path, 5, &got, &err), 0);
		ck_assert_str_eq(gs_buf_cstr(&got), "before 12345");
		ck_assert_uint_eq(got.max, 0);
		/* Size 0 to stat, and yet full */
		ck_assert_int_eq(
		    gs_file_read("/proc/self/stat", 9, &got, &err), GS_E_LIMIT);
		ck_assert_int_eq(
		    gs_file_read("/proc/self/stat", 9999, &got, &err), 0);
	}

END_TEST

START_TEST(never_hangs_or_reads_what_is_no_file)
	{
		GS_CLEANUP(drop_home) char *home = make_home();
		GS_CLEANUP(gs_freep) char *path = gs_path_join(home, "fifo");
		GS_CLEANUP(gs_buf_release) struct gs_buf got = {0};

		ck_assert_int_eq(mkfifo(path, 0600), 0);
		ck_assert_int_eq(
		    gs_file_read(path, 9, &got, &err), GS_E_CORRUPT);
		ck_assert_int_eq(
		    gs_file_read("/dev/zero", 9, &got, &err), GS_E_CORRUPT);
		ck_assert_int_eq(
		    gs_file_read(home, 9, &got, &err), GS_E_CORRUPT);
		ck_assert_int_eq(gs_file_read("/nonexistent/x", 9, &got, &err),
		    GS_E_NOT_FOUND);
		ck_assert_int_eq(err.code, GS_E_NOT_FOUND);
		ck_assert_str_eq(
		    err.text, "open /nonexistent/x: No such file or directory");
	}

END_TEST

START_TEST(folders)
	{
		GS_CLEANUP(drop_home) char *home = make_home();
		GS_CLEANUP(gs_freep) char *deep = gs_path_join(home, "a//b/c/");
		GS_CLEANUP(gs_freep) char *a = gs_path_join(home, "a");
		GS_CLEANUP(gs_freep) char *in_file = gs_path_join(home, "f/x");
		GS_CLEANUP(gs_freep) char *file = gs_path_join(home, "f");

		ck_assert_int_eq(gs_dir_make(deep, 0755, &err), 0);
		ck_assert_int_eq(gs_dir_make(deep, 0755, &err), 0);
		ck_assert(gs_path_is_dir(deep));
		ck_assert_int_eq(
		    gs_file_write(file, GS_STR(""), 0644, &err), 0);
		ck_assert_int_lt(gs_dir_make(in_file, 0755, &err), 0);
		ck_assert_int_eq(gs_dir_make(file, 0755, &err), GS_E_EXISTS);
		ck_assert_int_eq(gs_dir_sync(a, &err), 0);
	}

END_TEST

START_TEST(paths)
	{
		GS_CLEANUP(drop_home) char *home = make_home();
		GS_CLEANUP(gs_freep) char *link = gs_path_join(home, "link");
		GS_CLEANUP(gs_freep) char *self = gs_path_of_self();
		GS_CLEANUP(gs_freep) char *joined = gs_path_join("a/", "b");
		char *real;

		ck_assert_int_eq(symlink("/nonexistent", link), 0);
		ck_assert(
		    gs_path_exists(link)); /* a dangling link exists too */
		ck_assert(!gs_path_is_dir(link));
		ck_assert_int_eq(
		    gs_path_real(link, &real, &err), GS_E_NOT_FOUND);
		ck_assert_int_eq(gs_path_real("/usr/../tmp", &real, &err), 0);
		ck_assert_str_eq(real, "/tmp");
		free(real);
		ck_assert(gs_path_is_dir(self));
		ck_assert_str_eq(joined, "a/b");
	}

END_TEST

START_TEST(programs_are_found_on_path)
	{
		GS_CLEANUP(drop_home) char *home = make_home();
		GS_CLEANUP(gs_freep) char *tool = gs_path_join(home, "gs-tool");

		ck_assert_int_eq(
		    gs_file_write(tool, GS_STR("x"), 0755, &err), 0);
		ck_assert_int_eq(chdir(home), 0);
		/* Never from the current folder: a project must not choose. */
		(void)setenv("PATH", ":.:/bin:", 1);
		ck_assert_ptr_null(gs_path_find("gs-tool"));
		GS_CLEANUP(gs_freep) char *sh = gs_path_find("sh");
		ck_assert_str_eq(sh, "/bin/sh");
		(void)setenv("PATH", home, 1);
		GS_CLEANUP(gs_freep) char *found = gs_path_find("gs-tool");
		ck_assert_str_eq(found, tool);
		ck_assert_int_eq(chmod(tool, 0644), 0);
		ck_assert_ptr_null(gs_path_find("gs-tool"));
		ck_assert_int_eq(chdir("/"), 0);
	}

END_TEST

GS_TESTS(os_file, GS_TEST(writes_all_or_nothing),
    GS_TEST(writes_into_what_is_no_file), GS_TEST(reads_within_a_cap),
    GS_TEST(never_hangs_or_reads_what_is_no_file), GS_TEST(folders),
    GS_TEST(paths), GS_TEST(programs_are_found_on_path))

/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "gs_test.h"
#include "os/file.h"
#include "os/tree.h"

static struct gs_err err;
static char *home;
static int home_fd;

static void set_up(void)
{
	ck_assert_int_eq(gs_dir_make_temp("/tmp", "gs-tree-", &home, &err), 0);
	ck_assert_int_eq(chdir(home), 0);
	ck_assert_int_eq(mkdir("tree", 0755), 0);
	home_fd = open("tree", O_RDONLY | O_DIRECTORY);
	ck_assert_int_ge(home_fd, 0);
}

static void tear_down(void)
{
	(void)close(home_fd);
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_msg(gs_tree_remove(home, &err) == 0, "%s", err.text);
	ck_assert(!gs_path_exists(home));
	free(home);
}

static int put(const char *path, const char *bytes)
{
	struct gs_tree_file file = {.path = gs_str(path),
	    .bytes = gs_str(bytes),
	    .mode = 0644,
	    .mtime = 1000000000,
	    .owner = (uid_t)-1};
	return gs_tree_put(home_fd, &file, &err);
}

static void expect(const char *path, const char *bytes)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf got = {0};
	ck_assert_msg(
	    gs_file_read(path, 1000, &got, &err) == 0, "%s", err.text);
	ck_assert_str_eq(gs_buf_cstr(&got), bytes);
}

/* F165: what git refuses is refused. */
static const char *const unsafe[] = {"", "/", "/etc/x", "a/", "a//b", ".", "..",
    "../x", "a/../b", "a/..", "./a", "a/./b", ".git", ".git/hooks/x",
    "a/.git/x", "a/.git", ".GIT", ".Git/x", "git~1", "GIT~1/x", ".git.",
    ".git ", ".git. . .", ".git . /x", "git~1.", ".git::$INDEX_ALLOCATION",
    ".git:x", ".git\\x", "a\\.git\\x", "a\\git~1", ".git \\x",
    ".g\xe2\x80\x8cit", "\xe2\x80\x8d.git", ".git\xef\xbb\xbf/x",
    ".G\xe2\x80\xaei\xe2\x81\xaft"};

START_TEST(refuses_unsafe_paths)
	{
		ck_assert(!gs_path_is_safe(gs_str(unsafe[_i])));
		set_up();
		ck_assert_int_eq(put(unsafe[_i], "x"), GS_E_CORRUPT);
		ck_assert_int_eq(gs_tree_put_dir(home_fd, gs_str(unsafe[_i]),
		                     (uid_t)-1, &err),
		    GS_E_CORRUPT);
		ck_assert_int_eq(gs_tree_put_link(home_fd, gs_str(unsafe[_i]),
		                     GS_STR("x"), (uid_t)-1, &err),
		    GS_E_CORRUPT);
		/* Nothing was written before the refusal. */
		ck_assert_int_eq(rmdir("tree"), 0);
		tear_down();
	}

END_TEST

static const char *const safe[] = {"a", "a/b", ".github/x", ".gitignore",
    ".gitmodules", "git", "git~2", "git~10", "x.git", "x.git/y", ".git~1",
    "...", "a b", "a\\b", ".gita", ".git_", "\xff\xfe", "\xe2\x80\x8c",
    "caf\xc3\xa9", "a:b", "-x", "a\nb", "\xe2\x80\x8cgit", ".git    x"};

START_TEST(takes_safe_paths)
	{
		ck_assert(gs_path_is_safe(gs_str(safe[_i])));
		set_up();
		ck_assert_int_eq(put(safe[_i], "x"), 0);
		tear_down();
	}

END_TEST

START_TEST(paths_are_bounded)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf path = {0};

		ck_assert(!gs_path_is_safe(gs_str_n("a\0b", 3)));
		for (int i = 1; i < GS_MAX_TREE_DEPTH; i++)
			gs_buf_addz(&path, "d/");
		gs_buf_addz(&path, "f");
		ck_assert(gs_path_is_safe(gs_buf_str(&path)));
		gs_buf_addz(&path, "/f");
		ck_assert(!gs_path_is_safe(gs_buf_str(&path)));
		gs_buf_reset(&path);
		for (int i = 0; i < 255; i++)
			gs_buf_addc(&path, 'n');
		ck_assert(gs_path_is_safe(gs_buf_str(&path)));
		gs_buf_addc(&path, 'n');
		ck_assert(!gs_path_is_safe(gs_buf_str(&path)));
	}

END_TEST

START_TEST(puts_files)
	{
		struct stat st;

		set_up();
		(void)umask(077);
		ck_assert_int_eq(put("a/b/c.py", "one"), 0);
		expect("tree/a/b/c.py", "one");
		ck_assert_int_eq(put("a/b/c.py", "two"), 0);
		expect("tree/a/b/c.py", "two");
		ck_assert_int_eq(stat("tree/a/b/c.py", &st), 0);
		ck_assert_uint_eq(st.st_mode & 07777, 0644);
		ck_assert_int_eq(st.st_mtime, 1000000000);
		ck_assert_int_eq(stat("tree/a/b", &st), 0);
		ck_assert_uint_eq(st.st_mode & 07777, 0755);
		/* A file where a folder was, and the other way round */
		ck_assert_int_eq(put("a", "file"), 0);
		expect("tree/a", "file");
		ck_assert_int_eq(put("a/b", "again"), 0);
		expect("tree/a/b", "again");
		ck_assert_int_eq(
		    gs_tree_put_dir(home_fd, GS_STR("a/b"), (uid_t)-1, &err),
		    0);
		ck_assert(gs_path_is_dir("tree/a/b"));
		tear_down();
	}

END_TEST

/* Links planted by a test: neither writes nor removals go through them. */
START_TEST(planted_links_lead_nowhere)
	{
		set_up();
		ck_assert_int_eq(mkdir("outside", 0755), 0);
		ck_assert_int_eq(
		    gs_file_write("outside/x", GS_STR("safe"), 0644, &err), 0);
		ck_assert_int_eq(symlink("../outside", "tree/d"), 0);
		ck_assert_int_eq(symlink("../outside/x", "tree/f"), 0);
		ck_assert_int_eq(link("outside/x", "tree/h"), 0);
		/* What is put replaces the link. */
		ck_assert_int_eq(put("d/x", "mine"), 0);
		ck_assert_int_eq(put("f", "mine"), 0);
		ck_assert_int_eq(put("h", "mine"), 0);
		expect("outside/x", "safe");
		expect("tree/d/x", "mine");
		ck_assert_int_eq(symlink("../outside", "tree/e"), 0);
		ck_assert_int_eq(gs_tree_empty("tree", &err), 0);
		expect("outside/x", "safe");
		ck_assert_int_eq(symlink("outside", "top"), 0);
		ck_assert_int_lt(gs_tree_empty("top", &err), 0);
		ck_assert_int_eq(gs_tree_remove("top", &err), 0);
		ck_assert(!gs_path_exists("top"));
		expect("outside/x", "safe");
		tear_down();
	}

END_TEST

static const struct link_row {
	const char *path, *target;
	int rc;
} link_rows[] = {
    {"l", "a", 0},
    {"l", "a/b/./c", 0},
    {"l", ".", 0},
    {"p/l", "../x", 0},
    {"p/q/l", "../../x", 0},
    {"p/q/l", "./.././../x/", 0},
    {"l", "", GS_E_CORRUPT},
    {"l", "/etc/passwd", GS_E_CORRUPT},
    {"l", "..", GS_E_CORRUPT},
    {"l", "../x", GS_E_CORRUPT},
    {"p/l", "../../x", GS_E_CORRUPT},
    {"p/q/l", "../../../x", GS_E_CORRUPT},
    /* If "up" is a link to the top, this one would lead outside. */
    {"p/q/l", "up/../../x", GS_E_CORRUPT},
    {"p/l", "a/..", GS_E_CORRUPT},
};

START_TEST(links_stay_inside)
	{
		const struct link_row *row = &link_rows[_i];
		char target[100] = "";

		set_up();
		ck_assert_int_eq(gs_tree_put_link(home_fd, gs_str(row->path),
		                     gs_str(row->target), (uid_t)-1, &err),
		    row->rc);
		if (row->rc == 0) {
			ck_assert_int_gt(readlinkat(home_fd, row->path, target,
			                     sizeof(target) - 1),
			    0);
			ck_assert_str_eq(target, row->target);
		}
		tear_down();
	}

END_TEST

/* What a test may leave: closed folders, a fifo, a very deep nest. */
static void leave_a_mess(void)
{
	if (chdir(home) < 0 || mkdir("tree/m", 0755) < 0 ||
	    mkdir("tree/m/closed", 0755) < 0 ||
	    mkdir("tree/m/closed/in", 0755) < 0 ||
	    mkfifo("tree/m/fifo", 0) < 0 || chdir("tree/m/closed/in") < 0)
		_exit(1);
	for (int i = 0; i < 300; i++)
		if (mkdir("deep", 0755) < 0 || mkdir(".gs-0", 0) < 0 ||
		    chdir("deep") < 0)
			_exit(2);
	if (chdir(home) < 0 || chmod("tree/m/closed/in/deep/deep", 0) < 0 ||
	    chmod("tree/m/closed/in", 0500) < 0 ||
	    chmod("tree/m/closed", 0) < 0 || chmod("tree/m", 0500) < 0)
		_exit(3);
}

static const bool as_nobody[] = {false, true};

/* As an unprivileged user too: root is never refused anything. */
START_TEST(removes_whatever_was_left)
	{
		const uid_t nobody = 65534;
		bool drop = as_nobody[_i] && geteuid() == 0;
		int status;

		set_up();
		if (drop)
			ck_assert(chown(home, nobody, nobody) == 0 &&
			          chown("tree", nobody, nobody) == 0);
		pid_t pid = fork();
		if (pid == 0) {
			if (drop && (setgid(nobody) < 0 || setuid(nobody) < 0))
				_exit(9);
			leave_a_mess();
			if (put("m/closed/in/new", "x") < 0)
				_exit(4);
			if (gs_tree_empty("tree", &err) < 0) {
				(void)fprintf(stderr, "%s\n", err.text);
				_exit(6);
			}
			_exit(rmdir("tree") < 0 ? 7 : 0);
		}
		ck_assert_int_eq(waitpid(pid, &status, 0), pid);
		ck_assert_int_eq(status, 0);
		tear_down();
	}

END_TEST

START_TEST(absent_is_fine)
	{
		set_up();
		ck_assert_int_eq(gs_tree_remove("tree/none", &err), 0);
		ck_assert_int_eq(put("f", "x"), 0);
		ck_assert_int_eq(gs_tree_remove("tree/f/none", &err), 0);
		ck_assert_int_eq(gs_tree_remove("tree/f", &err), 0);
		ck_assert(!gs_path_exists("tree/f"));
		ck_assert_int_lt(gs_tree_empty("none", &err), 0);
		tear_down();
	}

END_TEST

GS_TESTS(os_tree, GS_TEST_ROWS(refuses_unsafe_paths, unsafe),
    GS_TEST_ROWS(takes_safe_paths, safe), GS_TEST(paths_are_bounded),
    GS_TEST(puts_files), GS_TEST(planted_links_lead_nowhere),
    GS_TEST_ROWS(links_stay_inside, link_rows),
    GS_TEST_ROWS(removes_whatever_was_left, as_nobody), GS_TEST(absent_is_fine))

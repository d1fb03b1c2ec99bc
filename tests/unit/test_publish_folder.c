/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of a release: whole or not there, whatever dies when. */
#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>

#include "publish_fixture.h"

static size_t count_hidden(const char *parent)
{
	DIR *dir = opendir(parent);
	size_t n = 0;
	ck_assert_ptr_nonnull(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		n += strncmp(entry->d_name, ".goldset-publish-", 17) == 0;
	(void)closedir(dir);
	return n;
}

static void put_file(const char *folder, const char *name)
{
	char *path = gs_path_join(folder, name);
	OK(gs_file_write(path, GS_STR("x\n"), 0644, &err));
	free(path);
}

/* cli.md: an existing folder is refused; one of ours may be replaced. */
START_TEST(a_folder_that_exists)
	{
		char *workspace = NULL;
		struct gs_store *store = sample_store(&workspace);
		char *folder = gs_path_join(workspace, "release");
		struct gs_publish_options options = {.folder = folder};
		struct gs_publish_result result = {0};
		OK(gs_dir_make(folder, 0755, &err));
		check_fails(gs_publish(store, &options, &result, &err),
		    GS_E_EXISTS, "exists");
		options.replace = true;
		put_file(folder, "precious");
		check_fails(gs_publish(store, &options, &result, &err),
		    GS_E_EXISTS, "not a release");
		ck_assert(!gs_is_release(folder));
		OK(gs_tree_remove(folder, &err));
		OK(gs_publish(store, &options, &result, &err));
		ck_assert(gs_is_release(folder));
		char *before = read_text(folder, "SHA256SUMS");
		OK(gs_publish(store, &options, &result, &err));
		char *after = read_text(folder, "SHA256SUMS");
		ck_assert_str_eq(before, after);
		/* A clone of a hub holds .git beside ours: that is not thrown
		 * away. */
		put_file(folder, ".git");
		check_fails(gs_publish(store, &options, &result, &err),
		    GS_E_EXISTS, ".git");
		options.replace = false;
		check_fails(gs_publish(store, &options, &result, &err),
		    GS_E_EXISTS, "exists");
		ck_assert_uint_eq(count_hidden(workspace), 0);
		free(before);
		free(after);
		free(folder);
		end_samples(store, workspace);
	}

END_TEST

START_TEST(names_that_are_no_folders)
	{
		char *workspace = NULL;
		struct gs_store *store = sample_store(&workspace);
		struct gs_publish_result result = {0};
		static const char *const names[] = {
		    "", "/", "x/..", "x/.", ".."};
		for (size_t i = 0; i < GS_COUNT(names); i++) {
			const struct gs_publish_options options = {
			    .folder = names[i]};
			int rc = gs_publish(store, &options, &result, &err);
			ck_assert_msg(rc == GS_E_USAGE || rc == GS_E_EXISTS,
			    "%s: %s", names[i], err.text);
		}
		/* Folders on the way are made; a slash at the end is nothing.
		 */
		char *deep = gs_path_join(workspace, "a/b/release//");
		const struct gs_publish_options options = {.folder = deep};
		OK(gs_publish(store, &options, &result, &err));
		ck_assert(gs_is_release(deep));
		free(deep);
		end_samples(store, workspace);
	}

END_TEST

/* The last door: a record that the rules do not bear stops the release, and
 * nothing of it is left. */
START_TEST(a_wrong_record_stops_all)
	{
		char *workspace = NULL;
		struct gs_store *store = sample_store(&workspace);
		static const struct sample wrong = {
		    "d/d", "bug", "", "MIT", "LICENSE", 9, 50, true, false};
		add_sample(
		    store, &wrong); /* an empty subject where it is the spec */
		char *folder = gs_path_join(workspace, "release");
		struct gs_publish_result result = {0};
		const struct gs_publish_options options = {.folder = folder};
		check_fails(gs_publish(store, &options, &result, &err),
		    GS_E_CORRUPT, "subject");
		ck_assert(!gs_path_exists(folder));
		ck_assert_uint_eq(count_hidden(workspace), 0);
		free(folder);
		end_samples(store, workspace);
	}

END_TEST

/* What a dead process left is swept; what a live one makes is not. */
START_TEST(only_the_dead_are_swept)
	{
		char *workspace = NULL;
		struct gs_store *store = sample_store(&workspace);
		char *folder = gs_path_join(workspace, "release");
		char *dead =
		    gs_path_join(workspace, ".goldset-publish-1-abcdef");
		OK(gs_dir_make(dead, 0755, &err));
		put_file(dead, "rest");
		struct gs_publish_result result = {0};
		const struct gs_publish_options options = {.folder = folder};
		OK(gs_publish(store, &options, &result, &err));
		ck_assert(!gs_path_exists(dead));
		free(dead);
		free(folder);
		end_samples(store, workspace);
	}

END_TEST

static void publish_in_child(const char *workspace,
    const struct gs_publish_options *options, useconds_t after_us)
{
	pid_t pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		struct gs_store *store = NULL;
		struct gs_publish_result result = {0};
		int rc = gs_store_open(workspace, GS_STORE_READ, &store, &err);
		if (rc == 0)
			rc = gs_publish(store, options, &result, &err);
		_exit(rc != 0);
	}
	(void)usleep(after_us);
	(void)kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}

/* kill -9 at any moment: no release, or a whole one; later the same. */
START_TEST(a_kill_leaves_all_or_nothing)
	{
		char *workspace = NULL;
		struct gs_store *store = sample_store(&workspace);
		gs_store_close(store);
		char *folder = gs_path_join(workspace, "release");
		struct gs_publish_options options = {
		    .folder = folder, .replace = true};
		for (useconds_t ms = 20; ms < 2000; ms = ms * 3 / 2) {
			bool was = gs_path_exists(folder);
			publish_in_child(workspace, &options, ms * 1000);
			if (gs_path_exists(folder))
				check_sums(folder);
			else
				ck_assert(!was);
		}
		store = open_store(workspace, GS_STORE_WRITE);
		struct gs_publish_result result = {0};
		OK(gs_publish(store, &options, &result, &err));
		check_sums(folder);
		ck_assert_uint_eq(count_hidden(workspace), 0);
		free(folder);
		end_samples(store, workspace);
	}

END_TEST

GS_TESTS(folder, GS_TEST(a_folder_that_exists),
    GS_TEST(names_that_are_no_folders), GS_TEST(a_wrong_record_stops_all),
    GS_TEST(only_the_dead_are_swept), GS_TEST(a_kill_leaves_all_or_nothing))

/* SPDX-License-Identifier: Apache-2.0 */
/* W1, F020, F022, F163, F167: sources, mirrors and what never runs. */
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "git/mirror.h"
#include "git/objects.h"
#include "git/walk.h"
#include "git_fixture.h"
#include "gs_test.h"

static void name_is(const char *source, const char *name, const char *url)
{
	struct gs_source_name found = {0};

	OK(gs_source_identify(source, &found, &fx_err));
	ck_assert_str_eq(found.name, name);
	ck_assert_str_eq(found.repo_url, url);
	gs_source_name_release(&found);
}

static size_t count_commits(const char *mirror)
{
	struct gs_walk_options options = {.mirror = mirror};
	struct gs_walk *walk;
	struct gs_commit commit;
	size_t n = 0;
	int rc;

	OK(gs_walk_open(&options, &walk, &fx_err));
	while ((rc = gs_walk_next(walk, &commit, &fx_err)) > 0)
		n++;
	OK(rc);
	gs_walk_close(walk);
	return n;
}

static void tips_are(const char *mirror, const char *one, const char *two)
{
	struct gs_strv tips = {0}, expected = {0};

	gs_strv_push_all(&expected, one, two, NULL);
	gs_strv_sort(&expected);
	OK(gs_mirror_tips(mirror, &tips, &fx_err));
	ck_assert_uint_eq(tips.n, expected.n);
	for (size_t i = 0; i < tips.n; i++)
		ck_assert_str_eq(tips.v[i], expected.v[i]);
	gs_strv_release(&tips);
	gs_strv_release(&expected);
}

/* A folder called "repo" takes the name of what is around it. */
START_TEST(names_of_folders)
	{
		fx_enter();
		fx_base();
		ck_assert_int_eq(rename("repo", "toy"), 0);
		name_is("toy", "local/toy", "");
		name_is("./toy/.git", "local/toy", "");
		GIT(".", "clone", "-q", "--bare", "toy", "bare.git");
		/* Its origin is a path, which says nothing. */
		name_is("bare.git", "local/bare", "");
		GIT("toy", "remote", "add", "origin",
		    "https://user:secret@github.com/o/n.git");
		name_is("toy", "o/n", "https://github.com/o/n");
		GIT("toy", "worktree", "add", "-q", "../linked");
		name_is("linked", "o/n", "https://github.com/o/n");
		fx_end();
	}

END_TEST

static const struct {
	const char *source;
	int code;
} refused[] = {
    {"--upload-pack=touch PWN", GS_E_USAGE},
    {"-x", GS_E_USAGE},
    {"", GS_E_USAGE},
    {"ext::touch PWN", GS_E_USAGE},
    {"ext::sh -c 'touch PWN'", GS_E_USAGE},
    {"http://localhost/x/y", GS_E_USAGE},
    {"file:///tmp", GS_E_USAGE},
    {"ssh://localhost/x", GS_E_USAGE},
    {"localhost:x", GS_E_USAGE},
    {"git://localhost/x", GS_E_USAGE},
    {"https://user:pw@localhost/o/n", GS_E_USAGE},
    {"https://localhost/$(touch PWN)", GS_E_USAGE},
    {"missing", GS_E_NOT_FOUND},
    {"/dev/null", GS_E_NOT_FOUND},
    {".", GS_E_CORRUPT},
    {"fake", GS_E_CORRUPT},
    {"pointer", GS_E_CORRUPT},
};

/* F167 */
START_TEST(refuses)
	{
		struct gs_source_name name = {0};

		fx_enter();
		fx_write("fake/HEAD", "ref: refs/heads/main\n");
		fx_write("pointer/.git", "gitdir: /etc\n");
		FAILS(refused[_i].code,
		    gs_source_identify(refused[_i].source, &name, &fx_err));
		ck_assert_ptr_null(strstr(fx_err.text, "pw"));
		FAILS(refused[_i].code,
		    gs_mirror_update("mirror", refused[_i].source, &fx_err));
		ck_assert(!gs_path_exists("mirror"));
		ck_assert(!gs_path_exists("PWN"));
		fx_end();
	}

END_TEST

/* An https source that nobody serves fails soon, without a prompt. */
START_TEST(https_fails_in_words)
	{
		fx_enter();
		FAILS(
		    GS_E_ENVIRONMENT, gs_mirror_update("mirror",
		                          "https://127.0.0.1:1/o/n", &fx_err));
		ck_assert_ptr_nonnull(strstr(fx_err.text, "127.0.0.1"));
		ck_assert_uint_eq(count_commits("mirror"), 0);
		fx_end();
	}

END_TEST

START_TEST(follows_the_source)
	{
		fx_enter();
		fx_base();
		const char *first = GIT("repo", "rev-parse", "HEAD");
		GIT("repo", "tag", "-a", "v1", "-m", "v1", "HEAD~1");
		GIT("repo", "update-ref", "refs/pull/1/head",
		    fx_commit("repo", "only in a pull request"));
		GIT("repo", "reset", "-q", "--hard", first);
		OK(gs_mirror_update("m/mirror", "repo", &fx_err));
		tips_are("m/mirror", first, GIT("repo", "rev-parse", "v1^{}"));
		ck_assert_uint_eq(count_commits("m/mirror"), 2);

		/* New, packed, forced and pruned. */
		const char *next = fx_commit("repo", "next");
		GIT("repo", "branch", "side");
		GIT("repo", "pack-refs", "--all");
		GIT("repo", "tag", "-d", "v1");
		OK(gs_mirror_update("m/mirror", "repo", &fx_err));
		tips_are("m/mirror", next, NULL);
		GIT("repo", "branch", "-D", "side");
		GIT("repo", "reset", "-q", "--hard", "HEAD~2");
		OK(gs_mirror_update("m/mirror", "repo", &fx_err));
		tips_are("m/mirror", GIT("repo", "rev-parse", "HEAD"), NULL);
		ck_assert_uint_eq(count_commits("m/mirror"), 1);
		fx_end();
	}

END_TEST

/* Bare, linked, without a configuration, with alternates, odd folder names. */
START_TEST(kinds_of_repositories)
	{
		fx_enter();
		fx_base();
		GIT("repo", "worktree", "add", "-q", "../linked");
		GIT(".", "clone", "-q", "--bare", "repo", "bare.git");
		GIT(".", "clone", "-q", "--shared", "repo", "shared");
		GIT(".", "clone", "-q", "--bare", "repo", "no-config");
		ck_assert_int_eq(unlink("no-config/config"), 0);
		GIT(".", "clone", "-q", "--bare", "repo",
		    "a \"b\\\n\xc3\xa9#c");
		static const char *const sources[] = {"repo", "repo/.git",
		    "linked", "bare.git", "shared", "no-config",
		    "a \"b\\\n\xc3\xa9#c"};

		for (size_t i = 0; i < GS_COUNT(sources); i++) {
			GS_CLEANUP(gs_freep)
			char *mirror = gs_format("mirror-%zu", i);

			OK(gs_mirror_update(mirror, sources[i], &fx_err));
			ck_assert_msg(
			    count_commits(mirror) == 2, "%s", sources[i]);
		}
		fx_end();
	}

END_TEST

START_TEST(sha256)
	{
		struct gs_strv roots = {0};

		fx_enter();
		GIT(".", "init", "-q", "--object-format=sha256", "repo");
		fx_write("repo/a", "a");
		const char *id = fx_commit("repo", "first");
		OK(gs_mirror_update("mirror", "repo", &fx_err));
		tips_are("mirror", id, NULL);
		OK(gs_mirror_roots("mirror", &roots, &fx_err));
		ck_assert_uint_eq(roots.n, 1);
		ck_assert_uint_eq(strlen(roots.v[0]), 64);
		gs_strv_release(&roots);
		fx_end();
	}

END_TEST

START_TEST(empty_and_broken_refs)
	{
		struct gs_strv roots = {0};

		fx_enter();
		GIT(".", "init", "-q", "repo");
		OK(gs_mirror_update("mirror", "repo", &fx_err));
		ck_assert_uint_eq(count_commits("mirror"), 0);
		OK(gs_mirror_roots("mirror", &roots, &fx_err));
		ck_assert_uint_eq(roots.n, 0);
		/* A ref to nothing, to a blob, an empty one, a FIFO, a link
		 * out. */
		const char *id = fx_commit("repo", "first");
		const char *blob = fx_object("repo", "blob", GS_STR("x"));
		fx_write("repo/.git/refs/heads/gone",
		    "1234567890123456789012345678901234567890\n");
		fx_write("repo/.git/refs/tags/blob", blob);
		fx_write("repo/.git/refs/heads/empty", "");
		ck_assert_int_eq(mkfifo("repo/.git/refs/heads/fifo", 0644), 0);
		ck_assert_int_eq(
		    symlink("/etc/passwd", "repo/.git/refs/heads/link"), 0);
		ck_assert_int_eq(symlink("..", "repo/.git/refs/heads/loop"), 0);
		OK(gs_mirror_update("mirror", "repo", &fx_err));
		tips_are("mirror", id, NULL);
		ck_assert_uint_eq(count_commits("mirror"), 1);
		fx_end();
	}

END_TEST

START_TEST(reftable_is_refused)
	{
		fx_enter();
		GIT(".", "init", "-q", "repo");
		GIT("repo", "config", "core.repositoryformatversion", "1");
		fx_write("add", "[extensions]\n\trefstorage = reftable\n");
		GIT("repo", "config", "extensions.refstorage", "reftable");
		FAILS(GS_E_USAGE, gs_mirror_update("mirror", "repo", &fx_err));
		fx_end();
	}

END_TEST

/* F163: each of these runs its program when git acts on the repository. */
START_TEST(nothing_of_the_source_runs)
	{
		struct gs_source_name name = {0};

		fx_enter();
		fx_base();
		fx_write("repo/.gitattributes",
		    "*.py filter=evil diff=evil text eol=crlf\n");
		fx_commit("repo", "attributes");
		GS_CLEANUP(gs_freep)
		char *config = gs_format(
		    "[core]\n\trepositoryformatversion = 0\n"
		    "\tfsmonitor = \"touch %1$s/PWN; false\"\n"
		    "\thooksPath = %1$s/hooks\n\tsshCommand = touch %1$s/PWN\n"
		    "\tpager = touch %1$s/PWN\n\teditor = touch %1$s/PWN\n"
		    "\taskPass = %1$s/evil\n\tgitProxy = %1$s/evil\n"
		    "\talternateRefsCommand = touch %1$s/PWN; true\n"
		    "[uploadpack]\n\tpackObjectsHook = touch %1$s/PWN\n"
		    "[diff]\n\texternal = touch %1$s/PWN\n"
		    "[diff \"evil\"]\n\ttextconv = touch %1$s/PWN\n"
		    "\tcommand = touch %1$s/PWN\n"
		    "[filter \"evil\"]\n\tsmudge = touch %1$s/PWN\n"
		    "\tclean = touch %1$s/PWN\n\tprocess = touch %1$s/PWN\n"
		    "\trequired = true\n"
		    "[gpg]\n\tprogram = %1$s/evil\n[log]\n\tshowSignature = true\n"
		    "[credential]\n\thelper = !touch %1$s/PWN\n"
		    "[include]\n\tpath = %1$s/fifo\n"
		    "[remote \"origin\"]\n\turl = ext::touch %1$s/PWN\n"
		    "\tpromisor = true\n\tpartialclonefilter = blob:none\n"
		    "\tuploadpack = touch %1$s/PWN\n\tvcs = evil\n"
		    "[extensions]\n\tpartialClone = origin\n",
		    fx_folder);
		GS_CLEANUP(gs_freep)
		char *script =
		    gs_format("#!/bin/sh\ntouch %s/PWN\n", fx_folder);
		static const char *const hooks[] = {"hooks/post-checkout",
		    "hooks/pre-auto-gc", "hooks/reference-transaction",
		    "hooks/fsmonitor-watchman", "evil"};

		for (size_t i = 0; i < GS_COUNT(hooks); i++) {
			GS_CLEANUP(gs_freep)
			char *path = gs_path_join("repo/.git", hooks[i]);

			fx_write(hooks[i], script);
			ck_assert_int_eq(chmod(hooks[i], 0755), 0);
			fx_write(path, script);
			ck_assert_int_eq(chmod(path, 0755), 0);
		}
		/* Read, this would hang: includes are not followed. */
		ck_assert_int_eq(mkfifo("fifo", 0644), 0);
		fx_write("repo/.git/config", config);
		ck_assert_int_eq(setenv("GIT_DIR", "/nowhere", 1), 0);
		ck_assert_int_eq(
		    setenv("GIT_EXTERNAL_DIFF", "touch PWN", 1), 0);
		ck_assert_int_eq(setenv("GIT_CONFIG_COUNT", "1", 1), 0);
		ck_assert_int_eq(
		    setenv("GIT_CONFIG_KEY_0", "core.fsmonitor", 1), 0);
		ck_assert_int_eq(
		    setenv("GIT_CONFIG_VALUE_0", "touch PWN", 1), 0);

		ck_assert_int_eq(symlink("repo", "toy"), 0);
		OK(gs_source_identify("toy", &name, &fx_err));
		ck_assert_str_eq(name.repo_url, "");
		gs_source_name_release(&name);
		OK(gs_mirror_update("mirror", "repo", &fx_err));
		ck_assert_uint_eq(count_commits("mirror"), 3);
		struct gs_objects *objects;
		struct gs_object_info info;
		OK(gs_objects_open("mirror", &objects, &fx_err));
		/* Missing, in a repository that says it can be fetched by a
		 * program. */
		FAILS(GS_E_NOT_FOUND,
		    gs_objects_info(objects,
		        "1234567890123456789012345678901234567890", &info,
		        &fx_err));
		gs_objects_close(objects);
		ck_assert(!gs_path_exists("PWN"));
		fx_end();
	}

END_TEST

/* Replace refs, grafts and a commit-graph that lies: none is believed. */
START_TEST(history_is_what_the_objects_say)
	{
		fx_enter();
		fx_base();
		const char *head = GIT("repo", "rev-parse", "HEAD");
		GIT("repo", "replace", "--graft", head);
		fx_write("repo/.git/info/grafts", head);
		GIT("repo", "commit-graph", "write", "--reachable");
		OK(gs_mirror_update("mirror", "repo", &fx_err));
		ck_assert_uint_eq(count_commits("mirror"), 2);
		/* A graph from another history of the same ids would be
		 * believed by a git that reads it: broken bytes show that it is
		 * not opened. */
		fx_write("repo/.git/objects/info/commit-graph", "CGPHnonsense");
		ck_assert_uint_eq(count_commits("mirror"), 2);
		fx_end();
	}

END_TEST

/* An interrupted refresh is completed; two at once are told apart. */
START_TEST(locks)
	{
		fx_enter();
		fx_base();
		OK(gs_mirror_update("mirror", "repo", &fx_err));
		fx_write("mirror/packed-refs.lock", "");
		fx_write("mirror/packed-refs", "");
		OK(gs_mirror_update("mirror", "repo", &fx_err));
		ck_assert_uint_eq(count_commits("mirror"), 2);
		int fd = open("mirror/goldset.lock", O_RDWR | O_CLOEXEC);
		ck_assert_int_eq(flock(fd, LOCK_EX), 0);
		FAILS(GS_E_BUSY, gs_mirror_update("mirror", "repo", &fx_err));
		ck_assert_int_eq(close(fd), 0);
		fx_end();
	}

END_TEST

START_TEST(config_file)
	{
		struct gs_config config = {0};

		fx_enter();
		fx_write("c",
		    "[Project \"Owner/Name\"]\n\tPython = 3.8\n\tflag\n"
		    "\tsetup = \"a # b\"\n\tsetup = two\\nlines\n"
		    "[include]\n\tpath = other\n");
		fx_write("other", "[x]\n\ty = 1\n");
		OK(gs_config_read("c", &config, &fx_err));
		ck_assert_uint_eq(config.n, 5);
		ck_assert_str_eq(config.v[0].key, "project.Owner/Name.python");
		ck_assert_str_eq(config.v[0].value, "3.8");
		ck_assert_str_eq(config.v[1].value, "true");
		ck_assert_str_eq(config.v[2].value, "a # b");
		ck_assert_str_eq(config.v[3].value, "two\nlines");
		ck_assert_str_eq(config.v[4].key, "include.path");
		gs_config_release(&config);
		fx_write("c", "[broken\n");
		FAILS(GS_E_CORRUPT, gs_config_read("c", &config, &fx_err));
		FAILS(GS_E_NOT_FOUND, gs_config_read("none", &config, &fx_err));
		fx_end();
	}

END_TEST

START_TEST(version)
	{
		char *text;

		OK(gs_git_version(&text, &fx_err));
		ck_assert(text[0] >= '2' && text[0] <= '9' && text[1] == '.');
		free(text);
		ck_assert_int_eq(setenv("PATH", "/nowhere", 1), 0);
		FAILS(GS_E_ENVIRONMENT, gs_git_version(&text, &fx_err));
		ck_assert_ptr_nonnull(strstr(fx_err.text, "install"));
	}

END_TEST

GS_TESTS(git_mirror, GS_TEST(names_of_folders), GS_TEST_ROWS(refuses, refused),
    GS_TEST(https_fails_in_words), GS_TEST(follows_the_source),
    GS_TEST(kinds_of_repositories), GS_TEST(sha256),
    GS_TEST(empty_and_broken_refs), GS_TEST(reftable_is_refused),
    GS_TEST(nothing_of_the_source_runs),
    GS_TEST(history_is_what_the_objects_say), GS_TEST(locks),
    GS_TEST(config_file), GS_TEST(version))

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Real repositories made on the fly: fixed names and dates, so that object
 * ids are constants. Each test has one folder, removed when it ends well.
 */
#ifndef GIT_FIXTURE_H
#define GIT_FIXTURE_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/mem.h"
#include "os/file.h"
#include "os/proc.h"
#include "os/tree.h"

#define OK(call)                                                               \
	do {                                                                   \
		int ok_rc = (call);                                            \
		ck_assert_msg(                                                 \
		    ok_rc == 0, "%s: %d: %s", #call, ok_rc, fx_err.text);      \
	} while (0)
#define FAILS(code_, call) ck_assert_int_eq(call, code_)

static struct gs_err fx_err;
static char *fx_folder;
static const char *fx_date = "1700000000 +0000";

static void fx_enter(void)
{
	const char *tmp = getenv("TMPDIR");

	OK(gs_dir_make_temp(
	    tmp ? tmp : "/tmp", "goldset-git-", &fx_folder, &fx_err));
	ck_assert_int_eq(chdir(fx_folder), 0);
}

static void fx_leave(void)
{
	ck_assert_int_eq(chdir("/"), 0);
	OK(gs_tree_remove(fx_folder, &fx_err));
	free(fx_folder);
	fx_folder = NULL;
}

static char *fx_run(const char *const *words, struct gs_str input)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv env = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf errors = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv argv = {0};
	struct gs_child child = {0};
	struct gs_proc_io io = {
	    .input = input, .out = &out, .errors = &errors, .side_fd = -1};
	struct gs_end end;

	gs_strv_pushf(&env, "PATH=%s", getenv("PATH"));
	gs_strv_pushf(&env, "GIT_AUTHOR_DATE=%s", fx_date);
	gs_strv_pushf(&env, "GIT_COMMITTER_DATE=%s", fx_date);
	gs_strv_push_all(&env, "HOME=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
	    "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=A",
	    "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=C",
	    "GIT_COMMITTER_EMAIL=c@example.org", "LC_ALL=C", "TZ=UTC", NULL);
	for (size_t i = 0; words[i]; i++)
		gs_strv_push(&argv, words[i]);
	child.argv = gs_strv_argv(&argv);
	child.envp = gs_strv_argv(&env);
	OK(gs_proc_run(&child, &io, &end, &fx_err));
	ck_assert_msg(end.kind == GS_END_EXITED && end.code == 0,
	    "%s %s %s: %s", words[0], words[3], words[4], gs_buf_cstr(&errors));
	while (out.n > 0 && out.p[out.n - 1] == '\n')
		gs_buf_cut(&out, out.n - 1);
	return gs_buf_steal(&out);
}

/* git -C <repo> …; the output without its last line end, which is freed at
 * the test's end with everything else. */
#define GIT(repo, ...)                                                         \
	fx_git_input((struct gs_str){0},                                       \
	    (const char *const[]){"git", "-C", repo, "-c",                     \
	        "init.defaultBranch=main", "-c", "protocol.file.allow=always", \
	        __VA_ARGS__, NULL})
#define GIT_IN(bytes, repo, ...)                                               \
	fx_git_input(bytes,                                                    \
	    (const char *const[]){"git", "-C", repo, __VA_ARGS__, NULL})

static struct gs_strv fx_outputs;

static const char *fx_git_input(struct gs_str input, const char *const *words)
{
	GS_CLEANUP(gs_freep) char *out = fx_run(words, input);

	gs_strv_push(&fx_outputs, out);
	return fx_outputs.v[fx_outputs.n - 1];
}

static inline void fx_write_n(const char *path, struct gs_str bytes)
{
	GS_CLEANUP(gs_freep) char *folder = gs_strdup(path);
	char *slash = strrchr(folder, '/');
	FILE *file;

	if (slash) {
		*slash = '\0';
		OK(gs_dir_make(folder, 0755, &fx_err));
	}
	file = fopen(path, "w");
	ck_assert_ptr_nonnull(file);
	if (bytes.n > 0)
		ck_assert_int_eq(fwrite(bytes.p, bytes.n, 1, file), 1);
	ck_assert_int_eq(fclose(file), 0);
}

static inline void fx_write(const char *path, const char *text)
{
	fx_write_n(path, gs_str(text));
}

static inline const char *fx_commit(const char *repo, const char *message)
{
	GIT(repo, "add", "-A");
	GIT(repo, "commit", "-q", "--allow-empty", "--allow-empty-message",
	    "-m", message);
	return GIT(repo, "rev-parse", "HEAD");
}

/* Any bytes as an object. */
static inline const char *fx_object(
    const char *repo, const char *type, struct gs_str bytes)
{
	return GIT_IN(bytes, repo, "hash-object", "-w", "--stdin",
	    "--literally", "-t", type);
}

/* "repo" with two commits: pkg/m.py and tests/test_m.py, then a fix. */
static inline void fx_base(void)
{
	GIT(".", "init", "-q", "repo");
	fx_write("repo/pkg/m.py", "def f():\n    return 1\n");
	fx_write("repo/tests/test_m.py", "def test_f():\n    pass\n");
	fx_commit("repo", "first");
	fx_write("repo/pkg/m.py", "def f():\n    return 2\n");
	fx_write("repo/tests/test_m.py", "def test_f():\n    assert 1\n");
	fx_commit("repo", "fix");
}

static inline void fx_end(void)
{
	gs_strv_release(&fx_outputs);
	fx_leave();
}

#endif

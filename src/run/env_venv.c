/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Virtual environments, made once and used again.
 *
 * One is made in place (its scripts name their own path) under a lock file;
 * the file `ready` is written last, and a folder without it is the remains
 * of an interrupted making and is removed. Nothing is built from source:
 * that would run what was downloaded, outside the box.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/datetime.h"
#include "base/hash.h"
#include "base/mem.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/file.h"
#include "os/proc.h"
#include "os/tree.h"
#include "run/env_inspect.h"

#define MAKE_TIMEOUT_MS (INT64_C(15) * 60 * 1000)
#define QUARTER_S (INT64_C(91) * 86400)
#define PIP_CUTOFF_MAJOR 25 /* --uploaded-prior-to since 25.3 */
#define PIP_CUTOFF_MINOR 3

struct making {
	const struct gs_env_request *request;
	char *folder, *python, *ready;
	char *uv; /* or NULL: pip */
	char cutoff[GS_DATETIME_SIZE];
};

static void making_release(struct making *making)
{
	free(making->folder);
	free(making->python);
	free(making->ready);
	free(making->uv);
}

/* Commits of one quarter share an environment: one for each commit would
 * cost more than it tells. The day after, so that what a commit names and
 * was uploaded with it is there. */
static int64_t round_cutoff(int64_t at)
{
	return (at / QUARTER_S + 1) * QUARTER_S;
}

static void key_of(const struct gs_env_request *request, const char *base_id,
    char out[GS_SHA256_HEX])
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	gs_buf_addf(&text, "%s\n%s\n%s\n%s\n%" PRId64 "\n", base_id,
	    request->project ? request->project : "",
	    request->setup ? request->setup : "",
	    request->wheels ? request->wheels : "",
	    request->wheels ? 0 : round_cutoff(request->cutoff));
	for (size_t i = 0; i < request->requirements.n; i++)
		gs_buf_addf(&text, "%s\n", request->requirements.v[i]);
	gs_sha256_hex(gs_buf_str(&text), out);
}

/* The last line that says something: pip's and uv's error. */
static struct gs_str last_words(struct gs_str text)
{
	text = gs_str_trim(text);
	struct gs_str line, last = {0};
	while (gs_str_cut(&text, '\n', &line)) {
		line = gs_str_trim(line);
		if (line.n && !gs_str_starts(line, "[notice]"))
			last = line;
	}
	if (last.n > 500)
		last.n = 500;
	return last;
}

static int run_tool(
    const struct gs_strv *argv, struct gs_buf *out, struct gs_err *err)
{
	const struct gs_child child = {
	    .argv = gs_strv_argv(argv), .own_session = true};
	GS_CLEANUP(gs_buf_release) struct gs_buf ignored = {.max = 16 << 20};
	GS_CLEANUP(gs_buf_release) struct gs_buf errors = {.max = 16 << 20};
	const struct gs_proc_io io = {.out = out ? out : &ignored,
	    .errors = &errors,
	    .deadline_ms = gs_clock_ms() + MAKE_TIMEOUT_MS,
	    .side_fd = -1};
	struct gs_end end;
	int rc = gs_proc_run(&child, &io, &end, err);
	if (rc < 0)
		return rc;
	if (end.kind == GS_END_STOPPED)
		return gs_fail(
		    err, GS_E_CANCELLED, "%s was interrupted", argv->v[0]);
	if (end.kind == GS_END_EXITED && end.code == 0)
		return 0;
	struct gs_str words = last_words(gs_buf_str(&errors));
	if (!words.n)
		words = last_words(gs_buf_str(&ignored));
	return gs_fail(err, GS_E_ENVIRONMENT, "%.*s", GS_STR_ARG(words));
}

static bool pip_can_cut_off(const char *python)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv argv = {0};
	gs_strv_push_all(&argv, python, "-m", "pip", "--version", NULL);
	GS_CLEANUP(gs_buf_release) struct gs_buf out = {.max = 4096};
	if (run_tool(&argv, &out, NULL) < 0 ||
	    strncmp(gs_buf_cstr(&out), "pip ", 4) != 0)
		return false;
	char *end;
	long major = strtol(gs_buf_cstr(&out) + 4, &end, 10);
	long minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
	return major > PIP_CUTOFF_MAJOR ||
	       (major == PIP_CUTOFF_MAJOR && minor >= PIP_CUTOFF_MINOR);
}

/* The frame: --system-site-packages, so that the distribution's pytest and
 * whatever else is installed serves until a requirement says otherwise. */
static int make_frame(const struct making *making, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv argv = {0};
	gs_strv_push_all(&argv, making->request->python, "-m", "venv",
	    "--system-site-packages", "--without-pip", making->folder, NULL);
	int rc = run_tool(&argv, NULL, err);
	return rc < 0 ? gs_wrap(err, "python -m venv") : 0;
}

static void push_source(const struct making *making, struct gs_strv *argv)
{
	const struct gs_env_request *request = making->request;
	if (request->wheels)
		gs_strv_push_all(
		    argv, "--no-index", "--find-links", request->wheels, NULL);
	else if (request->offline)
		gs_strv_push_all(
		    argv, making->uv ? "--offline" : "--no-index", NULL);
}

static void push_requirements(const struct making *making, struct gs_strv *argv)
{
	gs_strv_push(argv, "--");
	for (size_t i = 0; i < making->request->requirements.n; i++)
		gs_strv_push(argv, making->request->requirements.v[i]);
	struct gs_str rest = gs_str(making->request->setup), word;
	while (gs_str_cut(&rest, ' ', &word))
		if (word.n && word.p[0] != '-')
			gs_strv_push_str(argv, word);
}

static void push_pip(const struct making *making, struct gs_strv *argv)
{
	gs_strv_push_all(argv, making->request->python, "-m", "pip", "--python",
	    making->python, "install", "--quiet", "--no-input",
	    "--disable-pip-version-check", "--only-binary", ":all:", NULL);
	push_source(making, argv);
	if (!making->request->wheels &&
	    pip_can_cut_off(making->request->python))
		gs_strv_pushf(argv, "--uploaded-prior-to=%s", making->cutoff);
}

static void push_uv(const struct making *making, struct gs_strv *argv)
{
	gs_strv_push_all(argv, making->uv, "pip", "install", "--quiet",
	    "--python", making->python, "--only-binary", ":all:", NULL);
	push_source(making, argv);
	if (!making->request->wheels)
		gs_strv_push_all(argv, "--exclude-newer", making->cutoff, NULL);
}

static int install(const struct making *making, struct gs_err *err)
{
	const struct gs_env_request *request = making->request;
	if (!request->requirements.n && (!request->setup || !*request->setup))
		return 0;
	GS_CLEANUP(gs_strv_release) struct gs_strv argv = {0};
	if (making->uv)
		push_uv(making, &argv);
	else
		push_pip(making, &argv);
	push_requirements(making, &argv);
	int rc = run_tool(&argv, NULL, err);
	return rc < 0 ? gs_wrap(err, "install the requirements of %s",
	                    request->project ? request->project : "a project")
	              : 0;
}

static int make(const struct making *making, struct gs_err *err)
{
	int rc = gs_tree_remove(making->folder, err);
	if (rc == 0)
		rc = make_frame(making, err);
	if (rc == 0)
		rc = install(making, err);
	if (rc == 0)
		rc = gs_file_write(making->ready, GS_STR(""), 0644, err);
	if (rc < 0 && gs_tree_remove(making->folder, NULL) < 0)
		return rc;
	return rc;
}

/* Waits for whoever makes the same environment. */
static int lock(const char *path, int *ret_fd, struct gs_err *err)
{
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return gs_fail_sys(err, "open %s", path);
	while (flock(fd, LOCK_EX) < 0)
		if (errno != EINTR) {
			int rc = gs_fail_sys(err, "lock %s", path);
			gs_closep(&fd);
			return rc;
		}
	*ret_fd = fd;
	return 0;
}

static int find_or_make(const struct making *making, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *path = gs_format("%s.lock", making->folder);
	GS_CLEANUP(gs_closep) int fd = -1;
	int rc = gs_dir_make(making->request->envs_dir, 0755, err);
	if (rc == 0)
		rc = lock(path, &fd, err);
	if (rc < 0)
		return rc;
	return gs_path_exists(making->ready) ? 0 : make(making, err);
}

int gs_env_venv(const struct gs_env_request *request, struct gs_env *ret,
    struct gs_err *err)
{
	GS_CLEANUP(gs_env_release) struct gs_env base = {0};
	int rc = gs_env_system(request->python, &base, err);
	if (rc < 0)
		return rc;
	struct gs_env_request resolved = *request;
	GS_CLEANUP(gs_freep) char *envs_dir = NULL;
	rc = gs_dir_make(request->envs_dir, 0755, err);
	if (rc == 0)
		rc = gs_path_real(request->envs_dir, &envs_dir, err);
	if (rc < 0)
		return rc;
	resolved.envs_dir = envs_dir;
	resolved.python = base.python;

	char key[GS_SHA256_HEX];
	key_of(request, base.id, key);
	GS_CLEANUP(making_release)
	struct making making = {.request = &resolved};
	making.folder = gs_format("%s/%.16s", envs_dir, key);
	making.python = gs_path_join(making.folder, "bin/python");
	making.ready = gs_path_join(making.folder, "goldset-ready");
	making.uv = gs_path_find("uv");
	gs_datetime_print(round_cutoff(request->cutoff), making.cutoff);
	rc = find_or_make(&making, err);
	if (rc < 0)
		return rc;
	return gs_env_inspect(making.python, GS_ENV_VENV, ret, err);
}

int gs_env_made(const char *folder, struct gs_env *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *real = NULL;
	int rc = gs_path_real(folder, &real, err);
	if (rc < 0)
		return rc;
	GS_CLEANUP(gs_freep) char *python = gs_path_join(real, "bin/python");
	GS_CLEANUP(gs_freep) char *ready = gs_path_join(real, "goldset-ready");
	if (!gs_path_exists(ready))
		return gs_fail(err, GS_E_NOT_FOUND,
		    "%s holds no environment that is whole", real);
	return gs_env_inspect(python, GS_ENV_VENV, ret, err);
}

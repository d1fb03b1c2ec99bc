/* SPDX-License-Identifier: Apache-2.0 */
#include "run/env.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/mem.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/proc.h"
#include "os/signals.h"
#include "run/env_inspect.h"
#include "run/kit.h"

#define PROBE_TIMEOUT_MS 60000
#define PROBE_MAX ((size_t)8 << 20)

static bool is_below(const char *path, const char *folder)
{
	size_t n = strlen(folder);
	return strncmp(path, folder, n) == 0 &&
	       (path[n] == '/' || path[n] == '\0');
}

/* A folder that the box does not have anyway. */
static void add_bind(struct gs_strv *binds, const char *path)
{
	if (!path || path[0] != '/' || is_below(path, "/usr") ||
	    is_below(path, "/lib") || !gs_path_is_dir(path))
		return;
	for (size_t i = 0; i < binds->n; i++)
		if (is_below(path, binds->v[i]))
			return;
	gs_strv_push(binds, path);
}

static void find_binds(struct gs_env *env, const json_t *seen)
{
	/* The prefixes first: most of the path lies below them. */
	add_bind(&env->binds, gs_json_get_cstr(seen, "base_prefix"));
	add_bind(&env->binds, gs_json_get_cstr(seen, "prefix"));
	struct gs_strv path = {0};
	gs_json_get_strv(seen, "path", &path);
	for (size_t i = 0; i < path.n; i++)
		add_bind(&env->binds, path.v[i]);
	gs_strv_release(&path);
	gs_strv_sort(&env->binds);
}

/* The library for programs with threads; the other one is not safe there. */
static char *find_faketime(void)
{
	static const char *const patterns[] = {
	    "/usr/lib/*/faketime/libfaketimeMT.so.1",
	    "/usr/lib*/faketime/libfaketimeMT.so.1",
	    "/usr/local/lib/faketime/libfaketimeMT.so.1"};
	char *found = NULL;
	for (size_t i = 0; i < GS_COUNT(patterns) && !found; i++) {
		glob_t matches;
		if (glob(patterns[i], 0, NULL, &matches) != 0)
			continue;
		if (matches.gl_pathc)
			found = gs_strdup(matches.gl_pathv[0]);
		globfree(&matches);
	}
	return found;
}

static char *print_distributions(const json_t *seen)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	struct gs_json json = {.out = &text};
	GS_CLEANUP(gs_strv_release) struct gs_strv names = {0};
	const json_t *distributions = json_object_get(seen, "distributions");
	const char *name;
	json_t *version;
	json_t *object = json_object_get(seen, "distributions");
	json_object_foreach(object, name, version) gs_strv_push(&names, name);
	gs_strv_sort(&names);
	gs_json_begin_object(&json);
	for (size_t i = 0; i < names.n; i++)
		gs_json_put_cstr(&json, names.v[i],
		    gs_json_get_cstr(distributions, names.v[i]));
	gs_json_end_object(&json);
	return gs_buf_steal(&text);
}

static char *identify(const struct gs_env *env)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	gs_buf_addf(&text, "%d\n%s\n%s\n%s\n%s\n", (int)env->kind, env->python,
	    env->python_version, env->pytest_version, env->distributions);
	for (size_t i = 0; i < env->plugins.n; i++)
		gs_buf_addf(&text, "%s\n", env->plugins.v[i]);
	char hex[GS_SHA256_HEX];
	gs_sha256_hex(gs_buf_str(&text), hex);
	return gs_strdup(hex);
}

/* -S for a virtual environment: its .pth files are code of strangers. */
static int ask(const char *python, enum gs_env_kind kind, struct gs_buf *out,
    struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv argv = {0};
	gs_strv_push_all(&argv, python, kind == GS_ENV_VENV ? "-IS" : "-I",
	    "-c", gs_text_probe_py, NULL);
	const struct gs_child child = {
	    .argv = gs_strv_argv(&argv), .own_session = true};
	GS_CLEANUP(gs_buf_release) struct gs_buf errors = {.max = 1 << 20};
	const struct gs_proc_io io = {.out = out,
	    .errors = &errors,
	    .deadline_ms = gs_clock_ms() + PROBE_TIMEOUT_MS,
	    .side_fd = -1};
	struct gs_end end;
	int rc = gs_proc_run(&child, &io, &end, err);
	if (rc < 0)
		return rc;
	if (gs_stop_requested())
		return gs_fail(err, GS_E_CANCELLED, "interrupted");
	if (end.kind != GS_END_EXITED || end.code != 0)
		return gs_fail(err, GS_E_ENVIRONMENT,
		    "the interpreter %s does not work: %.400s", python,
		    gs_buf_cstr(&errors));
	return 0;
}

int gs_env_inspect(const char *python, enum gs_env_kind kind,
    struct gs_env *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf out = {.max = PROBE_MAX};
	int rc = ask(python, kind, &out, err);
	if (rc < 0)
		return rc;
	GS_CLEANUP(gs_json_free)
	json_t *seen = gs_json_parse(gs_buf_str(&out), "the interpreter", err);
	if (!seen)
		return gs_fail(err, GS_E_ENVIRONMENT,
		    "%s is no Python interpreter that works; name another "
		    "with --python",
		    python);
	const char *pytest = gs_json_get_cstr(seen, "pytest");
	if (!pytest)
		return gs_fail(err, GS_E_ENVIRONMENT,
		    "%s cannot import pytest; install python3-pytest, or "
		    "name another interpreter with --python",
		    python);
	struct gs_env env = {.kind = kind};
	env.python = gs_strdup(python);
	env.python_version = gs_strdup(gs_json_get_cstr(seen, "version"));
	env.pytest_version = gs_strdup(pytest);
	env.faketime = find_faketime();
	find_binds(&env, seen);
	gs_json_get_strv(seen, "plugins", &env.plugins);
	env.distributions = print_distributions(seen);
	env.id = identify(&env);
	*ret = env;
	return 0;
}

int gs_env_system(const char *python, struct gs_env *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *path =
	    strchr(python, '/') ? gs_strdup(python) : gs_path_find(python);
	if (!path || access(path, X_OK) < 0)
		return gs_fail(err, GS_E_ENVIRONMENT,
		    "the interpreter %s was not found; install python3, or "
		    "name one with --python",
		    python);
	if (path[0] != '/') {
		char *real = NULL;
		int rc = gs_path_real(path, &real, err);
		if (rc < 0)
			return rc;
		free(path);
		path = real;
	}
	return gs_env_inspect(path, GS_ENV_SYSTEM, ret, err);
}

void gs_env_release(struct gs_env *env)
{
	free(env->python);
	free(env->python_version);
	free(env->pytest_version);
	free(env->faketime);
	gs_strv_release(&env->binds);
	gs_strv_release(&env->plugins);
	free(env->distributions);
	free(env->id);
	*env = (struct gs_env){0};
}

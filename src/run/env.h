/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Environments: an interpreter and what it can import.
 *
 * `system` is an interpreter as installed; `venv` one virtual environment
 * per project and dependency set, made by pip or uv with the commit's date
 * as cut-off, in the workspace's envs/ and used again. Both are read-only
 * inside the box.
 */
#ifndef RUN_ENV_H
#define RUN_ENV_H

#include <stdint.h>

#include "base/err.h"
#include "base/map.h"
#include "base/strv.h"

enum gs_env_kind {
	GS_ENV_SYSTEM,
	GS_ENV_VENV,
};

struct gs_env {
	enum gs_env_kind kind;
	char *python; /* absolute path of the interpreter, on the host */
	char *python_version; /* "3.11.2" */
	char *pytest_version; /* "7.2.1" */
	char *faketime;       /* libfaketime's library, or NULL */
	struct gs_strv binds; /* host folders that the box needs, read-only */
	/* pytest plugins that are importable: "pytest_asyncio", "xdist", … */
	struct gs_strv plugins;
	char *distributions; /* JSON object: name → version, sorted */
	char *id;            /* hash of all of the above */
};

/* Looks at an interpreter (a path, or a name on PATH); GS_E_ENVIRONMENT with
 * what to install when it or its pytest is missing. */
GS_MUST_CHECK int gs_env_system(
    const char *python, struct gs_env *ret, struct gs_err *err);

/* python3 as PATH has it, or the distribution's own when that one has no
 * pytest. */
GS_MUST_CHECK int gs_env_default(struct gs_env *ret, struct gs_err *err);

/* What a venv is made from. */
struct gs_env_request {
	const char *envs_dir; /* in the workspace */
	const char *python;
	const char *project;
	int64_t cutoff;              /* the commit's date */
	struct gs_strv requirements; /* PEP 508 lines, sorted */
	const char *wheels; /* a folder of wheels: no index is asked, or NULL */
	const char *setup;  /* extra requirements from goldset.conf, or NULL */
	bool offline;
};

/* Finds or makes it. An interrupted making leaves nothing behind; two
 * processes that want the same one wait for each other. GS_E_ENVIRONMENT
 * with pip's last words when the requirements cannot be met. */
GS_MUST_CHECK int gs_env_venv(const struct gs_env_request *request,
    struct gs_env *ret, struct gs_err *err);
/* One that gs_env_venv made, by its folder in envs_dir; GS_E_NOT_FOUND for a
 * folder that holds none, or one that is not whole. */
GS_MUST_CHECK int gs_env_made(
    const char *folder, struct gs_env *ret, struct gs_err *err);
void gs_env_release(struct gs_env *env);

/* The Debian package that brings a module ("python3-yaml" for yaml), or NULL:
 * by a table of what is not simply python3-<module>, and the package lists. */
char *gs_env_package_of(const char *module);

/* Dependency specifications of a project, read from the bytes of its own
 * files (pyproject.toml, setup.cfg, setup.py, requirements*.txt, tox.ini),
 * with its test extras; appended as PEP 508 lines. Nothing is executed. */
void gs_env_requirements(
    const char *file_name, struct gs_str bytes, struct gs_strv *ret);

#endif

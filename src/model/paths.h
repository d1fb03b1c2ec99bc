/* SPDX-License-Identifier: Apache-2.0 */
/* What a path is to a candidate (W3, W4). Pure functions of the path. */
#ifndef MODEL_PATHS_H
#define MODEL_PATHS_H

#include "base/strv.h"
#include "model/change.h"

enum gs_path_class {
	GS_PATH_OTHER,    /* neither: documentation, data, configuration, … */
	GS_PATH_SOURCE,   /* a .py file that may be the fixed one */
	GS_PATH_TEST,     /* test-side */
	GS_PATH_VENDORED, /* a .py file under a vendored folder */
	GS_PATH_GENERATED, /* _pb2.py, versioneer.py, _version.py */
	GS_PATH_AUXILIARY, /* setup.py, conf.py of docs, examples, benchmarks */
};

/* `patterns` are the project's own python_files (bare "*.py" ignored), or
 * NULL. */
enum gs_path_class gs_path_classify(
    struct gs_str path, const struct gs_strv *patterns);
/* A test-side .py file that pytest collects by its name (W3). */
bool gs_path_is_collected(struct gs_str path, const struct gs_strv *patterns);
/* pytest.ini, .pytest.ini, pyproject.toml, tox.ini, setup.cfg, at the root
 * (S1: the configuration of the commit). */
bool gs_path_is_pytest_config(struct gs_str path);
/* A changelog (CHANGES, CHANGELOG, HISTORY, NEWS, newsfragments, …), and
 * user documentation (README, docs/, *.rst, *.md outside tests; changelogs
 * aside), for K7. */
bool gs_path_is_changelog(struct gs_str path);
bool gs_path_is_documentation(struct gs_str path);

/* W2, W3, W5 as far as names, modes and counts decide. */
struct gs_walk_verdict {
	bool is_candidate;
	const char *reason; /* refused: "merge", "no parent", … (static) */
	size_t n_source, n_test, n_collected, n_changed;
};

void gs_classify_changes(const struct gs_change *changes, size_t n,
    const struct gs_strv *patterns, struct gs_walk_verdict *ret);

/* python_files out of the bytes of a pytest configuration file of that name
 * (ini or toml), appended. */
void gs_python_files(
    struct gs_str name, struct gs_str bytes, struct gs_strv *ret);

#endif

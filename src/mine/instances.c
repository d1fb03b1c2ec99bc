/* SPDX-License-Identifier: Apache-2.0 */
#include "mine/instances.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/limits.h"
#include "base/vec.h"
#include "git/names.h"
#include "os/file.h"

static void foreign_release(struct gs_foreign *foreign)
{
	free(foreign->name);
	free(foreign->repo);
	free(foreign->url);
	free(foreign->base);
	free(foreign->commit);
	for (size_t i = 0; i < foreign->blobs.n; i++) {
		free(foreign->blobs.v[i].path);
		free(foreign->blobs.v[i].id);
	}
	GS_VEC_FREE(&foreign->blobs);
	gs_strv_release(&foreign->tests);
}

void gs_foreigns_release(struct gs_foreigns *foreigns)
{
	for (size_t i = 0; i < foreigns->n; i++)
		foreign_release(&foreigns->v[i]);
	GS_VEC_FREE(foreigns);
}

static int by_repo(const void *a, const void *b)
{
	const struct gs_foreign *x = a, *y = b;
	int order = strcmp(x->repo, y->repo);
	return order ? order : strcmp(x->name, y->name);
}

/* ---- SWE-bench --------------------------------------------------------- */

/* Paths and blob ids after it, from a patch's "index" and "+++" lines. */
static void read_patch(struct gs_str patch, struct gs_foreign *ret)
{
	struct gs_str line, id = {0};
	while (patch.n && gs_str_cut(&patch, '\n', &line)) {
		if (gs_str_starts(line, "diff --git ")) {
			id = (struct gs_str){0};
		} else if (gs_str_starts(line, "index ")) {
			ptrdiff_t dots = gs_str_find(line, GS_STR(".."));
			if (dots < 0)
				continue;
			struct gs_str rest =
			    gs_str_from(line, (size_t)dots + 2);
			(void)gs_str_cut(&rest, ' ', &id);
		} else if (gs_str_starts(line, "+++ b/")) {
			struct gs_wanted_blob *blob = GS_VEC_ADD(&ret->blobs);
			line = gs_str_from(line, 6);
			blob->path = gs_strndup(line.p, line.n);
			blob->id = gs_strndup(id.n ? id.p : "", id.n);
		}
	}
}

/* A list, or the JSON of one in a text. */
static void read_list(const json_t *value, struct gs_strv *ret)
{
	GS_CLEANUP(gs_json_free) json_t *parsed = NULL;
	const char *text = json_string_value(value);
	if (text) {
		parsed = gs_json_parse(gs_str(text), "a list", NULL);
		value = parsed;
	}
	for (size_t i = 0; i < json_array_size(value); i++) {
		const char *item = json_string_value(json_array_get(value, i));
		if (item)
			gs_strv_push(ret, item);
	}
}

static int take_row(const json_t *row, const char *name, size_t number,
    struct gs_foreigns *ret, struct gs_err *err)
{
	static const char *const keys[] = {
	    "instance_id", "repo", "base_commit", "test_patch"};
	for (size_t i = 0; i < GS_COUNT(keys); i++)
		if (!gs_json_get_cstr(row, keys[i]))
			return gs_fail(err, GS_E_USAGE,
			    "row %zu of %s has no \"%s\"", number, name,
			    keys[i]);
	for (size_t i = 0; i < 3; i++)
		if (gs_json_get_str(row, keys[i]).n > GS_MAX_INSTANCE_ID)
			return gs_fail(err, GS_E_USAGE,
			    "\"%s\" in row %zu of %s has %zu bytes, and more "
			    "than %d are no name",
			    keys[i], number, name,
			    gs_json_get_str(row, keys[i]).n,
			    GS_MAX_INSTANCE_ID);
	struct gs_foreign *foreign = GS_VEC_ADD(ret);
	foreign->name = gs_json_get_dup(row, "instance_id");
	foreign->repo = gs_json_get_dup(row, "repo");
	foreign->base = gs_json_get_dup(row, "base_commit");
	foreign->url = gs_format("https://github.com/%s", foreign->repo);
	read_patch(gs_json_get_str(row, "test_patch"), foreign);
	read_list(json_object_get(row, "FAIL_TO_PASS"), &foreign->tests);
	return 0;
}

static int read_lines(struct gs_str text, const char *name,
    struct gs_foreigns *ret, struct gs_err *err)
{
	struct gs_str line;
	size_t number = 0;
	int rc = 0;
	while (rc == 0 && text.n && gs_str_cut(&text, '\n', &line)) {
		number++;
		if (gs_str_trim(line).n == 0)
			continue;
		GS_CLEANUP(gs_json_free)
		json_t *row = gs_json_parse(line, name, err);
		rc = row ? take_row(row, name, number, ret, err) : GS_E_USAGE;
	}
	return rc;
}

int gs_swebench_read(struct gs_str text, const char *name,
    struct gs_foreigns *ret, struct gs_err *err)
{
	int rc = 0;
	if (gs_str_starts(text, "PAR1"))
		return gs_fail(err, GS_E_USAGE,
		    "%s is a Parquet file; give its rows as JSON Lines", name);
	if (!gs_str_starts(gs_str_trim(text), "[")) {
		rc = read_lines(text, name, ret, err);
	} else {
		GS_CLEANUP(gs_json_free)
		json_t *rows = gs_json_parse(text, name, err);
		if (!rows)
			return GS_E_USAGE;
		for (size_t i = 0; rc == 0 && i < json_array_size(rows); i++)
			rc = take_row(
			    json_array_get(rows, i), name, i + 1, ret, err);
	}
	GS_VEC_SORT(ret, by_repo);
	return rc;
}

/* ---- BugsInPy ---------------------------------------------------------- */

/* The value of `key="value"` in a file of such lines. */
static char *value_of(struct gs_str text, const char *key)
{
	struct gs_str line, name;
	while (text.n && gs_str_cut(&text, '\n', &line)) {
		if (!gs_str_cut(&line, '=', &name) ||
		    !gs_str_is(gs_str_trim(name), key))
			continue;
		line = gs_str_trim(line);
		if (gs_str_starts(line, "\""))
			line = gs_str_from(line, 1);
		ptrdiff_t end = gs_str_find_char(line, '"');
		if (end >= 0)
			line = gs_str_sub(line, 0, (size_t)end);
		return gs_strndup(line.n ? line.p : "", line.n);
	}
	return NULL;
}

static bool is_test_name(struct gs_str word)
{
	return gs_str_contains(word, GS_STR("::")) ||
	       gs_str_ends(word, ".py") ||
	       (gs_str_find_char(word, '.') > 0 && word.p[0] != '-' &&
	           gs_str_contains(word, GS_STR("test")) &&
	           !gs_str_starts(word, "py.test"));
}

void gs_bugsinpy_tests(struct gs_str script, struct gs_strv *ret)
{
	struct gs_str line, word;
	while (script.n && gs_str_cut(&script, '\n', &line)) {
		line = gs_str_trim(line);
		while (line.n && gs_str_cut(&line, ' ', &word))
			if (is_test_name(gs_str_trim(word)))
				gs_strv_push_str(ret, gs_str_trim(word));
	}
}

static int read_info(const char *folder, const char *name, struct gs_buf *ret,
    struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *path = gs_path_join(folder, name);
	gs_buf_reset(ret);
	return gs_file_read(path, GS_MIB, ret, err);
}

/* "owner/name" of "https://github.com/owner/name". */
static char *repo_of(const char *url)
{
	struct gs_str owner, name;

	if (!gs_name_split(gs_str(url), &owner, &name))
		return NULL;
	return gs_format("%.*s/%.*s", GS_STR_ARG(owner), GS_STR_ARG(name));
}

static int read_bug(const char *folder, const char *name, const char *url,
    struct gs_foreigns *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	int rc = read_info(folder, "bug.info", &text, err);
	if (rc)
		return rc;
	char *base = value_of(gs_buf_str(&text), "buggy_commit_id");
	char *commit = value_of(gs_buf_str(&text), "fixed_commit_id");
	char *repo = repo_of(url);
	if (!base || !commit || !repo) {
		free(base);
		free(commit);
		free(repo);
		return gs_fail(err, GS_E_USAGE,
		    "%s/bug.info does not name a buggy and a fixed commit",
		    folder);
	}
	struct gs_foreign *foreign = GS_VEC_ADD(ret);
	foreign->name = gs_strdup(name);
	foreign->repo = repo;
	foreign->url = gs_strdup(url);
	foreign->base = base;
	foreign->commit = commit;
	if (read_info(folder, "run_test.sh", &text, NULL) == 0)
		gs_bugsinpy_tests(gs_buf_str(&text), &foreign->tests);
	return 0;
}

/* Names of the folders in a folder, sorted. */
static int list_folders(
    const char *folder, struct gs_strv *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_dir_closep) DIR *dir = opendir(folder);
	const struct dirent *entry;
	if (!dir)
		return gs_fail(err, GS_E_NOT_FOUND,
		    "%s is no checkout of BugsInPy: it has no folder %s",
		    folder, folder);
	while ((entry = readdir(dir)) != NULL) {
		GS_CLEANUP(gs_freep)
		char *path = gs_path_join(folder, entry->d_name);
		if (entry->d_name[0] != '.' && gs_path_is_dir(path))
			gs_strv_push(ret, entry->d_name);
	}
	gs_strv_sort(ret);
	return 0;
}

static int read_project(const char *folder, const char *project,
    struct gs_foreigns *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv bugs = {0};
	GS_CLEANUP(gs_freep) char *path = gs_path_join(folder, project);
	GS_CLEANUP(gs_freep) char *all = gs_path_join(path, "bugs");
	int rc = read_info(path, "project.info", &text, err);
	if (rc == 0)
		rc = list_folders(all, &bugs, err);
	if (rc)
		return rc;
	GS_CLEANUP(gs_freep)
	char *url = value_of(gs_buf_str(&text), "github_url");
	if (!url)
		return gs_fail(
		    err, GS_E_USAGE, "%s/project.info has no github_url", path);
	for (size_t i = 0; rc == 0 && i < bugs.n; i++) {
		GS_CLEANUP(gs_freep)
		char *bug = gs_path_join(all, bugs.v[i]);
		GS_CLEANUP(gs_freep)
		char *name = gs_format("%s-%s", project, bugs.v[i]);
		rc = read_bug(bug, name, url, ret, err);
	}
	return rc;
}

int gs_bugsinpy_read(
    const char *folder, struct gs_foreigns *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *projects = gs_path_join(folder, "projects");
	GS_CLEANUP(gs_strv_release) struct gs_strv names = {0};
	int rc = list_folders(projects, &names, err);
	for (size_t i = 0; rc == 0 && i < names.n; i++)
		rc = read_project(projects, names.v[i], ret, err);
	GS_VEC_SORT(ret, by_repo);
	return rc;
}

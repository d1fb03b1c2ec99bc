/* SPDX-License-Identifier: Apache-2.0 */
#include "git/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "base/mem.h"
#include "git/mirror.h"
#include "os/file.h"

#define MAX_POINTER_FILE (8 * GS_KIB)

void gs_local_release(struct gs_local *source)
{
	free(source->common);
	free(source->origin);
	*source = (struct gs_local){0};
}

static bool has(const char *folder, const char *name, bool is_dir)
{
	GS_CLEANUP(gs_freep) char *path = gs_path_join(folder, name);

	return is_dir ? gs_path_is_dir(path) : gs_path_exists(path);
}

/* `refs` may be missing after a copy by tools that skip empty folders. */
static bool is_git_dir(const char *path)
{
	return has(path, "HEAD", false) &&
	       (has(path, "objects", true) || has(path, "commondir", false));
}

/* Git opens what objects/info/alternates names, chain after chain, and would
 * wait for ever on a FIFO: only plain files are let through. */
#define MAX_ALTERNATES 5

/* A line in quotes is C-quoted, as git writes odd names: the letters that may
 * follow a backslash, or three octal digits. */
static void unquote(struct gs_str line, struct gs_buf *ret)
{
	static const char letters[] = "abfnrtv\"\\",
	                  bytes[] = "\a\b\f\n\r\t\v\"\\";

	if (line.n < 2 || line.p[0] != '"' || line.p[line.n - 1] != '"') {
		gs_buf_adds(ret, line);
		return;
	}
	for (size_t i = 1; i + 1 < line.n; i++) {
		const char *letter;
		char c = line.p[i];
		if (c != '\\' || i + 2 >= line.n) {
			gs_buf_addc(ret, c);
			continue;
		}
		c = line.p[++i];
		letter = strchr(letters, c);
		if (letter && c) {
			gs_buf_addc(ret, bytes[letter - letters]);
		} else if (i + 3 < line.n) {
			gs_buf_addc(ret,
			    (char)((c - '0') * 64 + (line.p[i + 1] - '0') * 8 +
			           (line.p[i + 2] - '0')));
			i += 2;
		}
	}
}

static int check_alternates(const char *objects, int depth, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *file = gs_path_join(objects, "info/alternates");
	GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};
	struct gs_str rest, line;

	if (depth == MAX_ALTERNATES || !gs_path_exists(file))
		return 0;
	int rc = gs_file_read(file, 64 * GS_KIB, &bytes, err);
	if (rc)
		return rc;
	rest = gs_buf_str(&bytes);
	while (rc == 0 && rest.n && gs_str_cut(&rest, '\n', &line)) {
		if (line.n == 0 || line.p[0] == '#')
			continue;
		GS_CLEANUP(gs_buf_release) struct gs_buf unquoted = {0};
		unquote(line, &unquoted);
		GS_CLEANUP(gs_freep) char *name = gs_buf_steal(&unquoted);
		GS_CLEANUP(gs_freep)
		char *next = name[0] == '/' ? gs_steal(&name)
		                            : gs_path_join(objects, name);
		if (depth == 0 && !gs_path_is_dir(next))
			return gs_fail(err, GS_E_NOT_FOUND,
			    "%s, whose objects are shared, is gone", next);
		rc = check_alternates(next, depth + 1, err);
	}
	return rc;
}

int gs_local_check(const char *objects, struct gs_err *err)
{
	return check_alternates(objects, 0, err);
}

/* The path that a one-line file names, relative to `base`. */
static int read_pointer(const char *file, const char *prefix, const char *base,
    char **ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};
	struct gs_str line;
	GS_CLEANUP(gs_freep) char *target = NULL;
	int rc = gs_file_read(file, MAX_POINTER_FILE, &bytes, err);

	if (rc)
		return rc;
	line = gs_buf_str(&bytes);
	while (line.n > 0 && strchr("\r\n", line.p[line.n - 1]))
		line.n--;
	if (!gs_str_starts(line, prefix) || line.n == strlen(prefix) ||
	    gs_str_find_char(line, '\0') >= 0)
		return gs_fail(err, GS_E_CORRUPT,
		    "%s does not say where the repository is", file);
	line = gs_str_from(line, strlen(prefix));
	target = gs_strndup(line.p, line.n);
	*ret =
	    target[0] == '/' ? gs_steal(&target) : gs_path_join(base, target);
	return 0;
}

static int find_git_dir(const char *path, char **ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *dot = gs_path_join(path, ".git");

	if (access(path, F_OK) != 0 && errno == EACCES)
		return gs_fail_sys(err, "look at %s", path);
	if (!gs_path_is_dir(path))
		return gs_fail(err, GS_E_NOT_FOUND,
		    "%s is neither a folder nor an https URL", path);
	if (access(path, X_OK) != 0)
		return gs_fail_sys(err, "enter the folder %s", path);
	if (gs_path_is_dir(dot) && is_git_dir(dot)) {
		*ret = gs_steal(&dot);
		return 0;
	}
	if (is_git_dir(path)) {
		*ret = gs_strdup(path);
		return 0;
	}
	if (gs_path_exists(dot) && !gs_path_is_dir(dot)) {
		int rc = read_pointer(dot, "gitdir: ", path, ret, err);

		if (rc)
			return rc;
		if (is_git_dir(*ret))
			return 0;
		free(gs_steal(ret));
	}
	return gs_fail(
	    err, GS_E_CORRUPT, "%s does not hold a git repository", path);
}

static int find_common(const char *git_dir, char **ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *file = gs_path_join(git_dir, "commondir");
	GS_CLEANUP(gs_freep) char *found = NULL;
	int rc;

	if (gs_path_exists(file)) {
		rc = read_pointer(file, "", git_dir, &found, err);
		if (rc)
			return rc;
	} else {
		found = gs_strdup(git_dir);
	}
	rc = gs_path_real(found, ret, err);
	if (rc)
		return rc;
	if (has(*ret, "objects", true))
		return 0;
	free(gs_steal(ret));
	return gs_fail(err, GS_E_CORRUPT,
	    "%s does not hold a git repository: it has no objects", git_dir);
}

static int read_config(struct gs_local *source, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *path = gs_path_join(source->common, "config");
	GS_CLEANUP(gs_config_release) struct gs_config config = {0};
	int rc;

	if (!gs_path_exists(path))
		return 0;
	rc = gs_config_read(path, &config, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < config.n; i++) {
		const struct gs_config_entry *entry = &config.v[i];

		if (strcmp(entry->key, "remote.origin.url") == 0) {
			free(source->origin);
			source->origin = gs_strdup(entry->value);
		}
		if (strcmp(entry->key, "extensions.objectformat") == 0)
			source->is_sha256 = strcmp(entry->value, "sha256") == 0;
		if (strcmp(entry->key, "extensions.refstorage") == 0 &&
		    strcmp(entry->value, "files") != 0)
			return gs_fail(err, GS_E_USAGE,
			    "%s keeps its refs in a format that is not read "
			    "here: clone it with files refs first "
			    "(git clone --mirror --ref-format=files)",
			    source->common);
	}
	return 0;
}

int gs_local_open(const char *path, struct gs_local *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_local_release) struct gs_local source = {0};
	GS_CLEANUP(gs_freep) char *git_dir = NULL;
	int rc = find_git_dir(path, &git_dir, err);

	if (rc)
		return rc;
	rc = find_common(git_dir, &source.common, err);
	if (rc)
		return rc;
	rc = read_config(&source, err);
	if (rc)
		return rc;
	*ret = source;
	source = (struct gs_local){0};
	return 0;
}

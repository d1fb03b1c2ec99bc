/* SPDX-License-Identifier: Apache-2.0 */
#include "git/mirror.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/limits.h"
#include "base/mem.h"
#include "git/command.h"
#include "git/names.h"
#include "git/refs.h"
#include "git/source.h"
#include "git/tips.h"
#include "os/fd.h"
#include "os/file.h"
#include "os/tree.h"

#define LOCK_NAME "goldset.lock"

static int check_source(const char *source, struct gs_err *err)
{
	/* No path starts so by chance, and no program gets to see it as an
	 * option (F167). */
	if (source[0] == '\0' || source[0] == '-')
		return gs_fail(err, GS_E_USAGE,
		    "'%s' is no repository: give a folder (./%s) or an https "
		    "URL",
		    source, source);
	if (gs_url_kind(gs_str(source)) == GS_URL_OTHER &&
	    !gs_path_is_dir(source))
		return gs_fail(err, GS_E_USAGE,
		    "%s is not taken: only https URLs and folders are", source);
	return 0;
}

static bool is_https(const char *source)
{
	return gs_url_kind(gs_str(source)) == GS_URL_HTTPS;
}

static int identify_https(
    const char *source, struct gs_source_name *ret, struct gs_err *err)
{
	/* The URL may hold a password: it is not repeated. */
	if (!gs_name_from_https(gs_str(source), ret))
		return gs_fail(err, GS_E_USAGE,
		    "the https URL must be https://host/owner/name, without "
		    "a user or password in it");
	return 0;
}

int gs_source_identify(
    const char *source, struct gs_source_name *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_local_release) struct gs_local found = {0};
	GS_CLEANUP(gs_freep) char *real = NULL;
	int rc = check_source(source, err);

	if (rc)
		return rc;
	if (is_https(source))
		return identify_https(source, ret, err);
	rc = gs_local_open(source, &found, err);
	if (rc)
		return rc;
	if (found.origin && gs_name_from_url(gs_str(found.origin), ret))
		return 0;
	rc = gs_path_real(source, &real, err);
	if (rc)
		return rc;
	ret->name = gs_name_from_folder(gs_str(real));
	ret->repo_url = gs_strdup("");
	return 0;
}

bool gs_source_is_gone(const char *source)
{
	GS_CLEANUP(gs_local_release) struct gs_local found = {0};

	return gs_url_kind(gs_str(source)) == GS_URL_NONE &&
	       gs_local_open(source, &found, NULL) != 0;
}

/* Each write is an fsync or two: nothing is written that is there already. */
static int put_file(const char *mirror, const char *name, struct gs_str bytes,
    struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *path = gs_path_join(mirror, name);
	GS_CLEANUP(gs_buf_release) struct gs_buf old = {0};

	if (gs_path_exists(path) &&
	    gs_file_read(path, bytes.n + 1, &old, NULL) == 0 &&
	    gs_str_eq(gs_buf_str(&old), bytes))
		return 0;
	return gs_file_write(path, bytes, 0644, err);
}

static int drop_file(const char *mirror, const char *name, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *path = gs_path_join(mirror, name);

	if (unlink(path) != 0 && errno != ENOENT)
		return gs_fail_sys(err, "remove %s", path);
	return 0;
}

/* The caller closes *fd, also after an error. */
static int lock(const char *mirror, int *fd, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *path = gs_path_join(mirror, LOCK_NAME);

	*fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
	if (*fd < 0)
		return gs_fail_sys(err, "open %s", path);
	if (flock(*fd, LOCK_EX | LOCK_NB) != 0)
		return gs_fail(err, GS_E_BUSY,
		    "another goldset is refreshing the mirror %s", mirror);
	return 0;
}

/* The parts of an empty bare repository. Written by us and not by
 * `git init`, which copies templates with hooks. */
static int make_skeleton(const char *mirror, bool is_sha256, struct gs_err *err)
{
	static const char *const folders[] = {
	    "objects", "objects/info", "objects/pack", "refs"};
	struct gs_str config =
	    GS_STR("[core]\n\trepositoryformatversion = 0\n\tbare = true\n");
	int rc;

	if (is_sha256)
		config = GS_STR(
		    "[core]\n\trepositoryformatversion = 1\n\tbare = true\n"
		    "[extensions]\n\tobjectformat = sha256\n");
	for (size_t i = 0; i < GS_COUNT(folders); i++) {
		GS_CLEANUP(gs_freep)
		char *path = gs_path_join(mirror, folders[i]);

		rc = gs_dir_make(path, 0755, err);
		if (rc)
			return rc;
	}
	rc = put_file(mirror, "config", config, err);
	if (rc)
		return rc;
	return put_file(mirror, "HEAD", GS_STR("ref: refs/heads/main\n"), err);
}

/* What gs_file_write leaves when it is killed. */
static int drop_begun(
    const char *mirror, const char *folder, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *path = gs_path_join(mirror, folder);
	GS_CLEANUP(gs_dir_closep) DIR *dir = opendir(path);
	int rc = 0;

	if (!dir)
		return gs_fail_sys(err, "read the folder %s", path);
	for (struct dirent *entry; rc == 0 && (entry = readdir(dir));)
		if (gs_str_starts(gs_str(entry->d_name), GS_FILE_BEGUN))
			rc = drop_file(path, entry->d_name, err);
	return rc;
}

/* What a killed git left, or we: nobody else may hold these, we hold the
 * lock. */
static int drop_stale(const char *mirror, struct gs_err *err)
{
	static const char *const names[] = {"packed-refs.lock",
	    "packed-refs.new", "shallow.lock", "HEAD.lock", "config.lock"};

	for (size_t i = 0; i < GS_COUNT(names); i++) {
		int rc = drop_file(mirror, names[i], err);

		if (rc)
			return rc;
	}
	int rc = drop_begun(mirror, ".", err);
	return rc ? rc : drop_begun(mirror, "objects/info", err);
}

/* Quoted as git quotes, so that any folder name survives. */
static void alternates_line(const char *objects, struct gs_buf *out)
{
	gs_buf_addc(out, '"');
	for (const char *p = objects; *p; p++) {
		unsigned char c = (unsigned char)*p;

		if (c == '"' || c == '\\')
			gs_buf_addf(out, "\\%c", c);
		else if (c < ' ' || c >= 127)
			gs_buf_addf(out, "\\%03o", c);
		else
			gs_buf_addc(out, (char)c);
	}
	gs_buf_addz(out, "\"\n");
}

static int take_shallow(
    const char *mirror, const struct gs_local *source, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv ids = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};
	int rc = gs_mirror_shallow(source->common, &ids, err);

	if (rc)
		return rc;
	if (ids.n == 0)
		return drop_file(mirror, "shallow", err);
	for (size_t i = 0; i < ids.n; i++)
		gs_buf_addf(&bytes, "%s\n", ids.v[i]);
	return put_file(mirror, "shallow", gs_buf_str(&bytes), err);
}

/* Objects first and refs last: a ref never names what is not there yet. */
static int update_local(
    const char *mirror, const struct gs_local *source, struct gs_err *err)
{
	GS_CLEANUP(gs_refs_release) struct gs_refs refs = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf packed = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf alternates = {0};
	GS_CLEANUP(gs_freep)
	char *objects = gs_path_join(source->common, "objects");
	GS_CLEANUP(gs_freep) char *loose = gs_path_join(mirror, "refs");
	int rc = gs_refs_read(source->common, &refs, err);

	if (rc)
		return rc;
	gs_refs_write_packed(&refs, source->is_sha256 ? 64 : 40, &packed);
	alternates_line(objects, &alternates);
	rc = put_file(
	    mirror, "objects/info/alternates", gs_buf_str(&alternates), err);
	if (rc)
		return rc;
	gs_fault("git.mirror.alternates");
	rc = take_shallow(mirror, source, err);
	if (rc)
		return rc;
	rc = put_file(mirror, "packed-refs", gs_buf_str(&packed), err);
	if (rc)
		return rc;
	gs_fault("git.mirror.refs");
	return gs_tree_empty(loose, err);
}

/* A mirror that was one of a folder starts anew: its refs name objects that
 * only the folder had. */
static int forget_local(const char *mirror, struct gs_err *err)
{
	static const char *const names[] = {
	    "packed-refs", "shallow", "objects/info/alternates"};
	GS_CLEANUP(gs_freep)
	char *alternates = gs_path_join(mirror, "objects/info/alternates");

	if (!gs_path_exists(alternates))
		return 0;
	for (size_t i = 0; i < GS_COUNT(names); i++) {
		int rc = drop_file(mirror, names[i], err);

		if (rc)
			return rc;
	}
	return 0;
}

static int update_https(
    const char *mirror, const char *source, struct gs_err *err)
{
	GS_CLEANUP(gs_command_release) struct gs_command command = {0};
	int rc = forget_local(mirror, err);

	if (rc)
		return rc;
	rc = gs_command_init(&command, mirror, err);
	if (rc)
		return rc;
	gs_command_allow_network(&command);
	gs_strv_push_all(&command.argv, "fetch", "--quiet", "--force",
	    "--prune", "--no-tags", "--no-write-fetch-head",
	    "--no-recurse-submodules", "--", source,
	    "+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*", NULL);
	rc = gs_command_run(&command, source, NULL, err);
	/* Not the mirror is broken but the way to the source. */
	if (rc == GS_E_CORRUPT)
		return gs_fail(err, GS_E_ENVIRONMENT, "%s", err->text);
	return rc;
}

int gs_mirror_update(const char *path, const char *source, struct gs_err *err)
{
	GS_CLEANUP(gs_source_name_release) struct gs_source_name name = {0};
	GS_CLEANUP(gs_local_release) struct gs_local local = {0};
	GS_CLEANUP(gs_closep) int lock_fd = -1;
	int rc = check_source(source, err);

	if (rc)
		return rc;
	rc = is_https(source) ? identify_https(source, &name, err)
	                      : gs_local_open(source, &local, err);
	if (rc)
		return rc;
	rc = gs_dir_make(path, 0755, err);
	if (rc)
		return rc;
	rc = lock(path, &lock_fd, err);
	if (rc)
		return rc;
	rc = make_skeleton(path, local.is_sha256, err);
	if (rc)
		return rc;
	rc = drop_stale(path, err);
	if (rc)
		return rc;
	return local.common ? update_local(path, &local, err)
	                    : update_https(path, source, err);
}

char *gs_mirror_path(const char *workspace, const char *mirror)
{
	return gs_format("%s/mirrors/%s", workspace, mirror);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "os/staging.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/log.h"
#include "base/mem.h"
#include "os/fd.h"
#include "os/file.h"
#include "os/tree.h"

#define TRIES 8

static int split(struct gs_staging *staging, const char *folder,
    const char *thing, struct gs_err *err)
{
	struct gs_str path = gs_str(folder);
	while (path.n > 1 && path.p[path.n - 1] == '/')
		path.n--;
	ptrdiff_t slash = gs_str_rfind_char(path, '/');
	struct gs_str base = gs_str_from(path, (size_t)(slash + 1));
	if (base.n == 0 || gs_str_is(base, ".") || gs_str_is(base, ".."))
		return gs_fail(err, GS_E_USAGE,
		    "\"%s\" does not name a folder for %s", folder, thing);
	staging->target = gs_strndup(path.p, path.n);
	staging->parent = slash < 0    ? gs_strdup(".")
	                  : slash == 0 ? gs_strdup("/")
	                               : gs_strndup(path.p, (size_t)slash);
	return 0;
}

/* A sweeper may have been faster: then the name is gone, or another's. */
static bool lock_holds(int fd, const char *path)
{
	struct stat ours, named;
	return flock(fd, LOCK_EX | LOCK_NB) == 0 && fstat(fd, &ours) == 0 &&
	       lstat(path, &named) == 0 && ours.st_ino == named.st_ino &&
	       ours.st_dev == named.st_dev;
}

/* Opens and locks; -1 when it is not a folder, gone, or locked by another. */
static int lock_folder(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && !lock_holds(fd, path))
		gs_closep(&fd); /* leaves -1 */
	return fd;
}

/* What cannot be removed stays hidden; it harms nobody. */
static void discard(const char *path)
{
	struct gs_err err;
	if (gs_tree_remove(path, &err) != 0)
		gs_log("%s", err.text);
}

/* A hidden folder stands there for each process that makes one; those without
 * a lock belong to the dead. */
static void sweep(const char *parent, const char *hidden)
{
	GS_CLEANUP(gs_dir_closep) DIR *dir = opendir(parent);
	if (!dir)
		return;
	for (struct dirent *entry; (entry = readdir(dir));) {
		if (!gs_str_starts(gs_str(entry->d_name), hidden))
			continue;
		GS_CLEANUP(gs_freep)
		char *path = gs_path_join(parent, entry->d_name);
		GS_CLEANUP(gs_closep) int fd = lock_folder(path);
		if (fd >= 0)
			discard(path);
	}
}

static int make_hidden(
    struct gs_staging *staging, const char *hidden, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *prefix = gs_format("%s%ld-", hidden, (long)getpid());
	for (int i = 0; i < TRIES; i++) {
		int rc = gs_dir_make_temp(
		    staging->parent, prefix, &staging->path, err);
		if (rc)
			return rc;
		staging->lock = lock_folder(staging->path);
		if (staging->lock >= 0)
			return 0;
		free(staging->path);
		staging->path = NULL;
	}
	return gs_fail(err, GS_E_BUSY, "%s is swept by others all the time",
	    staging->parent);
}

int gs_staging_open(struct gs_staging *staging, const char *folder,
    const struct gs_staging_kind *kind, bool replace, struct gs_err *err)
{
	*staging = (struct gs_staging){.lock = -1};
	GS_CLEANUP(gs_freep) char *real = NULL;
	bool exists = gs_path_exists(folder);
	if (exists && !replace)
		return gs_fail(err, GS_E_EXISTS,
		    "%s exists: name another folder, or ask to replace it",
		    folder);
	int rc = exists ? kind->check(folder, err) : 0;
	if (rc == 0 && exists)
		rc = gs_path_real(folder, &real, err);
	if (rc == 0)
		rc = split(staging, real ? real : folder, kind->thing, err);
	if (rc == 0)
		rc = gs_dir_make(staging->parent, 0755, err);
	if (rc)
		return rc;
	staging->replaces = exists;
	sweep(staging->parent, kind->hidden);
	return make_hidden(staging, kind->hidden, err);
}

/* Two folders change places at once; where the file system cannot, there is
 * a moment with none. */
static int exchange(struct gs_staging *staging, struct gs_err *err)
{
	if (renameat2(AT_FDCWD, staging->path, AT_FDCWD, staging->target,
	        RENAME_EXCHANGE) == 0)
		return 0;
	if (errno != EINVAL && errno != ENOSYS)
		return gs_fail_sys(err, "replace %s", staging->target);
	GS_CLEANUP(gs_freep) char *old = gs_format("%s-old", staging->path);
	if (rename(staging->target, old) < 0)
		return gs_fail_sys(err, "move %s aside", staging->target);
	if (rename(staging->path, staging->target) < 0) {
		int rc = gs_fail_sys(err, "replace %s", staging->target);
		(void)rename(old, staging->target);
		return rc;
	}
	return rename(old, staging->path) < 0
	           ? gs_fail_sys(err, "move %s aside", old)
	           : 0;
}

static int move_in(struct gs_staging *staging, struct gs_err *err)
{
	if (renameat2(AT_FDCWD, staging->path, AT_FDCWD, staging->target,
	        RENAME_NOREPLACE) == 0)
		return 0;
	if (errno == EEXIST || errno == ENOTEMPTY)
		return gs_fail(err, GS_E_EXISTS,
		    "%s has come into being meanwhile", staging->target);
	if (errno != EINVAL && errno != ENOSYS)
		return gs_fail_sys(err, "make %s", staging->target);
	return rename(staging->path, staging->target) < 0
	           ? gs_fail_sys(err, "make %s", staging->target)
	           : 0;
}

int gs_staging_place(struct gs_staging *staging, struct gs_err *err)
{
	int rc =
	    staging->replaces ? exchange(staging, err) : move_in(staging, err);
	staging->is_placed = rc == 0;
	return rc;
}

void gs_staging_undo(struct gs_staging *staging)
{
	struct gs_err err = {0};
	if (!staging->is_placed)
		return;
	int rc = staging->replaces ? exchange(staging, &err)
	         : rename(staging->target, staging->path) < 0
	             ? gs_fail_sys(&err, "take %s back", staging->target)
	             : 0;
	if (rc)
		gs_log("%s", err.text);
	staging->is_placed = rc != 0;
}

int gs_staging_finish(struct gs_staging *staging, struct gs_err *err)
{
	int rc = gs_dir_sync(staging->parent, err);
	if (staging->replaces) /* what bears the hidden name now is the old */
		discard(staging->path);
	free(staging->path);
	staging->path = NULL;
	return rc;
}

void gs_staging_release(struct gs_staging *staging)
{
	/* Placed and not finished: the hidden one is the old one, and an
	 * error came between; it is as good as gone. */
	if (staging->path && (!staging->is_placed || staging->replaces))
		discard(staging->path);
	gs_closep(&staging->lock);
	free(staging->target);
	free(staging->parent);
	free(staging->path);
	*staging = (struct gs_staging){.lock = -1};
}

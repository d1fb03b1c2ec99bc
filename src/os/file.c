/* SPDX-License-Identifier: Apache-2.0 */
#include "os/file.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/mem.h"
#include "os/fd.h"

/* The error of a call on `path`, with the code that a caller can use. */
static int fail_path(struct gs_err *err, const char *what, const char *path)
{
	int reason = errno;
	int rc = gs_fail_sys(err, "%s %s", what, path);

	if (reason == ENOENT || reason == ENOTDIR)
		rc = GS_E_NOT_FOUND;
	if (reason == EEXIST || reason == ENOTEMPTY)
		rc = GS_E_EXISTS;
	if (err)
		err->code = (enum gs_code)rc;
	return rc;
}

int gs_file_read(
    const char *path, size_t max, struct gs_buf *ret, struct gs_err *err)
{
	struct stat st;
	/* O_NONBLOCK: a FIFO without a writer would hang the open. */
	GS_CLEANUP(gs_closep)
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	assert(max > 0);
	if (fd < 0)
		return fail_path(err, "open", path);
	if (fstat(fd, &st) < 0)
		return fail_path(err, "stat", path);
	if (!S_ISREG(st.st_mode))
		return gs_fail(
		    err, GS_E_CORRUPT, "%s is not a regular file", path);
	if ((uint64_t)st.st_size > max)
		return gs_fail(err, GS_E_LIMIT,
		    "%s holds %lld bytes, %zu are allowed", path,
		    (long long)st.st_size, max);
	/* The size is a hint only: the file may grow, and in /proc it is 0. */
	size_t own_max = ret->max;
	ret->max = ret->n + max;
	int rc = gs_fd_read(fd, ret, err);
	ret->max = own_max;
	return rc < 0 ? gs_wrap(err, "%s", path) : 0;
}

/* "a/b/c" gives "a/b", "c" gives ".", "/c" gives "/". */
static char *folder_of(const char *path)
{
	struct gs_str whole = gs_str(path);

	while (whole.n > 1 && whole.p[whole.n - 1] == '/')
		whole.n--;
	ptrdiff_t slash = gs_str_rfind_char(whole, '/');
	if (slash < 0)
		return gs_strdup(".");
	return gs_strndup(path, slash == 0 ? 1 : (size_t)slash);
}

static int fill(int fd, struct gs_str bytes, mode_t mode, struct gs_err *err)
{
	int rc = gs_fd_write(fd, bytes, err);

	if (rc < 0)
		return rc;
	if (fchmod(fd, mode) < 0)
		return gs_fail_sys(err, "set the mode");
	if (fsync(fd) < 0)
		return gs_fail_sys(err, "flush to disk");
	return 0;
}

/* A device, a pipe, or one of the names that the system gives to what is
 * open (/dev/stdout): written into, never replaced. As root a rename would put
 * a plain file in the place of /dev/null. Other links are replaced and never
 * followed, since a folder may hold those of a stranger. */
static bool is_no_file(const char *path)
{
	struct stat st;

	if (lstat(path, &st) < 0)
		return false;
	if (S_ISLNK(st.st_mode) && strncmp(path, "/dev/", 5) == 0)
		return true;
	if (S_ISLNK(st.st_mode) && stat(path, &st) < 0)
		return false;
	return S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode) ||
	       S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode);
}

static int write_into(const char *path, struct gs_str bytes, struct gs_err *err)
{
	GS_CLEANUP(gs_closep)
	int fd = open(path, O_WRONLY | O_TRUNC | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return fail_path(err, "open", path);
	int rc = gs_fd_write(fd, bytes, err);
	return rc < 0 ? gs_wrap(err, "write %s", path) : 0;
}

int gs_file_write(
    const char *path, struct gs_str bytes, mode_t mode, struct gs_err *err)
{
	if (is_no_file(path))
		return write_into(path, bytes, err);
	GS_CLEANUP(gs_freep) char *folder = folder_of(path);
	GS_CLEANUP(gs_freep)
	char *temp = gs_path_join(folder, GS_FILE_BEGUN "XXXXXX");
	GS_CLEANUP(gs_closep) int fd = mkostemp(temp, O_CLOEXEC);

	if (fd < 0)
		return fail_path(err, "make a temporary file for", path);
	int rc = fill(fd, bytes, mode, err);
	if (rc < 0) {
		(void)gs_wrap(err, "write %s", path);
		(void)unlink(temp);
		return rc;
	}
	gs_fault("file.written");
	if (rename(temp, path) < 0) {
		rc = fail_path(err, "move a new file to", path);
		(void)unlink(temp);
		return rc;
	}
	gs_fault("file.renamed");
	return gs_dir_sync(folder, err);
}

int gs_dir_make(const char *path, mode_t mode, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *part = gs_strdup(path);

	for (char *at = part; *at;) {
		at += strspn(at, "/");
		at += strcspn(at, "/");
		char end = *at;
		*at = '\0';
		/* Not only EEXIST: a parent on a read-only mount says EROFS
		 * for a folder that is there. */
		int reason = mkdir(part, mode) < 0 ? errno : 0;
		if (reason && !gs_path_is_dir(part)) {
			errno = reason;
			return fail_path(err, "make the folder", part);
		}
		*at = end;
	}
	return 0;
}

int gs_dir_make_temp(
    const char *parent, const char *prefix, char **ret_path, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *path = gs_format("%s/%sXXXXXX", parent, prefix);

	if (!mkdtemp(path))
		return fail_path(err, "make a temporary folder in", parent);
	*ret_path = gs_steal(&path);
	return 0;
}

bool gs_path_exists(const char *path)
{
	struct stat st;
	return lstat(path, &st) == 0;
}

bool gs_path_is_dir(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int gs_path_real(const char *path, char **ret_path, struct gs_err *err)
{
	char *real = realpath(path, NULL);

	if (!real)
		return fail_path(err, "find", path);
	*ret_path = real;
	return 0;
}

char *gs_path_join(const char *a, const char *b)
{
	size_t n = strlen(a);
	bool has_slash = n == 0 || a[n - 1] == '/';
	return gs_format("%s%s%s", a, has_slash ? "" : "/", b);
}

static bool is_program(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       access(path, X_OK) == 0;
}

char *gs_path_find(const char *program)
{
	const char *path = getenv("PATH");
	struct gs_str rest = gs_str(path ? path : "/usr/bin:/bin"), folder;

	if (strchr(program, '/'))
		return is_program(program) ? gs_strdup(program) : NULL;
	while (gs_str_cut(&rest, ':', &folder)) {
		/* A relative entry would let the current folder choose the
		 * program. */
		if (!gs_str_starts(folder, "/"))
			continue;
		char *found = gs_format("%.*s/%s", GS_STR_ARG(folder), program);
		if (is_program(found))
			return found;
		free(found);
	}
	return NULL;
}

char *gs_path_of_self(void)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

	if (n < 0)
		return gs_strdup(".");
	path[n] = '\0';
	return folder_of(path);
}

int gs_dir_sync(const char *path, struct gs_err *err)
{
	GS_CLEANUP(gs_closep)
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return fail_path(err, "open the folder", path);
	/* EINVAL: this file system has no such notion. */
	if (fsync(fd) < 0 && errno != EINVAL)
		return fail_path(err, "flush the folder", path);
	return 0;
}

void gs_dir_closep(DIR **dir)
{
	if (*dir)
		(void)closedir(*dir);
	*dir = NULL;
}

int gs_file_poke(const char *path, const char *text)
{
	GS_CLEANUP(gs_closep) int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	return write(fd, text, strlen(text)) < 0 ? -1 : 0;
}

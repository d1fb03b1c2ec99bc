/* SPDX-License-Identifier: Apache-2.0 */
#include "os/remove.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/fd.h"
#include "os/file.h"
#include "os/tree.h"

#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/* Each level costs a descriptor and stack, and a test may nest folders by
 * the thousand. Deeper ones are moved up to the top, whose turn comes. */
#define MAX_LEVELS 24

struct removal {
	int top_fd;
	unsigned long moved;
};

static int empty(
    struct removal *removal, int fd, unsigned level, struct gs_err *err);

/* Gives a folder mode 0700, though it may not be readable now. */
static int unlock(int dir_fd, const char *name)
{
	char path[40];
	/* O_PATH needs no permission on the folder itself, and chmod through
	 * /proc follows this descriptor and no link. */
	GS_CLEANUP(gs_closep)
	int fd =
	    openat(dir_fd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0)
		return -1;
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return chmod(path, 0700);
}

int gs_remove_open(int dir_fd, const char *name)
{
	int fd = openat(dir_fd, name, DIR_FLAGS);

	if (fd < 0 && errno == EACCES && unlock(dir_fd, name) == 0)
		fd = openat(dir_fd, name, DIR_FLAGS);
	return fd;
}

static int move_to_top(
    struct removal *removal, int dir_fd, const char *name, struct gs_err *err)
{
	char to[40];
	int rc;

	/* A folder that changes its parent must itself be writable. */
	(void)unlock(dir_fd, name);
	do {
		(void)snprintf(to, sizeof(to), ".gs-%lu", removal->moved++);
		rc = renameat(dir_fd, name, removal->top_fd, to);
	} while (rc < 0 &&
	         (errno == EEXIST || errno == ENOTEMPTY || errno == ENOTDIR));
	return rc < 0 ? gs_fail_sys(err, "move %s", name) : 0;
}

static int remove_entry(struct removal *removal, int dir_fd, const char *name,
    unsigned level, struct gs_err *err)
{
	if (unlinkat(dir_fd, name, 0) == 0 || errno == ENOENT)
		return 0;
	if (errno != EISDIR)
		return gs_fail_sys(err, "remove %s", name);
	if (level >= MAX_LEVELS)
		return move_to_top(removal, dir_fd, name, err);
	int fd = gs_remove_open(dir_fd, name);
	if (fd < 0)
		return gs_fail_sys(err, "open the folder %s", name);
	int rc = empty(removal, fd, level + 1, err);
	if (rc == 0 && unlinkat(dir_fd, name, AT_REMOVEDIR) < 0)
		rc = gs_fail_sys(err, "remove the folder %s", name);
	return rc;
}

/* One pass over a folder: how many entries were removed, or an error. */
static int pass(
    struct removal *removal, DIR *dir, unsigned level, struct gs_err *err)
{
	struct dirent *entry;
	int n = 0;

	while ((errno = 0, entry = readdir(dir))) {
		const char *name = entry->d_name;
		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
			continue;
		int rc = remove_entry(removal, dirfd(dir), name, level, err);
		if (rc < 0)
			return rc;
		n = 1;
	}
	return errno ? gs_fail_sys(err, "read a folder") : n;
}

/* Takes over fd. */
static int empty(
    struct removal *removal, int fd, unsigned level, struct gs_err *err)
{
	struct stat st;
	GS_CLEANUP(gs_dir_closep) DIR *dir = fdopendir(fd);
	int rc;

	if (!dir) {
		gs_closep(&fd);
		return gs_fail_sys(err, "read a folder");
	}
	if (fstat(fd, &st) == 0 && (st.st_mode & 0700) != 0700)
		(void)fchmod(fd, 0700);
	/* Until a pass finds nothing: readdir may miss what was moved here
	 * meanwhile. */
	while ((rc = pass(removal, dir, level, err)) > 0)
		rewinddir(dir);
	return rc;
}

/* Takes over fd, the top of a removal. */
static int empty_top(int fd, struct gs_err *err)
{
	struct removal removal = {.top_fd = fd};
	return empty(&removal, fd, 0, err);
}

int gs_remove_at(int dir_fd, const char *name, struct gs_err *err)
{
	if (unlinkat(dir_fd, name, 0) == 0 || errno == ENOENT)
		return 0;
	if (errno != EISDIR)
		return gs_fail_sys(err, "remove %s", name);
	int fd = gs_remove_open(dir_fd, name);
	if (fd < 0)
		return gs_fail_sys(err, "open the folder %s", name);
	int rc = empty_top(fd, err);
	if (rc == 0 && unlinkat(dir_fd, name, AT_REMOVEDIR) < 0)
		rc = gs_fail_sys(err, "remove the folder %s", name);
	return rc;
}

int gs_tree_remove(const char *path, struct gs_err *err)
{
	/* unlinkat says ENOTDIR when a parent is none: then it is absent. */
	struct stat st;
	if (lstat(path, &st) < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	int rc = gs_remove_at(AT_FDCWD, path, err);
	return rc < 0 ? gs_wrap(err, "remove the tree %s", path) : 0;
}

int gs_tree_empty(const char *path, struct gs_err *err)
{
	int fd = gs_remove_open(AT_FDCWD, path);

	if (fd < 0)
		return gs_fail_sys(err, "open the folder %s", path);
	int rc = empty_top(fd, err);
	return rc < 0 ? gs_wrap(err, "empty the folder %s", path) : 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/fd.h"
#include "table/duck.h"

#define MAGIC "PAR1"
#define MAGIC_SIZE 4

void duck_fd_path(int fd, char out[DUCK_FD_PATH_SIZE])
{
	(void)snprintf(out, DUCK_FD_PATH_SIZE, "/proc/self/fd/%d", fd);
}

/* DuckDB's own sentence for a cut file names the descriptor, ours the file. */
static int check_ends(int fd, const char *path, off_t size, struct gs_err *err)
{
	char head[MAGIC_SIZE], tail[MAGIC_SIZE];
	if (size < (off_t)2 * MAGIC_SIZE ||
	    pread(fd, head, MAGIC_SIZE, 0) != MAGIC_SIZE ||
	    pread(fd, tail, MAGIC_SIZE, size - MAGIC_SIZE) != MAGIC_SIZE ||
	    memcmp(head, MAGIC, MAGIC_SIZE) != 0)
		return gs_fail(
		    err, GS_E_CORRUPT, "%s is not a Parquet file", path);
	if (memcmp(tail, MAGIC, MAGIC_SIZE) != 0)
		return gs_fail(err, GS_E_CORRUPT,
		    "%s is cut off: it does not end as a Parquet file ends; "
		    "fetch it again",
		    path);
	return 0;
}

static int check(int fd, const char *path, struct gs_err *err)
{
	struct stat st;
	if (fstat(fd, &st) < 0)
		return gs_fail_sys(err, "stat %s", path);
	if (!S_ISREG(st.st_mode))
		return gs_fail(
		    err, GS_E_CORRUPT, "%s is not a regular file", path);
	return check_ends(fd, path, st.st_size, err);
}

int duck_open_parquet(const char *path, int *ret_fd, struct gs_err *err)
{
	/* O_NONBLOCK: a FIFO by that name must not hold us up. */
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return errno == ENOENT || errno == ENOTDIR
		           ? gs_fail(
		                 err, GS_E_NOT_FOUND, "%s does not exist", path)
		           : gs_fail_sys(err, "open %s", path);
	int rc = check(fd, path, err);
	if (rc)
		gs_closep(&fd);
	else
		*ret_fd = fd;
	return rc;
}

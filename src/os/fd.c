/* SPDX-License-Identifier: Apache-2.0 */
#include "os/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#define READ_SIZE ((size_t)64 << 10)
#define HEADER_SIZE 8

void gs_closep(int *fd)
{
	int saved = errno;

	/* Never again after EINTR: Linux has let go of the number by then, and
	 * it may already be somebody else's. */
	if (*fd >= 0)
		(void)close(*fd);
	*fd = -1;
	errno = saved;
}

int gs_fd_steal(int *fd)
{
	int taken = *fd;
	*fd = -1;
	return taken;
}

/* After a failed read or write: whether to try once more. Waits where the
 * descriptor is a non-blocking one. */
static bool try_again(int fd, short events)
{
	if (errno == EINTR)
		return true;
	if (errno != EAGAIN)
		return false;
	struct pollfd ready = {.fd = fd, .events = events};
	return poll(&ready, 1, -1) >= 0 || errno == EINTR;
}

static ssize_t read_some(int fd, void *p, size_t n)
{
	ssize_t got;

	do
		got = read(fd, p, n);
	while (got < 0 && try_again(fd, POLLIN));
	return got;
}

int gs_fd_write(int fd, struct gs_str bytes, struct gs_err *err)
{
	while (bytes.n > 0) {
		ssize_t n = write(fd, bytes.p, bytes.n);
		if (n >= 0)
			bytes = gs_str_from(bytes, (size_t)n);
		else if (!try_again(fd, POLLOUT))
			return gs_fail_sys(err, "the bytes are not written");
	}
	return 0;
}

int gs_fd_read(int fd, struct gs_buf *ret, struct gs_err *err)
{
	const size_t max = ret->max ? ret->max : GS_BUF_MAX_DEFAULT;
	char beyond; /* takes the byte that is one too many */

	for (;;) {
		size_t left = max - ret->n;
		size_t want = left < READ_SIZE ? left : READ_SIZE;
		char *room = want ? gs_buf_room(ret, want) : &beyond;
		if (!room)
			return gs_fail(err, GS_E_LIMIT,
			    "descriptor %d: the buffer is full", fd);
		ssize_t n = read_some(fd, room, want ? want : 1);
		if (n < 0)
			return gs_fail_sys(err, "read descriptor %d", fd);
		if (n == 0)
			return 0;
		if (want == 0)
			return gs_fail(err, GS_E_LIMIT,
			    "descriptor %d holds more than %zu bytes", fd, max);
		gs_buf_grew(ret, (size_t)n);
	}
}

int gs_fd_pipe(int ret_ends[2], struct gs_err *err)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) < 0)
		return gs_fail_sys(err, "make a pipe");
	ret_ends[0] = ends[0];
	ret_ends[1] = ends[1];
	return 0;
}

int gs_fd_memory(
    const char *name, struct gs_str bytes, int *ret_fd, struct gs_err *err)
{
	const int seals =
	    F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
	GS_CLEANUP(gs_closep)
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return gs_fail_sys(err, "make the memory file %s", name);
	int rc = gs_fd_write(fd, bytes, err);
	if (rc < 0)
		return rc;
	if (lseek(fd, 0, SEEK_SET) < 0 || fcntl(fd, F_ADD_SEALS, seals) < 0)
		return gs_fail_sys(err, "seal the memory file %s", name);
	*ret_fd = gs_fd_steal(&fd);
	return 0;
}

int gs_fd_send(int fd, struct gs_str message, struct gs_err *err)
{
	char header[HEADER_SIZE];

	for (size_t i = 0; i < HEADER_SIZE; i++)
		header[i] = (char)((uint64_t)message.n >> (8 * i) & 0xff);
	int rc = gs_fd_write(fd, gs_str_n(header, HEADER_SIZE), err);
	return rc < 0 ? rc : gs_fd_write(fd, message, err);
}

/* Appends exactly n bytes; 1 done, 0 when not even the first one came. */
static int read_exactly(
    int fd, size_t n, struct gs_buf *ret, struct gs_err *err)
{
	size_t left = n;

	while (left > 0) {
		/* By and by: a length alone must not cost memory. */
		size_t want = left < READ_SIZE ? left : READ_SIZE;
		char *room = gs_buf_room(ret, want);
		if (!room)
			return gs_fail(err, GS_E_LIMIT,
			    "descriptor %d: the buffer is full", fd);
		ssize_t got = read_some(fd, room, want);
		if (got < 0)
			return gs_fail_sys(err, "read descriptor %d", fd);
		if (got == 0 && left == n)
			return 0;
		if (got == 0)
			return gs_fail(err, GS_E_CORRUPT,
			    "descriptor %d ends within a message", fd);
		gs_buf_grew(ret, (size_t)got);
		left -= (size_t)got;
	}
	return 1;
}

int gs_fd_receive(int fd, size_t max, struct gs_buf *ret, struct gs_err *err)
{
	uint64_t length = 0;

	gs_buf_reset(ret);
	int rc = read_exactly(fd, HEADER_SIZE, ret, err);
	if (rc <= 0)
		return rc;
	for (size_t i = 0; i < HEADER_SIZE; i++)
		length |= (uint64_t)(unsigned char)ret->p[i] << (8 * i);
	gs_buf_reset(ret);
	if (length > max)
		return gs_fail(err, GS_E_LIMIT,
		    "descriptor %d announces a message of %llu bytes, %zu are "
		    "allowed",
		    fd, (unsigned long long)length, max);
	if (length == 0)
		return 1;
	rc = read_exactly(fd, (size_t)length, ret, err);
	if (rc == 0)
		return gs_fail(err, GS_E_CORRUPT,
		    "descriptor %d ends within a message", fd);
	return rc;
}

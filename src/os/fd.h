/* SPDX-License-Identifier: Apache-2.0 */
/* File descriptors: closing, reading and writing to the end. */
#ifndef OS_FD_H
#define OS_FD_H

#include "base/buf.h"
#include "base/err.h"

void gs_closep(int *fd);  /* for GS_CLEANUP; sets it to -1, EINTR-safe */
int gs_fd_steal(int *fd); /* hands over *fd and leaves -1 behind */
GS_MUST_CHECK int gs_fd_write(int fd, struct gs_str bytes, struct gs_err *err);
/* Reads until end of file; GS_E_LIMIT when buf->max is passed. */
GS_MUST_CHECK int gs_fd_read(int fd, struct gs_buf *ret, struct gs_err *err);
/* A CLOEXEC pipe. */
GS_MUST_CHECK int gs_fd_pipe(int ret_ends[2], struct gs_err *err);
/* A sealed CLOEXEC memfd that holds bytes, offset 0. */
GS_MUST_CHECK int gs_fd_memory(
    const char *name, struct gs_str bytes, int *ret_fd, struct gs_err *err);

/* Length-prefixed messages between our own processes (eight bytes, then the
 * body). Reading gives 1 for a message, 0 at end of file, negative error. */
GS_MUST_CHECK int gs_fd_send(int fd, struct gs_str message, struct gs_err *err);
GS_MUST_CHECK int gs_fd_receive(
    int fd, size_t max, struct gs_buf *ret, struct gs_err *err);

#endif

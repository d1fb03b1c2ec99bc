/* SPDX-License-Identifier: Apache-2.0 */
/* Removal below os/tree: descriptor-relative, following no link. */
#ifndef OS_REMOVE_H
#define OS_REMOVE_H

#include "base/err.h"

/* Removes whatever `name` is, a folder with all in it; absent is fine. */
GS_MUST_CHECK int gs_remove_at(
    int dir_fd, const char *name, struct gs_err *err);
/* Opens the folder `name` and no link. One whose mode keeps us out is given
 * 0700 first. -1 and errno when that fails. */
int gs_remove_open(int dir_fd, const char *name);

#endif

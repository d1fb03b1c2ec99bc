/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Folders as wholes. All of it is descriptor-relative (openat, O_NOFOLLOW,
 * unlinkat): a link planted inside the tree never leads a write or a removal
 * out of it.
 */
#ifndef OS_TREE_H
#define OS_TREE_H

#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/str.h"

/* Removes a folder and all in it, whatever modes a test left on it. A path
 * that does not exist is fine. */
GS_MUST_CHECK int gs_tree_remove(const char *path, struct gs_err *err);
/* Removes all in a folder and keeps the folder. */
GS_MUST_CHECK int gs_tree_empty(const char *path, struct gs_err *err);

/* A relative path that stays inside: no empty, ".", ".." or ".git"
 * component (any case, also the aliases git refuses), no NUL, not absolute,
 * at most GS_MAX_TREE_DEPTH deep. */
bool gs_path_is_safe(struct gs_str path);

/* Writing a tree under the folder `dir_fd`. Missing folders are made (0755).
 * What is in the way is removed first. `mtime` is seconds since 1970;
 * `owner` is -1 to leave it. The path must be safe; folders on the way are
 * never followed through links. */
struct gs_tree_file {
	struct gs_str path;
	struct gs_str bytes;
	mode_t mode;
	int64_t mtime;
	uid_t owner;
};

GS_MUST_CHECK int gs_tree_put(
    int dir_fd, const struct gs_tree_file *file, struct gs_err *err);
/* A symlink; refused (GS_E_CORRUPT) when its target is absolute or climbs
 * out of the tree from where it stands. */
GS_MUST_CHECK int gs_tree_put_link(int dir_fd, struct gs_str path,
    struct gs_str target, uid_t owner, struct gs_err *err);
GS_MUST_CHECK int gs_tree_put_dir(
    int dir_fd, struct gs_str path, uid_t owner, struct gs_err *err);

#endif

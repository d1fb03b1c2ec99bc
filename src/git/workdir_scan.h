/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A work folder as it should be, node by node, and whether the disk still
 * agrees: internal to materialise.c.
 *
 * What makes a file provably untouched: it was seen after we wrote it, and
 * device, inode, mode, owner, link count, size, mtime and ctime are the
 * same now. ctime cannot be set from inside a box; but
 *   - it has the grain of the kernel's tick: so a reset ends only when the
 *     clock has left the tick of the last write (gs_workdir_settle);
 *   - on tmpfs a page that was read through a shared mapping is written
 *     without any stamp (seen on Linux 6.18): there the bytes are compared
 *     too, by a keyed hash.
 */
#ifndef GIT_WORKDIR_SCAN_H
#define GIT_WORKDIR_SCAN_H

#include <sys/stat.h>

#include "base/arena.h"
#include "base/err.h"
#include "model/change.h"

enum gs_work_node_kind {
	GS_NODE_FILE,
	GS_NODE_LINK,
	GS_NODE_DIR,  /* a gitlink: an empty folder */
	GS_NODE_NONE, /* a link that leaves the tree: nothing is there */
};

struct gs_work_node {
	struct gs_str path;
	enum gs_work_node_kind kind;
	bool from_overlay;
	unsigned mode;       /* as in the listing */
	struct gs_oid id;    /* of the blob, or the SHA-256 of an overlay */
	struct gs_str bytes; /* of an overlay, borrowed */
	bool is_known;       /* the state below is what we wrote */
	bool is_intact;      /* the last scan found that state */
	struct stat st;
	unsigned char digest[32]; /* on tmpfs */
};

struct gs_work_nodes {
	struct gs_work_node *v; /* sorted by path */
	size_t n, cap;
	struct gs_arena arena;
};

/* Sets is_intact of every node; removes what no node accounts for; mends
 * mode and owner of folders. `read_bytes`: compare bytes as well. */
GS_MUST_CHECK int gs_workdir_scan(int root_fd, uid_t owner, bool read_bytes,
    struct gs_work_nodes *nodes, struct gs_err *err);
/* Remembers the state of a node that was just written. */
GS_MUST_CHECK int gs_workdir_note(int root_fd, bool read_bytes,
    struct gs_work_node *node, struct gs_err *err);
/* Waits until the file system's clock is past everything that was noted. */
void gs_workdir_settle(const struct gs_work_nodes *nodes);

#endif

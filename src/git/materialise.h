/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Trees on disk, written from blobs (S3): no filters, no attributes, no eol
 * conversion; modes 0644, 0755; mtime from the blob id; links only where they
 * stay inside; gitlinks as empty folders; unsafe paths refused as
 * GS_E_CORRUPT before anything is written.
 *
 * A gs_workdir remembers what it wrote (lstat of every file), so that going
 * to another listing writes only what differs, whatever the tests did in
 * between: size, mtime, ctime, inode and mode of each file are compared, and
 * what does not belong is removed.
 */
#ifndef GIT_MATERIALISE_H
#define GIT_MATERIALISE_H

#include <sys/types.h>

#include "base/err.h"
#include "git/listing.h"

struct gs_workdir;

/* `path` must be an empty folder of ours; `owner` is given every file (-1:
 * leave). */
GS_MUST_CHECK int gs_workdir_open(const char *path, uid_t owner,
    struct gs_objects *objects, struct gs_workdir **ret, struct gs_err *err);
void gs_workdir_close(struct gs_workdir *workdir); /* leaves the files */

/* A file whose bytes are given here instead of by a blob (a spliced unit).
 * Its mtime is derived from the SHA-256 of the bytes. */
struct gs_overlay {
	struct gs_str path;
	struct gs_str bytes;
	unsigned
	    mode; /* 100644 or 100755; 0: keep the listing's, else 100644 */
};

/* Makes the folder equal to `listing` with `overlays` (n may be 0) on top. */
GS_MUST_CHECK int gs_workdir_reset(struct gs_workdir *workdir,
    const struct gs_listing *listing, const struct gs_overlay *overlays,
    size_t n_overlays, struct gs_err *err);

/* The mtime that a blob's file gets: a second in a fixed past range
 * (2001 to 2015), from the first eight hex digits of the id. */
int64_t gs_blob_mtime(const struct gs_oid *id);

#endif

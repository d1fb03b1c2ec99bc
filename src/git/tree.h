/* SPDX-License-Identifier: Apache-2.0 */
/* A git tree object's bytes, read. Pure. */
#ifndef GIT_TREE_H
#define GIT_TREE_H

#include "base/err.h"
#include "model/change.h"

#define GS_MODE_DIR 040000u

struct gs_tree_entry {
	struct gs_str name; /* borrowed from the bytes */
	unsigned mode;      /* canonical: 40000 100644 100755 120000 160000 */
	struct gs_oid id;
};

/* Takes one entry off the front of *bytes. 1 an entry, 0 the end,
 * GS_E_CORRUPT. `id_size` is 20 or 32 bytes. Names are not judged here,
 * only that they are not empty and hold no slash. */
GS_MUST_CHECK int gs_tree_next(struct gs_str *bytes, size_t id_size,
    struct gs_tree_entry *ret, struct gs_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Every cap on what comes from outside, in one place. Sizes in bytes. */
#ifndef BASE_LIMITS_H
#define BASE_LIMITS_H

#include <stddef.h>

#define GS_KIB ((size_t)1 << 10)
#define GS_MIB ((size_t)1 << 20)

/* W5: what a candidate may touch, and what its tree may hold. */
#define GS_MAX_PYTHON_FILE (1 * GS_MIB)
#define GS_MAX_SOURCE_FILES 20
#define GS_MAX_CHANGED_FILES 300
#define GS_MAX_TREE_FILES 50000
#define GS_MAX_TREE_BYTES (512 * GS_MIB)
#define GS_MAX_BLOB (64 * GS_MIB)
#define GS_MAX_TREE_DEPTH 64

/* Milliseconds for which a local git may say nothing before it is given up:
 * a bomb of nested trees, or a FIFO where an object should be. */
#define GS_MAX_GIT_SILENCE_MS 60000
/* Memory of one git child, mapped packs aside. A history of a million commits
 * takes it a fifth of this; a bomb of nested trees takes whatever there is. */
#define GS_MAX_GIT_MEMORY (1024 * GS_MIB)
#define GS_MAX_COMMIT_OBJECT (16 * GS_MIB)
#define GS_MAX_MESSAGE (256 * GS_KIB) /* a commit message is cut here */
#define GS_MAX_LICENCE_FILE (256 * GS_KIB)
#define GS_MAX_LICENCE_FILES 32 /* in one folder */
#define GS_MAX_UNITS 20000      /* in one file */
#define GS_MAX_NODE_ID (64 * GS_KIB)
#define GS_MAX_NODES 50000               /* in one run */
#define GS_MAX_EVENTS (64 * GS_MIB)      /* bytes of one run's event stream */
#define GS_MAX_OUTPUT_KEPT (64 * GS_KIB) /* head and tail of a run's output */
#define GS_MAX_OUTPUT (256 * GS_MIB)     /* a run that prints more is ended */
#define GS_MAX_INSTANCE_ID 1024          /* of another system's instance */
#define GS_MAX_JSON_LINE (64 * GS_MIB)
#define GS_MAX_REDUCTIONS 24 /* spliced states tried (K2) */

#endif

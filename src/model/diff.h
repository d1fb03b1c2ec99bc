/* SPDX-License-Identifier: Apache-2.0 */
/* The minimal difference of two texts in LF lines (P2). Linear space, and
 * lines² / 64 steps at worst whatever the texts hold: bit-parallel rows of the
 * longest common subsequence (Hyyrö) under Hirschberg's divide and conquer.
 * Myers' O(ND) costs lines² itself where a file was rewritten. */
#ifndef MODEL_DIFF_H
#define MODEL_DIFF_H

#include "base/buf.h"
#include "base/str.h"

enum gs_diff_op {
	GS_DIFF_SAME,
	GS_DIFF_REMOVED,
	GS_DIFF_ADDED,
};

struct gs_diff_line {
	enum gs_diff_op op;
	struct gs_str text; /* with its LF, when it has one */
};

struct gs_diff {
	struct gs_diff_line *v;
	size_t n, cap;
	size_t added, removed; /* P2: diff_lines = added + removed */
};

/* Texts are borrowed by the result. */
void gs_diff(struct gs_str before, struct gs_str after, struct gs_diff *ret);
void gs_diff_release(struct gs_diff *diff);
/* A unified diff with 3 lines of context; names go into the header as they
 * are. "\ No newline at end of file" where it applies. Empty when equal. */
void gs_diff_unified(const struct gs_diff *diff, const char *old_name,
    const char *new_name, struct gs_buf *ret);

#endif

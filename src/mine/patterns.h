/* SPDX-License-Identifier: Apache-2.0 */
/*
 * python_files as each commit's own configuration names them (W4). A history
 * is walked from its tips back, and a commit's changes say how its parent's
 * configuration differs: trees are opened at tips and behind merges only, and
 * a configuration is read once however many commits have it.
 */
#ifndef MINE_PATTERNS_H
#define MINE_PATTERNS_H

#include "git/listing.h"
#include "git/walk.h"

struct gs_patterns;

/* Both are borrowed. */
struct gs_patterns *gs_patterns_new(
    struct gs_objects *objects, struct gs_tree_cache *trees);
void gs_patterns_free(struct gs_patterns *patterns);

/* Of every commit, in the order of the walk. `is_needed`: else *ret is NULL
 * and nothing is read. The list lives as long as `patterns`. */
GS_MUST_CHECK int gs_patterns_at(struct gs_patterns *patterns,
    const struct gs_commit *commit, bool is_needed, const struct gs_strv **ret,
    struct gs_err *err);

#endif

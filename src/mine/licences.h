/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The licence of a candidate (L1 to L5), looked up in the tree at the commit
 * and remembered by the ids of the blobs that decide it; and trees are opened
 * at tips and behind merges only, or where a licence file or metadata changed,
 * so that a history in which they never change asks once.
 */
#ifndef MINE_LICENCES_H
#define MINE_LICENCES_H

#include "git/listing.h"
#include "git/walk.h"
#include "store/store.h"

struct gs_licences;

/* Texts that are accepted are put into `store`. All are borrowed. */
struct gs_licences *gs_licences_new(struct gs_store *store,
    struct gs_objects *objects, struct gs_tree_cache *trees,
    const struct gs_strv *accepted);
void gs_licences_free(struct gs_licences *licences);

/* Decides for all changed source files of the commit at once; they must
 * agree. Fills in row->licence, licence_file and licence_texts, or reason and
 * detail; the strings live as long as `licences`. */
GS_MUST_CHECK int gs_licences_decide(struct gs_licences *licences,
    const struct gs_commit *commit, const struct gs_strv *patterns,
    struct gs_commit_row *row, struct gs_err *err);
/* Of every commit, in the order of the walk and after it was decided: what it
 * tells of its parent. */
void gs_licences_follow(
    struct gs_licences *licences, const struct gs_commit *commit);

#endif

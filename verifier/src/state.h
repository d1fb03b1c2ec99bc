/* SPDX-License-Identifier: Apache-2.0 */
/* The two trees that are run (S1, S2), and how they are written (S3). */
#ifndef GV_STATE_H
#define GV_STATE_H

#include "path.h"
#include "repo.h"

/* S1: of the trees of both commits */
void gv_make_before(const struct gv_tree *parent, const struct gv_tree *commit,
    const struct gv_patterns *own, struct gv_tree *to);
/* S2: `before` with one file's bytes replaced; takes over `before` */
void gv_make_after(struct gv_repo *repo, const struct gv_tree *before,
    const char *path, const struct gv_buf *bytes, struct gv_tree *to);
/* W5: why no record can be made of this tree (too large, or a name stands in
 * it twice, as a link and as a folder), or NULL */
char *gv_tree_trouble(struct gv_repo *repo, const struct gv_tree *tree);
/* writes the tree as files that belong to `uid` where that is not -1 */
void gv_write_tree(
    struct gv_repo *repo, struct gv_tree *tree, const char *folder, int uid);
/* what the project names as test files, at this commit */
void gv_own_patterns(
    struct gv_repo *repo, const struct gv_tree *commit, struct gv_patterns *to);

#endif

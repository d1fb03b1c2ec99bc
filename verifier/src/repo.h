/* SPDX-License-Identifier: Apache-2.0 */
/* A project's history, read with libgit2 from a clone of our own. */
#ifndef GV_REPO_H
#define GV_REPO_H

#include <git2.h>

#include "util.h"

struct gv_repo {
	git_repository *git;
	git_odb *odb;
};

/* what a commit object says of itself */
struct gv_commit {
	char tree[GV_HEX];
	char parent[GV_HEX]; /* the first */
	int parents;
	int64_t date;          /* committer; -1 when it cannot be read (W6) */
	struct gv_buf message; /* decoded (K4) */
};

/* one file of a tree */
struct gv_entry {
	char *path;
	uint32_t mode;
	git_oid oid;
	struct gv_buf bytes; /* once they were loaded */
	bool loaded;
};

#define GV_MOST_FILES 50000u /* W5 */

struct gv_tree {
	struct gv_entry *v; /* by path */
	size_t n;
};

void gv_git_start(void);
/* Makes a bare repository at `folder` that holds what `source` holds: a URL
 * is cloned, a local repository lends its objects. gv_gone where it cannot. */
void gv_clone(const char *source, const char *folder);
void gv_open(struct gv_repo *repo, const char *folder);

/* gv_gone when the commit is not there */
void gv_read_commit(struct gv_repo *repo, const char *id, struct gv_commit *to);
/* reading ends with the first file above GV_MOST_FILES */
void gv_read_tree(struct gv_repo *repo, const char *id, struct gv_tree *to);
void gv_sort_tree(struct gv_tree *tree);
struct gv_entry *gv_find(const struct gv_tree *tree, const char *path);
const struct gv_buf *gv_bytes(struct gv_repo *repo, struct gv_entry *entry);
/* the id of what these entries are as a git tree */
void gv_tree_id(
    struct gv_repo *repo, const struct gv_tree *tree, char id[GV_HEX]);
/* I4: does any text in the repository hold this unit or file? */
bool gv_repo_holds(struct gv_repo *repo, const struct gv_buf *normal);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What a run gets beside the tree: the configuration that S6 chooses, and a
 * plugin (help.py) with the shims that the record names (O6). */
#ifndef GV_HELP_H
#define GV_HELP_H

#include <jansson.h>

#include "repo.h"

#define GV_HELP "/box/help" /* where it is, inside */

struct gv_help {
	char *folder;   /* bound at GV_HELP, or NULL: no plugin */
	char *file;     /* for pytest's -c, or NULL */
	char **options; /* further words for pytest; ends with NULL */
	json_t *keys;   /* of the configuration, with their texts */
};

/* S6: of a tree in the state before */
void gv_read_config(
    struct gv_repo *repo, struct gv_tree *tree, struct gv_help *to);
/* O6.5: name and version by the tree's files; NULL where they say none */
void gv_distribution(
    struct gv_repo *repo, struct gv_tree *tree, char **name, char **version);
/* The first word of a list that names no shim, or NULL. */
char *gv_strange_shim(const char *shims);
/* Makes the folder: the plugin, and what it is told. `path` is PYTHONPATH. */
void gv_write_help(struct gv_repo *repo, struct gv_tree *tree,
    const char *shims, const char *path, struct gv_help *help);
void gv_free_help(struct gv_help *help);

#endif

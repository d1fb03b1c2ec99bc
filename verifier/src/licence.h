/* SPDX-License-Identifier: Apache-2.0 */
/* Licences (L), told by the words of their texts. */
#ifndef GV_LICENCE_H
#define GV_LICENCE_H

#include "repo.h"

/* the SPDX id of a text, or NULL when it is none of the six */
const char *gv_licence_of(const struct gv_buf *text);

struct gv_licences {
	char *expression; /* L5, or NULL with `why` */
	char *why;
	struct gv_entry **files; /* in byte order; links are followed (L1) */
	size_t n;
};

/* L1 to L5 for a source file of a tree */
void gv_licences_at(struct gv_repo *repo, const struct gv_tree *tree,
    const char *source, struct gv_licences *to);
/* L1: nothing, or only words that point to a text elsewhere */
bool gv_is_no_licence(const struct gv_buf *text);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tree-sitter, wrapped: a parse that always ends, and the few questions that
 * this module asks of nodes. Only py/ includes this.
 *
 * Nothing here or in its callers recurses over the tree: sources nest as
 * deep as they like (F064).
 */
#ifndef PY_TREE_H
#define PY_TREE_H

#include <tree_sitter/api.h>

#include "base/buf.h"

struct gs_tree {
	struct gs_str text; /* UTF-8, borrowed */
	TSTree *tree;       /* NULL: over the work that its size allows */
	TSNode root;
	bool has_error; /* anywhere, or no tree */
};

void gs_tree_parse(struct gs_str utf8, struct gs_tree *ret);
void gs_tree_release(struct gs_tree *tree);

bool gs_node_is(TSNode node, const char *type);
/* Comments and line continuations, which stand anywhere. */
bool gs_node_is_extra(TSNode node);
struct gs_str gs_node_text(const struct gs_tree *tree, TSNode node);
TSNode gs_node_field(TSNode node, const char *name); /* or a null node */
/* The first child that is no comment, or a null node. */
TSNode gs_node_first(TSNode node);
/* Where the last token under the node ends, comments after it aside: a block
 * swallows the comments below it (F052). Its start when there is none. */
size_t gs_node_content_end(TSNode node);

/* The docstring of a module or of the body of a function or class: its
 * statement, and the literal in it (a string or a concatenated_string of
 * plain strings). False when there is none: f"", b"", `x` and anything but
 * the first statement are not docstrings (F063). */
struct gs_docstring {
	TSNode statement, literal;
};

bool gs_docstring_find(
    const struct gs_tree *tree, TSNode body, struct gs_docstring *ret);
/* Appends the value of a string or concatenated_string node; false when it
 * has none (see gs_literal_value), or holds an f"" part, or mixes str and
 * bytes. */
bool gs_string_value(const struct gs_tree *tree, TSNode node,
    struct gs_buf *ret, bool *ret_is_bytes);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "py/classes.h"

#include <ctype.h>
#include <string.h>

#include "base/vec.h"
#include "py/tree.h"

static bool is_one_of(TSNode node, const char *const *types)
{
	for (; *types; types++)
		if (gs_node_is(node, *types))
			return true;
	return false;
}

static bool is_field(TSNode parent, const char *name, TSNode node)
{
	TSNode field = gs_node_field(parent, name);
	return !ts_node_is_null(field) && ts_node_eq(field, node);
}

/* A name by what stands around it; `up` is its parent, `over` that one's. */
static bool classify_name(
    TSNode node, TSNode up, TSNode over, enum gs_token_class *ret)
{
	static const char *const definitions[] = {
	    "function_definition", "class_definition", NULL};
	if (is_one_of(up, definitions) && is_field(up, "name", node))
		*ret = GS_TOKEN_DEFINED;
	else if (gs_node_is(up, "decorator"))
		*ret = GS_TOKEN_DECORATOR;
	else if ((gs_node_is(up, "call") && is_field(up, "function", node)) ||
	         (gs_node_is(up, "attribute") &&
	             is_field(up, "attribute", node) &&
	             gs_node_is(over, "call") &&
	             is_field(over, "function", up)))
		*ret = GS_TOKEN_CALLED;
	else
		return false;
	return true;
}

static bool classify(
    TSNode node, TSNode up, TSNode over, enum gs_token_class *ret)
{
	static const char *const strings[] = {"string_start", "string_content",
	    "string_end", "escape_sequence", NULL};
	static const char *const numbers[] = {
	    "integer", "float", "true", "false", "none", "ellipsis", NULL};
	const char *type = ts_node_type(node);
	if (gs_node_is(node, "identifier"))
		return classify_name(node, up, over, ret);
	if (gs_node_is(node, "comment"))
		*ret = GS_TOKEN_COMMENT;
	else if (is_one_of(node, strings))
		*ret = GS_TOKEN_STRING;
	else if (is_one_of(node, numbers))
		*ret = GS_TOKEN_NUMBER;
	else if (type[0] == '@' && gs_node_is(up, "decorator"))
		*ret = GS_TOKEN_DECORATOR;
	else if (!ts_node_is_named(node) && isalpha((unsigned char)type[0]))
		*ret = GS_TOKEN_KEYWORD;
	else
		return false;
	return true;
}

static void add(
    struct gs_token_spans *spans, TSNode node, enum gs_token_class class)
{
	size_t start = ts_node_start_byte(node), end = ts_node_end_byte(node);
	struct gs_token_span *last =
	    spans->n > 0 ? &spans->v[spans->n - 1] : NULL;
	if (start >= end || (last && start < last->end))
		return;
	if (last && last->end == start && last->class == class) {
		last->end = end; /* quotes and what they hold are one */
		return;
	}
	struct gs_token_span *span = GS_VEC_ADD(spans);
	*span = (struct gs_token_span){start, end, class};
}

/* The whole of a string without replacement fields is one leaf for us. */
static bool is_leaf(TSNode node)
{
	return ts_node_child_count(node) == 0 ||
	       gs_node_is(node, "string_content") ||
	       gs_node_is(node, "ellipsis");
}

void gs_token_classes(struct gs_str text, struct gs_token_spans *ret)
{
	struct gs_tree tree;
	*ret = (struct gs_token_spans){0};
	gs_tree_parse(text, &tree);
	if (!tree.tree) {
		gs_tree_release(&tree);
		return;
	}

	/* A walk with the two enclosing nodes at hand; the cursor knows no
	 * way to ask for them, and asking the tree costs its depth. */
	struct {
		TSNode *v;
		size_t n, cap;
	} path = {0};

	TSTreeCursor cursor = ts_tree_cursor_new(tree.root);
	bool goes_on = true;
	while (goes_on) {
		TSNode node = ts_tree_cursor_current_node(&cursor);
		enum gs_token_class class;
		TSNode up =
		    path.v && path.n > 0 ? path.v[path.n - 1] : tree.root;
		TSNode over =
		    path.v && path.n > 1 ? path.v[path.n - 2] : tree.root;
		bool leaf = is_leaf(node);
		if (leaf && classify(node, up, over, &class))
			add(ret, node, class);
		if (!leaf && ts_tree_cursor_goto_first_child(&cursor)) {
			TSNode *at = GS_VEC_ADD(&path);
			*at = node;
			continue;
		}
		while (!(goes_on = ts_tree_cursor_goto_next_sibling(&cursor)) &&
		       ts_tree_cursor_goto_parent(&cursor))
			path.n--;
	}
	ts_tree_cursor_delete(&cursor);
	GS_VEC_FREE(&path);
	gs_tree_release(&tree);
}

void gs_token_spans_release(struct gs_token_spans *spans)
{
	GS_VEC_FREE(spans);
}

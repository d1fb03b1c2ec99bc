/* SPDX-License-Identifier: Apache-2.0 */
/* The names and literals that a text holds, for K7 and K8, and what it
 * imports. */
#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "py/changed.h"
#include "py/encoding.h"
#include "py/literal.h"
#include "py/tree.h"

/* One pass over a tree; `visit` says whether to go into a node. */
struct walk {
	struct gs_py_text text;
	struct gs_tree tree;
	struct gs_buf fragment; /* the text, made parsable */
	struct gs_map names, literals;
	const bool *lines;
	size_t n_lines;
	bool (*visit)(struct walk *walk, TSNode node);
};

static void run(struct walk *walk, struct gs_str bytes)
{
	gs_py_text_init(bytes, &walk->text);
	gs_tree_parse(walk->text.utf8, &walk->tree);
	if (!walk->tree.tree)
		return;
	TSTreeCursor cursor = ts_tree_cursor_new(walk->tree.root);
	for (bool is_inside = true; is_inside;) {
		TSNode node = ts_tree_cursor_current_node(&cursor);
		if (walk->visit(walk, node) &&
		    ts_tree_cursor_goto_first_child(&cursor))
			continue;
		while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
			is_inside = ts_tree_cursor_goto_parent(&cursor);
			if (!is_inside)
				break;
		}
	}
	ts_tree_cursor_delete(&cursor);
}

static void give(const struct gs_map *map, struct gs_strv *ret)
{
	for (size_t i = 0; i < map->n; i++)
		if (!memchr(map->entries[i].key.p, 0, map->entries[i].key.n))
			gs_strv_push_str(ret, map->entries[i].key);
	gs_strv_sort(ret);
	gs_strv_uniq(ret);
}

static void finish(struct walk *walk)
{
	gs_tree_release(&walk->tree);
	gs_py_text_release(&walk->text);
	gs_buf_release(&walk->fragment);
	gs_map_release(&walk->names);
	gs_map_release(&walk->literals);
}

static void note(struct walk *walk, TSNode node)
{
	if (!ts_node_is_null(node))
		gs_map_add(&walk->names, gs_node_text(&walk->tree, node), NULL);
}

/* ---- defined names ----------------------------------------------------- */

/* The names that an assignment's left side binds: identifiers, and
 * attributes of whatever object (a decorator hangs `cache_clear` on the
 * function that it returns). Elements are looked at without their order. */
static void note_targets(struct walk *walk, TSNode left, bool is_local)
{
	struct {
		TSNode *v;
		size_t n, cap;
	} todo = {0};

	*GS_VEC_ADD(&todo) = left;
	while (todo.n > 0) {
		TSNode node = todo.v[--todo.n];
		if (gs_node_is(node, "identifier")) {
			if (!is_local)
				note(walk, node);
			continue;
		}
		if (gs_node_is(node, "attribute")) {
			note(walk, gs_node_field(node, "attribute"));
			continue;
		}
		if (gs_node_is(node, "subscript"))
			continue;
		uint32_t n = ts_node_named_child_count(node);
		for (uint32_t i = 0; i < n; i++)
			*GS_VEC_ADD(&todo) = ts_node_named_child(node, i);
	}
	GS_VEC_FREE(&todo);
}

/* The name of one parameter, or a null node for `/` and `*`. */
static TSNode parameter_name(TSNode node)
{
	TSNode name = gs_node_field(node, "name");
	if (!ts_node_is_null(name))
		return name;
	if (gs_node_is(node, "identifier"))
		return node;
	while (gs_node_is(node, "typed_parameter") ||
	       gs_node_is(node, "list_splat_pattern") ||
	       gs_node_is(node, "dictionary_splat_pattern")) {
		node = ts_node_named_child(node, 0);
		if (gs_node_is(node, "identifier"))
			return node;
	}
	return (TSNode){0};
}

static void note_parameters(struct walk *walk, TSNode parameters)
{
	TSTreeCursor cursor = ts_tree_cursor_new(parameters);
	bool is_more = ts_tree_cursor_goto_first_child(&cursor);
	for (; is_more; is_more = ts_tree_cursor_goto_next_sibling(&cursor)) {
		TSNode name =
		    parameter_name(ts_tree_cursor_current_node(&cursor));
		if (ts_node_is_null(name))
			continue;
		struct gs_str text = gs_node_text(&walk->tree, name);
		if (!gs_str_is(text, "self") && !gs_str_is(text, "cls"))
			note_targets(walk, name, false);
	}
	ts_tree_cursor_delete(&cursor);
}

/* The end of the outermost function that the walk is in lies in n_lines:
 * what is bound there is out of a test's reach, attributes apart. */
static bool visit_definition(struct walk *walk, TSNode node)
{
	bool is_local = ts_node_start_byte(node) < walk->n_lines;
	bool is_function = gs_node_is(node, "function_definition");
	if (is_function || gs_node_is(node, "class_definition")) {
		if (is_local)
			return true;
		note(walk, gs_node_field(node, "name"));
		if (is_function) {
			TSNode parameters = gs_node_field(node, "parameters");
			if (!ts_node_is_null(parameters))
				note_parameters(walk, parameters);
			walk->n_lines = ts_node_end_byte(node);
		}
		return true;
	}
	TSNode left = {0};
	if (gs_node_is(node, "assignment") ||
	    gs_node_is(node, "augmented_assignment") ||
	    gs_node_is(node, "type_alias_statement"))
		left = gs_node_field(node, "left");
	else if (gs_node_is(node, "named_expression"))
		left = gs_node_field(node, "name");
	if (!ts_node_is_null(left))
		note_targets(walk, left, is_local);
	return true;
}

void gs_source_defined_names(struct gs_str bytes, struct gs_strv *ret)
{
	struct walk walk = {.visit = visit_definition};
	/* The text of a method alone is indented. */
	if (gs_str_starts(bytes, " ") || gs_str_starts(bytes, "\t")) {
		gs_buf_addz(&walk.fragment, "if 1:\n");
		gs_buf_adds(&walk.fragment, bytes);
		bytes = gs_buf_str(&walk.fragment);
	}
	run(&walk, bytes);
	give(&walk.names, ret);
	finish(&walk);
}

/* ---- words --------------------------------------------------------------- */

static bool is_on_lines(const struct walk *walk, TSNode node)
{
	if (!walk->lines)
		return true;
	size_t last = ts_node_end_point(node).row;
	for (size_t row = ts_node_start_point(node).row;
	     row <= last && row < walk->n_lines; row++)
		if (walk->lines[row])
			return true;
	return false;
}

/* Strings are noted in double quotes and without prefix, as they stand
 * between their own quotes, so that 'a' and "a" are one word. */
static void note_string(struct walk *walk, TSNode node)
{
	struct gs_literal literal;
	if (!gs_literal_read(gs_node_text(&walk->tree, node), &literal))
		return;
	GS_CLEANUP(gs_buf_release) struct gs_buf word = {0};
	gs_buf_addc(&word, '"');
	gs_buf_adds(&word, literal.body);
	gs_buf_addc(&word, '"');
	gs_map_add(&walk->literals, gs_buf_str(&word), NULL);
}

static bool visit_word(struct walk *walk, TSNode node)
{
	bool is_number =
	    gs_node_is(node, "integer") || gs_node_is(node, "float");
	bool is_string = gs_node_is(node, "string");
	if (!is_number && !is_string && !gs_node_is(node, "identifier"))
		return true;
	if (!is_on_lines(walk, node))
		return false;
	if (is_string)
		note_string(walk, node);
	else if (is_number)
		gs_map_add(
		    &walk->literals, gs_node_text(&walk->tree, node), NULL);
	else
		note(walk, node);
	return is_string; /* f"" parts hold names */
}

void gs_source_words(struct gs_str bytes, const bool *lines, size_t n_lines,
    struct gs_strv *ret_names, struct gs_strv *ret_literals)
{
	struct walk walk = {
	    .visit = visit_word, .lines = lines, .n_lines = n_lines};
	run(&walk, bytes);
	give(&walk.names, ret_names);
	give(&walk.literals, ret_literals);
	finish(&walk);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "py/mutant.h"

#include <string.h>

#include "base/vec.h"
#include "py/encoding.h"
#include "py/tree.h"

/* A piece of text that takes another's place. */
struct edit {
	size_t start, end;
	const char *before, *after; /* around what stood there … */
	const char *instead;        /* … or in its place */
};

struct edits {
	enum gs_mutant_side side;
	struct edit *v;
	size_t n, cap;
	size_t busy_to; /* the last operand's end: operands never overlap */
};

static void edit(struct edits *edits, TSNode node, const char *after)
{
	struct edit *one = GS_VEC_ADD(edits);
	one->start = ts_node_start_byte(node);
	one->end = ts_node_end_byte(node);
	one->before = "";
	one->after = after;
}

/* The next digit in the place of a decimal number's last, 8 for 9. */
static void change_last_digit(struct gs_str text, struct edit *one)
{
	static const char *const next[] = {
	    "1", "2", "3", "4", "5", "6", "7", "8", "9", "8"};
	for (size_t i = 0; i < text.n; i++)
		if ((text.p[i] < '0' || text.p[i] > '9') &&
		    (text.p[i] != '.' || i + 1 == text.n))
			return;
	one->start = one->end - 1;
	one->instead = next[text.p[text.n - 1] - '0'];
}

/* A number with one more digit is another number; but 0 with one is no
 * number, nor is 2j. */
static bool change_number(
    const struct gs_tree *tree, TSNode node, struct edits *edits)
{
	struct gs_str text = gs_node_text(tree, node);
	char last = text.p[text.n - 1];
	bool is_open = (last >= '0' && last <= '9') || last == '.';
	edit(edits, node, "1");
	if (gs_str_is(text, "0"))
		edits->v[edits->n - 1].instead = "1";
	else if (!is_open)
		edits->n--;
	else if (edits->side == GS_MUTANT_NEAR)
		change_last_digit(text, &edits->v[edits->n - 1]);
	return gs_str_is(text, "0") || is_open;
}

/* A letter before the closing quotes. */
static bool change_string(TSNode node, struct edits *edits)
{
	uint32_t n = ts_node_child_count(node);
	TSNode end = n ? ts_node_child(node, n - 1) : node;
	if (n == 0 || !gs_node_is(end, "string_end"))
		return false;
	edit(edits, end, "");
	edits->v[edits->n - 1].before = "x";
	return true;
}

static bool change_literal(
    const struct gs_tree *tree, TSNode node, struct edits *edits)
{
	if (gs_node_is(node, "integer") || gs_node_is(node, "float"))
		return change_number(tree, node, edits);
	if (gs_node_is(node, "string"))
		return change_string(node, edits);
	bool is_true = gs_node_is(node, "true");
	if (!is_true && !gs_node_is(node, "false"))
		return false;
	edit(edits, node, "");
	edits->v[edits->n - 1].instead = is_true ? "False" : "True";
	return true;
}

/* The first literal of an operand that is nothing but literals; else the
 * operand becomes half of a tuple. */
static void change_operand(
    const struct gs_tree *tree, TSNode node, struct edits *edits)
{
	static const char *const holders[] = {"list", "tuple", "set",
	    "dictionary", "pair", "parenthesized_expression", "unary_operator",
	    "concatenated_string"};
	edits->busy_to = ts_node_end_byte(node);
	for (TSNode inner = node; !ts_node_is_null(inner);
	     inner = ts_node_named_child(
	         inner, gs_node_is(inner, "pair") ? 1 : 0)) {
		if (change_literal(tree, inner, edits))
			return;
		bool is_holder = false;
		for (size_t i = 0; i < GS_COUNT(holders); i++)
			if (gs_node_is(inner, holders[i]))
				is_holder = true;
		if (!is_holder)
			break;
	}
	edit(edits, node, ", 'other')");
	edits->v[edits->n - 1].before = "(";
}

/* `a == b` and nothing more: with a third operand in the chain either side
 * may be what is expected. */
static bool is_equality(TSNode node)
{
	return gs_node_is(node, "comparison_operator") &&
	       ts_node_child_count(node) == 3 &&
	       gs_node_is(ts_node_child(node, 1), "==");
}

static bool is_assert_equal(const struct gs_tree *tree, TSNode node)
{
	static const char *const names[] = {"assertEqual", "assertEquals",
	    "assertListEqual", "assertDictEqual", "assertMultiLineEqual"};
	if (!gs_node_is(node, "call"))
		return false;
	TSNode function = gs_node_field(node, "function");
	if (ts_node_is_null(function) || !gs_node_is(function, "attribute"))
		return false;
	struct gs_str name =
	    gs_node_text(tree, gs_node_field(function, "attribute"));
	for (size_t i = 0; i < GS_COUNT(names); i++)
		if (gs_str_is(name, names[i]))
			return true;
	return false;
}

static void look_at(const struct gs_tree *tree, TSNode node,
    enum gs_mutant_side side, struct edits *edits)
{
	if (gs_node_is(node, "assert_statement")) {
		TSNode claim = ts_node_named_child(node, 0);
		if (!ts_node_is_null(claim) && is_equality(claim))
			change_operand(tree,
			    ts_node_child(
			        claim, side == GS_MUTANT_LEFT ? 0 : 2),
			    edits);
	} else if (is_assert_equal(tree, node)) {
		TSNode list = gs_node_field(node, "arguments");
		if (ts_node_is_null(list) ||
		    ts_node_named_child_count(list) < 2)
			return;
		TSNode operand =
		    ts_node_named_child(list, side == GS_MUTANT_LEFT ? 0 : 1);
		/* assertEqual(*both) and first=… have no side to wrap. */
		if (!gs_node_is(operand, "list_splat") &&
		    !gs_node_is(operand, "keyword_argument") &&
		    !gs_node_is(operand, "comment"))
			change_operand(tree, operand, edits);
	}
}

/* In the order of the text; operands never overlap: what is inside one that
 * is wrapped is left alone. */
static void find_edits(const struct gs_tree *tree, size_t start, size_t end,
    enum gs_mutant_side side, struct edits *edits)
{
	TSTreeCursor cursor = ts_tree_cursor_new(tree->root);
	for (bool is_inside = true; is_inside;) {
		TSNode node = ts_tree_cursor_current_node(&cursor);
		size_t from = ts_node_start_byte(node);
		bool is_near = from < end && ts_node_end_byte(node) > start;
		bool is_free = from >= edits->busy_to;
		if (is_near && is_free && from >= start)
			look_at(tree, node, side, edits);
		if (is_near && ts_tree_cursor_goto_first_child(&cursor))
			continue;
		while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
			is_inside = ts_tree_cursor_goto_parent(&cursor);
			if (!is_inside)
				break;
		}
	}
	ts_tree_cursor_delete(&cursor);
}

static void write_copy(struct gs_str text, const struct edits *edits,
    size_t from, size_t end, struct gs_buf *ret)
{
	for (size_t i = 0; i < edits->n; i++) {
		const struct edit *one = &edits->v[i];
		gs_buf_adds(ret, gs_str_sub(text, from, one->start));
		gs_buf_addz(ret, one->before);
		if (one->instead)
			gs_buf_addz(ret, one->instead);
		else
			gs_buf_adds(
			    ret, gs_str_sub(text, one->start, one->end));
		gs_buf_addz(ret, one->instead ? "" : one->after);
		from = one->end;
	}
	gs_buf_adds(ret, gs_str_sub(text, from, end));
}

bool gs_test_mutant(struct gs_str file, const struct gs_unit *unit,
    enum gs_mutant_side side, const char *name, struct gs_buf *ret)
{
	struct gs_py_text text;
	struct gs_tree tree;
	struct edits edits = {.side = side};
	gs_py_text_init(file, &text);
	gs_tree_parse(text.utf8, &tree);
	/* Spans are in the file's bytes: only where these are UTF-8 are they
	 * the tree's too. */
	bool is_plain = text.is_valid && !text.offsets && tree.tree;
	if (is_plain && side != GS_MUTANT_NONE)
		find_edits(
		    &tree, unit->body_start, unit->body_end, side, &edits);
	struct gs_str head =
	    gs_str_sub(file, unit->def_start, unit->body_start);
	ptrdiff_t at = gs_str_find(head, unit->name);
	bool is_made = at >= 0 && (edits.n > 0 || side == GS_MUTANT_NONE);
	if (is_made) {
		size_t name_at = unit->def_start + (size_t)at;
		gs_buf_adds(ret, gs_str_sub(file, unit->start, name_at));
		gs_buf_addz(ret, name);
		write_copy(
		    file, &edits, name_at + unit->name.n, unit->end, ret);
		if (ret->n && ret->p[ret->n - 1] != '\n')
			gs_buf_addc(ret, '\n');
	}
	GS_VEC_FREE(&edits);
	gs_tree_release(&tree);
	gs_py_text_release(&text);
	return is_made;
}

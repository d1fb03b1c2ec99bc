/* SPDX-License-Identifier: Apache-2.0 */
#include "py/tokens.h"

#include <ctype.h>
#include <string.h>

#include "base/limits.h"
#include "base/vec.h"
#include "py/encoding.h"
#include "py/literal.h"
#include "py/source.h"

#define TAB_SIZE 8

/* Marks between the symbols; no grammar has that many of them. */
enum mark {
	MARK_END = 0xffff,
	MARK_TEXT = 0xfffe,
	MARK_STRING = 0xfffd,
	MARK_BYTES = 0xfffc,
};

/* A node whose children are being written. */
struct frame {
	TSNode node;
	bool is_bare; /* parentheses that only group: not written */
	bool is_block;
	bool has_comma; /* a comma that is written when no bracket follows */
	size_t n_commas;
	size_t written; /* the text is dealt with up to here */
	int narrow;     /* the block's indentation with tabs of 1, or -1 */
};

struct frames {
	struct frame *v;
	size_t n, cap;
};

struct writer {
	const struct gs_tree *tree;
	struct gs_buf *out;
	struct frames frames;
	const void *docstring; /* id of the statement to leave out */
	bool is_odd;
};

static void put_mark(struct writer *writer, unsigned mark)
{
	uint16_t value = (uint16_t)mark;
	gs_buf_add(writer->out, &value, sizeof(value));
}

static void put_text(struct writer *writer, enum mark mark, struct gs_str text)
{
	uint32_t n = (uint32_t)text.n;
	put_mark(writer, mark);
	gs_buf_add(writer->out, &n, sizeof(n));
	gs_buf_adds(writer->out, text);
}

static struct frame *top(struct writer *writer)
{
	return &writer->frames.v[writer->frames.n - 1];
}

static bool is_one_of(TSNode node, const char *const *types)
{
	const char *type = ts_node_type(node);
	for (; *types; types++)
		if (strcmp(type, *types) == 0)
			return true;
	return false;
}

static bool is_leaf(TSNode node, char c)
{
	const char *type = ts_node_type(node);
	return type[0] == c && type[1] == 0;
}

/* Text between the children that is no white space: parts of format
 * specifiers are no nodes of their own, and there blanks count too. */
static void put_gap(struct writer *writer, struct frame *frame, size_t end)
{
	if (end <= frame->written)
		return;
	struct gs_str gap = gs_str_sub(writer->tree->text, frame->written, end);
	frame->written = end;
	bool counts = gs_node_is(frame->node, "format_specifier");
	for (size_t i = 0; i < gap.n && !counts; i++)
		counts = !isspace((unsigned char)gap.p[i]) && gap.p[i] != '\\';
	if (counts)
		put_text(writer, MARK_TEXT, gap);
}

/* Python 2's `print (x)` is not `print x` for the interpreter. */
static bool only_groups(const struct frame *parent)
{
	static const char *const statements[] = {
	    "print_statement", "exec_statement", NULL};
	return !is_one_of(parent->node, statements);
}

static bool is_open_or_close(TSNode node)
{
	return is_leaf(node, '(') || is_leaf(node, ')');
}

/* `class A():` */
static bool is_empty_bases(struct writer *writer, TSNode node)
{
	return gs_node_is(node, "argument_list") &&
	       ts_node_named_child_count(node) == 0 &&
	       gs_node_is(top(writer)->node, "class_definition");
}

static bool is_import(TSNode node)
{
	static const char *const types[] = {
	    "import_from_statement", "future_import_statement", NULL};
	return is_one_of(node, types);
}

static bool is_left_out(struct writer *writer, TSNode node)
{
	const struct frame *parent = top(writer);
	if (node.id == writer->docstring || is_leaf(node, ';'))
		return true;
	if (is_open_or_close(node) &&
	    (parent->is_bare || is_import(parent->node)))
		return true;
	return is_empty_bases(writer, node);
}

/* A comma before a closing bracket says nothing, but where it makes a tuple
 * of a single element. */
static bool is_trailing_comma(const struct frame *frame, TSNode next)
{
	static const char *const lists[] = {"argument_list", "parameters",
	    "list", "dictionary", "set", "list_pattern", "dict_pattern",
	    "class_pattern", "import_from_statement", "future_import_statement",
	    NULL};
	if (!is_leaf(next, ')') && !is_leaf(next, ']') && !is_leaf(next, '}'))
		return false;
	return frame->n_commas > 1 || is_one_of(frame->node, lists);
}

static void put_comma(struct writer *writer, TSNode next)
{
	struct frame *frame = top(writer);
	if (frame->has_comma && !is_trailing_comma(frame, next))
		put_text(writer, MARK_TEXT, GS_STR(","));
	frame->has_comma = false;
}

/* Columns of a statement's indentation with tabs of 8 and of 1, as CPython
 * compares them; false when it does not begin its line. */
static bool indentation(struct gs_str text, size_t at, int *ret_narrow)
{
	size_t start = at;
	*ret_narrow = 0;
	while (start > 0 && text.p[start - 1] != '\n') {
		char c = text.p[--start];
		if (c == '\f')
			break;
		if (c != ' ' && c != '\t')
			return false;
		++*ret_narrow;
	}
	return true;
}

/* F047: the grammar counts a tab as 8 blanks, the interpreter refuses what
 * reads otherwise with tabs of another width. */
static void check_tabs(struct writer *writer, TSNode statement)
{
	struct frame *block = top(writer);
	int narrow, outer = -1;
	if (!indentation(
	        writer->tree->text, ts_node_start_byte(statement), &narrow))
		return;
	if (block->narrow >= 0) {
		writer->is_odd |= narrow != block->narrow;
		return;
	}
	block->narrow = narrow;
	for (size_t i = writer->frames.n - 1; i-- > 0 && outer < 0;)
		if (writer->frames.v[i].is_block)
			outer = writer->frames.v[i].narrow;
	writer->is_odd |= narrow <= outer;
}

static void put_number(struct writer *writer, struct gs_str text)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf plain = {0};
	for (size_t i = 0; i < text.n; i++)
		if (text.p[i] != '_')
			gs_buf_addc(
			    &plain, (char)tolower((unsigned char)text.p[i]));
	put_text(writer, MARK_TEXT, gs_buf_str(&plain));
}

/* A string with a value is its value, however it is spelled. */
static bool put_string(struct writer *writer, TSNode node)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf value = {0};
	bool is_bytes = false;
	if (!gs_string_value(writer->tree, node, &value, &is_bytes))
		return false;
	put_text(
	    writer, is_bytes ? MARK_BYTES : MARK_STRING, gs_buf_str(&value));
	return true;
}

static bool is_format(struct writer *writer, TSNode node, char *ret_letter)
{
	struct gs_str text = gs_node_text(writer->tree, node);
	struct gs_literal literal;
	if (!gs_literal_read(text, &literal) || !literal.is_format)
		return false;
	size_t i = (text.p[0] | 0x20) == 'r';
	*ret_letter = (char)(text.p[i] | 0x20);
	return true;
}

/* The text between the replacement fields of an f-string. */
static void put_content(struct writer *writer, TSNode node)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf value = {0};
	struct gs_str text = gs_node_text(writer->tree, node);
	struct gs_literal literal;
	struct gs_str whole = gs_node_text(writer->tree, top(writer)->node);
	if (!gs_literal_read(whole, &literal)) {
		put_text(writer, MARK_TEXT, text);
		return;
	}
	literal.body = text;
	if (gs_literal_value(&literal, &value))
		put_text(writer, MARK_STRING, gs_buf_str(&value));
	else
		put_text(writer, MARK_TEXT, text);
}

/* f"{x = }" prints its own spelling. */
static bool shows_itself(TSNode interpolation)
{
	uint32_t n = ts_node_child_count(interpolation);
	for (uint32_t i = 0; i < n; i++)
		if (is_leaf(ts_node_child(interpolation, i), '='))
			return true;
	return false;
}

/* Writes a node that is one piece; false when its children are to be
 * written. */
static bool put_piece(struct writer *writer, TSNode node)
{
	static const char *const numbers[] = {"integer", "float", NULL};
	static const char *const quotes[] = {
	    "string_start", "string_end", NULL};
	static const char *const strings[] = {
	    "string", "concatenated_string", NULL};
	char letter;
	if (is_one_of(node, quotes))
		return true;
	if (gs_node_is(node, "string_content")) {
		put_content(writer, node);
		return true;
	}
	if (is_one_of(node, strings) && put_string(writer, node))
		return true;
	put_mark(writer, ts_node_symbol(node));
	struct gs_str text = gs_node_text(writer->tree, node);
	if (is_one_of(node, numbers)) {
		put_number(writer, text);
		return true;
	}
	bool is_string = gs_node_is(node, "string");
	if (is_string && is_format(writer, node, &letter)) {
		gs_buf_addc(writer->out, letter);
		return false;
	}
	if (is_string || ts_node_child_count(node) == 0 ||
	    (gs_node_is(node, "interpolation") && shows_itself(node))) {
		put_text(writer, MARK_TEXT, text);
		return true;
	}
	return !ts_node_is_named(node); /* "not in", "is not" */
}

static bool has_statements(TSNode block)
{
	return !ts_node_is_null(gs_node_first(block));
}

static void enter(struct writer *writer, TSNode node, bool is_bare)
{
	struct frame frame = {.node = node,
	    .is_bare = is_bare,
	    .is_block = gs_node_is(node, "block"),
	    .written = ts_node_start_byte(node),
	    .narrow = -1};
	struct gs_docstring docstring;
	bool may_document =
	    writer->frames.n == 0
	        ? gs_node_is(node, "module")
	        : gs_node_is(top(writer)->node, "function_definition") ||
	              gs_node_is(top(writer)->node, "class_definition");
	if ((frame.is_block || writer->frames.n == 0) && may_document &&
	    gs_docstring_find(writer->tree, node, &docstring))
		writer->docstring = docstring.statement.id;
	*GS_VEC_ADD(&writer->frames) = frame;
}

static void leave(struct writer *writer)
{
	struct frame *frame = top(writer);
	put_gap(writer, frame, ts_node_end_byte(frame->node));
	if (frame->has_comma)
		put_text(writer, MARK_TEXT, GS_STR(","));
	if (!frame->is_bare)
		put_mark(writer, MARK_END);
	writer->frames.n--;
}

/* Writes one child of the top frame; true when it was entered. */
static bool visit(struct writer *writer, TSNode node)
{
	struct frame *frame = top(writer);
	put_gap(writer, frame, ts_node_start_byte(node));
	frame->written = ts_node_end_byte(node);
	if (gs_node_is_extra(node))
		return false;
	if (is_leaf(node, ',')) {
		put_comma(writer, node);
		frame->has_comma = true;
		frame->n_commas++;
		return false;
	}
	put_comma(writer, node);
	if (frame->is_block && !is_leaf(node, ';'))
		check_tabs(writer, node);
	if (is_left_out(writer, node))
		return false;
	if (gs_node_is(node, "parenthesized_expression") &&
	    only_groups(frame)) {
		enter(writer, node, true);
		return true;
	}
	/* An empty one has no children (F047). */
	writer->is_odd |= gs_node_is(node, "block") && !has_statements(node);
	if (put_piece(writer, node))
		return false;
	enter(writer, node, false);
	return true;
}

/* Writes the children of the cursor's node, which is the top frame, and
 * leaves that frame. */
static void write_children(struct writer *writer, TSTreeCursor *cursor)
{
	size_t base = writer->frames.n;
	if (!ts_tree_cursor_goto_first_child(cursor)) {
		leave(writer);
		return;
	}
	while (writer->frames.n >= base) {
		if (visit(writer, ts_tree_cursor_current_node(cursor))) {
			if (ts_tree_cursor_goto_first_child(cursor))
				continue;
			leave(writer);
		}
		while (writer->frames.n >= base &&
		       !ts_tree_cursor_goto_next_sibling(cursor)) {
			leave(writer);
			ts_tree_cursor_goto_parent(cursor);
		}
	}
}

bool gs_tokens_write(
    const struct gs_tree *tree, TSNode node, struct gs_buf *ret)
{
	struct writer writer = {.tree = tree, .out = ret};
	TSTreeCursor cursor = ts_tree_cursor_new(node);
	enter(&writer, node, false);
	write_children(&writer, &cursor);
	ts_tree_cursor_delete(&cursor);
	GS_VEC_FREE(&writer.frames);
	return !writer.is_odd && !ret->overflow;
}

bool gs_tokens_write_child(
    const struct gs_tree *tree, TSNode parent, TSNode child, struct gs_buf *ret)
{
	struct writer writer = {.tree = tree, .out = ret};
	enter(&writer, parent, false);
	top(&writer)->written = ts_node_start_byte(child);
	TSTreeCursor cursor = ts_tree_cursor_new(child);
	if (visit(&writer, child))
		write_children(&writer, &cursor);
	ts_tree_cursor_delete(&cursor);
	GS_VEC_FREE(&writer.frames);
	return !writer.is_odd && !ret->overflow;
}

static bool write_file(struct gs_str bytes, struct gs_buf *ret)
{
	if (bytes.n > GS_MAX_PYTHON_FILE)
		return false;
	GS_CLEANUP(gs_py_text_release) struct gs_py_text text;
	gs_py_text_init(bytes, &text);
	if (!text.is_valid)
		return false;
	GS_CLEANUP(gs_tree_release) struct gs_tree tree;
	gs_tree_parse(text.utf8, &tree);
	return !tree.has_error && gs_tokens_write(&tree, tree.root, ret);
}

bool gs_source_same_tokens(struct gs_str before, struct gs_str after)
{
	if (gs_str_eq(before, after))
		return true;
	GS_CLEANUP(gs_buf_release) struct gs_buf a = {0}, b = {0};
	return write_file(before, &a) && write_file(after, &b) &&
	       gs_str_eq(gs_buf_str(&a), gs_buf_str(&b));
}

static bool is_indented(struct gs_str text)
{
	while (gs_str_starts(text, "\f"))
		text = gs_str_from(text, 1);
	return gs_str_starts(text, " ") || gs_str_starts(text, "\t");
}

static bool write_unit(struct gs_str bytes, struct gs_buf *ret)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	bool is_inner = is_indented(bytes);
	if (is_inner)
		gs_buf_addz(&text, "if 1:\n");
	gs_buf_adds(&text, bytes);
	GS_CLEANUP(gs_tree_release) struct gs_tree tree;
	gs_tree_parse(gs_buf_str(&text), &tree);
	if (tree.has_error)
		return false;
	TSNode node = tree.root;
	if (is_inner) {
		node = gs_node_field(gs_node_first(node), "consequence");
		if (ts_node_is_null(node))
			return false;
	}
	return gs_tokens_write(&tree, node, ret);
}

bool gs_tokens_same(struct gs_str before, struct gs_str after)
{
	if (gs_str_eq(before, after))
		return true;
	GS_CLEANUP(gs_buf_release) struct gs_buf a = {0}, b = {0};
	return write_unit(before, &a) && write_unit(after, &b) &&
	       gs_str_eq(gs_buf_str(&a), gs_buf_str(&b));
}

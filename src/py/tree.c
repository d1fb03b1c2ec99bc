/* SPDX-License-Identifier: Apache-2.0 */
#include "py/tree.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "py/literal.h"

const TSLanguage *tree_sitter_python(void);

/* The parser reads in chunks so that scanning again and again over one
 * place (long runs of comments, error recovery) is seen and counted. */
#define CHUNK ((size_t)4096)
/* Chunks read for each chunk of text, and steps (hundreds of parser
 * operations) for each, at which a parse is given up. Real files, the
 * largest too, stay below a twentieth of both. */
#define MAX_READS 64
#define MAX_STEPS 4000
/* Recovering from errors the parser counts all that it skipped again with
 * each token. No count of steps shows that, so processor time is bounded as
 * well: thirty times what the largest good file takes (F064). */
#define MAX_SECONDS 4

struct budget {
	struct gs_str text;
	size_t reads, steps;
	clock_t start;
};

static const char *read_chunk(
    void *payload, uint32_t at, TSPoint point, uint32_t *ret_n)
{
	struct budget *budget = payload;
	(void)point;
	*ret_n = 0;
	if (at >= budget->text.n || budget->reads == 0)
		return "";
	budget->reads--;
	size_t n = budget->text.n - at;
	*ret_n = (uint32_t)(n < CHUNK ? n : CHUNK);
	return budget->text.p + at;
}

static bool is_over_budget(TSParseState *state)
{
	struct budget *budget = state->payload;
	if (budget->steps > 0)
		budget->steps--;
	return budget->steps == 0 || budget->reads == 0 ||
	       clock() - budget->start > MAX_SECONDS * CLOCKS_PER_SEC;
}

void gs_tree_parse(struct gs_str utf8, struct gs_tree *ret)
{
	size_t chunks = utf8.n / CHUNK + 4;
	struct budget budget = {
	    .text = utf8,
	    .reads = chunks * MAX_READS,
	    .steps = chunks * MAX_STEPS,
	    .start = clock(),
	};
	*ret = (struct gs_tree){.text = utf8, .has_error = true};
	TSParser *parser = ts_parser_new();
	if (!ts_parser_set_language(parser, tree_sitter_python()))
		abort(); /* F050: grammar and runtime are pinned together */
	ret->tree = ts_parser_parse_with_options(parser, NULL,
	    (TSInput){.payload = &budget,
	        .read = read_chunk,
	        .encoding = TSInputEncodingUTF8},
	    (TSParseOptions){
	        .payload = &budget, .progress_callback = is_over_budget});
	ts_parser_delete(parser);
	if (ret->tree && budget.reads == 0) { /* it saw a cut text */
		ts_tree_delete(ret->tree);
		ret->tree = NULL;
	}
	if (!ret->tree)
		return;
	ret->root = ts_tree_root_node(ret->tree);
	ret->has_error = ts_node_has_error(ret->root);
}

void gs_tree_release(struct gs_tree *tree)
{
	if (tree->tree)
		ts_tree_delete(tree->tree);
	*tree = (struct gs_tree){0};
}

bool gs_node_is(TSNode node, const char *type)
{
	return strcmp(ts_node_type(node), type) == 0;
}

bool gs_node_is_extra(TSNode node)
{
	return ts_node_is_extra(node) &&
	       (gs_node_is(node, "comment") ||
	           gs_node_is(node, "line_continuation"));
}

struct gs_str gs_node_text(const struct gs_tree *tree, TSNode node)
{
	return gs_str_sub(
	    tree->text, ts_node_start_byte(node), ts_node_end_byte(node));
}

TSNode gs_node_field(TSNode node, const char *name)
{
	return ts_node_child_by_field_name(node, name, (uint32_t)strlen(name));
}

TSNode gs_node_first(TSNode node)
{
	TSNode found = {0};
	TSTreeCursor cursor = ts_tree_cursor_new(node);
	bool is_more = ts_tree_cursor_goto_first_child(&cursor);
	for (; is_more; is_more = ts_tree_cursor_goto_next_sibling(&cursor)) {
		TSNode child = ts_tree_cursor_current_node(&cursor);
		if (gs_node_is_extra(child))
			continue;
		found = child;
		break;
	}
	ts_tree_cursor_delete(&cursor);
	return found;
}

/* The last child that is neither comment nor empty, or a null node. */
static TSNode last_content(TSTreeCursor *cursor, TSNode node)
{
	TSNode found = {0};
	ts_tree_cursor_reset(cursor, node);
	bool is_more = ts_tree_cursor_goto_first_child(cursor);
	for (; is_more; is_more = ts_tree_cursor_goto_next_sibling(cursor)) {
		TSNode child = ts_tree_cursor_current_node(cursor);
		if (!gs_node_is_extra(child) &&
		    ts_node_end_byte(child) > ts_node_start_byte(child))
			found = child;
	}
	return found;
}

size_t gs_node_content_end(TSNode node)
{
	TSTreeCursor cursor = ts_tree_cursor_new(node);
	size_t end;
	for (;;) {
		if (ts_node_child_count(node) == 0 ||
		    gs_node_is(node, "string")) {
			end = ts_node_end_byte(node);
			break;
		}
		TSNode last = last_content(&cursor, node);
		if (ts_node_is_null(last)) {
			end = ts_node_start_byte(node);
			break;
		}
		node = last;
	}
	ts_tree_cursor_delete(&cursor);
	return end;
}

static bool part_value(const struct gs_tree *tree, TSNode string,
    struct gs_buf *ret, bool *ret_is_bytes)
{
	struct gs_literal literal;
	if (!gs_literal_read(gs_node_text(tree, string), &literal) ||
	    literal.is_format || literal.is_backquoted)
		return false;
	*ret_is_bytes = literal.is_bytes;
	return gs_literal_value(&literal, ret);
}

bool gs_string_value(const struct gs_tree *tree, TSNode node,
    struct gs_buf *ret, bool *ret_is_bytes)
{
	if (gs_node_is(node, "string"))
		return part_value(tree, node, ret, ret_is_bytes);
	bool has_value = true, is_first = true;
	TSTreeCursor cursor = ts_tree_cursor_new(node);
	bool is_more = ts_tree_cursor_goto_first_child(&cursor);
	for (; is_more; is_more = ts_tree_cursor_goto_next_sibling(&cursor)) {
		TSNode child = ts_tree_cursor_current_node(&cursor);
		bool is_bytes = false;
		if (gs_node_is_extra(child))
			continue;
		has_value = has_value && gs_node_is(child, "string") &&
		            part_value(tree, child, ret, &is_bytes) &&
		            (is_first || is_bytes == *ret_is_bytes);
		*ret_is_bytes = is_bytes;
		is_first = false;
	}
	ts_tree_cursor_delete(&cursor);
	return has_value && !is_first;
}

static bool is_plain_string(const struct gs_tree *tree, TSNode string)
{
	struct gs_literal literal;
	return gs_node_is(string, "string") &&
	       gs_literal_read(gs_node_text(tree, string), &literal) &&
	       !literal.is_format && !literal.is_bytes &&
	       !literal.is_backquoted;
}

static bool is_plain_concatenation(const struct gs_tree *tree, TSNode node)
{
	if (!gs_node_is(node, "concatenated_string"))
		return false;
	bool is_plain = true;
	TSTreeCursor cursor = ts_tree_cursor_new(node);
	bool is_more = ts_tree_cursor_goto_first_child(&cursor);
	for (; is_more && is_plain;
	     is_more = ts_tree_cursor_goto_next_sibling(&cursor)) {
		TSNode child = ts_tree_cursor_current_node(&cursor);
		is_plain =
		    gs_node_is_extra(child) || is_plain_string(tree, child);
	}
	ts_tree_cursor_delete(&cursor);
	return is_plain;
}

/* The only child that is no comment, at `index` of such children of `of`. */
static TSNode only_named_child(TSNode node)
{
	TSNode found = {0};
	uint32_t n = ts_node_named_child_count(node);
	for (uint32_t i = 0; i < n; i++) {
		TSNode child = ts_node_named_child(node, i);
		if (gs_node_is_extra(child))
			continue;
		if (!ts_node_is_null(found))
			return (TSNode){0};
		found = child;
	}
	return found;
}

static bool has_comma(TSNode node)
{
	uint32_t n = ts_node_child_count(node);
	return n > 0 && gs_node_is(ts_node_child(node, n - 1), ",");
}

bool gs_docstring_find(
    const struct gs_tree *tree, TSNode body, struct gs_docstring *ret)
{
	TSNode statement = gs_node_first(body);
	if (ts_node_is_null(statement) ||
	    !gs_node_is(statement, "expression_statement") ||
	    has_comma(statement))
		return false;
	TSNode node = only_named_child(statement);
	while (!ts_node_is_null(node) &&
	       gs_node_is(node, "parenthesized_expression"))
		node = only_named_child(node);
	if (ts_node_is_null(node) || (!is_plain_string(tree, node) &&
	                                 !is_plain_concatenation(tree, node)))
		return false;
	*ret = (struct gs_docstring){statement, node};
	return true;
}

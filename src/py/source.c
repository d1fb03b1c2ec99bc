/* SPDX-License-Identifier: Apache-2.0 */
#include "py/source.h"

#include <string.h>

#include "base/limits.h"
#include "base/map.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "py/encoding.h"
#include "py/literal.h"
#include "py/tree.h"

/* Nodes under which units are looked for: everything that holds statements,
 * functions apart (K5: what is nested there belongs to them). */
static const char *const containers[] = {
    "module",
    "block",
    "class_definition",
    "decorated_definition",
    "if_statement",
    "elif_clause",
    "else_clause",
    "try_statement",
    "except_clause",
    "finally_clause",
    "with_statement",
    "for_statement",
    "while_statement",
    "match_statement",
    "case_clause",
    "ERROR",
};

struct unit_list {
	struct gs_unit *v;
	size_t n, cap;
};

struct reader {
	struct gs_source *source;
	struct gs_py_text text;
	struct gs_tree tree;
	struct unit_list units;
	struct gs_map seen; /* qualname: how many so far */
	struct gs_buf scratch;
	int parent;       /* the class that the walk is in, or -1 */
	size_t decorated; /* start of the decorated definition just met */
	size_t decorated_end;
	bool is_full;
};

static bool is_container(TSNode node)
{
	const char *type = ts_node_type(node);
	for (size_t i = 0; i < GS_COUNT(containers); i++)
		if (strcmp(type, containers[i]) == 0)
			return true;
	return false;
}

/* Views of decoded text end with the reader, so those are copied. */
static struct gs_str keep(struct reader *reader, struct gs_str s)
{
	if (!reader->text.offsets)
		return s;
	return gs_arena_str(&reader->source->arena, s);
}

static size_t line_start(struct gs_str text, size_t at)
{
	ptrdiff_t lf = gs_str_rfind_char(gs_str_sub(text, 0, at), '\n');
	size_t start = (size_t)(lf + 1);
	return start == 0 ? gs_py_bom(text) : start; /* K3: no BOM */
}

static size_t line_end(struct gs_str text, size_t at)
{
	ptrdiff_t lf = gs_str_find_char(gs_str_from(text, at), '\n');
	return lf < 0 ? text.n : at + (size_t)lf + 1;
}

static bool is_blank(struct gs_str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!strchr(" \t\f\r\n", s.p[i]) || !s.p[i])
			return false;
	return true;
}

/* Only a comment, or nothing, after the last statement of a unit. */
static bool is_line_rest(struct gs_str s)
{
	ptrdiff_t hash = gs_str_find_char(s, '#');
	return is_blank(hash < 0 ? s : gs_str_sub(s, 0, (size_t)hash));
}

/* A lone CR ends a line for the interpreter and for nobody else (F059). */
static bool has_lone_cr(struct gs_str s)
{
	const char *p = s.p, *end = s.p + s.n;
	while (p < end && (p = memchr(p, '\r', (size_t)(end - p)))) {
		if (++p == end || *p != '\n')
			return true;
	}
	return false;
}

static void set_name(struct reader *reader, struct gs_unit *unit, TSNode node)
{
	unit->name = keep(
	    reader, gs_node_text(&reader->tree, gs_node_field(node, "name")));
	unit->qualname = unit->name;
	if (unit->parent >= 0) {
		struct gs_str outer = reader->units.v[unit->parent].qualname;
		gs_buf_reset(&reader->scratch);
		gs_buf_adds(&reader->scratch, outer);
		gs_buf_addc(&reader->scratch, '.');
		gs_buf_adds(&reader->scratch, unit->name);
		unit->qualname = gs_arena_str(
		    &reader->source->arena, gs_buf_str(&reader->scratch));
	}
	void **count = gs_map_at(&reader->seen, unit->qualname);
	if (!*count)
		*count = gs_arena_alloc(&reader->source->arena, sizeof(int));
	unit->ordinal = (*(int *)*count)++;
}

static void set_signature(
    struct reader *reader, struct gs_unit *unit, TSNode node)
{
	bool is_class = unit->kind == GS_UNIT_CLASS;
	TSNode first =
	    gs_node_field(node, is_class ? "superclasses" : "parameters");
	TSNode last = gs_node_field(node, "return_type");
	if (ts_node_is_null(first))
		return;
	if (is_class || ts_node_is_null(last))
		last = first;
	unit->signature = keep(
	    reader, gs_str_sub(reader->tree.text, ts_node_start_byte(first),
	                ts_node_end_byte(last)));
}

static void set_docstring(
    struct reader *reader, struct gs_unit *unit, TSNode body)
{
	struct gs_docstring found;
	bool is_bytes;
	if (!gs_docstring_find(&reader->tree, body, &found))
		return;
	unit->docstring_start = ts_node_start_byte(found.literal);
	unit->docstring_end = ts_node_end_byte(found.literal);
	GS_CLEANUP(gs_buf_release) struct gs_buf value = {0};
	if (!gs_string_value(&reader->tree, found.literal, &value, &is_bytes) ||
	    !gs_utf8_valid(gs_buf_str(&value)))
		return;
	gs_buf_reset(&reader->scratch);
	gs_cleandoc(gs_buf_str(&value), &reader->scratch);
	unit->docstring =
	    gs_arena_str(&reader->source->arena, gs_buf_str(&reader->scratch));
	unit->has_docstring = unit->docstring.n > 0;
}

/* Spans in the parsed text, the file's own line ends included (K3). */
static void set_span(struct reader *reader, struct gs_unit *unit, TSNode body,
    size_t first_token)
{
	struct gs_str text = reader->tree.text;
	TSNode first = gs_node_first(body);
	size_t content_end = gs_node_content_end(body);
	unit->start = line_start(text, first_token);
	unit->end = line_end(text, content_end);
	unit->body_start = unit->body_end = content_end;
	if (!ts_node_is_null(first))
		unit->body_start = ts_node_start_byte(first);
	size_t def_line = line_start(text, unit->def_start);
	unit->indent =
	    keep(reader, gs_str_sub(text, def_line, unit->def_start));
	/* Code before it on its line, behind it, or no body: the interpreter
	 * takes none of these, and none can be replaced alone. */
	if (unit->body_start >= unit->body_end ||
	    !is_blank(gs_str_sub(text, unit->start, first_token)) ||
	    !is_blank(unit->indent) ||
	    !is_line_rest(gs_str_sub(text, content_end, unit->end)) ||
	    has_lone_cr(gs_str_sub(text, unit->start, unit->end)))
		unit->has_error = true;
}

static void map_offsets(const struct gs_py_text *text, struct gs_unit *unit)
{
	size_t *const offsets[] = {&unit->start, &unit->end, &unit->def_start,
	    &unit->body_start, &unit->body_end, &unit->docstring_start,
	    &unit->docstring_end};
	for (size_t i = 0; i < GS_COUNT(offsets); i++)
		*offsets[i] = gs_py_text_offset(text, *offsets[i]);
}

static void add_unit(struct reader *reader, TSNode node, enum gs_unit_kind kind)
{
	if (reader->units.n == GS_MAX_UNITS) {
		reader->is_full = true;
		return;
	}
	size_t def_start = ts_node_start_byte(node);
	size_t first_token = def_start;
	if (def_start < reader->decorated_end)
		first_token = reader->decorated;
	reader->decorated_end = 0;
	struct gs_unit *unit = GS_VEC_ADD(&reader->units);
	unit->kind = kind;
	unit->parent = reader->parent;
	unit->def_start = def_start;
	unit->has_error = ts_node_has_error(node);
	unit->is_async = kind == GS_UNIT_FUNCTION &&
	                 gs_node_is(ts_node_child(node, 0), "async");
	TSNode body = gs_node_field(node, "body");
	set_name(reader, unit, node);
	set_signature(reader, unit, node);
	set_docstring(reader, unit, body);
	set_span(reader, unit, body, first_token);
	if (kind == GS_UNIT_CLASS) {
		reader->parent = (int)(reader->units.n - 1);
	}
}

static void leave_classes(struct reader *reader, size_t at)
{
	while (reader->parent >= 0 && at >= reader->units.v[reader->parent].end)
		reader->parent = reader->units.v[reader->parent].parent;
}

/* Looks at one node; true when its children are to be looked at too. */
static bool visit(struct reader *reader, TSNode node)
{
	size_t at = ts_node_start_byte(node);
	leave_classes(reader, at);
	bool is_function = gs_node_is(node, "function_definition");
	if (!is_function && !is_container(node))
		return false;
	if (gs_node_is(node, "decorated_definition")) {
		reader->decorated = at;
		reader->decorated_end = ts_node_end_byte(node);
	}
	bool is_class = gs_node_is(node, "class_definition");
	if ((is_function || is_class) &&
	    !ts_node_is_null(gs_node_field(node, "name")) &&
	    !ts_node_is_null(gs_node_field(node, "body")))
		add_unit(
		    reader, node, is_class ? GS_UNIT_CLASS : GS_UNIT_FUNCTION);
	return !is_function && !reader->is_full;
}

static void walk(struct reader *reader)
{
	TSTreeCursor cursor = ts_tree_cursor_new(reader->tree.root);
	for (;;) {
		TSNode node = ts_tree_cursor_current_node(&cursor);
		if (visit(reader, node) &&
		    ts_tree_cursor_goto_first_child(&cursor))
			continue;
		bool is_more;
		while (!(is_more = ts_tree_cursor_goto_next_sibling(&cursor)))
			if (!ts_tree_cursor_goto_parent(&cursor))
				break;
		if (!is_more)
			break;
	}
	ts_tree_cursor_delete(&cursor);
}

static void read_units(struct reader *reader)
{
	struct gs_source *source = reader->source;
	gs_py_text_init(source->bytes, &reader->text);
	gs_tree_parse(reader->text.utf8, &reader->tree);
	source->has_error = reader->tree.has_error || !reader->text.is_valid ||
	                    source->has_nul || has_lone_cr(source->bytes);
	if (reader->tree.tree)
		walk(reader);
	for (size_t i = 0; i < reader->units.n; i++)
		map_offsets(&reader->text, &reader->units.v[i]);
	source->units = reader->units.v;
	source->n_units = reader->units.n;
	gs_tree_release(&reader->tree);
	gs_py_text_release(&reader->text);
	gs_map_release(&reader->seen);
	gs_buf_release(&reader->scratch);
}

int gs_source_parse(
    struct gs_str bytes, struct gs_source *ret, struct gs_err *err)
{
	*ret = (struct gs_source){.bytes = bytes};
	if (bytes.n > GS_MAX_PYTHON_FILE)
		return gs_fail(err, GS_E_LIMIT,
		    "the Python file has %zu bytes, more than the %zu that are "
		    "read",
		    bytes.n, GS_MAX_PYTHON_FILE);
	ret->has_nul = gs_str_find_char(bytes, 0) >= 0;
	struct reader reader = {.source = ret, .parent = -1};
	read_units(&reader);
	if (!reader.is_full)
		return 0;
	gs_source_release(ret);
	return gs_fail(err, GS_E_LIMIT,
	    "the Python file defines more than %d functions and classes",
	    GS_MAX_UNITS);
}

void gs_source_release(struct gs_source *source)
{
	free(source->units);
	gs_arena_release(&source->arena);
	*source = (struct gs_source){0};
}

const struct gs_unit *gs_source_unit(
    const struct gs_source *source, struct gs_str qualname, int ordinal)
{
	for (size_t i = 0; i < source->n_units; i++)
		if (source->units[i].ordinal == ordinal &&
		    gs_str_eq(source->units[i].qualname, qualname))
			return &source->units[i];
	return NULL;
}

void gs_source_splice(struct gs_str file, size_t start, size_t end,
    struct gs_str text, struct gs_buf *ret)
{
	gs_buf_adds(ret, gs_str_sub(file, 0, start));
	gs_buf_adds(ret, text);
	gs_buf_adds(ret, gs_str_from(file, end));
}

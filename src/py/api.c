/* SPDX-License-Identifier: Apache-2.0 */
/* What callers of a module can see of a change: new names, other signatures,
 * other defaults (K7). */
#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "py/changed.h"
#include "py/tokens.h"
#include "py/tree.h"

/* One parameter: its kind and name in one word ("*args", "a=", "/"), and its
 * default without its layout. Annotations are no part of a call. */
struct parameter {
	struct gs_buf shape, value;
};

struct parameters {
	struct parameter *v;
	size_t n, cap;
};

static void parameters_release(struct parameters *parameters)
{
	for (size_t i = 0; i < parameters->n; i++) {
		gs_buf_release(&parameters->v[i].shape);
		gs_buf_release(&parameters->v[i].value);
	}
	GS_VEC_FREE(parameters);
}

static void read_parameter(
    const struct gs_tree *tree, TSNode node, struct parameters *ret)
{
	struct parameter *parameter = GS_VEC_ADD(ret);
	TSNode value = gs_node_field(node, "value");
	TSNode name = gs_node_field(node, "name");
	if (ts_node_is_null(name))
		name = node;
	if (gs_node_is(name, "typed_parameter"))
		name = ts_node_named_child(name, 0);
	gs_buf_adds(&parameter->shape, gs_node_text(tree, name));
	if (ts_node_is_null(value))
		return;
	gs_buf_addc(&parameter->shape, '=');
	if (!gs_tokens_write_child(tree, node, value, &parameter->value))
		gs_buf_adds(&parameter->value, gs_node_text(tree, value));
}

/* Reads the parameters of "(a, b=1) -> int"; false when they do not parse. */
static bool read_parameters(struct gs_str signature, struct parameters *ret)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	gs_buf_addz(&text, "def f");
	gs_buf_adds(&text, signature);
	gs_buf_addz(&text, ":\n    pass\n");
	GS_CLEANUP(gs_tree_release) struct gs_tree tree;
	gs_tree_parse(gs_buf_str(&text), &tree);
	if (tree.has_error)
		return false;
	TSNode list = gs_node_field(gs_node_first(tree.root), "parameters");
	if (ts_node_is_null(list))
		return false;
	TSTreeCursor cursor = ts_tree_cursor_new(list);
	bool is_more = ts_tree_cursor_goto_first_child(&cursor);
	for (; is_more; is_more = ts_tree_cursor_goto_next_sibling(&cursor)) {
		TSNode node = ts_tree_cursor_current_node(&cursor);
		if (ts_node_is_named(node) && !gs_node_is_extra(node))
			read_parameter(&tree, node, ret);
	}
	ts_tree_cursor_delete(&cursor);
	return true;
}

enum difference {
	SAME,
	DEFAULTS,
	SIGNATURE,
};

static enum difference compare_read(
    const struct parameters *a, const struct parameters *b)
{
	enum difference found = SAME;
	if (a->n != b->n)
		return SIGNATURE;
	for (size_t i = 0; i < a->n; i++) {
		if (!gs_str_eq(
		        gs_buf_str(&a->v[i].shape), gs_buf_str(&b->v[i].shape)))
			return SIGNATURE;
		if (!gs_str_eq(
		        gs_buf_str(&a->v[i].value), gs_buf_str(&b->v[i].value)))
			found = DEFAULTS;
	}
	return found;
}

static enum difference compare_signatures(
    struct gs_str before, struct gs_str after)
{
	struct parameters a = {0}, b = {0};
	enum difference found = SIGNATURE;
	if (gs_str_eq(before, after))
		return SAME;
	if (read_parameters(before, &a) && read_parameters(after, &b))
		found = compare_read(&a, &b);
	parameters_release(&a);
	parameters_release(&b);
	return found;
}

static bool is_special(struct gs_str name)
{
	return name.n > 4 && gs_str_starts(name, "__") &&
	       gs_str_ends(name, "__");
}

/* No part of the qualname begins with an underscore, but that the methods
 * behind `C(…)` and `c(…)` are public where `special`. */
static bool is_public(const struct gs_unit *unit, bool special)
{
	struct gs_str rest = unit->qualname, part;
	while (gs_str_cut(&rest, '.', &part)) {
		if (!gs_str_starts(part, "_"))
			continue;
		if (!special || rest.n > 0 || !is_special(part))
			return false;
	}
	return true;
}

static void push(struct gs_strv *strv, const struct gs_unit *unit)
{
	gs_strv_push_str(strv, unit->qualname);
}

static const struct gs_unit *twin_of(
    const struct gs_map *map, const struct gs_unit *unit, struct gs_buf *key)
{
	gs_buf_reset(key);
	gs_buf_addf(key, "%d:", unit->ordinal);
	gs_buf_adds(key, unit->qualname);
	return gs_map_get(map, gs_buf_str(key));
}

void gs_public_api_change(const struct gs_source *before,
    const struct gs_source *after, struct gs_strv *ret_new,
    struct gs_strv *ret_signature, struct gs_strv *ret_defaults)
{
	GS_CLEANUP(gs_map_release) struct gs_map old = {0}, names = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf key = {0};
	for (size_t i = 0; i < before->n_units; i++) {
		const struct gs_unit *unit = &before->units[i];
		gs_map_add(&names, unit->qualname, NULL);
		twin_of(&old, unit, &key);
		*gs_map_at(&old, gs_buf_str(&key)) = &before->units[i];
	}
	for (size_t i = 0; i < after->n_units; i++) {
		const struct gs_unit *unit = &after->units[i];
		const struct gs_unit *twin = twin_of(&old, unit, &key);
		if (!gs_map_has(&names, unit->qualname)) {
			if (is_public(unit, false))
				push(ret_new, unit);
			continue;
		}
		if (!twin || unit->kind != GS_UNIT_FUNCTION ||
		    twin->kind != unit->kind || !is_public(unit, true))
			continue;
		enum difference found =
		    compare_signatures(twin->signature, unit->signature);
		if (found == SIGNATURE)
			push(ret_signature, unit);
		else if (found == DEFAULTS)
			push(ret_defaults, unit);
	}
}

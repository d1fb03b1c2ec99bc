/* SPDX-License-Identifier: Apache-2.0 */
#include "py/changed.h"

#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "py/tokens.h"

struct unit_refs {
	struct unit_ref {
		const struct gs_unit *unit;
	} * v;

	size_t n, cap;
};

/* The units of one qualname on both sides, in file order. */
struct namesake {
	struct unit_refs before, after;
};

static struct gs_str text_of(
    const struct gs_source *source, const struct gs_unit *unit)
{
	return gs_str_sub(source->bytes, unit->start, unit->end);
}

/* ---- lines outside of functions ------------------------------------- */

static bool is_blank(struct gs_str line)
{
	return gs_str_trim(line).n == 0;
}

static void add_lines(struct gs_buf *ret, struct gs_str text)
{
	struct gs_str line;
	while (gs_str_cut(&text, '\n', &line)) {
		if (is_blank(line))
			continue;
		gs_buf_adds(ret, line);
		gs_buf_addc(ret, '\n');
	}
}

/* Appends the lines between `start` and `end` that belong to no unit inside
 * `parent`; where `stub`, a `pass` stands for each of those. Blank lines say
 * nothing: a new function brings its own. */
static void add_rest(
    const struct gs_source *source, int parent, bool stub, struct gs_buf *ret)
{
	size_t at = parent < 0 ? 0 : source->units[parent].start;
	size_t end = parent < 0 ? source->bytes.n : source->units[parent].end;
	for (size_t i = parent < 0 ? 0 : (size_t)parent + 1;
	     i < source->n_units; i++) {
		const struct gs_unit *unit = &source->units[i];
		if (unit->start >= end)
			break;
		if (unit->parent != parent || unit->start < at)
			continue;
		add_lines(ret, gs_str_sub(source->bytes, at, unit->start));
		if (stub) {
			gs_buf_adds(ret, unit->indent);
			gs_buf_addz(ret, "pass\n");
		}
		at = unit->end;
	}
	if (at < end)
		add_lines(ret, gs_str_sub(source->bytes, at, end));
}

static bool is_rest_same(const struct gs_source *before, int before_parent,
    const struct gs_source *after, int after_parent)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf a = {0}, b = {0};
	add_rest(before, before_parent, false, &a);
	add_rest(after, after_parent, false, &b);
	return gs_str_eq(gs_buf_str(&a), gs_buf_str(&b));
}

static bool are_rest_tokens_same(const struct gs_source *before,
    int before_parent, const struct gs_source *after, int after_parent)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf a = {0}, b = {0};
	add_rest(before, before_parent, true, &a);
	add_rest(after, after_parent, true, &b);
	return gs_tokens_same(gs_buf_str(&a), gs_buf_str(&b));
}

/* ---- pairs of units --------------------------------------------------- */

struct finder {
	const struct gs_source *before, *after;
	struct gs_file_change *ret;
};

static struct gs_unit_change *add(struct finder *finder,
    const struct gs_unit *before, const struct gs_unit *after)
{
	struct gs_unit_change *change = GS_VEC_ADD(finder->ret);
	change->before = before;
	change->after = after;
	return change;
}

/* A class stands for the lines outside its methods only (K5). */
static void compare_classes(struct finder *finder, const struct gs_unit *before,
    const struct gs_unit *after)
{
	int old = (int)(before - finder->before->units);
	int new = (int)(after - finder->after->units);
	if (is_rest_same(finder->before, old, finder->after, new))
		return;
	add(finder, before, after)->comments_only =
	    are_rest_tokens_same(finder->before, old, finder->after, new);
	finder->ret->module_changed = true;
}

static void compare_functions(struct finder *finder,
    const struct gs_unit *before, const struct gs_unit *after)
{
	struct gs_str old = text_of(finder->before, before);
	struct gs_str new = text_of(finder->after, after);
	if (gs_str_eq(old, new))
		return;
	add(finder, before, after)->comments_only = gs_tokens_same(old, new);
}

static void compare(struct finder *finder, const struct gs_unit *before,
    const struct gs_unit *after)
{
	if (before->kind == GS_UNIT_CLASS)
		compare_classes(finder, before, after);
	else
		compare_functions(finder, before, after);
}

static void add_alone(struct finder *finder, const struct gs_unit *before,
    const struct gs_unit *after)
{
	const struct gs_unit *unit = before ? before : after;
	add(finder, before, after);
	if (unit && unit->kind == GS_UNIT_CLASS)
		finder->ret->module_changed = true;
}

static bool are_pairs(const struct namesake *names)
{
	if (names->before.n != names->after.n)
		return false;
	for (size_t i = 0; i < names->before.n; i++)
		if (names->before.v[i].unit->kind !=
		    names->after.v[i].unit->kind)
			return false;
	return true;
}

static bool is_same_text(const struct finder *finder,
    const struct gs_unit *before, const struct gs_unit *after)
{
	return before->kind == after->kind &&
	       gs_str_eq(text_of(finder->before, before),
	           text_of(finder->after, after));
}

/* K2: where a name occurs a different number of times, order pairs nothing;
 * units of equal text at both ends are the ones that were left alone. */
static void split_namesakes(struct finder *finder, const struct namesake *names)
{
	size_t first = 0, before_end = names->before.n;
	size_t after_end = names->after.n;
	while (first < before_end && first < after_end &&
	       is_same_text(finder, names->before.v[first].unit,
	           names->after.v[first].unit))
		first++;
	while (before_end > first && after_end > first &&
	       is_same_text(finder, names->before.v[before_end - 1].unit,
	           names->after.v[after_end - 1].unit)) {
		before_end--;
		after_end--;
	}
	for (size_t i = first; i < before_end; i++)
		add_alone(finder, names->before.v[i].unit, NULL);
	for (size_t i = first; i < after_end; i++)
		add_alone(finder, NULL, names->after.v[i].unit);
	if (names->before.n > 0 && names->after.n > 0)
		finder->ret->unpaired = true;
}

static void collect(
    struct gs_map *map, const struct gs_source *source, bool is_after)
{
	for (size_t i = 0; i < source->n_units; i++) {
		const struct gs_unit *unit = &source->units[i];
		void **slot = gs_map_at(map, unit->qualname);
		if (!*slot)
			*slot = gs_alloc(sizeof(struct namesake));
		struct namesake *names = *slot;
		struct unit_refs *refs =
		    is_after ? &names->after : &names->before;
		GS_VEC_ADD(refs)->unit = unit;
	}
}

static void pair_all(struct finder *finder, struct gs_map *map)
{
	for (size_t i = 0; i < map->n; i++) {
		struct namesake *names = map->entries[i].value;
		if (are_pairs(names)) {
			for (size_t k = 0; k < names->before.n; k++)
				compare(finder, names->before.v[k].unit,
				    names->after.v[k].unit);
		} else
			split_namesakes(finder, names);
		GS_VEC_FREE(&names->before);
		GS_VEC_FREE(&names->after);
		free(names);
	}
}

void gs_file_change_find(const struct gs_source *before,
    const struct gs_source *after, struct gs_file_change *ret)
{
	*ret = (struct gs_file_change){0};
	if (gs_str_eq(before->bytes, after->bytes))
		return;
	struct finder finder = {before, after, ret};
	GS_CLEANUP(gs_map_release) struct gs_map map = {0};
	collect(&map, before, false);
	collect(&map, after, true);
	pair_all(&finder, &map);
	if (!is_rest_same(before, -1, after, -1) || ret->n == 0)
		ret->module_changed = true;
}

void gs_file_change_release(struct gs_file_change *change)
{
	GS_VEC_FREE(change);
	*change = (struct gs_file_change){0};
}

static void add_name(struct gs_strv *ret, struct gs_map *seen,
    const char *module, struct gs_str qualname)
{
	/* A property's getter and setter have one name. */
	if (gs_map_add(seen, qualname, NULL))
		gs_strv_pushf(ret, "%s:%.*s", module, GS_STR_ARG(qualname));
}

void gs_file_change_names(const struct gs_file_change *change,
    const struct gs_source *before, const struct gs_source *after,
    const char *module, struct gs_strv *ret)
{
	GS_CLEANUP(gs_map_release) struct gs_map seen = {0};
	if (gs_str_eq(before->bytes, after->bytes))
		return;
	bool is_broken = before->has_error || after->has_error;
	if (is_broken || change->n == 0 || !is_rest_same(before, -1, after, -1))
		add_name(ret, &seen, module, GS_STR(""));
	for (size_t i = 0; i < change->n && !is_broken; i++) {
		const struct gs_unit *unit = change->v[i].after;
		if (!unit)
			unit = change->v[i].before;
		add_name(ret, &seen, module, unit->qualname);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "validate/select.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"

/* Both sides of a test file. */
struct sides {
	struct gs_source before, after;
	struct gs_file_change change;
};

static void sides_release(struct sides *sides)
{
	gs_file_change_release(&sides->change);
	gs_source_release(&sides->before);
	gs_source_release(&sides->after);
}

static bool is_test_name(struct gs_str name)
{
	return gs_str_starts(name, "test");
}

static bool is_class(const struct gs_unit *unit)
{
	return unit->kind == GS_UNIT_CLASS;
}

/* A class that the other side does not have. */
static bool is_alone(const struct gs_unit *unit, const struct gs_source *other)
{
	return is_class(unit) &&
	       !gs_source_unit(other, unit->qualname, unit->ordinal);
}

/* Whether the unit stands in a class that the other side does not have. */
static bool in_lone_class(const struct gs_source *source,
    const struct gs_unit *unit, const struct gs_source *other)
{
	for (int i = unit->parent; i >= 0; i = source->units[i].parent)
		if (is_alone(&source->units[i], other))
			return true;
	return false;
}

/* Takes one logical import line off; true when the line was one. `open` says
 * that its parenthesis is not closed yet. */
static bool is_import(struct gs_str line, bool *open)
{
	bool is_part = *open || gs_str_starts(line, "import ") ||
	               gs_str_starts(line, "from ");
	if (!is_part)
		return false;
	if (gs_str_find_char(line, '(') >= 0)
		*open = true;
	if (gs_str_find_char(line, ')') >= 0)
		*open = false;
	return true;
}

static void add_lines(struct gs_str text, struct gs_buf *ret)
{
	struct gs_str line;
	bool open = false;
	while (gs_str_cut(&text, '\n', &line)) {
		struct gs_str bare = gs_str_trim(line);
		if (!bare.n || bare.p[0] == '#' || is_import(bare, &open))
			continue;
		gs_buf_adds(ret, line);
		gs_buf_addc(ret, '\n');
	}
}

/* What is left of a file without its functions, the classes that the other
 * side lacks, imports, comments and blank lines: data, fixtures' decorators,
 * class attributes. */
static void skeleton(const struct gs_source *source,
    const struct gs_source *other, struct gs_buf *ret)
{
	size_t at = 0;
	for (size_t i = 0; i < source->n_units; i++) {
		const struct gs_unit *unit = &source->units[i];
		if ((is_class(unit) && !is_alone(unit, other)) ||
		    unit->start < at)
			continue;
		add_lines(gs_str_sub(source->bytes, at, unit->start), ret);
		at = unit->end;
	}
	add_lines(gs_str_from(source->bytes, at), ret);
}

static bool same_skeleton(const struct sides *sides)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf before = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf after = {0};
	skeleton(&sides->before, &sides->after, &before);
	skeleton(&sides->after, &sides->before, &after);
	return gs_str_eq(gs_buf_str(&before), gs_buf_str(&after));
}

static void add_name(
    struct gs_str path, struct gs_str name, struct gs_strv *ret)
{
	gs_strv_pushf(ret, "%.*s::%.*s", GS_STR_ARG(path), GS_STR_ARG(name));
}

/* The names of a file's changed tests; false when something else changed that
 * tests may lean on. */
static bool name_tests(
    const struct sides *sides, struct gs_str path, struct gs_strv *ret)
{
	if (sides->change.unpaired || sides->before.has_error ||
	    sides->after.has_error || !same_skeleton(sides))
		return false;
	for (size_t i = 0; i < sides->before.n_units; i++) {
		const struct gs_unit *unit = &sides->before.units[i];
		if (is_alone(unit, &sides->after) &&
		    !gs_str_starts(unit->name, "Test"))
			return false;
	}
	for (size_t i = 0; i < sides->after.n_units; i++)
		if (is_alone(&sides->after.units[i], &sides->before))
			add_name(path, sides->after.units[i].name, ret);
	for (size_t i = 0; i < sides->change.n; i++) {
		const struct gs_unit_change *change = &sides->change.v[i];
		const struct gs_unit *unit =
		    change->after ? change->after : change->before;
		if (change->comments_only || is_class(unit) ||
		    in_lone_class(
		        change->after ? &sides->after : &sides->before, unit,
		        change->after ? &sides->before : &sides->after))
			continue;
		if (!is_test_name(unit->name))
			return false;
		if (change->after)
			add_name(path, unit->name, ret);
	}
	return true;
}

void gs_selection_release(struct gs_selection *selection)
{
	gs_strv_release(&selection->tests);
}

static size_t count_tests(const struct gs_source *source)
{
	size_t n = 0;
	for (size_t i = 0; i < source->n_units; i++)
		n += !is_class(&source->units[i]) &&
		     is_test_name(source->units[i].name);
	return n;
}

int gs_select_in_file(struct gs_str path, struct gs_str before,
    struct gs_str after, struct gs_selection *ret, bool *ret_is_part,
    struct gs_err *err)
{
	GS_CLEANUP(sides_release) struct sides sides = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv names = {0};
	int rc = gs_source_parse(before, &sides.before, err);
	if (rc == 0)
		rc = gs_source_parse(after, &sides.after, err);
	if (rc)
		return rc;
	gs_file_change_find(&sides.before, &sides.after, &sides.change);
	*ret_is_part = name_tests(&sides, path, &names);
	if (!*ret_is_part)
		return 0;
	size_t n = count_tests(&sides.after);
	ret->left_out += n > names.n ? n - names.n : 0;
	for (size_t i = 0; i < names.n; i++)
		gs_strv_push(&ret->tests, names.v[i]);
	return 0;
}

/* A file that is new, or too big to be looked at, counts as a whole. */
static int select_file(struct gs_worker *worker,
    const struct gs_candidate *candidate, struct gs_str path,
    struct gs_selection *ret, bool *ret_is_part, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf before = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf after = {0};
	const struct gs_entry *old =
	    gs_listing_find(&candidate->parent_tree, path);
	const struct gs_entry *new =
	    gs_listing_find(&candidate->commit_tree, path);
	*ret_is_part = false;
	if (!gs_entry_is_file(old) || !gs_entry_is_file(new))
		return 0;
	int rc = gs_objects_read(
	    worker->objects, old->id.hex, GS_MAX_PYTHON_FILE, &before, err);
	if (rc == 0)
		rc = gs_objects_read(worker->objects, new->id.hex,
		    GS_MAX_PYTHON_FILE, &after, err);
	if (rc == 0)
		rc = gs_select_in_file(path, gs_buf_str(&before),
		    gs_buf_str(&after), ret, ret_is_part, err);
	if (rc != GS_E_LIMIT)
		return rc;
	*err = (struct gs_err){0};
	return 0;
}

int gs_select_tests(struct gs_worker *worker,
    const struct gs_candidate *candidate, struct gs_selection *ret,
    struct gs_err *err)
{
	bool is_part = false;
	if (candidate->support_changed)
		return 0;
	for (size_t i = 0; i < candidate->test_files.n; i++) {
		struct gs_str path = gs_str(candidate->test_files.v[i]);
		bool is_part_of_it = false;
		int rc = select_file(
		    worker, candidate, path, ret, &is_part_of_it, err);
		if (rc)
			return rc;
		if (!is_part_of_it)
			gs_strv_push_str(&ret->tests, path);
		is_part = is_part || is_part_of_it;
	}
	if (!is_part)
		gs_strv_reset(&ret->tests);
	gs_strv_sort(&ret->tests);
	gs_strv_uniq(&ret->tests);
	return 0;
}

bool gs_selection_holds(const struct gs_strv *tests, const char *node_id)
{
	if (!tests || tests->n == 0)
		return true;
	struct gs_str id = gs_str(node_id), part;
	ptrdiff_t colons = gs_str_find(id, GS_STR("::"));
	struct gs_str path =
	    colons < 0 ? id : gs_str_sub(id, 0, (size_t)colons);
	GS_CLEANUP(gs_freep) char *file = gs_strndup(path.p, path.n);
	if (gs_strv_has(tests, file))
		return true;
	struct gs_str rest = gs_str_from(id, path.n);
	ptrdiff_t bracket = gs_str_find_char(rest, '[');
	if (bracket >= 0)
		rest = gs_str_sub(rest, 0, (size_t)bracket);
	while (gs_str_cut(&rest, ':', &part)) {
		GS_CLEANUP(gs_freep)
		char *name = gs_format("%s::%.*s", file, GS_STR_ARG(part));
		if (part.n && gs_strv_has(tests, name))
			return true;
	}
	return false;
}

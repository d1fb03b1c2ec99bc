/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of a file, as flags: the changed ones, and those of named tests. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "model/diff.h"
#include "py/changed.h"

static size_t count_lines(struct gs_str bytes)
{
	size_t n = 0;
	for (size_t i = 0; i < bytes.n; i++)
		n += bytes.p[i] == '\n';
	return n + (bytes.n > 0 && bytes.p[bytes.n - 1] != '\n');
}

bool *gs_changed_lines(struct gs_str before, struct gs_str after, size_t *ret_n)
{
	struct gs_diff diff;
	gs_diff(before, after, &diff);
	*ret_n = diff.n - diff.removed;
	bool *lines = gs_alloc(*ret_n + 1);
	for (size_t i = 0, line = 0; i < diff.n; i++) {
		if (diff.v[i].op == GS_DIFF_REMOVED)
			continue;
		lines[line++] = diff.v[i].op == GS_DIFF_ADDED;
	}
	gs_diff_release(&diff);
	return lines;
}

/* "A.test_x" for "path::A::test_x[param]", into `ret`; false when the id is
 * of another file. A parameter may hold anything, "::" too (F112). */
static bool qualname_of(
    struct gs_str id, struct gs_str path, struct gs_buf *ret)
{
	gs_buf_reset(ret);
	if (id.n < path.n + 2 || !gs_str_eq(gs_str_sub(id, 0, path.n), path))
		return false;
	id = gs_str_from(id, path.n);
	if (!gs_str_starts(id, "::"))
		return false;
	id = gs_str_from(id, 2);
	ptrdiff_t bracket = gs_str_find_char(id, '[');
	if (bracket >= 0)
		id = gs_str_sub(id, 0, (size_t)bracket);
	for (size_t i = 0; i < id.n; i++) {
		bool is_border =
		    id.p[i] == ':' && i + 1 < id.n && id.p[i + 1] == ':';
		gs_buf_addc(ret, is_border ? '.' : id.p[i]);
		i += is_border;
	}
	return ret->n > 0;
}

static void mark_unit(
    const struct gs_source *source, const struct gs_unit *unit, bool *lines)
{
	size_t line = count_lines(gs_str_sub(source->bytes, 0, unit->start));
	size_t n =
	    count_lines(gs_str_sub(source->bytes, unit->start, unit->end));
	memset(lines + line, true, n);
}

/* Marks the tests of that name; where there is none, a class inherits it and
 * every method of the last part's name is taken. */
static void mark_tests(
    const struct gs_source *source, struct gs_str qualname, bool *lines)
{
	bool is_found = false;
	ptrdiff_t dot = gs_str_rfind_char(qualname, '.');
	struct gs_str name = gs_str_from(qualname, (size_t)(dot + 1));
	for (size_t i = 0; i < source->n_units; i++) {
		const struct gs_unit *unit = &source->units[i];
		if (unit->kind != GS_UNIT_FUNCTION ||
		    !gs_str_eq(unit->qualname, qualname))
			continue;
		mark_unit(source, unit, lines);
		is_found = true;
	}
	for (size_t i = 0; i < source->n_units && !is_found; i++) {
		const struct gs_unit *unit = &source->units[i];
		if (unit->kind == GS_UNIT_FUNCTION &&
		    gs_str_eq(unit->name, name))
			mark_unit(source, unit, lines);
	}
}

bool *gs_test_lines(struct gs_str bytes, const struct gs_strv *node_ids,
    struct gs_str path, size_t *ret_n)
{
	*ret_n = count_lines(bytes);
	bool *lines = gs_alloc(*ret_n + 1);
	struct gs_source source;
	if (gs_source_parse(bytes, &source, NULL) != 0)
		return lines;
	GS_CLEANUP(gs_buf_release) struct gs_buf qualname = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf last = {0};
	for (size_t i = 0; i < node_ids->n; i++) {
		if (!qualname_of(gs_str(node_ids->v[i]), path, &qualname))
			continue;
		/* A parametrised test comes many times over. */
		if (gs_str_eq(gs_buf_str(&qualname), gs_buf_str(&last)))
			continue;
		mark_tests(&source, gs_buf_str(&qualname), lines);
		gs_buf_reset(&last);
		gs_buf_adds(&last, gs_buf_str(&qualname));
	}
	gs_source_release(&source);
	return lines;
}

char *gs_module_name(struct gs_str path, const struct gs_strv *import_roots)
{
	size_t cut = 0;
	for (size_t i = 0; i < import_roots->n; i++) {
		struct gs_str root = gs_str(import_roots->v[i]);
		while (gs_str_ends(root, "/"))
			root = gs_str_sub(root, 0, root.n - 1);
		if (root.n < path.n && root.n + 1 > cut &&
		    gs_str_eq(gs_str_sub(path, 0, root.n), root) &&
		    path.p[root.n] == '/')
			cut = root.n + 1;
	}
	struct gs_str rest = gs_str_from(path, cut);
	if (gs_str_ends(rest, ".py"))
		rest = gs_str_sub(rest, 0, rest.n - 3);
	if (gs_str_ends(rest, "/__init__"))
		rest = gs_str_sub(rest, 0, rest.n - 9);
	char *name = gs_strndup(rest.p, rest.n);
	for (char *c = name; *c; c++)
		if (*c == '/')
			*c = '.';
	return name;
}

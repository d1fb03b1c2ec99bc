/* SPDX-License-Identifier: Apache-2.0 */
#include "table/grid.h"

#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/mem.h"
#include "base/utf8.h"

#define GAP 2       /* spaces between columns */
#define NARROWEST 8 /* a column is not squeezed below this */
#define ELLIPSIS "…"

/* Null and an empty text are told apart. */
static void csv_field(struct gs_buf *out, struct gs_str text, bool is_null)
{
	if (!is_null && text.n == 0)
		gs_buf_addz(out, "\"\"");
	else if (!is_null)
		gs_csv_add(out, text);
}

/* Cut to `width` columns, the last of them an ellipsis. The text is already
 * harmless: no character of it moves the cursor. */
static void put_cut(struct gs_buf *out, struct gs_str text, size_t width)
{
	if (gs_utf8_width(text) <= width) {
		gs_buf_adds(out, text);
		return;
	}
	struct gs_str rest = text;
	size_t used = 0, end = 0;
	while (rest.n > 0) {
		struct gs_str before = rest;
		(void)gs_utf8_next(&rest);
		used += gs_utf8_width(gs_str_n(before.p, before.n - rest.n));
		if (used + 1 > width)
			break;
		end = text.n - rest.n;
	}
	gs_buf_adds(out, gs_str_n(text.p, end));
	gs_buf_addz(out, ELLIPSIS);
}

void grid_begin(struct grid *grid)
{
	if (grid->format == GS_QUERY_JSON_LINES)
		return;
	for (size_t i = 0; i < grid->n; i++) {
		struct gs_str name = gs_str(grid->names.v[i]);
		if (grid->format == GS_QUERY_CSV) {
			if (i > 0)
				gs_buf_addc(grid->out, ',');
			csv_field(grid->out, name, false);
			continue;
		}
		GS_CLEANUP(gs_buf_release) struct gs_buf clean = {0};
		gs_utf8_harmless(&clean, name, false);
		gs_strv_push(&grid->cells, gs_buf_cstr(&clean));
	}
	if (grid->format == GS_QUERY_CSV)
		gs_buf_addc(grid->out, '\n');
}

static void keep_cell(struct grid *grid, const struct grid_cell *cell)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf clean = {0};
	struct gs_str text = cell->text;
	/* Wider than the terminal is never shown: do not keep it. Eight bytes
	 * a column is more than any character takes. */
	if (grid->width > 0 && text.n > 8 * grid->width)
		text.n = 8 * grid->width;
	gs_utf8_harmless(&clean, text, false);
	if (grid->width > 0) {
		GS_CLEANUP(gs_buf_release) struct gs_buf cut = {0};
		put_cut(&cut, gs_buf_str(&clean), grid->width);
		gs_strv_push(&grid->cells, gs_buf_cstr(&cut));
	} else {
		gs_strv_push(&grid->cells, gs_buf_cstr(&clean));
	}
}

static void json_row(struct grid *grid, const struct grid_cell *cells)
{
	struct gs_json json = {.out = grid->out};
	gs_json_begin_object(&json);
	for (size_t i = 0; i < grid->n; i++) {
		gs_json_key(&json, grid->names.v[i]);
		if (cells[i].is_null)
			gs_json_null(&json);
		else
			gs_json_raw(&json, cells[i].text);
	}
	gs_json_end_object(&json);
	gs_buf_addc(grid->out, '\n');
}

void grid_row(struct grid *grid, const struct grid_cell *cells)
{
	if (grid->format == GS_QUERY_JSON_LINES) {
		json_row(grid, cells);
		return;
	}
	for (size_t i = 0; i < grid->n; i++) {
		if (grid->format == GS_QUERY_TABLE) {
			keep_cell(grid, &cells[i]);
			continue;
		}
		if (i > 0)
			gs_buf_addc(grid->out, ',');
		csv_field(grid->out, cells[i].text, cells[i].is_null);
	}
	if (grid->format == GS_QUERY_CSV)
		gs_buf_addc(grid->out, '\n');
}

/* The widest column gives way until all fit, or until it is narrow. */
static void squeeze(size_t *widths, size_t n, size_t room)
{
	for (;;) {
		size_t total = GAP * (n - 1), widest = 0;
		for (size_t i = 0; i < n; i++) {
			total += widths[i];
			if (widths[i] > widths[widest])
				widest = i;
		}
		if (total <= room || widths[widest] <= NARROWEST)
			return;
		widths[widest]--;
	}
}

static void pad(struct gs_buf *out, size_t n, char c)
{
	while (n-- > 0)
		gs_buf_addc(out, c);
}

static void table_row(
    struct grid *grid, const size_t *widths, char *const *cells)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf cell = {0};
	for (size_t i = 0; i < grid->n; i++) {
		gs_buf_reset(&cell);
		put_cut(&cell, gs_str(cells[i]), widths[i]);
		size_t blank = widths[i] - gs_utf8_width(gs_buf_str(&cell));
		if (grid->is_number[i])
			pad(grid->out, blank, ' ');
		gs_buf_adds(grid->out, gs_buf_str(&cell));
		if (i + 1 == grid->n)
			break; /* no spaces at a line's end */
		if (!grid->is_number[i])
			pad(grid->out, blank, ' ');
		pad(grid->out, GAP, ' ');
	}
	gs_buf_addc(grid->out, '\n');
}

void grid_end(struct grid *grid)
{
	if (grid->format != GS_QUERY_TABLE || grid->n == 0)
		return;
	GS_CLEANUP(gs_freep)
	size_t *widths = gs_alloc(grid->n * sizeof(*widths));
	for (size_t i = 0; i < grid->cells.n; i++) {
		size_t width = gs_utf8_width(gs_str(grid->cells.v[i]));
		if (width > widths[i % grid->n])
			widths[i % grid->n] = width;
	}
	if (grid->width > 0)
		squeeze(widths, grid->n, grid->width);
	table_row(grid, widths, grid->cells.v);
	for (size_t i = 0; i < grid->n; i++) {
		pad(grid->out, widths[i], '-');
		if (i + 1 < grid->n)
			pad(grid->out, GAP, ' ');
	}
	gs_buf_addc(grid->out, '\n');
	for (size_t i = grid->n; i < grid->cells.n; i += grid->n)
		table_row(grid, widths, &grid->cells.v[i]);
}

void grid_release(struct grid *grid)
{
	gs_strv_release(&grid->names);
	gs_strv_release(&grid->cells);
	free(grid->is_number);
	*grid = (struct grid){0};
}

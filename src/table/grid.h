/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of a query as text: an aligned table for people, CSV (quoted as RFC
 * 4180 has it, lines end in LF), or JSON Lines. */
#ifndef TABLE_GRID_H
#define TABLE_GRID_H

#include "base/strv.h"
#include "table/table.h"

struct grid_cell {
	struct gs_str text; /* JSON in JSON Lines, else as SQL prints it */
	bool is_null;
};

struct grid {
	enum gs_query_format format;
	size_t width; /* of the terminal, 0: no cutting */
	size_t n;     /* columns */
	struct gs_strv names;
	bool *is_number; /* by column: aligned right */
	struct gs_buf *out;
	/* Kept until grid_end, which alone knows how wide columns are. */
	struct gs_strv cells;
};

void grid_begin(struct grid *grid);
void grid_row(struct grid *grid, const struct grid_cell *cells);
void grid_end(struct grid *grid);
void grid_release(struct grid *grid);

#endif

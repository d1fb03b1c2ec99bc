/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a Python file: spans stay inside it, on line borders, nested
 * properly, and a unit put back in its place gives the file (K3, F064). */
#include <stdlib.h>

#include "base/utf8.h"
#include "py/changed.h"
#include "py/source.h"

#define REQUIRE(condition)                                                     \
	do {                                                                   \
		if (!(condition))                                              \
			abort();                                               \
	} while (0)

static void check_unit(const struct gs_source *source, size_t index)
{
	const struct gs_unit *unit = &source->units[index];
	struct gs_str file = source->bytes;
	REQUIRE(unit->start <= unit->def_start);
	REQUIRE(unit->def_start <= unit->body_start);
	REQUIRE(unit->body_start <= unit->body_end);
	REQUIRE(unit->body_end <= unit->end && unit->end <= file.n);
	REQUIRE(unit->docstring_start <= unit->docstring_end);
	REQUIRE(unit->docstring_end <= unit->end);
	bool has_bom = gs_str_starts(file, "\xef\xbb\xbf");
	REQUIRE(unit->start == (has_bom ? 3 : 0) ||
	        file.p[unit->start - 1] == '\n');
	REQUIRE(unit->end == file.n || file.p[unit->end - 1] == '\n');
	REQUIRE(!unit->has_docstring || gs_utf8_valid(unit->docstring));
	REQUIRE(gs_source_unit(source, unit->qualname, unit->ordinal) == unit);
	REQUIRE(unit->parent < (int)index);
	if (unit->parent >= 0) {
		const struct gs_unit *outer = &source->units[unit->parent];
		REQUIRE(outer->kind == GS_UNIT_CLASS);
		REQUIRE(outer->start <= unit->start);
		REQUIRE(unit->end <= outer->end || outer->has_error);
	}
	GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
	gs_source_splice(file, unit->start, unit->end,
	    gs_str_sub(file, unit->start, unit->end), &out);
	REQUIRE(gs_str_eq(gs_buf_str(&out), file));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Two files in one input, so that their difference is tried too. */
	struct gs_str bytes = gs_str_n((const char *)data, size);
	ptrdiff_t cut = gs_str_find_char(bytes, '\x1d');
	struct gs_str first =
	    cut < 0 ? bytes : gs_str_sub(bytes, 0, (size_t)cut);
	struct gs_str second =
	    cut < 0 ? GS_STR("") : gs_str_from(bytes, (size_t)cut + 1);
	struct gs_source before, after;
	if (gs_source_parse(first, &before, NULL) != 0)
		return 0;
	if (gs_source_parse(second, &after, NULL) == 0) {
		for (size_t i = 0; i < before.n_units; i++)
			check_unit(&before, i);
		struct gs_file_change change;
		GS_CLEANUP(gs_strv_release) struct gs_strv names = {0};
		gs_file_change_find(&before, &after, &change);
		gs_file_change_names(&change, &before, &after, "m", &names);
		REQUIRE((names.n > 0) == !gs_str_eq(first, second));
		(void)gs_file_change_smallest(&before, &after);
		gs_file_change_release(&change);
		gs_strv_reset(&names);
		gs_public_api_change(&before, &after, &names, &names, &names);
		gs_source_defined_names(first, &names);
		gs_source_words(first, NULL, 0, &names, &names);
		gs_source_release(&after);
	}
	gs_source_release(&before);
	return 0;
}

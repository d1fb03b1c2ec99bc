/* SPDX-License-Identifier: Apache-2.0 */
/* K5: the smallest unit that holds everything that changed. */
#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "py/changed.h"

/* A file's lines that are not blank: each one's place and text. */
struct full_lines {
	struct full_line {
		size_t at;
		struct gs_str text;
	} * v;

	size_t n, cap;
};

/* Lines [first, end) of one side's full lines. */
struct span {
	size_t first, end;
};

static void read_lines(struct gs_str bytes, struct full_lines *ret)
{
	struct gs_str rest = bytes, line;
	size_t at = 0;
	while (gs_str_cut(&rest, '\n', &line)) {
		if (gs_str_trim(line).n > 0)
			*GS_VEC_ADD(ret) = (struct full_line){at, line};
		at += line.n + 1;
	}
}

static size_t line_index(const struct full_lines *lines, size_t at)
{
	size_t low = 0, high = lines->n;
	while (low < high) {
		size_t mid = low + (high - low) / 2;
		if (lines->v[mid].at < at)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static struct span span_of(
    const struct full_lines *lines, const struct gs_unit *unit)
{
	return (struct span){
	    line_index(lines, unit->start), line_index(lines, unit->end)};
}

struct judge {
	struct full_lines own, other;
	size_t prefix, suffix; /* equal lines at both ends */
	struct gs_map counterparts;
};

static void count_equal(struct judge *judge)
{
	const struct full_lines *a = &judge->own, *b = &judge->other;
	size_t most = a->n < b->n ? a->n : b->n;
	while (judge->prefix < most &&
	       gs_str_eq(a->v[judge->prefix].text, b->v[judge->prefix].text))
		judge->prefix++;
	while (judge->suffix < most &&
	       gs_str_eq(a->v[a->n - 1 - judge->suffix].text,
	           b->v[b->n - 1 - judge->suffix].text))
		judge->suffix++;
}

/* The rest of the file is the same when this unit is taken out, together
 * with the unit of its name on the other side where there is one. */
static bool holds_all(
    const struct judge *judge, struct span own, struct span other)
{
	return own.first == other.first && own.first <= judge->prefix &&
	       judge->own.n - own.end == judge->other.n - other.end &&
	       judge->own.n - own.end <= judge->suffix;
}

static void put_key(struct gs_buf *key, const struct gs_unit *unit)
{
	gs_buf_reset(key);
	gs_buf_addf(key, "%d:", unit->ordinal);
	gs_buf_adds(key, unit->qualname);
}

static const struct gs_unit *find_in(
    const struct gs_source *own, const struct gs_source *other)
{
	struct judge judge = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf key = {0};
	read_lines(own->bytes, &judge.own);
	read_lines(other->bytes, &judge.other);
	count_equal(&judge);
	for (size_t i = 0; i < other->n_units; i++) {
		put_key(&key, &other->units[i]);
		*gs_map_at(&judge.counterparts, gs_buf_str(&key)) =
		    &other->units[i];
	}
	const struct gs_unit *best = NULL;
	for (size_t i = 0; i < own->n_units; i++) {
		const struct gs_unit *unit = &own->units[i];
		struct span span = span_of(&judge.own, unit);
		put_key(&key, unit);
		const struct gs_unit *twin =
		    gs_map_get(&judge.counterparts, gs_buf_str(&key));
		struct span other_span = {span.first, span.first};
		if (twin)
			other_span = span_of(&judge.other, twin);
		if (!holds_all(&judge, span, other_span))
			continue;
		if (!best || unit->end - unit->start < best->end - best->start)
			best = unit;
	}
	GS_VEC_FREE(&judge.own);
	GS_VEC_FREE(&judge.other);
	gs_map_release(&judge.counterparts);
	return best;
}

const struct gs_unit *gs_file_change_smallest(
    const struct gs_source *before, const struct gs_source *after)
{
	if (gs_str_eq(before->bytes, after->bytes))
		return NULL;
	const struct gs_unit *unit = find_in(after, before);
	return unit ? unit : find_in(before, after);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "py/canary.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "py/encoding.h"
#include "py/mutant.h"

/* Tests that are copied, each twice. */
#define MAX_COPIED 2

/* A text that goes into the file at a place. */
struct planting {
	size_t at, order;
	struct gs_buf text;
};

struct garden {
	const struct gs_canary_request *request;
	struct gs_source source;
	uint64_t words, places; /* states of the random numbers */
	struct gs_strv names;   /* given away: two alike would hide one */
	struct gs_canaries *canaries;

	struct {
		struct planting *v;
		size_t n, cap;
	} plantings;
};

void gs_canaries_release(struct gs_canaries *canaries)
{
	for (size_t i = 0; i < canaries->n; i++) {
		free(canaries->v[i].id);
		free(canaries->v[i].role);
	}
	GS_VEC_FREE(canaries);
}

/* splitmix64: the seed is what is random, this only spreads it. */
static uint64_t next_random(uint64_t *state)
{
	uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static size_t pick(uint64_t *state, size_t n)
{
	return (size_t)(next_random(state) % n);
}

/* Does one of the record's ids hold this name? */
static bool is_other(const struct garden *garden, const char *name)
{
	const struct gs_strv *ids = garden->request->others;
	for (size_t i = 0; ids && i < ids->n; i++)
		if (strstr(ids->v[i], name))
			return true;
	return false;
}

/* "test_total" → "test_total_nested_order", which neither the file holds nor
 * another canary has: of two functions of one name Python keeps the last. */
static char *new_name(struct garden *garden, struct gs_str like)
{
	static const char *const words[] = {"again", "basic", "both", "case",
	    "chain", "copy", "default", "deep", "empty", "equal", "extra",
	    "first", "full", "given", "inner", "input", "items", "keeps",
	    "large", "last", "length", "list", "long", "many", "merge",
	    "missing", "mixed", "name", "nested", "none", "odd", "once", "only",
	    "order", "other", "outer", "pair", "plain", "range", "reset",
	    "result", "returns", "same", "second", "short", "simple", "single",
	    "small", "sorted", "split", "start", "state", "string", "tail",
	    "third", "twice", "type", "unique", "update", "value", "whole",
	    "with", "zero", "zip"};
	for (;;) {
		GS_CLEANUP(gs_freep)
		char *name = gs_format("%.*s_%s_%s", GS_STR_ARG(like),
		    words[pick(&garden->words, GS_COUNT(words))],
		    words[pick(&garden->words, GS_COUNT(words))]);
		if (!gs_str_contains(garden->request->file, gs_str(name)) &&
		    !is_other(garden, name) &&
		    !gs_strv_has(&garden->names, name)) {
			gs_strv_push(&garden->names, name);
			return gs_steal(&name);
		}
	}
}

static struct planting *plant(struct garden *garden, size_t at)
{
	struct planting *planting = GS_VEC_ADD(&garden->plantings);
	planting->at = at;
	planting->order = garden->plantings.n;
	gs_buf_addc(&planting->text, '\n');
	return planting;
}

/* Remembers a canary that is named `name` and stands in the class of `unit`
 * (NULL: none). */
static void remember(struct garden *garden, const struct gs_unit *unit,
    const char *name, enum gs_canary_kind kind, const char *role)
{
	struct gs_buf id = {0};
	gs_buf_adds(&id, garden->request->path);
	gs_buf_addz(&id, "::");
	if (unit && unit->parent >= 0) {
		struct gs_str rest =
		    garden->source.units[unit->parent].qualname;
		struct gs_str part;
		while (gs_str_cut(&rest, '.', &part)) {
			gs_buf_adds(&id, part);
			gs_buf_addz(&id, "::");
		}
	}
	gs_buf_addz(&id, name);
	struct gs_canary *canary = GS_VEC_ADD(garden->canaries);
	canary->kind = kind;
	canary->id = gs_buf_steal(&id);
	canary->role = gs_strdup(role);
}

/* A test of two lines among its neighbours. */
static void plant_plain(struct garden *garden, const struct gs_unit *like,
    size_t at, enum gs_canary_kind kind)
{
	GS_CLEANUP(gs_freep)
	char *name = new_name(garden, like ? like->name : GS_STR("test"));
	struct gs_str indent = like ? like->indent : GS_STR("");
	bool has_tabs = indent.n > 0 && indent.p[0] == '\t';
	unsigned a = 2 + (unsigned)pick(&garden->words, 900);
	unsigned b = 2 + (unsigned)pick(&garden->words, 900);
	unsigned sum = a + b;
	if (kind == GS_CANARY_FAILS)
		sum += 1 + (unsigned)pick(&garden->words, 90);
	struct planting *planting = plant(garden, at);
	gs_buf_addf(&planting->text, "%.*sdef %s(%s):\n", GS_STR_ARG(indent),
	    name, like && like->parent >= 0 ? "self" : "");
	gs_buf_addf(&planting->text, "%.*s%svalue = %u\n", GS_STR_ARG(indent),
	    has_tabs ? "\t" : "    ", a);
	gs_buf_addf(&planting->text, "%.*s%sassert value + %u == %u\n",
	    GS_STR_ARG(indent), has_tabs ? "\t" : "    ", b, sum);
	remember(garden, like, name, kind,
	    kind == GS_CANARY_FAILS ? "fails" : "passes");
}

static void plant_copy(struct garden *garden, const struct gs_unit *unit,
    size_t at, enum gs_mutant_side side, const char *role)
{
	GS_CLEANUP(gs_freep) char *name = new_name(garden, unit->name);
	GS_CLEANUP(gs_buf_release) struct gs_buf copy = {0};
	if (!gs_test_mutant(garden->request->file, unit, side, name, &copy))
		return;
	struct planting *planting = plant(garden, at);
	gs_buf_adds(&planting->text, gs_buf_str(&copy));
	GS_CLEANUP(gs_freep)
	char *whole = gs_format("%.*s %s", GS_STR_ARG(unit->qualname), role);
	remember(garden, unit, name,
	    side == GS_MUTANT_NONE ? GS_CANARY_TWIN : GS_CANARY_MUTANT, whole);
}

/* "file::A::test_x[1]" → the unit A.test_x, of several the last (which is
 * the one that Python keeps). */
static const struct gs_unit *unit_of(
    const struct garden *garden, const char *id)
{
	struct gs_str rest = gs_str(id);
	GS_CLEANUP(gs_buf_release) struct gs_buf qualname = {0};
	if (!gs_str_starts(rest, garden->request->path.p))
		return NULL;
	rest = gs_str_from(rest, garden->request->path.n);
	if (!gs_str_starts(rest, "::"))
		return NULL;
	ptrdiff_t bracket = gs_str_find_char(rest, '[');
	if (bracket >= 0)
		rest = gs_str_sub(rest, 0, (size_t)bracket);
	while (gs_str_starts(rest, "::")) {
		rest = gs_str_from(rest, 2);
		ptrdiff_t next = gs_str_find(rest, GS_STR("::"));
		size_t n = next < 0 ? rest.n : (size_t)next;
		gs_buf_addf(
		    &qualname, "%s%.*s", qualname.n ? "." : "", (int)n, rest.p);
		rest = gs_str_from(rest, n);
	}
	const struct gs_unit *last = NULL, *unit;
	for (int i = 0; (unit = gs_source_unit(&garden->source,
	                     gs_buf_str(&qualname), i)) != NULL;
	     i++)
		last = unit;
	return last && last->kind == GS_UNIT_FUNCTION ? last : NULL;
}

/* Do two tests of one look stand in one block? Between those of `if` and
 * `else` there is a line further left. */
static bool share_block(const struct garden *garden, const struct gs_unit *a,
    const struct gs_unit *b)
{
	const struct gs_unit *first = a->start < b->start ? a : b;
	const struct gs_unit *second = first == a ? b : a;
	if (first->end >= second->start)
		return true;
	struct gs_str line,
	    rest = gs_str_sub(garden->request->file, first->end, second->start);
	while (rest.n && gs_str_cut(&rest, '\n', &line)) {
		size_t n = 0;
		while (n < line.n && (line.p[n] == ' ' || line.p[n] == '\t'))
			n++;
		if (n < line.n && line.p[n] != '#' && line.p[n] != '\r' &&
		    n < a->indent.n)
			return false;
	}
	return true;
}

/* The end of some test beside `unit`. */
static size_t place_near(struct garden *garden, const struct gs_unit *unit)
{
	size_t places[64], n = 0;
	for (size_t i = 0; i < garden->source.n_units && n < 64; i++) {
		const struct gs_unit *other = &garden->source.units[i];
		if (other->kind == GS_UNIT_FUNCTION &&
		    other->parent == unit->parent &&
		    gs_str_eq(other->indent, unit->indent) &&
		    gs_str_starts(other->name, "test") &&
		    share_block(garden, unit, other))
			places[n++] = other->end;
	}
	return n ? places[pick(&garden->places, n)] : unit->end;
}

/* The changed copies stand outermost: who makes a table of questions and
 * answers out of the file gets a wrong answer, be it the first that counts or
 * the last. */
static void plant_copies(struct garden *garden, const struct gs_unit *unit)
{
	plant_copy(garden, unit, unit->start, GS_MUTANT_RIGHT, "right, before");
	plant_copy(garden, unit, unit->end, GS_MUTANT_NONE, "twin");
	plant_copy(garden, unit, unit->end, GS_MUTANT_LEFT, "left");
	plant_copy(garden, unit, unit->end, GS_MUTANT_NEAR, "near, after");
}

static void plant_among(struct garden *garden, const struct gs_unit *unit,
    const struct gs_unit *const *copied, size_t n_copied)
{
	for (size_t i = 0; i < n_copied; i++)
		plant_copies(garden, copied[i]);
	plant_plain(garden, unit, place_near(garden, unit), GS_CANARY_FAILS);
	plant_plain(garden, unit, place_near(garden, unit), GS_CANARY_PASSES);
}

static int by_place(const void *a, const void *b)
{
	const struct planting *x = a, *y = b;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static void write_file(struct garden *garden, struct gs_buf *ret)
{
	struct gs_str file = garden->request->file;
	size_t from = 0;
	GS_VEC_SORT(&garden->plantings, by_place);
	for (size_t i = 0; i < garden->plantings.n; i++) {
		struct planting *planting = &garden->plantings.v[i];
		gs_buf_adds(ret, gs_str_sub(file, from, planting->at));
		if (ret->n && ret->p[ret->n - 1] != '\n')
			gs_buf_addc(ret, '\n');
		gs_buf_adds(ret, gs_buf_str(&planting->text));
		gs_buf_release(&planting->text);
		from = planting->at;
	}
	gs_buf_adds(ret, gs_str_from(file, from));
	GS_VEC_FREE(&garden->plantings);
}

int gs_canaries_plant(const struct gs_canary_request *request,
    struct gs_canaries *ret, struct gs_buf *ret_file, struct gs_err *err)
{
	struct garden garden = {.request = request,
	    .words = request->seed,
	    .places = request->places,
	    .canaries = ret};
	int rc = gs_source_parse(request->file, &garden.source, err);
	if (rc)
		return rc;
	const struct gs_unit *copied[MAX_COPIED];
	size_t n = 0;
	for (size_t i = 0;
	     !request->at_end && i < request->ids->n && n < MAX_COPIED; i++) {
		const struct gs_unit *unit =
		    unit_of(&garden, request->ids->v[i]);
		if (unit && (n == 0 || copied[n - 1] != unit))
			copied[n++] = unit;
	}
	if (n > 0) {
		plant_among(&garden, copied[0], copied, n);
	} else {
		plant_plain(&garden, NULL, request->file.n, GS_CANARY_FAILS);
		plant_plain(&garden, NULL, request->file.n, GS_CANARY_PASSES);
	}
	write_file(&garden, ret_file);
	gs_strv_release(&garden.names);
	gs_source_release(&garden.source);
	return 0;
}

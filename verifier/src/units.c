/* SPDX-License-Identifier: Apache-2.0 */
/* Names of what a commit touched (K5), without a difference of lines: a unit
 * is touched when its own text is not the same on both sides. Where only
 * blank lines differ, it may be named and need not be. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "text.h"

/* one side of a changed file */
struct side {
	const struct gv_buf *bytes;
	const json_t *look;
};

static int64_t place(const json_t *unit, const char *key)
{
	return json_integer_value(json_object_get(unit, key));
}

static bool nested(const json_t *unit)
{
	return json_is_true(json_object_get(unit, "nested"));
}

/* What stands in [start, end) and in none of the units below `name`; with the
 * empty name, in no unit at all. */
static void own_text(const struct side *s, const char *name, int64_t start,
    int64_t end, struct gv_buf *to)
{
	char *below = gv_format("%s%s", name, *name ? "." : "");
	int64_t at = start;
	size_t i;
	json_t *unit;

	gv_put(to, "", 0);
	json_array_foreach(json_object_get(s->look, "units"), i, unit)
	{
		if (nested(unit) || !gv_starts(gv_get(unit, "name"), below) ||
		    place(unit, "start") < at || place(unit, "end") > end)
			continue;
		gv_put(
		    to, s->bytes->s + at, (size_t)(place(unit, "start") - at));
		at = place(unit, "end");
	}
	if (at < end)
		gv_put(to, s->bytes->s + at, (size_t)(end - at));
	free(below);
}

/* Without blank lines, and without blanks at the ends of lines. */
static void squeeze(const struct gv_buf *text, struct gv_buf *to)
{
	const char *s = gv_text(text), *end = s + text->n;

	gv_put(to, "", 0);
	while (s < end) {
		const char *lf = memchr(s, '\n', (size_t)(end - s));
		size_t n = lf ? (size_t)(lf - s) : (size_t)(end - s);
		size_t used = n + (lf != NULL);

		while (n && strchr(" \t\r\f", s[n - 1]))
			n--;
		if (n) {
			gv_put(to, s, n);
			gv_puts(to, "\n");
		}
		s += used;
	}
}

/* Adds a text, as its hash, under a name that may be used twice in a file. */
static void note(
    json_t *all, const char *name, const struct gv_buf *text, bool tight)
{
	struct gv_buf squeezed = {0};
	json_t *list = json_object_get(all, name);
	char hex[GV_HEX];

	if (tight)
		squeeze(text, &squeezed);
	else
		gv_put(&squeezed, gv_text(text), text->n);
	gv_sha256(squeezed.s, squeezed.n, hex);
	if (!list) {
		list = json_array();
		json_object_set_new(all, name, list);
	}
	json_array_append_new(list, json_string(hex));
	gv_drop(&squeezed);
}

/* The own texts of all units of a side; "" stands for the rest of the file. */
static json_t *own_texts(const struct side *s, bool tight)
{
	json_t *all = json_object(), *unit;
	struct gv_buf text = {0};
	size_t i;

	json_array_foreach(json_object_get(s->look, "units"), i, unit)
	{
		int64_t start = place(unit, "start"), end = place(unit, "end");

		if (nested(unit))
			continue;
		text.n = 0;
		if (json_is_true(json_object_get(unit, "class")))
			own_text(s, gv_get(unit, "name"), start, end, &text);
		else
			gv_put(
			    &text, s->bytes->s + start, (size_t)(end - start));
		note(all, gv_get(unit, "name"), &text, tight);
	}
	text.n = 0;
	own_text(s, "", 0, (int64_t)s->bytes->n, &text);
	if (text.n && strspn(text.s, " \t\r\n\f") < text.n)
		note(all, "", &text, tight);
	gv_drop(&text);
	return all;
}

/* Names whose texts differ go into `to`, behind the module. */
static void differing(json_t *a, json_t *b, const char *module, json_t *to)
{
	json_t *sides[] = {a, b};
	const char *name;
	json_t *texts;

	for (int s = 0; s < 2; s++)
		json_object_foreach(sides[s], name,
		    texts) if (!json_equal(texts,
		                   json_object_get(sides[1 - s], name)))
		{
			char *full = gv_format("%s:%s", module, name);

			json_object_set_new(to, full, json_true());
			free(full);
		}
}

static void sides_of(struct gv_check *c, size_t i, struct side sides[2])
{
	static struct gv_buf none;
	struct gv_tree *trees[] = {&c->parent_tree, &c->commit_tree};

	gv_put(&none, "", 0);

	for (size_t s = 0; s < 2; s++) {
		struct gv_entry *e = gv_find(trees[s], c->changed[i]);

		sides[s].bytes = e ? gv_bytes(&c->repo, e) : &none;
		sides[s].look = json_array_get(c->looks, 2 * i + s);
	}
}

static void touched_in(struct gv_check *c, size_t i, json_t *must, json_t *may)
{
	char *module = gv_module(c, c->changed[i]);
	struct side sides[2];

	sides_of(c, i, sides);
	if (!json_is_true(json_object_get(sides[0].look, "parses")) ||
	    !json_is_true(json_object_get(sides[1].look, "parses"))) {
		char *name = gv_format("%s:", module);

		json_object_set_new(must, name, json_true());
		free(name);
	}
	for (int tight = 0; tight < 2; tight++) {
		json_t *a = own_texts(&sides[0], tight);
		json_t *b = own_texts(&sides[1], tight);

		differing(a, b, module, tight ? must : may);
		json_decref(a);
		json_decref(b);
	}
	free(module);
}

void gv_check_units(struct gv_check *c)
{
	json_t *must = json_object(), *may = json_object(),
	       *named = json_object();
	const json_t *list = json_object_get(c->row, "units_changed");
	const char *name, *last = "";
	json_t *one;
	size_t i;

	for (i = 0; i < c->n_changed; i++)
		touched_in(c, i, must, may);
	json_array_foreach(list, i, one)
	{
		name = json_string_value(one);
		if (strcmp(name, last) <= 0)
			gv_refute(c, "units_changed",
			    "its names are not sorted, or stand there twice");
		if (!json_object_get(must, name) && !json_object_get(may, name))
			gv_refute(c, "units_changed",
			    "%s is the same on both sides", name);
		json_object_set_new(named, name, json_true());
		last = name;
	}
	json_object_foreach(must, name, one) if (!json_object_get(named, name))
	    gv_refute(c, "units_changed", "%s differs and is not listed", name);
	gv_holds(c, "units_changed");
	json_decref(must);
	json_decref(may);
	json_decref(named);
}

/* The file without every unit of this name; how many there were. */
static size_t without(
    const struct side *s, const char *name, bool tight, struct gv_buf *to)
{
	struct gv_buf text = {0};
	size_t i, n = 0, at = 0;
	json_t *unit;

	gv_put(&text, "", 0);
	json_array_foreach(json_object_get(s->look, "units"), i, unit)
	{
		if (strcmp(gv_get(unit, "name"), name) != 0 || nested(unit) ||
		    place(unit, "start") < (int64_t)at)
			continue;
		gv_put(
		    &text, s->bytes->s + at, (size_t)place(unit, "start") - at);
		at = (size_t)place(unit, "end");
		n++;
	}
	gv_put(&text, s->bytes->s + at, s->bytes->n - at);
	if (tight)
		squeeze(&text, to);
	else
		gv_put(to, text.s, text.n);
	gv_drop(&text);
	return n;
}

/* Do all changes stand in the unit of this name? Loosely, blank lines around
 * it do not count, and it may be on one side only. */
static bool holds_changes(
    const struct side sides[2], const char *name, bool loose)
{
	struct gv_buf a = {0}, b = {0};
	size_t n = without(&sides[0], name, loose, &a);
	size_t m = without(&sides[1], name, loose, &b);
	bool same = n <= 1 && m <= 1 && (loose ? n + m > 0 : n + m == 2);

	same = same && a.n == b.n && memcmp(gv_text(&a), gv_text(&b), a.n) == 0;
	gv_drop(&a);
	gv_drop(&b);
	return same;
}

/* A unit whose name begins so, and that holds all changes. */
static const char *smaller(const struct side sides[2], const char *start)
{
	size_t i;
	json_t *unit;

	json_array_foreach(json_object_get(sides[1].look, "units"), i,
	    unit) if (!nested(unit) && gv_starts(gv_get(unit, "name"), start) &&
	              holds_changes(sides, gv_get(unit, "name"),
	                  false)) return gv_get(unit, "name");
	return NULL;
}

void gv_check_file_unit(struct gv_check *c)
{
	const char *unit = gv_get(c->row, "unit"), *inside;
	bool whole = strcmp(unit, gv_get(c->row, "module")) == 0;
	char *start = gv_format("%s%s", whole ? "" : unit, whole ? "" : ".");
	struct side sides[2];

	sides_of(c, 0, sides);

	for (size_t i = 0; i < c->n_changed; i++)
		if (strcmp(c->changed[i], c->source) == 0)
			sides_of(c, i, sides);
	inside = smaller(sides, start);
	if (!whole && !holds_changes(sides, unit, true))
		gv_refute(c, "unit", "no such unit holds all changed lines");
	else if (inside)
		gv_refute(c, "unit", "%s holds all changed lines", inside);
	else
		gv_holds(c, "unit");
	free(start);
}

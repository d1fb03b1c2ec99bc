/* SPDX-License-Identifier: Apache-2.0 */
/* The published texts inside the files of both commits, and their spec. */
#include <iconv.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "check.h"
#include "text.h"

static const char *text_of(const json_t *object, const char *key, size_t *n)
{
	const json_t *value = json_object_get(object, key);

	*n = json_string_length(value);
	return json_string_value(value) ? json_string_value(value) : "";
}

static bool same_text(
    const json_t *a, const char *a_key, const json_t *b, const char *b_key)
{
	size_t n, m;
	const char *s = text_of(a, a_key, &n), *t = text_of(b, b_key, &m);

	return n == m && memcmp(s, t, n) == 0;
}

/* What the parsers are asked about: both sides of every changed file. */
static void look_at_all(struct gv_check *c)
{
	json_t *ask = json_array();
	char *folder = gv_look_folder(&c->bench);

	for (size_t i = 0; i < 2 * c->n_changed; i++) {
		struct gv_tree *tree =
		    i % 2 ? &c->commit_tree : &c->parent_tree;
		struct gv_entry *e = gv_find(tree, c->changed[i / 2]);
		char *name = gv_format("%zu.py", i);
		char *path = gv_format("%s/%s", folder, name);
		static const struct gv_buf none = {0};
		const struct gv_buf *bytes = e ? gv_bytes(&c->repo, e) : &none;

		gv_write(path, gv_text(bytes), bytes->n, 0644);
		json_array_append_new(ask, json_string(name));
		free(name);
		free(path);
	}
	c->looks = gv_look(&c->bench, ask);
	for (size_t i = 0; i < c->n_changed; i++)
		if (strcmp(c->changed[i], c->source) == 0) {
			c->old_look = json_array_get(c->looks, 2 * i);
			c->new_look = json_array_get(c->looks, 2 * i + 1);
		}
	json_decref(ask);
	free(folder);
}

/* O4: names that the changed files define after the fix and not before. */
static void find_names(struct gv_check *c)
{
	size_t i, k;
	json_t *look, *name;

	c->names = json_object();
	json_array_foreach(c->looks, i, look) if (i % 2) json_array_foreach(
	    json_object_get(look, "names"), k, name)
	    json_object_set_new(c->names, json_string_value(name), json_true());
	json_array_foreach(c->looks, i, look) if (i % 2 == 0)
	    json_array_foreach(json_object_get(look, "names"), k, name)
	        json_object_del(c->names, json_string_value(name));
}

/* The n-th of the units of a name that is a function of its own (K2, K3). */
static json_t *unit_number(const json_t *look, const char *name, size_t n)
{
	size_t i;
	json_t *unit;

	json_array_foreach(json_object_get(look, "units"), i,
	    unit) if (strcmp(gv_get(unit, "name"), name) == 0 &&
	              !json_is_true(json_object_get(unit, "nested")) &&
	              n-- == 0) return unit;
	return NULL;
}

/* Name of the function whose text this is, or NULL. */
static const char *whose_text(
    const json_t *look, const json_t *row, const char *column)
{
	size_t i;
	json_t *unit;

	json_array_foreach(json_object_get(look, "units"), i,
	    unit) if (!json_is_true(json_object_get(unit, "class")) &&
	              same_text(unit, "text", row, column)) return gv_get(unit,
	    "name");
	return NULL;
}

/* The first place in which two texts differ, as a sentence. */
static char *difference(const char *is, const char *says)
{
	size_t line = 1, start = 0, i = 0;

	for (; is[i] && is[i] == says[i]; i++)
		if (is[i] == '\n') {
			line++;
			start = i + 1;
		}
	return gv_format("line %zu of it reads `%.*s`", line,
	    (int)strcspn(is + start, "\n"), is + start);
}

/* A column against the text that was found, with the place that differs. */
static void compare(
    struct gv_check *c, const char *column, const json_t *look, const char *key)
{
	char *where = difference(gv_get(look, key), gv_get(c->row, column));

	gv_claim(c, column, same_text(look, key, c->row, column), "%s", where);
	free(where);
}

/* Encodes published text back to the file's encoding (W5). */
static void encode(
    const json_t *look, const char *text, size_t n, struct gv_buf *to)
{
	const char *codec = gv_get(look, "codec");
	iconv_t cd;
	char *from = gv_loose(text), *out;
	size_t room = n * 4 + 16;

	if (gv_starts(codec, "utf-8")) {
		gv_put(to, text, n);
		return;
	}
	cd = iconv_open(codec, "UTF-8");
	if ((intptr_t)cd == -1)
		gv_die("the encoding %s is not known here", codec);
	to->s = out = gv_alloc(room + 1);
	to->cap = room + 1;
	if (iconv(cd, &from, &n, &out, &room) == (size_t)-1)
		gv_die("a text cannot be written in %s", codec);
	to->n = (size_t)(out - to->s);
	iconv_close(cd);
}

static int64_t place(const json_t *unit, const char *key)
{
	return json_integer_value(json_object_get(unit, key));
}

/* S2: the unit's bytes are replaced at its one place. */
static void splice(
    struct gv_check *c, const struct gv_buf *old, const json_t *unit)
{
	size_t n, start = (size_t)place(unit, "start");
	size_t end = (size_t)place(unit, "end");
	const char *text = text_of(c->row, "source_after", &n);
	struct gv_buf bytes = {0};

	encode(c->old_look, text, n, &bytes);
	gv_put(&c->new_bytes, old->s, start);
	gv_put(&c->new_bytes, bytes.s, bytes.n);
	gv_put(&c->new_bytes, old->s + end, old->n - end);
	gv_drop(&bytes);
}

static bool whole_file(
    const json_t *look, const json_t *row, const char *column)
{
	return json_object_get(look, "text") &&
	       same_text(look, "text", row, column);
}

/* A whole file's text under `function`, or a unit's under `file`. Where a
 * function is all that a file holds, the text is both. */
static bool other_granularity(struct gv_check *c, bool function)
{
	const char *name = whose_text(c->new_look, c->row, "source_after");

	if (function && !name &&
	    whole_file(c->old_look, c->row, "source_before") &&
	    whole_file(c->new_look, c->row, "source_after")) {
		gv_refute(
		    c, "granularity", "the texts are those of the whole file");
		return true;
	}
	if (!function && name &&
	    !whole_file(c->new_look, c->row, "source_after") &&
	    whose_text(c->old_look, c->row, "source_before")) {
		gv_refute(c, "granularity",
		    "the texts are those of the unit %s", name);
		return true;
	}
	return false;
}

/* The units of the record's name on both sides, told apart by their order;
 * a pair whose texts are the published ones is what it is about. */
static bool check_unit_texts(struct gv_check *c, const struct gv_buf *old)
{
	const char *name = gv_get(c->row, "unit"), *other;
	json_t *a = unit_number(c->old_look, name, 0);
	json_t *b = unit_number(c->new_look, name, 0), *best_a = a, *best_b = b;

	if (!a || !b || json_is_true(json_object_get(b, "class"))) {
		other = whose_text(c->new_look, c->row, "source_after");
		gv_refute(c, "unit", "%s%s",
		    other ? "the texts are those of "
		          : "there is no such function",
		    other ? other : "");
		return false;
	}
	for (size_t i = 0; a && b; i++) {
		if (same_text(a, "text", c->row, "source_before") &&
		    same_text(b, "text", c->row, "source_after")) {
			best_a = a;
			best_b = b;
			break;
		}
		a = unit_number(c->old_look, name, i + 1);
		b = unit_number(c->new_look, name, i + 1);
	}
	gv_holds(c, "unit");
	compare(c, "source_before", best_a, "text");
	compare(c, "source_after", best_b, "text");
	if (same_text(best_b, "text", c->row, "source_after")) {
		gv_equal(c, "spec_source", "docstring");
		if (json_is_string(json_object_get(best_b, "doc")))
			compare(c, "spec", best_b, "doc");
		else
			gv_refute(c, "spec", "the unit has no docstring");
	}
	if (c->refuted)
		return false;
	splice(c, old, best_a);
	return true;
}

/* Bytes of a file as published text: decoded, without a byte order mark. */
static json_t *file_text(const json_t *look, const struct gv_buf *bytes)
{
	const char *s = gv_text(bytes);
	size_t n = bytes->n;

	if (json_object_get(look, "text"))
		return json_pack(
		    "{s:O}", "text", json_object_get(look, "text"));
	if (n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0) {
		s += 3;
		n -= 3;
	}
	if (!gv_is_utf8(s, n))
		return json_pack("{s:s}", "text", "");
	return json_pack("{s:o}", "text", json_stringn(s, n));
}

static bool check_file_texts(
    struct gv_check *c, const struct gv_buf *old, const struct gv_buf *new)
{
	json_t *a = file_text(c->old_look, old),
	       *b = file_text(c->new_look, new);
	struct gv_buf spec = {0};

	compare(c, "source_before", a, "text");
	compare(c, "source_after", b, "text");
	gv_equal(c, "spec_source", "commit_message");
	gv_message_spec(&c->commit.message, &spec);
	gv_equal(c, "spec", gv_text(&spec));
	gv_drop(&spec);
	json_decref(a);
	json_decref(b);
	if (!c->refuted)
		gv_check_file_unit(c);
	gv_put(&c->new_bytes, new->s, new->n);
	return !c->refuted;
}

static void check_subject(struct gv_check *c)
{
	struct gv_buf text = {0};

	gv_subject(&c->commit.message, &text);
	gv_equal(c, "subject", gv_text(&text));
	gv_drop(&text);
}

static void check_tree_id(
    struct gv_check *c, const char *column, const struct gv_tree *tree)
{
	const char *said = gv_get(c->evidence, column);
	char id[GV_HEX];

	if (!*said)
		return;
	gv_tree_id(&c->repo, tree, id);
	gv_claim(c, column, strcmp(said, id) == 0, "%s, and not %s", id, said);
}

bool gv_check_source(struct gv_check *c)
{
	bool function = strcmp(gv_get(c->row, "granularity"), "function") == 0;
	struct gv_entry *before = gv_find(&c->parent_tree, c->source);
	struct gv_entry *after = gv_find(&c->commit_tree, c->source);
	const struct gv_buf *old, *new;
	bool ok;

	if (!c->bench.python->program)
		gv_die("no Python interpreter with pytest was found; install "
		       "pytest, or name an interpreter with --python");
	look_at_all(c);
	find_names(c);
	check_subject(c);
	gv_check_units(c);
	if (!before || !after) {
		gv_refute(c, before ? "source_after" : "source_before",
		    "%s is not there", c->source);
		return false;
	}
	if (other_granularity(c, function))
		return false;
	old = gv_bytes(&c->repo, before);
	new = gv_bytes(&c->repo, after);
	ok =
	    function ? check_unit_texts(c, old) : check_file_texts(c, old, new);
	if (!ok)
		return false;
	gv_make_before(&c->parent_tree, &c->commit_tree, &c->own, &c->before);
	gv_make_after(
	    &c->repo, &c->before, c->source, &c->new_bytes, &c->after);
	check_tree_id(c, "tree_before", &c->before);
	check_tree_id(c, "tree_after", &c->after);
	return !c->refuted;
}

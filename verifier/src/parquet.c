/* SPDX-License-Identifier: Apache-2.0 */
#include "parquet.h"

#include <stdlib.h>
#include <string.h>

#include "parquet_file.h"

#define MOST_VALUES (8 << 20)
#define MOST_MADE ((size_t)2 << 30) /* bytes in memory, about */
#define ROW_BYTES 256u
#define VALUE_BYTES 64u

static const char too_much[] = "it holds more than this reader takes";

/* one column of one row group on its way into the rows */
struct reading {
	struct pq_file *file;
	const struct pq_column *column;
	json_t *rows;
	size_t first, end, at; /* rows of the group, and how many were begun */
	json_t *list;          /* of the row that is being filled */
	struct gv_buf page, dictionary_page;
	struct pq_values values, dictionary;
	uint32_t *def, *rep, *index;
	size_t present;
};

static json_t *as_json(const struct pq_column *column, const union pq_value *v)
{
	switch (column->type) {
	case PQ_BOOL:
		return json_boolean(v->i);
	case PQ_INT32:
	case PQ_INT64:
		return json_integer(v->i);
	case PQ_FLOAT:
	case PQ_DOUBLE: /* JSON has neither infinity nor not-a-number */
		return v->d - v->d == 0 ? json_real(v->d) : json_null();
	default: /* NULL where it is no UTF-8 */
		return json_stringn(v->text.s, v->text.n);
	}
}

/* Begins a row, and returns false where there is none left. */
static bool begin_row(struct reading *r, json_t *value)
{
	json_t *row = json_array_get(r->rows, r->first + r->at);

	if (!row || r->first + r->at >= r->end) {
		json_decref(value);
		return false;
	}
	r->at++;
	json_object_set_new_nocheck(row, r->column->name, value);
	return true;
}

static const char *put_value(
    struct reading *r, uint32_t def, uint32_t rep, const union pq_value *v)
{
	const struct pq_column *c = r->column;
	json_t *value = (int)def == c->max_def ? as_json(c, v) : json_null();

	if (!value)
		return "a text in it is no UTF-8";
	if (!c->max_rep)
		return begin_row(r, value) ? NULL
		                           : "a column has too many values";
	if (!rep) {
		bool null = (int)def < c->list_def - 1;

		r->list = null ? json_null() : json_array();
		if (!begin_row(r, r->list)) {
			json_decref(value);
			return "a column has too many values";
		}
	}
	if ((int)def < c->list_def) {
		json_decref(value);
		return NULL;
	}
	if (!json_is_array(r->list)) {
		json_decref(value);
		return "a list goes on that was never begun";
	}
	json_array_append_new(r->list, value);
	return NULL;
}

static int bits_for(int most)
{
	int bits = 0;

	for (; most; most >>= 1)
		bits++;
	return bits;
}

/* Levels of a page: in version 1 with their size in front. */
static bool levels(
    struct gv_thrift *t, int most, int64_t size, uint32_t *to, size_t n)
{
	struct gv_thrift part = *t;
	uint64_t left = (uint64_t)(t->end - t->at), bytes = (uint64_t)size;

	if (!most)
		return size <= 0;
	if (size < 0) {
		if (left < 4)
			return false;
		bytes = (uint64_t)t->at[0] | (uint64_t)t->at[1] << 8 |
		        (uint64_t)t->at[2] << 16 | (uint64_t)t->at[3] << 24;
		part.at += 4;
		left -= 4;
	}
	if (bytes > left)
		return false;
	part.end = part.at + bytes;
	t->at = part.end;
	if (n && !pq_hybrid(&part, bits_for(most), to, n))
		return false;
	for (size_t i = 0; i < n; i++)
		if ((int)to[i] > most)
			return false;
	return true;
}

static const char *from_dictionary(struct reading *r, struct gv_thrift *t)
{
	int width;

	free(r->values.v);
	r->values.v = gv_alloc(r->present * sizeof(*r->values.v));
	r->values.n = r->present;
	if (!r->present)
		return NULL;
	if (t->at >= t->end)
		return "an index is cut off";
	width = *t->at++;
	if (!pq_hybrid(t, width, r->index, r->present))
		return "an index is cut off";
	for (size_t i = 0; i < r->present; i++) {
		if (r->index[i] >= r->dictionary.n)
			return "an index leads out of its dictionary";
		r->values.v[i] = r->dictionary.v[r->index[i]];
	}
	return NULL;
}

/* A dictionary and a run make much of a few bytes: what a page becomes is
 * counted before it is made. */
static const char *count_page(struct reading *r, size_t n)
{
	r->file->made += r->column->max_rep ? n * VALUE_BYTES : 0;
	for (size_t i = 0; i < r->present && r->column->type >= PQ_BYTES; i++)
		r->file->made += r->values.v[i].text.n;
	return r->file->made > MOST_MADE ? too_much : NULL;
}

static const char *data_values(
    struct reading *r, struct gv_thrift *t, const struct pq_header *head)
{
	static const union pq_value none;
	size_t n = (size_t)head->values, at = 0;
	const char *why;

	r->present = 0;
	for (size_t i = 0; i < n; i++)
		r->present += (int)r->def[i] == r->column->max_def;
	if (head->encoding == PQ_PLAIN_DICTIONARY ||
	    head->encoding == PQ_RLE_DICTIONARY)
		why = from_dictionary(r, t);
	else
		why = pq_decode(
		    t, r->column, head->encoding, r->present, &r->values);
	if (!why)
		why = count_page(r, n);
	for (size_t i = 0; i < n && !why; i++) {
		bool present = (int)r->def[i] == r->column->max_def;

		why = put_value(r, r->def[i], r->rep[i],
		    present ? &r->values.v[at++] : &none);
	}
	return why;
}

static const char *data_page(struct reading *r, const struct pq_header *head,
    const uint8_t *body, int codec)
{
	bool second = head->kind == 3;
	size_t n = (size_t)head->values;
	size_t outside = second ? (size_t)(head->def_size + head->rep_size) : 0;
	struct gv_thrift t = {.at = body, .end = body + outside};
	const char *why;

	r->def = gv_grow(r->def, n * sizeof(*r->def));
	r->rep = gv_grow(r->rep, n * sizeof(*r->rep));
	r->index = gv_grow(r->index, n * sizeof(*r->index));
	memset(r->def, 0, n * sizeof(*r->def));
	memset(r->rep, 0, n * sizeof(*r->rep));
	if (second &&
	    (!levels(&t, r->column->max_rep, head->rep_size, r->rep, n) ||
	        !levels(&t, r->column->max_def, head->def_size, r->def, n)))
		return "the levels of a page cannot be read";
	why = pq_unpack(second && !head->packed ? 0 : codec, body + outside,
	    (size_t)head->packed_size - outside, &r->page,
	    (size_t)head->plain_size - outside);
	if (why)
		return why;
	t.at = (const uint8_t *)r->page.s;
	t.end = t.at + r->page.n;
	if (!second && (!levels(&t, r->column->max_rep, -1, r->rep, n) ||
	                   !levels(&t, r->column->max_def, -1, r->def, n)))
		return "the levels of a page cannot be read";
	return data_values(r, &t, head);
}

static const char *dictionary_page(struct reading *r,
    const struct pq_header *head, const uint8_t *body, int codec)
{
	struct gv_thrift t = {0};
	const char *why = pq_unpack(codec, body, (size_t)head->packed_size,
	    &r->dictionary_page, (size_t)head->plain_size);

	if (why)
		return why;
	/* a value of text takes four bytes at least, a boolean a bit */
	if ((uint64_t)head->values > r->dictionary_page.n * 8)
		return "a dictionary promises more than it holds";
	t.at = (const uint8_t *)r->dictionary_page.s;
	t.end = t.at + r->dictionary_page.n;
	return pq_decode(
	    &t, r->column, PQ_PLAIN, (size_t)head->values, &r->dictionary);
}

static bool sane(const struct pq_header *head, const struct gv_thrift *t)
{
	return head->plain_size >= 0 && head->packed_size >= 0 &&
	       head->packed_size <= t->end - t->at && head->values >= 0 &&
	       head->values <= MOST_VALUES && head->def_size >= 0 &&
	       head->rep_size >= 0 &&
	       head->def_size <= head->packed_size - head->rep_size &&
	       head->def_size <= head->plain_size - head->rep_size;
}

static const char *read_pages(struct reading *r, const struct pq_chunk *chunk)
{
	int64_t at = chunk->data_at, seen = 0;
	struct gv_thrift t = {0};
	const char *why = NULL;

	if (chunk->dictionary_at > 0 && chunk->dictionary_at < at)
		at = chunk->dictionary_at;
	if (at < 0 || (uint64_t)at > r->file->n || chunk->values < 0)
		return "a column begins outside of it";
	t.at = r->file->bytes + at;
	t.end = r->file->bytes + r->file->n;
	while (!why && seen < chunk->values) {
		struct pq_header head;

		if (!pq_read_header(&t, &head) || !sane(&head, &t))
			return "the header of a page cannot be read";
		if (head.kind == 2)
			why = dictionary_page(r, &head, t.at, chunk->codec);
		else if (head.kind == 0 || head.kind == 3)
			why = data_page(r, &head, t.at, chunk->codec);
		if (head.kind == 0 || head.kind == 3)
			seen += head.values;
		t.at += head.packed_size;
		if (t.at >= t.end && seen < chunk->values && !why)
			why = "a column is cut off";
	}
	return why;
}

static const char *read_column(struct pq_file *file, json_t *rows, size_t first,
    const struct pq_group *group, size_t i)
{
	struct reading r = {.file = file,
	    .column = &file->columns[i],
	    .rows = rows,
	    .first = first,
	    .end = first + (size_t)group->rows};
	const char *why = read_pages(&r, &group->chunks[i]);

	if (!why && r.at != (size_t)group->rows)
		why = "a column has another number of rows than the table";
	free(r.values.v);
	free(r.dictionary.v);
	free(r.def);
	free(r.rep);
	free(r.index);
	gv_drop(&r.page);
	gv_drop(&r.dictionary_page);
	gv_drop(&r.values.own);
	gv_drop(&r.dictionary.own);
	return why;
}

static const char *read_rows(struct pq_file *file, json_t *rows)
{
	const char *why = NULL;
	size_t first = 0;

	for (size_t g = 0; g < file->n_groups && !why; g++) {
		file->made += (size_t)file->groups[g].rows *
		              (ROW_BYTES + VALUE_BYTES * file->n_columns);
		if (file->made > MOST_MADE)
			return too_much;
		for (int64_t i = 0; i < file->groups[g].rows; i++)
			json_array_append_new(rows, json_object());
		for (size_t i = 0; i < file->n_columns && !why; i++)
			if (!file->columns[i].other)
				why = read_column(
				    file, rows, first, &file->groups[g], i);
		first += (size_t)file->groups[g].rows;
	}
	return why;
}

json_t *gv_parquet(
    const void *bytes, size_t n, json_t **columns, const char **why)
{
	struct pq_file file;
	json_t *rows = json_array();

	pq_open(&file, bytes, n);
	*why = file.bad;
	if (!*why)
		*why = read_rows(&file, rows);
	if (!*why && columns) {
		*columns = json_array();
		for (size_t i = 0; i < file.n_columns; i++)
			json_array_append_new(
			    *columns, json_string(file.columns[i].name));
	}
	pq_close(&file);
	if (!*why)
		return rows;
	json_decref(rows);
	return NULL;
}

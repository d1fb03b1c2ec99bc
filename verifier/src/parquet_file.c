/* SPDX-License-Identifier: Apache-2.0 */
#include "parquet_file.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ROWS (4 << 20)
#define MOST_COLUMNS 4096

/* one element of the schema, which the file lists depth first */
struct element {
	int64_t type, width, repetition, children;
	const char *name;
	size_t name_n;
};

static void read_element(struct gv_thrift *t, struct element *e)
{
	struct gv_field field = {0};

	*e = (struct element){.type = -1, .name = ""};
	while (gv_thrift_next(t, &field)) {
		switch (field.id) {
		case 1:
			e->type = gv_thrift_int(t);
			break;
		case 2:
			e->width = gv_thrift_int(t);
			break;
		case 3:
			e->repetition = gv_thrift_int(t);
			break;
		case 4:
			e->name = gv_thrift_bytes(t, &e->name_n);
			break;
		case 5:
			e->children = gv_thrift_int(t);
			break;
		default:
			gv_thrift_skip(t, field.type);
		}
	}
}

/* Walks one top-level field. A chain of only children is a value or a list;
 * a field with several leaves is of another shape. */
static size_t read_field(
    struct pq_file *file, const struct element *all, size_t at, size_t n)
{
	struct pq_column column = {0};
	size_t open = 1, first = file->n_columns;
	char *name = gv_format("%.*s", (int)all[at].name_n, all[at].name);

	for (; open && at < n; at++) {
		const struct element *e = &all[at];

		open += (size_t)e->children - 1;
		column.max_def += e->repetition != 0;
		if (e->repetition == 2) {
			column.max_rep++;
			column.list_def = column.max_def;
		}
		if (e->children > 1)
			column.other = true;
		if (e->children)
			continue;
		column.type = (int)e->type;
		column.fixed = (int)e->width;
		column.name = gv_dup(name);
		if (column.max_rep > 1)
			column.other = true;
		file->columns = gv_grow(file->columns,
		    (file->n_columns + 1) * sizeof(*file->columns));
		file->columns[file->n_columns++] = column;
	}
	if (open)
		file->bad = "its schema ends too early";
	if (file->n_columns != first + 1)
		for (size_t i = first; i < file->n_columns; i++)
			file->columns[i].other = true;
	free(name);
	return at;
}

static void read_schema(struct pq_file *file, struct gv_thrift *t)
{
	int type;
	size_t n = gv_thrift_list(t, &type);
	struct element *all;

	if (file->columns || !n || n > MOST_COLUMNS ||
	    type != GV_THRIFT_STRUCT) {
		file->bad = "it has no usable schema";
		return;
	}
	all = gv_alloc(n * sizeof(*all));
	for (size_t i = 0; i < n; i++) {
		read_element(t, &all[i]);
		if (all[i].children < 0 || (size_t)all[i].children > n)
			file->bad = "its schema counts wrongly";
	}
	for (size_t at = 1; at < n && !file->bad;) {
		size_t first = file->n_columns;

		at = read_field(file, all, at, n);
		for (size_t i = 0; i < first && first < file->n_columns; i++)
			if (!strcmp(file->columns[i].name,
			        file->columns[first].name))
				file->bad = "two of its columns have one name";
	}
	free(all);
}

static void read_chunk_body(struct gv_thrift *t, struct pq_chunk *chunk)
{
	struct gv_field field = {0};

	while (gv_thrift_next(t, &field)) {
		switch (field.id) {
		case 4:
			chunk->codec = (int)gv_thrift_int(t);
			break;
		case 5:
			chunk->values = gv_thrift_int(t);
			break;
		case 7:
			chunk->size = gv_thrift_int(t);
			break;
		case 9:
			chunk->data_at = gv_thrift_int(t);
			break;
		case 11:
			chunk->dictionary_at = gv_thrift_int(t);
			break;
		default:
			gv_thrift_skip(t, field.type);
		}
	}
}

static void read_chunk(struct gv_thrift *t, struct pq_chunk *chunk)
{
	struct gv_field field = {0};

	while (gv_thrift_next(t, &field)) {
		if (field.id == 3 && field.type == GV_THRIFT_STRUCT)
			read_chunk_body(t, chunk);
		else
			gv_thrift_skip(t, field.type);
	}
}

static void read_chunks(
    struct pq_file *file, struct gv_thrift *t, struct pq_group *group)
{
	int type;
	size_t n = gv_thrift_list(t, &type);

	if (n != file->n_columns || group->chunks || type != GV_THRIFT_STRUCT) {
		file->bad = "a row group has not one chunk for each column";
		return;
	}
	group->chunks = gv_alloc(n * sizeof(*group->chunks));
	for (size_t i = 0; i < n; i++)
		read_chunk(t, &group->chunks[i]);
}

static void read_group(
    struct pq_file *file, struct gv_thrift *t, struct pq_group *group)
{
	struct gv_field field = {0};

	while (gv_thrift_next(t, &field)) {
		if (field.id == 1 && field.type == GV_THRIFT_LIST && !file->bad)
			read_chunks(file, t, group);
		else if (field.id == 3 && field.type == GV_THRIFT_I64)
			group->rows = gv_thrift_int(t);
		else
			gv_thrift_skip(t, field.type);
	}
	if (!group->chunks || group->rows < 0 || group->rows > MOST_ROWS)
		file->bad = "a row group is incomplete";
}

static void read_groups(struct pq_file *file, struct gv_thrift *t)
{
	int type;
	size_t n = gv_thrift_list(t, &type);

	if (file->groups || (n && type != GV_THRIFT_STRUCT)) {
		file->bad = "its row groups are listed wrongly";
		return;
	}
	file->groups = gv_alloc((n + 1) * sizeof(*file->groups));
	file->n_groups = n;
	for (size_t i = 0; i < n && !file->bad && !t->bad; i++)
		read_group(file, t, &file->groups[i]);
}

static void read_footer(struct pq_file *file, struct gv_thrift *t)
{
	struct gv_field field = {0};
	int64_t sum = 0;

	while (!file->bad && gv_thrift_next(t, &field)) {
		if (field.id == 2 && field.type == GV_THRIFT_LIST)
			read_schema(file, t);
		else if (field.id == 3 && field.type == GV_THRIFT_I64)
			file->rows = gv_thrift_int(t);
		else if (field.id == 4 && field.type == GV_THRIFT_LIST)
			read_groups(file, t);
		else
			gv_thrift_skip(t, field.type);
	}
	if (t->bad && !file->bad)
		file->bad = "its footer cannot be read";
	for (size_t i = 0; i < file->n_groups; i++)
		sum += file->groups[i].rows;
	if (!file->bad && (sum != file->rows || sum > MOST_ROWS))
		file->bad = "its numbers of rows do not agree";
	if (!file->bad && !file->n_columns)
		file->bad = "it has no columns";
}

void pq_open(struct pq_file *file, const void *bytes, size_t n)
{
	const uint8_t *b = bytes;
	struct gv_thrift t = {0};
	uint32_t size;

	*file = (struct pq_file){.bytes = b, .n = n};
	if (n < 12 || memcmp(b, "PAR1", 4) != 0 ||
	    memcmp(b + n - 4, "PAR1", 4) != 0) {
		file->bad = "it does not begin and end as a Parquet file";
		return;
	}
	size = (uint32_t)b[n - 8] | (uint32_t)b[n - 7] << 8 |
	       (uint32_t)b[n - 6] << 16 | (uint32_t)b[n - 5] << 24;
	if (size > n - 12) {
		file->bad = "its footer would begin before the file";
		return;
	}
	t.end = b + n - 8;
	t.at = t.end - size;
	read_footer(file, &t);
}

void pq_close(struct pq_file *file)
{
	for (size_t i = 0; i < file->n_columns; i++)
		free(file->columns[i].name);
	for (size_t i = 0; i < file->n_groups; i++)
		free(file->groups[i].chunks);
	free(file->columns);
	free(file->groups);
}

/* The three kinds number the same things differently. */
static void read_page_body(
    struct gv_thrift *t, int kind, struct pq_header *header)
{
	struct gv_field field = {0};

	while (gv_thrift_next(t, &field)) {
		if (field.id == 1)
			header->values = gv_thrift_int(t);
		else if (field.id == (kind == 8 ? 4 : 2))
			header->encoding = gv_thrift_int(t);
		else if (kind == 8 && field.id == 5)
			header->def_size = gv_thrift_int(t);
		else if (kind == 8 && field.id == 6)
			header->rep_size = gv_thrift_int(t);
		else if (kind == 8 && field.id == 7)
			header->packed = field.type == GV_THRIFT_TRUE;
		else
			gv_thrift_skip(t, field.type);
	}
}

bool pq_read_header(struct gv_thrift *t, struct pq_header *header)
{
	struct gv_field field = {0};

	*header = (struct pq_header){.kind = -1, .packed = true};
	while (gv_thrift_next(t, &field)) {
		if (field.id == 1)
			header->kind = gv_thrift_int(t);
		else if (field.id == 2)
			header->plain_size = gv_thrift_int(t);
		else if (field.id == 3)
			header->packed_size = gv_thrift_int(t);
		else if (field.type == GV_THRIFT_STRUCT &&
		         (field.id == 5 || field.id == 7 || field.id == 8))
			read_page_body(t, field.id, header);
		else
			gv_thrift_skip(t, field.type);
	}
	return !t->bad;
}

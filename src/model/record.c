/* SPDX-License-Identifier: Apache-2.0 */
#include "model/record.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Members are reached by their offset; the column's type says what stands
 * there, so these four are the only casts. */
static char **text_at(void *row, const struct gs_column *column)
{
	return (char **)(void *)((char *)row + column->offset);
}

const char *gs_column_text(const void *row, const struct gs_column *column)
{
	const char *const *member =
	    (const void *)((const char *)row + column->offset);
	return *member;
}

int64_t gs_column_int(const void *row, const struct gs_column *column)
{
	const char *at = (const char *)row + column->offset;
	if (column->type == GS_COLUMN_BOOL) {
		bool value;
		memcpy(&value, at, sizeof(value));
		return value;
	}
	int64_t value;
	memcpy(&value, at, sizeof(value));
	return value;
}

const struct gs_strv *gs_column_list(
    const void *row, const struct gs_column *column)
{
	return (const void *)((const char *)row + column->offset);
}

static struct gs_strv *list_at(void *row, const struct gs_column *column)
{
	return (void *)((char *)row + column->offset);
}

static void release_columns(
    void *row, const struct gs_column *columns, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (columns[i].type == GS_COLUMN_TEXT)
			gs_freep(text_at(row, &columns[i]));
		else if (columns[i].type == GS_COLUMN_LIST)
			gs_strv_release(list_at(row, &columns[i]));
	}
}

void gs_record_release(struct gs_record *record)
{
	release_columns(record, gs_record_columns, gs_n_record_columns);
	*record = (struct gs_record){0};
}

void gs_evidence_release(struct gs_evidence *evidence)
{
	release_columns(evidence, gs_evidence_columns, gs_n_evidence_columns);
	*evidence = (struct gs_evidence){0};
}

void gs_columns_write(const void *row, const struct gs_column *columns,
    size_t n, struct gs_json *json)
{
	gs_json_begin_object(json);
	for (size_t i = 0; i < n; i++) {
		const struct gs_column *column = &columns[i];
		gs_json_key(json, column->name);
		switch (column->type) {
		case GS_COLUMN_TEXT:
			gs_json_cstr(json, gs_column_text(row, column));
			break;
		case GS_COLUMN_LIST:
			gs_json_strv(json, gs_column_list(row, column));
			break;
		case GS_COLUMN_INT:
			gs_json_int(json, gs_column_int(row, column));
			break;
		case GS_COLUMN_BOOL:
			gs_json_bool(json, gs_column_int(row, column) != 0);
			break;
		}
	}
	gs_json_end_object(json);
}

static int wrong_type(const struct gs_column *column, struct gs_err *err)
{
	static const char *const types[] = {
	    [GS_COLUMN_TEXT] = "a text",
	    [GS_COLUMN_LIST] = "a list of texts",
	    [GS_COLUMN_INT] = "a whole number",
	    [GS_COLUMN_BOOL] = "true or false",
	};
	return gs_fail(err, GS_E_CORRUPT, "Column %s is not %s.", column->name,
	    types[column->type]);
}

/* A C string cannot hold NUL, and a column that lost its end would be a lie. */
static bool is_text(const json_t *value)
{
	return json_is_string(value) &&
	       strlen(json_string_value(value)) == json_string_length(value);
}

static int parse_list(const json_t *value, struct gs_strv *list,
    const struct gs_column *column, struct gs_err *err)
{
	if (!json_is_array(value))
		return wrong_type(column, err);
	for (size_t i = 0; i < json_array_size(value); i++) {
		const json_t *item = json_array_get(value, i);
		if (!is_text(item))
			return wrong_type(column, err);
		gs_strv_push(list, json_string_value(item));
	}
	return 0;
}

static int parse_column(const json_t *value, void *row,
    const struct gs_column *column, struct gs_err *err)
{
	char *at = (char *)row + column->offset;
	switch (column->type) {
	case GS_COLUMN_TEXT:
		if (json_is_null(value))
			return 0;
		if (!is_text(value))
			return wrong_type(column, err);
		*text_at(row, column) = gs_strdup(json_string_value(value));
		return 0;
	case GS_COLUMN_LIST:
		return parse_list(value, list_at(row, column), column, err);
	case GS_COLUMN_INT:
		if (!json_is_integer(value))
			return wrong_type(column, err);
		memcpy(
		    at, &(int64_t){json_integer_value(value)}, sizeof(int64_t));
		return 0;
	case GS_COLUMN_BOOL:
		if (!json_is_boolean(value))
			return wrong_type(column, err);
		memcpy(at, &(bool){json_is_true(value)}, sizeof(bool));
		return 0;
	}
	return 0;
}

int gs_columns_parse(const json_t *object, void *row,
    const struct gs_column *columns, size_t n, struct gs_err *err)
{
	for (size_t i = 0; i < n; i++) {
		const json_t *value = json_object_get(object, columns[i].name);
		int rc = value ? parse_column(value, row, &columns[i], err)
		               : gs_fail(err, GS_E_CORRUPT,
		                     "Column %s is missing.", columns[i].name);
		if (rc < 0) {
			release_columns(row, columns, n);
			return rc;
		}
	}
	return 0;
}

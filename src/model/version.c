/* SPDX-License-Identifier: Apache-2.0 */
#include "model/version.h"

#include <stdio.h>
#include <string.h>

static bool parse_number(struct gs_str part, unsigned *ret)
{
	unsigned n = 0;
	if (part.n == 0 || part.n > 6 || (part.n > 1 && part.p[0] == '0'))
		return false;
	for (size_t i = 0; i < part.n; i++) {
		if (part.p[i] < '0' || part.p[i] > '9')
			return false;
		n = 10 * n + (unsigned)(part.p[i] - '0');
	}
	*ret = n;
	return true;
}

bool gs_version_parse(struct gs_str text, struct gs_version *ret)
{
	struct gs_str part[3] = {0};
	for (size_t i = 0; i < 3; i++) {
		ptrdiff_t dot = gs_str_find_char(text, '.');
		if ((dot < 0) != (i == 2))
			return false;
		size_t n = dot < 0 ? text.n : (size_t)dot;
		part[i] = gs_str_sub(text, 0, n);
		text = gs_str_from(text, dot < 0 ? n : n + 1);
	}
	return parse_number(part[0], &ret->major) &&
	       parse_number(part[1], &ret->minor) &&
	       parse_number(part[2], &ret->patch);
}

void gs_version_print(
    const struct gs_version *version, char out[GS_VERSION_SIZE])
{
	(void)snprintf(out, GS_VERSION_SIZE, "%u.%u.%u", version->major,
	    version->minor, version->patch);
}

int gs_version_cmp(const struct gs_version *a, const struct gs_version *b)
{
	if (a->major != b->major)
		return a->major < b->major ? -1 : 1;
	if (a->minor != b->minor)
		return a->minor < b->minor ? -1 : 1;
	return (a->patch > b->patch) - (a->patch < b->patch);
}

struct gs_version gs_version_next(
    const struct gs_version *old, enum gs_bump bump)
{
	struct gs_version next = *old;
	switch (bump) {
	case GS_BUMP_NONE:
		break;
	case GS_BUMP_PATCH:
		next.patch++;
		break;
	case GS_BUMP_MINOR:
		next.minor++;
		next.patch = 0;
		break;
	case GS_BUMP_MAJOR:
		next = (struct gs_version){old->major + 1, 0, 0};
		break;
	}
	return next;
}

const char *gs_bump_name(enum gs_bump bump)
{
	static const char *const names[] = {"none", "patch", "minor", "major"};
	return names[bump];
}

static bool same_lists(const struct gs_strv *a, const struct gs_strv *b)
{
	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++)
		if (strcmp(a->v[i], b->v[i]) != 0)
			return false;
	return true;
}

static bool same_member(
    const void *old, const void *new, const struct gs_column *column)
{
	const char *a = (const char *)old + column->offset;
	const char *b = (const char *)new + column->offset;
	switch (column->type) {
	case GS_COLUMN_TEXT:
		return strcmp(gs_column_text(old, column),
		           gs_column_text(new, column)) == 0;
	case GS_COLUMN_LIST:
		return same_lists(
		    gs_column_list(old, column), gs_column_list(new, column));
	case GS_COLUMN_INT:
		return memcmp(a, b, sizeof(int64_t)) == 0;
	case GS_COLUMN_BOOL:
		return memcmp(a, b, sizeof(bool)) == 0;
	}
	return true;
}

static bool is_in(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

bool gs_record_is_trail(const char *column)
{
	static const char *const names[] = {"validated_at", "validator"};
	return is_in(column, names, GS_COUNT(names));
}

bool gs_evidence_is_scored(const char *column)
{
	static const char *const names[] = {"source_path", "unit_start",
	    "unit_end", "change_kind", "pass_to_pass", "shims", "test_files",
	    "import_roots"};
	return is_in(column, names, GS_COUNT(names));
}

void gs_record_differs(const struct gs_record *old, const struct gs_record *new,
    struct gs_strv *ret_columns, struct gs_strv *ret_trail)
{
	for (size_t i = 0; i < gs_n_record_columns; i++) {
		const struct gs_column *column = &gs_record_columns[i];
		if (!same_member(old, new, column))
			gs_strv_push(gs_record_is_trail(column->name)
			                 ? ret_trail
			                 : ret_columns,
			    column->name);
	}
}

void gs_evidence_differs(const struct gs_evidence *old,
    const struct gs_evidence *new, struct gs_strv *ret_columns,
    struct gs_strv *ret_trail)
{
	for (size_t i = 0; i < gs_n_evidence_columns; i++) {
		const struct gs_column *column = &gs_evidence_columns[i];
		if (!same_member(old, new, column))
			gs_strv_pushf(gs_evidence_is_scored(column->name)
			                  ? ret_columns
			                  : ret_trail,
			    "evidence.%s", column->name);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
/* One record: by itself, among the others, and in its texts. */
#include <stdint.h>
#include <string.h>

#include "audit/work.h"
#include "base/hash.h"
#include "base/mem.h"
#include "py/changed.h"

static struct place place_of(const struct gs_record *record, const char *name)
{
	return (struct place){.id = record->id, .column = name};
}

#define MAX_TOLD 5 /* names that one finding lists */

static bool check_itself(struct audit *audit, const struct gs_record *record)
{
	bool holds = true;
	for (size_t i = 0; gs_record_check_name(i); i++) {
		struct gs_err err = {0};
		if (gs_record_check_one(i, record, &err) == 0)
			continue;
		holds = false;
		found(audit, GS_ERROR, gs_record_check_name(i),
		    place_of(record, NULL), "%s", err.text);
		if (i == 0)
			break;
	}
	return holds;
}

/* W1: a public address without credentials, or nothing. */
static void check_url(struct audit *audit, const struct gs_record *record,
    const char *column, const char *url)
{
	struct gs_str s = gs_str(url);
	if (s.n == 0)
		return;
	bool is_plain = gs_str_starts(s, "https://");
	for (size_t i = 0; i < s.n; i++)
		is_plain &= s.p[i] > ' ' && s.p[i] < 0x7f &&
		            !strchr("@\"'<>`\\", s.p[i]);
	if (!is_plain)
		found(audit, GS_ERROR, "urls", place_of(record, column),
		    "It is no plain https address: %s", url);
}

/* I4: other projects, sorted, each once. */
static void check_also_in(struct audit *audit, const struct gs_record *record)
{
	struct gs_str rest = gs_str(record->also_in), part, last = {0};
	while (rest.n > 0 && gs_str_cut(&rest, ',', &part)) {
		if (gs_str_find_char(part, '/') <= 0 ||
		    gs_str_is(part, record->repo) ||
		    (last.n > 0 && gs_str_cmp(last, part) >= 0)) {
			found(audit, GS_ERROR, "also_in",
			    place_of(record, "also_in"),
			    "It is no sorted list of other projects: %s",
			    record->also_in);
			return;
		}
		last = part;
	}
}

/* Git takes any date, so that these are seldom anybody's fault. */
static void check_times(struct audit *audit, const struct gs_record *record)
{
	if (strcmp(record->parent_at, record->committed_at) > 0)
		found(audit, GS_NOTICE, "times", place_of(record, "parent_at"),
		    "The parent is later than the fix: some clock was wrong.");
	if (strcmp(record->committed_at, record->validated_at) > 0)
		found(audit, GS_NOTICE, "times",
		    place_of(record, "committed_at"),
		    "The fix is later than the run that proved it: some clock "
		    "was wrong.");
}

/* F136, I4, P1 */
static void check_place(struct audit *audit, const struct gs_record *record,
    const struct gs_record *last)
{
	size_t *at = gs_arena_alloc(&audit->totals.arena, sizeof(*at));
	*at = audit->rows.n - 1;
	if (!gs_map_add(&audit->ids, gs_str(record->id), at)) {
		found(audit, GS_ERROR, "unique", place_of(record, "id"),
		    "The id is there twice.");
		return;
	}
	void **other =
	    gs_map_at(&audit->fingerprints, gs_str(record->fingerprint));
	if (*other)
		found(audit, GS_ERROR, "unique",
		    place_of(record, "fingerprint"),
		    "It is the same fix as that of %s.", (char *)*other);
	else
		*other = audit->rows.v[audit->rows.n - 1].id;
	if (!last || !last->id)
		return;
	int order = strcmp(last->repo, record->repo);
	if (order == 0)
		order = strcmp(last->committed_at, record->committed_at);
	if (order == 0)
		order = strcmp(last->id, record->id);
	if (order > 0)
		found(audit, GS_ERROR, "order", place_of(record, NULL),
		    "It stands behind %s: rows are sorted by repo, "
		    "committed_at, id.",
		    last->id);
}

static void count(struct audit *audit, struct gs_map *map, const char *name)
{
	void **place = gs_map_at(map, gs_str(name));
	if (!*place)
		*place = gs_arena_alloc(&audit->totals.arena, sizeof(int64_t));
	++*(int64_t *)*place;
}

static void note_day(char first[11], char last[11], const char *date)
{
	if (strlen(date) < 10)
		return;
	if (first && (!*first || strncmp(date, first, 10) < 0))
		memcpy(first, date, 10);
	if (!*last || strncmp(date, last, 10) > 0)
		memcpy(last, date, 10);
}

static uint64_t arrow_bytes(
    const struct gs_record *record, const struct gs_column *column)
{
	if (column->type == GS_COLUMN_INT)
		return 8;
	if (column->type == GS_COLUMN_TEXT)
		return 4 + strlen(gs_column_text(record, column));
	const struct gs_strv *list = gs_column_list(record, column);
	uint64_t bytes = 4 + 4 * list->n;
	for (size_t i = 0; i < list->n; i++)
		bytes += strlen(list->v[i]);
	return bytes;
}

static void add_totals(struct audit *audit, const struct gs_record *record)
{
	struct totals *totals = &audit->totals;
	bool is_function = strcmp(record->granularity, "function") == 0;
	totals->records++;
	totals->functions += is_function;
	totals->files += !is_function;
	totals->tests += (int64_t)record->fail_to_pass.n;
	totals->shared += record->also_in[0] != '\0';
	count(audit, &totals->repos, record->repo);
	count(audit, &totals->licences, record->license);
	note_day(totals->first_fix, totals->last_fix, record->committed_at);
	note_day(NULL, totals->validated, record->validated_at);
	for (size_t i = 0; i < gs_n_record_columns; i++)
		totals->arrow_bytes +=
		    arrow_bytes(record, &gs_record_columns[i]);
}

/* Columns that hold what strangers wrote; the others are goldset's. */
static bool is_foreign(const char *column)
{
	static const char *const names[] = {"subject", "spec", "source_before",
	    "source_after", "fail_to_pass", "test_file", "unit", "module",
	    "units_changed"};
	for (size_t i = 0; i < GS_COUNT(names); i++)
		if (strcmp(column, names[i]) == 0)
			return true;
	return false;
}

static void scan_columns(struct audit *audit, const struct gs_record *record)
{
	for (size_t i = 0; i < gs_n_record_columns; i++) {
		const struct gs_column *column = &gs_record_columns[i];
		struct place place = place_of(record, column->name);
		bool is_ours = !is_foreign(column->name);
		if (column->type == GS_COLUMN_TEXT) {
			/* A secret of both sides is one secret. */
			bool again = strcmp(column->name, "source_before") == 0;
			if (!again || !gs_str_eq(gs_str(record->source_before),
			                  gs_str(record->source_after)))
				scan_text(audit, place,
				    gs_str(gs_column_text(record, column)),
				    is_ours);
		} else if (column->type == GS_COLUMN_LIST) {
			GS_CLEANUP(gs_buf_release) struct gs_buf all = {0};
			const struct gs_strv *list =
			    gs_column_list(record, column);
			for (size_t k = 0; k < list->n; k++)
				gs_buf_addf(&all, "%s\n", list->v[k]);
			scan_text(audit, place, gs_buf_str(&all), is_ours);
		}
	}
}

/* A name that nobody writes by chance in a sentence. */
static bool looks_like_code(const char *name)
{
	size_t n = strlen(name);
	if (n < 4)
		return false;
	for (size_t i = 1; i < n; i++)
		if ((name[i] == '_' && i + 1 < n) ||
		    (name[i] >= '0' && name[i] <= '9') ||
		    (name[i] >= 'A' && name[i] <= 'Z' && name[i - 1] >= 'a' &&
		        name[i - 1] <= 'z'))
			return true;
	return false;
}

static bool is_part(char c)
{
	return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z');
}

static bool has_word(struct gs_str text, const char *word)
{
	size_t n = strlen(word);
	for (;;) {
		ptrdiff_t at = gs_str_find(text, gs_str(word));
		if (at < 0)
			return false;
		size_t end = (size_t)at + n;
		if ((at == 0 || !is_part(text.p[at - 1])) &&
		    (end == text.n || !is_part(text.p[end])))
			return true;
		text = gs_str_from(text, end);
	}
}

/* A spec that names what only the fix holds gives some of it away. That is
 * as its author wrote it: counted and listed, for those who filter. */
static void check_spoiler(struct audit *audit, const struct gs_record *record)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv before = {0}, after = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv literals = {0};
	gs_source_words(
	    gs_str(record->source_before), NULL, 0, &before, &literals);
	gs_source_words(
	    gs_str(record->source_after), NULL, 0, &after, &literals);
	GS_CLEANUP(gs_buf_release) struct gs_buf names = {0};
	size_t n = 0;
	for (size_t i = 0; i < after.n; i++) {
		const char *name = after.v[i];
		if (!looks_like_code(name) || gs_strv_has(&before, name) ||
		    !has_word(gs_str(record->spec), name))
			continue;
		if (++n <= MAX_TOLD)
			gs_buf_addf(&names, "%s%s", n > 1 ? ", " : "", name);
	}
	if (n > 0)
		found(audit, GS_NOTICE, "spec", place_of(record, "spec"),
		    "It names what only the fix holds: %s%s.",
		    gs_buf_cstr(&names), n > MAX_TOLD ? " and more" : "");
}

static void keep_row(struct audit *audit, const struct gs_record *record)
{
	struct row *row = GS_VEC_ADD(&audit->rows);
	row->id = gs_strdup(record->id);
	row->repo = gs_strdup(record->repo);
	row->commit = gs_strdup(record->commit);
	row->license = gs_strdup(record->license);
	row->license_file = gs_strdup(record->license_file);
	if (strcmp(record->granularity, "file") == 0)
		row->source = gs_strdup(record->source_before);
	gs_strv_copy(&row->tests, &record->fail_to_pass);
}

void audit_record(struct audit *audit, const struct gs_record *record)
{
	bool holds = check_itself(audit, record);
	keep_row(audit, record);
	check_place(audit, record, &audit->last);
	check_url(audit, record, "repo_url", record->repo_url);
	check_url(audit, record, "commit_url", record->commit_url);
	check_also_in(audit, record);
	if (holds)
		check_times(audit, record);
	add_totals(audit, record);
	scan_columns(audit, record);
	check_spoiler(audit, record);
	near_add(&audit->near, gs_str(record->source_after),
	    (size_t)gs_hash64(gs_str(record->repo)));
	gs_record_release(&audit->last);
	audit->last = (struct gs_record){.repo = gs_strdup(record->repo),
	    .committed_at = gs_strdup(record->committed_at),
	    .id = gs_strdup(record->id)};
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/diff.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"
#include "os/file.h"
#include "table/table.h"

#define MAX_TEXT (64 * GS_MIB)

/* One release: rows as JSON by id, so that a large one is compared without
 * holding every source twice: texts are kept as hashes. */
struct side {
	const char *folder;
	struct gs_map records;  /* id → struct gs_record *, texts hashed */
	struct gs_map evidence; /* id → struct gs_evidence *, the same */
	struct gs_map fingerprints; /* → id, borrowed */
	struct gs_map places;       /* repo, commit, module, unit → id */
	struct gs_map withdrawn;    /* id → "date: reason", in its arena */
	char version[GS_VERSION_SIZE];
};

static void release_side(struct side *side)
{
	for (size_t i = 0; i < side->records.n; i++) {
		gs_record_release(side->records.entries[i].value);
		free(side->records.entries[i].value);
	}
	for (size_t i = 0; i < side->evidence.n; i++) {
		gs_evidence_release(side->evidence.entries[i].value);
		free(side->evidence.entries[i].value);
	}
	gs_map_release(&side->records);
	gs_map_release(&side->evidence);
	gs_map_release(&side->fingerprints);
	gs_map_release(&side->places);
	gs_map_release(&side->withdrawn);
}

/* Long texts are only ever compared. */
static void shorten(void *row, const struct gs_column *columns, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char **text =
		    (char **)(void *)((char *)row + columns[i].offset);
		if (columns[i].type != GS_COLUMN_TEXT || !*text ||
		    strlen(*text) < GS_SHA256_HEX)
			continue;
		char hex[GS_SHA256_HEX];
		gs_sha256_hex(gs_str(*text), hex);
		free(*text);
		*text = gs_strdup(hex);
	}
}

static char *place_of(const struct gs_record *record)
{
	return gs_format("%s\n%s\n%s\n%s", record->repo, record->commit,
	    record->module, record->unit);
}

static int take_record(void *ctx, struct gs_record *record, struct gs_err *err)
{
	struct side *side = ctx;
	if (gs_map_has(&side->records, gs_str(record->id)))
		return gs_fail(err, GS_E_CORRUPT, "the id %s is in %s twice",
		    record->id, side->folder);
	GS_CLEANUP(gs_freep) char *place = place_of(record);
	struct gs_record *kept = gs_alloc(sizeof(*kept));
	*kept = *record;
	*record = (struct gs_record){0};
	(void)gs_map_add(&side->records, gs_str(kept->id), kept);
	(void)gs_map_add(
	    &side->fingerprints, gs_str(kept->fingerprint), kept->id);
	(void)gs_map_add(&side->places, gs_str(place), kept->id);
	GS_CLEANUP(gs_freep) char *fingerprint = gs_strdup(kept->fingerprint);
	shorten(kept, gs_record_columns, gs_n_record_columns);
	free(kept->fingerprint);
	kept->fingerprint = gs_steal(&fingerprint);
	return 0;
}

static int take_evidence(
    void *ctx, struct gs_evidence *evidence, struct gs_err *err)
{
	(void)err;
	struct side *side = ctx;
	if (gs_map_has(&side->evidence, gs_str(evidence->id)))
		return 0;
	struct gs_evidence *kept = gs_alloc(sizeof(*kept));
	*kept = *evidence;
	*evidence = (struct gs_evidence){0};
	shorten(kept, gs_evidence_columns, gs_n_evidence_columns);
	(void)gs_map_add(&side->evidence, gs_str(kept->id), kept);
	return 0;
}

static int read_version(struct side *side, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *path = gs_path_join(side->folder, "croissant.json");
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	struct gs_version version;
	int rc = gs_file_read(path, MAX_TEXT, &text, err);
	if (rc)
		return gs_fail(err, GS_E_USAGE,
		    "%s is no release: its croissant.json does not read",
		    side->folder);
	GS_CLEANUP(gs_json_free)
	json_t *json = gs_json_parse(gs_buf_str(&text), path, err);
	if (!json)
		return GS_E_CORRUPT;
	if (!gs_version_parse(gs_json_get_str(json, "version"), &version))
		return gs_fail(err, GS_E_CORRUPT,
		    "%s has no version of the form 1.2.3", path);
	gs_version_print(&version, side->version);
	return 0;
}

static int read_withdrawn(struct side *side, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *path = gs_path_join(side->folder, "withdrawn.csv");
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	int rc = gs_file_read(path, MAX_TEXT, &text, err);
	if (rc)
		return rc;
	struct gs_str rest = gs_buf_str(&text), line;
	(void)gs_str_cut(&rest, '\n', &line);
	while (gs_str_cut(&rest, '\n', &line)) {
		GS_CLEANUP(gs_buf_release) struct gs_buf id = {0}, date = {0};
		GS_CLEANUP(gs_buf_release) struct gs_buf reason = {0};
		if (!gs_csv_field(&line, &id) || !gs_csv_field(&line, &date) ||
		    !gs_csv_field(&line, &reason))
			continue;
		gs_buf_addf(&date, ": %s", gs_buf_cstr(&reason));
		char *kept =
		    gs_arena_cstr(&side->withdrawn.keys, gs_buf_str(&date));
		(void)gs_map_add(&side->withdrawn, gs_buf_str(&id), kept);
	}
	return 0;
}

static int read_side(struct gs_table *table, const char *folder,
    struct side *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *oracles = gs_path_join(folder, "oracles.parquet");
	GS_CLEANUP(gs_freep)
	char *evidence = gs_path_join(folder, "evidence.parquet");
	ret->folder = folder;
	int rc = read_version(ret, err);
	if (rc == 0)
		rc = read_withdrawn(ret, err);
	if (rc == 0)
		rc = gs_table_each_record(
		    table, oracles, NULL, NULL, take_record, ret, err);
	if (rc == 0)
		rc = gs_table_each_evidence(
		    table, evidence, NULL, NULL, take_evidence, ret, err);
	return rc;
}

static struct gs_change_row *add(struct gs_release_diff *diff,
    enum gs_row_change change, const struct gs_record *record)
{
	struct gs_change_row *row = GS_VEC_ADD(diff);
	row->change = change;
	row->id = gs_strdup(record->id);
	row->repo = gs_strdup(record->repo);
	row->unit = gs_strdup(record->unit);
	row->reason = "";
	return row;
}

static void add_removed(const struct gs_record *record, const struct side *new,
    struct gs_release_diff *diff)
{
	struct gs_change_row *row = add(diff, GS_CHANGE_REMOVED, record);
	GS_CLEANUP(gs_freep) char *place = place_of(record);
	const char *gone = gs_map_get(&new->withdrawn, gs_str(record->id));
	const char *twin =
	    gs_map_get(&new->fingerprints, gs_str(record->fingerprint));
	const char *heir = gs_map_get(&new->places, gs_str(place));
	diff->removed++;
	row->reason = gone   ? "withdrawn"
	              : twin ? "duplicate"
	              : heir ? "made anew"
	                     : "left";
	row->other = gs_strdup(gone ? NULL : twin ? twin : heir);
	row->detail = gs_strdup(gone);
}

static void add_added(const struct gs_record *record, const struct side *old,
    struct gs_release_diff *diff)
{
	struct gs_change_row *row = add(diff, GS_CHANGE_ADDED, record);
	GS_CLEANUP(gs_freep) char *place = place_of(record);
	const char *twin =
	    gs_map_get(&old->fingerprints, gs_str(record->fingerprint));
	const char *was = gs_map_get(&old->places, gs_str(place));
	diff->added++;
	row->reason = twin ? "stands now" : was ? "made anew" : "new";
	row->other = gs_strdup(twin ? twin : was);
}

static void add_changed(const struct gs_record *was, const struct gs_record *is,
    const struct side *old, const struct side *new,
    struct gs_release_diff *diff)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv columns = {0}, trail = {0};
	const struct gs_evidence *a =
	    gs_map_get(&old->evidence, gs_str(is->id));
	const struct gs_evidence *b =
	    gs_map_get(&new->evidence, gs_str(is->id));
	gs_record_differs(was, is, &columns, &trail);
	if (a && b)
		gs_evidence_differs(a, b, &columns, &trail);
	if (columns.n + trail.n == 0)
		return;
	bool edited = columns.n > 0;
	struct gs_change_row *row =
	    add(diff, edited ? GS_CHANGE_EDITED : GS_CHANGE_PROVEN, is);
	gs_strv_copy(&row->columns, edited ? &columns : &trail);
	if (edited)
		diff->edited++;
	else
		diff->proven++;
}

static int by_row(const void *a, const void *b)
{
	static const int order[] = {[GS_CHANGE_REMOVED] = 0,
	    [GS_CHANGE_EDITED] = 1,
	    [GS_CHANGE_ADDED] = 2,
	    [GS_CHANGE_PROVEN] = 3};
	const struct gs_change_row *x = a, *y = b;
	int n = order[x->change] - order[y->change];
	if (n == 0)
		n = strcmp(x->repo, y->repo);
	return n ? n : strcmp(x->id, y->id);
}

static void compare(const struct side *old, const struct side *new,
    struct gs_release_diff *diff)
{
	for (size_t i = 0; i < old->records.n; i++) {
		const struct gs_map_entry *entry = &old->records.entries[i];
		const struct gs_record *is =
		    gs_map_get(&new->records, entry->key);
		if (is)
			add_changed(entry->value, is, old, new, diff);
		else
			add_removed(entry->value, new, diff);
	}
	for (size_t i = 0; i < new->records.n; i++)
		if (!gs_map_has(&old->records, new->records.entries[i].key))
			add_added(new->records.entries[i].value, old, diff);
	GS_VEC_SORT(diff, by_row);
}

/* Where not one row differs, the same release may be told of twice; whether
 * other files differ is up to their sums. */
static void judge(const struct side *old, const struct side *new,
    struct gs_release_diff *diff)
{
	struct gs_version was = {0}, is = {0};
	(void)gs_version_parse(gs_str(old->version), &was);
	(void)gs_version_parse(gs_str(new->version), &is);
	diff->same_rows = diff->n == 0;
	diff->bump = diff->edited + diff->removed > 0 ? GS_BUMP_MAJOR
	             : diff->added > 0                ? GS_BUMP_MINOR
	             : diff->proven > 0               ? GS_BUMP_PATCH
	                                              : GS_BUMP_NONE;
	struct gs_version least = gs_version_next(&was, diff->bump);
	gs_version_print(&least, diff->least);
	memcpy(diff->old_version, old->version, sizeof(diff->old_version));
	memcpy(diff->new_version, new->version, sizeof(diff->new_version));
	diff->is_true = gs_version_cmp(&is, &least) >= 0;
}

int gs_release_diff(const char *old_release, const char *new_release,
    struct gs_release_diff *ret, struct gs_err *err)
{
	GS_CLEANUP(release_side) struct side old = {0}, new = {0};
	struct gs_table *table = NULL;
	int rc = gs_table_open(&table, err);
	if (rc == 0)
		rc = read_side(table, old_release, &old, err);
	if (rc == 0)
		rc = read_side(table, new_release, &new, err);
	gs_table_close(table);
	if (rc)
		return rc;
	compare(&old, &new, ret);
	judge(&old, &new, ret);
	return 0;
}

void gs_release_diff_release(struct gs_release_diff *diff)
{
	for (size_t i = 0; i < diff->n; i++) {
		free(diff->v[i].id);
		free(diff->v[i].repo);
		free(diff->v[i].unit);
		free(diff->v[i].other);
		free(diff->v[i].detail);
		gs_strv_release(&diff->v[i].columns);
	}
	GS_VEC_FREE(diff);
}

const char *gs_row_change_name(enum gs_row_change change)
{
	static const char *const names[] = {
	    "added", "removed", "edited", "proven again"};
	return names[change];
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "store/merge.h"

#include <stddef.h>
#include <string.h>

#include "base/fault.h"
#include "os/file.h"
#include "store/db.h"
#include "store/once.h"

extern const char gs_text_merge_sql[];

/* Statements are used once: none is kept. */
sqlite3_stmt *gs_merge_prepare(
    struct gs_store *store, const char *name, struct gs_err *err)
{
	struct gs_str text = gs_db_named(gs_text_merge_sql, name);
	sqlite3_stmt *query = NULL;

	if (sqlite3_prepare_v2(store->db, text.p, (int)text.n, &query, NULL) !=
	    SQLITE_OK)
		(void)gs_db_fail(store, err);
	return query;
}

void gs_merge_finalize(sqlite3_stmt **query)
{
	(void)sqlite3_finalize(*query);
}

/* `argument` NULL: none. The rows that it changed, or a negative error. */
static int run(struct gs_store *store, const char *name, const char *argument,
    struct gs_err *err)
{
	GS_CLEANUP(gs_merge_finalize)
	sqlite3_stmt *query = gs_merge_prepare(store, name, err);

	if (!query)
		return gs_db_fail(store, NULL);
	if (argument)
		gs_db_bind_text(query, 1, argument);
	int rc = gs_db_next(store, query, err);
	return rc < 0 ? rc : sqlite3_changes(store->db);
}

void gs_merge_result_release(struct gs_merge_result *result)
{
	gs_strv_release(&result->conflicts);
	*result = (struct gs_merge_result){0};
}

/* "owner/name, commit 1234: here a record, in DIR refused: flaky" */
static void add_conflict(sqlite3_stmt *query, const char *folder,
    const char *ours, const char *theirs, struct gs_merge_result *result)
{
	struct gs_oid oid;
	const char *name = (const char *)sqlite3_column_text(query, 0);

	if (result->n_conflicts++ >= GS_CONFLICTS_MAX)
		return;
	gs_db_column_oid(query, 1, &oid);
	gs_strv_pushf(&result->conflicts, "%s%s%.12s: here %s, in %s %s", name,
	    oid.hex[0] ? ", commit " : "", oid.hex, ours, folder, theirs);
}

static int find_conflicts(struct gs_store *store, const char *folder,
    struct gs_merge_result *result, struct gs_err *err)
{
	GS_CLEANUP(gs_merge_finalize)
	sqlite3_stmt *query = gs_merge_prepare(store, "conflicts", err);
	int rc = 0;

	if (!query)
		return gs_db_fail(store, NULL);
	while ((rc = gs_db_next(store, query, err)) > 0) {
		const char *ours = (const char *)sqlite3_column_text(query, 2);
		const char *theirs =
		    (const char *)sqlite3_column_text(query, 3);
		add_conflict(query, folder, ours ? ours : "something else",
		    theirs ? theirs : "something else", result);
	}
	return rc;
}

/* The columns of a record that are facts about its commit; who saw them, and
 * when, may differ. */
static int read_facts(
    sqlite3_stmt *query, int at, json_t **ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	int rc = gs_db_unpack(gs_db_column_bytes(query, at), &text, err);

	if (rc < 0)
		return rc;
	json_t *facts =
	    gs_json_parse(gs_buf_str(&text), "a record in the store", err);
	if (!facts)
		return GS_E_CORRUPT;
	(void)json_object_del(facts, "validated_at");
	(void)json_object_del(facts, "validator");
	(void)json_object_del(facts, "also_in"); /* renewed by publishing */
	*ret = facts;
	return 0;
}

/* The first column that differs; NULL where none does. */
static const char *first_difference(json_t *ours, json_t *theirs)
{
	const char *key = NULL;
	json_t *value = NULL;

	json_object_foreach(ours, key, value)
	{
		if (!json_equal(value, json_object_get(theirs, key)))
			return key;
	}
	return json_object_size(ours) == json_object_size(theirs) ? NULL
	                                                          : "columns";
}

static int compare_pair(sqlite3_stmt *query, const char *folder,
    struct gs_merge_result *result, struct gs_err *err)
{
	GS_CLEANUP(gs_json_free) json_t *ours = NULL;
	GS_CLEANUP(gs_json_free) json_t *theirs = NULL;
	int rc = read_facts(query, 4, &ours, err);

	if (rc == 0)
		rc = read_facts(query, 5, &theirs, err);
	const char *column = rc == 0 ? first_difference(ours, theirs) : NULL;
	if (!column)
		return rc;
	GS_CLEANUP(gs_freep)
	char *mine = gs_format("record %s", sqlite3_column_text(query, 2));
	GS_CLEANUP(gs_freep)
	char *other = gs_format(
	    "record %s: another %s", sqlite3_column_text(query, 3), column);
	add_conflict(query, folder, mine, other, result);
	return 0;
}

static int find_other_records(struct gs_store *store, const char *folder,
    struct gs_merge_result *result, struct gs_err *err)
{
	GS_CLEANUP(gs_merge_finalize)
	sqlite3_stmt *query = gs_merge_prepare(store, "record_pairs", err);
	int rc = 0;

	if (!query)
		return gs_db_fail(store, NULL);
	while ((rc = gs_db_next(store, query, err)) > 0) {
		rc = compare_pair(query, folder, result, err);
		if (rc)
			return rc;
	}
	return rc;
}

/* All that is taken over, in order; some of it is counted. */
static int take_all(
    struct gs_store *store, struct gs_merge_result *result, struct gs_err *err)
{
	int64_t unused = 0;

	const struct {
		const char *name;
		int64_t *count;
	} steps[] = {
	    {"reasons", &unused},
	    {"projects", &result->projects},
	    {"tips", &unused},
	    {"walked", &result->commits},
	    {"taken_table", &unused},
	    {"taken_none", &unused},
	    {"taken", &unused},
	    {"candidates", &result->candidates},
	    {"records", &result->records},
	    {"runs", &unused},
	    {"texts", &unused},
	    {"tip_blobs", &unused},
	    {"tip_texts", &unused},
	    {"published", &unused},
	    {"instances", &unused},
	};

	for (size_t i = 0; i < GS_COUNT(steps); i++) {
		int rc = run(store, steps[i].name, NULL, err);
		if (rc < 0)
			return rc;
		*steps[i].count = rc;
		gs_fault("store.merge");
	}
	return 0;
}

static int merge_attached(struct gs_store *store, const char *folder,
    struct gs_merge_result *result, struct gs_err *err)
{
	int rc = gs_db_enter(store, err);

	if (rc < 0)
		return rc;
	rc = find_conflicts(store, folder, result, err);
	if (rc == 0)
		rc = find_other_records(store, folder, result, err);
	if (rc == 0 && result->n_conflicts == 0)
		rc = take_all(store, result, err);
	/* What is known of reasons and turns is of before. */
	gs_turns_forget(&store->turns);
	return gs_db_leave(store, rc, err);
}

/* Ours, whole, and of this version: as any reader finds it. */
static int find_uri(
    struct gs_store *store, const char *folder, char **ret, struct gs_err *err)
{
	struct gs_store *reader = NULL;
	int rc = gs_store_open(folder, GS_STORE_READ, &reader, err);

	if (rc < 0)
		return rc;
	GS_CLEANUP(gs_freep) char *theirs = NULL;
	GS_CLEANUP(gs_freep) char *ours = NULL;
	rc = gs_path_real(reader->path, &theirs, err);
	if (rc == 0)
		rc = gs_path_real(store->path, &ours, err);
	if (rc == 0 && strcmp(ours, theirs) == 0)
		rc = gs_fail(err, GS_E_USAGE,
		    "%s is the workspace itself: give another one to take from",
		    folder);
	if (rc == 0)
		*ret = gs_db_uri(reader);
	gs_store_close(reader);
	return rc;
}

int gs_store_merge(struct gs_store *store, const char *folder,
    struct gs_merge_result *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *uri = NULL;
	struct gs_merge_result result = {0};
	int rc = find_uri(store, folder, &uri, err);

	if (rc == 0)
		rc = run(store, "attach", uri, err);
	if (rc < 0)
		return rc;
	rc = merge_attached(store, folder, &result, err);
	int detached = run(store, "detach", NULL, rc ? NULL : err);
	if (rc == 0 && detached < 0)
		rc = detached;
	if (rc < 0)
		gs_merge_result_release(&result);
	else
		*ret = result;
	return rc < 0 ? rc : 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <ctype.h>
#include <string.h>

#include "base/hash.h"
#include "store/db.h"
#include "store/query.h"

#define MIN_PREFIX 4

void gs_story_release(struct gs_story *story)
{
	free(story->project);
	free(story->state);
	free(story->reason);
	free(story->detail);
	free(story->licence);
	free(story->licence_file);
	free(story->record_id);
	free(story->duplicate_of);
	free(story->record);
	free(story->evidence);
	free(story->runs);
	*story = (struct gs_story){0};
}

static int not_found(
    struct gs_store *store, const char *name, struct gs_err *err)
{
	return gs_fail(err, GS_E_NOT_FOUND,
	    "workspace %s holds no commit or record %s", store->workspace,
	    name);
}

/* `name` is a record's id or begins one. */
static int find_record(struct gs_store *store, const char *name,
    int64_t *ret_row, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_FIND_RECORD, err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_text(query, 1, name);
	int rc = gs_db_next(store, query, err);
	if (rc <= 0)
		return rc < 0 ? rc : not_found(store, name, err);
	int64_t row = sqlite3_column_int64(query, 0);
	GS_CLEANUP(gs_freep) char *id = gs_db_column_dup(query, 1);
	rc = gs_db_next(store, query, err);
	if (rc > 0)
		return gs_fail(err, GS_E_USAGE,
		    "%s begins several record ids, %s and %s: give more "
		    "digits",
		    name, id, (const char *)sqlite3_column_text(query, 1));
	if (rc == 0)
		*ret_row = row;
	return rc;
}

/* The first and the last id that begin with these digits; false where they
 * are none. */
static bool bounds(const char *digits, char first[65], char last[65])
{
	size_t n = strlen(digits);

	if (n < MIN_PREFIX || n > 64)
		return false;
	memset(first, '0', 64);
	memset(last, 'f', 64);
	first[64] = last[64] = '\0';
	for (size_t i = 0; i < n; i++) {
		if (!isxdigit((unsigned char)digits[i]))
			return false;
		first[i] = last[i] = (char)tolower((unsigned char)digits[i]);
	}
	/* A shorter id that is equal so far sorts before one that goes on
	 * with zeros. */
	first[n + n % 2] = '\0';
	return true;
}

static int ambiguous(sqlite3_stmt *query, const struct gs_oid *a,
    const char *project_a, const char *name, struct gs_err *err)
{
	struct gs_oid b;
	const char *project_b = (const char *)sqlite3_column_text(query, 1);

	gs_db_column_oid(query, 2, &b);
	if (gs_oid_eq(a, &b))
		return gs_fail(err, GS_E_USAGE,
		    "%s is a commit of %s and of %s: say %s:%s or %s:%s", name,
		    project_a, project_b, project_a, name, project_b, name);
	return gs_fail(err, GS_E_USAGE,
	    "%s begins several commits, %s of %s and %s of %s: give more "
	    "digits",
	    name, a->hex, project_a, b.hex, project_b);
}

/* `name` is "[project:]digits". */
static int find_commit(struct gs_store *store, const char *name,
    int64_t *ret_row, struct gs_err *err)
{
	const char *colon = strrchr(name, ':');
	const char *digits = colon ? colon + 1 : name;
	GS_CLEANUP(gs_freep)
	char *project = colon ? gs_strndup(name, (size_t)(colon - name)) : NULL;
	GS_CLEANUP(gs_freep) char *found_in = NULL;
	char first[65], last[65];
	struct gs_oid oid;

	if (!bounds(digits, first, last))
		return gs_fail(err, GS_E_USAGE,
		    "%s is neither a record id nor a commit id of at least %d "
		    "digits",
		    name, MIN_PREFIX);
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_FIND_COMMIT, err);
	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_hex(query, 1, first);
	gs_db_bind_hex(query, 2, last);
	gs_db_bind_text(query, 3, project);
	int rc = gs_db_next(store, query, err);
	if (rc <= 0)
		return rc < 0 ? rc : not_found(store, name, err);
	int64_t row = sqlite3_column_int64(query, 0);
	found_in = gs_db_column_dup(query, 1);
	gs_db_column_oid(query, 2, &oid);
	rc = gs_db_next(store, query, err);
	if (rc > 0)
		return ambiguous(query, &oid, found_in, digits, err);
	if (rc == 0)
		*ret_row = row;
	return rc;
}

static const char *state_name(sqlite3_stmt *query)
{
	if (sqlite3_column_type(query, 4) == SQLITE_NULL)
		return "refused"; /* when it was mined */
	switch ((enum gs_state)sqlite3_column_int(query, 4)) {
	case GS_STATE_PENDING:
	case GS_STATE_ASIDE:
		return "pending";
	case GS_STATE_CLAIMED:
		return "claimed";
	case GS_STATE_RECORD:
		return "record";
	case GS_STATE_REFUSED:
	case GS_STATE_UNSATISFIED:
	case GS_STATE_UNSATISFIED_NOW:
		break;
	}
	return "refused";
}

static void set_state(struct gs_story *story, const char *state,
    const char *reason, const char *detail)
{
	free(story->state);
	free(story->reason);
	free(story->detail);
	story->state = gs_strdup(state);
	story->reason = gs_strdup(reason);
	story->detail = detail ? gs_strdup(detail) : NULL;
}

static int read_commit(struct gs_store *store, int64_t row,
    struct gs_story *story, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_STORY, err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_int(query, 1, row);
	int rc = gs_db_next(store, query, err);
	if (rc <= 0)
		return rc < 0 ? rc : gs_db_fail(store, err);
	bool is_excluded = sqlite3_column_int(query, 9) != 0;
	story->project = gs_db_column_dup(query, 0);
	gs_db_column_oid(query, 1, &story->commit);
	gs_db_column_oid(query, 2, &story->parent);
	story->committed_at = sqlite3_column_int64(query, 3);
	story->state = gs_strdup(state_name(query));
	story->reason = gs_db_column_dup(query, 5);
	story->detail = gs_db_column_dup(query, 6);
	story->licence = gs_db_column_dup(query, 7);
	story->licence_file = gs_db_column_dup(query, 8);
	/* What the funnel counts as "merge" (W2) and "excluded project". */
	if (sqlite3_column_int(query, 11))
		set_state(story, "refused", "merge",
		    "The project was walked last with --walk commits.");
	else if (is_excluded && strcmp(story->state, "refused") != 0)
		set_state(story, "excluded", "excluded project",
		    (const char *)sqlite3_column_text(query, 10));
	return 0;
}

static int unpack_text(
    sqlite3_stmt *query, int at, char **ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	int rc = gs_db_unpack(gs_db_column_bytes(query, at), &text, err);

	if (rc == 0)
		*ret = gs_buf_steal(&text);
	return rc;
}

/* I4: which of the equal ones stands. */
static int read_standing(struct gs_store *store, struct gs_str fingerprint,
    struct gs_story *story, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_STANDS, err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_bytes(query, 1, fingerprint);
	int rc = gs_db_next(store, query, err);
	if (rc <= 0)
		return rc;
	GS_CLEANUP(gs_freep) char *id = gs_db_column_dup(query, 0);
	if (!gs_str_eq(gs_str(id), gs_str(story->record_id)) &&
	    gs_str_is(gs_str(story->state), "record")) {
		story->duplicate_of = gs_steal(&id);
		free(story->state);
		story->state = gs_strdup("duplicate");
	}
	return 0;
}

static int read_record(struct gs_store *store, int64_t row,
    struct gs_story *story, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_RECORD, err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_int(query, 1, row);
	int rc = gs_db_next(store, query, err);
	if (rc <= 0)
		return rc;
	story->record_id = gs_db_column_dup(query, 0);
	rc = unpack_text(query, 1, &story->record, err);
	if (rc == 0)
		rc = unpack_text(query, 2, &story->evidence, err);
	if (rc == 0)
		rc = read_standing(
		    store, gs_db_column_bytes(query, 3), story, err);
	return rc;
}

static int read_runs(struct gs_store *store, int64_t row,
    struct gs_story *story, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_RUNS, err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_int(query, 1, row);
	int rc = gs_db_next(store, query, err);
	return rc > 0 ? unpack_text(query, 0, &story->runs, err) : rc;
}

int gs_store_story(struct gs_store *store, const char *name,
    struct gs_story *ret, struct gs_err *err)
{
	struct gs_story story = {0};
	int64_t row = 0;
	bool begun = false;
	int rc = gs_db_enter_read(store, &begun, err);

	if (rc == 0)
		rc = strncmp(name, "gs-", 3) == 0
		         ? find_record(store, name, &row, err)
		         : find_commit(store, name, &row, err);
	if (rc == 0)
		rc = read_commit(store, row, &story, err);
	if (rc == 0)
		rc = read_record(store, row, &story, err);
	if (rc == 0)
		rc = read_runs(store, row, &story, err);
	gs_db_leave_read(store, begun);
	if (rc < 0)
		gs_story_release(&story);
	else
		*ret = story;
	return rc;
}

int gs_store_record_ids(struct gs_store *store, const char *beginning,
    int64_t most, struct gs_strv *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, GS_Q_RECORD_IDS, err);
	int rc = 0;

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_text(query, 1, beginning);
	gs_db_bind_int(query, 2, most);
	while ((rc = gs_db_next(store, query, err)) > 0)
		gs_strv_pushf(ret, "%s\t%s",
		    (const char *)sqlite3_column_text(query, 0),
		    (const char *)sqlite3_column_text(query, 1));
	return rc;
}

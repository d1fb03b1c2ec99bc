/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "store/db.h"
#include "store/query.h"

#define EXCLUDED "excluded project"
#define MERGE "merge"

void gs_counts_release(struct gs_counts *counts)
{
	for (size_t i = 0; i < counts->n; i++)
		free(counts->v[i].name);
	GS_VEC_FREE(counts);
}

void gs_funnel_release(struct gs_funnel *funnel)
{
	gs_counts_release(&funnel->reasons);
	gs_counts_release(&funnel->by_granularity);
	gs_counts_release(&funnel->by_change_kind);
	gs_counts_release(&funnel->lacking);
}

/* Names are few: reasons, kinds, modules of one group. */
static void add(struct gs_counts *counts, const char *name, int64_t n)
{
	if (n == 0)
		return;
	for (size_t i = 0; i < counts->n; i++) {
		if (strcmp(counts->v[i].name, name) == 0) {
			counts->v[i].n += n;
			return;
		}
	}
	struct gs_count *count = GS_VEC_ADD(counts);
	*count = (struct gs_count){.name = gs_strdup(name), .n = n};
}

static int largest_first(const void *a, const void *b)
{
	const struct gs_count *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return strcmp(x->name, y->name);
}

static const char *text_or(sqlite3_stmt *query, int at, const char *fallback)
{
	const unsigned char *text = sqlite3_column_text(query, at);

	return text ? (const char *)text : fallback;
}

static void on_projects(sqlite3_stmt *query, struct gs_funnel *funnel)
{
	funnel->projects = sqlite3_column_int64(query, 0);
}

static void on_walked(sqlite3_stmt *query, struct gs_funnel *funnel)
{
	int64_t n = sqlite3_column_int64(query, 2);

	funnel->commits += n;
	add(&funnel->reasons, text_or(query, 1, ""), n);
}

/* All that is a record is a duplicate until on_records says it stands. */
static void on_candidates(sqlite3_stmt *query, struct gs_funnel *funnel)
{
	bool is_excluded = sqlite3_column_int(query, 0) != 0;
	enum gs_state state = (enum gs_state)sqlite3_column_int(query, 1);
	int64_t n = sqlite3_column_int64(query, 3);

	funnel->commits += n;
	/* W2: an earlier walk admitted merges, the last one does not. */
	if (sqlite3_column_int(query, 4)) {
		add(&funnel->reasons, MERGE, n);
		return;
	}
	funnel->candidates += n;
	switch (state) {
	case GS_STATE_PENDING:
	case GS_STATE_CLAIMED:
	case GS_STATE_ASIDE:
		if (is_excluded)
			add(&funnel->reasons, EXCLUDED, n);
		else
			funnel->pending += n;
		break;
	case GS_STATE_REFUSED:
	case GS_STATE_UNSATISFIED:
	case GS_STATE_UNSATISFIED_NOW:
		add(&funnel->reasons, text_or(query, 2, "refused"), n);
		break;
	case GS_STATE_RECORD:
		if (is_excluded)
			add(&funnel->reasons, EXCLUDED, n);
		else
			funnel->duplicates += n;
		break;
	}
}

static void on_records(sqlite3_stmt *query, struct gs_funnel *funnel)
{
	int64_t n = sqlite3_column_int64(query, 2);

	funnel->records += n;
	funnel->duplicates -= n;
	add(&funnel->by_granularity, text_or(query, 0, ""), n);
	add(&funnel->by_change_kind, text_or(query, 1, ""), n);
}

static void on_lacking(sqlite3_stmt *query, struct gs_funnel *funnel)
{
	struct gs_count *count = GS_VEC_ADD(&funnel->lacking);

	*count = (struct gs_count){
	    .name = gs_strdup(text_or(query, 0, "")),
	    .n = sqlite3_column_int64(query, 1),
	};
}

static const struct {
	enum gs_db_query query;
	void (*on_row)(sqlite3_stmt *query, struct gs_funnel *funnel);
} parts[] = {
    {GS_Q_FUNNEL_PROJECTS, on_projects},
    {GS_Q_FUNNEL_WALKED, on_walked},
    {GS_Q_FUNNEL_CANDIDATES, on_candidates},
    {GS_Q_FUNNEL_RECORDS, on_records},
    {GS_Q_FUNNEL_LACKING, on_lacking},
};

static int ask_part(struct gs_store *store, size_t part, const char *project,
    struct gs_funnel *funnel, struct gs_err *err)
{
	GS_CLEANUP(gs_db_end)
	sqlite3_stmt *query = gs_db_query(store, parts[part].query, err);
	int rc = 0;

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_text(query, 1, project);
	while ((rc = gs_db_next(store, query, err)) > 0)
		parts[part].on_row(query, funnel);
	return rc;
}

int gs_store_funnel(struct gs_store *store, const char *project,
    struct gs_funnel *ret, struct gs_err *err)
{
	struct gs_funnel funnel = {0};
	bool begun = false;
	int rc = gs_db_enter_read(store, &begun, err);

	for (size_t i = 0; rc == 0 && i < GS_COUNT(parts); i++)
		rc = ask_part(store, i, project, &funnel, err);
	gs_db_leave_read(store, begun);
	if (rc < 0) {
		gs_funnel_release(&funnel);
		return rc;
	}
	GS_VEC_SORT(&funnel.reasons, largest_first);
	GS_VEC_SORT(&funnel.by_granularity, largest_first);
	GS_VEC_SORT(&funnel.by_change_kind, largest_first);
	GS_VEC_SORT(&funnel.lacking, largest_first);
	*ret = funnel;
	return 0;
}

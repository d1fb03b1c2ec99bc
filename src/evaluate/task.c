/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/task.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/limits.h"
#include "base/vec.h"
#include "os/file.h"
#include "table/table.h"

#define MAX_PARQUET ((size_t)4 << 30)

/* A row of any such table, copied member by member. */
static void copy_row(
    void *to, const void *from, const struct gs_column *columns, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *target = (char *)to + columns[i].offset;
		const char *source = (const char *)from + columns[i].offset;
		switch (columns[i].type) {
		case GS_COLUMN_TEXT:
			*(char **)(void *)target =
			    gs_strdup(gs_column_text(from, &columns[i]));
			break;
		case GS_COLUMN_LIST:
			gs_strv_copy((struct gs_strv *)(void *)target,
			    gs_column_list(from, &columns[i]));
			break;
		case GS_COLUMN_INT:
			memcpy(target, source, sizeof(int64_t));
			break;
		case GS_COLUMN_BOOL:
			memcpy(target, source, sizeof(bool));
			break;
		}
	}
}

static int take_record(void *ctx, struct gs_record *record, struct gs_err *err)
{
	(void)err;
	struct gs_tasks *tasks = ctx;
	struct gs_task *task = GS_VEC_ADD(tasks);
	copy_row(&task->record, record, gs_record_columns, gs_n_record_columns);
	return 0;
}

static int take_evidence(
    void *ctx, struct gs_evidence *evidence, struct gs_err *err)
{
	struct gs_tasks *tasks = ctx;
	struct gs_task *task = gs_task_find(tasks, gs_str(evidence->id));
	if (!task)
		return gs_fail(err, GS_E_CORRUPT,
		    "the evidence names %s, which is no record of the release",
		    evidence->id);
	if (task->evidence.id)
		return gs_fail(err, GS_E_CORRUPT,
		    "the evidence of %s stands there twice", evidence->id);
	copy_row(&task->evidence, evidence, gs_evidence_columns,
	    gs_n_evidence_columns);
	return 0;
}

static void index_tasks(struct gs_tasks *tasks)
{
	gs_map_release(&tasks->by_id);
	for (size_t i = 0; i < tasks->n; i++)
		*gs_map_at(&tasks->by_id, gs_str(tasks->v[i].record.id)) =
		    (void *)(i + 1);
}

struct gs_task *gs_task_find(const struct gs_tasks *tasks, struct gs_str id)
{
	void *at = gs_map_get(&tasks->by_id, id);
	return at ? &tasks->v[(size_t)at - 1] : NULL;
}

static int read_rows(const char *oracles, const char *evidence,
    struct gs_tasks *ret, struct gs_err *err)
{
	struct gs_table *table = NULL;
	int rc = gs_table_open(&table, err);
	if (rc == 0)
		rc = gs_table_each_record(
		    table, oracles, NULL, NULL, take_record, ret, err);
	index_tasks(ret);
	if (rc == 0)
		rc = gs_table_each_evidence(
		    table, evidence, NULL, NULL, take_evidence, ret, err);
	gs_table_close(table);
	for (size_t i = 0; rc == 0 && i < ret->n; i++)
		if (!ret->v[i].evidence.id)
			rc = gs_fail(err, GS_E_CORRUPT,
			    "%s has no evidence in the release",
			    ret->v[i].record.id);
	return rc;
}

static int read_identity(const char *release, const char *oracles,
    struct gs_tasks *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *path = gs_path_join(release, "croissant.json");
	GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {.max = MAX_PARQUET};
	int rc = gs_file_read(oracles, MAX_PARQUET, &bytes, err);
	if (rc)
		return rc;
	gs_sha256_hex(gs_buf_str(&bytes), ret->sha256);
	gs_buf_reset(&bytes);
	if (gs_file_read(path, GS_MAX_JSON_LINE, &bytes, NULL))
		return 0; /* a release without it still has its records */
	GS_CLEANUP(gs_json_free)
	json_t *croissant = gs_json_parse(gs_buf_str(&bytes), path, NULL);
	const char *version = gs_json_get_cstr(croissant, "version");
	free(ret->version);
	ret->version = gs_strdup(version ? version : "");
	return 0;
}

int gs_tasks_read(const char *release, struct gs_tasks *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *oracles = gs_path_join(release, "oracles.parquet");
	GS_CLEANUP(gs_freep)
	char *evidence = gs_path_join(release, "evidence.parquet");
	if (!gs_path_exists(oracles) || !gs_path_exists(evidence))
		return gs_fail(err, GS_E_NOT_FOUND,
		    "%s is no release: it has no oracles.parquet and "
		    "evidence.parquet",
		    release);
	ret->version = gs_strdup("");
	int rc = read_identity(release, oracles, ret, err);
	return rc ? rc : read_rows(oracles, evidence, ret, err);
}

static void task_release(struct gs_task *task)
{
	gs_record_release(&task->record);
	gs_evidence_release(&task->evidence);
	free(task->mirror);
	free(task->lacking);
	free(task->pytest_option);
}

void gs_tasks_release(struct gs_tasks *tasks)
{
	for (size_t i = 0; i < tasks->n; i++)
		task_release(&tasks->v[i]);
	GS_VEC_FREE(tasks);
	gs_map_release(&tasks->by_id);
	gs_map_release(&tasks->outside);
	free(tasks->version);
	tasks->version = NULL;
}

void gs_tasks_window(
    struct gs_tasks *tasks, const char *after, const char *before)
{
	size_t kept = 0;
	for (size_t i = 0; i < tasks->n; i++) {
		const char *at = tasks->v[i].record.committed_at;
		if ((after && strcmp(at, after) < 0) ||
		    (before && strcmp(at, before) >= 0)) {
			gs_map_add(&tasks->outside,
			    gs_str(tasks->v[i].record.id), NULL);
			task_release(&tasks->v[i]);
		} else
			tasks->v[kept++] = tasks->v[i];
	}
	tasks->n = kept;
	index_tasks(tasks);
}

bool gs_task_is_function(const struct gs_task *task)
{
	return strcmp(task->record.granularity, "function") == 0;
}

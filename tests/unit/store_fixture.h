/* SPDX-License-Identifier: Apache-2.0 */
/* A workspace in a temporary folder, and what the store's tests put there. */
#ifndef STORE_FIXTURE_H
#define STORE_FIXTURE_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/mem.h"
#include "gs_test.h"
#include "os/file.h"
#include "store/query.h"
#include "store/store.h"

#define OK(call) check_ok((call), &err, #call)

static struct gs_err err;

static inline int check_ok(int rc, struct gs_err *e, const char *call)
{
	ck_assert_msg(rc >= 0, "%s: %s", call, e->text);
	return rc;
}

static inline void check_fails(int rc, enum gs_code code, const char *part)
{
	ck_assert_msg(rc == code, "%d: %s", rc, err.text);
	ck_assert_msg(strstr(err.text, part) != NULL, "%s", err.text);
}

static inline char *make_workspace(void)
{
	char *path = NULL;

	OK(gs_dir_make_temp("/tmp", "goldset-store-", &path, &err));
	return path;
}

/* Never follows what it does not know: the store makes plain files only. */
static inline void drop_workspace(char *path)
{
	static const char *const names[] = {
	    "state.db", "state.db-wal", "state.db-shm", "lock"};

	for (size_t i = 0; i < GS_COUNT(names); i++) {
		char *file = gs_path_join(path, names[i]);
		(void)unlink(file);
		free(file);
	}
	ck_assert_int_eq(rmdir(path), 0);
	free(path);
}

static inline struct gs_store *open_store(
    const char *path, enum gs_store_mode mode)
{
	struct gs_store *store = NULL;

	OK(gs_store_open(path, mode, &store, &err));
	return store;
}

static inline int64_t add_project(struct gs_store *store, const char *name)
{
	struct gs_project project = {
	    .name = gs_strdup(name),
	    .repo_url = gs_format("https://example.org/%s", name),
	    .source = gs_format("/srv/%s", name),
	    .mirror = gs_strdup("mirror"),
	};
	OK(gs_store_add_project(store, &project, &err));
	int64_t id = project.id;
	gs_project_release(&project);
	return id;
}

/* A commit id that begins with this number. */
static inline struct gs_oid oid_of(uint32_t number)
{
	struct gs_oid oid;

	(void)snprintf(oid.hex, sizeof(oid.hex), "%08x%032x", number, number);
	return oid;
}

static inline void put(struct gs_store *store, int64_t project, uint32_t number,
    int64_t at, const char *reason)
{
	struct gs_commit_row row = {
	    .project = project,
	    .id = oid_of(number),
	    .parent = oid_of(number + 1),
	    .n_parents = 1,
	    .committed_at = at,
	    .has_date = true,
	    .reason = reason,
	    .detail = reason ? "a sentence" : NULL,
	    .licence = reason ? NULL : "MIT",
	    .licence_file = reason ? NULL : "LICENSE",
	    .licence_texts = reason ? NULL : "{}",
	};
	OK(gs_store_put_commit(store, &row, NULL, &err));
}

static inline struct gs_verdict refusal(const char *reason)
{
	return (struct gs_verdict){
	    .reason = gs_strdup(reason),
	    .detail = gs_strdup("because"),
	    .runs = gs_strdup("[{\"label\":\"after\",\"run\":{}}]"),
	};
}

/* A record of this text; equal texts are equal records (I4). */
static inline struct gs_verdict record_of(
    const struct gs_work *work, const char *text)
{
	struct gs_verdict verdict = {.is_record = true};
	struct gs_record *record = &verdict.record;
	char hex[GS_SHA256_HEX];

	gs_sha256_hex(gs_str(text), hex);
	record->fingerprint = gs_strdup(hex);
	record->id =
	    gs_format("gs-%.8s%08x", work->id.hex, (unsigned)work->project);
	record->repo = gs_strdup(work->project_name);
	record->commit = gs_strdup(work->id.hex);
	record->source_after = gs_strdup(text);
	record->granularity = gs_strdup("function");
	gs_strv_push(&record->fail_to_pass, "tests/test_a.py::test_one");
	verdict.evidence.id = gs_strdup(record->id);
	verdict.evidence.change_kind = gs_strdup("bug");
	verdict.runs = gs_strdup("[]");
	return verdict;
}

static inline void finish(struct gs_store *store, const struct gs_work *work,
    struct gs_verdict verdict)
{
	OK(gs_store_finish(store, work->row, &verdict, &err));
	gs_verdict_release(&verdict);
}

/* The sum that `status` promises. */
static inline void check_adds_up(const struct gs_funnel *funnel)
{
	int64_t sum = funnel->records + funnel->pending + funnel->duplicates;

	for (size_t i = 0; i < funnel->reasons.n; i++)
		sum += funnel->reasons.v[i].n;
	ck_assert_int_eq(sum, funnel->commits);
}

static inline int64_t count_of(const struct gs_counts *counts, const char *name)
{
	for (size_t i = 0; i < counts->n; i++)
		if (strcmp(counts->v[i].name, name) == 0)
			return counts->v[i].n;
	return 0;
}

static inline struct gs_funnel funnel_of(
    struct gs_store *store, const char *project)
{
	struct gs_funnel funnel = {0};

	OK(gs_store_funnel(store, project, &funnel, &err));
	check_adds_up(&funnel);
	return funnel;
}

#endif

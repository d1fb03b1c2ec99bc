/* SPDX-License-Identifier: Apache-2.0 */
#include "publish/facts.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "os/fd.h"
#include "os/file.h"

int file_sha256(const char *path, char out[GS_SHA256_HEX], uint64_t *ret_size,
    struct gs_err *err)
{
	GS_CLEANUP(gs_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return gs_fail_sys(err, "open %s", path);
	GS_CLEANUP(gs_freep) char *block = gs_alloc(GS_MIB);
	struct gs_sha256 sha;
	gs_sha256_init(&sha);
	uint64_t size = 0;
	ssize_t n;
	while ((n = read(fd, block, GS_MIB)) > 0) {
		gs_sha256_add(&sha, gs_str_n(block, (size_t)n));
		size += (uint64_t)n;
	}
	if (n < 0)
		return gs_fail_sys(err, "read %s", path);
	gs_sha256_end_hex(&sha, out);
	*ret_size = size;
	return 0;
}

/* Counting by name; few names, so a list will do. */
static void count(struct gs_counts *counts, const char *name)
{
	for (size_t i = 0; i < counts->n; i++)
		if (strcmp(counts->v[i].name, name) == 0) {
			counts->v[i].n++;
			return;
		}
	*GS_VEC_ADD(counts) =
	    (struct gs_count){.name = gs_strdup(name), .n = 1};
}

static int largest_first(const void *a, const void *b)
{
	const struct gs_count *x = a, *y = b;
	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return strcmp(x->name, y->name);
}

struct pass {
	const struct licences *licences;
	const struct gs_watch *watch;
	int64_t read, total; /* rows of both tables */
	struct facts *facts;
	struct gs_map ids; /* of oracles, in order */
	size_t n_evidence;
	char *last_repo, *last_date, *last_id;
};

/* P1: sorted by repo, committed_at, id. */
static int check_order(
    struct pass *pass, const struct gs_record *record, struct gs_err *err)
{
	if (pass->last_id) {
		int order = strcmp(pass->last_repo, record->repo);
		if (order == 0)
			order = strcmp(pass->last_date, record->committed_at);
		if (order == 0)
			order = strcmp(pass->last_id, record->id);
		if (order >= 0)
			return gs_fail(err, GS_E_CORRUPT,
			    "record %s does not stand in order behind %s",
			    record->id, pass->last_id);
	}
	free(pass->last_repo);
	free(pass->last_date);
	free(pass->last_id);
	pass->last_repo = gs_strdup(record->repo);
	pass->last_date = gs_strdup(record->committed_at);
	pass->last_id = gs_strdup(record->id);
	return 0;
}

static void note_project(struct facts *facts, const struct gs_record *record)
{
	struct project_facts *project =
	    facts->projects.n ? &facts->projects.v[facts->projects.n - 1]
	                      : NULL;
	if (!project || strcmp(project->repo, record->repo) != 0) {
		project = GS_VEC_ADD(&facts->projects);
		project->repo = gs_strdup(record->repo);
		project->url = gs_strdup(record->repo_url);
	}
	project->records++;
	if (!gs_strv_has(&project->licences, record->license)) {
		gs_strv_push(&project->licences, record->license);
		gs_strv_sort(&project->licences);
	}
}

static void note_day(char first[11], char last[11], const char *date)
{
	if (first && (!*first || strncmp(date, first, 10) < 0))
		memcpy(first, date, 10);
	if (!*last || strncmp(date, last, 10) > 0)
		memcpy(last, date, 10);
}

static void tell_read(struct pass *pass)
{
	gs_watch_tell(pass->watch, "read it back", ++pass->read, pass->total);
}

static int take_record(void *ctx, struct gs_record *record, struct gs_err *err)
{
	struct pass *pass = ctx;
	struct facts *facts = pass->facts;
	tell_read(pass);
	int rc = gs_record_check(record, err);
	if (rc == 0)
		rc = check_order(pass, record, err);
	if (rc)
		return rc;
	if (!gs_map_add(&pass->ids, gs_str(record->id), NULL)) /* F136 */
		return gs_fail(
		    err, GS_E_CORRUPT, "the id %s is there twice", record->id);
	if (!licences_resolve(pass->licences, record))
		return gs_fail(err, GS_E_CORRUPT,
		    "the licence text of record %s is missing", record->id);
	facts->records++;
	if (strcmp(record->granularity, "function") == 0)
		facts->functions++;
	else
		facts->files++;
	facts->tests += record->n_tests;
	facts->shared += record->also_in[0] != '\0';
	count(&facts->licences, record->license);
	note_project(facts, record);
	note_day(facts->first_fix, facts->last_fix, record->committed_at);
	note_day(NULL, facts->validated, record->validated_at);
	return 0;
}

static int take_evidence(
    void *ctx, struct gs_evidence *evidence, struct gs_err *err)
{
	struct pass *pass = ctx;
	struct facts *facts = pass->facts;
	if (pass->n_evidence >= pass->ids.n ||
	    !gs_str_is(pass->ids.entries[pass->n_evidence].key, evidence->id))
		return gs_fail(err, GS_E_CORRUPT,
		    "the evidence of %s does not stand where its record does",
		    evidence->id);
	tell_read(pass);
	pass->n_evidence++;
	facts->unguessable += evidence->unguessable.n > 0;
	count(&facts->kinds, evidence->change_kind);
	count(&facts->interpreters, evidence->interpreter);
	count(&facts->pytests, evidence->pytest);
	return 0;
}

static int read_both(struct gs_table *table, const char *oracles,
    const char *evidence, struct pass *pass, struct gs_err *err)
{
	int rc = gs_table_check_schema(
	    table, oracles, gs_record_columns, gs_n_record_columns, err);
	if (rc == 0)
		rc = gs_table_check_schema(table, evidence, gs_evidence_columns,
		    gs_n_evidence_columns, err);
	if (rc == 0)
		rc = gs_table_each_record(
		    table, oracles, NULL, NULL, take_record, pass, err);
	if (rc == 0)
		rc = gs_table_each_evidence(
		    table, evidence, NULL, NULL, take_evidence, pass, err);
	if (rc == 0 && pass->n_evidence != pass->ids.n)
		rc = gs_fail(err, GS_E_CORRUPT,
		    "%zu records have %zu rows of evidence", pass->ids.n,
		    pass->n_evidence);
	return rc;
}

static void release_pass(struct pass *pass)
{
	gs_map_release(&pass->ids);
	free(pass->last_repo);
	free(pass->last_date);
	free(pass->last_id);
}

int facts_read(struct gs_table *table, const char *folder,
    const struct licences *licences, const struct gs_watch *watch,
    struct facts *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *oracles = gs_path_join(folder, ORACLES);
	GS_CLEANUP(gs_freep) char *evidence = gs_path_join(folder, EVIDENCE);
	GS_CLEANUP(release_pass)
	struct pass pass = {.licences = licences, .watch = watch, .facts = ret};
	struct gs_table_info info = {0};
	int rc = gs_table_inspect(table, oracles, &info, err);
	pass.total = 2 * info.rows;
	if (rc == 0)
		rc = read_both(table, oracles, evidence, &pass, err);
	if (rc == 0)
		rc = file_sha256(
		    oracles, ret->oracles_sha256, &ret->oracles_bytes, err);
	if (rc == 0)
		rc = file_sha256(
		    evidence, ret->evidence_sha256, &ret->evidence_bytes, err);
	if (rc)
		return rc;
	GS_VEC_SORT(&ret->licences, largest_first);
	GS_VEC_SORT(&ret->kinds, largest_first);
	GS_VEC_SORT(&ret->interpreters, largest_first);
	GS_VEC_SORT(&ret->pytests, largest_first);
	return 0;
}

void facts_release(struct facts *facts)
{
	gs_counts_release(&facts->licences);
	gs_counts_release(&facts->kinds);
	gs_counts_release(&facts->interpreters);
	gs_counts_release(&facts->pytests);
	for (size_t i = 0; i < facts->projects.n; i++) {
		free(facts->projects.v[i].repo);
		free(facts->projects.v[i].url);
		gs_strv_release(&facts->projects.v[i].licences);
	}
	GS_VEC_FREE(&facts->projects);
}

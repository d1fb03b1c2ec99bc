/* SPDX-License-Identifier: Apache-2.0 */
/* site RELEASE N FOLDER: a release of N records, those of RELEASE again and
 * again under other ids, commits and names of projects. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/vec.h"
#include "table/table.h"

#define PER_PROJECT 200

struct rows {
	struct gs_record *records;
	struct gs_evidence *evidence;
	size_t n, cap, n_evidence;
};

/* What a row holds is taken over: the reader gets an empty one back. */
static int keep_record(void *ctx, struct gs_record *record, struct gs_err *err)
{
	struct rows *rows = ctx;
	(void)err;
	if (rows->n == rows->cap)
		exit(3);
	rows->records[rows->n++] = *record;
	*record = (struct gs_record){0};
	return 0;
}

static int keep_evidence(void *ctx, struct gs_evidence *row, struct gs_err *err)
{
	struct rows *rows = ctx;
	(void)err;
	if (rows->n_evidence == rows->cap)
		exit(3);
	rows->evidence[rows->n_evidence++] = *row;
	*row = (struct gs_evidence){0};
	return 0;
}

static int put(struct gs_table_writer *to[2], const struct rows *rows, size_t i,
    struct gs_err *err)
{
	struct gs_record record = rows->records[i % rows->n];
	struct gs_evidence evidence = rows->evidence[i % rows->n];
	char hex[GS_SHA256_HEX];
	GS_CLEANUP(gs_freep) char *seed = gs_format("%s %zu", record.id, i);
	gs_sha256_hex(gs_str(seed), hex);
	GS_CLEANUP(gs_freep) char *id = gs_format("gs-%.16s", hex);
	GS_CLEANUP(gs_freep) char *commit = gs_format("%.40s", hex);
	GS_CLEANUP(gs_freep)
	char *repo = gs_format("%s-%zu", record.repo, i / PER_PROJECT);
	record.id = evidence.id = id;
	record.commit = commit;
	record.repo = repo;
	int rc = gs_table_add(to[0], &record, err);
	return rc ? rc : gs_table_add(to[1], &evidence, err);
}

static int make(const struct rows *rows, struct gs_table *table, size_t n,
    const char *folder, struct gs_err *err)
{
	struct gs_table_writer *to[2];
	uint64_t ignored;
	GS_CLEANUP(gs_freep)
	char *oracles = gs_format("%s/oracles.parquet", folder);
	GS_CLEANUP(gs_freep)
	char *evidence = gs_format("%s/evidence.parquet", folder);
	int rc = gs_table_begin(
	    table, gs_record_columns, gs_n_record_columns, folder, &to[0], err);
	if (rc == 0)
		rc = gs_table_begin(table, gs_evidence_columns,
		    gs_n_evidence_columns, folder, &to[1], err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = put(to, rows, i, err);
	if (rc == 0)
		rc = gs_table_end(to[0], oracles, &ignored, err);
	if (rc == 0)
		rc = gs_table_end(to[1], evidence, &ignored, err);
	return rc;
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	size_t n = strtoul(argv[2], NULL, 10);
	struct gs_err err = {0};
	struct gs_table *table = NULL;
	struct rows rows = {.cap = n};
	rows.records = gs_alloc(n * sizeof(*rows.records));
	rows.evidence = gs_alloc(n * sizeof(*rows.evidence));
	GS_CLEANUP(gs_freep)
	char *oracles = gs_format("%s/oracles.parquet", argv[1]);
	GS_CLEANUP(gs_freep)
	char *evidence = gs_format("%s/evidence.parquet", argv[1]);
	int rc = gs_table_open(&table, &err);
	if (rc == 0)
		rc = gs_table_each_record(
		    table, oracles, NULL, NULL, keep_record, &rows, &err);
	if (rc == 0)
		rc = gs_table_each_evidence(
		    table, evidence, NULL, NULL, keep_evidence, &rows, &err);
	if (rc == 0)
		rc = make(&rows, table, n, argv[3], &err);
	if (rc)
		(void)fprintf(stderr, "bench/site: %s\n", err.text);
	gs_table_close(table);
	return rc ? 3 : 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What stands in the two tables of a release, read back from the files that
 * are published: every number on the card comes from here, and every row is
 * checked on the way.
 */
#ifndef PUBLISH_FACTS_H
#define PUBLISH_FACTS_H

#include "base/hash.h"
#include "base/watch.h"
#include "publish/licences.h"
#include "store/query.h"
#include "table/table.h"

#define ORACLES "oracles.parquet"
#define EVIDENCE "evidence.parquet"

struct project_facts {
	char *repo, *url;
	int64_t records;
	struct gs_strv licences; /* sorted, each once */
};

struct facts {
	int64_t records, functions, files;
	int64_t tests;       /* ids in all fail_to_pass */
	int64_t shared;      /* records with also_in */
	int64_t unguessable; /* K8: records that ask for what none can know */
	struct gs_counts licences, kinds, interpreters, pytests;

	struct {
		struct project_facts *v;
		size_t n, cap;
	} projects;

	/* Days, "" when there is no record. */
	char first_fix[11], last_fix[11], validated[11];
	uint64_t num_bytes; /* as Arrow counts them; set by the writer */
	uint64_t oracles_bytes, evidence_bytes;
	char oracles_sha256[GS_SHA256_HEX], evidence_sha256[GS_SHA256_HEX];
};

/* `num_bytes` is left alone. GS_E_CORRUPT names the record and what is wrong
 * with it. */
GS_MUST_CHECK int facts_read(struct gs_table *table, const char *folder,
    const struct licences *licences, const struct gs_watch *watch,
    struct facts *ret, struct gs_err *err);
void facts_release(struct facts *facts);

/* SHA-256 and size of a file of any length. */
GS_MUST_CHECK int file_sha256(const char *path, char out[GS_SHA256_HEX],
    uint64_t *ret_size, struct gs_err *err);

#endif

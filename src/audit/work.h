/* SPDX-License-Identifier: Apache-2.0 */
/* One audit in progress: shared by the files of this module only. Each step
 * returns 0 however much it finds; an error ends the audit. */
#ifndef AUDIT_WORK_H
#define AUDIT_WORK_H

#include "audit/audit.h"
#include "audit/near.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/strv.h"
#include "base/vec.h"
#include "model/record.h"
#include "table/table.h"

#define ORACLES "oracles.parquet"
#define EVIDENCE "evidence.parquet"
#define SUMS "SHA256SUMS"
#define INDEX "licenses/index.csv"

/* What later checks need of a record. */
struct row {
	char *id, *repo, *commit, *license, *license_file;
	char *source;         /* of a file record: its header counts (L3) */
	struct gs_strv tests; /* fail_to_pass */
	bool has_evidence;
	struct gs_map texts; /* path → SHA-256, of the evidence */
};

/* Counted over the rows, to compare with what the files say. */
struct totals {
	int64_t records, functions, files, tests, shared, unguessable;
	struct gs_map repos, licences; /* name → int64_t, in the arena */
	struct gs_arena arena;
	char first_fix[11], last_fix[11], validated[11];
	uint64_t arrow_bytes;
};

struct audit {
	const struct gs_audit_options *options;
	gs_finding_fn fn;
	void *ctx;
	struct gs_table *table;
	struct gs_audit_result result;

	bool has_all_rows; /* every row was read: totals can be compared */

	struct {
		struct row *v;
		size_t n, cap;
	} rows;

	struct gs_record last; /* repo, committed_at and id of the row before */
	struct gs_map ids;     /* → size_t, the row's number */
	struct gs_map fingerprints;
	struct gs_strv files; /* of the release, sorted */
	struct gs_map sums;   /* name → hex, in its arena; by SHA256SUMS */
	uint64_t oracles_size, evidence_size;
	struct totals totals;
	struct near near;
	struct gs_map withheld; /* words that must not stand here */
	struct gs_map foreign;  /* of these, the names of projects */
	struct gs_map told;     /* findings of which one is enough */
};

/* Where a finding stands; what does not apply is NULL. */
struct place {
	const char *file, *id, *column;
};

void found(struct audit *audit, enum gs_severity severity, const char *check,
    struct place place, const char *fmt, ...) GS_PRINTF(5, 6);
bool has_file(const struct audit *audit, const char *name);
/* Reads a file of the release; false (found before) when it is not there.
 * Over the cap of 64 MiB is a finding too. */
bool read_file(struct audit *audit, const char *name, struct gs_buf *ret);
/* Texts that strangers wrote, and ours: secrets, control characters, and
 * names that are withheld. `is_ours`: goldset's own words. */
void scan_text(
    struct audit *audit, struct place place, struct gs_str text, bool is_ours);

/* folder.c, rows.c, record.c, evidence.c, licences.c, words.c, machine.c,
 * withheld.c */
GS_MUST_CHECK int audit_folder(struct audit *audit, struct gs_err *err);
GS_MUST_CHECK int audit_rows(struct audit *audit, struct gs_err *err);
void audit_record(struct audit *audit, const struct gs_record *record);
void audit_evidence(
    struct audit *audit, const struct gs_evidence *evidence, size_t at);
void audit_licences(struct audit *audit);
void audit_words(struct audit *audit);
void audit_machine(struct audit *audit);
GS_MUST_CHECK int audit_reveal(struct audit *audit, struct gs_err *err);
GS_MUST_CHECK int withheld_load(struct audit *audit, struct gs_err *err);
void withheld_scan(
    struct audit *audit, struct place place, struct gs_str text, bool is_ours);

#endif

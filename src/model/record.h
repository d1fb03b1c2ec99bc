/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A record: the 29 columns of the release, in their order, and the evidence
 * that stands beside them. The column table is the one place that names
 * them; SQL, Parquet, JSON, card and croissant are written from it.
 */
#ifndef MODEL_RECORD_H
#define MODEL_RECORD_H

#include <stdint.h>

#include "base/json.h"
#include "base/strv.h"

#define GS_SCHEMA_VERSION 1

struct gs_record {
	char *repo, *unit, *subject, *granularity, *spec_source, *spec;
	char *source_before, *source_after, *test_file;
	struct gs_strv fail_to_pass;
	char *committed_at, *parent_at, *license, *license_file, *also_in;
	char *commit, *parent, *commit_url, *repo_url, *module;
	struct gs_strv units_changed;
	int64_t diff_lines, n_tests;
	char *fingerprint, *id, *language, *validated_at, *validator;
	int64_t schema_version;
};

/* evidence.parquet: one row a record, same order. Columns that hold
 * structure are JSON text. No durations, hosts or paths of the machine. */
struct gs_evidence {
	char *id;
	char *source_path;            /* in the tree */
	int64_t unit_start, unit_end; /* bytes of source_before in the file at
	                               * parent (function), or 0, size (file) */
	char *change_kind, *kind_rule, *signals; /* K7; signals is JSON */
	struct gs_strv unguessable;              /* K8 */
	struct gs_strv pass_to_pass;
	struct gs_strv flaky;            /* ids dropped by K1 */
	struct gs_strv missing_name_ids; /* flips kept out by O5 */
	char *observations; /* JSON array: state, attempt, seed, clock, kind,
	                     * outcomes by id, failure kinds, log hash; the
	                     * first of `before` what failing tests said (P3) */
	char *cheats;       /* JSON object: name → outcome (K6) */
	char *reduction;    /* JSON array of the states tried (K2) */
	bool docstring_changed;
	char *interpreter, *pytest, *distributions, *plugins, *shims, *sandbox;
	struct gs_strv test_files; /* run whole */
	struct gs_strv import_roots;
	char *tree_before, *tree_after; /* git tree ids of the two states */
	char *licence_sha256s; /* JSON object: path → sha256 of every text */
};

void gs_record_release(struct gs_record *record);
void gs_evidence_release(struct gs_evidence *evidence);

enum gs_column_type {
	GS_COLUMN_TEXT,
	GS_COLUMN_LIST, /* list of text */
	GS_COLUMN_INT,
	GS_COLUMN_BOOL,
};

struct gs_column {
	const char *name;
	enum gs_column_type type;
	size_t offset;       /* of the member in its struct */
	const char *meaning; /* for the card, the docs and croissant */
};

extern const struct gs_column gs_record_columns[];
extern const size_t gs_n_record_columns; /* 29 */
extern const struct gs_column gs_evidence_columns[];
extern const size_t gs_n_evidence_columns;

/* Any struct that such a table describes, as a JSON object and back. */
void gs_columns_write(const void *row, const struct gs_column *columns,
    size_t n, struct gs_json *json);
GS_MUST_CHECK int gs_columns_parse(const json_t *object, void *row,
    const struct gs_column *columns, size_t n, struct gs_err *err);
/* Access to one member by its column. */
const char *gs_column_text(const void *row, const struct gs_column *column);
int64_t gs_column_int(const void *row, const struct gs_column *column);
const struct gs_strv *gs_column_list(
    const void *row, const struct gs_column *column);

/* What must hold of every published record by itself: no empty column but
 * those that may be, valid UTF-8, dates in form, derived numbers right,
 * id and fingerprint right. A sentence for the first that does not. */
GS_MUST_CHECK int gs_record_check(
    const struct gs_record *record, struct gs_err *err);
/* The same in its parts: the name of the i-th, NULL behind the last; where
 * the first does not hold, the others must not be asked. */
const char *gs_record_check_name(size_t i);
GS_MUST_CHECK int gs_record_check_one(
    size_t i, const struct gs_record *record, struct gs_err *err);

#endif

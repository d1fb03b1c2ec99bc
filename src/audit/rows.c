/* SPDX-License-Identifier: Apache-2.0 */
/* The two tables as files: columns, types, nulls; then row by row. */
#include <stdint.h>

#include "audit/work.h"
#include "base/mem.h"
#include "os/file.h"

struct source {
	const char *file, *view;
	const struct gs_column *columns;
	size_t n;
};

/* An answer of DuckDB's about the file is a finding; that there is no DuckDB,
 * or no memory for it, is not. */
static int blame(struct audit *audit, const char *file, const char *check,
    int rc, struct gs_err *err)
{
	if (rc != GS_E_CORRUPT && rc != GS_E_NOT_FOUND && rc != GS_E_USAGE)
		return rc;
	found(audit, GS_ERROR, check, (struct place){.file = file}, "%s.",
	    err->text);
	*err = (struct gs_err){0};
	audit->has_all_rows = false;
	return 0;
}

/* P1: `SELECT` how many are null in each column. */
static int count_nulls(struct audit *audit, const struct source *source,
    struct gs_buf *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf sql = {0};
	gs_buf_addz(&sql, "SELECT ");
	for (size_t i = 0; i < source->n; i++)
		gs_buf_addf(&sql, "%scount(*) - count(\"%s\") AS \"%s\"",
		    i ? ", " : "", source->columns[i].name,
		    source->columns[i].name);
	gs_buf_addf(&sql, " FROM %s", source->view);
	const struct gs_query query = {.release = audit->options->release,
	    .sql = gs_buf_cstr(&sql),
	    .format = GS_QUERY_JSON_LINES};
	return gs_table_query(audit->table, &query, ret, err);
}

/* Rows with a null are told of here and not read: *ret_where leaves them
 * out, or is empty. */
static int check_nulls(struct audit *audit, const struct source *source,
    struct gs_buf *ret_where, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf line = {0};
	int rc = count_nulls(audit, source, &line, err);
	if (rc)
		return blame(audit, source->file, "schema", rc, err);
	GS_CLEANUP(gs_json_free)
	json_t *counts =
	    gs_json_parse(gs_str_trim(gs_buf_str(&line)), "the count", err);
	if (!counts)
		return err->code;
	for (size_t i = 0; i < source->n; i++) {
		const char *name = source->columns[i].name;
		int64_t n = gs_json_get_int(counts, name, 0);
		if (n == 0)
			continue;
		found(audit, GS_ERROR, "nulls",
		    (struct place){.file = source->file, .column = name},
		    "%lld of its values are null.", (long long)n);
		gs_buf_addf(ret_where, "%s\"%s\" IS NOT NULL",
		    ret_where->n ? " AND " : "", name);
		audit->has_all_rows = false;
	}
	return 0;
}

struct pass {
	struct audit *audit;
	size_t n;
	int64_t total;
};

static int take_record(void *ctx, struct gs_record *record, struct gs_err *err)
{
	struct pass *pass = ctx;
	(void)err;
	audit_record(pass->audit, record);
	gs_watch_tell(&pass->audit->options->watch, "check the records",
	    (int64_t)++pass->n, pass->total);
	return 0;
}

static int take_evidence(
    void *ctx, struct gs_evidence *evidence, struct gs_err *err)
{
	(void)err;
	struct pass *pass = ctx;
	audit_evidence(pass->audit, evidence, pass->n++);
	gs_watch_tell(&pass->audit->options->watch, "check the evidence",
	    (int64_t)pass->n, pass->total);
	return 0;
}

/* As the file says of itself; 0 where it cannot be asked, which is told of
 * when it is read. */
static int64_t rows_in(const struct audit *audit, const char *path)
{
	struct gs_table_info info = {0};
	struct gs_err ignored = {0};
	gs_ignore(gs_table_inspect(audit->table, path, &info, &ignored));
	return info.rows;
}

static int read_rows(struct audit *audit, const struct source *source,
    const char *where, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *path = gs_path_join(audit->options->release, source->file);
	struct pass pass = {.audit = audit, .total = rows_in(audit, path)};
	int rc = source->columns == gs_record_columns
	             ? gs_table_each_record(audit->table, path, where, NULL,
	                   take_record, &pass, err)
	             : gs_table_each_evidence(audit->table, path, where, NULL,
	                   take_evidence, &pass, err);
	if (rc)
		return blame(audit, source->file, "schema", rc, err);
	if (source->columns == gs_evidence_columns && audit->has_all_rows &&
	    pass.n != audit->rows.n)
		found(audit, GS_ERROR, "evidence",
		    (struct place){.file = source->file},
		    "It has %zu rows for %zu records.", pass.n, audit->rows.n);
	return 0;
}

int audit_rows(struct audit *audit, struct gs_err *err)
{
	const struct source sources[] = {
	    {ORACLES, "oracles", gs_record_columns, gs_n_record_columns},
	    {EVIDENCE, "evidence", gs_evidence_columns, gs_n_evidence_columns},
	};
	bool fits[GS_COUNT(sources)] = {false};
	audit->has_all_rows = true;
	for (size_t i = 0; i < GS_COUNT(sources); i++) {
		const struct source *source = &sources[i];
		if (!has_file(audit, source->file)) {
			audit->has_all_rows = false;
			continue;
		}
		GS_CLEANUP(gs_freep)
		char *path =
		    gs_path_join(audit->options->release, source->file);
		int rc = gs_table_check_schema(
		    audit->table, path, source->columns, source->n, err);
		fits[i] = rc == 0;
		if (rc)
			rc = blame(audit, source->file, "schema", rc, err);
		if (rc)
			return rc;
	}
	for (size_t i = 0; i < GS_COUNT(sources); i++) {
		GS_CLEANUP(gs_buf_release) struct gs_buf where = {0};
		int rc = 0;
		/* The query opens both files. */
		if (fits[0] && fits[1])
			rc = check_nulls(audit, &sources[i], &where, err);
		if (rc == 0 && fits[i])
			rc = read_rows(audit, &sources[i],
			    where.n ? gs_buf_cstr(&where) : NULL, err);
		if (rc)
			return rc;
	}
	return 0;
}

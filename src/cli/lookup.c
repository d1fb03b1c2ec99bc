/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/lookup.h"

#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "publish/publish.h"
#include "store/query.h"
#include "table/table.h"

static int take_story(const struct gs_story *story,
    struct gs_record *ret_record, struct gs_evidence *ret_evidence,
    struct gs_err *err)
{
	if (!story->record)
		return gs_fail(err, GS_E_NOT_FOUND,
		    "%s did not become a record; goldset explain says why",
		    story->commit.hex);
	GS_CLEANUP(gs_json_free)
	json_t *record = gs_json_parse(gs_str(story->record), "record", err);
	GS_CLEANUP(gs_json_free)
	json_t *evidence =
	    record ? gs_json_parse(gs_str(story->evidence), "evidence", err)
	           : NULL;
	if (!evidence)
		return err->code;
	int rc = gs_columns_parse(
	    record, ret_record, gs_record_columns, gs_n_record_columns, err);
	if (rc == 0)
		rc = gs_columns_parse(evidence, ret_evidence,
		    gs_evidence_columns, gs_n_evidence_columns, err);
	return rc;
}

static int from_workspace(struct gs_cli *cli, const char *id,
    struct gs_record *ret_record, struct gs_evidence *ret_evidence,
    struct gs_err *err)
{
	struct gs_story story = {0};
	struct gs_store *store = NULL;
	int rc = gs_store_open(cli->workspace, GS_STORE_READ, &store, err);
	if (rc == GS_E_NOT_FOUND)
		return gs_fail(err, GS_E_NOT_FOUND,
		    "%s is no workspace and this folder no release; name the "
		    "release with --release DIR",
		    cli->workspace);
	if (rc == 0)
		rc = gs_store_story(store, id, &story, err);
	if (rc == 0)
		rc = take_story(&story, ret_record, ret_evidence, err);
	gs_story_release(&story);
	gs_store_close(store);
	return rc;
}

/* Columns of a borrowed row, kept. */
struct found {
	struct gs_buf record, evidence;
	size_t n;
};

static int keep_record(void *ctx, struct gs_record *record, struct gs_err *err)
{
	(void)err;
	struct found *found = ctx;
	struct gs_json json = {.out = &found->record};
	gs_buf_reset(&found->record);
	gs_columns_write(record, gs_record_columns, gs_n_record_columns, &json);
	found->n++;
	return 0;
}

static int keep_evidence(
    void *ctx, struct gs_evidence *evidence, struct gs_err *err)
{
	(void)err;
	struct found *found = ctx;
	struct gs_json json = {.out = &found->evidence};
	gs_buf_reset(&found->evidence);
	gs_columns_write(
	    evidence, gs_evidence_columns, gs_n_evidence_columns, &json);
	return 0;
}

static int read_rows(const char *release, const char *id, struct found *found,
    struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *oracles = gs_format("%s/oracles.parquet", release);
	GS_CLEANUP(gs_freep)
	char *evidence = gs_format("%s/evidence.parquet", release);
	struct gs_table *table = NULL;
	int rc = gs_table_open(&table, err);
	if (rc == 0)
		rc = gs_table_each_record(table, oracles, "starts_with(id, $1)",
		    id, keep_record, found, err);
	if (rc == 0)
		rc = gs_table_each_evidence(table, evidence,
		    "starts_with(id, $1)", id, keep_evidence, found, err);
	gs_table_close(table);
	return rc;
}

static int from_release(const char *release, const char *id,
    struct gs_record *ret_record, struct gs_evidence *ret_evidence,
    struct gs_err *err)
{
	struct found found = {0};
	int rc = read_rows(release, id, &found, err);
	if (rc == 0 && found.n == 0)
		rc = gs_fail(err, GS_E_NOT_FOUND, "there is no record %s in %s",
		    id, release);
	if (rc == 0 && found.n > 1)
		rc = gs_fail(err, GS_E_USAGE,
		    "%zu records of %s begin with %s; give more of the id",
		    found.n, release, id);
	struct gs_story story = {
	    .record = found.record.p, .evidence = found.evidence.p};
	if (rc == 0)
		rc = take_story(&story, ret_record, ret_evidence, err);
	gs_buf_release(&found.record);
	gs_buf_release(&found.evidence);
	return rc;
}

int gs_lookup(struct gs_cli *cli, const char *release, const char *id,
    struct gs_record *ret_record, struct gs_evidence *ret_evidence,
    struct gs_err *err)
{
	if (!release && gs_is_release("."))
		release = ".";
	return release
	           ? from_release(release, id, ret_record, ret_evidence, err)
	           : from_workspace(cli, id, ret_record, ret_evidence, err);
}

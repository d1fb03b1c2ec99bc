/* SPDX-License-Identifier: Apache-2.0 */
#include "publish/side.h"

#include <stdlib.h>
#include <string.h>

#include "base/fault.h"
#include "base/mem.h"
#include "model/identity.h"
#include "os/file.h"
#include "os/signals.h"
#include "publish/sides.h"
#include "publish/texts.h"
#include "publish/withdrawn.h"
#include "store/also.h"

extern const char gs_text_card_tmpl[], gs_text_datasheet_tmpl[],
    gs_text_cc_by_4_0_tmpl[];

void side_release(struct side *side)
{
	gs_table_abandon(side->oracles);
	gs_table_abandon(side->evidence);
	licences_release(&side->licences);
	facts_release(&side->facts);
	changes_release(&side->changes);
	gs_funnel_release(&side->funnel);
	gs_strv_release(&side->ids);
	gs_buf_release(&side->commitment);
	gs_buf_release(&side->reveal);
	gs_staging_release(&side->staging);
}

/* I4: other projects may have been mined since the record was proven. P4:
 * those that are withheld are not named. */
static int renew_also_in(
    const struct side *side, struct gs_record *record, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv others = {0};
	char hash[GS_SHA256_HEX];
	gs_text_hash(gs_str(record->source_after), hash);
	int rc = gs_store_also_in(
	    side->store, record->repo, record->fingerprint, hash, &others, err);
	if (rc)
		return rc;
	GS_CLEANUP(gs_buf_release) struct gs_buf joined = {0};
	for (size_t i = 0; i < others.n; i++)
		if (!side->hidden || !gs_strv_has(side->hidden, others.v[i]))
			gs_buf_addf(
			    &joined, "%s%s", joined.n ? "," : "", others.v[i]);
	free(record->also_in);
	record->also_in = gs_buf_steal(&joined);
	return 0;
}

static int put_record(void *ctx, struct gs_record *record,
    struct gs_evidence *evidence, struct gs_err *err)
{
	struct side *side = ctx;
	if (gs_stop_requested())
		return gs_fail(
		    err, GS_E_CANCELLED, "interrupted while publishing");
	int rc = renew_also_in(side, record, err);
	if (rc == 0)
		rc = licences_note(&side->licences, record, evidence, err);
	if (rc == 0)
		rc = gs_table_add(side->oracles, record, err);
	if (rc == 0)
		rc = gs_table_add(side->evidence, evidence, err);
	if (rc == 0)
		gs_strv_push(&side->ids, record->id);
	gs_watch_tell(&side->options->watch, "write the tables",
	    (int64_t)side->ids.n, side->n_records);
	return rc ? gs_wrap(err, "record %s cannot be published",
	                record->id ? record->id : "")
	          : 0;
}

static int end_table(struct side *side, struct gs_table_writer **writer,
    const char *name, uint64_t *ret_bytes, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *path = gs_path_join(side->staging.path, name);
	struct gs_table_writer *ending = *writer;
	*writer = NULL; /* freed, whatever comes */
	return gs_table_end(ending, path, ret_bytes, err);
}

int side_tables(struct side *side, struct gs_err *err)
{
	const char *temp = side->staging.path;
	int rc = gs_table_begin(side->table, gs_record_columns,
	    gs_n_record_columns, temp, &side->oracles, err);
	if (rc == 0)
		rc = gs_table_begin(side->table, gs_evidence_columns,
		    gs_n_evidence_columns, temp, &side->evidence, err);
	const struct gs_release_filter filter = {
	    .kinds = side->kinds, .projects = side->projects};
	if (rc == 0)
		rc = gs_store_count_records(
		    side->store, &filter, &side->n_records, err);
	if (rc == 0)
		rc = gs_store_each_record(
		    side->store, &filter, put_record, side, err);
	uint64_t unused;
	if (rc == 0)
		rc = end_table(
		    side, &side->oracles, ORACLES, &side->facts.num_bytes, err);
	if (rc == 0)
		rc = end_table(side, &side->evidence, EVIDENCE, &unused, err);
	gs_fault("publish.tables");
	return rc;
}

static int write_rendered(struct side *side, const char *name,
    const char *template, const struct values *values, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	int rc = render(name, gs_str(template), values, &text, err);
	return rc ? rc
	          : folder_write(&side->staging, name, gs_buf_str(&text), err);
}

static int write_texts(
    struct side *side, const struct release *release, struct gs_err *err)
{
	static const struct {
		const char *name;
		void (*write)(
		    const struct release *release, struct gs_buf *out);
	} files[] = {
	    {"ATTRIBUTION.md", write_attribution},
	    {"CITATION.cff", write_citation},
	    {"croissant.json", write_croissant},
	    {"schema.json", write_schema},
	    {"eval.yaml", write_eval},
	};

	int rc = 0;
	for (size_t i = 0; rc == 0 && i < GS_COUNT(files); i++) {
		GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
		files[i].write(release, &text);
		rc = folder_write(
		    &side->staging, files[i].name, gs_buf_str(&text), err);
	}
	GS_CLEANUP(values_release) struct values values = {0};
	fill_values(release, &values);
	if (rc == 0)
		rc = write_rendered(
		    side, "README.md", gs_text_card_tmpl, &values, err);
	if (rc == 0)
		rc = write_rendered(
		    side, "DATASHEET.md", gs_text_datasheet_tmpl, &values, err);
	if (rc == 0)
		rc = folder_write(&side->staging, "LICENSE",
		    gs_str(gs_text_cc_by_4_0_tmpl), err);
	return rc;
}

static int write_history(
    struct side *side, struct gs_publish_result *result, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf log = {0}, gone = {0};
	changes_write(&side->changes, &side->facts, &log);
	int rc =
	    folder_write(&side->staging, "CHANGELOG.md", gs_buf_str(&log), err);
	if (rc == 0)
		rc = withdrawn_write(side, &gone, &result->withdrawn, err);
	return rc ? rc
	          : folder_write(&side->staging, "withdrawn.csv",
	                gs_buf_str(&gone), err);
}

static int write_commitment(struct side *side, struct gs_err *err)
{
	int rc = 0;
	if (side->commitment.n > 0)
		rc = folder_write(&side->staging, COMMITMENT,
		    gs_buf_str(&side->commitment), err);
	if (rc == 0 && side->reveal.n > 0)
		rc = folder_write(
		    &side->staging, REVEAL, gs_buf_str(&side->reveal), err);
	return rc;
}

/* All that is words about the tables. */
static int write_words(
    struct side *side, struct gs_publish_result *result, struct gs_err *err)
{
	const struct release release = {.options = side->options,
	    .facts = &side->facts,
	    .licences = &side->licences,
	    .changes = &side->changes,
	    .is_withheld = side->is_withheld,
	    .has_commitment = side->commitment.n > 0,
	    .candidates = side->funnel.candidates - side->funnel.pending,
	    .all_kinds = &side->funnel.by_change_kind};
	int rc = write_texts(side, &release, err);
	if (rc == 0)
		rc = write_history(side, result, err);
	return rc ? rc : write_commitment(side, err);
}

/* What is public cannot be withheld, and a changelog that removed it would
 * say what is. */
static int check_hidden(const struct side *side, struct gs_err *err)
{
	const struct gs_strv *repos = &side->changes.repos;
	for (size_t i = 0; side->hidden && i < repos->n; i++)
		if (gs_strv_has(side->hidden, repos->v[i]))
			return gs_fail(err, GS_E_USAGE,
			    "%s would be withheld now, and its records are in "
			    "%s: what is public cannot be withheld. Begin "
			    "another data set, or leave the project out",
			    repos->v[i], side->previous);
	return 0;
}

/* The release that is replaced, over again: then all of it must be so. */
static int check_again(
    struct side *side, struct gs_publish_result *result, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf new = {0}, old = {0};
	if (!side->changes.is_again)
		return 0;
	GS_CLEANUP(gs_freep)
	char *path = gs_path_join(side->previous, "SHA256SUMS");
	int rc = folder_sums(&side->staging, &new, err);
	if (rc == 0)
		rc = gs_file_read(path, GS_BUF_MAX_DEFAULT, &old, err);
	if (rc || gs_str_eq(gs_buf_str(&new), gs_buf_str(&old)))
		return rc;
	rc = changes_not_again(&side->changes, side->options->version, err);
	return rc ? rc : write_words(side, result, err);
}

int side_fill(struct side *side, const char *version,
    struct gs_publish_result *result, struct gs_err *err)
{
	const char *folder = side->staging.path;
	const struct change_question question = {.folder = folder,
	    .previous = side->previous,
	    .is_replaced = side->is_replaced,
	    .version = version};
	int rc = licences_write(&side->licences, side->store, folder, err);
	if (rc == 0)
		rc = facts_read(side->table, folder, &side->licences,
		    &side->options->watch, &side->facts, err);
	if (rc == 0)
		rc = changes_read(side->table, &question, &side->changes, err);
	if (rc == 0)
		rc = check_hidden(side, err);
	if (rc == 0)
		rc = gs_store_funnel(side->store, NULL, &side->funnel, err);
	if (rc == 0)
		rc = write_words(side, result, err);
	return rc ? rc : check_again(side, result, err);
}

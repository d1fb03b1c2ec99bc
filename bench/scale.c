/* SPDX-License-Identifier: Apache-2.0 */
/* Fills a workspace with the commits of two hundred projects, some of them
 * candidates, some of these records of usual size. bench/scale runs this. */

#include "base/datetime.h"
#include "base/mem.h"
#include "fill.h"
#include "model/diff.h"
#include "model/identity.h"

#define PROJECTS 200
#define MIT "MIT License\n\nCopyright (c) 2019 A\n\nPermission is granted\n"

static char mit_sha256[GS_SHA256_HEX];

static void fill(struct gs_store *store, int64_t commits, int64_t candidates)
{
	int64_t projects[PROJECTS];

	for (int i = 0; i < PROJECTS; i++)
		projects[i] = add_project(store, i);
	must(gs_store_begin(store, &err));
	must(gs_store_put_text(store, mit_sha256, gs_str(MIT), &err));
	GS_CLEANUP(gs_freep)
	char *texts = gs_format("{\"LICENSE\":\"%s\"}", mit_sha256);
	for (int64_t i = 0; i < commits; i++) {
		struct gs_commit_row row = {.project = projects[i % PROJECTS],
		    .n_parents = 1,
		    .committed_at = 1000000000 + i * 60,
		    .has_date = true,
		    .reason = i * candidates / commits ==
		                      (i + 1) * candidates / commits
		                  ? reasons[i % GS_COUNT(reasons)]
		                  : NULL};
		oid_of((uint64_t)i, &row.id);
		oid_of((uint64_t)i + 1, &row.parent);
		if (!row.reason) {
			row.licence = "MIT";
			row.licence_file = "LICENSE";
			row.licence_texts = texts;
		}
		must(gs_store_put_commit(store, &row, NULL, &err));
	}
	must(gs_store_commit(store, &err));
}

/* Forty lines, the size of the median record's function with its tests. */
static char *source_of(int64_t i, const char *value)
{
	struct gs_buf text = {0};

	gs_buf_addf(&text,
	    "def function_%lld(value):\n    \"\"\"Give it.\"\"\"\n",
	    (long long)i);
	for (int k = 0; k < 40; k++)
		gs_buf_addf(&text, "    step_%d = value * %lld + %d\n", k,
		    (long long)(i * 31 + k) % 997, k);
	gs_buf_addf(&text, "    return %s\n", value);
	return gs_buf_steal(&text);
}

static void set_record(
    struct gs_record *r, const struct gs_work *work, int64_t i)
{
	char date[GS_DATETIME_SIZE], fingerprint[GS_SHA256_HEX], id[GS_ID_SIZE];

	gs_datetime_print(work->committed_at, date);
	r->repo = gs_strdup(work->project_name);
	r->unit = gs_format("function_%lld", (long long)i);
	r->module = gs_strdup("package.module");
	r->subject = gs_format("Fix function %lld", (long long)i);
	r->granularity = gs_strdup("function");
	r->spec_source = gs_strdup("docstring");
	r->spec = gs_strdup("Give it.");
	r->source_before = source_of(i, "step_1");
	r->source_after = source_of(i, "step_2");
	r->test_file = gs_strdup("tests/test_module.py");
	gs_strv_pushf(
	    &r->fail_to_pass, "tests/test_module.py::test_%lld", (long long)i);
	r->n_tests = 1;
	r->diff_lines = 2;
	r->committed_at = gs_strdup(date);
	r->parent_at = gs_strdup(date);
	r->license = gs_strdup("MIT");
	r->license_file = gs_strdup("LICENSE");
	r->also_in = gs_strdup("");
	r->commit = gs_strdup(work->id.hex);
	r->parent = gs_strdup(work->parent.hex);
	r->repo_url = gs_format("https://example.org/%s", r->repo);
	r->commit_url =
	    gs_format("https://example.org/%s/commit/%s", r->repo, r->commit);
	gs_strv_pushf(
	    &r->units_changed, "package.module:function_%lld", (long long)i);
	r->language = gs_strdup("python");
	r->validated_at = gs_strdup("2026-02-03T04:05:06Z");
	r->validator = gs_strdup("goldset 0.1.0; CPython 3.11.2; pytest 7.2.1");
	r->schema_version = GS_SCHEMA_VERSION;
	gs_fingerprint(
	    gs_str(r->source_before), gs_str(r->source_after), fingerprint);
	r->fingerprint = gs_strdup(fingerprint);
	gs_record_id(&(struct gs_identity){r->repo, r->commit, r->parent,
	                 r->module, r->unit, r->granularity, fingerprint},
	    id);
	r->id = gs_strdup(id);
}

static void set_evidence(struct gs_evidence *e, const struct gs_record *r)
{
	for (size_t i = 0; i < gs_n_evidence_columns; i++) {
		const struct gs_column *column = &gs_evidence_columns[i];
		if (column->type == GS_COLUMN_TEXT)
			*(char **)(void *)((char *)e + column->offset) =
			    gs_strdup("[]");
	}
	free(e->id);
	free(e->change_kind);
	free(e->licence_sha256s);
	free(e->observations);
	e->id = gs_strdup(r->id);
	e->change_kind = gs_strdup("bug");
	e->licence_sha256s = gs_format("{\"LICENSE\":\"%s\"}", mit_sha256);
	struct gs_buf seen = {0};
	gs_buf_addc(&seen, '[');
	for (int k = 0; k < 40; k++) {
		gs_buf_addf(&seen,
		    "%s{\"id\":\"tests/test_module.py::test_%d\","
		    "\"outcome\":\"passed\"}",
		    k ? "," : "", k);
		gs_strv_pushf(
		    &e->pass_to_pass, "tests/test_module.py::test_%d", k);
	}
	gs_buf_addc(&seen, ']');
	e->observations = gs_buf_steal(&seen);
}

static void prove(struct gs_store *store, int64_t records)
{
	const struct gs_work_filter filter = {0};
	struct gs_work work = {0};

	must(gs_store_begin(store, &err));
	for (int64_t i = 0; i < records && must(gs_store_claim(store, &filter,
	                                       &work, &err)) > 0;
	     i++) {
		struct gs_verdict verdict = {
		    .is_record = true, .runs = gs_strdup("[]")};
		set_record(&verdict.record, &work, i);
		set_evidence(&verdict.evidence, &verdict.record);
		must(gs_store_finish(store, work.row, &verdict, &err));
		gs_verdict_release(&verdict);
		gs_work_release(&work);
	}
	must(gs_store_commit(store, &err));
}

int main(int argc, char **argv)
{
	struct gs_store *store = NULL;

	if (argc != 5) {
		(void)fprintf(stderr,
		    "usage: scale WORKSPACE COMMITS CANDIDATES RECORDS\n");
		return 2;
	}
	gs_sha256_hex(gs_str(MIT), mit_sha256);
	must(gs_store_open(argv[1], GS_STORE_WRITE, &store, &err));
	fill(store, strtoll(argv[2], NULL, 10), strtoll(argv[3], NULL, 10));
	prove(store, strtoll(argv[4], NULL, 10));
	gs_store_close(store);
	return 0;
}

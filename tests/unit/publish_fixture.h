/* SPDX-License-Identifier: Apache-2.0 */
/* A real store filled by hand-made verdicts, for the tests of publishing. */
#ifndef PUBLISH_FIXTURE_H
#define PUBLISH_FIXTURE_H

#include "model/diff.h"
#include "model/identity.h"
#include "os/tree.h"
#include "publish/publish.h"
#include "store_fixture.h"

#define MIT                                                                    \
	"MIT License\n\nCopyright (c) 2019 Ada <ada@example.org>\n\nPermission\n"
#define BSD "BSD\n\nCopyright 2020, The | `pipe` <b>people</b>\n"

struct sample {
	const char *repo, *kind, *subject, *license, *license_file;
	uint32_t number; /* of the commit, and in the code */
	int64_t at;
	bool is_file;
	bool unguessable;
};

static inline void set_identity(struct gs_record *record)
{
	char fingerprint[GS_SHA256_HEX], id[GS_ID_SIZE];
	gs_fingerprint(gs_str(record->source_before),
	    gs_str(record->source_after), fingerprint);
	record->fingerprint = gs_strdup(fingerprint);
	gs_record_id(
	    &(struct gs_identity){record->repo, record->commit, record->parent,
	        record->module, record->unit, record->granularity, fingerprint},
	    id);
	record->id = gs_strdup(id);
	struct gs_diff diff = {0};
	gs_diff(
	    gs_str(record->source_before), gs_str(record->source_after), &diff);
	record->diff_lines = (int64_t)(diff.added + diff.removed);
	gs_diff_release(&diff);
}

static inline char *day_of(int64_t day)
{
	return gs_format("2024-%02d-%02dT00:00:00Z", (int)(day / 28 % 12) + 1,
	    (int)(day % 28) + 1);
}

static inline void set_record(
    struct gs_record *r, const struct sample *s, const struct gs_work *work)
{
	r->repo = gs_strdup(s->repo);
	r->unit = gs_strdup(s->is_file ? "pkg.m" : "f");
	r->module = gs_strdup("pkg.m");
	r->subject = gs_strdup(s->subject);
	r->granularity = gs_strdup(s->is_file ? "file" : "function");
	r->spec_source = gs_strdup(s->is_file ? "commit_message" : "docstring");
	r->spec = gs_strdup("Gives the number.");
	r->source_before = gs_format(
	    "def f():\n    \"\"\"Gives the number.\"\"\"\n    return 0\n");
	r->source_after =
	    gs_format("def f():\n    \"\"\"Gives the number.\"\"\""
	              "\n    return %u\n",
	        s->number);
	r->test_file = gs_strdup("tests/test_m.py");
	gs_strv_push(&r->fail_to_pass, "tests/test_m.py::test_a");
	gs_strv_push(&r->fail_to_pass, "tests/test_m.py::test_b[|`<x>]");
	r->n_tests = 2;
	r->committed_at = day_of(s->at);
	r->parent_at = day_of(s->at - 1);
	r->license = gs_strdup(s->license);
	r->license_file = gs_strdup(s->license_file);
	r->also_in = gs_strdup("");
	r->commit = gs_strdup(work->id.hex);
	r->parent = gs_strdup(work->parent.hex);
	r->repo_url = gs_format("https://example.org/%s", s->repo);
	r->commit_url =
	    gs_format("https://example.org/%s/commit/%s", s->repo, r->commit);
	gs_strv_push(&r->units_changed, "pkg.m:f");
	r->language = gs_strdup("python");
	r->validated_at = gs_strdup("2026-02-03T04:05:06Z");
	r->validator = gs_strdup("goldset 0.1.0; CPython 3.11.2; pytest 7.2.1");
	r->schema_version = GS_SCHEMA_VERSION;
	set_identity(r);
}

static inline void set_evidence(struct gs_evidence *e, const struct sample *s,
    const char *id, const char *texts)
{
	for (size_t i = 0; i < gs_n_evidence_columns; i++)
		if (gs_evidence_columns[i].type == GS_COLUMN_TEXT) {
			char **at =
			    (char **)(void *)((char *)e +
			                      gs_evidence_columns[i].offset);
			*at = gs_strdup("[]");
		}
	free(e->id);
	free(e->change_kind);
	free(e->licence_sha256s);
	free(e->interpreter);
	free(e->pytest);
	e->id = gs_strdup(id);
	e->change_kind = gs_strdup(s->kind);
	e->licence_sha256s = gs_strdup(texts);
	e->interpreter = gs_strdup("CPython 3.11.2");
	e->pytest = gs_strdup("7.2.1");
	if (s->unguessable)
		gs_strv_push(&e->unguessable, "secret_name");
}

static inline int64_t seconds_of(int64_t day)
{
	/* 2024-01-01, months of 28 days as in day_of; only order matters */
	return INT64_C(1704067200) + day * 86400;
}

/* Puts the commit, claims it, and finishes it as this record. */
static inline void add_sample(struct gs_store *store, const struct sample *s)
{
	const char *text = strcmp(s->license, "MIT") == 0 ? MIT : BSD;
	char sha256[GS_SHA256_HEX];
	gs_sha256_hex(gs_str(text), sha256);
	OK(gs_store_put_text(store, sha256, gs_str(text), &err));
	char *texts = gs_format("{\"%s\":\"%s\"}", s->license_file, sha256);
	int64_t project = add_project(store, s->repo);
	put(store, project, s->number, seconds_of(s->at), NULL);
	struct gs_work_filter filter = {0};
	struct gs_work work = {0};
	ck_assert_int_eq(gs_store_claim(store, &filter, &work, &err), 1);
	struct gs_verdict verdict = {
	    .is_record = true, .runs = gs_strdup("[]")};
	set_record(&verdict.record, s, &work);
	set_evidence(&verdict.evidence, s, verdict.record.id, texts);
	finish(store, &work, verdict);
	gs_work_release(&work);
	free(texts);
}

static const struct sample samples[] = {
    {"b/b", "bug", "Fix f", "MIT", "LICENSE", 1, 40, false, false},
    {"a/a", "bug", "\x1b]0;x\x07 \u202e| a | <script>", "BSD-3-Clause",
        "sub/LICENCE.txt", 2, 30, true, true},
    {"b/b", "bug", "Fix f again", "MIT", "LICENSE", 3, 20, false, false},
    {"b/b", "feature", "Add f", "MIT", "LICENSE", 4, 10, false, false},
};

static inline struct gs_store *sample_store(char **ret_workspace)
{
	*ret_workspace = make_workspace();
	struct gs_store *store = open_store(*ret_workspace, GS_STORE_WRITE);
	for (size_t i = 0; i < GS_COUNT(samples); i++)
		add_sample(store, &samples[i]);
	return store;
}

static inline char *read_text(const char *folder, const char *name)
{
	char *path = gs_path_join(folder, name);
	struct gs_buf text = {0};
	OK(gs_file_read(path, (size_t)1 << 30, &text, &err));
	free(path);
	return gs_buf_steal(&text);
}

static inline void publish(struct gs_store *store,
    const struct gs_publish_options *options, struct gs_publish_result *result)
{
	OK(gs_publish(store, options, result, &err));
}

static inline void end_samples(struct gs_store *store, char *workspace)
{
	gs_store_close(store);
	OK(gs_tree_remove(workspace, &err));
	free(workspace);
}

/* Every line of SHA256SUMS holds, and every file has a line. */
static inline void check_sums(const char *folder)
{
	char *sums = read_text(folder, "SHA256SUMS");
	struct gs_str rest = gs_str(sums), line, last = {0};
	size_t n = 0;
	while (gs_str_cut(&rest, '\n', &line)) {
		ck_assert_uint_gt(line.n, 66);
		char *name = gs_strndup(line.p + 66, line.n - 66);
		char *path = gs_path_join(folder, name);
		struct gs_buf bytes = {0};
		char hex[GS_SHA256_HEX];
		OK(gs_file_read(path, (size_t)1 << 30, &bytes, &err));
		gs_sha256_hex(gs_buf_str(&bytes), hex);
		ck_assert_msg(strncmp(hex, line.p, 64) == 0, "%s", name);
		ck_assert_int_lt(
		    gs_str_cmp(last, gs_str_from(line, 66)), 0); /* sorted */
		last = gs_str_from(line, 66);
		gs_buf_release(&bytes);
		free(path);
		free(name);
		n++;
	}
	ck_assert_uint_ge(n, 13); /* P3, licence texts aside */
	free(sums);
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A release made by publish/ from hand-made verdicts, and ways to plant one
 * defect in it: change a row or a text, then seal it again, so that nothing
 * but the defect itself is wrong.
 */
#ifndef AUDIT_FIXTURE_H
#define AUDIT_FIXTURE_H

#include <inttypes.h>

#include "audit/audit.h"
#include "publish_fixture.h"
#include "table/table.h"

#define RUN(state, attempt, outcome)                                           \
	"{\"state\":\"" state "\",\"attempt\":\"" attempt                      \
	"\",\"kind\":\"complete\",\"outcomes\":{"                              \
	"\"tests/test_m.py::test_a\":\"" outcome "\"}}"
#define RUNS                                                                   \
	"[" RUN("commit", "whole files", "passed") "," RUN(                    \
	    "before", "whole files", "assertion") "," RUN("unit", "ids alone", \
	    "passed") "," RUN("before", "ids alone",                           \
	    "assertion") "," RUN("unit", "clock moved",                        \
	    "passed") "," RUN("before", "clock moved", "assertion") "]"

static inline char *mit_text(void)
{
	struct gs_buf text = {0};
	OK(gs_file_read("licences/mit.txt", (size_t)1 << 20, &text, &err));
	return gs_buf_steal(&text);
}

/* As add_sample, with a licence text that is one and runs that were seen. */
static inline void add_honest(struct gs_store *store, const struct sample *s)
{
	char sha256[GS_SHA256_HEX], *text = mit_text();
	gs_sha256_hex(gs_str(text), sha256);
	OK(gs_store_put_text(store, sha256, gs_str(text), &err));
	char *texts = gs_format("{\"%s\":\"%s\"}", s->license_file, sha256);
	put(store, add_project(store, s->repo), s->number, seconds_of(s->at),
	    NULL);
	struct gs_work_filter filter = {0};
	struct gs_work work = {0};
	ck_assert_int_eq(gs_store_claim(store, &filter, &work, &err), 1);
	struct gs_verdict verdict = {
	    .is_record = true, .runs = gs_strdup("[]")};
	set_record(&verdict.record, s, &work);
	set_evidence(&verdict.evidence, s, verdict.record.id, texts);
	free(verdict.evidence.observations);
	verdict.evidence.observations = gs_strdup(RUNS);
	finish(store, &work, verdict);
	gs_work_release(&work);
	free(texts);
	free(text);
}

static const struct sample honest[] = {
    {"a/a", "bug", "Fix a", "MIT", "LICENSE", 1, 30, true, true},
    {"b/b", "bug", "Fix b", "MIT", "LICENSE", 2, 40, false, false},
    {"b/b", "bug", "Fix b again", "MIT", "LICENSE", 3, 50, false, false},
    {"c/c", "bug", "Fix c", "MIT", "LICENSE", 4, 20, false, false},
};

/* In memory where that is offered: a release and a store are flushed at
 * every step, and that these tests do not try. */
static inline char *quick_workspace(void)
{
	char *path = NULL;
	OK(gs_dir_make_temp(gs_path_is_dir("/dev/shm") ? "/dev/shm" : "/tmp",
	    "goldset-test-", &path, &err));
	return path;
}

static inline struct gs_store *honest_store(char **ret_workspace)
{
	*ret_workspace = quick_workspace();
	struct gs_store *store = open_store(*ret_workspace, GS_STORE_WRITE);
	for (size_t i = 0; i < GS_COUNT(honest); i++)
		add_honest(store, &honest[i]);
	return store;
}

static inline void write_text(
    const char *folder, const char *name, const char *text)
{
	char *path = gs_path_join(folder, name);
	OK(gs_file_write(path, gs_str(text), 0644, &err));
	free(path);
}

/* Every `from` becomes `to`; there must be one. */
static inline void replace_in(
    const char *folder, const char *name, const char *from, const char *to)
{
	char *old = read_text(folder, name);
	struct gs_buf new = {0};
	struct gs_str rest = gs_str(old);
	ptrdiff_t at;
	ck_assert_msg(strstr(old, from) != NULL, "%s: no %s", name, from);
	while ((at = gs_str_find(rest, gs_str(from))) >= 0) {
		gs_buf_adds(&new, gs_str_sub(rest, 0, (size_t)at));
		gs_buf_addz(&new, to);
		rest = gs_str_from(rest, (size_t)at + strlen(from));
	}
	gs_buf_adds(&new, rest);
	write_text(folder, name, gs_buf_cstr(&new));
	gs_buf_release(&new);
	free(old);
}

static inline void sha256_of(
    const char *folder, const char *name, char hex[GS_SHA256_HEX])
{
	struct gs_buf bytes = {0};
	char *path = gs_path_join(folder, name);
	OK(gs_file_read(path, (size_t)1 << 30, &bytes, &err));
	gs_sha256_hex(gs_buf_str(&bytes), hex);
	gs_buf_release(&bytes);
	free(path);
}

/* SHA256SUMS anew, for the files that it names and that are there. */
static inline void seal(const char *folder)
{
	char *sums = read_text(folder, "SHA256SUMS");
	struct gs_str rest = gs_str(sums), line;
	struct gs_buf new = {0};
	while (gs_str_cut(&rest, '\n', &line)) {
		char hex[GS_SHA256_HEX];
		char *name = gs_strndup(line.p + 66, line.n - 66);
		char *path = gs_path_join(folder, name);
		if (gs_path_exists(path)) {
			sha256_of(folder, name, hex);
			gs_buf_addf(&new, "%s  %s\n", hex, name);
		}
		free(path);
		free(name);
	}
	write_text(folder, "SHA256SUMS", gs_buf_cstr(&new));
	gs_buf_release(&new);
	free(sums);
}

struct rows_of {
	struct gs_record records[8];
	struct gs_evidence evidence[8];
	size_t n, n_evidence;
};

static inline int keep_record(
    void *ctx, struct gs_record *record, struct gs_err *e)
{
	(void)e;
	struct rows_of *rows = ctx;
	rows->records[rows->n++] = *record;
	*record = (struct gs_record){0};
	return 0;
}

static inline int keep_evidence(
    void *ctx, struct gs_evidence *evidence, struct gs_err *e)
{
	(void)e;
	struct rows_of *rows = ctx;
	rows->evidence[rows->n_evidence++] = *evidence;
	*evidence = (struct gs_evidence){0};
	return 0;
}

static inline uint64_t write_rows(struct gs_table *table, const char *path,
    const struct gs_column *columns, size_t n, const void *rows, size_t size,
    size_t n_rows)
{
	struct gs_table_writer *writer = NULL;
	uint64_t bytes = 0;
	OK(gs_table_begin(table, columns, n, "/tmp", &writer, &err));
	for (size_t i = 0; i < n_rows; i++)
		OK(gs_table_add(writer, (const char *)rows + i * size, &err));
	OK(gs_table_end(writer, path, &bytes, &err));
	return bytes;
}

static inline size_t size_of(const char *folder, const char *name)
{
	char *path = gs_path_join(folder, name);
	struct gs_buf bytes = {0};
	OK(gs_file_read(path, (size_t)1 << 30, &bytes, &err));
	size_t n = bytes.n;
	gs_buf_release(&bytes);
	free(path);
	return n;
}

/* What the texts say of a table's file, put right. */
static inline void tell_size(
    const char *folder, const char *name, const char *old_sum, size_t old_size)
{
	char sum[GS_SHA256_HEX];
	sha256_of(folder, name, sum);
	char *from = gs_format("\"%zu B\"", old_size);
	char *to = gs_format("\"%zu B\"", size_of(folder, name));
	replace_in(folder, "croissant.json", old_sum, sum);
	replace_in(folder, "croissant.json", from, to);
	free(from);
	free(to);
}

static inline void tell_card(
    const char *folder, const char *key, uint64_t value)
{
	char *card = read_text(folder, "README.md");
	char *from = gs_format("%s: ", key);
	char *at = strstr(card, from);
	ck_assert_ptr_nonnull(at);
	char *old = gs_format("%.*s", (int)strcspn(at, "\n"), at);
	char *new = gs_format("%s: %" PRIu64, key, value);
	replace_in(folder, "README.md", old, new);
	free(card);
	free(from);
	free(old);
	free(new);
}

/* Both tables read, changed and written again. `columns` fewer than all:
 * a table that lacks the last ones. */
static inline void plant_rows(
    const char *folder, void (*change)(struct rows_of *rows), size_t columns)
{
	static const char *const names[] = {
	    "oracles.parquet", "evidence.parquet"};
	struct gs_table *table = NULL;
	struct rows_of rows = {0};
	char sums[2][GS_SHA256_HEX];
	size_t sizes[2];
	char *paths[2];
	OK(gs_table_open(&table, &err));
	for (size_t i = 0; i < 2; i++) {
		paths[i] = gs_path_join(folder, names[i]);
		sha256_of(folder, names[i], sums[i]);
		sizes[i] = size_of(folder, names[i]);
	}
	OK(gs_table_each_record(
	    table, paths[0], NULL, NULL, keep_record, &rows, &err));
	OK(gs_table_each_evidence(
	    table, paths[1], NULL, NULL, keep_evidence, &rows, &err));
	change(&rows);
	uint64_t arrow = write_rows(table, paths[0], gs_record_columns, columns,
	    rows.records, sizeof(rows.records[0]), rows.n);
	(void)write_rows(table, paths[1], gs_evidence_columns,
	    gs_n_evidence_columns, rows.evidence, sizeof(rows.evidence[0]),
	    rows.n_evidence);
	for (size_t i = 0; i < 2; i++)
		tell_size(folder, names[i], sums[i], sizes[i]);
	tell_card(folder, "num_bytes", arrow);
	tell_card(folder, "dataset_size", arrow);
	tell_card(folder, "download_size", size_of(folder, names[0]));
	seal(folder);
	for (size_t i = 0; i < GS_COUNT(rows.records); i++) {
		gs_record_release(&rows.records[i]);
		gs_evidence_release(&rows.evidence[i]);
	}
	free(paths[0]);
	free(paths[1]);
	gs_table_close(table);
}

static inline void set_text(char **text, const char *value)
{
	free(*text);
	*text = gs_strdup(value);
}

/* Texts of a record replaced, and all that follows from them put right. */
static inline void set_code(
    struct rows_of *rows, size_t i, const char *before, const char *after)
{
	struct gs_record *record = &rows->records[i];
	set_text(&record->source_before, before);
	set_text(&record->source_after, after);
	free(record->fingerprint);
	free(record->id);
	set_identity(record);
	set_text(&rows->evidence[i].id, record->id);
}

struct findings {
	size_t n;
	enum gs_severity severity;
	char check[24];
	struct gs_buf all; /* for the message of a test that fails */
};

static inline void take_finding(void *ctx, const struct gs_finding *finding)
{
	struct findings *findings = ctx;
	findings->n++;
	findings->severity = finding->severity;
	(void)snprintf(
	    findings->check, sizeof(findings->check), "%s", finding->check);
	gs_buf_addf(&findings->all, "%s %s %s %s %s: %s\n",
	    gs_severity_name(finding->severity), finding->check,
	    finding->file ? finding->file : "", finding->id ? finding->id : "",
	    finding->column ? finding->column : "", finding->text);
}

static inline void audit(
    const struct gs_audit_options *options, struct findings *ret)
{
	struct gs_audit_result result = {0};
	OK(gs_audit(options, take_finding, ret, &result, &err));
	ck_assert_uint_eq(
	    (size_t)(result.errors + result.warnings + result.notices), ret->n);
}

#endif

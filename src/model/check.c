/* SPDX-License-Identifier: Apache-2.0 */
/* What every published record must be by itself, whoever made it: the last
 * door before a release. */
#include <stdlib.h>
#include <string.h>

#include "base/datetime.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "model/change.h"
#include "model/diff.h"
#include "model/identity.h"
#include "model/oracle.h"
#include "model/record.h"

static bool is_in(const char *s, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(s, names[i]) == 0)
			return true;
	return false;
}

/* P1: none is null; few may be empty (K4, I4, W1), and the text of a file
 * that was empty before. */
static bool may_be_empty(
    const struct gs_record *record, const struct gs_column *column)
{
	static const char *const names[] = {
	    "also_in", "commit_url", "repo_url"};
	if (strcmp(column->name, "subject") == 0)
		return strcmp(record->spec_source, "docstring") == 0;
	if (strcmp(column->name, "source_before") == 0)
		return strcmp(record->granularity, "file") == 0;
	return is_in(column->name, names, GS_COUNT(names));
}

static int check_texts(const struct gs_record *record, struct gs_err *err)
{
	for (size_t i = 0; i < gs_n_record_columns; i++) {
		const struct gs_column *column = &gs_record_columns[i];
		if (column->type == GS_COLUMN_TEXT &&
		    !gs_column_text(record, column))
			return gs_fail(err, GS_E_CORRUPT,
			    "Column %s of the record is null.", column->name);
	}
	for (size_t i = 0; i < gs_n_record_columns; i++) {
		const struct gs_column *column = &gs_record_columns[i];
		if (column->type != GS_COLUMN_TEXT)
			continue;
		struct gs_str text = gs_str(gs_column_text(record, column));
		if (!gs_utf8_valid(text))
			return gs_fail(err, GS_E_CORRUPT,
			    "Column %s of record %s is not UTF-8.",
			    column->name, record->id);
		if (text.n == 0 && !may_be_empty(record, column))
			return gs_fail(err, GS_E_CORRUPT,
			    "Column %s of record %s is empty.", column->name,
			    record->id);
	}
	return 0;
}

static int check_list(const struct gs_record *record, const char *name,
    const struct gs_strv *list, struct gs_err *err)
{
	if (list->n == 0)
		return gs_fail(err, GS_E_CORRUPT,
		    "Column %s of record %s is empty.", name, record->id);
	for (size_t i = 0; i < list->n; i++) {
		if (list->v[i][0] == '\0' || !gs_utf8_valid(gs_str(list->v[i])))
			return gs_fail(err, GS_E_CORRUPT,
			    "An entry of %s of record %s is empty or not "
			    "UTF-8.",
			    name, record->id);
		if (i > 0 && strcmp(list->v[i - 1], list->v[i]) >= 0)
			return gs_fail(err, GS_E_CORRUPT,
			    "Column %s of record %s is not sorted, or names "
			    "%s twice.",
			    name, record->id, list->v[i]);
	}
	return 0;
}

static int check_date(const struct gs_record *record, const char *name,
    const char *text, struct gs_err *err)
{
	int64_t at;
	if (strlen(text) == strlen("YYYY-MM-DDTHH:MM:SSZ") &&
	    gs_datetime_parse(gs_str(text), &at))
		return 0;
	return gs_fail(err, GS_E_CORRUPT,
	    "Column %s of record %s is not a date of the form "
	    "YYYY-MM-DDTHH:MM:SSZ.",
	    name, record->id);
}

static int check_oid(const struct gs_record *record, const char *name,
    const char *text, struct gs_err *err)
{
	struct gs_str s = gs_str(text);
	bool is_hex = s.n == 40 || s.n == 64;
	for (size_t i = 0; i < s.n; i++)
		is_hex &= strchr("0123456789abcdef", s.p[i]) != NULL;
	if (is_hex)
		return 0;
	return gs_fail(err, GS_E_CORRUPT,
	    "Column %s of record %s is not an object id.", name, record->id);
}

/* K3, K4: a function's spec is its docstring, a file's the message. */
static int check_words(const struct gs_record *record, struct gs_err *err)
{
	bool is_function = strcmp(record->granularity, "function") == 0;
	if (!is_function && strcmp(record->granularity, "file") != 0)
		return gs_fail(err, GS_E_CORRUPT,
		    "The granularity of record %s is neither function nor "
		    "file.",
		    record->id);
	if (strcmp(record->spec_source,
	        is_function ? "docstring" : "commit_message") != 0)
		return gs_fail(err, GS_E_CORRUPT,
		    "The spec_source of record %s does not fit its "
		    "granularity.",
		    record->id);
	if (strcmp(record->language, "python") != 0)
		return gs_fail(err, GS_E_CORRUPT,
		    "The language of record %s is not python.", record->id);
	if ((record->repo_url[0] == '\0') != (record->commit_url[0] == '\0'))
		return gs_fail(err, GS_E_CORRUPT,
		    "Record %s has one of repo_url and commit_url only.",
		    record->id);
	return 0;
}

static int wrong_number(const struct gs_record *record, const char *name,
    int64_t is, int64_t right, struct gs_err *err)
{
	return gs_fail(err, GS_E_CORRUPT,
	    "Column %s of record %s is %lld and should be %lld.", name,
	    record->id, (long long)is, (long long)right);
}

/* P2: derived, never a placeholder. */
static int check_numbers(const struct gs_record *record, struct gs_err *err)
{
	GS_CLEANUP(gs_diff_release) struct gs_diff diff = {0};
	gs_diff(
	    gs_str(record->source_before), gs_str(record->source_after), &diff);
	int64_t lines = (int64_t)(diff.added + diff.removed);
	int64_t tests = (int64_t)record->fail_to_pass.n;
	if (lines == 0)
		return gs_fail(err, GS_E_CORRUPT,
		    "Record %s has the same code before and after.",
		    record->id);
	if (record->diff_lines != lines)
		return wrong_number(
		    record, "diff_lines", record->diff_lines, lines, err);
	if (record->n_tests != tests)
		return wrong_number(
		    record, "n_tests", record->n_tests, tests, err);
	if (record->schema_version != GS_SCHEMA_VERSION)
		return wrong_number(record, "schema_version",
		    record->schema_version, GS_SCHEMA_VERSION, err);
	return 0;
}

static int wrong_text(const struct gs_record *record, const char *name,
    const char *right, struct gs_err *err)
{
	return gs_fail(err, GS_E_CORRUPT,
	    "Column %s of record %s should be %s.", name, record->id, right);
}

/* I2, I3, K5: what follows from the other columns. */
static int check_identity(const struct gs_record *record, struct gs_err *err)
{
	char fingerprint[GS_SHA256_HEX], id[GS_ID_SIZE];
	gs_fingerprint(gs_str(record->source_before),
	    gs_str(record->source_after), fingerprint);
	if (strcmp(fingerprint, record->fingerprint) != 0)
		return wrong_text(record, "fingerprint", fingerprint, err);
	gs_record_id(&(struct gs_identity){record->repo, record->commit,
	                 record->parent, record->module, record->unit,
	                 record->granularity, record->fingerprint},
	    id);
	if (strcmp(id, record->id) != 0)
		return wrong_text(record, "id", id, err);
	GS_CLEANUP(gs_freep)
	char *test_file = gs_test_file_of(&record->fail_to_pass);
	if (strcmp(test_file, record->test_file) != 0)
		return wrong_text(record, "test_file", test_file, err);
	return 0;
}

static int check_lists(const struct gs_record *record, struct gs_err *err)
{
	int rc = check_list(record, "fail_to_pass", &record->fail_to_pass, err);
	return rc ? rc
	          : check_list(
	                record, "units_changed", &record->units_changed, err);
}

static int check_dates(const struct gs_record *record, struct gs_err *err)
{
	int rc = check_date(record, "committed_at", record->committed_at, err);
	if (rc == 0)
		rc = check_date(record, "parent_at", record->parent_at, err);
	if (rc == 0)
		rc = check_date(
		    record, "validated_at", record->validated_at, err);
	return rc;
}

static int check_oids(const struct gs_record *record, struct gs_err *err)
{
	int rc = check_oid(record, "commit", record->commit, err);
	return rc ? rc : check_oid(record, "parent", record->parent, err);
}

/* The first must hold for the others to look at texts at all. */
static const struct {
	const char *name;
	int (*check)(const struct gs_record *record, struct gs_err *err);
} checks[] = {
    {"texts", check_texts},
    {"lists", check_lists},
    {"dates", check_dates},
    {"commits", check_oids},
    {"words", check_words},
    {"numbers", check_numbers},
    {"identity", check_identity},
};

const char *gs_record_check_name(size_t i)
{
	return i < GS_COUNT(checks) ? checks[i].name : NULL;
}

int gs_record_check_one(
    size_t i, const struct gs_record *record, struct gs_err *err)
{
	return checks[i].check(record, err);
}

int gs_record_check(const struct gs_record *record, struct gs_err *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < GS_COUNT(checks); i++)
		rc = checks[i].check(record, err);
	return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a site knows of a release before it writes a page: a line for each
 * record, projects and licences, and where each record's evidence was put
 * aside (a file that has no name, since it is larger than memory should be).
 */
#ifndef SITE_CATALOGUE_H
#define SITE_CATALOGUE_H

#include <sys/types.h>

#include "base/map.h"
#include "base/strv.h"
#include "model/record.h"
#include "site/site.h"
#include "table/table.h"

struct verdict {
	const char *verdict;
	/* What was refuted: claim and what was seen, in pairs. */
	struct gs_strv claims;
	const char *why; /* why it could not be looked at, or NULL */
};

struct entry {
	const char *id, *repo, *unit, *module, *subject, *committed_at;
	const char *validated_at, *change_kind;
	size_t project, licence;
	bool is_file;
	int64_t diff_lines, n_tests;
	const struct verdict *verdict; /* the latest, or NULL */
};

/* A project, or a licence: its records as indices into entries. */
struct group {
	const char *name, *slug, *url;

	struct {
		size_t *v;
		size_t n, cap;
	} entries;            /* the newest first */
	struct gs_strv texts; /* names in licenses/, each once */
};

struct groups {
	struct group *v;
	size_t n, cap;
	struct gs_map index; /* name → its place + 1 */
};

/* One file of goldset-verify. */
struct verification {
	char *name;
	int64_t confirmed, refuted, unavailable, infra;
};

struct catalogue {
	const struct gs_site_options *options;
	struct gs_table *table;
	char *oracles, *evidence;

	const char *name, *version, *date; /* of croissant.json */
	struct gs_buf croissant;

	struct {
		struct entry *v;
		size_t n, cap;
	} entries;         /* the newest fix first, then by id */
	struct gs_map ids; /* id → its place + 1 */
	struct groups projects, licences;
	int64_t functions, tests;
	struct gs_map licence_files; /* repo, commit, path → in licenses/ */

	struct {
		struct verification *v;
		size_t n, cap;
	} verifications;
	struct gs_map verdicts; /* id → struct verdict */

	int64_t n_rows, rows_read; /* of both tables, for the watch */
	int spill;                 /* evidence as JSON */
	struct gs_map places;      /* id → struct place */
	struct gs_arena arena;
};

GS_MUST_CHECK int catalogue_read(struct catalogue *catalogue,
    const struct gs_site_options *options, struct gs_err *err);
void catalogue_release(struct catalogue *catalogue);
/* The evidence of a record; the caller releases it. */
GS_MUST_CHECK int catalogue_evidence(const struct catalogue *catalogue,
    const char *id, struct gs_evidence *ret, struct gs_err *err);
const struct entry *catalogue_entry(
    const struct catalogue *catalogue, struct gs_str id);
/* In licenses/, or NULL. */
const char *catalogue_licence_file(
    const struct catalogue *catalogue, const struct gs_record *record);
/* A file of the release as text; empty when it is not there. */
GS_MUST_CHECK int catalogue_text(const struct catalogue *catalogue,
    const char *name, struct gs_buf *ret, struct gs_err *err);

/* One row of CSV (RFC 4180) off the front of *text; false at its end. */
bool csv_row(struct gs_str *text, struct gs_strv *ret);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "publish/changes.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "os/file.h"
#include "publish/escape.h"
#include "publish/publish.h"

#define MAX_TEXT (64 * GS_MIB)
#define MAX_IDS 100 /* named one by one in the changelog */
#define MAX_COLUMNS 64

/* One release's rows, each as hashes by id. */
struct rows {
	struct gs_map seen;   /* what a user of the data sees */
	struct gs_map scored; /* evidence that decides a score (E2) */
	struct gs_map all;    /* with the audit trail */
	struct gs_map all_evidence;
	struct gs_strv repos;
};

static void release_rows(struct rows *rows)
{
	gs_map_release(&rows->seen);
	gs_map_release(&rows->scored);
	gs_map_release(&rows->all);
	gs_map_release(&rows->all_evidence);
	gs_strv_release(&rows->repos);
}

/* The columns that `is_wanted` names, or all. */
static void keep_hash(struct gs_map *map, const char *id, const void *row,
    const struct gs_column *columns, size_t n,
    bool (*is_wanted)(const char *column))
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	struct gs_column wanted[MAX_COLUMNS];
	size_t n_wanted = 0;
	for (size_t i = 0; i < n && i < MAX_COLUMNS; i++)
		if (!is_wanted || is_wanted(columns[i].name))
			wanted[n_wanted++] = columns[i];
	struct gs_json json = {.out = &text};
	gs_columns_write(row, wanted, n_wanted, &json);
	char hex[GS_SHA256_HEX];
	gs_sha256_hex(gs_buf_str(&text), hex);
	(void)gs_map_add(
	    map, gs_str(id), gs_arena_cstr(&map->keys, gs_str(hex)));
}

static bool is_seen(const char *column)
{
	return !gs_record_is_trail(column);
}

static int hash_record(void *ctx, struct gs_record *record, struct gs_err *err)
{
	(void)err;
	struct rows *rows = ctx;
	if (rows->repos.n == 0 ||
	    strcmp(rows->repos.v[rows->repos.n - 1], record->repo) != 0)
		gs_strv_push(&rows->repos, record->repo);
	keep_hash(&rows->seen, record->id, record, gs_record_columns,
	    gs_n_record_columns, is_seen);
	keep_hash(&rows->all, record->id, record, gs_record_columns,
	    gs_n_record_columns, NULL);
	return 0;
}

static int hash_evidence(
    void *ctx, struct gs_evidence *evidence, struct gs_err *err)
{
	(void)err;
	struct rows *rows = ctx;
	keep_hash(&rows->scored, evidence->id, evidence, gs_evidence_columns,
	    gs_n_evidence_columns, gs_evidence_is_scored);
	keep_hash(&rows->all_evidence, evidence->id, evidence,
	    gs_evidence_columns, gs_n_evidence_columns, NULL);
	return 0;
}

static int hash_all(struct gs_table *table, const char *folder,
    struct rows *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *oracles = gs_path_join(folder, ORACLES);
	GS_CLEANUP(gs_freep) char *evidence = gs_path_join(folder, EVIDENCE);
	int rc = gs_table_each_record(
	    table, oracles, NULL, NULL, hash_record, ret, err);
	if (rc == 0)
		rc = gs_table_each_evidence(
		    table, evidence, NULL, NULL, hash_evidence, ret, err);
	return rc;
}

static bool is_same(
    const struct gs_map *old, const struct gs_map *new, struct gs_str id)
{
	const char *a = gs_map_get(old, id), *b = gs_map_get(new, id);
	return a && b ? strcmp(a, b) == 0 : a == b;
}

static void compare(
    const struct rows *old, const struct rows *new, struct changes *ret)
{
	for (size_t i = 0; i < new->seen.n; i++) {
		struct gs_str id = new->seen.entries[i].key;
		if (!gs_map_has(&old->seen, id))
			gs_strv_push(&ret->added, id.p);
		else if (!is_same(&old->seen, &new->seen, id) ||
		         !is_same(&old->scored, &new->scored, id))
			gs_strv_push(&ret->changed, id.p);
		else
			ret->proven += !is_same(&old->all, &new->all, id) ||
			               !is_same(&old->all_evidence,
			                   &new->all_evidence, id);
	}
	for (size_t i = 0; i < old->seen.n; i++)
		if (!gs_map_has(&new->seen, old->seen.entries[i].key))
			gs_strv_push(&ret->removed, old->seen.entries[i].key.p);
	gs_strv_copy(&ret->repos, &old->repos);
}

static int read_previous_version(
    const char *folder, struct changes *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *path = gs_path_join(folder, "croissant.json");
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	int rc = gs_file_read(path, MAX_TEXT, &text, err);
	if (rc)
		return rc;
	GS_CLEANUP(gs_json_free)
	json_t *json = gs_json_parse(gs_buf_str(&text), path, err);
	if (!json)
		return GS_E_CORRUPT;
	struct gs_version version;
	if (!gs_version_parse(gs_json_get_str(json, "version"), &version))
		return gs_fail(err, GS_E_CORRUPT,
		    "%s has no version of the form 1.2.3", path);
	gs_version_print(&version, ret->previous);
	return 0;
}

static int read_older(
    const char *folder, struct changes *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *log = gs_path_join(folder, "CHANGELOG.md");
	GS_CLEANUP(gs_freep) char *gone = gs_path_join(folder, "withdrawn.csv");
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	int rc = gs_file_read(log, MAX_TEXT, &text, err);
	if (rc == 0)
		rc = gs_file_read(gone, MAX_TEXT, &ret->withdrawn, err);
	if (rc)
		return rc;
	ptrdiff_t first = gs_str_find(gs_buf_str(&text), GS_STR("\n## ["));
	if (first >= 0)
		gs_buf_adds(
		    &ret->older, gs_str_from(gs_buf_str(&text), (size_t)first));
	return 0;
}

static enum gs_bump bump_of(const struct changes *changes)
{
	return changes->changed.n + changes->removed.n > 0 ? GS_BUMP_MAJOR
	       : changes->added.n > 0                      ? GS_BUMP_MINOR
	       : changes->is_again                         ? GS_BUMP_NONE
	                                                   : GS_BUMP_PATCH;
}

static int decide_version(
    struct changes *ret, const char *wanted, struct gs_err *err)
{
	struct gs_version old = {0}, least = {1, 0, 0}, is;
	if (ret->has_previous) {
		(void)gs_version_parse(gs_str(ret->previous), &old);
		least = gs_version_next(&old, bump_of(ret));
	}
	if (!wanted) {
		gs_version_print(&least, ret->version);
		return 0;
	}
	if (!gs_version_parse(gs_str(wanted), &is))
		return gs_fail(err, GS_E_USAGE,
		    "\"%s\" is not a version of the form 1.2.3", wanted);
	char low[GS_VERSION_SIZE];
	gs_version_print(&least, low);
	if (ret->has_previous && gs_version_cmp(&is, &least) < 0)
		return gs_fail(err, GS_E_USAGE,
		    "version %s says too little: since %s %zu records were "
		    "added, %zu changed and %zu removed, which is at least %s",
		    wanted, ret->previous, ret->added.n, ret->changed.n,
		    ret->removed.n, low);
	/* A higher number for the very same is a new release of it. */
	ret->is_again &= gs_version_cmp(&is, &old) == 0;
	gs_version_print(&is, ret->version);
	return 0;
}

int changes_not_again(
    struct changes *changes, const char *version, struct gs_err *err)
{
	changes->is_again = false;
	return decide_version(changes, version, err);
}

int changes_read(struct gs_table *table, const struct change_question *question,
    struct changes *ret, struct gs_err *err)
{
	const char *previous = question->previous;
	ret->has_previous = previous != NULL;
	if (!previous)
		return decide_version(ret, question->version, err);
	if (!gs_is_release(previous))
		return gs_fail(
		    err, GS_E_USAGE, "%s is not a release", previous);
	GS_CLEANUP(release_rows) struct rows old = {0}, new = {0};
	int rc = read_previous_version(previous, ret, err);
	if (rc == 0)
		rc = read_older(previous, ret, err);
	if (rc == 0)
		rc = hash_all(table, previous, &old, err);
	if (rc == 0)
		rc = hash_all(table, question->folder, &new, err);
	if (rc)
		return rc;
	compare(&old, &new, ret);
	ret->is_again = question->is_replaced &&
	                ret->added.n + ret->changed.n + ret->removed.n == 0 &&
	                ret->proven == 0;
	return decide_version(ret, question->version, err);
}

static void add_list(
    struct gs_buf *out, const char *title, const struct gs_strv *ids)
{
	if (ids->n == 0)
		return;
	gs_buf_addf(out, "\n### %s\n\n- %zu record%s: ", title, ids->n,
	    ids->n == 1 ? "" : "s");
	for (size_t i = 0; i < ids->n && i < MAX_IDS; i++) {
		gs_buf_addz(out, i ? ", " : "");
		escape_markdown(out, gs_str(ids->v[i]));
	}
	if (ids->n > MAX_IDS)
		gs_buf_addf(out, " and %zu more", ids->n - MAX_IDS);
	gs_buf_addc(out, '\n');
}

void changes_write(const struct changes *changes, const struct facts *facts,
    struct gs_buf *out)
{
	gs_buf_addz(out,
	    "# Changelog\n\n"
	    "The form is that of [Keep a Changelog](https://keepachangelog.com"
	    "/en/1.1.0/).\nA new major version edits or removes records, a "
	    "minor one only adds, a patch\nchanges nothing but the way in "
	    "which the same records are stored or described.\n");
	if (changes->is_again) { /* its entry is there already */
		gs_buf_adds(out, gs_buf_str(&changes->older));
		return;
	}
	gs_buf_addf(out, "\n## [%s] - %s\n", changes->version,
	    *facts->validated ? facts->validated : "1970-01-01");
	if (!changes->has_previous) {
		gs_buf_addf(out,
		    "\n### Added\n\n- First release: %lld record%s from %zu "
		    "project%s.\n",
		    (long long)facts->records, facts->records == 1 ? "" : "s",
		    facts->projects.n, facts->projects.n == 1 ? "" : "s");
		return;
	}
	if (changes->added.n + changes->changed.n + changes->removed.n == 0)
		gs_buf_addf(out,
		    "\n### Changed\n\n- The records are those of the release "
		    "before%s.\n",
		    changes->proven ? ", and were proven again" : "");
	add_list(out, "Added", &changes->added);
	add_list(out, "Changed", &changes->changed);
	add_list(out, "Removed", &changes->removed);
	gs_buf_adds(out, gs_buf_str(&changes->older));
}

void changes_release(struct changes *changes)
{
	gs_strv_release(&changes->added);
	gs_strv_release(&changes->changed);
	gs_strv_release(&changes->removed);
	gs_strv_release(&changes->repos);
	gs_buf_release(&changes->older);
	gs_buf_release(&changes->withdrawn);
}

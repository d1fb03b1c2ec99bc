/* SPDX-License-Identifier: Apache-2.0 */
#include "site/catalogue.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/vec.h"
#include "os/fd.h"
#include "os/file.h"
#include "os/signals.h"
#include "site/verified.h"

#define MAX_TEXT ((size_t)256 << 20)

struct place {
	off_t at;
	size_t n;
	const char *change_kind;
};

/* A name as part of a file name and of a URL, one for one: "/" is "+", and
 * what is not a letter, digit, '.', '-' or '_' is "~" and two hex digits. */
static const char *slug(struct gs_arena *arena, const char *name)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
	                            "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
	GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
	for (const char *p = name; *p; p++)
		if (*p == '/')
			gs_buf_addc(&out, '+');
		else if (strchr(plain, *p))
			gs_buf_addc(&out, *p);
		else
			gs_buf_addf(&out, "~%02x", (unsigned char)*p);
	return gs_arena_cstr(arena, gs_buf_str(&out));
}

static size_t group_of(
    struct groups *groups, struct gs_arena *arena, const char *name)
{
	void **at = gs_map_at(&groups->index, gs_str(name));
	if (!*at) {
		struct group *group = GS_VEC_ADD(groups);
		group->name = gs_arena_cstr(arena, gs_str(name));
		group->slug = slug(arena, name);
		group->url = "";
		*at = (void *)(uintptr_t)groups->n;
	}
	return (size_t)(uintptr_t)*at - 1;
}

static void tell_read(struct catalogue *c)
{
	gs_watch_tell(
	    &c->options->watch, "read the release", ++c->rows_read, c->n_rows);
}

static int put_aside(
    void *ctx, struct gs_evidence *evidence, struct gs_err *err)
{
	struct catalogue *c = ctx;
	if (gs_stop_requested())
		return gs_fail(err, GS_E_CANCELLED, "interrupted");
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	struct gs_json json = {.out = &text};
	gs_columns_write(
	    evidence, gs_evidence_columns, gs_n_evidence_columns, &json);
	struct place *place = gs_arena_alloc(&c->arena, sizeof(*place));
	place->at = lseek(c->spill, 0, SEEK_END);
	place->n = text.n;
	place->change_kind =
	    gs_arena_cstr(&c->arena, gs_str(evidence->change_kind));
	for (struct gs_str rest = gs_buf_str(&text); rest.n > 0;) {
		ssize_t n = write(c->spill, rest.p, rest.n);
		if (n < 0 && errno != EINTR)
			return gs_fail_sys(err, "put the evidence aside");
		rest = gs_str_from(rest, n < 0 ? 0 : (size_t)n);
	}
	tell_read(c);
	if (!gs_map_add(&c->places, gs_str(evidence->id), place))
		return gs_fail(err, GS_E_CORRUPT,
		    "the evidence of %s stands there twice", evidence->id);
	return 0;
}

int catalogue_evidence(const struct catalogue *c, const char *id,
    struct gs_evidence *ret, struct gs_err *err)
{
	const struct place *place = gs_map_get(&c->places, gs_str(id));
	*ret = (struct gs_evidence){0};
	if (!place)
		return gs_fail(
		    err, GS_E_CORRUPT, "%s has no row in evidence.parquet", id);
	GS_CLEANUP(gs_freep) char *text = gs_alloc(place->n + 1);
	for (size_t n = 0; n < place->n;) {
		ssize_t got = pread(
		    c->spill, text + n, place->n - n, place->at + (off_t)n);
		if (got <= 0 && errno != EINTR)
			return gs_fail_sys(err, "read the evidence of %s", id);
		n += got > 0 ? (size_t)got : 0;
	}
	GS_CLEANUP(gs_json_free)
	json_t *json = gs_json_parse(gs_str_n(text, place->n), id, err);
	if (!json)
		return err ? err->code : GS_E_CORRUPT;
	return gs_columns_parse(
	    json, ret, gs_evidence_columns, gs_n_evidence_columns, err);
}

static void licence_key(
    struct gs_buf *key, const char *repo, const char *commit, const char *path)
{
	gs_buf_addf(key, "%s\n%s\n%s", repo, commit, path);
}

const char *catalogue_licence_file(
    const struct catalogue *c, const struct gs_record *record)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf key = {0};
	licence_key(&key, record->repo, record->commit, record->license_file);
	return gs_map_get(&c->licence_files, gs_buf_str(&key));
}

static int note_record(void *ctx, struct gs_record *record, struct gs_err *err)
{
	struct catalogue *c = ctx;
	struct gs_arena *arena = &c->arena;
	const struct place *place = gs_map_get(&c->places, gs_str(record->id));
	if (gs_stop_requested())
		return gs_fail(err, GS_E_CANCELLED, "interrupted");
	if (!place ||
	    strspn(record->id, "gs-0123456789abcdef") != strlen(record->id))
		return gs_fail(err, GS_E_CORRUPT,
		    "the record \"%s\" has no evidence", record->id);
	tell_read(c);
	struct entry *entry = GS_VEC_ADD(&c->entries);
	*entry = (struct entry){
	    .id = gs_arena_cstr(arena, gs_str(record->id)),
	    .unit = gs_arena_cstr(arena, gs_str(record->unit)),
	    .module = gs_arena_cstr(arena, gs_str(record->module)),
	    .subject = gs_arena_cstr(arena, gs_str(record->subject)),
	    .committed_at = gs_arena_cstr(arena, gs_str(record->committed_at)),
	    .validated_at = gs_arena_cstr(arena, gs_str(record->validated_at)),
	    .change_kind = place->change_kind,
	    .project = group_of(&c->projects, arena, record->repo),
	    .licence = group_of(&c->licences, arena, record->license),
	    .is_file = strcmp(record->granularity, "file") == 0,
	    .diff_lines = record->diff_lines,
	    .n_tests = record->n_tests,
	    .verdict = gs_map_get(&c->verdicts, gs_str(record->id)),
	};
	struct group *project = &c->projects.v[entry->project];
	entry->repo = project->name;
	if (!*project->url)
		project->url = gs_arena_cstr(arena, gs_str(record->repo_url));
	const char *text = catalogue_licence_file(c, record);
	if (text && !gs_strv_has(&project->texts, text))
		gs_strv_push(&project->texts, text);
	c->functions += !entry->is_file;
	c->tests += record->n_tests;
	return 0;
}

static int by_date(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int order = strcmp(y->committed_at, x->committed_at);
	return order ? order : strcmp(x->id, y->id);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(
	    ((const struct group *)a)->name, ((const struct group *)b)->name);
}

/* In the order of names; the index then gives places, not places + 1. */
static void order_groups(struct groups *groups)
{
	GS_VEC_SORT(groups, by_name);
	for (size_t i = 0; i < groups->n; i++)
		*gs_map_at(&groups->index, gs_str(groups->v[i].name)) =
		    (void *)(uintptr_t)i;
}

static void add_to(struct group *group, size_t entry)
{
	size_t *at = GS_VEC_ADD(&group->entries);
	*at = entry;
}

/* Sorts, and ties entries and groups by their new places. */
static void settle(struct catalogue *c)
{
	GS_CLEANUP(gs_freep)
	const char **names = gs_alloc((2 * c->entries.n + 1) * sizeof(*names));
	GS_VEC_SORT(&c->entries, by_date);
	for (size_t i = 0; i < c->entries.n; i++) {
		names[2 * i] = c->projects.v[c->entries.v[i].project].name;
		names[2 * i + 1] = c->licences.v[c->entries.v[i].licence].name;
	}
	order_groups(&c->projects);
	order_groups(&c->licences);
	for (size_t i = 0; i < c->entries.n; i++) {
		struct entry *entry = &c->entries.v[i];
		entry->project = (size_t)(uintptr_t)gs_map_get(
		    &c->projects.index, gs_str(names[2 * i]));
		entry->licence = (size_t)(uintptr_t)gs_map_get(
		    &c->licences.index, gs_str(names[2 * i + 1]));
		add_to(&c->projects.v[entry->project], i);
		add_to(&c->licences.v[entry->licence], i);
		(void)gs_map_add(
		    &c->ids, gs_str(entry->id), (void *)(uintptr_t)(i + 1));
	}
	for (size_t i = 0; i < c->projects.n; i++)
		gs_strv_sort(&c->projects.v[i].texts);
}

const struct entry *catalogue_entry(const struct catalogue *c, struct gs_str id)
{
	size_t at = (size_t)(uintptr_t)gs_map_get(&c->ids, id);
	return at ? &c->entries.v[at - 1] : NULL;
}

int catalogue_text(const struct catalogue *c, const char *name,
    struct gs_buf *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *path = gs_path_join(c->options->release, name);
	if (!gs_path_exists(path))
		return 0;
	return gs_file_read(path, MAX_TEXT, ret, err);
}

bool csv_row(struct gs_str *text, struct gs_strv *ret)
{
	gs_strv_reset(ret);
	if (text->n == 0)
		return false;
	GS_CLEANUP(gs_buf_release) struct gs_buf field = {0};
	bool quoted = false;
	size_t i = 0;
	for (; i < text->n && (quoted || text->p[i] != '\n'); i++) {
		char c = text->p[i];
		if (c == '"' && quoted && i + 1 < text->n &&
		    text->p[i + 1] == '"') {
			gs_buf_addc(&field, '"');
			i++;
		} else if (c == '"') {
			quoted = !quoted;
		} else if (c == ',' && !quoted) {
			gs_strv_push_str(ret, gs_buf_str(&field));
			gs_buf_reset(&field);
		} else if (c != '\r' || quoted) {
			gs_buf_addc(&field, c);
		}
	}
	gs_strv_push_str(ret, gs_buf_str(&field));
	*text = gs_str_from(*text, i < text->n ? i + 1 : i);
	return true;
}

/* A name that the index gives must be a plain file name of ours. */
static bool is_plain_name(struct gs_str name)
{
	return name.n > 0 && name.p[0] != '.' &&
	       gs_str_find_char(name, '/') < 0 &&
	       gs_str_find_char(name, '\\') < 0;
}

static int read_licence_index(struct catalogue *c, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	int rc = catalogue_text(c, "licenses/index.csv", &text, err);
	if (rc)
		return rc;
	GS_CLEANUP(gs_strv_release) struct gs_strv row = {0};
	struct gs_str rest = gs_buf_str(&text);
	(void)csv_row(&rest, &row);
	while (csv_row(&rest, &row)) {
		if (row.n < 5)
			continue;
		struct gs_str name = gs_str(row.v[4]);
		if (gs_str_starts(name, "licenses/"))
			name = gs_str_from(name, 9);
		if (!is_plain_name(name))
			continue;
		GS_CLEANUP(gs_buf_release) struct gs_buf key = {0};
		licence_key(&key, row.v[0], row.v[1], row.v[2]);
		(void)gs_map_add(&c->licence_files, gs_buf_str(&key),
		    gs_arena_cstr(&c->arena, name));
	}
	return 0;
}

/* What the release calls itself. */
static int read_croissant(struct catalogue *c, struct gs_err *err)
{
	int rc = catalogue_text(c, "croissant.json", &c->croissant, err);
	if (rc)
		return rc;
	GS_CLEANUP(gs_json_free)
	json_t *json =
	    gs_json_parse(gs_buf_str(&c->croissant), "croissant.json", err);
	if (!json)
		return err ? err->code : GS_E_CORRUPT;
	c->name = gs_arena_cstr(&c->arena, gs_json_get_str(json, "name"));
	c->version = gs_arena_cstr(&c->arena, gs_json_get_str(json, "version"));
	c->date =
	    gs_arena_cstr(&c->arena, gs_json_get_str(json, "datePublished"));
	return 0;
}

static int open_spill(struct catalogue *c, struct gs_err *err)
{
	const char *folder = getenv("TMPDIR");
	GS_CLEANUP(gs_freep)
	char *name = gs_format(
	    "%s/goldset-site-XXXXXX", folder && *folder ? folder : "/tmp");
	c->spill = mkostemp(name, O_CLOEXEC);
	if (c->spill < 0)
		return gs_fail_sys(err, "make %s", name);
	(void)unlink(name);
	return 0;
}

int catalogue_read(struct catalogue *c, const struct gs_site_options *options,
    struct gs_err *err)
{
	struct gs_table_info info = {0};
	*c = (struct catalogue){.options = options, .spill = -1};
	c->oracles = gs_path_join(options->release, "oracles.parquet");
	c->evidence = gs_path_join(options->release, "evidence.parquet");
	int rc = gs_path_exists(c->oracles)
	             ? read_croissant(c, err)
	             : gs_fail(err, GS_E_NOT_FOUND,
	                   "%s is no release: it holds no oracles.parquet",
	                   options->release);
	if (rc == 0)
		rc = open_spill(c, err);
	if (rc == 0)
		rc = read_licence_index(c, err);
	if (rc == 0)
		rc = verified_read(c, err);
	if (rc == 0)
		rc = gs_table_open(&c->table, err);
	/* A file that cannot be asked is told of when it is read. */
	if (rc == 0)
		gs_ignore(gs_table_inspect(
		    c->table, c->oracles, &info, &(struct gs_err){0}));
	c->n_rows = 2 * info.rows;
	if (rc == 0)
		rc = gs_table_each_evidence(
		    c->table, c->evidence, NULL, NULL, put_aside, c, err);
	if (rc == 0)
		rc = gs_table_each_record(
		    c->table, c->oracles, NULL, NULL, note_record, c, err);
	if (rc == 0)
		settle(c);
	return rc;
}

static void release_groups(struct groups *groups)
{
	for (size_t i = 0; i < groups->n; i++) {
		GS_VEC_FREE(&groups->v[i].entries);
		gs_strv_release(&groups->v[i].texts);
	}
	GS_VEC_FREE(groups);
	gs_map_release(&groups->index);
}

void catalogue_release(struct catalogue *c)
{
	gs_table_close(c->table);
	gs_closep(&c->spill);
	free(c->oracles);
	free(c->evidence);
	gs_buf_release(&c->croissant);
	GS_VEC_FREE(&c->entries);
	gs_map_release(&c->ids);
	release_groups(&c->projects);
	release_groups(&c->licences);
	gs_map_release(&c->licence_files);
	for (size_t i = 0; i < c->verifications.n; i++)
		free(c->verifications.v[i].name);
	GS_VEC_FREE(&c->verifications);
	for (size_t i = 0; i < c->verdicts.n; i++)
		gs_strv_release(
		    &((struct verdict *)c->verdicts.entries[i].value)->claims);
	gs_map_release(&c->verdicts);
	gs_map_release(&c->places);
	gs_arena_release(&c->arena);
}

/* SPDX-License-Identifier: Apache-2.0 */
/* L4, L5, F139: every record's texts are there, byte for byte what its
 * evidence names, and are the licences that the record claims. */
#include <stdlib.h>
#include <string.h>

#include "audit/work.h"
#include "base/csv.h"
#include "base/hash.h"
#include "base/mem.h"
#include "licence/licence.h"

struct text {
	struct gs_buf bytes;
	char sha256[GS_SHA256_HEX];
};

struct check {
	struct audit *audit;
	struct gs_map keys;    /* repo, commit, path → struct text * */
	struct gs_map commits; /* repo, commit of every record */
	struct gs_map texts;   /* file → struct text * */
	struct gs_map decided; /* what was looked at once */
	struct gs_strv accepted;
};

static void release(struct check *check)
{
	for (size_t i = 0; i < check->texts.n; i++) {
		struct text *text = check->texts.entries[i].value;
		gs_buf_release(&text->bytes);
		free(text);
	}
	gs_map_release(&check->keys);
	gs_map_release(&check->commits);
	gs_map_release(&check->texts);
	gs_map_release(&check->decided);
	gs_strv_release(&check->accepted);
}

static void add_key(struct gs_buf *key, const char *repo, const char *commit)
{
	gs_buf_add(key, repo, strlen(repo) + 1);
	gs_buf_add(key, commit, strlen(commit) + 1);
}

/* NULL where the file is not there, which is told of once. */
static struct text *text_of(struct check *check, const char *file)
{
	struct text *text = gs_map_get(&check->texts, gs_str(file));
	if (text)
		return text;
	struct gs_buf bytes = {0};
	if (!read_file(check->audit, file, &bytes)) {
		gs_buf_release(&bytes);
		return NULL;
	}
	text = gs_alloc(sizeof(*text));
	text->bytes = bytes;
	gs_sha256_hex(gs_buf_str(&bytes), text->sha256);
	*gs_map_at(&check->texts, gs_str(file)) = text;
	return text;
}

#define N_FIELDS 5

struct fields {
	struct gs_buf v[N_FIELDS]; /* repo, commit, path, sha256, file */
};

static void release_fields(struct fields *fields)
{
	for (size_t i = 0; i < N_FIELDS; i++)
		gs_buf_release(&fields->v[i]);
}

static bool parse_line(struct gs_str line, struct fields *ret)
{
	for (size_t i = 0; i < N_FIELDS; i++)
		if (!gs_csv_field(&line, &ret->v[i]))
			return false;
	return line.p == NULL;
}

static void take_line(struct check *check, size_t number, struct gs_str line)
{
	const struct place place = {.file = INDEX};
	GS_CLEANUP(release_fields) struct fields fields = {0};
	if (!parse_line(line, &fields)) {
		found(check->audit, GS_ERROR, "licences", place,
		    "Line %zu has not the five fields of its header.", number);
		return;
	}
	const char *repo = gs_buf_cstr(&fields.v[0]);
	const char *file = gs_buf_cstr(&fields.v[4]);
	GS_CLEANUP(gs_buf_release) struct gs_buf key = {0};
	add_key(&key, repo, gs_buf_cstr(&fields.v[1]));
	if (check->audit->has_all_rows &&
	    !gs_map_has(&check->commits, gs_buf_str(&key))) /* P4 */
		found(check->audit, GS_ERROR, "licences", place,
		    "Line %zu is about %s at a commit of which there is no "
		    "record.",
		    number, repo);
	struct text *text = text_of(check, file);
	const char *wrong = !text ? "is not there"
	                    : !gs_str_is(gs_buf_str(&fields.v[3]), text->sha256)
	                        ? "has another SHA-256"
	                        : NULL;
	/* Many lines lead to one text: once is enough, and what the records
	 * say of a wrong one is not asked any more. */
	if (wrong && gs_map_add(&check->decided, gs_str(file), NULL))
		found(check->audit, GS_ERROR, "licences", place,
		    "Line %zu names %s, which %s.", number, file, wrong);
	text = wrong ? NULL : text;
	gs_buf_adds(&key, gs_buf_str(&fields.v[2]));
	*gs_map_at(&check->keys, gs_buf_str(&key)) = text;
}

static void read_index(struct check *check)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf index = {0};
	if (!read_file(check->audit, INDEX, &index))
		return;
	struct gs_str rest = gs_buf_str(&index), line;
	(void)gs_str_cut(&rest, '\n', &line);
	if (!gs_str_is(line, "repo,commit,license_file,sha256,file"))
		found(check->audit, GS_ERROR, "licences",
		    (struct place){.file = INDEX},
		    "Its first line is not the header that it has.");
	for (size_t n = 2; rest.n > 0; n++) {
		/* A quoted field may hold line ends. */
		struct gs_str all = rest;
		size_t quotes = 0;
		do {
			(void)gs_str_cut(&rest, '\n', &line);
			for (size_t i = 0; i < line.n; i++)
				quotes += line.p[i] == '"';
		} while (quotes % 2 && rest.n > 0);
		take_line(check, n,
		    gs_str_n(all.p, (size_t)(line.p + line.n - all.p)));
	}
	/* A text that no line leads to is nobody's. */
	for (size_t i = 0; i < check->audit->files.n; i++) {
		const char *name = check->audit->files.v[i];
		if (gs_str_starts(gs_str(name), "licenses/") &&
		    strcmp(name, INDEX) != 0 &&
		    !gs_map_has(&check->texts, gs_str(name)))
			found(check->audit, GS_ERROR, "licences",
			    (struct place){.file = name},
			    "No line of " INDEX " leads to it.");
	}
}

static int by_path(const void *a, const void *b)
{
	const struct gs_licence_file *x = a, *y = b;
	return gs_str_cmp(x->path, y->path);
}

struct files {
	struct gs_licence_file *v;
	size_t n, cap;
};

static void release_files(struct files *files)
{
	GS_VEC_FREE(files);
}

/* The record's texts; false when one is wanting, which is told of. */
static bool collect(struct check *check, const struct row *row,
    struct files *ret, struct gs_buf *ret_key)
{
	const struct place place = {.id = row->id, .column = "license_file"};
	for (size_t i = 0; i < row->texts.n; i++) {
		const struct gs_map_entry *entry = &row->texts.entries[i];
		GS_CLEANUP(gs_buf_release) struct gs_buf key = {0};
		add_key(&key, row->repo, row->commit);
		gs_buf_adds(&key, entry->key);
		const struct text *text =
		    gs_map_get(&check->keys, gs_buf_str(&key));
		if (!text) {
			if (!gs_map_has(&check->keys, gs_buf_str(&key)))
				found(check->audit, GS_ERROR, "licences", place,
				    "No text ships for %s.", entry->key.p);
			return false;
		}
		if (strcmp(text->sha256, entry->value) != 0) {
			found(check->audit, GS_ERROR, "licences", place,
			    "The text of %s is not the one that the evidence "
			    "names.",
			    entry->key.p);
			return false;
		}
		gs_buf_addf(ret_key, "%s\n%s\n", entry->key.p, text->sha256);
		*GS_VEC_ADD(ret) = (struct gs_licence_file){
		    .path = entry->key, .bytes = gs_buf_str(&text->bytes)};
	}
	GS_VEC_SORT(ret, by_path);
	return true;
}

static void decide(
    struct check *check, const struct row *row, const struct files *files)
{
	const struct place place = {.id = row->id, .column = "license"};
	const struct gs_licence_question question = {.files = files->v,
	    .n_files = files->n,
	    .accepted = &check->accepted};
	struct gs_licence_verdict verdict = {0};
	gs_licence_decide(&question, &verdict);
	if (!verdict.accepted)
		found(check->audit, GS_ERROR, "licences", place,
		    "It says %s, and its text is refused: %s", row->license,
		    verdict.detail);
	else if (strcmp(verdict.expression, row->license) != 0)
		found(check->audit, GS_ERROR, "licences", place,
		    "It says %s, and its text is %s.", row->license,
		    verdict.expression);
}

static void check_row(struct check *check, const struct row *row)
{
	GS_CLEANUP(release_files) struct files files = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf key = {0};
	char detail[240] = "";
	if (!gs_map_has(&row->texts, gs_str(row->license_file))) {
		found(check->audit, GS_ERROR, "licences",
		    (struct place){.id = row->id, .column = "license_file"},
		    "The evidence has no text of %s.", row->license_file);
		return;
	}
	if (row->source && !gs_licence_header_ok(
	                       gs_str(row->source), &check->accepted, detail))
		found(check->audit, GS_ERROR, "licences",
		    (struct place){.id = row->id, .column = "source_before"},
		    "%s", detail);
	if (!collect(check, row, &files, &key))
		return;
	/* One project's records have one text, as a rule: judged once. */
	gs_buf_addz(&key, row->license);
	if (gs_map_add(&check->decided, gs_buf_str(&key), NULL))
		decide(check, row, &files);
}

void audit_licences(struct audit *audit)
{
	if (!has_file(audit, INDEX))
		return;
	GS_CLEANUP(release) struct check check = {.audit = audit};
	for (size_t i = 0; gs_licence_default_ids[i]; i++)
		gs_strv_push(&check.accepted, gs_licence_default_ids[i]);
	for (size_t i = 0; gs_licence_extra_ids[i]; i++)
		gs_strv_push(&check.accepted, gs_licence_extra_ids[i]);
	for (size_t i = 0; i < audit->rows.n; i++) {
		GS_CLEANUP(gs_buf_release) struct gs_buf key = {0};
		add_key(&key, audit->rows.v[i].repo, audit->rows.v[i].commit);
		(void)gs_map_add(&check.commits, gs_buf_str(&key), NULL);
	}
	read_index(&check);
	/* Without its evidence a record's texts are not known. */
	for (size_t i = 0; i < audit->rows.n; i++)
		if (audit->has_all_rows && audit->rows.v[i].has_evidence)
			check_row(&check, &audit->rows.v[i]);
}

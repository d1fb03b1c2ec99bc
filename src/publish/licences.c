/* SPDX-License-Identifier: Apache-2.0 */
#include "publish/licences.h"

#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "os/file.h"

#define PREFIX 16 /* hex digits of a text's name */
#define MAX_BASE 60
#define MAX_HOLDERS 8
#define MAX_HOLDER 200

static void add_key(
    struct gs_buf *key, const char *repo, const char *commit, const char *path)
{
	/* NUL cannot stand in any of the three. */
	gs_buf_add(key, repo, strlen(repo) + 1);
	gs_buf_add(key, commit, strlen(commit) + 1);
	gs_buf_addz(key, path);
}

/* The last part of a path in letters that are safe everywhere. */
static char *clean_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *last = slash ? slash + 1 : path;
	char *base = gs_strndup(last, strnlen(last, MAX_BASE));
	for (char *c = base; *c; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
		            "XYZ0123456789._-",
		        *c))
			*c = '_';
	return base;
}

static struct licence_text *text_of(
    struct licences *licences, const char *sha256, const char *path)
{
	void **place = gs_map_at(&licences->texts, gs_str(sha256));
	if (!*place) {
		struct licence_text *text = gs_alloc(sizeof(*text));
		memcpy(text->sha256, sha256, GS_SHA256_HEX);
		*place = text;
	}
	struct licence_text *text = *place;
	GS_CLEANUP(gs_freep) char *base = clean_base(path);
	if (!text->base || strcmp(base, text->base) < 0) {
		free(text->base);
		text->base = gs_steal(&base);
	}
	return text;
}

static int note_one(struct licences *licences, const struct gs_record *record,
    const char *path, const char *sha256, struct gs_err *err)
{
	unsigned char raw[GS_SHA256_SIZE];
	if (!sha256 || strlen(sha256) != GS_SHA256_HEX - 1 ||
	    !gs_unhex(gs_str(sha256), raw, sizeof(raw)))
		return gs_fail(err, GS_E_CORRUPT,
		    "the evidence of %s has no SHA-256 for %s", record->id,
		    path);
	GS_CLEANUP(gs_buf_release) struct gs_buf key = {0};
	add_key(&key, record->repo, record->commit, path);
	if (gs_map_has(&licences->keys, gs_buf_str(&key)))
		return 0; /* another record of that commit */
	struct licence_text *text = text_of(licences, sha256, path);
	*gs_map_at(&licences->keys, gs_buf_str(&key)) = text;
	*GS_VEC_ADD(&licences->rows) =
	    (struct licence_row){.repo = gs_strdup(record->repo),
	        .commit = gs_strdup(record->commit),
	        .path = gs_strdup(path),
	        .text = text};
	return 0;
}

int licences_note(struct licences *licences, const struct gs_record *record,
    const struct gs_evidence *evidence, struct gs_err *err)
{
	GS_CLEANUP(gs_json_free)
	json_t *texts = gs_json_parse(
	    gs_str(evidence->licence_sha256s), "licence_sha256s", err);
	if (!texts)
		return gs_wrap(err, "the evidence of %s", record->id);
	const char *path;
	json_t *sha256;
	json_object_foreach(texts, path, sha256)
	{
		int rc = note_one(
		    licences, record, path, json_string_value(sha256), err);
		if (rc)
			return rc;
	}
	return licences_resolve(licences, record)
	           ? 0
	           : gs_fail(err, GS_E_CORRUPT,
	                 "the evidence of %s has no text for its license_file %s",
	                 record->id, record->license_file);
}

bool licences_resolve(
    const struct licences *licences, const struct gs_record *record)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf key = {0};
	add_key(&key, record->repo, record->commit, record->license_file);
	return gs_map_has(&licences->keys, gs_buf_str(&key));
}

/* No e-mail address leaves with the credit (the text itself ships whole). */
static void without_email(struct gs_buf *out, struct gs_str line)
{
	struct gs_str word;
	while (gs_str_cut(&line, ' ', &word)) {
		if (word.n == 0 || gs_str_find_char(word, '@') >= 0)
			continue;
		if (out->n > 0)
			gs_buf_addc(out, ' ');
		gs_buf_adds(out, word);
	}
}

static void find_holders(struct gs_str text, struct gs_strv *ret)
{
	struct gs_str line;
	while (ret->n < MAX_HOLDERS && gs_str_cut(&text, '\n', &line)) {
		line = gs_str_trim(line);
		if (!gs_str_ieq(gs_str_sub(line, 0, line.n < 10 ? line.n : 10),
		        GS_STR("copyright ")) ||
		    line.n > MAX_HOLDER || !gs_utf8_valid(line))
			continue;
		/* A holder is named with a year or a sign, a clause is not. */
		if (!gs_str_contains(line, GS_STR("(c)")) &&
		    !gs_str_contains(line, GS_STR("(C)")) &&
		    !gs_str_contains(line, GS_STR("\xc2\xa9")) &&
		    !gs_str_contains(line, GS_STR("19")) &&
		    !gs_str_contains(line, GS_STR("20")))
			continue;
		GS_CLEANUP(gs_buf_release) struct gs_buf clean = {0};
		without_email(&clean, line);
		gs_strv_push(ret, gs_buf_cstr(&clean));
	}
}

static int write_text(struct licence_text *text, struct gs_store *store,
    const char *folder, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};
	int rc = gs_store_text(store, text->sha256, &bytes, err);
	if (rc)
		return gs_wrap(err, "licence text %s", text->sha256);
	char seen[GS_SHA256_HEX];
	gs_sha256_hex(gs_buf_str(&bytes), seen);
	if (strcmp(seen, text->sha256) != 0)
		return gs_fail(err, GS_E_CORRUPT,
		    "the licence text %s in the store has the hash %s",
		    text->sha256, seen);
	text->name = gs_format("%.*s-%s", PREFIX, text->sha256, text->base);
	find_holders(gs_buf_str(&bytes), &text->holders);
	GS_CLEANUP(gs_freep) char *path = gs_path_join(folder, text->name);
	return gs_file_write(path, gs_buf_str(&bytes), 0644, err);
}

static int by_key(const void *a, const void *b)
{
	const struct licence_row *x = a, *y = b;
	int order = strcmp(x->repo, y->repo);
	if (order == 0)
		order = strcmp(x->commit, y->commit);
	return order ? order : strcmp(x->path, y->path);
}

static void add_index(const struct licences *licences, struct gs_buf *out)
{
	gs_buf_addz(out, "repo,commit,license_file,sha256,file\n");
	for (size_t i = 0; i < licences->rows.n; i++) {
		const struct licence_row *row = &licences->rows.v[i];
		gs_csv_add(out, gs_str(row->repo));
		gs_buf_addf(out, ",%s,", row->commit);
		gs_csv_add(out, gs_str(row->path));
		gs_buf_addf(out, ",%s,licenses/%s\n", row->text->sha256,
		    row->text->name);
	}
}

int licences_write(struct licences *licences, struct gs_store *store,
    const char *folder, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *inside = gs_path_join(folder, "licenses");
	int rc = gs_dir_make(inside, 0755, err);
	for (size_t i = 0; rc == 0 && i < licences->texts.n; i++)
		rc = write_text(
		    licences->texts.entries[i].value, store, inside, err);
	if (rc)
		return rc;
	GS_VEC_SORT(&licences->rows, by_key);
	GS_CLEANUP(gs_buf_release) struct gs_buf index = {0};
	add_index(licences, &index);
	GS_CLEANUP(gs_freep) char *path = gs_path_join(inside, "index.csv");
	return gs_file_write(path, gs_buf_str(&index), 0644, err);
}

void licences_release(struct licences *licences)
{
	for (size_t i = 0; i < licences->rows.n; i++) {
		free(licences->rows.v[i].repo);
		free(licences->rows.v[i].commit);
		free(licences->rows.v[i].path);
	}
	GS_VEC_FREE(&licences->rows);
	for (size_t i = 0; i < licences->texts.n; i++) {
		struct licence_text *text = licences->texts.entries[i].value;
		free(text->name);
		free(text->base);
		gs_strv_release(&text->holders);
		free(text);
	}
	gs_map_release(&licences->texts);
	gs_map_release(&licences->keys);
}

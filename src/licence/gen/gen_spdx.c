/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes the table of licence/spdx.h: gen_spdx spdx-full.json OUT. Runs at
 * build time with the module's own normaliser, so that texts and table can
 * never differ in how they were read.
 */
#include <stdio.h>
#include <string.h>

#include "base/attr.h"
#include "base/json.h"
#include "base/vec.h"
#include "licence/normalise.h"
#include "licence/phrases.h"
#include "licence/spdx.h"

struct made {
	struct gs_spdx_entry *v;
	size_t n, cap;
	struct gs_buf hashes, counts, words;
};

/* SPDX keeps old ids; their texts stand under the new ones too. */
static bool is_deprecated(const char *id)
{
	static const char *const ids[] = {"AGPL-1.0", "AGPL-3.0",
	    "BSD-2-Clause-FreeBSD", "BSD-2-Clause-NetBSD", "GFDL-1.1",
	    "GFDL-1.2", "GFDL-1.3", "Net-SNMP", "Nunit", "StandardML-NJ",
	    "bzip2-1.0.5", "eCos-2.0", "wxWindows"};
	static const char *const stems[] = {"GPL-1.0", "GPL-2.0", "GPL-3.0",
	    "LGPL-2.0", "LGPL-2.1", "LGPL-3.0"};
	for (size_t i = 0; i < GS_COUNT(ids); i++)
		if (strcmp(ids[i], id) == 0)
			return true;
	for (size_t i = 0; i < GS_COUNT(stems); i++) {
		size_t n = strlen(stems[i]);
		if (strncmp(id, stems[i], n) == 0 &&
		    (id[n] == '\0' || id[n] == '+' ||
		        strncmp(id + n, "-with-", 6) == 0))
			return true;
	}
	return false;
}

static void put_words(struct made *made, const struct gs_words *words,
    struct gs_spdx_entry *entry)
{
	entry->words = (uint32_t)made->words.n;
	for (size_t i = 0; i < words->n; i++) {
		if (i > 0)
			gs_buf_addc(&made->words, ' ');
		gs_buf_adds(&made->words, words->v[i].s);
	}
	entry->n_words = (uint32_t)made->words.n - entry->words;
}

static bool is_twin(const struct made *made, uint64_t hash, const char *id)
{
	for (size_t i = 0; i < made->n; i++) {
		if (made->v[i].hash != hash)
			continue;
		if (made->v[i].n_words > 0)
			printf("%s reads like %s\n", id, made->v[i].id);
		return true;
	}
	return false;
}

static void add(struct made *made, const char *id, const struct gs_words *words)
{
	uint64_t hash = gs_words_hash(words);
	if (words->n < 8 || is_twin(made, hash, id))
		return;
	struct gs_bigrams bigrams = {0};
	gs_bigrams_make(&bigrams, words);
	struct gs_spdx_entry *entry = GS_VEC_ADD(made);
	(void)snprintf(entry->id, sizeof(entry->id), "%s", id);
	entry->hash = hash;
	entry->first = (uint32_t)(made->hashes.n / sizeof(uint32_t));
	entry->n = (uint32_t)bigrams.n;
	entry->total = (uint32_t)bigrams.total;
	for (size_t i = 0; i < bigrams.n; i++) {
		uint32_t count = bigrams.v[i].count;
		gs_buf_add(&made->hashes, &bigrams.v[i].hash, sizeof(uint32_t));
		gs_buf_addc(&made->counts, (char)(count < 255 ? count : 255));
	}
	if (gs_licence_family_of(gs_str(id)) != FAMILY_OTHER)
		put_words(made, words, entry);
	gs_bigrams_release(&bigrams);
}

/* Apache-2.0 is met whole, without its appendix, with the notice of the
 * appendix alone, and with that notice in front. */
static void add_apache(
    struct made *made, const char *id, const struct gs_words *words)
{
	ptrdiff_t end = gs_words_find(words, 0, "appendix how to apply");
	ptrdiff_t notice = gs_words_find(words, 0, "licensed under the apache");
	if (end < 0 || notice < end)
		return;
	struct gs_words part = {0};
	for (size_t i = 0; i < (size_t)end; i++)
		*GS_VEC_ADD(&part) = words->v[i];
	add(made, id, &part);
	for (size_t i = (size_t)notice; i < words->n; i++)
		*GS_VEC_ADD(&part) = words->v[i];
	add(made, id, &part);
	part.n = 0;
	for (size_t i = (size_t)notice; i < words->n; i++)
		*GS_VEC_ADD(&part) = words->v[i];
	for (size_t i = 0; i < (size_t)end; i++)
		*GS_VEC_ADD(&part) = words->v[i];
	add(made, id, &part);
	GS_VEC_FREE(&part);
}

static void add_text(struct made *made, const char *id, struct gs_str text)
{
	struct gs_words words = {0};
	gs_licence_normalise(text, &words);
	add(made, id, &words);
	if (strcmp(id, "Apache-2.0") == 0)
		add_apache(made, id, &words);
	gs_words_release(&words);
}

static int write_table(const struct made *made, const char *path)
{
	struct gs_spdx_head head = {GS_SPDX_MAGIC, (uint32_t)made->n,
	    (uint32_t)(made->hashes.n / sizeof(uint32_t)),
	    (uint32_t)made->words.n};
	FILE *out = fopen(path, "wb");
	if (!out) {
		perror(path);
		return 1;
	}
	fwrite(&head, sizeof(head), 1, out);
	fwrite(made->v, sizeof(*made->v), made->n, out);
	fwrite(made->hashes.p, 1, made->hashes.n, out);
	fwrite(made->counts.p, 1, made->counts.n, out);
	fwrite(made->words.p, 1, made->words.n, out);
	if (ferror(out) || fclose(out) != 0) {
		perror(path);
		return 1;
	}
	return 0;
}

static int read_file(const char *path, struct gs_buf *out)
{
	FILE *in = fopen(path, "rb");
	size_t n = 0;
	if (!in) {
		perror(path);
		return 1;
	}
	do {
		char *room = gs_buf_room(out, 1 << 16);
		n = room ? fread(room, 1, 1 << 16, in) : 0;
		gs_buf_grew(out, n);
	} while (n > 0);
	fclose(in);
	return 0;
}

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Ours first, so that a twin of theirs is told to the person who builds. */
static void add_all(struct made *made, json_t *all)
{
	struct {
		const char **v;
		size_t n, cap;
	} ids = {0};

	const char *key;
	json_t *value;
	json_object_foreach(all, key, value) if (!is_deprecated(key)) *
	    GS_VEC_ADD(&ids) = key;
	GS_VEC_SORT(&ids, compare);
	for (int ours = 1; ours >= 0; ours--)
		for (size_t i = 0; i < ids.n; i++) {
			unsigned family =
			    gs_licence_family_of(gs_str(ids.v[i]));
			if ((family != FAMILY_OTHER) == ours)
				add_text(made, ids.v[i],
				    gs_json_get_str(
				        json_object_get(all, ids.v[i]),
				        "licenseText"));
		}
	GS_VEC_FREE(&ids);
}

int main(int argc, char **argv)
{
	struct gs_buf text = {0};
	struct gs_err err = {0};
	struct made made = {0};
	if (argc != 3) {
		fprintf(stderr, "usage: gen_spdx spdx-full.json OUT\n");
		return 2;
	}
	if (read_file(argv[1], &text) != 0)
		return 1;
	json_t *all = gs_json_parse(gs_buf_str(&text), argv[1], &err);
	if (!all) {
		fprintf(stderr, "gen_spdx: %s\n", err.text);
		return 1;
	}
	add_all(&made, all);
	int rc = write_table(&made, argv[2]);
	json_decref(all);
	gs_buf_release(&text);
	gs_buf_release(&made.hashes);
	gs_buf_release(&made.counts);
	gs_buf_release(&made.words);
	GS_VEC_FREE(&made);
	return rc;
}

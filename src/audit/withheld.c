/* SPDX-License-Identifier: Apache-2.0 */
/* P4: nothing on the public side names anything of the withheld one. */
#include <string.h>

#include "audit/work.h"
#include "base/mem.h"
#include "os/file.h"

#define WORD "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"

static void add_lower(struct gs_map *words, const char *word)
{
	GS_CLEANUP(gs_freep) char *key = gs_strdup(word);
	for (char *c = key; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c + 32);
	(void)gs_map_add(words, gs_str(key), NULL);
}

static int take(void *ctx, struct gs_record *record, struct gs_err *err)
{
	(void)err;
	struct audit *audit = ctx;
	add_lower(&audit->foreign, record->repo);
	add_lower(&audit->withheld, record->repo);
	add_lower(&audit->withheld, record->id);
	add_lower(&audit->withheld, record->commit);
	add_lower(&audit->withheld, record->parent);
	add_lower(&audit->withheld, record->fingerprint);
	return 0;
}

static int take_evidence(
    void *ctx, struct gs_evidence *evidence, struct gs_err *err)
{
	(void)err;
	struct audit *audit = ctx;
	add_lower(&audit->withheld, evidence->tree_before);
	add_lower(&audit->withheld, evidence->tree_after);
	return 0;
}

int withheld_load(struct audit *audit, struct gs_err *err)
{
	const char *folder = audit->options->withheld;
	if (!folder)
		return 0;
	GS_CLEANUP(gs_freep) char *oracles = gs_path_join(folder, ORACLES);
	GS_CLEANUP(gs_freep) char *evidence = gs_path_join(folder, EVIDENCE);
	int rc = gs_table_each_record(
	    audit->table, oracles, NULL, NULL, take, audit, err);
	if (rc == 0)
		rc = gs_table_each_evidence(audit->table, evidence, NULL, NULL,
		    take_evidence, audit, err);
	return rc ? gs_wrap(err, "read the withheld side") : 0;
}

/* One finding for a word at a place. A project may be spoken of in what
 * others wrote, as anybody speaks of it; ids and commits may not. */
static void tell(
    struct audit *audit, struct place place, struct gs_str word, bool is_ours)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf key = {0};
	gs_buf_addf(&key, "withheld\n%s\n%s\n%s\n%.*s",
	    place.file ? place.file : "", place.id ? place.id : "",
	    place.column ? place.column : "", GS_STR_ARG(word));
	if (!gs_map_add(&audit->told, gs_buf_str(&key), NULL))
		return;
	bool is_talk = !is_ours && gs_map_has(&audit->foreign, word);
	found(audit, is_talk ? GS_NOTICE : GS_ERROR, "withheld", place,
	    is_talk ? "It speaks of %.*s, a project that is withheld."
	            : "It holds %.*s of the withheld side.",
	    GS_STR_ARG(word));
}

static void look(
    struct audit *audit, struct place place, struct gs_str word, bool is_ours)
{
	while (word.n > 0 && strchr("._-", word.p[word.n - 1]))
		word.n--;
	if (word.n < 3)
		return;
	if (gs_map_has(&audit->withheld, word))
		tell(audit, place, word, is_ours);
	else if (gs_str_ends(word, ".git"))
		look(audit, place, gs_str_sub(word, 0, word.n - 4), is_ours);
}

void withheld_scan(
    struct audit *audit, struct place place, struct gs_str text, bool is_ours)
{
	if (audit->withheld.n == 0)
		return;
	GS_CLEANUP(gs_buf_release) struct gs_buf lower = {0};
	gs_buf_adds(&lower, text);
	for (size_t i = 0; i < lower.n; i++)
		if (lower.p[i] >= 'A' && lower.p[i] <= 'Z')
			lower.p[i] = (char)(lower.p[i] + 32);
	struct gs_str rest = gs_buf_str(&lower), last = {0};
	while (rest.n > 0) {
		size_t n = 0;
		while (n < rest.n && rest.p[n] && strchr(WORD, rest.p[n]))
			n++;
		struct gs_str word = gs_str_sub(rest, 0, n);
		look(audit, place, word, is_ours);
		if (last.n > 0 && n > 0) /* "owner/name" */
			look(audit, place, gs_str_n(last.p, last.n + 1 + n),
			    is_ours);
		bool slash = n < rest.n && rest.p[n] == '/' && n > 0;
		last = slash ? word : (struct gs_str){0};
		rest = gs_str_from(rest, n < rest.n ? n + 1 : n);
	}
}

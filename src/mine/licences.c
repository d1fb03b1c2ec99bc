/* SPDX-License-Identifier: Apache-2.0 */
#include "mine/licences.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/limits.h"
#include "base/map.h"
#include "base/mem.h"
#include "licence/licence.h"
#include "mine/ahead.h"
#include "model/paths.h"

/* Folders that are remembered; then all are forgotten. */
#define MAX_LEVELS 65536

/* What was decided for one set of licence and metadata blobs. */
struct decision {
	struct gs_licence_verdict verdict;
	char *file;  /* license_file, NULL when refused */
	char *texts; /* JSON: path → sha256 */
};

struct gs_licences {
	struct gs_store *store;
	struct gs_objects *objects;
	const struct gs_strv *accepted;
	struct gs_tree_cache *trees;
	struct gs_map decisions; /* by paths and blob ids → struct decision */
	/* Commits between which no licence file and no metadata changed have
	 * a number in common, and a folder of theirs is looked into once. */
	size_t last_number;
	struct gs_ahead *ahead; /* to a number */
	struct gs_map levels;   /* number and folder → struct evidence */
};

/* The entries of one folder; or those that decide: licence files of the
 * nearest folder that has any, and the package metadata of that folder and of
 * the root. */
struct evidence {
	struct gs_listing licences, metadata;
	bool has_link; /* a change of its target is none of the link */
};

static void evidence_release(struct evidence *evidence)
{
	gs_listing_release(&evidence->licences);
	gs_listing_release(&evidence->metadata);
}

/* Where one looks. */
struct place {
	const struct gs_oid *commit;
	size_t number;
};

static void decision_free(struct decision *decision)
{
	free(decision->file);
	free(decision->texts);
	free(decision);
}

static void forget_levels(struct gs_licences *licences)
{
	for (size_t i = 0; i < licences->levels.n; i++) {
		struct evidence *level = licences->levels.entries[i].value;
		evidence_release(level);
		free(level);
	}
	gs_map_release(&licences->levels);
}

struct gs_licences *gs_licences_new(struct gs_store *store,
    struct gs_objects *objects, struct gs_tree_cache *trees,
    const struct gs_strv *accepted)
{
	struct gs_licences *licences = gs_alloc(sizeof(*licences));
	licences->store = store;
	licences->objects = objects;
	licences->accepted = accepted;
	licences->trees = trees;
	licences->ahead = gs_ahead_new();
	return licences;
}

void gs_licences_free(struct gs_licences *licences)
{
	if (!licences)
		return;
	for (size_t i = 0; i < licences->decisions.n; i++)
		decision_free(licences->decisions.entries[i].value);
	gs_map_release(&licences->decisions);
	forget_levels(licences);
	gs_ahead_free(licences->ahead);
	free(licences);
}

static struct gs_str last_part(struct gs_str path)
{
	ptrdiff_t slash = gs_str_rfind_char(path, '/');
	return slash < 0 ? path : gs_str_from(path, (size_t)slash + 1);
}

static bool is_metadata(struct gs_str name)
{
	return gs_str_is(name, "pyproject.toml") ||
	       gs_str_is(name, "setup.cfg") || gs_str_is(name, "setup.py") ||
	       gs_str_is(name, "PKG-INFO");
}

static struct gs_str folder_of(struct gs_str path)
{
	ptrdiff_t slash = gs_str_rfind_char(path, '/');
	return gs_str_sub(path, 0, slash < 0 ? 0 : (size_t)slash);
}

/* L1: a link is its target, found in that tree by names alone; a chain, a
 * link that leaves the tree, or one to nothing is no licence. */
static int resolve_link(struct gs_licences *licences, const struct gs_oid *tree,
    const struct gs_entry *link, struct gs_listing *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf target = {0};
	int rc = gs_objects_read(
	    licences->objects, link->id.hex, GS_KIB, &target, err);
	if (rc)
		return rc == GS_E_LIMIT ? 0 : rc;
	GS_CLEANUP(gs_strv_release) struct gs_strv parts = {0};
	struct gs_str from = folder_of(link->path), part;
	while (from.n && gs_str_cut(&from, '/', &part))
		gs_strv_push_str(&parts, part);
	struct gs_str rest = gs_buf_str(&target);
	if (gs_str_starts(rest, "/"))
		return 0;
	while (rest.n && gs_str_cut(&rest, '/', &part)) {
		if (part.n == 0 || gs_str_is(part, "."))
			continue;
		if (!gs_str_is(part, "..")) {
			gs_strv_push_str(&parts, part);
			continue;
		}
		if (parts.n == 0)
			return 0;
		gs_strv_pop(&parts);
	}
	GS_CLEANUP(gs_freep) char *joined = gs_strv_join(&parts, "/");
	struct gs_str path = gs_str(joined);
	GS_CLEANUP(gs_listing_release) struct gs_listing folder = {0};
	rc = gs_listing_folder(
	    licences->trees, tree, folder_of(path), &folder, err);
	if (rc)
		return rc == GS_E_NOT_FOUND ? 0 : rc;
	for (size_t i = 0; i < folder.n; i++)
		if (gs_entry_is_file(&folder.v[i]) &&
		    gs_str_eq(folder.v[i].path, path))
			gs_listing_put(ret, &folder.v[i]);
	return 0;
}

static int take_licence_entry(struct gs_licences *licences,
    const struct gs_oid *tree, const struct gs_entry *entry,
    struct evidence *ret, struct gs_err *err)
{
	if (gs_entry_is_file(entry))
		gs_listing_put(&ret->licences, entry);
	if (entry->mode != GS_MODE_LINK)
		return 0;
	ret->has_link = true;
	return resolve_link(licences, tree, entry, &ret->licences, err);
}

/* Adds what one folder contributes. */
static int look_into_folder(struct gs_licences *licences,
    const struct gs_oid *tree, struct gs_str path, struct evidence *ret,
    struct gs_err *err)
{
	GS_CLEANUP(gs_listing_release) struct gs_listing folder = {0};
	int rc = gs_listing_folder(licences->trees, tree, path, &folder, err);
	if (rc == GS_E_NOT_FOUND)
		return 0;
	for (size_t i = 0; rc == 0 && i < folder.n; i++) {
		const struct gs_entry *entry = &folder.v[i];
		struct gs_str name = last_part(entry->path);
		if (is_metadata(name) && gs_entry_is_file(entry))
			gs_listing_put(&ret->metadata, entry);
		if (gs_licence_is_file_name(name))
			rc =
			    take_licence_entry(licences, tree, entry, ret, err);
		if (rc || entry->mode != 040000 ||
		    !gs_licence_is_folder_name(name))
			continue;
		GS_CLEANUP(gs_listing_release) struct gs_listing texts = {0};
		rc = gs_listing_folder(
		    licences->trees, tree, entry->path, &texts, err);
		for (size_t k = 0; rc == 0 && k < texts.n; k++)
			rc = take_licence_entry(
			    licences, tree, &texts.v[k], ret, err);
	}
	return rc;
}

/* The folder, looked into once for all commits of that number; once for each
 * commit where a link makes it depend on more than names. Borrowed until the
 * next commit. */
static int level_at(struct gs_licences *licences, const struct place *place,
    struct gs_str folder, const struct evidence **ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf here = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf alike = {0};
	gs_buf_addf(&here, "%s ", place->commit->hex);
	gs_buf_adds(&here, folder);
	gs_buf_addf(&alike, "%zu ", place->number);
	gs_buf_adds(&alike, folder);
	*ret = gs_map_get(&licences->levels, gs_buf_str(&alike));
	if (!*ret)
		*ret = gs_map_get(&licences->levels, gs_buf_str(&here));
	if (*ret)
		return 0;
	struct evidence *level = gs_alloc(sizeof(*level));
	int rc = look_into_folder(licences, place->commit, folder, level, err);
	if (rc) {
		evidence_release(level);
		free(level);
		return rc;
	}
	*gs_map_at(&licences->levels,
	    gs_buf_str(level->has_link ? &here : &alike)) = level;
	*ret = level;
	return 0;
}

static void put_all(struct gs_listing *ret, const struct gs_listing *listing)
{
	for (size_t i = 0; i < listing->n; i++)
		gs_listing_put(ret, &listing->v[i]);
}

/* L1: the nearest folder going up that holds licence files. */
static int gather(struct gs_licences *licences, const struct place *place,
    struct gs_str source, struct evidence *ret, struct gs_err *err)
{
	const struct evidence *level = NULL;
	struct gs_str folder = folder_of(source);
	for (;;) {
		int rc = level_at(licences, place, folder, &level, err);
		if (rc)
			return rc;
		if (level->licences.n > 0 || folder.n == 0)
			break;
		folder = folder_of(folder);
	}
	put_all(&ret->licences, &level->licences);
	put_all(&ret->metadata, &level->metadata);
	if (folder.n == 0)
		return 0;
	int rc = level_at(licences, place, GS_STR(""), &level, err);
	if (rc == 0)
		put_all(&ret->metadata, &level->metadata);
	return rc;
}

static void add_key(struct gs_buf *key, const struct gs_listing *listing)
{
	for (size_t i = 0; i < listing->n; i++) {
		gs_buf_adds(key, listing->v[i].path);
		gs_buf_addf(key, "%c%s\n", 0, listing->v[i].id.hex);
	}
	gs_buf_addc(key, '\n');
}

/* Texts of one listing, read. */
struct texts {
	struct gs_licence_file files[GS_MAX_LICENCE_FILES];
	struct gs_buf bytes[GS_MAX_LICENCE_FILES];
	size_t n;
};

static void texts_release(struct texts *texts)
{
	for (size_t i = 0; i < texts->n; i++)
		gs_buf_release(&texts->bytes[i]);
}

/* Empty files do not count (L1); one that is too long to be a licence stays,
 * cut, so that it is refused rather than overlooked. */
static int read_texts(struct gs_licences *licences,
    const struct gs_listing *listing, struct texts *ret, struct gs_err *err)
{
	for (size_t i = 0; i < listing->n && ret->n < GS_MAX_LICENCE_FILES;
	     i++) {
		struct gs_buf *bytes = &ret->bytes[ret->n];
		int rc = gs_objects_read(licences->objects,
		    listing->v[i].id.hex, GS_MAX_LICENCE_FILE, bytes, err);
		if (rc == GS_E_LIMIT)
			gs_buf_addz(bytes, "(a text too long for a licence)");
		else if (rc)
			return rc;
		if (bytes->n == 0)
			continue;
		ret->files[ret->n++] = (struct gs_licence_file){
		    .path = listing->v[i].path,
		    .bytes = gs_buf_str(bytes),
		};
	}
	return 0;
}

static int keep_texts(struct gs_licences *licences, const struct texts *texts,
    struct decision *decision, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
	struct gs_json json = {.out = &out};
	gs_json_begin_object(&json);
	for (size_t i = 0; i < texts->n; i++) {
		char sha256[GS_SHA256_HEX];
		gs_sha256_hex(texts->files[i].bytes, sha256);
		int rc = gs_store_put_text(
		    licences->store, sha256, texts->files[i].bytes, err);
		if (rc)
			return rc;
		GS_CLEANUP(gs_freep)
		char *path =
		    gs_strndup(texts->files[i].path.p, texts->files[i].path.n);
		gs_json_put_cstr(&json, path, sha256);
	}
	gs_json_end_object(&json);
	decision->texts = gs_buf_steal(&out);
	return 0;
}

static int decide(struct gs_licences *licences, const struct evidence *evidence,
    struct decision *ret, struct gs_err *err)
{
	struct texts *texts = gs_alloc(2 * sizeof(*texts));
	struct texts *metadata = &texts[1];
	int rc = read_texts(licences, &evidence->licences, texts, err);
	if (rc == 0)
		rc = read_texts(licences, &evidence->metadata, metadata, err);
	if (rc == 0) {
		struct gs_licence_question question = {
		    .files = texts->files,
		    .n_files = texts->n,
		    .metadata = metadata->files,
		    .n_metadata = metadata->n,
		    .accepted = licences->accepted,
		};
		gs_licence_decide(&question, &ret->verdict);
		if (ret->verdict.accepted) {
			struct gs_str path =
			    texts->files[ret->verdict.first].path;
			ret->file = gs_strndup(path.p, path.n);
			rc = keep_texts(licences, texts, ret, err);
		}
	}
	texts_release(texts);
	texts_release(metadata);
	free(texts);
	return rc;
}

/* Does a change of this path change what decides about some folder? */
static bool is_evidence(struct gs_str path)
{
	struct gs_str rest = path, part;

	if (is_metadata(last_part(path)) ||
	    gs_licence_is_file_name(last_part(path)))
		return true;
	while (gs_str_cut(&rest, '/', &part))
		if (gs_licence_is_folder_name(part))
			return true;
	return false;
}

/* Has its parent the same number? */
static bool is_like_parent(const struct gs_commit *commit)
{
	if (!gs_ahead_is_told(commit))
		return false;
	for (size_t i = 0; i < commit->n_changes; i++)
		if (is_evidence(commit->changes[i].path))
			return false;
	return true;
}

static size_t number_of(
    const struct gs_licences *licences, const struct gs_oid *id)
{
	return (size_t)(uintptr_t)gs_ahead_get(licences->ahead, id);
}

static void set_number(
    struct gs_licences *licences, const struct gs_oid *id, size_t number)
{
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): never followed */
	gs_ahead_put(licences->ahead, id, (void *)(uintptr_t)number);
}

/* A new number where neither a child nor another child of its parent has
 * told one. */
static size_t choose_number(
    struct gs_licences *licences, const struct gs_commit *commit)
{
	size_t number = number_of(licences, &commit->id);

	if (!number && is_like_parent(commit))
		number = number_of(licences, &commit->parent);
	if (!number)
		number = ++licences->last_number;
	set_number(licences, &commit->id, number);
	return number;
}

void gs_licences_follow(
    struct gs_licences *licences, const struct gs_commit *commit)
{
	size_t number = number_of(licences, &commit->id);

	if (number && is_like_parent(commit))
		set_number(licences, &commit->parent, number);
}

/* One that failed is not kept: it is no decision. */
static int decision_of(struct gs_licences *licences,
    const struct evidence *evidence, const struct decision **ret,
    struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf key = {0};
	add_key(&key, &evidence->licences);
	add_key(&key, &evidence->metadata);
	*ret = gs_map_get(&licences->decisions, gs_buf_str(&key));
	if (*ret)
		return 0;
	struct decision *fresh = gs_alloc(sizeof(*fresh));
	int rc = decide(licences, evidence, fresh, err);
	if (rc) {
		decision_free(fresh);
		return rc;
	}
	*gs_map_at(&licences->decisions, gs_buf_str(&key)) = fresh;
	*ret = fresh;
	return 0;
}

static int decision_for(struct gs_licences *licences, const struct place *place,
    struct gs_str source, const struct decision **ret, struct gs_err *err)
{
	struct evidence evidence = {0};
	int rc = gather(licences, place, source, &evidence, err);
	if (rc == 0)
		rc = decision_of(licences, &evidence, ret, err);
	evidence_release(&evidence);
	return rc;
}

int gs_licences_decide(struct gs_licences *licences,
    const struct gs_commit *commit, const struct gs_strv *patterns,
    struct gs_commit_row *row, struct gs_err *err)
{
	int rc = 0;
	const struct decision *first = NULL;
	const struct place place = {
	    &commit->id, choose_number(licences, commit)};
	if (licences->levels.n >= MAX_LEVELS)
		forget_levels(licences);
	for (size_t i = 0; rc == 0 && i < commit->n_changes; i++) {
		const struct gs_change *change = &commit->changes[i];
		if (change->status == 'D' ||
		    gs_path_classify(change->path, patterns) != GS_PATH_SOURCE)
			continue;
		const struct decision *decision = NULL;
		rc = decision_for(
		    licences, &place, change->path, &decision, err);
		if (rc)
			break;
		if (!first)
			first = decision;
		if (!decision->verdict.accepted) {
			row->reason = decision->verdict.reason;
			row->detail = decision->verdict.detail;
			return 0;
		}
		if (decision != first) {
			row->reason = "ambiguous licence";
			row->detail = "The changed source files stand under "
			              "licence files of different folders.";
			return 0;
		}
	}
	if (rc || !first)
		return rc;
	row->licence = first->verdict.expression;
	row->licence_file = first->file;
	row->licence_texts = first->texts;
	return 0;
}

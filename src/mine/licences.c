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
#include "model/paths.h"

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
};

struct gs_licences *gs_licences_new(struct gs_store *store,
    struct gs_objects *objects, struct gs_tree_cache *trees,
    const struct gs_strv *accepted)
{
	struct gs_licences *licences = gs_alloc(sizeof(*licences));
	licences->store = store;
	licences->objects = objects;
	licences->accepted = accepted;
	licences->trees = trees;
	return licences;
}

void gs_licences_free(struct gs_licences *licences)
{
	if (!licences)
		return;
	for (size_t i = 0; i < licences->decisions.n; i++) {
		struct decision *d = licences->decisions.entries[i].value;
		free(d->file);
		free(d->texts);
		free(d);
	}
	gs_map_release(&licences->decisions);
	free(licences);
}

/* The entries that decide: licence files of the nearest folder that has any,
 * and the package metadata of that folder and of the root. */
struct evidence {
	struct gs_listing licences, metadata;
};

static void evidence_release(struct evidence *evidence)
{
	gs_listing_release(&evidence->licences);
	gs_listing_release(&evidence->metadata);
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
    struct gs_listing *ret, struct gs_err *err)
{
	if (gs_entry_is_file(entry))
		gs_listing_put(ret, entry);
	else if (entry->mode == GS_MODE_LINK)
		return resolve_link(licences, tree, entry, ret, err);
	return 0;
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
			rc = take_licence_entry(
			    licences, tree, entry, &ret->licences, err);
		if (rc || entry->mode != 040000 ||
		    !gs_licence_is_folder_name(name))
			continue;
		GS_CLEANUP(gs_listing_release) struct gs_listing texts = {0};
		rc = gs_listing_folder(
		    licences->trees, tree, entry->path, &texts, err);
		for (size_t k = 0; rc == 0 && k < texts.n; k++)
			rc = take_licence_entry(
			    licences, tree, &texts.v[k], &ret->licences, err);
	}
	return rc;
}

/* L1: the nearest folder going up that holds licence files. */
static int gather(struct gs_licences *licences, const struct gs_oid *tree,
    struct gs_str source, struct evidence *ret, struct gs_err *err)
{
	struct gs_str folder = folder_of(source);
	for (;;) {
		gs_listing_release(&ret->metadata);
		int rc = look_into_folder(licences, tree, folder, ret, err);
		if (rc)
			return rc;
		if (ret->licences.n > 0 || folder.n == 0)
			break;
		folder = folder_of(folder);
	}
	if (folder.n == 0)
		return 0;
	struct evidence root = {0};
	int rc = look_into_folder(licences, tree, GS_STR(""), &root, err);
	for (size_t i = 0; rc == 0 && i < root.metadata.n; i++)
		gs_listing_put(&ret->metadata, &root.metadata.v[i]);
	evidence_release(&root);
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

static int decision_for(struct gs_licences *licences, const struct gs_oid *tree,
    struct gs_str source, const struct decision **ret, struct gs_err *err)
{
	struct evidence evidence = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf key = {0};
	int rc = gather(licences, tree, source, &evidence, err);
	if (rc == 0) {
		add_key(&key, &evidence.licences);
		add_key(&key, &evidence.metadata);
		void **at = gs_map_at(&licences->decisions, gs_buf_str(&key));
		if (!*at) {
			struct decision *fresh = gs_alloc(sizeof(*fresh));
			*at = fresh;
			rc = decide(licences, &evidence, fresh, err);
		}
		*ret = *at;
	}
	evidence_release(&evidence);
	return rc;
}

int gs_licences_decide(struct gs_licences *licences,
    const struct gs_commit *commit, const struct gs_strv *patterns,
    struct gs_commit_row *row, struct gs_err *err)
{
	int rc = 0;
	const struct decision *first = NULL;
	for (size_t i = 0; rc == 0 && i < commit->n_changes; i++) {
		const struct gs_change *change = &commit->changes[i];
		if (change->status == 'D' ||
		    gs_path_classify(change->path, patterns) != GS_PATH_SOURCE)
			continue;
		const struct decision *decision = NULL;
		rc = decision_for(
		    licences, &commit->id, change->path, &decision, err);
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

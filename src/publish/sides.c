/* SPDX-License-Identifier: Apache-2.0 */
#include "publish/sides.h"

#include <stdlib.h>

#include "base/map.h"
#include "base/mem.h"
#include "model/commitment.h"
#include "model/split.h"
#include "store/query.h"

struct split {
	struct gs_strv names;
	struct gs_map by_name; /* → into projects */
	struct gs_split_project *projects;
};

static void release_split(struct split *split)
{
	for (size_t i = 0; split->projects && i < split->names.n; i++)
		gs_split_project_release(&split->projects[i]);
	free(split->projects);
	gs_map_release(&split->by_name);
	gs_strv_release(&split->names);
}

static int take_fingerprint(
    void *ctx, const char *repo, const char *fingerprint, struct gs_err *err)
{
	struct split *split = ctx;
	struct gs_split_project *project =
	    gs_map_get(&split->by_name, gs_str(repo));
	if (!project)
		return gs_fail(err, GS_E_CORRUPT,
		    "a record is of %s, which is no project", repo);
	gs_strv_push(&project->fingerprints, fingerprint);
	return 0;
}

/* A project with records has been mined and so has a root; without one it
 * would fall to the public side unseen. */
static int check_roots(const struct split *split, struct gs_err *err)
{
	for (size_t i = 0; i < split->names.n; i++)
		if (split->projects[i].roots.n == 0 &&
		    split->projects[i].fingerprints.n > 0)
			return gs_fail(err, GS_E_CORRUPT,
			    "%s has records and no root commit is known of "
			    "it: mine it again before anything is withheld",
			    split->names.v[i]);
	return 0;
}

static int read_split(
    struct gs_store *store, struct split *split, struct gs_err *err)
{
	int rc = gs_store_project_names(store, &split->names, err);
	if (rc)
		return rc;
	size_t n = split->names.n;
	split->projects = gs_alloc((n ? n : 1) * sizeof(*split->projects));
	for (size_t i = 0; rc == 0 && i < n; i++) {
		struct gs_project project = {0};
		(void)gs_map_add(&split->by_name, gs_str(split->names.v[i]),
		    &split->projects[i]);
		rc = gs_store_project(store, split->names.v[i], &project, err);
		if (rc == 0)
			gs_strv_copy(&split->projects[i].roots, &project.roots);
		gs_project_release(&project);
	}
	if (rc == 0)
		rc = gs_store_each_fingerprint(
		    store, take_fingerprint, split, err);
	return rc ? rc : check_roots(split, err);
}

int sides_read(struct gs_store *store, const struct gs_hold_out *hold_out,
    struct sides *ret, struct gs_err *err)
{
	GS_CLEANUP(release_split) struct split split = {0};
	if (hold_out->key.n < GS_SPLIT_KEY_MIN)
		return gs_fail(err, GS_E_USAGE,
		    "the key has %zu bytes and needs at least %d",
		    hold_out->key.n, GS_SPLIT_KEY_MIN);
	int rc = read_split(store, &split, err);
	if (rc)
		return rc;
	gs_split(
	    split.projects, split.names.n, hold_out->key, hold_out->fraction);
	for (size_t i = 0; i < split.names.n; i++)
		gs_strv_push(split.projects[i].is_withheld ? &ret->withheld
		                                           : &ret->public,
		    split.names.v[i]);
	return 0;
}

void sides_release(struct sides *sides)
{
	gs_strv_release(&sides->public);
	gs_strv_release(&sides->withheld);
}

static void write_reveal(const struct gs_leaf *leaves, size_t n,
    const char *root, struct gs_buf *out)
{
	struct gs_json json = {.out = out, .pretty = true};
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "form", GS_REVEAL_FORM);
	gs_json_put_cstr(&json, "root", root);
	gs_json_key(&json, "leaves");
	gs_json_begin_array(&json);
	for (size_t i = 0; i < n; i++) {
		char salt[GS_SHA256_HEX];
		gs_hex(leaves[i].salt, GS_SHA256_SIZE, salt);
		gs_json_begin_object(&json);
		gs_json_put_str(&json, "id", leaves[i].id);
		gs_json_put_cstr(&json, "salt", salt);
		gs_json_end_object(&json);
	}
	gs_json_end_array(&json);
	gs_json_end_object(&json);
	gs_buf_addc(out, '\n');
}

void sides_commit(struct gs_str key, const struct gs_strv *ids,
    struct gs_buf *ret_commitment, struct gs_buf *ret_reveal)
{
	size_t n = ids->n + 1; /* and the leaf of no id */
	struct gs_leaf *leaves = gs_alloc(n * sizeof(*leaves));
	char root[GS_SHA256_HEX];
	for (size_t i = 0; i < n; i++) {
		leaves[i].id = gs_str(i ? ids->v[i - 1] : "");
		gs_leaf_salt(key, leaves[i].id, leaves[i].salt);
	}
	gs_commitment_root(leaves, n, root);
	gs_buf_addf(ret_commitment, GS_COMMITMENT_FORM " %s\n", root);
	write_reveal(leaves, n, root, ret_reveal);
	free(leaves);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mining: the commits of a mirror into the store, each either refused for a
 * reason that names, modes, dates and licences decide (W1 to W6, L1 to L5),
 * or pending. No source text is opened here, so that listing a history costs
 * little more than git's own log; texts are validate/'s business.
 */
#ifndef MINE_MINE_H
#define MINE_MINE_H

#include <stdint.h>

#include "base/err.h"
#include "base/strv.h"
#include "store/store.h"

struct gs_mine_options {
	const char *workspace;          /* mirrors/ is in it */
	bool first_parent;              /* W2: --walk first-parent */
	const struct gs_strv *licences; /* accepted ids; NULL: L2's default */
	/* Called every thousand commits with the count so far; may be NULL. */
	void (*tick)(void *ctx, const char *project, int64_t commits);
	void *ctx;
};

struct gs_mine_result {
	int64_t commits;    /* new in the store, or judged anew */
	int64_t candidates; /* of these, pending */
	int64_t unreadable; /* of these, such that git gives up over them */
};

/* Where a project comes from. */
struct gs_mine_source {
	const char *source;   /* an https URL or a folder */
	const char *as;       /* overrides the name (W1), or NULL */
	const char *repo_url; /* the public origin when `source` is a copy of
	                       * it, or NULL: what the source itself says */
};

/* Registers a source as a project, with its mirror, or refreshes the mirror
 * of the project that has this source. The caller releases *ret. */
GS_MUST_CHECK int gs_mine_add(struct gs_store *store, const char *workspace,
    const struct gs_mine_source *source, struct gs_project *ret,
    struct gs_err *err);

/* What gs_mine_add would call a source, without adding it; the source itself
 * where that cannot be found out. The caller frees. */
GS_MUST_CHECK int gs_mine_name(struct gs_store *store,
    const struct gs_mine_source *source, char **ret, struct gs_err *err);

/* Walks what is new since the last call. One transaction: a project is mined
 * as far as its tips or not at all. */
GS_MUST_CHECK int gs_mine_project(struct gs_store *store,
    const struct gs_project *project, const struct gs_mine_options *options,
    struct gs_mine_result *ret, struct gs_err *err);

/* Only these commits (whole ids) of a project, whatever was mined before and
 * without a word about the rest. */
GS_MUST_CHECK int gs_mine_commits(struct gs_store *store,
    const struct gs_project *project, const struct gs_mine_options *options,
    const struct gs_strv *ids, struct gs_mine_result *ret, struct gs_err *err);

/* I4: the units and files at the walked tips of a project, by hash, so that
 * publishing can say where the same text also ships. Blobs that were read
 * before are passed over, and without new tips no mirror is needed. */
GS_MUST_CHECK int gs_mine_survey(struct gs_store *store, const char *workspace,
    const struct gs_project *project, struct gs_err *err);

#endif

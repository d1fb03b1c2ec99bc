/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The truth about work in progress: one SQLite file, one transaction for
 * each finished piece (docs/state.md). Facts are only added.
 *
 * A commit is, once mined, in exactly one state:
 *
 *	walked ──► refused (reason)
 *	      └──► pending ──► claimed ──► record
 *	                ▲          │  └──► refused (reason)
 *	                └──────────┘ the process died, or infra
 *
 * One process writes at a time (a lock on the workspace); readers never
 * wait. A claim is worth nothing once its process is gone: opening for
 * writing takes all claims back.
 */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include <stdint.h>

#include "base/err.h"
#include "base/json.h"
#include "base/strv.h"
#include "model/change.h"
#include "model/verdict.h"

struct gs_store;

enum gs_store_mode {
	GS_STORE_READ,
	GS_STORE_WRITE, /* creates it where it is not; takes the lock */
};

/* `workspace` is a folder; the file is state.db in it. GS_E_BUSY names the
 * process that holds the lock; GS_E_NOT_FOUND for reading a workspace that is
 * none; GS_E_ENVIRONMENT for one that a newer goldset wrote. */
GS_MUST_CHECK int gs_store_open(const char *workspace, enum gs_store_mode mode,
    struct gs_store **ret, struct gs_err *err);
void gs_store_close(struct gs_store *store);

/* Nests not. Without a commit, a close or a death undoes all since begin; so
 * does an error, and then only a rollback helps (S6). */
GS_MUST_CHECK int gs_store_begin(struct gs_store *store, struct gs_err *err);
GS_MUST_CHECK int gs_store_commit(struct gs_store *store, struct gs_err *err);
void gs_store_rollback(struct gs_store *store);

/* Projects. */
struct gs_project {
	int64_t id;
	char *name, *repo_url, *source, *mirror; /* mirror: folder's name */
	char *excluded_reason, *excluded_at;     /* NULL: in */
	struct gs_strv mined_tips; /* whose history is in the store */
	struct gs_strv roots;
	bool first_parent; /* the last walk admitted merges (W2) */
};

void gs_project_release(struct gs_project *project);
/* GS_E_EXISTS when the name is taken by another source. */
GS_MUST_CHECK int gs_store_add_project(
    struct gs_store *store, struct gs_project *project, struct gs_err *err);
GS_MUST_CHECK int gs_store_project(struct gs_store *store, const char *name,
    struct gs_project *ret, struct gs_err *err);
/* Names of all projects, sorted. */
GS_MUST_CHECK int gs_store_project_names(
    struct gs_store *store, struct gs_strv *ret, struct gs_err *err);

/* What a walk has seen. Where it did not admit merges (W2), those that an
 * earlier one admitted count as refused, until one admits them again. */
struct gs_mined {
	const struct gs_strv *tips, *roots;
	bool first_parent;
};

GS_MUST_CHECK int gs_store_set_mined(struct gs_store *store, int64_t project,
    const struct gs_mined *mined, struct gs_err *err);
/* The repository moved. */
GS_MUST_CHECK int gs_store_set_source(struct gs_store *store, int64_t project,
    const char *source, const char *repo_url, struct gs_err *err);
/* Holds it commits of which something was missing or could not be read? */
GS_MUST_CHECK int gs_store_is_incomplete(
    struct gs_store *store, int64_t project, bool *ret, struct gs_err *err);
GS_MUST_CHECK int gs_store_exclude(struct gs_store *store, int64_t project,
    const char *reason, const char *at, struct gs_err *err);

/* A commit as mining saw it. Putting one that is there changes nothing, but
 * for one that was refused as a merge, or for what was missing of it or could
 * not be read: that is judged again (S1). */
struct gs_commit_row {
	int64_t project;
	struct gs_oid id, parent;
	unsigned n_parents;
	int64_t committed_at; /* 0 with has_date false */
	bool has_date;
	const char *reason; /* refused for it; NULL: pending */
	const char *detail;
	/* For candidates, decided when mined (L1 to L5): */
	const char *licence, *licence_file;
	const char *licence_texts; /* JSON object: path → sha256 */
};

/* ret_new (may be NULL): it was not there, or is judged otherwise now. */
GS_MUST_CHECK int gs_store_put_commit(struct gs_store *store,
    const struct gs_commit_row *row, bool *ret_new, struct gs_err *err);
/* Licence texts by their SHA-256; putting one again changes nothing. */
GS_MUST_CHECK int gs_store_put_text(struct gs_store *store, const char *sha256,
    struct gs_str bytes, struct gs_err *err);
GS_MUST_CHECK int gs_store_text(struct gs_store *store, const char *sha256,
    struct gs_buf *ret, struct gs_err *err);

/* Work for validation, newest first within a project, projects in turn. */
struct gs_work {
	int64_t row; /* the candidate */
	int64_t project;
	char *project_name, *repo_url, *mirror;
	struct gs_oid id, parent;
	unsigned n_parents;
	int64_t committed_at;
	char *licence, *licence_file, *licence_texts;
};

void gs_work_release(struct gs_work *work);

struct gs_work_filter {
	const struct gs_strv *projects; /* names; NULL: all */
	int64_t since, until;           /* committed_at, both in; 0: open */
	/* Only the newest N candidates of a project, inside since and until,
	 * count at all, those finished before too; 0: all. */
	int64_t limit;
	bool retry_environment; /* also those that an earlier process refused
	                         * as unsatisfied */
};

/* 1 claimed, 0 nothing left, negative error. */
GS_MUST_CHECK int gs_store_claim(struct gs_store *store,
    const struct gs_work_filter *filter, struct gs_work *ret,
    struct gs_err *err);
/* How many a filter would still give. */
GS_MUST_CHECK int gs_store_count_pending(struct gs_store *store,
    const struct gs_work_filter *filter, int64_t *ret, struct gs_err *err);
/* One transaction: state, reason, record, evidence, runs. An infra verdict
 * gives the claim back, for the next process (S5), and keeps the reason for
 * `explain`. */
GS_MUST_CHECK int gs_store_finish(struct gs_store *store, int64_t row,
    const struct gs_verdict *verdict, struct gs_err *err);
GS_MUST_CHECK int gs_store_unclaim(
    struct gs_store *store, int64_t row, struct gs_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What the store is asked by people and by publishing: the funnel, the story
 * of a commit, and the records. */
#ifndef STORE_QUERY_H
#define STORE_QUERY_H

#include "store/store.h"

/* 1 found, 0 no project has this source, negative error. */
GS_MUST_CHECK int gs_store_find_source(struct gs_store *store,
    const char *source, struct gs_project *ret, struct gs_err *err);

struct gs_count {
	char *name;
	int64_t n;
};

struct gs_counts {
	struct gs_count *v; /* largest first, ties by name */
	size_t n, cap;
};

void gs_counts_release(struct gs_counts *counts);

/* Every commit walked is in exactly one of records, pending, duplicates and
 * reasons (cli.md); records are those a release of all kinds would hold. */
struct gs_funnel {
	int64_t projects, commits, candidates, pending, records, duplicates;
	struct gs_counts reasons;
	struct gs_counts by_granularity, by_change_kind;
	struct gs_counts lacking; /* missing module → candidates */
};

/* `project` NULL: all. Under a second at a million commits. */
GS_MUST_CHECK int gs_store_funnel(struct gs_store *store, const char *project,
    struct gs_funnel *ret, struct gs_err *err);
void gs_funnel_release(struct gs_funnel *funnel);

/* One commit's story. */
struct gs_story {
	char *project, *state, *reason, *detail;
	struct gs_oid commit, parent;
	int64_t committed_at;
	char *licence, *licence_file;
	char *record_id, *duplicate_of; /* NULL where not */
	char *record, *evidence;        /* JSON objects, or NULL */
	char *runs;                     /* JSON array, or NULL */
};

/* `name` is a record id, or "[project:]" and a commit id; or a unique beginning
 * of one (at least 4 digits of a commit). GS_E_NOT_FOUND; GS_E_USAGE when it
 * fits several.
 * state: pending, claimed, refused, record, duplicate or excluded. */
GS_MUST_CHECK int gs_store_story(struct gs_store *store, const char *name,
    struct gs_story *ret, struct gs_err *err);
void gs_story_release(struct gs_story *story);
/* The first `most` record ids that begin so, "id\tproject" each, sorted. */
GS_MUST_CHECK int gs_store_record_ids(struct gs_store *store,
    const char *beginning, int64_t most, struct gs_strv *ret,
    struct gs_err *err);

/* The records that a release of these kinds holds: duplicates (I4: oldest
 * date, then repo, then commit stands) and excluded projects left out, in
 * order of repo, committed_at, id. `fn` gets borrowed rows and may ask the
 * store, not write it; non-zero ends. What stands is decided before the filter
 * looks: a project or kind that is left out brings back no duplicate. */
struct gs_release_filter {
	const struct gs_strv *kinds;    /* change kinds; NULL: all */
	const struct gs_strv *projects; /* NULL: all */
};

typedef int (*gs_record_fn)(void *ctx, struct gs_record *record,
    struct gs_evidence *evidence, struct gs_err *err);

GS_MUST_CHECK int gs_store_each_record(struct gs_store *store,
    const struct gs_release_filter *filter, gs_record_fn fn, void *ctx,
    struct gs_err *err);
/* How many those are. */
GS_MUST_CHECK int gs_store_count_records(struct gs_store *store,
    const struct gs_release_filter *filter, int64_t *ret, struct gs_err *err);
/* Ids of records of excluded projects; withdrawn.csv names those of them
 * that were published. */
typedef int (*gs_withdrawn_fn)(void *ctx, const char *repo, const char *id,
    const char *date, const char *reason, struct gs_err *err);
GS_MUST_CHECK int gs_store_each_withdrawn(
    struct gs_store *store, gs_withdrawn_fn fn, void *ctx, struct gs_err *err);

/* P5: what a release held, on the public or the withheld side. Putting an id
 * again changes nothing. */
GS_MUST_CHECK int gs_store_put_published(struct gs_store *store,
    const struct gs_strv *ids, bool is_withheld, struct gs_err *err);
GS_MUST_CHECK int gs_store_was_published(struct gs_store *store, const char *id,
    bool is_withheld, bool *ret, struct gs_err *err);

/* P4: the fingerprints of all records there ever were, with their projects,
 * by project. */
typedef int (*gs_fingerprint_fn)(
    void *ctx, const char *repo, const char *fingerprint, struct gs_err *err);
GS_MUST_CHECK int gs_store_each_fingerprint(struct gs_store *store,
    gs_fingerprint_fn fn, void *ctx, struct gs_err *err);

#endif

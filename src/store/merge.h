/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Several workspaces become one, and a workspace becomes one file that can
 * be handed on.
 *
 * Merging adds what the other one has seen: commits, verdicts, records,
 * texts. Of a candidate that only one has examined, that verdict stands.
 * Where both have seen something that cannot both be true, nothing of the
 * other workspace is taken, and each conflict is a sentence that names both.
 * Merging the same again changes nothing.
 */
#ifndef STORE_MERGE_H
#define STORE_MERGE_H

#include "store/store.h"

#define GS_CONFLICTS_MAX 20 /* sentences kept; the others are counted */

struct gs_merge_result {
	/* New here: projects, commits, candidates and verdicts, records. */
	int64_t projects, commits, candidates, records;
	struct gs_strv conflicts; /* none: it is merged */
	int64_t n_conflicts;
};

/* `folder` is a workspace; it is read only, and needs no mirrors. */
GS_MUST_CHECK int gs_store_merge(struct gs_store *store, const char *folder,
    struct gs_merge_result *ret, struct gs_err *err);
void gs_merge_result_release(struct gs_merge_result *result);

/* A copy of the store in `folder`, made where it is not: whole or not at all,
 * also for those who look at it from another machine. What a killed call left
 * there goes. */
GS_MUST_CHECK int gs_store_export(
    struct gs_store *store, const char *folder, struct gs_err *err);

#endif

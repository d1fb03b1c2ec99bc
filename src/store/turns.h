/* SPDX-License-Identifier: Apache-2.0 */
/* Whose turn it is: the projects that a work filter lets through, each with
 * the window of its candidates that count. Kept between claims, so that a
 * claim costs two index look-ups. */
#ifndef STORE_TURNS_H
#define STORE_TURNS_H

#include "store/store.h"

struct gs_turn {
	int64_t project;
	bool first_parent;   /* its merges count too (W2) */
	bool has_floor;      /* the next two are set */
	int64_t since;       /* oldest committed_at that counts, */
	struct gs_oid floor; /* and the least id of that second */
};

struct gs_turns {
	struct gs_turn *v; /* by project id */
	size_t n, cap;
	size_t at;    /* who is next */
	int64_t last; /* project that had the last turn */
	bool is_valid;
	struct gs_strv projects; /* the filter that these are of */
	bool all_projects;
	int64_t since, until, limit;
	bool retry_environment;
};

void gs_turns_release(struct gs_turns *turns);
/* Work came, came back or went: look again at the next claim. */
void gs_turns_forget(struct gs_turns *turns);
GS_MUST_CHECK int gs_turns_prepare(struct gs_store *store,
    const struct gs_work_filter *filter, struct gs_err *err);
/* The window of one of them, found at its first turn. */
GS_MUST_CHECK int gs_turn_window(
    struct gs_store *store, struct gs_turn *turn, struct gs_err *err);

#endif

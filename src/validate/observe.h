/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running a candidate in a state, and keeping what was seen. Every run that
 * is made goes into the log of observations that ends in the evidence.
 */
#ifndef VALIDATE_OBSERVE_H
#define VALIDATE_OBSERVE_H

#include "model/oracle.h"
#include "validate/candidate.h"

/* A state: a listing with at most one file given by its bytes. */
struct gs_state {
	const char *name; /* "before", "after", "unit", "file", "cheat …" */
	const struct gs_listing *listing;
	struct gs_overlay overlay;
	bool has_overlay;
};

/* How it is run; zeroed is the first, whole-file observation. */
struct gs_attempt {
	const char *label;
	const struct gs_strv *ids; /* alone; NULL: whole files */
	uint32_t hash_seed;
	bool moved_clock;
	bool only_all_pass; /* stop at the first failure */
	int timeout_ms;     /* 0: the default limit */
	const struct gs_strv *skip;
	const struct gs_strv *tests; /* only these (O7); NULL: all */
	bool screens; /* a first look, which is no part of the evidence */
	bool cold;    /* in a fresh box, whatever the worker has (K1) */
};

struct gs_observation {
	char *state, *label;
	uint32_t hash_seed;
	int64_t clock_ahead_s;
	bool ids_alone, screens;
	struct gs_run run;
	char *tree; /* git tree id of the state */
};

struct gs_observer {
	struct gs_worker *worker;
	const struct gs_candidate *candidate;
	struct gs_env *env;
	unsigned shims;
	const struct gs_strv *options; /* extra pytest options */

	struct {
		struct gs_observation **v;
		size_t n, cap;
	} seen;
};

/* NOT_FOUND, LIMIT and CORRUPT speak of a candidate's trees, which are refused
 * for good. Where such a code came from a tool of ours (a program that is
 * gone, a cut stream) it becomes GS_E_SYSTEM: the candidate stays pending. */
int gs_own_failure(int rc, struct gs_err *err);

/* The run is owned by the observer and stays valid until it is released. One
 * that could not be made (GS_RUN_INFRA) is kept, and an error: GS_E_SYSTEM. */
GS_MUST_CHECK int gs_observe(struct gs_observer *observer,
    const struct gs_state *state, const struct gs_attempt *attempt,
    const struct gs_run **ret, struct gs_err *err);
/* O5: the before state, bounded by ten times what `after` took. A node that
 * hangs is marked as timed out and the others are run without it. */
GS_MUST_CHECK int gs_observe_bounded(struct gs_observer *observer,
    const struct gs_state *state, const struct gs_attempt *attempt,
    const struct gs_run *after, const struct gs_run **ret, struct gs_err *err);
void gs_observer_release(struct gs_observer *observer);

/* JSON arrays: `runs` for the store (with logs), `observations` for the
 * evidence (no durations, no logs; only the ids of interest, and once what they
 * said before the fix). */
void gs_observer_write_runs(
    const struct gs_observer *observer, struct gs_buf *ret);
void gs_observer_write_evidence(const struct gs_observer *observer,
    const struct gs_strv *ids, struct gs_buf *ret);

/* One day more than a year. */
#define GS_CLOCK_MOVE_S (INT64_C(366) * 24 * 3600)

/* O3: a run that is not complete refuses under its own name ("timeout after");
 * `state` is "before" or "after". */
void gs_refuse_incomplete(
    struct gs_verdict *verdict, const char *state, const struct gs_run *run);

#endif

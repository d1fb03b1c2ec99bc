/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Warm runs: a server in a box of its own has loaded pytest and forks for
 * each run (server.py). It never runs project code itself, is the first
 * process of its box, and reports a run only when no other process is left
 * in there. docs/sandbox.md has what a hostile test can try.
 *
 *	struct gs_warm *warm = gs_warm_new(slot);
 *	rc = gs_run_warm(warm, &spec, &run, &was_made, err);
 *	if (rc == 0 && !was_made)
 *		rc = gs_run_cold(slot, &spec, &run, err);
 *	gs_warm_free(warm);
 *
 * A server belongs to one interpreter, hash seed and set of shims; the last
 * few are kept. One that was lost or tampered with is replaced by the next
 * run that wants it, and the run at hand counts as not made.
 */
#ifndef RUN_WARM_H
#define RUN_WARM_H

#include "run/run.h"

struct gs_warm;

struct gs_warm *gs_warm_new(struct gs_slot *slot);
void gs_warm_free(struct gs_warm *warm); /* before its slot is closed */

/* As gs_run_cold. *ret_was_made is false, and *ret empty, when no server may
 * or could serve: spec->own_modules names a module that the server has loaded
 * itself, the clock is to be moved, a server for it could not start twice, or
 * was lost under way. */
GS_MUST_CHECK int gs_run_warm(struct gs_warm *warm,
    const struct gs_run_spec *spec, struct gs_run *ret, bool *ret_was_made,
    struct gs_err *err);

/* A cold run, in a box and an interpreter of its own, that reads the code
 * which the compiler's box has made of the tree (compiler.h). */
GS_MUST_CHECK int gs_run_fresh(struct gs_warm *warm,
    const struct gs_run_spec *spec, struct gs_run *ret, struct gs_err *err);

/* Servers started and runs not made so far, for the log and the tests. */
struct gs_warm_counts {
	unsigned started, lost, tampered, worn, runs, compilers;
};

struct gs_warm_counts gs_warm_counts(const struct gs_warm *warm);

#endif

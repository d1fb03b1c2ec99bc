/* SPDX-License-Identifier: Apache-2.0 */
/* Which environment a candidate runs in, and what it lacks. */
#ifndef VALIDATE_ENVIRONMENT_H
#define VALIDATE_ENVIRONMENT_H

#include "validate/candidate.h"

/* The environments to try for a candidate, in order: those of the command
 * line, or the one that goldset.conf names for the project, or the one that
 * is made for its dependencies (--env venv). Borrowed. Sets verdict->reason
 * when its requirements cannot be met. *ret_n may be 0 then. */
GS_MUST_CHECK int gs_environments_for(struct gs_worker *worker,
    const struct gs_candidate *candidate, struct gs_env **ret, size_t *ret_n,
    struct gs_verdict *verdict, struct gs_err *err);

/* A run that another interpreter might take: a file that is no Python for
 * this one. */
bool gs_run_wants_other_python(const struct gs_run *run);

/* The module outside the tree that a run lacked, or NULL; borrowed from the
 * run. */
const char *gs_run_lacks_module(
    const struct gs_run *run, const struct gs_candidate *candidate);

#endif

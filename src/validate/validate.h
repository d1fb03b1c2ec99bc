/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Validation: candidates out of the store, both states run, reduced, proven
 * and judged, verdicts into the store.
 *
 *	claim ─► prepare ─► screen ─► reduce ─► prove ─► judge ─► finish
 *	         (texts)   (O, S)     (K2)     (K1,K6)  (K7,K8)
 *
 * Each slot is a worker process that examines one candidate at a time; only
 * the parent writes to the store, one transaction a verdict. A candidate that
 * cannot be examined through no fault of its own stays pending.
 */
#ifndef VALIDATE_VALIDATE_H
#define VALIDATE_VALIDATE_H

#include "base/err.h"
#include "git/mirror.h"
#include "run/box.h"
#include "run/env.h"
#include "store/store.h"

struct gs_validate_progress {
	int64_t done, total, records;
	int64_t elapsed_ms;
};

struct gs_validate_options {
	const char *workspace;
	int jobs;
	struct gs_work_filter filter;
	struct gs_box_limits limits;
	enum gs_env_kind env;
	const struct gs_strv *pythons; /* tried in order; empty: python3 */
	const char *wheels;            /* for venv: a folder of wheels */
	unsigned shims;                /* O6 */
	bool allow_unsafe;             /* run without a sandbox (F146) */
	bool cold;       /* no warm workers: a fresh interpreter a run */
	bool exhaustive; /* whole files in every observation, O7 */
	bool keep_missing_names; /* O5: release these flips too */
	const struct gs_strv *licences;
	const struct gs_config *config; /* goldset.conf */
	void (*progress)(
	    void *ctx, const struct gs_validate_progress *progress);
	void *ctx;
};

struct gs_validate_result {
	int64_t examined, records, infra;
	char *last_infra; /* why the last one could not be examined, or NULL */
};

GS_MUST_CHECK int gs_validate(struct gs_store *store,
    const struct gs_validate_options *options, struct gs_validate_result *ret,
    struct gs_err *err);

/* The value of [project "name"] key in a configuration, or NULL. */
const char *gs_project_setting(
    const struct gs_config *config, const char *project, const char *key);

#endif

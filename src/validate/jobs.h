/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Claimed work on its way to the workers: as JSON, and remembered while it is
 * out, so that a candidate whose worker was lost gets a second try in the
 * same call. It was hardly the candidate's fault; if it is, the second loss
 * says so.
 */
#ifndef VALIDATE_JOBS_H
#define VALIDATE_JOBS_H

#include "base/buf.h"
#include "base/err.h"
#include "store/store.h"

struct gs_jobs {
	struct gs_job *v; /* those that are out: never more than slots */
	size_t n, cap;
};

void gs_job_write(const struct gs_work *work, struct gs_buf *ret);
GS_MUST_CHECK int gs_job_parse(
    struct gs_str text, struct gs_work *ret, struct gs_err *err);

void gs_jobs_release(struct gs_jobs *jobs);
/* This job goes out. */
void gs_jobs_sent(struct gs_jobs *jobs, int64_t tag, struct gs_str text);
/* It came back. */
void gs_jobs_done(struct gs_jobs *jobs, int64_t tag);
/* Its worker was lost: true when it is to be tried again. */
bool gs_jobs_lost(struct gs_jobs *jobs, int64_t tag);
/* One that waits for its second try, appended to `ret`; false for none. */
bool gs_jobs_again(struct gs_jobs *jobs, struct gs_buf *ret, int64_t *ret_tag);

#endif

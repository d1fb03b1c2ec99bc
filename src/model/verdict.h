/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What validation says of one candidate: a record with its evidence, or a
 * reason. It travels from the worker to the store as one JSON document, with
 * the runs that were seen.
 */
#ifndef MODEL_VERDICT_H
#define MODEL_VERDICT_H

#include "model/record.h"

struct gs_verdict {
	bool is_record;
	/* Refused: a short stable reason that is counted, and a sentence. */
	char *reason;
	char *detail;
	char *missing_module; /* "environment unsatisfied", else NULL */
	bool is_infra;        /* not the candidate's fault: stays pending */
	struct gs_record record;
	struct gs_evidence evidence;
	char *runs; /* JSON array of {label, run}: all that was observed */
};

void gs_verdict_release(struct gs_verdict *verdict);
void gs_verdict_write(const struct gs_verdict *verdict, struct gs_buf *ret);
GS_MUST_CHECK int gs_verdict_parse(
    struct gs_str json, struct gs_verdict *ret, struct gs_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The record and its evidence, out of everything that was found. */
#ifndef VALIDATE_ASSEMBLE_H
#define VALIDATE_ASSEMBLE_H

#include "validate/judge.h"
#include "validate/prove.h"

struct gs_findings {
	struct gs_observer *observer;
	const struct gs_reduction *reduction;
	const struct gs_oracle *oracle;
	const struct gs_strv *flaky;
	struct gs_str cheats; /* JSON */
};

/* Fills in verdict->record and verdict->evidence, or refuses (no spec, texts
 * that are not UTF-8 …). */
GS_MUST_CHECK int gs_assemble(const struct gs_findings *findings,
    struct gs_verdict *verdict, struct gs_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The evidence of a record for people: its tests and what they did before,
 * every run, what was tried, and with what. */
#ifndef SITE_PROOF_H
#define SITE_PROOF_H

#include "base/json.h"
#include "model/record.h"
#include "site/html.h"

/* The runs, or NULL where they are no JSON; the caller frees. */
json_t *proof_observations(const struct gs_evidence *evidence);
void proof_tests(
    struct html *html, const struct gs_record *record, const json_t *runs);
void proof_runs(
    struct html *html, const struct gs_evidence *evidence, const json_t *runs);
void proof_world(struct html *html, const struct gs_record *record,
    const struct gs_evidence *evidence);

#endif

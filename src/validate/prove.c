/* SPDX-License-Identifier: Apache-2.0 */
#include "validate/prove.h"

#include <string.h>

#include "base/mem.h"
#include "validate/chance.h"

static int observe_pair(struct gs_observer *observer,
    const struct gs_reduction *reduction, const struct gs_attempt *attempt,
    const struct gs_run *runs[2], struct gs_err *err)
{
	const struct gs_state state = {
	    .name = "before", .listing = &observer->candidate->before};
	int rc =
	    gs_observe(observer, &reduction->after, attempt, &runs[1], err);
	if (rc == 0)
		rc = gs_observe_bounded(
		    observer, &state, attempt, runs[1], &runs[0], err);
	return rc;
}

/* K1: what ran out of time is no observation that disagrees. */
static void refuse_timeout(
    struct gs_verdict *verdict, const struct gs_run *runs[2])
{
	static const char *const states[] = {"before", "after"};
	for (int i = 1; i >= 0; i--)
		if (runs[i]->kind == GS_RUN_TIMEOUT)
			gs_refuse_incomplete(verdict, states[i], runs[i]);
}

/* One further pair; what it does not bear out leaves the oracle. */
static int confirm(struct gs_observer *observer,
    const struct gs_reduction *reduction, const struct gs_attempt *attempt,
    struct gs_oracle *oracle, struct gs_strv *flaky, struct gs_verdict *verdict,
    struct gs_err *err)
{
	const struct gs_run *runs[2] = {NULL, NULL};
	int rc = observe_pair(observer, reduction, attempt, runs, err);
	if (rc == 0)
		refuse_timeout(verdict, runs);
	if (rc == 0 && !verdict->reason)
		gs_oracle_confirm(oracle, runs[0], runs[1],
		    &observer->candidate->introduced, flaky);
	return rc;
}

/* No id flipped when the ids were run alone. Whole files once more tell
 * tests that lean on each other from tests that nobody can rely on. */
static int blame_order(struct gs_observer *observer,
    const struct gs_reduction *reduction, const struct gs_strv *ids,
    struct gs_verdict *verdict, struct gs_err *err)
{
	const struct gs_attempt whole = {.label = "again", .hash_seed = 1};
	const struct gs_run *runs[2] = {NULL, NULL};
	int rc = observe_pair(observer, reduction, &whole, runs, err);
	if (rc == 0)
		refuse_timeout(verdict, runs);
	if (rc || verdict->reason)
		return rc;
	for (size_t i = 0; i < ids->n; i++)
		if (!gs_run_passed(runs[0], ids->v[i]) &&
		    gs_run_passed(runs[1], ids->v[i]))
			gs_refuse(verdict, "order dependent",
			    "The flipping tests do not flip when they are run "
			    "alone (K1).");
	gs_refuse(
	    verdict, "flaky", "The flipping tests do not flip again (K1).");
	return 0;
}

/* Four more pairs of whole files, the first as a plain run sees them. */
static int tempt_fate(struct gs_observer *observer,
    const struct gs_reduction *reduction, struct gs_oracle *oracle,
    struct gs_strv *flaky, struct gs_verdict *verdict, struct gs_err *err)
{
	static const struct gs_attempt again[] = {
	    {.label = "by chance", .hash_seed = 3, .cold = true},
	    {.label = "by chance", .hash_seed = 1},
	    {.label = "by chance", .hash_seed = 0},
	    {.label = "by chance", .hash_seed = 1},
	};
	bool leans = false;
	int rc = gs_leans_on_chance(observer, reduction, &leans, err);
	for (size_t i = 0; leans && i < GS_COUNT(again); i++) {
		if (rc || verdict->reason || oracle->kept.n == 0)
			break;
		rc = confirm(observer, reduction, &again[i], oracle, flaky,
		    verdict, err);
	}
	return rc;
}

int gs_prove(struct gs_observer *observer, const struct gs_reduction *reduction,
    struct gs_oracle *oracle, struct gs_strv *ret_flaky,
    struct gs_verdict *verdict, struct gs_err *err)
{
	/* The ids as they stand now: the oracle may shrink under the runs. */
	GS_CLEANUP(gs_strv_release) struct gs_strv ids = {0};
	gs_strv_copy(&ids, &oracle->kept);
	const struct gs_attempt alone = {
	    .label = "ids alone", .ids = &ids, .hash_seed = 1};
	int rc = confirm(
	    observer, reduction, &alone, oracle, ret_flaky, verdict, err);
	if (rc || verdict->reason)
		return rc;
	if (oracle->kept.n == 0)
		return blame_order(observer, reduction, &ids, verdict, err);
	/* Whole files in a fresh box, both sides: K1's cold observation, and
	 * pass_to_pass is seen twice as well. */
	const struct gs_attempt moved = {.label = "clock moved",
	    .hash_seed = 2,
	    .moved_clock = true,
	    .cold = true};
	rc = confirm(
	    observer, reduction, &moved, oracle, ret_flaky, verdict, err);
	if (rc == 0 && !verdict->reason && oracle->kept.n > 0)
		rc = tempt_fate(
		    observer, reduction, oracle, ret_flaky, verdict, err);
	if (rc == 0 && oracle->kept.n == 0)
		gs_refuse(verdict, "flaky",
		    "No flipping test behaves alike in all observations, "
		    "with other hash seeds, a moved clock, or once more "
		    "where chance has a part (K1).");
	return rc;
}

/* Cheats. */

/* The unit with its body replaced by one line; the whole file for a file. */
static void write_cheat(const struct gs_reduction *reduction,
    const char *statement, struct gs_buf *ret)
{
	const struct gs_unit *unit = reduction->unit_before;
	if (!unit) {
		gs_buf_addf(ret, "%s\n", statement);
		return;
	}
	const struct gs_source *source = &reduction->file->before;
	/* The body starts behind its indentation, or behind the colon of a
	 * one-line function: either way one statement fits there. */
	gs_buf_adds(
	    ret, gs_str_sub(source->bytes, unit->start, unit->body_start));
	gs_buf_addf(ret, "%s\n", statement);
}

static const struct cheat {
	const char *name, *statement;
} cheats[] = {
    {"emptied", "pass"},
    {"raises", "raise RuntimeError('goldset')"},
    {"leaves with status 0", "__import__('os')._exit(0)"},
};

/* Whether a cheat would be scored as resolved: first by the published ids,
 * and only where those all pass by the whole files. */
static int try_cheat(struct gs_observer *observer,
    const struct gs_reduction *reduction, const struct gs_oracle *oracle,
    const struct gs_run *before, const struct cheat *cheat, bool *ret_fools,
    struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf file = {0};
	struct gs_state state;
	write_cheat(reduction, cheat->statement, &text);
	gs_state_with(observer->candidate, reduction, cheat->name,
	    gs_buf_str(&text), &file, &state);
	const struct gs_attempt alone = {
	    .label = "cheat", .ids = &oracle->kept, .only_all_pass = true};
	const struct gs_run *run = NULL;
	int rc = gs_observe(observer, &state, &alone, &run, err);
	if (rc || !gs_oracle_holds(oracle, NULL, run, NULL)) {
		*ret_fools = false;
		return rc;
	}
	const struct gs_attempt whole = {.label = "cheat"};
	rc = gs_observe(observer, &state, &whole, &run, err);
	*ret_fools = rc == 0 && gs_oracle_holds(oracle, before, run, NULL);
	return rc;
}

int gs_try_cheats(struct gs_observer *observer,
    const struct gs_reduction *reduction, const struct gs_oracle *oracle,
    const struct gs_run *before, struct gs_buf *ret, struct gs_verdict *verdict,
    struct gs_err *err)
{
	struct gs_json json = {.out = ret};
	gs_json_begin_object(&json);
	/* The unchanged source is the before state: seen to fail (K1). */
	gs_json_put_cstr(&json, "unchanged", "unresolved");
	for (size_t i = 0; i < GS_COUNT(cheats); i++) {
		bool fools = false;
		int rc = try_cheat(observer, reduction, oracle, before,
		    &cheats[i], &fools, err);
		if (rc)
			return rc;
		gs_json_put_cstr(
		    &json, cheats[i].name, fools ? "resolved" : "unresolved");
		if (fools)
			gs_refuse(verdict, "cheat passes",
			    "The tests also pass when the source is "
			    "replaced by one that %s (K6).",
			    i == 0 ? "does nothing" : cheats[i].name);
	}
	gs_json_end_object(&json);
	return 0;
}

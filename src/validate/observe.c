/* SPDX-License-Identifier: Apache-2.0 */
#include "validate/observe.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/vec.h"
#include "model/said.h"

/* Hung nodes that are set aside before the run is given up. */
#define MAX_HUNG 3
/* Bytes of what tests said that a record's evidence holds. */
#define MAX_SAID ((size_t)64 * 1024)

int gs_own_failure(int rc, struct gs_err *err)
{
	if (rc != GS_E_NOT_FOUND && rc != GS_E_LIMIT && rc != GS_E_CORRUPT)
		return rc;
	return gs_fail(err, GS_E_SYSTEM, "%s", err->text);
}

static void observation_free(struct gs_observation *observation)
{
	free(observation->state);
	free(observation->label);
	free(observation->tree);
	gs_run_release(&observation->run);
	free(observation);
}

void gs_observer_release(struct gs_observer *observer)
{
	for (size_t i = 0; i < observer->seen.n; i++)
		observation_free(observer->seen.v[i]);
	GS_VEC_FREE(&observer->seen);
}

/* The id of a tree with its overlay: that of the listing in which the
 * overlaid blob stands in the entry's place. */
static void state_tree_id(const struct gs_state *state, struct gs_oid *ret)
{
	if (!state->has_overlay) {
		gs_listing_tree_id(state->listing, ret);
		return;
	}
	GS_CLEANUP(gs_listing_release) struct gs_listing with = {0};
	gs_listing_copy(&with, state->listing);
	const struct gs_entry *old =
	    gs_listing_find(&with, state->overlay.path);
	struct gs_entry entry = {
	    .path = state->overlay.path,
	    .mode = state->overlay.mode ? state->overlay.mode
	            : old               ? old->mode
	                                : 0100644,
	};
	gs_blob_id(state->overlay.bytes,
	    with.n ? &with.v[0].id : &(struct gs_oid){0}, &entry.id);
	gs_listing_put(&with, &entry);
	gs_listing_tree_id(&with, ret);
}

static int lay_out(struct gs_observer *observer, const struct gs_state *state,
    struct gs_err *err)
{
	return gs_workdir_reset(observer->worker->workdir, state->listing,
	    &state->overlay, state->has_overlay ? 1 : 0, err);
}

static void describe(const struct gs_observer *observer,
    const struct gs_attempt *attempt, struct gs_run_spec *ret)
{
	const struct gs_candidate *candidate = observer->candidate;
	*ret = (struct gs_run_spec){
	    .env = observer->env,
	    .files = &candidate->test_files,
	    .ids = attempt->ids,
	    .tests = attempt->tests,
	    .import_roots = &candidate->import_roots,
	    .own_modules = &candidate->own_modules,
	    .probe = &candidate->probe,
	    .options = observer->options,
	    .hash_seed = attempt->hash_seed,
	    .clock_ahead_s = attempt->moved_clock && observer->env->faketime
	                         ? GS_CLOCK_MOVE_S
	                         : 0,
	    .shims = observer->shims,
	    .dist_name = candidate->dist_name,
	    .dist_version = candidate->dist_version,
	    .timeout_ms = attempt->timeout_ms,
	    .skip = attempt->skip,
	    .stop_at_first_failure = attempt->only_all_pass,
	};
}

/* A warm worker may say that a run is complete or that a test hangs; anything
 * else is believed from a fresh box only. A cheat that does not complete is
 * none, whatever ended it. */
static bool is_believed(
    const struct gs_run *run, const struct gs_attempt *attempt)
{
	return run->kind == GS_RUN_COMPLETE || run->kind == GS_RUN_TIMEOUT ||
	       attempt->only_all_pass;
}

/* Warm where there is a worker, else cold. A run that was not made may have
 * been under way: its tree is laid out again. */
static int run_tests(struct gs_observer *observer, const struct gs_state *state,
    const struct gs_attempt *attempt, const struct gs_run_spec *spec,
    struct gs_run *ret, struct gs_err *err)
{
	struct gs_worker *worker = observer->worker;
	bool was_made = false;
	int rc = lay_out(observer, state, err);
	if (rc)
		return rc;
	if (!worker->warm)
		return gs_own_failure(
		    gs_run_cold(worker->slot, spec, ret, err), err);
	if (attempt->cold)
		return gs_own_failure(
		    gs_run_fresh(worker->warm, spec, ret, err), err);
	rc = gs_run_warm(worker->warm, spec, ret, &was_made, err);
	if (rc || (was_made && is_believed(ret, attempt)))
		return gs_own_failure(rc, err);
	if (was_made)
		gs_run_release(ret);
	*ret = (struct gs_run){0};
	rc = lay_out(observer, state, err);
	return rc ? rc
	          : gs_own_failure(
	                gs_run_fresh(worker->warm, spec, ret, err), err);
}

static int observe(struct gs_observer *observer, const struct gs_state *state,
    const struct gs_attempt *attempt, struct gs_observation **ret,
    struct gs_err *err)
{
	struct gs_run_spec spec;
	describe(observer, attempt, &spec);
	struct gs_oid tree;
	state_tree_id(state, &tree);
	struct gs_observation *seen = gs_alloc(sizeof(*seen));
	seen->state = gs_strdup(state->name);
	seen->label = gs_strdup(attempt->label);
	seen->hash_seed = attempt->hash_seed;
	seen->clock_ahead_s = spec.clock_ahead_s;
	seen->ids_alone = attempt->ids && attempt->ids->n > 0;
	seen->tree = gs_strdup(tree.hex);
	seen->screens = attempt->screens;
	int rc = run_tests(observer, state, attempt, &spec, &seen->run, err);
	if (rc) {
		observation_free(seen);
		return rc;
	}
	/* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers are meant */
	*GS_VEC_ADD(&observer->seen) = seen;
	*ret = seen;
	/* A run that could not be made says nothing of the candidate, whichever
	 * of its runs that is. */
	if (seen->run.kind == GS_RUN_INFRA)
		return gs_fail(err, GS_E_SYSTEM, "%s",
		    seen->run.detail ? seen->run.detail
		                     : "The run could not be made.");
	return 0;
}

int gs_observe(struct gs_observer *observer, const struct gs_state *state,
    const struct gs_attempt *attempt, const struct gs_run **ret,
    struct gs_err *err)
{
	struct gs_observation *seen = NULL;
	int rc = observe(observer, state, attempt, &seen, err);
	if (rc == 0)
		*ret = &seen->run;
	return rc;
}

/* O3: a run that is not complete says nothing about its tests. */
void gs_refuse_incomplete(
    struct gs_verdict *verdict, const char *state, const struct gs_run *run)
{
	if (run->kind != GS_RUN_COMPLETE) {
		const char *kind = run->kind == GS_RUN_LEFT
		                       ? "early exit"
		                       : gs_run_kind_name(run->kind);
		GS_CLEANUP(gs_freep)
		char *reason = gs_format("%s %s", kind, state);
		gs_refuse(verdict, reason, "%s",
		    run->detail ? run->detail : "The run did not finish.");
	}
}

static int bound_for(const struct gs_run *after, int limit_ms)
{
	int64_t bound = 10 * after->elapsed_ms;
	if (bound < 10000)
		bound = 10000;
	return bound < limit_ms ? (int)bound : limit_ms;
}

/* Puts a hung node back into the run that was made without it. */
static void mark_hung(struct gs_run *run, const struct gs_strv *hung)
{
	for (size_t i = 0; i < hung->n; i++) {
		struct gs_node *node = NULL;
		for (size_t k = 0; k < run->nodes.n; k++)
			if (strcmp(run->nodes.v[k].id, hung->v[i]) == 0)
				node = &run->nodes.v[k];
		if (!node) {
			node = GS_VEC_ADD(&run->nodes);
			node->id = gs_strdup(hung->v[i]);
		}
		node->started = true;
		node->outcome = GS_OUTCOME_FAILED;
		node->failure = GS_FAILURE_TIMEOUT;
	}
	gs_run_index(run);
}

int gs_observe_bounded(struct gs_observer *observer,
    const struct gs_state *state, const struct gs_attempt *attempt,
    const struct gs_run *after, const struct gs_run **ret, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv hung = {0};
	struct gs_attempt bounded = *attempt;
	bounded.timeout_ms = bound_for(
	    after, observer->worker->context->options->limits.timeout_ms);
	for (;;) {
		struct gs_observation *seen = NULL;
		bounded.skip = &hung;
		int rc = observe(observer, state, &bounded, &seen, err);
		if (rc || !seen)
			return rc;
		const char *running = seen->run.running;
		bool is_hang = seen->run.kind == GS_RUN_TIMEOUT && running &&
		               gs_run_passed(after, running);
		if (!is_hang || hung.n == MAX_HUNG) {
			mark_hung(&seen->run, &hung);
			*ret = &seen->run;
			return 0;
		}
		gs_strv_push(&hung, running);
	}
}

static void write_head(const struct gs_observation *seen, struct gs_json *json)
{
	gs_json_put_cstr(json, "state", seen->state);
	gs_json_put_cstr(json, "attempt", seen->label);
	gs_json_put_cstr(json, "tree", seen->tree);
	gs_json_put_int(json, "hash_seed", seen->hash_seed);
	gs_json_put_int(json, "clock_ahead_s", seen->clock_ahead_s);
	gs_json_put_bool(json, "ids_alone", seen->ids_alone);
}

/* The hash of what was seen, node by node, in collection order: no durations
 * and no addresses, so that two undisturbed builds agree (P1). */
static void write_log_hash(const struct gs_run *run, struct gs_json *json)
{
	struct gs_sha256 sha;
	char hex[GS_SHA256_HEX];
	gs_sha256_init(&sha);
	for (size_t i = 0; i < run->nodes.n; i++) {
		const struct gs_node *node = &run->nodes.v[i];
		GS_CLEANUP(gs_freep)
		char *line = gs_format("%s\t%s\t%s\t%s\n", node->id,
		    gs_outcome_name(node->outcome),
		    gs_failure_name(node->failure),
		    node->exception ? node->exception : "");
		gs_sha256_add(&sha, gs_str(line));
	}
	gs_sha256_end_hex(&sha, hex);
	gs_json_put_cstr(json, "log_sha256", hex);
}

void gs_observer_write_runs(
    const struct gs_observer *observer, struct gs_buf *ret)
{
	struct gs_json json = {.out = ret};
	gs_json_begin_array(&json);
	for (size_t i = 0; i < observer->seen.n; i++) {
		gs_json_begin_object(&json);
		write_head(observer->seen.v[i], &json);
		gs_json_key(&json, "run");
		gs_run_write(&observer->seen.v[i]->run, &json);
		gs_json_end_object(&json);
	}
	gs_json_end_array(&json);
}

static void write_outcomes(
    const struct gs_run *run, const struct gs_strv *ids, struct gs_json *json)
{
	gs_json_key(json, "outcomes");
	gs_json_begin_object(json);
	for (size_t i = 0; i < ids->n; i++) {
		const struct gs_node *node = gs_run_node(run, ids->v[i]);
		gs_json_key(json, ids->v[i]);
		if (!node)
			gs_json_cstr(json, "absent");
		else if (node->failure != GS_FAILURE_NONE)
			gs_json_cstr(json, gs_failure_name(node->failure));
		else
			gs_json_cstr(json, gs_outcome_name(node->outcome));
	}
	gs_json_end_object(json);
}

/* What all observations of the before state say alike of a failing test. */
static void gather_said(
    const struct gs_observer *observer, const char *id, struct gs_buf *ret)
{
	for (size_t i = 0; i < observer->seen.n; i++) {
		const struct gs_observation *seen = observer->seen.v[i];
		const struct gs_node *node = gs_run_node(&seen->run, id);
		if (strcmp(seen->state, "before") != 0 || !node ||
		    node->failure == GS_FAILURE_NONE || !node->exception)
			continue;
		GS_CLEANUP(gs_buf_release) struct gs_buf one = {0};
		GS_CLEANUP(gs_buf_release) struct gs_buf both = {0};
		gs_said_clean(node->exception, node->message,
		    &observer->env->binds, &one);
		gs_said_alike(ret->n ? gs_buf_str(ret) : gs_buf_str(&one),
		    gs_buf_str(&one), &both);
		gs_buf_reset(ret);
		gs_buf_adds(ret, gs_buf_str(&both));
	}
}

static void write_said(const struct gs_observer *observer,
    const struct gs_strv *ids, struct gs_json *json)
{
	size_t room = MAX_SAID;
	gs_json_key(json, "said");
	gs_json_begin_object(json);
	for (size_t i = 0; i < ids->n; i++) {
		GS_CLEANUP(gs_buf_release) struct gs_buf said = {0};
		gather_said(observer, ids->v[i], &said);
		if (said.n == 0 || said.n > room)
			continue;
		room -= said.n;
		gs_json_put_str(json, ids->v[i], gs_buf_str(&said));
	}
	gs_json_end_object(json);
}

void gs_observer_write_evidence(const struct gs_observer *observer,
    const struct gs_strv *ids, struct gs_buf *ret)
{
	struct gs_json json = {.out = ret};
	bool has_said = false;
	gs_json_begin_array(&json);
	for (size_t i = 0; i < observer->seen.n; i++) {
		const struct gs_observation *seen = observer->seen.v[i];
		if (seen->screens)
			continue;
		gs_json_begin_object(&json);
		write_head(seen, &json);
		gs_json_put_cstr(
		    &json, "kind", gs_run_kind_name(seen->run.kind));
		write_log_hash(&seen->run, &json);
		write_outcomes(&seen->run, ids, &json);
		/* Once: all of that state agree on it. */
		if (!has_said && strcmp(seen->state, "before") == 0) {
			write_said(observer, ids, &json);
			has_said = true;
		}
		gs_json_end_object(&json);
	}
	gs_json_end_array(&json);
}

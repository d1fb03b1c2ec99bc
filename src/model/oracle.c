/* SPDX-License-Identifier: Apache-2.0 */
#include "model/oracle.h"

#include "base/vec.h"
#include "model/names.h"

/* O3: an incomplete run has a reason of its own and never "failed". */
static const char *const incomplete_before[] = {
    [GS_RUN_COMPLETE] = NULL,
    [GS_RUN_CRASH] = "crash before",
    [GS_RUN_LEFT] = "left early before",
    [GS_RUN_TIMEOUT] = "timeout before",
    [GS_RUN_MEMORY] = "memory limit before",
    [GS_RUN_OUTPUT] = "output limit before",
    [GS_RUN_DISK] = "disk limit before",
    [GS_RUN_USAGE] = "pytest refused to start",
    [GS_RUN_VOID] = "imported from outside",
    [GS_RUN_INFRA] = "infra",
};

static const char *const incomplete_after[] = {
    [GS_RUN_COMPLETE] = NULL,
    [GS_RUN_CRASH] = "crash after",
    [GS_RUN_LEFT] = "left early after",
    [GS_RUN_TIMEOUT] = "timeout after",
    [GS_RUN_MEMORY] = "memory limit after",
    [GS_RUN_OUTPUT] = "output limit after",
    [GS_RUN_DISK] = "disk limit after",
    [GS_RUN_USAGE] = "pytest refused to start",
    [GS_RUN_VOID] = "imported from outside",
    [GS_RUN_INFRA] = "infra",
};

/* The part of a node id before the first "::". */
static struct gs_str file_of(const char *id)
{
	struct gs_str s = gs_str(id);
	ptrdiff_t at = gs_str_find(s, GS_STR("::"));
	return at < 0 ? s : gs_str_sub(s, 0, (size_t)at);
}

/* O4: does the failure speak of a name that the fix itself defines? A dotted
 * name (a module) is known by its last part too. */
static bool is_introduced(const char *missing, const struct gs_strv *introduced)
{
	if (!missing || !introduced)
		return false;
	if (gs_strv_has(introduced, missing))
		return true;
	const char *dot = strrchr(missing, '.');
	return dot && gs_strv_has(introduced, dot + 1);
}

/* Did the collector that would have held this node fail before? */
static bool was_uncollected(const struct gs_run *run, const char *id)
{
	struct gs_str s = gs_str(id);
	for (size_t i = 0; i < run->collect_errors.n; i++) {
		const char *holder = run->collect_errors.v[i].id;
		size_t n = strlen(holder);
		if (n == 0)
			return true;
		if (gs_str_starts(s, holder) &&
		    (s.n == n || s.p[n] == ':' || s.p[n] == '/'))
			return true;
	}
	return false;
}

static bool is_hang(const struct gs_run *run, const struct gs_node *node)
{
	if (node->failure == GS_FAILURE_TIMEOUT)
		return true;
	return run->kind == GS_RUN_TIMEOUT &&
	       node->outcome == GS_OUTCOME_UNFINISHED && run->running &&
	       strcmp(run->running, node->id) == 0;
}

/* How did this node fail before, so that passing after is a flip (O5)? */
static bool failed_before(const struct gs_run *before, const char *id,
    const struct gs_strv *introduced, enum gs_flip_kind *ret_kind,
    enum gs_failure *ret_failure)
{
	const struct gs_node *node = gs_run_node(before, id);
	bool is_complete = before->kind == GS_RUN_COMPLETE;

	if (node && is_hang(before, node)) {
		*ret_kind = GS_FLIP_TIMEOUT;
		*ret_failure = GS_FAILURE_TIMEOUT;
		return true;
	}
	if (!is_complete)
		return false; /* O3 */
	if (!node) {
		*ret_kind = GS_FLIP_COLLECTION;
		*ret_failure = GS_FAILURE_COLLECTION;
		return was_uncollected(before, id);
	}
	if (node->outcome != GS_OUTCOME_FAILED)
		return false;
	*ret_kind = GS_FLIP_CALL;
	*ret_failure = node->failure;
	switch (node->failure) {
	case GS_FAILURE_MISSING_NAME:
		/* The observer saw a NameError or the like; whether the name
		 * is the fix's own is decided here. */
		if (!introduced || is_introduced(node->missing, introduced))
			*ret_kind = GS_FLIP_MISSING_NAME;
		else
			*ret_failure = GS_FAILURE_EXCEPTION;
		return true;
	case GS_FAILURE_ASSERTION:
	case GS_FAILURE_EXCEPTION:
		if (is_introduced(node->missing, introduced)) {
			*ret_kind = GS_FLIP_MISSING_NAME;
			*ret_failure = GS_FAILURE_MISSING_NAME;
		}
		return true;
	case GS_FAILURE_COLLECTION:
		*ret_kind = GS_FLIP_COLLECTION;
		return true;
	case GS_FAILURE_NONE:
	case GS_FAILURE_SETUP:
	case GS_FAILURE_TEARDOWN:
	case GS_FAILURE_TIMEOUT:
	case GS_FAILURE_CRASH:
		break;
	}
	return false;
}

static int compare_flips(const void *a, const void *b)
{
	const struct gs_flip *x = a, *y = b;
	return strcmp(x->id, y->id);
}

static void add_flips(const struct gs_run *before, const struct gs_run *after,
    const struct gs_strv *introduced, struct gs_oracle *oracle)
{
	for (size_t i = 0; i < after->nodes.n; i++) {
		const struct gs_node *node = &after->nodes.v[i];
		enum gs_flip_kind kind;
		enum gs_failure failure;
		if (node->outcome != GS_OUTCOME_PASSED ||
		    !failed_before(
		        before, node->id, introduced, &kind, &failure))
			continue;
		struct gs_flip *flip = GS_VEC_ADD(&oracle->flips);
		*flip = (struct gs_flip){gs_strdup(node->id), kind, failure};
		if (kind == GS_FLIP_CALL || kind == GS_FLIP_TIMEOUT)
			gs_strv_push(&oracle->kept, node->id);
	}
	GS_VEC_SORT(&oracle->flips, compare_flips);
	gs_strv_sort(&oracle->kept);
}

static void add_passed_before(const struct gs_run *before,
    const struct gs_run *after, struct gs_oracle *oracle)
{
	for (size_t i = 0; i < before->nodes.n; i++) {
		const struct gs_node *node = &before->nodes.v[i];
		if (node->outcome != GS_OUTCOME_PASSED)
			continue;
		gs_strv_push(gs_run_passed(after, node->id)
		                 ? &oracle->pass_to_pass
		                 : &oracle->broken,
		    node->id);
	}
	gs_strv_sort(&oracle->pass_to_pass);
	gs_strv_sort(&oracle->broken);
}

static size_t count_outcome(const struct gs_run *run, enum gs_outcome outcome)
{
	size_t n = 0;
	for (size_t i = 0; i < run->nodes.n; i++)
		n += run->nodes.v[i].outcome == outcome;
	return n;
}

/* Of nodes that one run has and the other has not, is there one with this
 * outcome? */
static bool has_alone(const struct gs_run *run, const struct gs_run *other,
    enum gs_outcome outcome)
{
	for (size_t i = 0; i < run->nodes.n; i++)
		if (run->nodes.v[i].outcome == outcome &&
		    !gs_run_node(other, run->nodes.v[i].id))
			return true;
	return false;
}

/* Nothing flips though tests pass after: what was it before? A failure and a
 * pass under ids that do not meet are one test whose id changes (F114). */
static const char *unflipped_reason(
    const struct gs_run *before, const struct gs_run *after)
{
	if (has_alone(before, after, GS_OUTCOME_FAILED) &&
	    has_alone(after, before, GS_OUTCOME_PASSED))
		return "unstable ids";
	for (size_t i = 0; i < after->nodes.n; i++) {
		const struct gs_node *node = &after->nodes.v[i];
		const struct gs_node *old = gs_run_node(before, node->id);
		if (node->outcome != GS_OUTCOME_PASSED || !old)
			continue;
		if (old->outcome == GS_OUTCOME_FAILED)
			return "failed outside the call before";
		if (old->outcome != GS_OUTCOME_PASSED)
			return "not failed before";
	}
	return "passes before";
}

static const char *nothing_kept_reason(const struct gs_run *before,
    const struct gs_run *after, const struct gs_oracle *oracle)
{
	if (after->kind != GS_RUN_COMPLETE)
		return incomplete_after[after->kind];
	if (after->nodes.n == 0)
		return after->collect_errors.n > 0 ? "cannot collect"
		                                   : "no tests";
	if (before->kind != GS_RUN_COMPLETE)
		return incomplete_before[before->kind];
	if (oracle->flips.n > 0)
		return "name did not exist";
	if (count_outcome(after, GS_OUTCOME_FAILED) > 0)
		return "fails after";
	if (after->collect_errors.n > 0)
		return "cannot collect";
	if (count_outcome(after, GS_OUTCOME_PASSED) == 0)
		return count_outcome(after, GS_OUTCOME_DUPLICATE) > 0
		           ? "duplicate ids"
		           : "skipped";
	return unflipped_reason(before, after);
}

void gs_oracle_compare(const struct gs_run *before, const struct gs_run *after,
    const struct gs_strv *introduced, struct gs_oracle *ret)
{
	*ret = (struct gs_oracle){.reason = ""};
	if (after->kind == GS_RUN_COMPLETE) {
		add_flips(before, after, introduced, ret);
		if (before->kind == GS_RUN_COMPLETE)
			add_passed_before(before, after, ret);
	}
	if (ret->kept.n == 0)
		ret->reason = nothing_kept_reason(before, after, ret);
}

void gs_oracle_release(struct gs_oracle *oracle)
{
	for (size_t i = 0; i < oracle->flips.n; i++)
		free(oracle->flips.v[i].id);
	GS_VEC_FREE(&oracle->flips);
	gs_strv_release(&oracle->kept);
	gs_strv_release(&oracle->pass_to_pass);
	gs_strv_release(&oracle->broken);
	oracle->reason = NULL;
}

static int compare_id(const void *id, const void *flip)
{
	return strcmp(id, ((const struct gs_flip *)flip)->id);
}

static const struct gs_flip *find_flip(
    const struct gs_oracle *oracle, const char *id)
{
	return oracle->flips.n ? bsearch(id, oracle->flips.v, oracle->flips.n,
	                             sizeof(*oracle->flips.v), compare_id)
	                       : NULL;
}

/* K1: it flips again, and in the same way. (O5: a hang is one in every
 * observation; and where the user asks for names that did not exist, those
 * are kept too.) */
static bool flip_agrees(const struct gs_oracle *oracle, const char *id,
    const struct gs_run *before, const struct gs_run *after,
    const struct gs_strv *introduced)
{
	enum gs_flip_kind kind;
	enum gs_failure failure;
	if (after &&
	    (after->kind != GS_RUN_COMPLETE || !gs_run_passed(after, id)))
		return false;
	if (!before)
		return true;
	const struct gs_flip *flip = find_flip(oracle, id);
	return flip && failed_before(before, id, introduced, &kind, &failure) &&
	       kind == flip->kind;
}

/* A run of the published ids alone says nothing of the others, whole files
 * do: there an id that is absent has moved (F114). */
static bool looks_at(const struct gs_run *run, const struct gs_strv *ids)
{
	if (!run || run->kind != GS_RUN_COMPLETE)
		return false;
	for (size_t i = 0; i < ids->n; i++)
		if (gs_run_node(run, ids->v[i]))
			return true;
	return false;
}

static void drop_ids(
    struct gs_strv *ids, const bool *drop, struct gs_strv *ret_flaky)
{
	for (size_t i = 0; i < ids->n; i++)
		if (drop[i])
			gs_strv_push(ret_flaky, ids->v[i]);
	gs_strv_filter(ids, drop);
}

/* The id up to its parameters, empty where it has none. */
static struct gs_str test_of(const char *id)
{
	ptrdiff_t at = gs_str_find_char(gs_str(id), '[');
	return gs_str_n(id, at > 0 ? (size_t)at : 0);
}

/* What is a race for one parameter is one for the others too, which merely
 * have not lost it yet. */
static void drop_siblings(struct gs_strv *ids, const struct gs_strv *flaky)
{
	struct gs_map tests = {0};
	GS_CLEANUP(gs_freep) bool *drop = gs_alloc(ids->n + 1);
	for (size_t i = 0; i < flaky->n; i++)
		if (test_of(flaky->v[i]).n > 0)
			gs_map_add(&tests, test_of(flaky->v[i]), NULL);
	for (size_t i = 0; i < ids->n; i++)
		drop[i] = gs_map_has(&tests, test_of(ids->v[i]));
	gs_strv_filter(ids, drop);
	gs_map_release(&tests);
}

void gs_oracle_confirm(struct gs_oracle *oracle, const struct gs_run *before,
    const struct gs_run *after, const struct gs_strv *introduced,
    struct gs_strv *ret_flaky)
{
	struct gs_strv *kept = &oracle->kept;
	struct gs_strv *passing = &oracle->pass_to_pass;
	size_t most = kept->n > passing->n ? kept->n : passing->n;
	if (most == 0)
		return;
	GS_CLEANUP(gs_freep) bool *drop = gs_alloc(most * sizeof(*drop));

	for (size_t i = 0; i < kept->n; i++)
		drop[i] =
		    !flip_agrees(oracle, kept->v[i], before, after, introduced);
	bool had_kept = kept->n > 0;
	drop_ids(kept, drop, ret_flaky);
	if (had_kept && kept->n == 0)
		oracle->reason = "flaky";

	bool at_before = looks_at(before, passing);
	bool at_after = looks_at(after, passing);
	for (size_t i = 0; i < passing->n; i++)
		drop[i] =
		    (at_before && !gs_run_passed(before, passing->v[i])) ||
		    (at_after && !gs_run_passed(after, passing->v[i]));
	drop_ids(passing, drop, ret_flaky);
	drop_siblings(passing, ret_flaky);
}

/* The id that speaks against this run, or NULL. */
static const char *failing_id(const struct gs_oracle *oracle,
    const struct gs_run *before, const struct gs_run *after)
{
	for (size_t i = 0; i < oracle->kept.n; i++)
		if (!gs_run_passed(after, oracle->kept.v[i]))
			return oracle->kept.v[i];
	for (size_t i = 0; before && i < before->nodes.n; i++) {
		const struct gs_node *node = &before->nodes.v[i];
		if (node->outcome == GS_OUTCOME_PASSED &&
		    !gs_run_passed(after, node->id))
			return node->id;
	}
	return NULL;
}

bool gs_oracle_holds(const struct gs_oracle *oracle,
    const struct gs_run *before, const struct gs_run *after,
    const char **ret_why)
{
	bool is_complete = after->kind == GS_RUN_COMPLETE;
	const char *why =
	    is_complete ? failing_id(oracle, before, after) : NULL;
	if (ret_why)
		*ret_why = why;
	return is_complete && !why;
}

char *gs_test_file_of(const struct gs_strv *ids)
{
	GS_CLEANUP(gs_map_release) struct gs_map files = {0};
	GS_CLEANUP(gs_freep)
	size_t *counts = gs_alloc((ids->n + 1) * sizeof(*counts));
	struct gs_str best = {0};
	size_t most = 0;

	for (size_t i = 0; i < ids->n; i++) {
		struct gs_str file = file_of(ids->v[i]);
		counts[gs_map_index(&files, file)]++;
	}
	for (size_t i = 0; i < files.n; i++) {
		struct gs_str file = files.entries[i].key;
		size_t n = counts[i];
		if (n > most || (n == most && gs_str_cmp(file, best) < 0)) {
			most = n;
			best = file;
		}
	}
	return gs_strndup(best.p ? best.p : "", best.n);
}

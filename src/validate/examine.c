/* SPDX-License-Identifier: Apache-2.0 */
#include "validate/examine.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "licence/licence.h"
#include "validate/assemble.h"
#include "validate/environment.h"
#include "validate/select.h"

/* Test functions that a first look must leave out to be worth two further
 * runs where it finds something. A fork's own cost is about that of so many
 * small tests (bench/validate). */
#define WORTH_SCREENING 40

/* All that is known of the candidate under examination. */
struct examination {
	struct gs_worker *worker;
	struct gs_candidate candidate;
	struct gs_observer observer;
	struct gs_strv options;      /* extra pytest options of the project */
	struct gs_selection changed; /* tests of the commit (O7) */
	const struct gs_run *full, *before;
	struct gs_oracle oracle;
	struct gs_reduction reduction;
	struct gs_strv flaky;
	struct gs_buf cheats;
};

static void examination_release(struct examination *x)
{
	gs_buf_release(&x->cheats);
	gs_strv_release(&x->flaky);
	gs_reduction_release(&x->reduction);
	gs_oracle_release(&x->oracle);
	gs_observer_release(&x->observer);
	gs_strv_release(&x->options);
	gs_selection_release(&x->changed);
	gs_candidate_release(&x->candidate);
}

/* "environment unsatisfied: yaml", with the module on its own for status. */
static void refuse_for_module(struct gs_verdict *verdict, const char *module)
{
	if (verdict->reason)
		return;
	GS_CLEANUP(gs_freep)
	char *reason = gs_format("environment unsatisfied: %s", module);
	gs_refuse(verdict, reason,
	    "The tests need the module %s, which the interpreter cannot "
	    "import.",
	    module);
	verdict->missing_module = gs_strdup(module);
}

/* SIGKILL without a limit behind it may be the test's doing, or that of a
 * machine short of memory: only a second time is it believed. */
static bool wants_repeat(const struct gs_run *run)
{
	return run->kind == GS_RUN_CRASH && run->signal == SIGKILL;
}

/* Those to try for the commit itself: all that may serve, or, later on, the
 * one that did. */
static int find_environments(struct examination *x, struct gs_env **ret,
    size_t *ret_n, struct gs_verdict *verdict, struct gs_err *err)
{
	if (!x->observer.env)
		return gs_environments_for(
		    x->worker, &x->candidate, ret, ret_n, verdict, err);
	*ret = x->observer.env;
	*ret_n = 1;
	return 0;
}

/* S2's after state before it is reduced: the commit itself. The environments
 * are tried until one takes the syntax. */
static int run_full(struct examination *x, const struct gs_attempt *attempt,
    struct gs_verdict *verdict, struct gs_err *err)
{
	struct gs_env *envs = NULL;
	size_t n_envs = 0;
	int rc = find_environments(x, &envs, &n_envs, verdict, err);
	const struct gs_state state = {
	    .name = "commit", .listing = &x->candidate.commit_tree};
	for (size_t i = 0; rc == 0 && i < n_envs; i++) {
		x->observer.env = &envs[i];
		rc = gs_observe(&x->observer, &state, attempt, &x->full, err);
		if (rc == 0 && wants_repeat(x->full))
			rc = gs_observe(
			    &x->observer, &state, attempt, &x->full, err);
		if (rc || !gs_run_wants_other_python(x->full))
			break;
	}
	if (rc || verdict->reason)
		return rc;
	/* A conftest that cannot be imported ends pytest before it begins. */
	const char *module = x->full->kind == GS_RUN_USAGE
	                         ? gs_run_lacks_module(x->full, &x->candidate)
	                         : NULL;
	if (module)
		refuse_for_module(verdict, module);
	gs_refuse_incomplete(verdict, "after", x->full);
	return 0;
}

/* Why no node passed after, when none did: what the environment lacks comes
 * before anything about the tests. */
static void explain_no_pass(struct examination *x, struct gs_verdict *verdict)
{
	for (size_t i = 0; i < x->full->nodes.n; i++)
		if (x->full->nodes.v[i].outcome == GS_OUTCOME_PASSED)
			return;
	const char *module = gs_run_lacks_module(x->full, &x->candidate);
	if (module)
		refuse_for_module(verdict, module);
	else if (gs_run_wants_other_python(x->full))
		gs_refuse(verdict, "interpreter refuses syntax",
		    "No interpreter that was tried takes the syntax of the "
		    "tests or of the code.");
}

static int run_before(struct examination *x, const struct gs_attempt *attempt,
    struct gs_verdict *verdict, struct gs_err *err)
{
	const struct gs_state state = {
	    .name = "before", .listing = &x->candidate.before};
	int rc = gs_observe_bounded(
	    &x->observer, &state, attempt, x->full, &x->before, err);
	if (rc == 0 && wants_repeat(x->before))
		rc = gs_observe_bounded(
		    &x->observer, &state, attempt, x->full, &x->before, err);
	if (rc == 0)
		gs_refuse_incomplete(verdict, "before", x->before);
	return rc;
}

static void keep_missing_names(struct gs_oracle *oracle)
{
	for (size_t i = 0; i < oracle->flips.n; i++)
		if (oracle->flips.v[i].kind == GS_FLIP_MISSING_NAME)
			gs_strv_push(&oracle->kept, oracle->flips.v[i].id);
	gs_strv_sort(&oracle->kept);
	gs_strv_uniq(&oracle->kept);
}

/* O7: a flip counts only with a changed test beside it. */
static void refuse_unchanged(
    const struct examination *x, struct gs_verdict *verdict)
{
	for (size_t i = 0; i < x->oracle.kept.n; i++)
		if (gs_selection_holds(&x->changed.tests, x->oracle.kept.v[i]))
			return;
	gs_refuse(verdict, "only unchanged tests flip",
	    "Of the %zu tests that flip the commit added or changed none, "
	    "such as %s (O7; --exhaustive takes them too).",
	    x->oracle.kept.n, x->oracle.kept.v[0]);
}

static void compare(struct examination *x, struct gs_verdict *verdict)
{
	gs_oracle_compare(
	    x->before, x->full, &x->candidate.introduced, &x->oracle);
	if (x->worker->context->options->keep_missing_names)
		keep_missing_names(&x->oracle);
	if (x->oracle.kept.n > 0) {
		refuse_unchanged(x, verdict);
		return;
	}
	const char *module = gs_run_lacks_module(x->full, &x->candidate);
	if (module && strcmp(x->oracle.reason, "passes before") != 0)
		refuse_for_module(verdict, module);
	gs_refuse(verdict, x->oracle.reason,
	    "%zu nodes after, %zu before, "
	    "none of them flips in its call phase.",
	    x->full->nodes.n, x->before->nodes.n);
}

/* L3: the published file itself. */
static void check_header(struct examination *x, struct gs_verdict *verdict)
{
	const struct gs_changed_file *file = x->reduction.file;
	const struct gs_strv *accepted = x->worker->context->options->licences;
	char detail[240] = "";
	if (!gs_licence_header_ok(
	        gs_buf_str(&file->before_bytes), accepted, detail) ||
	    !gs_licence_header_ok(
	        gs_buf_str(&file->after_bytes), accepted, detail))
		gs_refuse(verdict, "file licence conflict", "%s", detail);
}

/* What is left once both states of the commit were seen to differ. */
static int prove_and_judge(
    struct examination *x, struct gs_verdict *verdict, struct gs_err *err)
{
	int rc = gs_reduce(&x->observer, &x->oracle, x->before, x->full,
	    &x->reduction, verdict, err);
	if (rc || verdict->reason)
		return rc;
	check_header(x, verdict);
	if (!verdict->reason)
		rc = gs_prove(&x->observer, &x->reduction, &x->oracle,
		    &x->flaky, verdict, err);
	if (rc == 0 && !verdict->reason)
		rc = gs_try_cheats(&x->observer, &x->reduction, &x->oracle,
		    x->before, &x->cheats, verdict, err);
	if (rc || verdict->reason)
		return rc;
	const struct gs_findings findings = {
	    .observer = &x->observer,
	    .reduction = &x->reduction,
	    .oracle = &x->oracle,
	    .flaky = &x->flaky,
	    .cheats = gs_buf_str(&x->cheats),
	};
	return gs_assemble(&findings, verdict, err);
}

/* W5: where a changed source file defines tests, those of the fix cannot be
 * laid over the code before it. */
static void check_apart(const struct examination *x, struct gs_verdict *verdict)
{
	for (size_t i = 0; i < x->candidate.files.n; i++) {
		struct gs_str at = x->candidate.files.v[i].path;
		GS_CLEANUP(gs_freep) char *path = gs_strndup(at.p, at.n);
		if (gs_strv_has(&x->full->lenders, path))
			gs_refuse(verdict, "source and test in one file",
			    "pytest collects tests that %s defines, and the "
			    "commit changes it (W5).",
			    path);
	}
}

static int observe_both(struct examination *x, const struct gs_attempt *attempt,
    struct gs_verdict *verdict, struct gs_err *err)
{
	int rc = run_full(x, attempt, verdict, err);
	if (rc || verdict->reason)
		return rc;
	explain_no_pass(x, verdict);
	if (!verdict->reason)
		check_apart(x, verdict);
	if (verdict->reason)
		return 0;
	rc = run_before(x, attempt, verdict, err);
	if (rc == 0 && !verdict->reason)
		compare(x, verdict);
	return rc;
}

/* A first look at the changed tests alone, where looking is cheap: most
 * candidates end here. */
static int screen(
    struct examination *x, struct gs_verdict *verdict, struct gs_err *err)
{
	const struct gs_attempt first = {
	    .label = "screen", .tests = &x->changed.tests, .screens = true};
	if (!x->worker->context->options->exhaustive) {
		int rc =
		    gs_select_tests(x->worker, &x->candidate, &x->changed, err);
		if (rc)
			return rc;
	}
	if (!x->worker->warm || x->changed.tests.n == 0 ||
	    x->changed.left_out < WORTH_SCREENING)
		return 0;
	int rc = observe_both(x, &first, verdict, err);
	gs_oracle_release(&x->oracle);
	x->oracle = (struct gs_oracle){0};
	return rc;
}

static int examine(
    struct examination *x, struct gs_verdict *verdict, struct gs_err *err)
{
	const struct gs_attempt whole = {.label = "whole files"};
	int rc = screen(x, verdict, err);
	if (rc == 0 && !verdict->reason)
		rc = observe_both(x, &whole, verdict, err);
	return rc || verdict->reason ? rc : prove_and_judge(x, verdict, err);
}

/* Facts about the candidate that the lower levels report as errors. That an
 * object is not there is none: its repository may have moved, or be fetched
 * in full later. Nor is anything that git says of a mirror that is gone. */
static int refuse_for_tree(struct gs_worker *worker, const struct gs_work *work,
    struct gs_verdict *verdict, int rc, struct gs_err *err)
{
	const char *reason = rc == GS_E_LIMIT     ? "tree too large"
	                     : rc == GS_E_CORRUPT ? "unsafe tree"
	                                          : NULL;
	struct gs_err why = {0};
	if (!reason)
		return rc;
	if (gs_worker_check(worker, work, &why) < 0)
		return gs_fail(err, why.code, "%s", why.text);
	gs_refuse(verdict, reason, "%s", err->text);
	*err = (struct gs_err){0};
	return 0;
}

int gs_examine(struct gs_worker *worker, const struct gs_work *work,
    struct gs_verdict *ret, struct gs_err *err)
{
	struct examination x = {.worker = worker};
	const struct gs_validate_options *options = worker->context->options;
	const char *extra = gs_project_setting(
	    options->config, work->project_name, "pytestoption");
	if (extra)
		gs_strv_push(&x.options, extra);
	int rc = gs_worker_enter(worker, work->project, work->mirror, err);
	if (rc == 0)
		rc = gs_candidate_read(worker, work, &x.candidate, ret, err);
	if (rc == 0 && !ret->reason) {
		x.observer = (struct gs_observer){.worker = worker,
		    .candidate = &x.candidate,
		    .shims = options->shims,
		    .options = &x.options};
		rc = examine(&x, ret, err);
	}
	if (rc)
		rc = refuse_for_tree(worker, work, ret, rc, err);
	GS_CLEANUP(gs_buf_release) struct gs_buf runs = {0};
	gs_observer_write_runs(&x.observer, &runs);
	ret->runs = gs_buf_steal(&runs);
	examination_release(&x);
	/* The next candidate finds nothing of a failure of ours. */
	if (rc)
		gs_worker_leave(worker);
	return rc;
}

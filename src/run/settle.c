/* SPDX-License-Identifier: Apache-2.0 */
/* The end of an event stream: outcomes by a node's worst phase (O2), and
 * what kind of run it was (O3). */
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "run/events.h"

static enum gs_outcome outcome_of(
    const struct gs_node *node, const struct gs_events_node *seen)
{
	if (seen->n_collected > 1)
		return GS_OUTCOME_DUPLICATE;
	if (seen->rerun || seen->n_setup > 1 || seen->n_call > 1)
		return GS_OUTCOME_RERUN;
	/* Without its teardown a node has not ended, whatever came before. */
	if (!seen->n_teardown)
		return GS_OUTCOME_UNFINISHED;
	if (node->failure != GS_FAILURE_NONE)
		return GS_OUTCOME_FAILED;
	if (seen->xpass)
		return GS_OUTCOME_XPASSED;
	if (seen->xfail)
		return GS_OUTCOME_XFAILED;
	if (seen->skipped)
		return GS_OUTCOME_SKIPPED;
	return seen->passed_call ? GS_OUTCOME_PASSED : GS_OUTCOME_UNFINISHED;
}

/* Phases of a node that was never collected, or another number of items than
 * was announced: nobody but a test writes such a stream. */
static bool adds_up(const struct gs_events *events)
{
	int64_t n = 0;
	for (size_t i = 0; i < events->nodes.n; i++) {
		if (events->nodes.v[i].n_collected == 0)
			return false;
		n += events->nodes.v[i].n_collected;
	}
	return events->n_collected < 0 || events->n_collected == n ||
	       n >= GS_MAX_NODES;
}

static size_t settle_nodes(struct gs_events *events)
{
	size_t n_unfinished = 0;
	for (size_t i = 0; i < events->nodes.n; i++) {
		struct gs_node *node = &events->run->nodes.v[i];
		node->outcome = outcome_of(node, &events->nodes.v[i]);
		if (node->outcome == GS_OUTCOME_UNFINISHED)
			n_unfinished++;
		else if (node->outcome != GS_OUTCOME_FAILED)
			node->failure = GS_FAILURE_NONE;
	}
	return n_unfinished;
}

static int decide(struct gs_run *run, enum gs_run_kind kind, char *detail)
{
	run->kind = kind;
	free(run->detail);
	run->detail = detail;
	return 1;
}

/* A limit explains whatever else is odd about a run: asked first. */
static int by_limits(
    struct gs_events *events, const struct gs_run_ending *ending)
{
	struct gs_run *run = events->run;
	if (ending->end.kind == GS_END_TIMEOUT)
		return decide(run, GS_RUN_TIMEOUT,
		    gs_format("the run was ended after %lld ms",
		        (long long)ending->end.elapsed_ms));
	if (ending->memory_hit)
		return decide(run, GS_RUN_MEMORY,
		    gs_strdup("the run reached its limit of memory"));
	if (ending->processes_hit)
		return decide(run, GS_RUN_MEMORY,
		    gs_strdup("the run reached its limit of processes"));
	if (ending->disk_hit || events->no_space)
		return decide(
		    run, GS_RUN_DISK, gs_strdup("the run filled its disk"));
	if (ending->end.kind == GS_END_OUTPUT)
		return decide(run, GS_RUN_OUTPUT,
		    gs_strdup("the run printed or reported too much"));
	return 0;
}

static char *last_words(struct gs_str printed)
{
	printed = gs_str_trim(printed);
	ptrdiff_t line = gs_str_rfind_char(printed, '\n');
	if (line >= 0)
		printed = gs_str_from(printed, (size_t)line + 1);
	if (printed.n > 300)
		printed.n = 300;
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	gs_utf8_harmless(&text, printed, false);
	return gs_buf_steal(&text);
}

/* The box's init gives 128 + n for a child that died by signal n. */
static int signal_of(const struct gs_end *end)
{
	if (end->kind == GS_END_SIGNALLED)
		return end->code;
	return end->code > 128 && end->code <= 128 + 64 ? end->code - 128 : 0;
}

static int without_finish(
    struct gs_events *events, const struct gs_run_ending *ending)
{
	struct gs_run *run = events->run;
	if (run->signal)
		return decide(run, GS_RUN_CRASH,
		    gs_format("the run was ended by signal %d", run->signal));
	if (!events->started) {
		GS_CLEANUP(gs_freep) char *words = last_words(ending->printed);
		return decide(run, GS_RUN_INFRA,
		    gs_format("the run did not start: %s", words));
	}
	if (events->internal)
		return decide(run, GS_RUN_CRASH,
		    gs_format("pytest failed inside: %s", events->internal));
	if (events->has_main && events->main_status == 4) {
		GS_CLEANUP(gs_freep) char *words = last_words(ending->printed);
		return decide(run, GS_RUN_USAGE,
		    gs_format("pytest did not start: %s", words));
	}
	if (!events->has_session && !events->has_main) {
		GS_CLEANUP(gs_freep) char *words = last_words(ending->printed);
		return decide(run, GS_RUN_USAGE,
		    gs_format("pytest could not be loaded: %s", words));
	}
	return decide(run, GS_RUN_LEFT,
	    gs_format("the run left early with status %d", run->exit_code));
}

static int with_finish(
    struct gs_events *events, size_t n_unfinished, bool stop_at_first_failure)
{
	struct gs_run *run = events->run;
	int status = events->finish_status;
	bool has_failed =
	    events->n_failed_reports > 0 || run->collect_errors.n > 0;
	if (run->exit_code != status)
		return decide(run, GS_RUN_CRASH,
		    gs_format("pytest finished with %d, its process with %d",
		        status, run->exit_code));
	if (events->internal || status == 3)
		return decide(run, GS_RUN_CRASH,
		    gs_format("pytest failed inside: %s",
		        events->internal ? events->internal : "status 3"));
	if (status == 4)
		return decide(run, GS_RUN_USAGE,
		    gs_strdup("pytest refused its options or files"));
	if (events->n_collected < 0)
		return decide(run, GS_RUN_LEFT,
		    gs_strdup("the session ended while it collected"));
	if (n_unfinished && !(stop_at_first_failure && has_failed))
		return decide(run, GS_RUN_LEFT,
		    gs_format("the session ended with %zu tests to go",
		        n_unfinished));
	if (status == 2 || (status == 1) != has_failed)
		return decide(run, GS_RUN_CRASH,
		    gs_format(
		        "status %d disagrees with what was reported", status));
	return decide(run, GS_RUN_COMPLETE, NULL);
}

static int by_origin(struct gs_run *run)
{
	for (size_t i = 0; i < run->origins.n; i++) {
		const struct gs_module_origin *origin = &run->origins.v[i];
		if (origin->file && !origin->inside)
			return decide(run, GS_RUN_VOID,
			    gs_format("%s came from %s, outside the tree",
			        origin->module, origin->file));
	}
	return 0;
}

/* O4: what stood under way when the run broke off. */
static void blame_running(struct gs_events *events)
{
	struct gs_run *run = events->run;
	if (events->running < 0 || run->kind == GS_RUN_COMPLETE)
		return;
	struct gs_node *node = &run->nodes.v[events->running];
	run->running = gs_strdup(node->id);
	if (node->outcome != GS_OUTCOME_UNFINISHED)
		return;
	if (run->kind == GS_RUN_TIMEOUT)
		node->failure = GS_FAILURE_TIMEOUT;
	else if (run->kind == GS_RUN_CRASH || run->kind == GS_RUN_LEFT)
		node->failure = GS_FAILURE_CRASH;
}

void gs_events_end(struct gs_events *events, const struct gs_run_ending *ending)
{
	struct gs_run *run = events->run;
	size_t n_unfinished = settle_nodes(events);
	run->signal = signal_of(&ending->end);
	run->exit_code = ending->end.kind == GS_END_EXITED && !run->signal
	                     ? ending->end.code
	                     : -1;
	run->elapsed_ms = ending->end.elapsed_ms;

	if (by_limits(events, ending))
		;
	else if (ending->end.kind == GS_END_SIGNALLED)
		/* The box's own process: no test can reach it. */
		(void)decide(run, GS_RUN_INFRA,
		    gs_format("the sandbox was ended by signal %d",
		        ending->end.code));
	else if (events->is_broken || !adds_up(events))
		(void)decide(run, GS_RUN_CRASH,
		    gs_strdup("the event stream was tampered with"));
	else if (!events->has_finish)
		(void)without_finish(events, ending);
	else
		(void)with_finish(
		    events, n_unfinished, ending->stop_at_first_failure);
	if (run->kind == GS_RUN_COMPLETE)
		(void)by_origin(run);
	blame_running(events);
	gs_run_index(run);
}

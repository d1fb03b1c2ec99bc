/* SPDX-License-Identifier: Apache-2.0 */
#include "model/outcome.h"

#include "base/vec.h"
#include "model/names.h"

static const char *const outcome_names[] = {
    [GS_OUTCOME_UNFINISHED] = "unfinished",
    [GS_OUTCOME_PASSED] = "passed",
    [GS_OUTCOME_FAILED] = "failed",
    [GS_OUTCOME_SKIPPED] = "skipped",
    [GS_OUTCOME_XFAILED] = "xfailed",
    [GS_OUTCOME_XPASSED] = "xpassed",
    [GS_OUTCOME_DUPLICATE] = "duplicate",
    [GS_OUTCOME_RERUN] = "rerun",
};

static const char *const failure_names[] = {
    [GS_FAILURE_NONE] = "none",
    [GS_FAILURE_ASSERTION] = "assertion",
    [GS_FAILURE_EXCEPTION] = "exception",
    [GS_FAILURE_MISSING_NAME] = "missing_name",
    [GS_FAILURE_SETUP] = "setup",
    [GS_FAILURE_TEARDOWN] = "teardown",
    [GS_FAILURE_COLLECTION] = "collection",
    [GS_FAILURE_TIMEOUT] = "timeout",
    [GS_FAILURE_CRASH] = "crash",
};

static const char *const run_kind_names[] = {
    [GS_RUN_COMPLETE] = "complete",
    [GS_RUN_CRASH] = "crash",
    [GS_RUN_LEFT] = "left",
    [GS_RUN_TIMEOUT] = "timeout",
    [GS_RUN_MEMORY] = "memory",
    [GS_RUN_OUTPUT] = "output",
    [GS_RUN_DISK] = "disk",
    [GS_RUN_USAGE] = "usage",
    [GS_RUN_VOID] = "void",
    [GS_RUN_INFRA] = "infra",
};

const char *gs_outcome_name(enum gs_outcome outcome)
{
	return outcome_names[outcome];
}

const char *gs_failure_name(enum gs_failure failure)
{
	return failure_names[failure];
}

const char *gs_run_kind_name(enum gs_run_kind kind)
{
	return run_kind_names[kind];
}

bool gs_outcome_parse(const char *name, enum gs_outcome *ret)
{
	int i = gs_name_index(name, outcome_names, GS_COUNT(outcome_names));
	if (i >= 0)
		*ret = (enum gs_outcome)i;
	return i >= 0;
}

bool gs_failure_parse(const char *name, enum gs_failure *ret)
{
	int i = gs_name_index(name, failure_names, GS_COUNT(failure_names));
	if (i >= 0)
		*ret = (enum gs_failure)i;
	return i >= 0;
}

bool gs_run_kind_parse(const char *name, enum gs_run_kind *ret)
{
	int i = gs_name_index(name, run_kind_names, GS_COUNT(run_kind_names));
	if (i >= 0)
		*ret = (enum gs_run_kind)i;
	return i >= 0;
}

void gs_run_release(struct gs_run *run)
{
	for (size_t i = 0; i < run->nodes.n; i++) {
		struct gs_node *node = &run->nodes.v[i];
		free(node->id);
		free(node->exception);
		free(node->message);
		free(node->missing);
	}
	for (size_t i = 0; i < run->collect_errors.n; i++) {
		struct gs_collect_error *error = &run->collect_errors.v[i];
		free(error->id);
		free(error->exception);
		free(error->message);
		free(error->missing);
		free(error->missing_module);
	}
	for (size_t i = 0; i < run->origins.n; i++) {
		free(run->origins.v[i].module);
		free(run->origins.v[i].file);
	}
	GS_VEC_FREE(&run->nodes);
	GS_VEC_FREE(&run->collect_errors);
	GS_VEC_FREE(&run->origins);
	free(run->running);
	free(run->log);
	free(run->detail);
	gs_strv_release(&run->shims_used);
	gs_strv_release(&run->peeked);
	gs_strv_release(&run->lenders);
	gs_strv_release(&run->plugins);
	gs_map_release(&run->index);
	*run = (struct gs_run){0};
}

void gs_run_index(struct gs_run *run)
{
	gs_map_release(&run->index);
	for (size_t i = 0; i < run->nodes.n; i++) {
		struct gs_node *node = &run->nodes.v[i];
		/* O2: an id that stands for two nodes is neither passed nor
		 * failed, whichever of them is asked. */
		struct gs_node *first =
		    gs_map_get(&run->index, gs_str(node->id));
		if (!first) {
			gs_map_add(&run->index, gs_str(node->id), node);
			continue;
		}
		first->outcome = GS_OUTCOME_DUPLICATE;
		first->failure = GS_FAILURE_NONE;
		node->outcome = GS_OUTCOME_DUPLICATE;
		node->failure = GS_FAILURE_NONE;
	}
}

const struct gs_node *gs_run_node(const struct gs_run *run, const char *id)
{
	return gs_map_get(&run->index, gs_str(id));
}

bool gs_run_passed(const struct gs_run *run, const char *id)
{
	const struct gs_node *node = gs_run_node(run, id);
	return node && node->outcome == GS_OUTCOME_PASSED;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "validate/validate.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "model/verdict.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/pool.h"
#include "os/tree.h"
#include "validate/examine.h"

const char *gs_project_setting(
    const struct gs_config *config, const char *project, const char *key)
{
	if (!config)
		return NULL;
	GS_CLEANUP(gs_freep)
	char *name = gs_format("project.%s.%s", project, key);
	const char *value = NULL;
	for (size_t i = 0; i < config->n; i++)
		if (strcmp(config->v[i].key, name) == 0)
			value = config->v[i].value; /* the last one counts */
	return value;
}

/* The pool's callbacks. */

static int next_job(
    void *ctx, struct gs_buf *job, int64_t *ret_tag, struct gs_err *err)
{
	struct gs_validate_context *context = ctx;
	struct gs_work work = {0};
	if (gs_jobs_again(&context->jobs, job, ret_tag))
		return 1;
	int rc = gs_store_claim(
	    context->store, &context->options->filter, &work, err);
	if (rc > 0) {
		gs_job_write(&work, job);
		*ret_tag = work.row;
		gs_jobs_sent(&context->jobs, work.row, gs_buf_str(job));
	}
	gs_work_release(&work);
	return rc;
}

static int begin_worker(
    void *ctx, int slot, void **ret_state, struct gs_err *err)
{
	const struct gs_validate_context *context = ctx;
	GS_CLEANUP(gs_freep)
	char *dir = gs_format("%s/%d", context->slots, slot);
	int rc = gs_tree_remove(dir, err);
	if (rc == 0)
		rc = gs_dir_make(dir, 0755, err);
	if (rc)
		return rc;
	struct gs_worker *worker = gs_alloc(sizeof(*worker));
	worker->context = context;
	rc = gs_slot_open(
	    dir, &context->box, &context->options->limits, &worker->slot, err);
	if (rc) {
		free(worker);
		return rc;
	}
	if (!context->options->cold && !context->box.is_unsafe)
		worker->warm = gs_warm_new(worker->slot);
	*ret_state = worker;
	return 0;
}

static void end_worker(void *ctx, void *state)
{
	(void)ctx;
	struct gs_worker *worker = state;
	gs_worker_leave(worker);
	gs_warm_free(worker->warm);
	gs_slot_close(worker->slot);
	free(worker);
}

static int do_job(void *ctx, void *state, struct gs_str job,
    struct gs_buf *answer, struct gs_err *err)
{
	(void)ctx;
	struct gs_work work = {0};
	GS_CLEANUP(gs_verdict_release) struct gs_verdict verdict = {0};
	int rc = gs_job_parse(job, &work, err);
	if (rc == 0)
		rc = gs_examine(state, &work, &verdict, err);
	gs_work_release(&work);
	if (rc == GS_E_CANCELLED)
		return rc;
	if (rc) { /* ours, not the candidate's: it stays pending */
		free(verdict.reason);
		free(verdict.detail);
		verdict.reason = gs_strdup("infra");
		verdict.detail = gs_strdup(err->text);
		verdict.is_infra = true;
		verdict.is_record = false;
		*err = (struct gs_err){0};
	}
	gs_verdict_write(&verdict, answer);
	return 0;
}

static void count(
    struct gs_validate_context *context, const struct gs_verdict *verdict)
{
	context->progress.done++;
	context->progress.elapsed_ms = gs_clock_ms() - context->started_ms;
	context->result.examined++;
	if (verdict->is_record) {
		context->progress.records++;
		context->result.records++;
	}
	if (!verdict->is_infra)
		return;
	context->result.infra++;
	free(context->result.last_infra);
	context->result.last_infra = gs_strdup(verdict->detail);
}

static int take_answer(
    void *ctx, int64_t tag, struct gs_str answer, bool died, struct gs_err *err)
{
	struct gs_validate_context *context = ctx;
	GS_CLEANUP(gs_verdict_release) struct gs_verdict verdict = {0};
	if (died && gs_jobs_lost(&context->jobs, tag))
		return 0;
	gs_jobs_done(&context->jobs, tag);
	if (died) {
		verdict.reason = gs_strdup("infra");
		verdict.detail =
		    gs_strdup("The worker process was lost twice while it ran "
		              "this candidate.");
		verdict.is_infra = true;
	} else {
		int rc = gs_verdict_parse(answer, &verdict, err);
		if (rc)
			return rc;
	}
	count(context, &verdict);
	return gs_store_finish(context->store, tag, &verdict, err);
}

static void drop_job(void *ctx, int64_t tag)
{
	struct gs_validate_context *context = ctx;
	gs_ignore(gs_store_unclaim(context->store, tag, NULL));
}

static void tick(void *ctx)
{
	struct gs_validate_context *context = ctx;
	context->progress.elapsed_ms = gs_clock_ms() - context->started_ms;
	if (context->options->progress)
		context->options->progress(
		    context->options->ctx, &context->progress);
}

/* Setting up. */

static int probe_envs(struct gs_validate_context *context, struct gs_err *err)
{
	const struct gs_strv *pythons = context->options->pythons;
	size_t n = pythons ? pythons->n : 0;
	context->envs = gs_alloc((n + 1) * sizeof(*context->envs));
	int rc = n > 0 ? 0 : gs_env_default(&context->envs[0], err);
	if (rc == 0 && n == 0)
		context->n_envs = 1;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		rc = gs_env_system(pythons->v[i], &context->envs[i], err);
		if (rc == 0)
			context->n_envs++;
	}
	return rc;
}

static void context_release(struct gs_validate_context *context)
{
	for (size_t i = 0; i < context->n_envs; i++)
		gs_env_release(&context->envs[i]);
	free(context->envs);
	free(context->slots);
	gs_jobs_release(&context->jobs);
	gs_box_release(&context->box);
}

static int prepare(struct gs_validate_context *context, struct gs_err *err)
{
	const struct gs_validate_options *options = context->options;
	int rc = gs_box_probe(options->allow_unsafe, &context->box, err);
	if (rc == 0)
		rc = probe_envs(context, err);
	/* Absolute: the sandbox is started from another folder. */
	GS_CLEANUP(gs_freep)
	char *slots = gs_format("%s/slots", options->workspace);
	if (rc == 0)
		rc = gs_dir_make(slots, 0755, err);
	if (rc == 0)
		rc = gs_path_real(slots, &context->slots, err);
	if (rc == 0)
		rc = gs_store_count_pending(context->store, &options->filter,
		    &context->progress.total, err);
	return rc;
}

int gs_validate(struct gs_store *store,
    const struct gs_validate_options *options, struct gs_validate_result *ret,
    struct gs_err *err)
{
	struct gs_validate_context context = {
	    .store = store, .options = options, .started_ms = gs_clock_ms()};
	static const struct gs_pool_ops ops = {
	    .next = next_job,
	    .begin = begin_worker,
	    .work = do_job,
	    .end = end_worker,
	    .done = take_answer,
	    .dropped = drop_job,
	    .tick = tick,
	};
	int rc = prepare(&context, err);
	if (rc == 0 && context.progress.total > 0)
		rc = gs_pool_run(options->jobs, &ops, &context, err);
	tick(&context);
	if (rc == 0 && context.result.infra > 0 &&
	    context.result.infra == context.result.examined)
		rc = gs_fail(err, GS_E_ENVIRONMENT,
		    "not one candidate could be examined, so all stay "
		    "pending: %s",
		    context.result.last_infra);
	*ret = context.result;
	context_release(&context);
	return rc;
}

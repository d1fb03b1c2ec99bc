/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/agents.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "evaluate/agent.h"
#include "evaluate/trial.h"
#include "os/file.h"
#include "os/pool.h"
#include "os/tree.h"

struct session {
	const struct gs_tasks *tasks;
	const struct gs_agents_options *options;
	struct gs_solve_result *ret;
	struct gs_map known;
	char *slots;
	size_t next; /* of tasks times samples */
};

static bool is_known(
    const struct session *session, const char *id, int64_t sample)
{
	GS_CLEANUP(gs_freep)
	char *key = gs_format("%s\n%lld", id, (long long)sample);
	return gs_map_has(&session->known, gs_str(key));
}

static int next_job(
    void *ctx, struct gs_buf *job, int64_t *ret_tag, struct gs_err *err)
{
	struct session *session = ctx;
	size_t all = session->tasks->n * (size_t)session->options->samples;
	(void)err;
	while (session->next < all) {
		size_t at = session->next++;
		size_t task = at % session->tasks->n;
		int64_t sample = (int64_t)(at / session->tasks->n);
		if (is_known(
		        session, session->tasks->v[task].record.id, sample)) {
			session->ret->known++;
			continue;
		}
		gs_buf_addf(job, "%zu", at);
		*ret_tag = (int64_t)at;
		return 1;
	}
	return 0;
}

static int begin_worker(
    void *ctx, int slot, void **ret_state, struct gs_err *err)
{
	const struct session *session = ctx;
	const struct gs_score_options *bench = session->options->bench;
	GS_CLEANUP(gs_freep)
	char *dir = gs_format("%s/agent-%d", session->slots, slot);
	struct gs_slot *opened = NULL;
	int rc = gs_tree_remove(dir, err);
	if (rc == 0)
		rc = gs_dir_make(dir, 0755, err);
	if (rc == 0)
		rc =
		    gs_slot_open(dir, bench->box, &bench->limits, &opened, err);
	*ret_state = opened;
	return rc;
}

static void end_worker(void *ctx, void *state)
{
	(void)ctx;
	gs_slot_close(state);
}

static void write_answer(const struct session *session,
    const struct gs_task *task, int64_t sample,
    const struct gs_agent_result *result, struct gs_json *json)
{
	gs_json_put_cstr(json, "id", task->record.id);
	gs_json_put_cstr(json, "model_name_or_path", session->options->model);
	gs_json_put_int(json, "sample", sample);
	gs_json_put_int(json, "elapsed_ms", result->elapsed_ms);
	gs_json_put_str(json, "answer", gs_buf_str(&result->answer));
	gs_json_put_bool(json, "changed", result->changed);
	gs_json_put_cstr(json, "agent", result->how);
	gs_json_put_strv(json, "elsewhere", &result->elsewhere);
}

/* {"answer": the line, "log": …} or {"failure": …} */
static int do_job(void *ctx, void *state, struct gs_str job,
    struct gs_buf *answer, struct gs_err *err)
{
	const struct session *session = ctx;
	const struct gs_agents_options *options = session->options;
	size_t at = strtoull(job.p, NULL, 10);
	const struct gs_task *task = &session->tasks->v[at % session->tasks->n];
	struct gs_agent_result result = {0};
	const struct gs_agent_work work = {.task = task,
	    .env =
	        gs_env_for(task, options->bench->envs, options->bench->n_envs),
	    .command = options->command,
	    .binds = options->binds,
	    .network = options->network,
	    .timeout_ms = options->timeout_ms};
	int rc = gs_agent_run(state, &work, &result, err);
	struct gs_json json = {.out = answer};
	gs_json_begin_object(&json);
	if (rc == 0) {
		gs_json_key(&json, "answer");
		gs_json_begin_object(&json);
		write_answer(session, task, (int64_t)(at / session->tasks->n),
		    &result, &json);
		gs_json_end_object(&json);
		gs_json_put_cstr(&json, "log", result.log);
	} else {
		gs_json_put_cstr(&json, "failure", err->text);
	}
	gs_json_end_object(&json);
	gs_agent_result_release(&result);
	if (rc && rc != GS_E_CANCELLED) {
		*err = (struct gs_err){0};
		rc = 0;
	}
	return rc;
}

static int append(const char *path, const json_t *value, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf line = {0};
	char *text = json_dumps(value, JSON_COMPACT);
	gs_buf_addf(&line, "%s\n", text ? text : "{}");
	free(text);
	return gs_answers_append(path, gs_buf_str(&line), err);
}

static void fail(struct session *session, const char *why)
{
	session->ret->failed++;
	(void)snprintf(session->ret->last_failure,
	    sizeof(session->ret->last_failure), "%s", why);
}

static int take_answer(
    void *ctx, int64_t tag, struct gs_str text, bool died, struct gs_err *err)
{
	struct session *session = ctx;
	const struct gs_agents_options *options = session->options;
	(void)tag;
	session->ret->asked++;
	if (died) {
		fail(session, "the worker process was lost");
		return 0;
	}
	GS_CLEANUP(gs_json_free)
	json_t *object = gs_json_parse(text, "a worker's answer", err);
	if (!object)
		return err->code;
	const char *failure = gs_json_get_cstr(object, "failure");
	if (failure) {
		fail(session, failure);
		return 0;
	}
	session->ret->answered++;
	int rc =
	    append(options->output, json_object_get(object, "answer"), err);
	if (rc == 0 && options->log)
		rc = append(options->log, object, err);
	return rc;
}

static void tick(void *ctx)
{
	const struct session *session = ctx;
	const struct gs_score_options *bench = session->options->bench;
	if (bench->progress)
		bench->progress(bench->ctx, (size_t)session->ret->asked,
		    session->tasks->n * (size_t)session->options->samples);
}

int gs_agents(const struct gs_tasks *tasks,
    const struct gs_agents_options *options, struct gs_solve_result *ret,
    struct gs_err *err)
{
	static const struct gs_pool_ops ops = {
	    .next = next_job,
	    .begin = begin_worker,
	    .work = do_job,
	    .end = end_worker,
	    .done = take_answer,
	    .tick = tick,
	};
	struct session session = {
	    .tasks = tasks, .options = options, .ret = ret};
	*ret = (struct gs_solve_result){0};
	session.slots = gs_path_join(options->bench->workspace, "slots");
	int rc = gs_answers_known(
	    options->output, options->model, &session.known, err);
	if (rc == 0)
		rc = gs_dir_make(session.slots, 0755, err);
	if (rc == 0 && tasks->n > 0)
		rc = gs_pool_run(options->bench->jobs, &ops, &session, err);
	gs_map_release(&session.known);
	free(session.slots);
	return rc;
}

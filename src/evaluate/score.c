/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/score.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "evaluate/judge.h"
#include "os/file.h"
#include "os/pool.h"
#include "os/tree.h"

struct session {
	const struct gs_score_options *options;
	const struct gs_tasks *tasks;
	const struct gs_answers *answers;
	struct gs_results *results;
	struct gs_strv order; /* indexes of answers, as text: the jobs */
	size_t next, done;
	char *slots, *kept;
	struct gs_places places;
	size_t n_absent; /* of regrade: answers without a stored run */
};

void gs_result_release(struct gs_result *result)
{
	free(result->reason);
	free(result->suspicious);
	gs_strv_release(&result->failed);
}

void gs_results_release(struct gs_results *results)
{
	for (size_t i = 0; i < results->n; i++)
		gs_result_release(&results->v[i]);
	GS_VEC_FREE(results);
}

/* ---- results on their way from the workers ----------------------------- */

static void write_result(const struct gs_result *result, struct gs_buf *ret)
{
	struct gs_json json = {.out = ret};
	gs_json_begin_object(&json);
	gs_json_put_cstr(
	    &json, "outcome", gs_score_outcome_name(result->outcome));
	gs_json_put_cstr(&json, "reason", result->reason);
	gs_json_put_cstr(&json, "suspicious", result->suspicious);
	gs_json_put_int(&json, "f2p", result->f2p_passed);
	gs_json_put_int(&json, "p2p", result->p2p_passed);
	gs_json_put_strv(&json, "failed", &result->failed);
	gs_json_put_int(&json, "elapsed_ms", result->elapsed_ms);
	gs_json_put_bool(&json, "stored", result->from_store);
	gs_json_end_object(&json);
}

static int read_result(
    struct gs_str text, struct gs_result *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_json_free)
	json_t *object = gs_json_parse(text, "a worker's answer", err);
	if (!object)
		return err->code;
	*ret = (struct gs_result){
	    .reason = gs_strdup(gs_json_get_cstr(object, "reason")),
	    .suspicious = gs_strdup(gs_json_get_cstr(object, "suspicious")),
	    .f2p_passed = gs_json_get_int(object, "f2p", 0),
	    .p2p_passed = gs_json_get_int(object, "p2p", 0),
	    .elapsed_ms = gs_json_get_int(object, "elapsed_ms", 0),
	    .from_store = gs_json_get_bool(object, "stored", false),
	};
	gs_json_get_strv(object, "failed", &ret->failed);
	if (!gs_score_outcome_parse(
	        gs_json_get_cstr(object, "outcome"), &ret->outcome))
		return gs_fail(
		    err, GS_E_CORRUPT, "a worker's answer has no outcome");
	return 0;
}

/* ---- the pool ---------------------------------------------------------- */

static int next_job(
    void *ctx, struct gs_buf *job, int64_t *ret_tag, struct gs_err *err)
{
	struct session *session = ctx;
	(void)err;
	if (session->next >= session->order.n)
		return 0;
	const char *index = session->order.v[session->next++];
	gs_buf_addz(job, index);
	*ret_tag = strtoll(index, NULL, 10);
	return 1;
}

static int begin_worker(
    void *ctx, int slot, void **ret_state, struct gs_err *err)
{
	const struct session *session = ctx;
	GS_CLEANUP(gs_freep)
	char *dir = gs_format("%s/score-%d", session->slots, slot);
	struct gs_bench *bench = NULL;
	int rc = gs_tree_remove(dir, err);
	if (rc == 0)
		rc = gs_dir_make(dir, 0755, err);
	if (rc == 0)
		rc = gs_bench_open(dir, session->options->box,
		    &session->options->limits, &bench, err);
	*ret_state = bench;
	return rc;
}

static void end_worker(void *ctx, void *state)
{
	(void)ctx;
	gs_bench_close(state);
}

static int do_job(void *ctx, void *state, struct gs_str job,
    struct gs_buf *answer, struct gs_err *err)
{
	const struct session *session = ctx;
	const struct gs_answer *asked =
	    &session->answers->v[strtoull(job.p, NULL, 10)];
	const struct gs_judge judge = {
	    .options = session->options,
	    .bench = state,
	    .kept = session->kept,
	    .places = &session->places,
	};
	struct gs_result result = {0};
	int rc = gs_judge_answer(
	    &judge, &session->tasks->v[asked->task], asked, &result, err);
	if (rc == 0)
		write_result(&result, answer);
	gs_result_release(&result);
	return rc;
}

static int take_answer(
    void *ctx, int64_t tag, struct gs_str answer, bool died, struct gs_err *err)
{
	struct session *session = ctx;
	struct gs_result *result = &session->results->v[tag];
	session->done++;
	if (!died)
		return read_result(answer, result, err);
	*result = (struct gs_result){.outcome = GS_SCORE_INFRA,
	    .reason = gs_strdup("the worker process was lost")};
	return 0;
}

static void tick(void *ctx)
{
	const struct session *session = ctx;
	if (session->options->progress)
		session->options->progress(
		    session->options->ctx, session->done, session->answers->n);
}

static void session_release(struct session *session)
{
	gs_strv_release(&session->order);
	free(session->slots);
	free(session->kept);
}

/* Answers to one record follow each other, records of one project too: then
 * the next tree differs little from the last. */
static void order_jobs(struct session *session)
{
	for (size_t t = 0; t < session->tasks->n; t++)
		for (size_t i = 0; i < session->answers->n; i++)
			if (session->answers->v[i].task == t)
				gs_strv_pushf(&session->order, "%zu", i);
}

static int regrade_all(struct session *session, struct gs_err *err)
{
	const struct gs_judge judge = {.options = session->options,
	    .kept = session->kept,
	    .places = &session->places};
	size_t n_absent = 0;
	int rc = gs_places_open(session->kept, false, &session->places, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < session->answers->n; i++) {
		const struct gs_answer *answer = &session->answers->v[i];
		rc = gs_judge_answer(&judge, &session->tasks->v[answer->task],
		    answer, &session->results->v[i], err);
		if (rc == GS_E_NOT_FOUND)
			n_absent++;
		else if (rc)
			return rc;
	}
	if (n_absent)
		return gs_fail(err, GS_E_NOT_FOUND,
		    "%zu of %zu answers have no stored run here; score them "
		    "without --regrade first",
		    n_absent, session->answers->n);
	return 0;
}

int gs_score(const struct gs_tasks *tasks, const struct gs_answers *answers,
    const struct gs_score_options *options, struct gs_results *ret,
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
	GS_CLEANUP(session_release)
	struct session session = {.options = options,
	    .tasks = tasks,
	    .answers = answers,
	    .results = ret};
	for (size_t i = 0; i < answers->n; i++)
		(void)GS_VEC_ADD(ret);
	session.slots = gs_path_join(options->workspace, "slots");
	session.kept = gs_path_join(options->workspace, "scores");
	if (options->regrade)
		return regrade_all(&session, err);
	int rc = gs_dir_make(session.slots, 0755, err);
	if (rc == 0)
		rc = gs_dir_make(session.kept, 0755, err);
	if (rc == 0)
		rc = gs_places_open(session.kept, true, &session.places, err);
	order_jobs(&session);
	if (rc == 0 && answers->n > 0)
		rc = gs_pool_run(options->jobs, &ops, &session, err);
	tick(&session);
	return rc;
}

/* ---- self-test --------------------------------------------------------- */

static void add_answer(
    struct gs_answers *ret, const char *model, size_t task, const char *text)
{
	struct gs_answer *answer = GS_VEC_ADD(ret);
	*answer = (struct gs_answer){
	    .task = task,
	    .model = gs_arena_cstr(&ret->arena, gs_str(model)),
	    .text = gs_str(text),
	    .prompt_tokens = -1,
	    .completion_tokens = -1,
	    .elapsed_ms = -1,
	    .cost = -1,
	};
}

void gs_answers_for_self_test(
    const struct gs_tasks *tasks, struct gs_answers *ret)
{
	static const char *const models[] = {"empty", "gold", "unchanged"};
	for (size_t m = 0; m < GS_COUNT(models); m++) {
		gs_strv_push(&ret->models, models[m]);
		for (size_t i = 0; i < tasks->n; i++) {
			const struct gs_record *record = &tasks->v[i].record;
			add_answer(ret, models[m], i,
			    m == 0   ? ""
			    : m == 1 ? record->source_after
			             : record->source_before);
		}
	}
}

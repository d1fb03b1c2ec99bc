/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/judge.h"

#include <string.h>

#include "base/mem.h"
#include "evaluate/patch.h"

/* A run of ours that failed is made again so often. */
#define MAX_TRIES 3

/* One text, tried: the trial and the reason why there is none. */
struct attempt {
	struct gs_try how;
	struct gs_trial trial;
	struct gs_buf why; /* the answer is invalid */
	bool is_valid, from_store;
};

static void attempt_release(struct attempt *attempt)
{
	gs_trial_release(&attempt->trial);
	gs_buf_release(&attempt->why);
}

static int make_trial(const struct gs_judge *judge, struct attempt *attempt,
    const char *key, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf file = {0};
	int rc = gs_bench_splice(judge->bench, &attempt->how, &file,
	    &attempt->is_valid, &attempt->why, err);
	if (rc || !attempt->is_valid)
		return rc;
	for (int i = 0; i < MAX_TRIES; i++) {
		gs_trial_release(&attempt->trial);
		attempt->trial = (struct gs_trial){0};
		rc = gs_bench_run(judge->bench, &attempt->how,
		    gs_buf_str(&file), &attempt->trial, err);
		if (rc || attempt->trial.run.kind != GS_RUN_INFRA)
			break;
	}
	/* What failed on our side is never kept: the next call tries anew. */
	if (rc == 0 && attempt->trial.run.kind != GS_RUN_INFRA)
		rc = gs_kept_write(judge->kept, key, &attempt->trial, err);
	return rc;
}

static int try_answer(
    const struct gs_judge *judge, struct attempt *attempt, struct gs_err *err)
{
	char key[GS_SHA256_HEX];
	gs_kept_key(&attempt->how, judge->options->limits.timeout_ms, key);
	int rc = judge->options->fresh
	             ? 0
	             : gs_kept_read(judge->kept, key, &attempt->trial, err);
	attempt->is_valid = attempt->from_store = rc > 0;
	if (rc)
		return rc < 0 ? rc : 0;
	if (!judge->bench)
		return gs_fail(err, GS_E_NOT_FOUND, "%s has no stored run",
		    attempt->how.task->record.id);
	return make_trial(judge, attempt, key, err);
}

/* The right answer on this machine: with canaries among the tests, else at
 * the files' end (tests that count lines or look at themselves). */
static int learn_gold(const struct gs_judge *judge, const struct gs_try *like,
    struct gs_gold *ret, struct gs_err *err)
{
	for (int at_end = 0; at_end < 2; at_end++) {
		GS_CLEANUP(attempt_release)
		struct attempt gold = {.how = *like};
		gold.how.text = gs_str(like->task->record.source_after);
		gold.how.at_end = at_end;
		gs_gold_release(ret);
		int rc = try_answer(judge, &gold, err);
		if (rc)
			return rc;
		if (!gold.is_valid) {
			ret->is_known = true;
			ret->reason = gs_strdup(gs_buf_cstr(&gold.why));
			return 0;
		}
		gs_gold_learn(like->task, &gold.trial, ret);
		if (ret->holds)
			return 0;
	}
	return 0;
}

static void settle(struct gs_result *ret, const struct attempt *attempt,
    struct gs_grade *grade)
{
	ret->outcome = grade->outcome;
	ret->reason = gs_steal(&grade->reason);
	ret->failed = grade->failed;
	grade->failed = (struct gs_strv){0};
	ret->f2p_passed = (int64_t)grade->f2p_passed;
	ret->p2p_passed = (int64_t)grade->p2p_passed;
	ret->from_store = attempt->from_store;
	if (!attempt->from_store)
		ret->elapsed_ms = attempt->trial.run.elapsed_ms;
}

/* The first distribution that the record was made with and that is not, or
 * in another version, in this environment; NULL when there is none. */
static char *lacking(const struct gs_try *how)
{
	GS_CLEANUP(gs_json_free)
	json_t *then = gs_json_parse(
	    gs_str(how->task->evidence.distributions), "evidence", NULL);
	GS_CLEANUP(gs_json_free)
	json_t *now =
	    gs_json_parse(gs_str(how->env->distributions), "environment", NULL);
	const char *name;
	json_t *version;
	json_object_foreach(then, name, version)
	{
		if (!json_equal(version, json_object_get(now, name)))
			return gs_format("%s %s", name,
			    json_is_string(version) ? json_string_value(version)
			                            : "");
	}
	return NULL;
}

static void settle_infra(
    struct gs_result *ret, const struct gs_try *how, const struct gs_gold *gold)
{
	const char *reason = gold->reason ? gold->reason : "no reason is known";
	GS_CLEANUP(gs_freep) char *other = lacking(how);
	*ret = (struct gs_result){.outcome = GS_SCORE_INFRA};
	ret->reason =
	    other ? gs_format("the gold answer fails here too: %s; the record "
	                      "was made with %s, which %s does not have: name "
	                      "an interpreter that does with --python",
	                reason, other, how->env->python)
	          : gs_format("the gold answer fails here too: %s", reason);
}

/* The outcome of a valid trial, with the gold answer's help where that is
 * wanted. */
static int judge_trial(const struct gs_judge *judge, struct attempt *attempt,
    struct gs_result *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_gold_release) struct gs_gold gold = {0};
	GS_CLEANUP(gs_grade_release) struct gs_grade grade = {0};
	const struct gs_task *task = attempt->how.task;
	gs_grade_trial(task, &attempt->trial, &gold, &grade);
	if (grade.outcome == GS_SCORE_RESOLVED && !grade.needs_gold) {
		settle(ret, attempt, &grade);
		return 0;
	}
	int rc = learn_gold(judge, &attempt->how, &gold, err);
	if (rc)
		return rc;
	if (!gold.holds) {
		settle_infra(ret, &attempt->how, &gold);
		return 0;
	}
	if (gold.at_end != attempt->trial.at_end) {
		const struct gs_try how = attempt->how;
		attempt_release(attempt);
		*attempt = (struct attempt){.how = how};
		attempt->how.at_end = gold.at_end;
		rc = try_answer(judge, attempt, err);
		if (rc)
			return rc;
	}
	gs_grade_release(&grade);
	gs_grade_trial(task, &attempt->trial, &gold, &grade);
	/* Gold runs here: what the answer's run failed in is the answer's. */
	if (grade.outcome == GS_SCORE_INFRA)
		grade.outcome = GS_SCORE_UNRESOLVED;
	settle(ret, attempt, &grade);
	return 0;
}

static void refuse(struct gs_result *ret, const char *why)
{
	ret->outcome = GS_SCORE_INVALID_ANSWER;
	ret->reason = gs_strdup(why);
}

/* E1: the text that takes the span's place; false and why there is none. */
static bool text_of(const struct gs_task *task, const struct gs_answer *answer,
    struct gs_buf *ret, struct gs_buf *why)
{
	const char *empty = gs_answer_empty_reason(answer);
	if (empty) {
		gs_buf_addz(why, empty);
		return false;
	}
	if (answer->is_patch && gs_task_is_function(task)) {
		gs_buf_addz(why, "the record is a function: its answer is the "
		                 "function's text and no diff");
		return false;
	}
	if (answer->is_patch)
		return gs_patch_apply(answer->text,
		    gs_str(task->evidence.source_path),
		    gs_str(task->record.source_before), ret, why);
	gs_buf_adds(ret, answer->text);
	if (ret->p[ret->n - 1] != '\n')
		gs_buf_addc(ret, '\n');
	return true;
}

/* What keeps us from trying is ours; only a stop ends the whole. */
static int as_infra(const struct gs_judge *judge, struct gs_result *ret, int rc,
    struct gs_err *err)
{
	if (rc == 0 || rc == GS_E_CANCELLED || !judge->bench)
		return rc;
	*ret = (struct gs_result){
	    .outcome = GS_SCORE_INFRA, .reason = gs_strdup(err->text)};
	*err = (struct gs_err){0};
	return 0;
}

int gs_judge_answer(const struct gs_judge *judge, const struct gs_task *task,
    const struct gs_answer *answer, struct gs_result *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	GS_CLEANUP(attempt_release) struct attempt attempt = {0};
	if (!text_of(task, answer, &text, &attempt.why)) {
		refuse(ret, gs_buf_cstr(&attempt.why));
		return 0;
	}
	attempt.how = (struct gs_try){.task = task,
	    .env =
	        gs_env_for(task, judge->options->envs, judge->options->n_envs),
	    .text = gs_buf_str(&text),
	    .places = gs_places_of(judge->places, task->record.id)};
	int rc = try_answer(judge, &attempt, err);
	if (rc == 0 && !attempt.is_valid) {
		refuse(ret, gs_buf_cstr(&attempt.why));
		return 0;
	}
	if (rc == 0)
		rc = judge_trial(judge, &attempt, ret, err);
	rc = as_infra(judge, ret, rc, err);
	if (rc == 0)
		ret->suspicious = gs_suspicion(task, gs_buf_str(&text),
		    gs_str(task->record.source_before));
	return rc;
}

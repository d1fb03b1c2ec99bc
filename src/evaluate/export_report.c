/* SPDX-License-Identifier: Apache-2.0 */
/* Score reports in the form of SWE-bench's harness. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "evaluate/export.h"

/* Where the harness files an instance. */
enum fate {
	FATE_INCOMPLETE, /* no prediction */
	FATE_EMPTY,
	FATE_ERROR, /* did not apply, or took too long */
	FATE_INFRA,
	FATE_UNRESOLVED,
	FATE_RESOLVED,
	N_FATES,
};

static enum fate fate_of(const json_t *result)
{
	const char *outcome = gs_json_get_cstr(result, "outcome");
	const char *reason = gs_json_get_cstr(result, "reason");
	if (!outcome)
		return FATE_INCOMPLETE;
	if (strcmp(outcome, "resolved") == 0)
		return FATE_RESOLVED;
	if (strcmp(outcome, "infra") == 0)
		return FATE_INFRA;
	if (strcmp(outcome, "invalid_answer") == 0)
		return reason && strcmp(reason, "the answer is empty") == 0
		           ? FATE_EMPTY
		           : FATE_ERROR;
	return strcmp(outcome, "timeout") == 0 ? FATE_ERROR : FATE_UNRESOLVED;
}

struct filed {
	struct gs_strv ids[N_FATES];
	struct gs_strv submitted, completed, none;
	struct gs_buf reasons; /* a JSON object */
};

static void filed_release(struct filed *filed)
{
	for (int i = 0; i < N_FATES; i++)
		gs_strv_release(&filed->ids[i]);
	gs_strv_release(&filed->submitted);
	gs_strv_release(&filed->completed);
	gs_buf_release(&filed->reasons);
}

static void file_all(
    const struct gs_tasks *tasks, const json_t *report, struct filed *ret)
{
	struct gs_json reasons = {.out = &ret->reasons};
	gs_json_begin_object(&reasons);
	for (size_t i = 0; i < tasks->n; i++) {
		const struct gs_task *task = &tasks->v[i];
		GS_CLEANUP(gs_freep) char *id = gs_swebench_id(task);
		const json_t *result =
		    gs_report_result(report, task->record.id);
		enum fate fate = fate_of(result);
		gs_strv_push(&ret->ids[fate], id);
		if (fate != FATE_INCOMPLETE)
			gs_strv_push(&ret->submitted, id);
		if (fate >= FATE_INFRA)
			gs_strv_push(&ret->completed, id);
		if (fate == FATE_INFRA)
			gs_json_put_cstr(
			    &reasons, id, gs_json_get_cstr(result, "reason"));
	}
	gs_json_end_object(&reasons);
	for (int i = 0; i < N_FATES; i++)
		gs_strv_sort(&ret->ids[i]);
	gs_strv_sort(&ret->submitted);
	gs_strv_sort(&ret->completed);
}

static void put_count(
    struct gs_json *json, const char *key, const struct gs_strv *ids)
{
	gs_json_put_int(json, key, (int64_t)ids->n);
}

void gs_export_run_report(
    const struct gs_tasks *tasks, const json_t *report, struct gs_buf *ret)
{
	GS_CLEANUP(filed_release) struct filed filed = {0};
	const struct gs_strv *ids = filed.ids;
	struct gs_json json = {.out = ret, .pretty = true};
	file_all(tasks, report, &filed);
	gs_json_begin_object(&json);
	gs_json_put_int(&json, "total_instances", (int64_t)tasks->n);
	put_count(&json, "submitted_instances", &filed.submitted);
	put_count(&json, "completed_instances", &filed.completed);
	put_count(&json, "resolved_instances", &ids[FATE_RESOLVED]);
	put_count(&json, "unresolved_instances", &ids[FATE_UNRESOLVED]);
	put_count(&json, "infra_failure_instances", &ids[FATE_INFRA]);
	put_count(&json, "ambiguous_failure_instances", &filed.none);
	put_count(&json, "empty_patch_instances", &ids[FATE_EMPTY]);
	put_count(&json, "error_instances", &ids[FATE_ERROR]);
	gs_json_put_strv(&json, "completed_ids", &filed.completed);
	gs_json_put_strv(&json, "incomplete_ids", &ids[FATE_INCOMPLETE]);
	gs_json_put_strv(&json, "empty_patch_ids", &ids[FATE_EMPTY]);
	gs_json_put_strv(&json, "submitted_ids", &filed.submitted);
	gs_json_put_strv(&json, "resolved_ids", &ids[FATE_RESOLVED]);
	gs_json_put_strv(&json, "unresolved_ids", &ids[FATE_UNRESOLVED]);
	gs_json_put_strv(&json, "infra_failure_ids", &ids[FATE_INFRA]);
	gs_json_put_strv(&json, "ambiguous_failure_ids", &filed.none);
	gs_json_key(&json, "failure_reasons");
	gs_json_raw(&json, gs_buf_str(&filed.reasons));
	gs_json_put_strv(&json, "error_ids", &ids[FATE_ERROR]);
	gs_json_put_int(&json, "schema_version", 2);
	gs_json_end_object(&json);
	gs_buf_addc(ret, '\n');
}

/* ---- one instance ------------------------------------------------------ */

/* Which of the ids passed: all, all but those that the result names, or, in
 * a run that was not complete or told lies, none. */
static void put_status(struct gs_json *json, const char *key,
    const struct gs_strv *ids, const json_t *result)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv success = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv failure = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv failed = {0};
	gs_json_get_strv(result, "failed", &failed);
	gs_strv_sort(&failed);
	bool counts = failed.n > 0 || fate_of(result) == FATE_RESOLVED;
	for (size_t i = 0; i < ids->n; i++)
		gs_strv_push(counts && !gs_strv_has_sorted(&failed, ids->v[i])
		                 ? &success
		                 : &failure,
		    ids->v[i]);
	gs_json_key(json, key);
	gs_json_begin_object(json);
	gs_json_put_strv(json, "success", &success);
	gs_json_put_strv(json, "failure", &failure);
	gs_json_end_object(json);
}

void gs_export_instance_report(
    const struct gs_task *task, const json_t *result, struct gs_buf *ret)
{
	static const struct gs_strv none = {0};
	GS_CLEANUP(gs_freep) char *id = gs_swebench_id(task);
	enum fate fate = fate_of(result);
	bool was_run = fate != FATE_EMPTY && fate != FATE_ERROR;
	struct gs_json json = {.out = ret, .pretty = true};
	gs_json_begin_object(&json);
	gs_json_key(&json, id);
	gs_json_begin_object(&json);
	gs_json_put_bool(&json, "patch_is_None", false);
	gs_json_put_bool(&json, "patch_exists", fate != FATE_EMPTY);
	gs_json_put_bool(&json, "patch_successfully_applied", was_run);
	gs_json_put_bool(&json, "resolved", fate == FATE_RESOLVED);
	gs_json_put_bool(&json, "infra_failure", fate == FATE_INFRA);
	if (fate == FATE_INFRA)
		gs_json_put_cstr(&json, "infra_failure_reason",
		    gs_json_get_cstr(result, "reason"));
	if (was_run) {
		gs_json_key(&json, "tests_status");
		gs_json_begin_object(&json);
		put_status(
		    &json, "FAIL_TO_PASS", &task->record.fail_to_pass, result);
		put_status(&json, "PASS_TO_PASS", &task->evidence.pass_to_pass,
		    result);
		put_status(&json, "FAIL_TO_FAIL", &none, result);
		put_status(&json, "PASS_TO_FAIL", &none, result);
		gs_json_end_object(&json);
	}
	gs_json_end_object(&json);
	gs_json_end_object(&json);
	gs_buf_addc(ret, '\n');
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "model/verdict.h"

#include <stdlib.h>

#include "base/mem.h"

void gs_verdict_release(struct gs_verdict *verdict)
{
	free(verdict->reason);
	free(verdict->detail);
	free(verdict->missing_module);
	gs_record_release(&verdict->record);
	gs_evidence_release(&verdict->evidence);
	free(verdict->runs);
	*verdict = (struct gs_verdict){0};
}

void gs_verdict_write(const struct gs_verdict *verdict, struct gs_buf *ret)
{
	struct gs_json json = {.out = ret};
	gs_json_begin_object(&json);
	gs_json_put_bool(&json, "is_record", verdict->is_record);
	gs_json_put_bool(&json, "is_infra", verdict->is_infra);
	gs_json_put_cstr(&json, "reason", verdict->reason);
	gs_json_put_cstr(&json, "detail", verdict->detail);
	gs_json_put_cstr(&json, "missing_module", verdict->missing_module);
	if (verdict->is_record) {
		gs_json_key(&json, "record");
		gs_columns_write(&verdict->record, gs_record_columns,
		    gs_n_record_columns, &json);
		gs_json_key(&json, "evidence");
		gs_columns_write(&verdict->evidence, gs_evidence_columns,
		    gs_n_evidence_columns, &json);
	}
	/* As text, so that the store gets the bytes that were observed and
	 * nobody reads megabytes of runs to learn a reason. */
	gs_json_put_cstr(&json, "runs", verdict->runs);
	gs_json_end_object(&json);
}

static int parse_record(
    const json_t *object, struct gs_verdict *verdict, struct gs_err *err)
{
	int rc = gs_columns_parse(json_object_get(object, "record"),
	    &verdict->record, gs_record_columns, gs_n_record_columns, err);
	if (rc < 0)
		return rc;
	return gs_columns_parse(json_object_get(object, "evidence"),
	    &verdict->evidence, gs_evidence_columns, gs_n_evidence_columns,
	    err);
}

int gs_verdict_parse(
    struct gs_str json, struct gs_verdict *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_json_free)
	json_t *object = gs_json_parse(json, "the verdict", err);
	GS_CLEANUP(gs_verdict_release) struct gs_verdict verdict = {0};
	if (!object)
		return GS_E_CORRUPT;
	if (!json_is_boolean(json_object_get(object, "is_record")))
		return gs_fail(err, GS_E_CORRUPT,
		    "The verdict does not say whether it is a record.");
	verdict.is_record = gs_json_get_bool(object, "is_record", false);
	verdict.is_infra = gs_json_get_bool(object, "is_infra", false);
	verdict.reason = gs_json_get_dup(object, "reason");
	verdict.detail = gs_json_get_dup(object, "detail");
	verdict.missing_module = gs_json_get_dup(object, "missing_module");
	verdict.runs = gs_json_get_dup(object, "runs");
	if (verdict.is_record) {
		int rc = parse_record(object, &verdict, err);
		if (rc < 0)
			return rc;
	} else if (!verdict.reason) {
		return gs_fail(
		    err, GS_E_CORRUPT, "The verdict refuses without a reason.");
	}
	*ret = verdict;
	verdict = (struct gs_verdict){0};
	return 0;
}

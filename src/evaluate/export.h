/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A release, and what became of it, in other systems' forms. The fields of
 * each are written down in spec/formats/, and a test checks what is written
 * here against those.
 *
 *	jsonl          every column of both tables, one object a record
 *	swebench       rows, predictions and reports of SWE-bench's harness
 *	humanevalpack  the rows of HumanEvalFix, for records of a function
 *	harbor         a folder a task (harbor.h)
 *	inspect        the log of a score report
 *
 * What needs the record's repository says so as GS_E_NOT_FOUND.
 */
#ifndef EVALUATE_EXPORT_H
#define EVALUATE_EXPORT_H

#include "evaluate/answers.h"
#include "evaluate/task.h"

/* What a form has no place for. */
struct gs_export_note {
	const char *unfit; /* why nothing is written of the record, or NULL */
	struct gs_strv lacks; /* what is written lacks these; sentences */
};

void gs_export_note_release(struct gs_export_note *note);

void gs_export_jsonl(const struct gs_task *task, struct gs_buf *ret);

/* The instance's id: "owner__name-<12 digits of the commit>-<6 of the id>". */
char *gs_swebench_id(const struct gs_task *task);
/* Git's own hex ids stand in the patches' index lines, so that the commit can
 * be found again (gs_instances_read). Does not fit: a source that is no UTF-8
 * text. */
GS_MUST_CHECK int gs_export_swebench(const struct gs_task *task,
    struct gs_buf *ret, struct gs_export_note *ret_note, struct gs_err *err);
/* One prediction; "" where the answer is none. */
GS_MUST_CHECK int gs_export_prediction(const struct gs_task *task,
    const struct gs_answer *answer, struct gs_buf *ret, struct gs_err *err);

/* Does not fit: what is no function, and a fix that changes the function's
 * head. */
GS_MUST_CHECK int gs_export_humanevalpack(const struct gs_task *task,
    struct gs_buf *ret, struct gs_export_note *ret_note, struct gs_err *err);
/* Adds what the record's shims are, in a form that cannot carry them. */
void gs_export_note_shims(
    const struct gs_task *task, struct gs_export_note *note);

/* Of one line of a score report: the harness's report of a run, and that of
 * one instance. */
void gs_export_run_report(
    const struct gs_tasks *tasks, const json_t *report, struct gs_buf *ret);
void gs_export_instance_report(
    const struct gs_task *task, const json_t *result, struct gs_buf *ret);
/* A log with a sample for each record and sample number, and one that is
 * wrong for each record without an answer (E4); `answers` (may be NULL)
 * gives what the model said. */
void gs_export_inspect(const struct gs_tasks *tasks,
    const struct gs_answers *answers, const json_t *report, struct gs_buf *ret);

/* The result that counts of a record: the one of its first sample. */
const json_t *gs_report_result(const json_t *report, const char *id);
/* A model's name as a file's: "/" is "__", and nothing that a path is. */
char *gs_model_file_name(const char *model);

#endif

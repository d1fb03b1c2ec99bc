/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/export.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "evaluate/trees.h"

void gs_export_jsonl(const struct gs_task *task, struct gs_buf *ret)
{
	struct gs_json json = {.out = ret};
	gs_json_begin_object(&json);
	gs_json_key(&json, "record");
	gs_columns_write(
	    &task->record, gs_record_columns, gs_n_record_columns, &json);
	gs_json_key(&json, "evidence");
	gs_columns_write(
	    &task->evidence, gs_evidence_columns, gs_n_evidence_columns, &json);
	gs_json_end_object(&json);
	gs_buf_addc(ret, '\n');
}

void gs_export_note_release(struct gs_export_note *note)
{
	gs_strv_release(&note->lacks);
	note->unfit = NULL;
}

void gs_export_note_shims(
    const struct gs_task *task, struct gs_export_note *note)
{
	if (task->evidence.shims[0])
		gs_strv_pushf(&note->lacks,
		    "the shims that its tests need (%s)", task->evidence.shims);
}

char *gs_model_file_name(const char *model)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf name = {0};
	for (const char *p = model; *p; p++)
		if (*p == '/')
			gs_buf_addz(&name, "__");
		else if ((unsigned char)*p < ' ' || (p == model && *p == '.'))
			gs_buf_addc(&name, '_');
		else
			gs_buf_addc(&name, *p);
	return name.n ? gs_buf_steal(&name) : gs_strdup("unnamed");
}

const json_t *gs_report_result(const json_t *report, const char *id)
{
	const json_t *results = json_object_get(report, "results"),
	             *best = NULL;
	for (size_t i = 0; i < json_array_size(results); i++) {
		const json_t *result = json_array_get(results, i);
		const char *name = gs_json_get_cstr(result, "id");
		if (name && strcmp(name, id) == 0 &&
		    (!best || gs_json_get_int(result, "sample", 0) <
		                  gs_json_get_int(best, "sample", 0)))
			best = result;
	}
	return best;
}

/* ---- HumanEvalPack ----------------------------------------------------- */

/* A function's text in two: its head, up to the colon's line, and its body;
 * with the indentation that all lines share cut. */
struct halves {
	struct gs_buf text; /* without the indentation */
	struct gs_source source;
	struct gs_str head, body;
	const struct gs_unit *unit;
};

static void halves_release(struct halves *halves)
{
	gs_source_release(&halves->source);
	gs_buf_release(&halves->text);
}

static void outdent(struct gs_str text, struct gs_buf *ret)
{
	size_t n = 0;
	struct gs_str line;
	while (n < text.n && (text.p[n] == ' ' || text.p[n] == '\t'))
		n++;
	const char *indent = text.p;
	while (text.n && gs_str_cut(&text, '\n', &line)) {
		bool has = line.n >= n && memcmp(line.p, indent, n) == 0;
		gs_buf_adds(ret, has ? gs_str_from(line, n) : line);
		gs_buf_addc(ret, '\n');
	}
}

static bool halve(const char *text, struct halves *ret)
{
	outdent(gs_str(text), &ret->text);
	struct gs_str all = gs_buf_str(&ret->text);
	if (gs_source_parse(all, &ret->source, NULL) || ret->source.has_error ||
	    ret->source.n_units != 1 ||
	    ret->source.units[0].kind != GS_UNIT_FUNCTION)
		return false;
	ret->unit = &ret->source.units[0];
	size_t body = ret->unit->body_start;
	while (body > 0 && all.p[body - 1] != '\n')
		body--;
	/* "def f(): return 1": no line of its own. */
	if (body <= ret->unit->def_start)
		return false;
	ret->head = gs_str_sub(all, 0, body);
	ret->body = gs_str_from(all, body);
	return true;
}

/* The tests run in the project's tree only (goldset checkout): this says
 * which, for people and for who sets them up. */
static void put_test(
    const struct gs_task *task, struct gs_str file, struct gs_json *json)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf setup = {0};
	gs_buf_addf(&setup, "# in the tree of %s at %s, tests of %s:\n",
	    task->record.repo, task->record.parent, task->record.commit);
	for (size_t i = 0; i < task->record.fail_to_pass.n; i++)
		gs_buf_addf(
		    &setup, "# pytest %s\n", task->record.fail_to_pass.v[i]);
	gs_json_put_cstr(json, "import", "");
	gs_json_put_str(json, "test_setup", gs_buf_str(&setup));
	gs_json_put_str(json, "test", file);
	gs_json_put_cstr(json, "example_test", "");
}

static void put_row(const struct gs_task *task, const struct halves *before,
    const struct halves *after, struct gs_str test_file, struct gs_buf *ret)
{
	const struct gs_record *record = &task->record;
	struct gs_json json = {.out = ret};
	GS_CLEANUP(gs_buf_release) struct gs_buf prompt = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf signature = {0};
	GS_CLEANUP(gs_freep)
	char *instruction = gs_format("Mend the bug in the Python function "
	                              "`%s` of the module `%s`.",
	    record->unit, record->module);
	gs_buf_adds(&prompt, after->head);
	gs_buf_addf(&prompt, "    \"\"\" %s\n    \"\"\"\n", record->spec);
	gs_buf_adds(&signature, after->unit->name);
	gs_buf_adds(&signature, after->unit->signature);
	GS_CLEANUP(gs_freep) char *id = gs_format("Python/%s", record->id);
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "task_id", id);
	gs_json_put_str(&json, "prompt", gs_buf_str(&prompt));
	gs_json_put_str(&json, "declaration", after->head);
	gs_json_put_str(&json, "canonical_solution", after->body);
	gs_json_put_str(&json, "buggy_solution", before->body);
	gs_json_put_cstr(&json, "bug_type", "");
	gs_json_put_cstr(&json, "failure_symptoms", "");
	gs_json_put_str(&json, "entry_point", after->unit->name);
	put_test(task, test_file, &json);
	gs_json_put_str(&json, "signature", gs_buf_str(&signature));
	gs_json_put_cstr(&json, "docstring", record->spec);
	gs_json_put_cstr(&json, "instruction", instruction);
	gs_json_end_object(&json);
	gs_buf_addc(ret, '\n');
}

static int put_with_tests(const struct gs_task *task,
    const struct halves *before, const struct halves *after, struct gs_buf *ret,
    struct gs_err *err)
{
	GS_CLEANUP(gs_task_trees_release) struct gs_task_trees trees = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf file = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	int rc = gs_task_trees_open(task, &trees, err);
	if (rc == 0)
		rc = gs_task_trees_read(&trees,
		    gs_listing_find(
		        &trees.before, gs_str(task->record.test_file)),
		    &file, err);
	if (rc)
		return rc;
	gs_utf8_repair(&text, gs_buf_str(&file));
	put_row(task, before, after, gs_buf_str(&text), ret);
	return 0;
}

int gs_export_humanevalpack(const struct gs_task *task, struct gs_buf *ret,
    struct gs_export_note *ret_note, struct gs_err *err)
{
	GS_CLEANUP(halves_release) struct halves before = {0};
	GS_CLEANUP(halves_release) struct halves after = {0};
	if (!gs_task_is_function(task))
		ret_note->unfit = "it is no record of a function";
	else if (!halve(task->record.source_before, &before) ||
	         !halve(task->record.source_after, &after))
		ret_note->unfit = "its head and body cannot be told apart";
	else if (!gs_str_eq(before.head, after.head))
		ret_note->unfit = "the fix changes the function's head";
	if (ret_note->unfit)
		return 0;
	gs_export_note_shims(task, ret_note);
	return put_with_tests(task, &before, &after, ret, err);
}

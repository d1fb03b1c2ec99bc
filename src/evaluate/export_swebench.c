/* SPDX-License-Identifier: Apache-2.0 */
/* Rows and predictions of SWE-bench, as patches against the parent. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "evaluate/export.h"
#include "evaluate/trees.h"
#include "model/diff.h"

char *gs_swebench_id(const struct gs_task *task)
{
	struct gs_str name = gs_str(task->record.repo), owner = {0};
	(void)gs_str_cut(&name, '/', &owner);
	return gs_format("%.*s__%.*s-%.12s-%.6s", GS_STR_ARG(owner),
	    GS_STR_ARG(name), task->record.commit, task->record.id + 3);
}

/* ---- patches ----------------------------------------------------------- */

/* One side of a changed file; no entry: it is not there. */
struct side {
	const struct gs_entry *entry;
	struct gs_str bytes;
	struct gs_oid id;
};

static bool is_text(struct gs_str bytes)
{
	return gs_utf8_valid(bytes) &&
	       !memchr(bytes.n ? bytes.p : "", 0, bytes.n);
}

static void put_modes(
    const struct side *old, const struct side *new, struct gs_buf *ret)
{
	static const char nothing[] =
	    "0000000000000000000000000000000000000000";
	const struct gs_entry *a = old->entry, *b = new->entry;
	if (!a)
		gs_buf_addf(ret, "new file mode %06o\n", b->mode);
	else if (!b)
		gs_buf_addf(ret, "deleted file mode %06o\n", a->mode);
	else if (a->mode != b->mode)
		gs_buf_addf(
		    ret, "old mode %06o\nnew mode %06o\n", a->mode, b->mode);
	gs_buf_addf(ret, "index %s..%s", a ? old->id.hex : nothing,
	    b ? new->id.hex : nothing);
	if (a && b && a->mode == b->mode)
		gs_buf_addf(ret, " %06o", a->mode);
	gs_buf_addc(ret, '\n');
}

/* One file's part of a patch, with git's own head lines. False for bytes that
 * are no text: no text patch can carry them. */
static bool put_file(struct gs_str path, const struct side *old,
    const struct side *new, struct gs_buf *ret)
{
	struct gs_diff diff = {0};
	GS_CLEANUP(gs_freep) char *a = gs_format("a/%.*s", GS_STR_ARG(path));
	GS_CLEANUP(gs_freep) char *b = gs_format("b/%.*s", GS_STR_ARG(path));
	if (!is_text(old->bytes) || !is_text(new->bytes))
		return false;
	gs_buf_addf(ret, "diff --git %s %s\n", a, b);
	put_modes(old, new, ret);
	gs_diff(old->bytes, new->bytes, &diff);
	gs_diff_unified(&diff, old->entry ? a : "/dev/null",
	    new->entry ? b : "/dev/null", ret);
	gs_diff_release(&diff);
	return true;
}

static int read_side(struct gs_task_trees *trees, const struct gs_entry *entry,
    struct gs_buf *bytes, struct side *ret, struct gs_err *err)
{
	int rc = gs_task_trees_read(trees, entry, bytes, err);
	*ret = (struct side){.entry = entry, .bytes = gs_buf_str(bytes)};
	if (entry)
		ret->id = entry->id;
	return rc;
}

/* Links and submodules stand in no text patch either. */
static int put_change(struct gs_task_trees *trees, const struct gs_entry *a,
    const struct gs_entry *b, struct gs_buf *ret, struct gs_export_note *note,
    struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf before = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf after = {0};
	const struct gs_entry *any = a ? a : b;
	struct side old, new;
	bool is_put = false;
	int rc = 0;
	if (!any)
		return 0;
	if (gs_entry_is_file(any)) {
		rc = read_side(trees, a, &before, &old, err);
		if (rc == 0)
			rc = read_side(trees, b, &after, &new, err);
		is_put = rc == 0 && put_file(any->path, &old, &new, ret);
	}
	if (rc == 0 && !is_put)
		gs_strv_pushf(&note->lacks,
		    "%.*s of its test patch, which is no text",
		    GS_STR_ARG(any->path));
	return rc;
}

/* What the before state has over the parent: the fix's tests (S1). */
static int put_tests(struct gs_task_trees *trees, struct gs_buf *ret,
    struct gs_export_note *note, struct gs_err *err)
{
	const struct gs_listing *old = &trees->parent, *new = &trees->before;
	size_t i = 0, k = 0;
	int rc = 0;
	while (rc == 0 && (i < old->n || k < new->n)) {
		int order = i == old->n ? 1
		            : k == new->n
		                ? -1
		                : gs_str_cmp(old->v[i].path, new->v[k].path);
		const struct gs_entry *a = order <= 0 ? &old->v[i++] : NULL;
		const struct gs_entry *b = order >= 0 ? &new->v[k++] : NULL;
		if (!a || !b || a->mode != b->mode ||
		    !gs_oid_eq(&a->id, &b->id))
			rc = put_change(trees, a, b, ret, note, err);
	}
	return rc;
}

/* A text in its place, as a patch of the source; nothing when it is no
 * answer. */
static int put_text(struct gs_task_trees *trees, const struct gs_task *task,
    struct gs_str text, struct gs_buf *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf whole = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf after = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf why = {0};
	struct gs_str file = gs_buf_str(&trees->source);
	bool is_valid;
	const struct gs_entry *entry =
	    gs_listing_find(&trees->before, gs_str(task->evidence.source_path));
	gs_buf_adds(&whole, text);
	if (!gs_str_ends(text, "\n"))
		gs_buf_addc(&whole, '\n'); /* E1 */
	int rc = gs_task_splice(
	    task, file, gs_buf_str(&whole), &after, &is_valid, &why, err);
	if (rc || !is_valid || gs_str_eq(file, gs_buf_str(&after)))
		return rc;
	const struct side old = {entry, file, entry->id};
	struct side new = {.entry = entry, .bytes = gs_buf_str(&after)};
	gs_blob_id(new.bytes, &entry->id, &new.id);
	(void)put_file(entry->path, &old, &new, ret);
	return 0;
}

/* ---- rows -------------------------------------------------------------- */

/* Lists are JSON in a text, as the data sets of old have them and every
 * version of the harness reads. */
static void put_ids(
    struct gs_json *json, const char *key, const struct gs_strv *ids)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	struct gs_json list = {.out = &text};
	gs_json_strv(&list, ids);
	gs_json_put_str(json, key, gs_buf_str(&text));
}

static void put_row(const struct gs_task *task, struct gs_str fix,
    struct gs_str tests, struct gs_buf *ret)
{
	const struct gs_record *record = &task->record;
	const char *space = strrchr(task->evidence.interpreter, ' ');
	GS_CLEANUP(gs_freep) char *id = gs_swebench_id(task);
	struct gs_json json = {.out = ret};
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "repo", record->repo);
	gs_json_put_cstr(&json, "instance_id", id);
	gs_json_put_cstr(&json, "base_commit", record->parent);
	gs_json_put_str(&json, "patch", fix);
	gs_json_put_str(&json, "test_patch", tests);
	gs_json_put_cstr(&json, "problem_statement", record->spec);
	gs_json_put_cstr(&json, "hints_text", "");
	gs_json_put_cstr(&json, "created_at", record->committed_at);
	gs_json_put_cstr(&json, "version", space ? space + 1 : "");
	put_ids(&json, "FAIL_TO_PASS", &record->fail_to_pass);
	put_ids(&json, "PASS_TO_PASS", &task->evidence.pass_to_pass);
	gs_json_put_cstr(&json, "environment_setup_commit", record->parent);
	gs_json_end_object(&json);
	gs_buf_addc(ret, '\n');
}

int gs_export_swebench(const struct gs_task *task, struct gs_buf *ret,
    struct gs_export_note *ret_note, struct gs_err *err)
{
	GS_CLEANUP(gs_task_trees_release) struct gs_task_trees trees = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf fix = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf tests = {0};
	int rc = gs_task_trees_open(task, &trees, err);
	if (rc == 0)
		rc = put_text(
		    &trees, task, gs_str(task->record.source_after), &fix, err);
	if (rc == 0 && fix.n == 0)
		ret_note->unfit = "its source is no UTF-8 text";
	if (rc || ret_note->unfit)
		return rc;
	gs_export_note_shims(task, ret_note);
	rc = put_tests(&trees, &tests, ret_note, err);
	if (rc == 0)
		put_row(task, gs_buf_str(&fix), gs_buf_str(&tests), ret);
	return rc;
}

int gs_export_prediction(const struct gs_task *task,
    const struct gs_answer *answer, struct gs_buf *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_task_trees_release) struct gs_task_trees trees = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf patch = {0};
	GS_CLEANUP(gs_freep) char *id = gs_swebench_id(task);
	int rc = 0;
	if (answer->is_patch && !gs_answer_empty_reason(answer)) {
		gs_buf_adds(&patch, answer->text);
	} else if (!gs_answer_empty_reason(answer)) {
		rc = gs_task_trees_open(task, &trees, err);
		if (rc == 0)
			rc = put_text(&trees, task, answer->text, &patch, err);
	}
	if (rc)
		return rc;
	struct gs_json json = {.out = ret};
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "instance_id", id);
	gs_json_put_cstr(&json, "model_name_or_path", answer->model);
	gs_json_put_str(&json, "model_patch", gs_buf_str(&patch));
	gs_json_end_object(&json);
	gs_buf_addc(ret, '\n');
	return 0;
}

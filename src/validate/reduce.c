/* SPDX-License-Identifier: Apache-2.0 */
#include "validate/reduce.h"

#include <stdlib.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "model/diff.h"
#include "model/paths.h"

/* A way to publish the fix, to be tried. */
struct trial {
	const struct gs_changed_file *file;
	const struct gs_unit *before, *after; /* NULL: the whole file */
	size_t diff_lines;
};

struct trials {
	struct trial *v;
	size_t n, cap;
};

static struct gs_str unit_text(
    const struct gs_source *source, const struct gs_unit *unit)
{
	return gs_str_sub(source->bytes, unit->start, unit->end);
}

/* K2: units before files; each by diff size, then path, then position. */
static int by_size(const void *a, const void *b)
{
	const struct trial *x = a, *y = b;
	if (!x->after != !y->after)
		return x->after ? -1 : 1;
	if (x->diff_lines != y->diff_lines)
		return x->diff_lines < y->diff_lines ? -1 : 1;
	int order = gs_str_cmp(x->file->path, y->file->path);
	if (order || !x->after)
		return order;
	return x->after->start < y->after->start
	           ? -1
	           : x->after->start > y->after->start;
}

/* K2, K3: a function on both sides, with a docstring after, whose meaning
 * changed and which no syntax error touches. */
static bool can_stand_alone(const struct gs_unit_change *change)
{
	return change->before && change->after && !change->comments_only &&
	       change->after->kind == GS_UNIT_FUNCTION &&
	       change->after->has_docstring && change->after->docstring.n > 0 &&
	       !change->before->has_error && !change->after->has_error;
}

static void add_unit_trials(
    const struct gs_changed_file *file, struct trials *ret)
{
	if (file->is_added || file->is_deleted || file->change.unpaired)
		return;
	for (size_t i = 0; i < file->change.n; i++) {
		const struct gs_unit_change *change = &file->change.v[i];
		if (!can_stand_alone(change))
			continue;
		struct gs_diff diff = {0};
		gs_diff(unit_text(&file->before, change->before),
		    unit_text(&file->after, change->after), &diff);
		*GS_VEC_ADD(ret) = (struct trial){
		    .file = file,
		    .before = change->before,
		    .after = change->after,
		    .diff_lines = diff.added + diff.removed,
		};
		gs_diff_release(&diff);
	}
}

static void list_trials(
    const struct gs_candidate *candidate, struct trials *ret)
{
	for (size_t i = 0; i < candidate->files.n; i++) {
		const struct gs_changed_file *file = &candidate->files.v[i];
		add_unit_trials(file, ret);
		/* A file that the fix brings or takes away has no text on one
		 * side, and nothing could be asked about it. */
		if (!file->is_added && !file->is_deleted)
			*GS_VEC_ADD(ret) = (struct trial){
			    .file = file, .diff_lines = file->diff_lines};
	}
	GS_VEC_SORT(ret, by_size);
}

void gs_state_with(const struct gs_candidate *candidate,
    const struct gs_reduction *reduction, const char *name, struct gs_str text,
    struct gs_buf *file, struct gs_state *ret)
{
	struct gs_str whole = gs_buf_str(&reduction->file->before_bytes);
	gs_buf_reset(file);
	if (reduction->unit_before)
		gs_source_splice(whole, reduction->unit_before->start,
		    reduction->unit_before->end, text, file);
	else
		gs_buf_adds(file, text);
	*ret = (struct gs_state){
	    .name = name,
	    .listing = &candidate->before,
	    .overlay = {.path = reduction->file->path,
	        .bytes = gs_buf_str(file),
	        .mode = reduction->unit_before
	                    ? 0
	                    : reduction->file->new_entry->mode},
	    .has_overlay = true,
	};
}

struct gs_str gs_reduction_after(const struct gs_reduction *reduction)
{
	const struct gs_changed_file *file = reduction->file;
	return reduction->unit_after
	           ? unit_text(&file->after, reduction->unit_after)
	           : gs_buf_str(&file->after_bytes);
}

void gs_reduction_release(struct gs_reduction *reduction)
{
	gs_buf_release(&reduction->text);
	gs_buf_release(&reduction->tried);
}

static void note_trial(struct gs_json *json, const struct trial *trial,
    const struct gs_run *run, const char *why)
{
	gs_json_begin_object(json);
	gs_json_put_str(json, "path", trial->file->path);
	if (trial->after)
		gs_json_put_str(json, "unit", trial->after->qualname);
	gs_json_put_int(json, "diff_lines", (int64_t)trial->diff_lines);
	gs_json_put_cstr(json, "kind", gs_run_kind_name(run->kind));
	if (why)
		gs_json_put_cstr(json, "against", why);
	gs_json_put_bool(json, "holds", !why);
	gs_json_end_object(json);
}

/* With one changed file and prose beside it, the whole commit is that file:
 * its run was made already. */
static bool is_whole_commit(
    const struct gs_candidate *candidate, const struct trial *trial)
{
	if (trial->after || candidate->files.n != 1)
		return false;
	for (size_t i = 0; i < candidate->others.n; i++) {
		struct gs_str path = candidate->others.v[i].path;
		if (!gs_path_is_documentation(path) &&
		    !gs_path_is_changelog(path))
			return false;
	}
	return true;
}

static bool any_passed(const struct gs_run *run, const struct gs_strv *ids)
{
	for (size_t i = 0; i < ids->n; i++)
		if (gs_run_passed(run, ids->v[i]))
			return true;
	return false;
}

/* Most trials mend nothing at all, which the kept ids alone tell at once;
 * only where one of them passes is the rest worth running. */
static int run_trial(struct gs_observer *observer, const struct trial *trial,
    const struct gs_oracle *oracle, const struct gs_run *full,
    struct gs_reduction *ret, struct gs_err *err)
{
	ret->file = trial->file;
	ret->unit_before = trial->before;
	ret->unit_after = trial->after;
	gs_state_with(observer->candidate, ret, trial->after ? "unit" : "file",
	    gs_reduction_after(ret), &ret->text, &ret->after);
	if (is_whole_commit(observer->candidate, trial)) {
		ret->run = full;
		return 0;
	}
	const struct gs_attempt first = {
	    .label = "reduce", .ids = &oracle->kept};
	const struct gs_attempt whole = {.label = "reduce"};
	int rc = gs_observe(observer, &ret->after, &first, &ret->run, err);
	if (rc || (ret->run->kind == GS_RUN_COMPLETE &&
	              !any_passed(ret->run, &oracle->kept)))
		return rc;
	return gs_observe(observer, &ret->after, &whole, &ret->run, err);
}

int gs_reduce(struct gs_observer *observer, const struct gs_oracle *oracle,
    const struct gs_run *before, const struct gs_run *full,
    struct gs_reduction *ret, struct gs_verdict *verdict, struct gs_err *err)
{
	struct trials trials = {0};
	struct gs_json json = {.out = &ret->tried};
	list_trials(observer->candidate, &trials);
	gs_json_begin_array(&json);
	bool holds = false;
	const char *against = NULL;
	int rc = 0;
	for (size_t i = 0;
	     rc == 0 && !holds && i < trials.n && i < GS_MAX_REDUCTIONS; i++) {
		rc = run_trial(observer, &trials.v[i], oracle, full, ret, err);
		if (rc)
			break;
		const char *why = NULL;
		holds = gs_oracle_holds(oracle, before, ret->run, &why);
		against = why;
		note_trial(&json, &trials.v[i], ret->run,
		    holds ? NULL
		    : why ? why
		          : gs_run_kind_name(ret->run->kind));
	}
	gs_json_end_array(&json);
	if (rc == 0 && !holds && oracle->broken.n > 0)
		gs_refuse(verdict, "breaks a passing test",
		    "The commit itself breaks %zu tests that passed before, "
		    "such as %s (K2).",
		    oracle->broken.n, oracle->broken.v[0]);
	else if (rc == 0 && !holds)
		gs_refuse(verdict, "not reducible",
		    "None of the %zu changed units and files reproduces the "
		    "fix by itself (K2); against the last one speaks %s.",
		    trials.n, against ? against : "its run");
	GS_VEC_FREE(&trials);
	return rc;
}

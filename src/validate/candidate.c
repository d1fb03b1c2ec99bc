/* SPDX-License-Identifier: Apache-2.0 */
#include "validate/candidate.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "git/project.h"
#include "git/state.h"
#include "model/diff.h"
#include "model/paths.h"

void gs_refuse(
    struct gs_verdict *verdict, const char *reason, const char *fmt, ...)
{
	if (verdict->reason)
		return;
	va_list args;
	va_start(args, fmt);
	GS_CLEANUP(gs_buf_release) struct gs_buf detail = {0};
	gs_buf_vaddf(&detail, fmt, args);
	va_end(args);
	verdict->reason = gs_strdup(reason);
	verdict->detail = gs_buf_steal(&detail);
}

static void changed_file_release(struct gs_changed_file *file)
{
	gs_file_change_release(&file->change);
	gs_source_release(&file->before);
	gs_source_release(&file->after);
	gs_buf_release(&file->before_bytes);
	gs_buf_release(&file->after_bytes);
	free(file->module);
}

void gs_candidate_release(struct gs_candidate *candidate)
{
	for (size_t i = 0; i < candidate->files.n; i++)
		changed_file_release(&candidate->files.v[i]);
	GS_VEC_FREE(&candidate->files);
	GS_VEC_FREE(&candidate->others);
	GS_VEC_FREE(&candidate->tests);
	gs_commit_text_release(&candidate->commit);
	gs_commit_text_release(&candidate->parent);
	gs_listing_release(&candidate->parent_tree);
	gs_listing_release(&candidate->commit_tree);
	gs_listing_release(&candidate->before);
	gs_strv_release(&candidate->patterns);
	gs_strv_release(&candidate->import_roots);
	gs_strv_release(&candidate->test_files);
	gs_strv_release(&candidate->probe);
	gs_strv_release(&candidate->own_modules);
	gs_strv_release(&candidate->introduced);
	free(candidate->dist_name);
	free(candidate->dist_version);
	*candidate = (struct gs_candidate){0};
}

static int read_trees(struct gs_worker *worker, struct gs_candidate *candidate,
    struct gs_verdict *verdict, struct gs_err *err)
{
	const struct gs_work *work = candidate->work;
	int rc = gs_objects_commit(
	    worker->objects, work->id.hex, &candidate->commit, err);
	if (rc == 0)
		rc = gs_objects_commit(
		    worker->objects, work->parent.hex, &candidate->parent, err);
	if (rc == 0 && candidate->commit.message.n >= GS_MAX_MESSAGE)
		gs_refuse(verdict, "message too long",
		    "The commit message is longer than %zu bytes, and a spec "
		    "is never cut (K4).",
		    (size_t)GS_MAX_MESSAGE);
	if (rc == 0 && !candidate->parent.has_date)
		gs_refuse(verdict, "bad date",
		    "The parent's committer date cannot be read (W6).");
	if (rc == 0)
		rc = gs_listing_read(worker->trees, &candidate->parent.tree,
		    &candidate->parent_tree, err);
	if (rc == 0)
		rc = gs_listing_read(worker->trees, &candidate->commit.tree,
		    &candidate->commit_tree, err);
	return rc;
}

static bool holds_python(const struct gs_listing *tree, const char *folder)
{
	GS_CLEANUP(gs_freep) char *prefix = gs_format("%s/", folder);
	for (size_t i = 0; i < tree->n; i++)
		if (gs_str_starts(tree->v[i].path, prefix) &&
		    gs_str_ends(tree->v[i].path, ".py"))
			return true;
	return false;
}

/* S5: the root, then src/ or lib/ where packages live there (and where it is
 * not itself a package). */
static void find_import_roots(struct gs_candidate *candidate)
{
	static const char *const folders[] = {"src", "lib"};
	gs_strv_push(&candidate->import_roots, ".");
	for (size_t i = 0; i < GS_COUNT(folders); i++) {
		GS_CLEANUP(gs_freep)
		char *init = gs_format("%s/__init__.py", folders[i]);
		if (holds_python(&candidate->commit_tree, folders[i]) &&
		    !gs_listing_find(&candidate->commit_tree, gs_str(init)))
			gs_strv_push(&candidate->import_roots, folders[i]);
	}
}

/* The name that a path gives a module below an import root, or an empty
 * one. */
static struct gs_str top_module(struct gs_str path, const char *root)
{
	size_t n = strlen(root);
	if (strcmp(root, ".") != 0) {
		if (!gs_str_starts(path, root) || path.n <= n ||
		    path.p[n] != '/')
			return GS_STR("");
		path = gs_str_from(path, n + 1);
	}
	ptrdiff_t slash = gs_str_find_char(path, '/');
	if (slash >= 0)
		return gs_str_sub(path, 0, (size_t)slash);
	return gs_str_ends(path, ".py") ? gs_str_sub(path, 0, path.n - 3)
	                                : GS_STR("");
}

static void find_own_modules(
    const struct gs_listing *tree, struct gs_candidate *candidate)
{
	const struct gs_strv *roots = &candidate->import_roots;
	struct gs_str last = GS_STR("");
	for (size_t r = 0; r < roots->n; r++)
		for (size_t i = 0; i < tree->n; i++) {
			struct gs_str name =
			    top_module(tree->v[i].path, roots->v[r]);
			if (name.n && !gs_str_eq(name, last))
				gs_strv_push_str(&candidate->own_modules, name);
			last = name.n ? name : last;
		}
}

static int read_side(struct gs_worker *worker, const struct gs_entry *entry,
    struct gs_buf *bytes, struct gs_source *source, struct gs_err *err)
{
	if (entry) {
		int rc = gs_objects_read(worker->objects, entry->id.hex,
		    GS_MAX_PYTHON_FILE, bytes, err);
		if (rc)
			return rc;
	}
	return gs_source_parse(gs_buf_str(bytes), source, err);
}

/* W5 for one side of a changed test-side file. */
static int check_test(struct gs_worker *worker, const struct gs_entry *entry,
    struct gs_verdict *verdict, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};
	if (!gs_entry_is_file(entry))
		return 0;
	int rc = gs_objects_read(
	    worker->objects, entry->id.hex, GS_MAX_PYTHON_FILE, &bytes, err);
	if (rc == GS_E_LIMIT) {
		gs_refuse(verdict, "file too large", "%.*s: %s",
		    GS_STR_ARG(entry->path), err->text);
		*err = (struct gs_err){0};
		return 0;
	}
	if (rc == 0 && gs_str_find_char(gs_buf_str(&bytes), '\0') >= 0)
		gs_refuse(verdict, "binary source",
		    "%.*s holds a NUL byte (F062).", GS_STR_ARG(entry->path));
	return rc;
}

static int check_tests(struct gs_worker *worker,
    const struct gs_candidate *candidate, struct gs_verdict *verdict,
    struct gs_err *err)
{
	int rc = 0;
	for (size_t i = 0;
	     rc == 0 && !verdict->reason && i < candidate->tests.n; i++) {
		const struct gs_other_change *test = &candidate->tests.v[i];
		rc = check_test(worker, test->old_entry, verdict, err);
		if (rc == 0)
			rc = check_test(worker, test->new_entry, verdict, err);
	}
	return rc;
}

/* Reads one changed source file; a file over the cap refuses (W5). */
static int read_file(struct gs_worker *worker, struct gs_candidate *candidate,
    struct gs_changed_file *file, struct gs_verdict *verdict,
    struct gs_err *err)
{
	int rc = read_side(
	    worker, file->old_entry, &file->before_bytes, &file->before, err);
	if (rc == 0)
		rc = read_side(worker, file->new_entry, &file->after_bytes,
		    &file->after, err);
	if (rc == GS_E_LIMIT) {
		gs_refuse(verdict, "file too large", "%.*s: %s",
		    GS_STR_ARG(file->path), err->text);
		*err = (struct gs_err){0};
		return 0;
	}
	if (rc)
		return rc;
	if (file->before.has_nul || file->after.has_nul)
		gs_refuse(verdict, "binary source",
		    "%.*s holds a NUL byte (F062).", GS_STR_ARG(file->path));
	gs_file_change_find(&file->before, &file->after, &file->change);
	file->module = gs_module_name(file->path, &candidate->import_roots);
	struct gs_diff diff = {0};
	gs_diff(gs_buf_str(&file->before_bytes), gs_buf_str(&file->after_bytes),
	    &diff);
	file->diff_lines = diff.added + diff.removed;
	gs_diff_release(&diff);
	return 0;
}

/* What differs at one path of both trees; either entry may be NULL. */
static void take_change(struct gs_candidate *candidate,
    const struct gs_entry *before, const struct gs_entry *after)
{
	struct gs_str path = before  ? before->path
	                     : after ? after->path
	                             : GS_STR("");
	switch (gs_path_classify(path, &candidate->patterns)) {
	case GS_PATH_TEST:
		if (gs_entry_is_file(after) &&
		    gs_path_is_collected(path, &candidate->patterns))
			gs_strv_push_str(&candidate->test_files, path);
		else if (!gs_path_is_collected(path, &candidate->patterns))
			candidate->support_changed = true;
		if (gs_str_ends(path, ".py"))
			*GS_VEC_ADD(&candidate->tests) =
			    (struct gs_other_change){path, before, after};
		return;
	case GS_PATH_SOURCE:
		if ((gs_entry_is_file(before) || !before) &&
		    (gs_entry_is_file(after) || !after)) {
			struct gs_changed_file *file =
			    GS_VEC_ADD(&candidate->files);
			file->path = path;
			file->is_added = !before;
			file->is_deleted = !after;
			file->old_entry = before;
			file->new_entry = after;
			return;
		}
		break;
	case GS_PATH_OTHER:
	case GS_PATH_VENDORED:
	case GS_PATH_GENERATED:
	case GS_PATH_AUXILIARY:
		break;
	}
	if (gs_path_is_pytest_config(path))
		candidate->support_changed = true;
	else
		*GS_VEC_ADD(&candidate->others) =
		    (struct gs_other_change){path, before, after};
}

static bool same_entry(const struct gs_entry *a, const struct gs_entry *b)
{
	return a->mode == b->mode && gs_oid_eq(&a->id, &b->id);
}

/* Both trees are sorted by path: one merge finds all that differs. */
static void find_changes(struct gs_candidate *candidate)
{
	const struct gs_listing *old = &candidate->parent_tree;
	const struct gs_listing *new = &candidate->commit_tree;
	size_t i = 0, k = 0;
	while (i < old->n || k < new->n) {
		int order = i == old->n ? 1
		            : k == new->n
		                ? -1
		                : gs_str_cmp(old->v[i].path, new->v[k].path);
		const struct gs_entry *before =
		    order <= 0 ? &old->v[i++] : NULL;
		const struct gs_entry *after = order >= 0 ? &new->v[k++] : NULL;
		if (!before || !after || !same_entry(before, after))
			take_change(candidate, before, after);
	}
}

/* W5: a change of comments and layout alone is no change. */
static void check_meaning(
    struct gs_candidate *candidate, struct gs_verdict *verdict)
{
	bool is_same = true;
	for (size_t i = 0; i < candidate->files.n; i++) {
		const struct gs_changed_file *file = &candidate->files.v[i];
		struct gs_str before = gs_buf_str(&file->before_bytes);
		struct gs_str after = gs_buf_str(&file->after_bytes);
		if (file->is_added || file->is_deleted ||
		    !gs_source_same_tokens(before, after))
			is_same = false;
	}
	if (is_same)
		gs_refuse(verdict, "no semantic change",
		    "The changed source files differ in comments, docstrings "
		    "and layout only (W5).");
}

/* O4: names that stand in the after texts and in none of the before ones. */
static void find_introduced(struct gs_candidate *candidate)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv old = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv new = {0};
	for (size_t i = 0; i < candidate->files.n; i++) {
		const struct gs_changed_file *file = &candidate->files.v[i];
		gs_source_defined_names(gs_buf_str(&file->before_bytes), &old);
		gs_source_defined_names(gs_buf_str(&file->after_bytes), &new);
	}
	for (size_t i = 0; i < new.n; i++)
		if (!gs_strv_has(&old, new.v[i]))
			gs_strv_push(&candidate->introduced, new.v[i]);
	gs_strv_sort(&candidate->introduced);
	gs_strv_uniq(&candidate->introduced);
}

/* W4: a file that says that it is generated is no source; it counts among
 * the other changes. */
static void set_generated_aside(
    struct gs_candidate *candidate, struct gs_verdict *verdict)
{
	size_t kept = 0, n = candidate->files.n;
	for (size_t i = 0; i < n; i++) {
		struct gs_changed_file *file = &candidate->files.v[i];
		struct gs_str text =
		    gs_buf_str(file->is_deleted ? &file->before_bytes
		                                : &file->after_bytes);
		if (!gs_source_is_generated(text)) {
			candidate->files.v[kept++] = *file;
			continue;
		}
		*GS_VEC_ADD(&candidate->others) = (struct gs_other_change){
		    file->path, file->old_entry, file->new_entry};
		changed_file_release(file);
	}
	candidate->files.n = kept;
	if (kept == 0 && n > 0)
		gs_refuse(verdict, "generated",
		    "Every changed source file says that it is generated "
		    "(W4).");
}

static int read_files(struct gs_worker *worker, struct gs_candidate *candidate,
    struct gs_verdict *verdict, struct gs_err *err)
{
	if (candidate->files.n == 0 || candidate->test_files.n == 0)
		gs_refuse(verdict,
		    candidate->files.n ? "no test added or modified"
		                       : "no source change",
		    "Nothing is left to run once symbolic links and other "
		    "kinds of entry are taken out.");
	int rc = check_tests(worker, candidate, verdict, err);
	for (size_t i = 0;
	     rc == 0 && !verdict->reason && i < candidate->files.n; i++) {
		struct gs_changed_file *file = &candidate->files.v[i];
		rc = read_file(worker, candidate, file, verdict, err);
	}
	if (rc || verdict->reason)
		return rc;
	set_generated_aside(candidate, verdict);
	for (size_t i = 0; i < candidate->files.n; i++)
		if (candidate->files.v[i].module)
			gs_strv_push(
			    &candidate->probe, candidate->files.v[i].module);
	return 0;
}

int gs_candidate_read(struct gs_worker *worker, const struct gs_work *work,
    struct gs_candidate *ret, struct gs_verdict *verdict, struct gs_err *err)
{
	ret->work = work;
	int rc = read_trees(worker, ret, verdict, err);
	if (rc == 0 && !verdict->reason)
		rc = gs_state_patterns(
		    worker->objects, &ret->commit_tree, &ret->patterns, err);
	if (rc || verdict->reason)
		return rc;
	gs_state_before(
	    &ret->parent_tree, &ret->commit_tree, &ret->patterns, &ret->before);
	find_import_roots(ret);
	find_own_modules(&ret->commit_tree, ret);
	find_own_modules(&ret->parent_tree, ret);
	gs_strv_sort(&ret->own_modules);
	gs_strv_uniq(&ret->own_modules);
	find_changes(ret);
	rc = read_files(worker, ret, verdict, err);
	if (rc || verdict->reason)
		return rc;
	check_meaning(ret, verdict);
	if (verdict->reason)
		return 0;
	find_introduced(ret);
	return gs_project_identity(worker->objects, &ret->before,
	    &ret->dist_name, &ret->dist_version, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/trial.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/vec.h"
#include "evaluate/trees.h"
#include "git/materialise.h"
#include "model/paths.h"
#include "os/fd.h"
#include "os/tree.h"

/* Test files that get canaries: all with a flipping test, up to these. */
#define MAX_PLANTED 8

struct gs_bench {
	struct gs_slot *slot;
	/* Of the project at hand: */
	char *mirror;
	struct gs_objects *objects;
	struct gs_tree_cache *trees;
	struct gs_workdir *workdir;
	/* Of the record at hand: */
	const struct gs_task *task;
	struct gs_task_state state;
	struct gs_buf source; /* the file to mend, as it was */
};

int gs_bench_open(const char *dir, const struct gs_box *box,
    const struct gs_box_limits *limits, struct gs_bench **ret,
    struct gs_err *err)
{
	struct gs_bench *bench = gs_alloc(sizeof(*bench));
	int rc = gs_slot_open(dir, box, limits, &bench->slot, err);
	if (rc) {
		free(bench);
		return rc;
	}
	*ret = bench;
	return 0;
}

static void leave_task(struct gs_bench *bench)
{
	bench->task = NULL;
	gs_task_state_release(&bench->state);
	gs_buf_release(&bench->source);
}

static void leave_project(struct gs_bench *bench)
{
	leave_task(bench);
	gs_workdir_close(bench->workdir);
	gs_tree_cache_free(bench->trees);
	gs_objects_close(bench->objects);
	free(bench->mirror);
	bench->workdir = NULL;
	bench->trees = NULL;
	bench->objects = NULL;
	bench->mirror = NULL;
}

void gs_bench_close(struct gs_bench *bench)
{
	if (!bench)
		return;
	leave_project(bench);
	gs_slot_close(bench->slot);
	free(bench);
}

static int enter_project(
    struct gs_bench *bench, const char *mirror, struct gs_err *err)
{
	if (bench->mirror && strcmp(bench->mirror, mirror) == 0)
		return 0;
	leave_project(bench);
	/* What another project left is not known to this one's workdir. */
	int rc = gs_tree_empty(gs_slot_tree(bench->slot), err);
	if (rc == 0)
		rc = gs_objects_open(mirror, &bench->objects, err);
	if (rc)
		return rc;
	bench->trees = gs_tree_cache_new(bench->objects);
	bench->mirror = gs_strdup(mirror);
	return gs_workdir_open(gs_slot_tree(bench->slot),
	    gs_slot_owner(bench->slot), bench->objects, &bench->workdir, err);
}

static int enter_task(
    struct gs_bench *bench, const struct gs_task *task, struct gs_err *err)
{
	if (!task->mirror)
		return gs_fail(err, GS_E_NOT_FOUND, "%s",
		    task->lacking ? task->lacking : "there is no repository");
	int rc = enter_project(bench, task->mirror, err);
	if (rc || bench->task == task)
		return rc;
	leave_task(bench);
	rc = gs_task_state_read(
	    bench->objects, bench->trees, task, &bench->state, err);
	if (rc)
		return rc;
	const char *path = task->evidence.source_path;
	const struct gs_entry *entry =
	    gs_listing_find(&bench->state.before, gs_str(path));
	if (!entry)
		return gs_fail(err, GS_E_CORRUPT, "%s is not in the tree of %s",
		    path, task->record.parent);
	rc = gs_objects_read(bench->objects, entry->id.hex, GS_MAX_PYTHON_FILE,
	    &bench->source, err);
	if (rc == 0)
		bench->task = task;
	return rc;
}

/* ---- the answer in its place ------------------------------------------- */

int gs_bench_splice(struct gs_bench *bench, const struct gs_try *attempt,
    struct gs_buf *ret, bool *ret_valid, struct gs_buf *ret_why,
    struct gs_err *err)
{
	int rc = enter_task(bench, attempt->task, err);
	return rc ? rc
	          : gs_task_splice(attempt->task, gs_buf_str(&bench->source),
	                attempt->text, ret, ret_valid, ret_why, err);
}

/* ---- the run ----------------------------------------------------------- */

/* The files that are laid over the before state. */
struct layers {
	struct gs_overlay v[1 + MAX_PLANTED];
	struct gs_buf planted[MAX_PLANTED];
	size_t n; /* overlays; the first is the source */
};

static void layers_release(struct layers *layers)
{
	for (size_t i = 0; i < MAX_PLANTED; i++)
		gs_buf_release(&layers->planted[i]);
}

static uint64_t new_seed(void)
{
	uint64_t seed = 0;
	ssize_t n = getrandom(&seed, sizeof(seed), 0);
	(void)n;
	return seed;
}

static int plant(struct gs_bench *bench, const struct gs_try *attempt,
    const struct gs_entry *entry, struct layers *layers, struct gs_trial *trial,
    struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};
	struct gs_buf *planted = &layers->planted[layers->n - 1];
	int rc = gs_objects_read(
	    bench->objects, entry->id.hex, 4 * GS_MAX_PYTHON_FILE, &bytes, err);
	if (rc)
		return rc;
	const struct gs_canary_request request = {
	    .path = entry->path,
	    .file = gs_buf_str(&bytes),
	    .ids = &attempt->task->record.fail_to_pass,
	    .others = &attempt->task->evidence.pass_to_pass,
	    .seed = new_seed(),
	    .places = attempt->places,
	    .at_end = attempt->at_end,
	};
	rc = gs_canaries_plant(&request, &trial->canaries, planted, err);
	if (rc == 0)
		layers->v[layers->n++] = (struct gs_overlay){
		    .path = entry->path, .bytes = gs_buf_str(planted)};
	return rc;
}

/* Canaries go into each file that holds a flipping test. */
static int plant_all(struct gs_bench *bench, const struct gs_try *attempt,
    struct layers *layers, struct gs_trial *trial, struct gs_err *err)
{
	const struct gs_strv *ids = &attempt->task->record.fail_to_pass;
	GS_CLEANUP(gs_strv_release) struct gs_strv files = {0};
	int rc = 0;
	for (size_t i = 0; i < ids->n; i++) {
		struct gs_str end = gs_str(ids->v[i]);
		ptrdiff_t colons = gs_str_find(end, GS_STR("::"));
		gs_strv_push_str(&files,
		    colons < 0 ? end : gs_str_sub(end, 0, (size_t)colons));
	}
	gs_strv_sort(&files);
	gs_strv_uniq(&files);
	for (size_t i = 0; rc == 0 && i < files.n && layers->n <= MAX_PLANTED;
	     i++) {
		const struct gs_entry *entry =
		    gs_listing_find(&bench->state.before, gs_str(files.v[i]));
		if (entry)
			rc = plant(bench, attempt, entry, layers, trial, err);
	}
	return rc;
}

/* The file's bytes as the run left them; empty when it is none any more. A
 * link or a FIFO that stands there now is not followed and not waited for. */
static void read_left(int dir_fd, const char *path, struct gs_buf *ret)
{
	struct stat st;
	GS_CLEANUP(gs_closep)
	int fd = openat(dir_fd, path,
	    O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
	    st.st_size <= (off_t)(4 * GS_MAX_PYTHON_FILE))
		gs_ignore(gs_fd_read(fd, ret, NULL));
}

static bool is_watched(struct gs_str path, const struct gs_task *task)
{
	ptrdiff_t slash = gs_str_rfind_char(path, '/');
	return gs_str_is(
	           gs_str_from(path, (size_t)(slash + 1)), "conftest.py") ||
	       gs_path_is_pytest_config(path) ||
	       gs_strv_has(&task->evidence.test_files, path.p);
}

/* Files that decide what the tests are, and are not what was laid down. */
static void find_touched(struct gs_bench *bench, const struct gs_task *task,
    const struct layers *layers, struct gs_strv *ret)
{
	GS_CLEANUP(gs_closep)
	int dir_fd =
	    open(gs_slot_tree(bench->slot), O_PATH | O_DIRECTORY | O_CLOEXEC);
	for (size_t i = 0; i < bench->state.before.n; i++) {
		const struct gs_entry *entry = &bench->state.before.v[i];
		if ((entry->mode & 0170000) != 0100000 ||
		    !is_watched(entry->path, task))
			continue;
		GS_CLEANUP(gs_buf_release) struct gs_buf left = {0};
		read_left(dir_fd, entry->path.p, &left);
		struct gs_oid want = entry->id, have;
		for (size_t k = 1; k < layers->n; k++)
			if (gs_str_eq(layers->v[k].path, entry->path))
				gs_blob_id(
				    layers->v[k].bytes, &entry->id, &want);
		gs_blob_id(gs_buf_str(&left), &entry->id, &have);
		if (!gs_oid_eq(&want, &have))
			gs_strv_push_str(ret, entry->path);
	}
}

static int run(struct gs_bench *bench, const struct gs_try *attempt,
    struct gs_run *ret, struct gs_err *err)
{
	const struct gs_task *task = attempt->task;
	GS_CLEANUP(gs_strv_release) struct gs_strv probe = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv options = {0};
	struct gs_run_spec spec = {
	    .env = attempt->env,
	    .files = &task->evidence.test_files,
	    .import_roots = &task->evidence.import_roots,
	    .probe = &probe,
	    .options = &options,
	    .guarded = &task->evidence.test_files,
	    .dist_name = bench->state.dist_name,
	    .dist_version = bench->state.dist_version,
	};
	if (task->record.module[0])
		gs_strv_push(&probe, task->record.module);
	if (task->pytest_option)
		gs_strv_push(&options, task->pytest_option);
	int rc = gs_shim_parse(task->evidence.shims, &spec.shims, err);
	return rc ? rc : gs_run_cold(bench->slot, &spec, ret, err);
}

int gs_bench_run(struct gs_bench *bench, const struct gs_try *attempt,
    struct gs_str file, struct gs_trial *ret, struct gs_err *err)
{
	GS_CLEANUP(layers_release) struct layers layers = {.n = 1};
	layers.v[0] = (struct gs_overlay){
	    .path = gs_str(attempt->task->evidence.source_path), .bytes = file};
	ret->at_end = attempt->at_end;
	int rc = enter_task(bench, attempt->task, err);
	if (rc == 0)
		rc = plant_all(bench, attempt, &layers, ret, err);
	if (rc == 0)
		rc = gs_workdir_reset(bench->workdir, &bench->state.before,
		    layers.v, layers.n, err);
	if (rc == 0)
		rc = run(bench, attempt, &ret->run, err);
	if (rc == 0)
		find_touched(bench, attempt->task, &layers, &ret->touched);
	return rc;
}

/* ---- interpreters ------------------------------------------------------ */

/* How well an environment is the one that the record was made in: 3 the very
 * same things can be imported, 2 the same version of Python, 1 the same minor
 * one. */
static int nearness(const struct gs_task *task, const struct gs_env *env)
{
	const char *space = strrchr(task->evidence.interpreter, ' ');
	struct gs_str want =
	    gs_str(space ? space + 1 : task->evidence.interpreter);
	struct gs_str have = gs_str(env->python_version);
	ptrdiff_t dot = gs_str_rfind_char(want, '.');
	struct gs_str minor =
	    dot < 0 ? want : gs_str_sub(want, 0, (size_t)dot + 1);
	if (gs_str_eq(have, want))
		return gs_env_is_of(env, task) ? 3 : 2;
	return have.n >= minor.n &&
	       gs_str_eq(gs_str_sub(have, 0, minor.n), minor);
}

bool gs_env_is_of(const struct gs_env *env, const struct gs_task *task)
{
	return strcmp(env->distributions, task->evidence.distributions) == 0;
}

const struct gs_env *gs_env_for(
    const struct gs_task *task, const struct gs_env *envs, size_t n)
{
	const struct gs_env *best = &envs[0];
	int most = nearness(task, best);
	for (size_t i = 1; i < n; i++) {
		int near = nearness(task, &envs[i]);
		if (near > most)
			best = &envs[i];
		most = near > most ? near : most;
	}
	return best;
}

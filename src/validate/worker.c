/* SPDX-License-Identifier: Apache-2.0 */
#include "validate/worker.h"

#include "base/mem.h"
#include "os/file.h"
#include "os/tree.h"

void gs_worker_leave(struct gs_worker *worker)
{
	gs_workdir_close(worker->workdir);
	gs_tree_cache_free(worker->trees);
	gs_objects_close(worker->objects);
	gs_env_release(&worker->venv);
	worker->workdir = NULL;
	worker->trees = NULL;
	worker->objects = NULL;
	worker->project = 0;
}

/* HEAD is the first thing that git asks of a repository. */
static int check_mirror(const char *path, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *head = gs_path_join(path, "HEAD");

	if (gs_path_exists(head))
		return 0;
	return gs_fail(err, GS_E_NOT_FOUND,
	    "the mirror %s is gone: goldset add with the same repository makes "
	    "it again",
	    path);
}

int gs_worker_check(
    struct gs_worker *worker, const struct gs_work *work, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *path =
	    gs_mirror_path(worker->context->options->workspace, work->mirror);
	struct gs_object_info info;
	int rc = check_mirror(path, err);

	if (rc == 0 && worker->objects)
		rc = gs_objects_info(worker->objects, work->id.hex, &info, err);
	return rc;
}

int gs_worker_enter(struct gs_worker *worker, int64_t project,
    const char *mirror, struct gs_err *err)
{
	if (worker->project == project)
		return 0;
	gs_worker_leave(worker);
	GS_CLEANUP(gs_freep)
	char *path =
	    gs_mirror_path(worker->context->options->workspace, mirror);
	int rc = check_mirror(path, err);
	if (rc == 0)
		rc = gs_objects_open(path, &worker->objects, err);
	if (rc)
		return rc;
	worker->trees = gs_tree_cache_new(worker->objects);
	rc = gs_tree_empty(gs_slot_tree(worker->slot), err);
	if (rc == 0)
		rc = gs_workdir_open(gs_slot_tree(worker->slot),
		    gs_slot_owner(worker->slot), worker->objects,
		    &worker->workdir, err);
	if (rc == 0)
		worker->project = project;
	else
		gs_worker_leave(worker);
	return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/harbor_shims.h"

#include <string.h>

#include "base/mem.h"
#include "git/project.h"
#include "os/file.h"
#include "run/kit.h"
#include "run/run.h"
#include "run/shim.h"

extern const char gs_text_harbor_pytest_py[];

bool gs_harbor_needs_shims(const struct gs_task *task)
{
	return task->evidence.shims[0] != '\0';
}

static int put(
    const char *dir, const char *name, struct gs_str text, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *path = gs_path_join(dir, name);
	return gs_file_write(path, text, 0644, err);
}

/* The shim's file, as runs have it. */
static int put_shim(const char *dir, struct gs_str name, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *file = gs_format("goldset_shim_%.*s.py", GS_STR_ARG(name));
	for (size_t i = 0; i < gs_kit_n_files; i++)
		if (strcmp(gs_kit_files[i].name, file) == 0)
			return put(
			    dir, file, gs_str(gs_kit_files[i].text), err);
	return gs_fail(
	    err, GS_E_CORRUPT, "there is no shim %.*s", GS_STR_ARG(name));
}

/* Of an older release a name may be none of ours. */
static int wanted(const struct gs_task *task, bool has_project,
    struct gs_strv *ret, struct gs_err *err)
{
	unsigned shims = 0;
	int rc = gs_shim_parse(task->evidence.shims, &shims, err);
	GS_CLEANUP(gs_freep) char *names = gs_shim_names(shims);
	struct gs_str rest = gs_str(names), name;
	while (rc == 0 && rest.n && gs_str_cut(&rest, ',', &name))
		if (has_project || !gs_str_is(name, "distribution"))
			gs_strv_push_str(ret, name);
	return rc;
}

static int put_list(const char *dir, const struct gs_strv *shims,
    const char *project, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	struct gs_json json = {.out = &text};
	gs_json_begin_object(&json);
	gs_json_put_strv(&json, "shims", shims);
	gs_json_put_cstr(&json, "project", project);
	gs_json_end_object(&json);
	gs_buf_addc(&text, '\n');
	return put(dir, "shims.json", gs_buf_str(&text), err);
}

static int put_distribution(
    const char *dir, const char *name, const char *version, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *dist = gs_path_join(dir, "dist");
	int rc = gs_dir_make(dist, 0755, err);
	return rc ? rc : gs_shim_write_distribution(dist, name, version, err);
}

int gs_harbor_put_shims(const struct gs_task *task,
    const struct gs_task_trees *trees, const char *dir, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *name = NULL;
	GS_CLEANUP(gs_freep) char *version = NULL;
	GS_CLEANUP(gs_strv_release) struct gs_strv shims = {0};
	if (!gs_harbor_needs_shims(task))
		return 0;
	int rc = gs_project_identity(
	    trees->objects, &trees->before, &name, &version, err);
	if (rc == 0)
		rc = wanted(task, name != NULL, &shims, err);
	if (rc == 0)
		rc = gs_dir_make(dir, 0755, err);
	for (size_t i = 0; rc == 0 && i < shims.n; i++)
		rc = put_shim(dir, gs_str(shims.v[i]), err);
	if (rc == 0 && gs_strv_has(&shims, "distribution"))
		rc = put_distribution(dir, name, version, err);
	if (rc == 0)
		rc = put_list(dir, &shims, name, err);
	return rc ? rc
	          : put(dir, GS_HARBOR_PYTEST, gs_str(gs_text_harbor_pytest_py),
	                err);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "git/tips.h"

#include "base/buf.h"
#include "base/limits.h"
#include "base/mem.h"
#include "git/command.h"
#include "git/mirror.h"
#include "git/objects.h"
#include "git/refs.h"
#include "model/change.h"
#include "os/file.h"

#define MAX_SHALLOW_FILE (64 * GS_MIB)

static void keep_ids(struct gs_str text, struct gs_strv *ret)
{
	struct gs_str line;
	struct gs_oid id;

	while (gs_str_cut(&text, '\n', &line))
		if (gs_oid_parse(line, &id))
			gs_strv_push(ret, id.hex);
	gs_strv_sort(ret);
	gs_strv_uniq(ret);
}

int gs_commits_present(const char *mirror, const struct gs_strv *ids,
    struct gs_strv *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv valid = {0};
	struct gs_objects *objects = NULL;
	struct gs_oid id;
	int rc;

	for (size_t i = 0; i < ids->n; i++)
		if (gs_oid_parse(gs_str(ids->v[i]), &id))
			gs_strv_push(&valid, id.hex);
	if (valid.n == 0)
		return 0;
	rc = gs_objects_open(mirror, &objects, err);
	if (rc)
		return rc;
	rc = gs_objects_commits(objects, &valid, ret, err);
	gs_objects_close(objects);
	return rc;
}

int gs_mirror_holds_any(
    const char *path, const struct gs_strv *ids, bool *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv found = {0};
	int rc = gs_commits_present(path, ids, &found, err);

	if (rc == 0)
		*ret = found.n > 0;
	return rc;
}

/* What the refs name. The mirror is ours, and its refs are files: read here,
 * they cost no process. */
static int read_refs(const char *path, struct gs_strv *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_refs_release) struct gs_refs refs = {0};
	int rc = gs_refs_read(path, &refs, err);

	if (rc == 0)
		gs_refs_ids(&refs, ret);
	return rc;
}

int gs_objects_tips(struct gs_objects *objects, const char *path,
    struct gs_strv *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv ids = {0};
	int rc = read_refs(path, &ids, err);

	if (rc == 0)
		rc = gs_objects_commits(objects, &ids, ret, err);
	if (rc == 0 && ret->n == 0 && ids.n > 0)
		return gs_fail(err, GS_E_CORRUPT,
		    "none of the %zu objects that its refs name can be read: "
		    "the repository is damaged",
		    ids.n);
	return rc;
}

int gs_mirror_tips(const char *path, struct gs_strv *ret, struct gs_err *err)
{
	struct gs_objects *objects = NULL;
	int rc = gs_objects_open(path, &objects, err);

	if (rc == 0)
		rc = gs_objects_tips(objects, path, ret, err);
	gs_objects_close(objects);
	return rc;
}

/* At a shallow boundary git sees a root, and so do we: it stands for the
 * history that the mirror does not have (P4 needs some id). */
int gs_mirror_roots(const char *path, struct gs_strv *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_command_release) struct gs_command command = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf input = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv tips = {0};
	int rc = gs_mirror_tips(path, &tips, err);

	if (rc || tips.n == 0)
		return rc;
	rc = gs_command_init(&command, path, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < tips.n; i++)
		gs_buf_addf(&input, "%s\n", tips.v[i]);
	rc = gs_command_input(&command, gs_buf_str(&input), err);
	if (rc)
		return rc;
	gs_strv_push_all(
	    &command.argv, "rev-list", "--max-parents=0", "--stdin", NULL);
	rc = gs_command_run(&command, path, &out, err);
	if (rc)
		return rc;
	keep_ids(gs_buf_str(&out), ret);
	return 0;
}

int gs_mirror_shallow(
    const char *mirror, struct gs_strv *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *path = gs_path_join(mirror, "shallow");
	GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};
	int rc;

	if (!gs_path_exists(path))
		return 0;
	rc = gs_file_read(path, MAX_SHALLOW_FILE, &bytes, err);
	if (rc)
		return rc;
	keep_ids(gs_buf_str(&bytes), ret);
	return 0;
}

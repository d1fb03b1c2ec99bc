/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fault.h"
#include "os/fd.h"
#include "os/file.h"
#include "os/tree.h"
#include "store/db.h"
#include "store/merge.h"
#include "store/once.h"

#define UNFINISHED ".new-"

static int drop_unfinished(const char *folder, struct gs_err *err)
{
	GS_CLEANUP(gs_dir_closep) DIR *dir = opendir(folder);
	const struct dirent *entry;
	int rc = 0;

	if (!dir)
		return gs_fail_sys(err, "open %s", folder);
	while (rc == 0 && (entry = readdir(dir))) {
		if (strncmp(entry->d_name, UNFINISHED, strlen(UNFINISHED)) != 0)
			continue;
		GS_CLEANUP(gs_freep)
		char *path = gs_path_join(folder, entry->d_name);
		rc = gs_tree_remove(path, err);
	}
	return rc;
}

static int copy_to(struct gs_store *store, const char *path, struct gs_err *err)
{
	GS_CLEANUP(gs_merge_finalize)
	sqlite3_stmt *query = gs_merge_prepare(store, "copy", err);

	if (!query)
		return gs_db_fail(store, NULL);
	gs_db_bind_text(query, 1, path);
	if (sqlite3_step(query) != SQLITE_DONE)
		return gs_fail(err, GS_E_SYSTEM,
		    "copy %s to %s: %s; make room there, or give another "
		    "folder",
		    store->path, path, sqlite3_errmsg(store->db));
	GS_CLEANUP(gs_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fsync(fd) < 0)
		return gs_fail_sys(err, "flush %s", path);
	return 0;
}

int gs_store_export(
    struct gs_store *store, const char *folder, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *target = gs_path_join(folder, "state.db");
	GS_CLEANUP(gs_freep) char *fresh = NULL;
	int rc = gs_dir_make(folder, 0777, err);

	if (rc == 0)
		rc = drop_unfinished(folder, err);
	if (rc == 0)
		rc = gs_dir_make_temp(folder, UNFINISHED, &fresh, err);
	if (rc)
		return rc;
	GS_CLEANUP(gs_freep) char *path = gs_path_join(fresh, "state.db");
	rc = copy_to(store, path, err);
	gs_fault("store.export");
	if (rc == 0 && rename(path, target) < 0)
		rc = gs_fail_sys(err, "rename %s to %s", path, target);
	gs_ignore(gs_tree_remove(fresh, NULL));
	return rc ? rc : gs_dir_sync(folder, err);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/mirrors.h"

#include <string.h>

#include "base/mem.h"
#include "mine/mine.h"
#include "os/file.h"
#include "store/store.h"

void gs_mirror_template(const char *template, struct gs_str owner,
    struct gs_str name, struct gs_buf *ret)
{
	struct gs_str rest = gs_str(template);
	while (rest.n > 0) {
		if (gs_str_starts(rest, "{owner}")) {
			gs_buf_adds(ret, owner);
			rest = gs_str_from(rest, strlen("{owner}"));
		} else if (gs_str_starts(rest, "{name}")) {
			gs_buf_adds(ret, name);
			rest = gs_str_from(rest, strlen("{name}"));
		} else {
			gs_buf_addc(ret, rest.p[0]);
			rest = gs_str_from(rest, 1);
		}
	}
}

/* The mirror that the workspace has of the project, or NULL. */
static char *mirror_at_hand(struct gs_cli *cli, const char *repo)
{
	struct gs_store *store = NULL;
	struct gs_project project = {0};
	char *path = NULL;
	if (gs_store_open(cli->workspace, GS_STORE_READ, &store, NULL))
		return NULL;
	if (gs_store_project(store, repo, &project, NULL) == 0)
		path = gs_mirror_path(cli->workspace, project.mirror);
	gs_project_release(&project);
	gs_store_close(store);
	return path;
}

int gs_mirror_of_record(struct gs_cli *cli, const struct gs_record *record,
    const char *template, char **ret_path, struct gs_err *err)
{
	char *at_hand = template ? NULL : mirror_at_hand(cli, record->repo);
	if (at_hand) {
		*ret_path = at_hand;
		return 0;
	}
	GS_CLEANUP(gs_buf_release) struct gs_buf source = {0};
	struct gs_str name = gs_str(record->repo), owner = {0};
	(void)gs_str_cut(&name, '/', &owner);
	if (template)
		gs_mirror_template(template, owner, name, &source);
	else
		gs_buf_addz(&source, record->repo_url);
	if (source.n == 0)
		return gs_fail(err, GS_E_NOT_FOUND,
		    "%s has no public address and is not in %s; say where it "
		    "is with --mirror TEMPLATE",
		    record->repo, cli->workspace);
	GS_CLEANUP(gs_freep)
	char *parent = gs_path_join(cli->workspace, "mirrors");
	GS_CLEANUP(gs_freep)
	char *folder = gs_format(
	    "%.*s+%.*s-checkout.git", GS_STR_ARG(owner), GS_STR_ARG(name));
	GS_CLEANUP(gs_freep) char *path = gs_path_join(parent, folder);
	int rc = gs_dir_make(parent, 0755, err);
	if (rc == 0)
		rc = gs_mirror_update(path, gs_buf_cstr(&source), err);
	if (rc == 0)
		*ret_path = gs_steal(&path);
	return rc;
}

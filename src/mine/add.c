/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"
#include "git/mirror.h"
#include "mine/mine.h"
#include "os/file.h"
#include "os/tree.h"
#include "store/query.h"

/* A folder name that is readable and cannot collide: "owner+name-1a2b3c4d.git"
 * with the beginning of the name's hash, since '+' may stand in names. */
static char *mirror_folder(const char *name)
{
	char hash[GS_SHA256_HEX];
	gs_sha256_hex(gs_str(name), hash);
	char *folder = gs_format("%s-%.8s.git", name, hash);
	for (char *c = folder; *c; c++)
		if (*c == '/')
			*c = '+';
	return folder;
}

/* Names come into paths, SQL, YAML and pages: letters, digits, ". _ - +" and
 * one slash, no part that begins with a dot or looks like an option. */
static bool name_is_sound(const char *name)
{
	const char *slash = strchr(name, '/');
	if (!slash || slash == name || !slash[1] || strchr(slash + 1, '/'))
		return false;
	if (strchr(".-", name[0]) || strchr(".-", slash[1]) ||
	    strlen(name) > 200)
		return false;
	return strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
	                    "XYZ0123456789._-+/") == strlen(name);
}

/* The same project again, whatever spelling it is given in. */
static char *canonical_source(const char *source)
{
	char *real = NULL;
	if (!strstr(source, "://") && gs_path_real(source, &real, NULL) == 0)
		return real;
	return gs_strdup(source);
}

static int update_mirror(
    const char *workspace, const struct gs_project *project, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *folder = gs_path_join(workspace, "mirrors");
	int rc = gs_dir_make(folder, 0755, err);
	if (rc)
		return rc;
	GS_CLEANUP(gs_freep)
	char *path = gs_mirror_path(workspace, project->mirror);
	return gs_mirror_update(path, project->source, err);
}

/* A new mirror; of a repository that has commits. */
static int make_mirror(
    const char *workspace, const struct gs_project *project, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv tips = {0};
	GS_CLEANUP(gs_freep)
	char *path = gs_mirror_path(workspace, project->mirror);
	int rc = update_mirror(workspace, project, err);
	if (rc == 0)
		rc = gs_mirror_tips(path, &tips, err);
	if (rc == 0 && tips.n == 0)
		rc = gs_fail(err, GS_E_NOT_FOUND,
		    "%s is an empty repository: it has no commit yet",
		    project->source);
	return rc;
}

/* The public origin, when the source is a copy of it: from its URL. */
static int find_url(const struct gs_mine_source *request,
    struct gs_source_name *found, struct gs_err *err)
{
	GS_CLEANUP(gs_source_name_release) struct gs_source_name origin = {0};
	if (!request->repo_url)
		return 0;
	int rc = gs_source_identify(request->repo_url, &origin, err);
	if (rc == 0) {
		free(found->repo_url);
		found->repo_url = gs_steal(&origin.repo_url);
	}
	return rc;
}

static int taken(
    const struct gs_project *other, const char *also, struct gs_err *err)
{
	return gs_fail(err, GS_E_EXISTS,
	    "the name %s is taken by %s%s; give this one another with --as "
	    "OWNER/NAME",
	    other->name, other->source, also);
}

/* What was mined must be here too, if anything was. */
static int check_same_history(const char *mirror,
    const struct gs_project *known, const struct gs_project *at,
    struct gs_err *err)
{
	bool holds = known->mined_tips.n == 0 && known->roots.n == 0;
	int rc = 0;
	if (!holds)
		rc = gs_mirror_holds_any(
		    mirror, &known->mined_tips, &holds, err);
	if (rc == 0 && !holds)
		rc = gs_mirror_holds_any(mirror, &known->roots, &holds, err);
	if (rc || holds)
		return rc;
	GS_CLEANUP(gs_freep)
	char *also = gs_format(
	    ", which is gone, and %s holds another history", at->source);
	return taken(known, also, err);
}

/* The project's name is given for another place. When the old one is gone and
 * this one holds the same history, the repository has moved: its mirror is
 * made anew beside the old one, which it then replaces. */
static int move_project(struct gs_store *store, const char *workspace,
    const struct gs_project *known, struct gs_project *at, struct gs_err *err)
{
	if (!gs_source_is_gone(known->source))
		return taken(known, "", err);
	GS_CLEANUP(gs_freep)
	char *place = gs_mirror_path(workspace, known->mirror);
	free(at->mirror);
	at->mirror = gs_format("%s.moving", known->mirror);
	GS_CLEANUP(gs_freep)
	char *fresh = gs_mirror_path(workspace, at->mirror);
	int rc = make_mirror(workspace, at, err);
	if (rc == 0)
		rc = check_same_history(fresh, known, at, err);
	if (rc) {
		gs_ignore(gs_tree_remove(fresh, NULL));
		return rc;
	}
	rc = gs_tree_remove(place, err);
	if (rc == 0 && rename(fresh, place) != 0)
		rc = gs_fail_sys(err, "rename %s to %s", fresh, place);
	free(at->mirror);
	at->mirror = gs_strdup(known->mirror);
	at->id = known->id;
	if (rc == 0)
		rc = gs_store_set_source(
		    store, known->id, at->source, at->repo_url, err);
	return rc;
}

static int add_new(struct gs_store *store, const char *workspace,
    const char *source, const struct gs_mine_source *request,
    struct gs_project *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_source_name_release) struct gs_source_name found = {0};
	int rc = gs_source_identify(source, &found, err);
	if (rc == 0)
		rc = find_url(request, &found, err);
	if (rc)
		return rc;
	const char *name = request->as ? request->as : found.name;
	if (!name_is_sound(name))
		return gs_fail(err, GS_E_USAGE,
		    "\"%.200s\" cannot be a project's name%s", name,
		    request->as
		        ? ": that is OWNER/NAME, each of letters, "
		          "digits and ._-+, and none begins with . or -"
		        : "; give one of the form OWNER/NAME with --as");
	struct gs_project project = {
	    .name = gs_strdup(name),
	    .repo_url = gs_strdup(found.repo_url),
	    .source = gs_strdup(source),
	    .mirror = mirror_folder(name),
	};
	struct gs_project other = {0};
	if (gs_store_project(store, name, &other, NULL) == 0)
		rc = move_project(store, workspace, &other, &project, err);
	else {
		rc = make_mirror(workspace, &project, err);
		if (rc == 0)
			rc = gs_store_add_project(store, &project, err);
	}
	gs_project_release(&other);
	if (rc == 0)
		*ret = project;
	else
		gs_project_release(&project);
	return rc;
}

int gs_mine_add(struct gs_store *store, const char *workspace,
    const struct gs_mine_source *source, struct gs_project *ret,
    struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *canonical = canonical_source(source->source);
	struct gs_project known = {0};
	int rc = gs_store_find_source(store, canonical, &known, err);
	if (rc < 0)
		return rc;
	if (rc == 0)
		return add_new(store, workspace, canonical, source, ret, err);
	if (source->as && known.name && strcmp(source->as, known.name) != 0)
		rc = gs_fail(err, GS_E_EXISTS, "%s is here already, as %s",
		    source->source, known.name);
	else
		rc = update_mirror(workspace, &known, err);
	if (rc)
		gs_project_release(&known);
	else
		*ret = known;
	return rc;
}

int gs_mine_name(struct gs_store *store, const struct gs_mine_source *source,
    char **ret, struct gs_err *err)
{
	if (source->as) {
		*ret = gs_strdup(source->as);
		return 0;
	}
	GS_CLEANUP(gs_freep) char *canonical = canonical_source(source->source);
	GS_CLEANUP(gs_project_release) struct gs_project known = {0};
	int rc = gs_store_find_source(store, canonical, &known, err);
	if (rc < 0)
		return rc;
	GS_CLEANUP(gs_source_name_release) struct gs_source_name found = {0};
	if (rc > 0)
		*ret = gs_steal(&known.name);
	else if (gs_source_identify(canonical, &found, NULL) == 0)
		*ret = gs_steal(&found.name);
	else
		*ret = gs_strdup(source->source);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A walk of the repository of git_fixture.h, remembered. */
#ifndef GIT_WALK_FIXTURE_H
#define GIT_WALK_FIXTURE_H

#include "git/mirror.h"
#include "git/walk.h"
#include "git_fixture.h"

#define MAX_SEEN 64

struct seen {
	struct gs_commit commit;
	char paths[4096]; /* "M path\n"… */
};

static struct seen seen[MAX_SEEN];
static size_t n_seen;

static inline int walk_with(const struct gs_walk_options *options)
{
	struct gs_walk *walk;
	int rc = gs_walk_open(options, &walk, &fx_err);

	n_seen = 0;
	if (rc)
		return rc;
	while (n_seen < MAX_SEEN &&
	       (rc = gs_walk_next(walk, &seen[n_seen].commit, &fx_err)) > 0) {
		struct seen *one = &seen[n_seen++];
		size_t used = 0;

		one->paths[0] = '\0';
		for (size_t i = 0; i < one->commit.n_changes; i++)
			used += (size_t)snprintf(one->paths + used,
			    sizeof(one->paths) - used, "%c %s\n",
			    one->commit.changes[i].status,
			    one->commit.changes[i].path.p);
	}
	gs_walk_close(walk);
	return rc;
}

static inline void walk(const char *source)
{
	struct gs_walk_options options = {.mirror = "mirror"};

	OK(gs_mirror_update("mirror", source, &fx_err));
	OK(walk_with(&options));
}

static inline const struct seen *find(const char *id)
{
	for (size_t i = 0; i < n_seen; i++)
		if (strcmp(seen[i].commit.id.hex, id) == 0)
			return &seen[i];
	ck_abort_msg("%s was not walked", id);
	return NULL;
}

#define TREE "tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n"
#define AUTHOR "author A <a@x> 1 +0000\n"

static inline void branch(const char *name, const char *id)
{
	GS_CLEANUP(gs_freep) char *ref = gs_format("refs/heads/%s", name);
	GS_CLEANUP(gs_freep) char *path = gs_path_join("repo/.git", ref);

	fx_write(path, id);
}

#endif

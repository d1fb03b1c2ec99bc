/* SPDX-License-Identifier: Apache-2.0 */
/* A repository, a work folder of its trees, and a picture of what is in it:
 * shared by the tests of git/materialise.h. */
#ifndef GIT_WORKDIR_H
#define GIT_WORKDIR_H

#include <fcntl.h>
#include <ftw.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "base/hash.h"
#include "git/materialise.h"
#include "git/mirror.h"
#include "git_fixture.h"

static struct gs_objects *objects;
static struct gs_tree_cache *cache;
static struct gs_workdir *workdir;
static struct gs_listing listing;
static uid_t owner = (uid_t)-1;

static inline void start(void)
{
	OK(gs_mirror_update("mirror", "repo", &fx_err));
	OK(gs_objects_open("mirror", &objects, &fx_err));
	cache = gs_tree_cache_new(objects);
	OK(gs_dir_make("work", 0755, &fx_err));
	OK(gs_workdir_open("work", owner, objects, &workdir, &fx_err));
}

static void stop(void)
{
	gs_workdir_close(workdir);
	gs_listing_release(&listing);
	gs_tree_cache_free(cache);
	gs_objects_close(objects);
	fx_end();
}

static void list(const char *hex)
{
	struct gs_oid id;

	ck_assert(gs_oid_parse(gs_str(hex), &id));
	OK(gs_listing_read(cache, &id, &listing, &fx_err));
}

static void reset(void)
{
	OK(gs_workdir_reset(workdir, &listing, NULL, 0, &fx_err));
}

static struct gs_buf picture;
static size_t picture_skip;

/* One line a file: what a test could see of it, directory times apart. */
static int paint(
    const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};
	char digest[GS_SHA256_HEX] = "-", target[4096] = "";
	bool is_dir = S_ISDIR(st->st_mode);

	(void)type;
	(void)ftw;
	if (S_ISREG(st->st_mode)) {
		OK(gs_file_read(path, GS_MIB, &bytes, &fx_err));
		gs_sha256_hex(gs_buf_str(&bytes), digest);
	}
	if (S_ISLNK(st->st_mode))
		ck_assert_int_gt(readlink(path, target, sizeof(target) - 1), 0);
	gs_buf_addf(&picture, "%s %o %u:%u %lld %lld %lld %s %s %zd\n",
	    path + picture_skip, st->st_mode, st->st_uid, st->st_gid,
	    is_dir ? 0LL : (long long)st->st_nlink,
	    is_dir ? 0LL : (long long)st->st_size,
	    is_dir || S_ISLNK(st->st_mode) ? 0LL : (long long)st->st_mtime,
	    digest, target,
	    S_ISLNK(st->st_mode) ? 0 : listxattr(path, NULL, 0));
	return 0;
}

static char *paint_tree(const char *path)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv lines = {0};
	struct gs_buf sorted = {0};
	struct gs_str rest, line;

	gs_buf_reset(&picture);
	picture_skip = strlen(path);
	ck_assert_int_eq(nftw(path, paint, 16, FTW_PHYS), 0);
	rest = gs_buf_str(&picture);
	while (gs_str_cut(&rest, '\n', &line))
		gs_strv_push_str(&lines, line);
	gs_strv_sort(&lines);
	for (size_t i = 0; i < lines.n; i++)
		gs_buf_addf(&sorted, "%s\n", lines.v[i]);
	gs_buf_release(&picture);
	return gs_buf_steal(&sorted);
}

/* The work folder equals one that is written anew. */
static inline void is_fresh(const char *why)
{
	struct gs_workdir *fresh;
	GS_CLEANUP(gs_freep) char *seen = paint_tree("work");
	GS_CLEANUP(gs_freep) char *expected = NULL;

	OK(gs_dir_make("fresh", 0755, &fx_err));
	OK(gs_workdir_open("fresh", owner, objects, &fresh, &fx_err));
	OK(gs_workdir_reset(fresh, &listing, NULL, 0, &fx_err));
	expected = paint_tree("fresh");
	gs_workdir_close(fresh);
	OK(gs_tree_remove("fresh", &fx_err));
	ck_assert_msg(strcmp(seen, expected) == 0,
	    "after %s:\n%s\ninstead of\n%s", why, seen, expected);
}

static inline const char *make_repository(void)
{
	fx_base();
	fx_write("repo/run.sh", "#!/bin/sh\n");
	ck_assert_int_eq(chmod("repo/run.sh", 0755), 0);
	fx_write("repo/crlf.txt", "a\r\nb\r\n");
	fx_write("repo/deep/er/file", "1234");
	fx_write("repo/empty", "");
	ck_assert_int_eq(symlink("../pkg/m.py", "repo/tests/link"), 0);
	return fx_commit("repo", "more");
}

#endif

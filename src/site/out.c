/* SPDX-License-Identifier: Apache-2.0 */
#include "site/out.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "os/fd.h"
#include "os/file.h"

#define HIDDEN ".goldset-site-"
/* Tells a site of ours from a folder that must not be replaced. */
#define MARK ".goldset-site"

static const char *const folders[] = {
    "assets", "compare", "data", "licence", "project", "record"};

/* Pages, feeds and indexes at the top, and our folders. */
static bool is_ours(const char *name)
{
	static const char *const ends[] = {
	    ".html", ".json", ".xml", ".atom", ".txt"};
	for (size_t i = 0; i < GS_COUNT(folders); i++)
		if (strcmp(name, folders[i]) == 0)
			return true;
	for (size_t i = 0; i < GS_COUNT(ends); i++)
		if (gs_str_ends(gs_str(name), ends[i]))
			return true;
	return strcmp(name, MARK) == 0 || strcmp(name, ".") == 0 ||
	       strcmp(name, "..") == 0;
}

/* Replacing removes all that is there: nothing else may live in it. */
static int check_replaceable(const char *folder, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *mark = gs_path_join(folder, MARK);
	if (!gs_path_exists(mark))
		return gs_fail(err, GS_E_EXISTS,
		    "%s exists and is no site of ours: name another folder",
		    folder);
	GS_CLEANUP(gs_dir_closep) DIR *dir = opendir(folder);
	if (!dir)
		return gs_fail_sys(err, "read the folder %s", folder);
	for (struct dirent *entry; (entry = readdir(dir));)
		if (!is_ours(entry->d_name))
			return gs_fail(err, GS_E_EXISTS,
			    "%s holds %s, which no site of ours holds: it is "
			    "not replaced",
			    folder, entry->d_name);
	return 0;
}

int out_open(
    struct out *out, const char *folder, bool replace, struct gs_err *err)
{
	static const struct gs_staging_kind site = {
	    HIDDEN, "a site", check_replaceable};
	int rc = gs_staging_open(&out->staging, folder, &site, replace, err);
	for (size_t i = 0; rc == 0 && i < GS_COUNT(folders); i++)
		rc = out_folder(out, folders[i], err);
	return rc ? rc : out_write(out, MARK, GS_STR("1\n"), err);
}

int out_folder(struct out *out, const char *name, struct gs_err *err)
{
	return mkdirat(out->staging.lock, name, 0755) < 0
	           ? gs_fail_sys(err, "make %s in %s", name, out->staging.path)
	           : 0;
}

static int create(struct out *out, const char *name, struct gs_err *err)
{
	int fd = openat(out->staging.lock, name,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	return fd < 0
	           ? gs_fail_sys(err, "make %s in %s", name, out->staging.path)
	           : fd;
}

static int write_all(struct out *out, int fd, const char *name,
    struct gs_str bytes, struct gs_err *err)
{
	while (bytes.n > 0) {
		ssize_t n = write(fd, bytes.p, bytes.n);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return gs_fail_sys(
			    err, "write %s in %s", name, out->staging.path);
		out->bytes += n;
		bytes = gs_str_from(bytes, (size_t)n);
	}
	return 0;
}

/* Not flushed one by one, which 20,000 times would take minutes: one syncfs
 * before the folder gets its name. */
int out_write(
    struct out *out, const char *name, struct gs_str bytes, struct gs_err *err)
{
	GS_CLEANUP(gs_closep) int fd = create(out, name, err);
	if (fd < 0)
		return fd;
	return write_all(out, fd, name, bytes, err);
}

int out_copy(
    struct out *out, const char *from, const char *name, struct gs_err *err)
{
	GS_CLEANUP(gs_closep)
	int source = open(from, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (source < 0 && errno == ENOENT)
		return 0;
	struct stat st;
	if (source < 0 || fstat(source, &st) < 0)
		return gs_fail_sys(err, "open %s", from);
	if (!S_ISREG(st.st_mode))
		return gs_fail(err, GS_E_CORRUPT, "%s is no file", from);
	GS_CLEANUP(gs_closep) int fd = create(out, name, err);
	if (fd < 0)
		return fd;
	char *buf = gs_alloc((size_t)1 << 16);
	ssize_t n;
	int rc = 0;
	while (rc == 0 && (n = read(source, buf, (size_t)1 << 16)) != 0)
		if (n > 0)
			rc = write_all(
			    out, fd, name, gs_str_n(buf, (size_t)n), err);
		else if (errno != EINTR)
			rc = gs_fail_sys(err, "read %s", from);
	free(buf);
	return rc;
}

/* A folder in which nothing was put is no part of the site. */
static void drop_empty(struct out *out)
{
	for (size_t i = 0; i < GS_COUNT(folders); i++)
		(void)unlinkat(out->staging.lock, folders[i], AT_REMOVEDIR);
}

int out_place(struct out *out, struct gs_err *err)
{
	struct gs_staging *staging = &out->staging;
	drop_empty(out);
	if (fchmod(staging->lock, 0755) < 0 || syncfs(staging->lock) < 0)
		return gs_fail_sys(err, "flush %s", staging->path);
	int rc = gs_staging_place(staging, err);
	return rc ? rc : gs_staging_finish(staging, err);
}

void out_release(struct out *out)
{
	gs_staging_release(&out->staging);
}

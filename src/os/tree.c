/* SPDX-License-Identifier: Apache-2.0 */
#include "os/tree.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "os/fd.h"
#include "os/remove.h"

/* O_NOFOLLOW everywhere: the tree may hold links that a test planted. */
#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/* A place for an entry: the opened folder that it is in, and its name. */
struct place {
	int dir_fd;
	char name[NAME_MAX + 1];
};

static void place_release(struct place *place)
{
	gs_closep(&place->dir_fd);
}

static void copy_name(char out[NAME_MAX + 1], struct gs_str name)
{
	assert(name.n <= NAME_MAX);
	memcpy(out, name.p, name.n);
	out[name.n] = '\0';
}

static int set_owner(int fd, uid_t owner)
{
	return owner == (uid_t)-1 ? 0 : fchown(fd, owner, (gid_t)owner);
}

/* A folder of ours is open to us, whatever a test made of it. */
static int open_up(int fd)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return -1;
	return (st.st_mode & 0700) == 0700 ? 0 : fchmod(fd, 0755);
}

/* Opens the folder `name`; 1 opened, 0 when there is none. */
static int enter(int dir_fd, const char *name, int *ret_fd, struct gs_err *err)
{
	GS_CLEANUP(gs_closep) int fd = gs_remove_open(dir_fd, name);

	/* ELOOP and ENOTDIR: a link, or a file. */
	if (fd < 0 && (errno == ENOENT || errno == ENOTDIR || errno == ELOOP))
		return 0;
	if (fd < 0 || open_up(fd) < 0)
		return gs_fail_sys(err, "open the folder %s", name);
	*ret_fd = gs_fd_steal(&fd);
	return 1;
}

/* Opens the folder `name`, made where it is missing, over whatever else is
 * there. */
static int enter_made(
    int dir_fd, const char *name, uid_t owner, int *ret_fd, struct gs_err *err)
{
	int rc = enter(dir_fd, name, ret_fd, err);

	if (rc != 0)
		return rc < 0 ? rc : 0;
	rc = gs_remove_at(dir_fd, name, err);
	if (rc < 0)
		return rc;
	if (mkdirat(dir_fd, name, 0755) < 0)
		return gs_fail_sys(err, "make the folder %s", name);
	GS_CLEANUP(gs_closep) int fd = openat(dir_fd, name, DIR_FLAGS);
	/* The umask had its say in mkdirat. */
	if (fd < 0 || set_owner(fd, owner) < 0 || fchmod(fd, 0755) < 0)
		return gs_fail_sys(err, "set up the folder %s", name);
	*ret_fd = gs_fd_steal(&fd);
	return 0;
}

static int check_path(struct gs_str path, struct gs_err *err)
{
	if (gs_path_is_safe(path))
		return 0;
	return gs_fail(err, GS_E_CORRUPT,
	    "the path \"%.*s\" does not stay inside its tree",
	    GS_STR_ARG(path));
}

/* The folder that `path` is in, opened, with those on the way made where
 * they are missing. */
static int find_place(int dir_fd, struct gs_str path, uid_t owner,
    struct place *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_closep) int at = fcntl(dir_fd, F_DUPFD_CLOEXEC, 3);
	struct gs_str rest = path, name;

	if (at < 0)
		return gs_fail_sys(err, "duplicate a folder's descriptor");
	while (gs_str_cut(&rest, '/', &name)) {
		int next = -1;
		copy_name(ret->name, name);
		if (rest.n == 0)
			break;
		int rc = enter_made(at, ret->name, owner, &next, err);
		if (rc < 0)
			return rc;
		gs_closep(&at);
		at = next;
	}
	ret->dir_fd = gs_fd_steal(&at);
	return 0;
}

/* The place for a new entry: folders made, and nothing in the way. */
static int clear_place(int dir_fd, struct gs_str path, uid_t owner,
    struct place *ret, struct gs_err *err)
{
	int rc = check_path(path, err);

	if (rc == 0)
		rc = find_place(dir_fd, path, owner, ret, err);
	if (rc < 0)
		return rc;
	return gs_remove_at(ret->dir_fd, ret->name, err);
}

static int write_new(int dir_fd, const char *name,
    const struct gs_tree_file *file, struct gs_err *err)
{
	const struct timespec times[2] = {
	    {.tv_sec = file->mtime}, {.tv_sec = file->mtime}};
	/* O_EXCL follows no link, and a hard link's other names are safe. */
	GS_CLEANUP(gs_closep)
	int fd = openat(dir_fd, name,
	    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0)
		return gs_fail_sys(err, "create it");
	int rc = gs_fd_write(fd, file->bytes, err);
	if (rc < 0)
		return rc;
	/* The owner first: a change of owner drops set-id bits. */
	if (set_owner(fd, file->owner) < 0 || fchmod(fd, file->mode) < 0 ||
	    futimens(fd, times) < 0)
		return gs_fail_sys(err, "set its owner, mode and time");
	return 0;
}

int gs_tree_put(int dir_fd, const struct gs_tree_file *file, struct gs_err *err)
{
	GS_CLEANUP(place_release) struct place place = {.dir_fd = -1};
	int rc = clear_place(dir_fd, file->path, file->owner, &place, err);

	if (rc == 0)
		rc = write_new(place.dir_fd, place.name, file, err);
	if (rc < 0)
		return gs_wrap(
		    err, "write the file %.*s", GS_STR_ARG(file->path));
	return 0;
}

/* Whether a link in a folder `depth` deep stays inside. ".." may stand only
 * in front: behind a name it would climb from where a further link led, and
 * two harmless looking links would together reach outside. */
static bool target_stays_inside(struct gs_str target, size_t depth)
{
	struct gs_str part;
	bool has_name = false;

	if (target.n == 0 || target.n >= PATH_MAX || target.p[0] == '/' ||
	    gs_str_find_char(target, '\0') >= 0)
		return false;
	while (gs_str_cut(&target, '/', &part)) {
		if (part.n == 0 || gs_str_is(part, "."))
			continue;
		if (!gs_str_is(part, "..")) {
			has_name = true;
			continue;
		}
		if (has_name || depth == 0)
			return false;
		depth--;
	}
	return true;
}

static size_t depth_of(struct gs_str path)
{
	size_t depth = 0;

	for (size_t i = 0; i < path.n; i++)
		depth += path.p[i] == '/';
	return depth;
}

int gs_tree_put_link(int dir_fd, struct gs_str path, struct gs_str target,
    uid_t owner, struct gs_err *err)
{
	GS_CLEANUP(place_release) struct place place = {.dir_fd = -1};

	if (!target_stays_inside(target, depth_of(path)))
		return gs_fail(err, GS_E_CORRUPT,
		    "the link %.*s points outside its tree, to \"%.*s\"",
		    GS_STR_ARG(path), GS_STR_ARG(target));
	GS_CLEANUP(gs_freep) char *to = gs_strndup(target.p, target.n);
	int rc = clear_place(dir_fd, path, owner, &place, err);
	if (rc < 0)
		return gs_wrap(err, "make the link %.*s", GS_STR_ARG(path));
	if (symlinkat(to, place.dir_fd, place.name) < 0)
		return gs_fail_sys(err, "make the link %.*s", GS_STR_ARG(path));
	if (owner != (uid_t)-1 && fchownat(place.dir_fd, place.name, owner,
	                              (gid_t)owner, AT_SYMLINK_NOFOLLOW) < 0)
		return gs_fail_sys(
		    err, "give away the link %.*s", GS_STR_ARG(path));
	return 0;
}

int gs_tree_put_dir(
    int dir_fd, struct gs_str path, uid_t owner, struct gs_err *err)
{
	GS_CLEANUP(place_release) struct place place = {.dir_fd = -1};
	GS_CLEANUP(gs_closep) int fd = -1;
	int rc = check_path(path, err);

	if (rc == 0)
		rc = find_place(dir_fd, path, owner, &place, err);
	if (rc == 0)
		rc = enter_made(place.dir_fd, place.name, owner, &fd, err);
	if (rc < 0)
		return gs_wrap(err, "make the folder %.*s", GS_STR_ARG(path));
	return 0;
}

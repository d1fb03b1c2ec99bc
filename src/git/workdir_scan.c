/* SPDX-License-Identifier: Apache-2.0 */
#include "git/workdir_scan.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/strv.h"
#include "os/fd.h"
#include "os/remove.h"

#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define DIR_MODE 0755

struct scan {
	uid_t owner;
	bool read_bytes;
	struct gs_work_nodes *nodes;
	struct gs_buf path; /* of the folder under way, with its slash */
};

static size_t lower_bound(const struct gs_work_nodes *nodes, struct gs_str path)
{
	size_t low = 0, high = nodes->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (gs_str_cmp(nodes->v[middle].path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static struct gs_work_node *find_node(
    const struct gs_work_nodes *nodes, struct gs_str path)
{
	size_t i = lower_bound(nodes, path);

	return i < nodes->n && gs_str_eq(nodes->v[i].path, path) ? &nodes->v[i]
	                                                         : NULL;
}

/* A node below that is not there on disk needs no folder. */
static bool has_folder(const struct gs_work_nodes *nodes, struct gs_str folder)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf prefix = {0};
	size_t i;

	gs_buf_adds(&prefix, folder);
	gs_buf_addc(&prefix, '/');
	for (i = lower_bound(nodes, gs_buf_str(&prefix)); i < nodes->n; i++) {
		if (!gs_str_starts(nodes->v[i].path, gs_buf_cstr(&prefix)))
			return false;
		if (nodes->v[i].kind != GS_NODE_NONE)
			return true;
	}
	return false;
}

static bool same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

static bool same_state(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino &&
	       a->st_mode == b->st_mode && a->st_uid == b->st_uid &&
	       a->st_gid == b->st_gid && a->st_nlink == b->st_nlink &&
	       a->st_size == b->st_size && same_time(a->st_mtim, b->st_mtim) &&
	       same_time(a->st_ctim, b->st_ctim);
}

static int hash_file(int dir_fd, const char *name, unsigned char out[32])
{
	GS_CLEANUP(gs_closep)
	int fd = openat(
	    dir_fd, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	struct gs_sha256 sha;
	char piece[64 * GS_KIB];
	ssize_t n;

	if (fd < 0)
		return -1;
	gs_sha256_init(&sha);
	while ((n = read(fd, piece, sizeof(piece))) > 0)
		gs_sha256_add(&sha, gs_str_n(piece, (size_t)n));
	gs_sha256_end(&sha, out);
	return n < 0 ? -1 : 0;
}

static bool is_intact(const struct scan *scan, int dir_fd, const char *name,
    const struct gs_work_node *node, const struct stat *st)
{
	unsigned char digest[32];

	if (!node->is_known || !same_state(&node->st, st))
		return false;
	if (!scan->read_bytes || node->kind != GS_NODE_FILE)
		return true;
	return hash_file(dir_fd, name, digest) == 0 &&
	       memcmp(digest, node->digest, sizeof(digest)) == 0;
}

/* A fresh folder has no attributes: not user.*, and no default ACL that
 * new files would inherit. */
static int drop_attributes(int fd, struct gs_err *err)
{
	char names[4096];
	ssize_t n = flistxattr(fd, names, sizeof(names));
	struct gs_str list = {names, n > 0 ? (size_t)n : 0}, name;

	if (n < 0 && errno != ENOTSUP)
		return gs_fail_sys(err, "list a folder's attributes");
	while (gs_str_cut(&list, '\0', &name)) {
		if (!gs_str_starts(name, "user.") &&
		    !gs_str_starts(name, "system.posix_acl"))
			continue; /* security labels are the system's own */
		if (fremovexattr(fd, name.p) != 0 && errno != ENODATA)
			return gs_fail_sys(
			    err, "remove a folder's attribute %s", name.p);
	}
	return 0;
}

/* Without an owner to give it to it is ours, as a new one would be. */
static int mend_folder(
    int fd, const struct stat *st, uid_t owner, struct gs_err *err)
{
	bool is_given = owner != (uid_t)-1;
	uid_t uid = is_given ? owner : geteuid();
	gid_t gid = is_given ? (gid_t)owner : getegid();
	int rc = drop_attributes(fd, err);

	if (rc)
		return rc;
	if ((st->st_uid != uid || st->st_gid != gid) &&
	    fchown(fd, uid, gid) != 0)
		return gs_fail_sys(err, "change a folder's owner");
	if ((st->st_mode & 07777) != DIR_MODE && fchmod(fd, DIR_MODE) != 0)
		return gs_fail_sys(err, "change a folder's mode");
	return 0;
}

static int scan_folder(struct scan *scan, int fd, struct gs_err *err);

static int enter(
    struct scan *scan, int dir_fd, const char *name, struct gs_err *err)
{
	GS_CLEANUP(gs_closep) int fd = gs_remove_open(dir_fd, name);
	size_t folder = scan->path.n;
	struct stat st;

	/* As it is now: opening may have changed its mode. */
	if (fd < 0 || fstat(fd, &st) != 0)
		return gs_fail_sys(err, "open the folder %s", name);
	int rc = mend_folder(fd, &st, scan->owner, err);
	if (rc)
		return rc;
	gs_buf_addz(&scan->path, name);
	gs_buf_addc(&scan->path, '/');
	rc = scan_folder(scan, fd, err);
	gs_buf_cut(&scan->path, folder);
	return rc;
}

static int judge(
    struct scan *scan, int dir_fd, const char *name, struct gs_err *err)
{
	size_t folder = scan->path.n;
	struct gs_work_node *node;
	struct gs_str path;
	struct stat st;
	bool is_folder;

	if (fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return gs_fail_sys(err, "look at %s", name);
	gs_buf_addz(&scan->path, name);
	path = gs_buf_str(&scan->path);
	node = find_node(scan->nodes, path);
	is_folder =
	    node ? node->kind == GS_NODE_DIR : has_folder(scan->nodes, path);
	gs_buf_cut(&scan->path, folder);
	if (S_ISDIR(st.st_mode) && is_folder) {
		if (node)
			node->is_intact = true; /* emptied by the scan */
		return enter(scan, dir_fd, name, err);
	}
	if (node && is_intact(scan, dir_fd, name, node, &st)) {
		node->is_intact = true;
		return 0;
	}
	return gs_remove_at(dir_fd, name, err);
}

/* Names are read before anything is removed: a folder that changes under
 * readdir may show a name twice or not at all. */
static int list_names(int fd, struct gs_strv *ret, struct gs_err *err)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	struct dirent *entry;

	if (!dir) {
		gs_closep(&copy);
		return gs_fail_sys(err, "read a work folder");
	}
	while ((errno = 0, entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			gs_strv_push(ret, entry->d_name);
	if (errno != 0) {
		(void)closedir(dir);
		return gs_fail_sys(err, "read a work folder");
	}
	(void)closedir(dir);
	return 0;
}

static int scan_folder(struct scan *scan, int fd, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv names = {0};
	int rc = list_names(fd, &names, err);

	for (size_t i = 0; rc == 0 && i < names.n; i++)
		rc = judge(scan, fd, names.v[i], err);
	return rc;
}

int gs_workdir_scan(int root_fd, uid_t owner, bool read_bytes,
    struct gs_work_nodes *nodes, struct gs_err *err)
{
	struct scan scan = {
	    .owner = owner, .read_bytes = read_bytes, .nodes = nodes};
	GS_CLEANUP(gs_closep) int fd = -1;
	struct stat st;
	int rc;

	for (size_t i = 0; i < nodes->n; i++)
		nodes->v[i].is_intact = nodes->v[i].kind == GS_NODE_NONE;
	if (fstat(root_fd, &st) != 0)
		return gs_fail_sys(err, "look at the work folder");
	rc = mend_folder(root_fd, &st, owner, err);
	if (rc)
		return rc;
	/* Its own description: readdir starts at the front. */
	fd = openat(root_fd, ".", DIR_FLAGS);
	if (fd < 0)
		return gs_fail_sys(err, "open the work folder");
	rc = scan_folder(&scan, fd, err);
	gs_buf_release(&scan.path);
	return rc;
}

/* The folder that holds `path`, whose folders we have just made. */
static int open_parent(int root_fd, struct gs_str path, struct gs_str *ret_name)
{
	ptrdiff_t slash = gs_str_rfind_char(path, '/');
	GS_CLEANUP(gs_freep) char *folder = NULL;

	*ret_name = gs_str_from(path, (size_t)(slash + 1));
	if (slash < 0)
		return openat(root_fd, ".", DIR_FLAGS);
	folder = gs_strndup(path.p, (size_t)slash);
	return openat(root_fd, folder, DIR_FLAGS);
}

int gs_workdir_note(
    int root_fd, bool read_bytes, struct gs_work_node *node, struct gs_err *err)
{
	struct gs_str name;
	GS_CLEANUP(gs_closep)
	int fd = open_parent(root_fd, node->path, &name);

	if (fd < 0 || fstatat(fd, name.p, &node->st, AT_SYMLINK_NOFOLLOW) != 0)
		return gs_fail_sys(
		    err, "look at what was just written, %s", node->path.p);
	if (read_bytes && node->kind == GS_NODE_FILE &&
	    hash_file(fd, name.p, node->digest) != 0)
		return gs_fail_sys(
		    err, "read what was just written, %s", node->path.p);
	node->is_known = true;
	return 0;
}

static bool is_before(struct timespec a, struct timespec b)
{
	return a.tv_sec != b.tv_sec ? a.tv_sec < b.tv_sec
	                            : a.tv_nsec < b.tv_nsec;
}

void gs_workdir_settle(const struct gs_work_nodes *nodes)
{
	struct timespec last = {0}, now, nap = {.tv_nsec = 500000};

	for (size_t i = 0; i < nodes->n; i++)
		if (nodes->v[i].is_known &&
		    is_before(last, nodes->v[i].st.st_ctim))
			last = nodes->v[i].st.st_ctim;
	/* At most one tick (1 to 10 ms); a clock that was set back ends it
	 * by the count. */
	for (int i = 0; i < 100; i++) {
		(void)clock_gettime(CLOCK_REALTIME_COARSE, &now);
		if (is_before(last, now))
			return;
		(void)nanosleep(&nap, NULL);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "run/slot.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "os/fd.h"
#include "os/file.h"
#include "os/tree.h"
#include "run/kit.h"
#include "run/seccomp.h"

/* Where root's slots are mounted: everybody can reach it, and it hides
 * nothing that a run could want. */
#define ROOT_POINT "/run/goldset"

static int put_line(const char *path, const char *text)
{
	GS_CLEANUP(gs_closep) int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	return write(fd, text, strlen(text)) < 0 ? -1 : 0;
}

/* A mount namespace of this process's own; as an ordinary user through a
 * user namespace that maps us to ourselves. Nothing leaks either way: the
 * mounts vanish with the last process in it. */
static bool enter_namespace(void)
{
	uid_t uid = geteuid();
	gid_t gid = getegid();
	if (unshare(CLONE_NEWNS) < 0) {
		char map[64];
		if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
			return false;
		(void)put_line("/proc/self/setgroups", "deny");
		(void)snprintf(map, sizeof(map), "%u %u 1", uid, uid);
		if (put_line("/proc/self/uid_map", map) < 0)
			return false;
		(void)snprintf(map, sizeof(map), "%u %u 1", gid, gid);
		if (put_line("/proc/self/gid_map", map) < 0)
			return false;
	}
	/* Slave: what the machine unmounts goes away here too. */
	return mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) == 0;
}

static bool is_mount_point(const char *path)
{
	GS_CLEANUP(gs_freep) char *above = gs_path_join(path, "..");
	struct stat here, there;
	return lstat(path, &here) == 0 && lstat(above, &there) == 0 &&
	       here.st_dev != there.st_dev;
}

/* A free mount point for root: an earlier slot of this process is not
 * covered. */
static char *root_point(void)
{
	char *point = gs_strdup(ROOT_POINT);
	for (int depth = 0; depth < 16; depth++) {
		if (mkdir(point, 0755) < 0 && errno != EEXIST)
			break;
		if (!is_mount_point(point))
			return point;
		char *deeper = gs_path_join(point, "more");
		free(point);
		point = deeper;
	}
	free(point);
	return NULL;
}

static bool mount_bounded(const char *point, uint64_t size_bytes)
{
	char options[128];
	(void)snprintf(options, sizeof(options),
	    "size=%" PRIu64 ",nr_inodes=400000,mode=0755", size_bytes);
	return mount("goldset", point, "tmpfs", MS_NOSUID | MS_NODEV,
	           options) == 0;
}

/* Sets base: a bounded tmpfs where that can be had, else a plain folder. */
static int find_base(struct gs_slot *slot, const char *dir, struct gs_err *err)
{
	if (enter_namespace()) {
		GS_CLEANUP(gs_freep)
		char *point = geteuid() == 0 ? root_point() : gs_strdup(dir);
		if (point && mount_bounded(point, slot->limits.disk_bytes)) {
			slot->base = gs_steal(&point);
			slot->is_mounted = true;
			return 0;
		}
	}
	gs_log("no private tmpfs for %s: %s", dir, strerror(errno));
	GS_CLEANUP(gs_freep) char *base = NULL;
	int rc = gs_dir_make_temp(dir, "slot-", &base, err);
	if (rc < 0)
		return rc;
	if (chmod(base, 0755) < 0)
		return gs_fail_sys(err, "chmod %s", base);
	slot->base = gs_steal(&base);
	return 0;
}

static int make_folder(struct gs_slot *slot, const char *name, mode_t mode,
    char **ret, struct gs_err *err)
{
	*ret = gs_path_join(slot->base, name);
	if (mkdir(*ret, mode) < 0 && errno != EEXIST)
		return gs_fail_sys(err, "make the folder %s", *ret);
	if (chmod(*ret, mode) < 0)
		return gs_fail_sys(err, "chmod %s", *ret);
	if (geteuid() == 0 && lchown(*ret, slot->owner, slot->owner) < 0)
		return gs_fail_sys(
		    err, "give %s to user %u", *ret, slot->owner);
	return 0;
}

static int write_etc(struct gs_slot *slot, struct gs_err *err)
{
	static const struct file {
		const char *name, *text;
	} files[] = {
	    {"passwd", "root:x:0:0:root:/root:/bin/sh\n"
	               "user:x:1000:1000:user:/w/home:/bin/sh\n"},
	    {"group", "root:x:0:\nuser:x:1000:\n"},
	    {"hosts", "127.0.0.1 localhost goldset\n::1 localhost goldset\n"},
	    {"nsswitch.conf", "passwd: files\ngroup: files\nhosts: files\n"
	                      "services: files\nprotocols: files\n"},
	};

	for (size_t i = 0; i < GS_COUNT(files); i++) {
		GS_CLEANUP(gs_freep)
		char *path = gs_path_join(slot->etc, files[i].name);
		GS_CLEANUP(gs_closep)
		int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
		if (fd < 0)
			return gs_fail_sys(err, "write %s", path);
		int rc = gs_fd_write(fd, gs_str(files[i].text), err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int fill(struct gs_slot *slot, const char *dir, struct gs_err *err)
{
	int rc = find_base(slot, dir, err);
	if (rc == 0)
		rc = make_folder(slot, "tree", 0755, &slot->tree, err);
	if (rc == 0)
		rc = make_folder(slot, "home", 0700, &slot->home, err);
	if (rc == 0)
		rc = make_folder(slot, "tmp", 01777, &slot->tmp, err);
	if (rc == 0)
		rc = make_folder(slot, "shm", 01777, &slot->shm, err);
	if (rc == 0)
		rc = make_folder(slot, "dist", 0755, &slot->dist, err);
	if (rc == 0)
		rc = make_folder(slot, "etc", 0755, &slot->etc, err);
	if (rc == 0)
		rc = write_etc(slot, err);
	if (rc == 0 && slot->box->has_seccomp)
		rc = gs_seccomp_open(&slot->seccomp_fd, err);
	if (rc == 0)
		rc = gs_cgroup_open(
		    slot->box, &slot->limits, &slot->cgroup, err);
	return rc;
}

int gs_slot_open(const char *dir, const struct gs_box *box,
    const struct gs_box_limits *limits, struct gs_slot **ret,
    struct gs_err *err)
{
	struct gs_slot *slot = gs_alloc(sizeof(*slot));
	/* The box's user reads what we write here, and the tests have our
	 * mask: the same everywhere (S4). */
	(void)umask(022);
	slot->box = box;
	slot->limits = *limits;
	slot->owner = box->uid;
	slot->seccomp_fd = -1;
	/* Absolute: the box is started from another folder. */
	GS_CLEANUP(gs_freep) char *real = NULL;
	int rc = gs_path_real(dir, &real, err);
	if (rc == 0)
		rc = fill(slot, real, err);
	if (rc < 0) {
		gs_slot_close(slot);
		return gs_wrap(err, "open a slot in %s", dir);
	}
	*ret = slot;
	return 0;
}

void gs_slot_close(struct gs_slot *slot)
{
	if (!slot)
		return;
	gs_cgroup_close(&slot->cgroup);
	gs_closep(&slot->seccomp_fd);
	for (size_t i = 1; i < slot->staged.n; i += 2)
		(void)umount2(slot->staged.v[i], MNT_DETACH);
	if (slot->base && slot->is_mounted)
		(void)umount2(slot->base, MNT_DETACH);
	else if (slot->base && gs_tree_remove(slot->base, NULL) < 0)
		gs_log("%s could not be removed", slot->base);
	gs_strv_release(&slot->staged);
	gs_strv_release(&slot->kits);
	free(slot->base);
	free(slot->tree);
	free(slot->home);
	free(slot->tmp);
	free(slot->shm);
	free(slot->dist);
	free(slot->etc);
	free(slot);
}

const char *gs_slot_tree(const struct gs_slot *slot)
{
	return slot->tree;
}

uid_t gs_slot_owner(const struct gs_slot *slot)
{
	return slot->owner;
}

int gs_slot_refresh(struct gs_slot *slot, struct gs_err *err)
{
	const char *const folders[] = {
	    slot->home, slot->tmp, slot->shm, slot->dist};
	for (size_t i = 0; i < GS_COUNT(folders); i++) {
		int rc = gs_tree_empty(folders[i], err);
		if (rc < 0)
			return rc;
	}
	/* A test may have changed them: /tmp's mode is its to change. */
	(void)chmod(slot->home, 0700);
	(void)chmod(slot->tmp, 01777);
	(void)chmod(slot->shm, 01777);
	return 0;
}

/* Whether the run's user can walk down to a folder; its own rights on the
 * way are those of "others". */
static bool is_reachable(const char *folder)
{
	GS_CLEANUP(gs_freep) char *path = gs_strdup(folder);
	for (;;) {
		struct stat st;
		if (stat(path, &st) < 0 || !(st.st_mode & S_IXOTH))
			return false;
		char *slash = strrchr(path, '/');
		if (!slash || slash == path)
			return true;
		*slash = '\0';
	}
}

static int stage(struct gs_slot *slot, const char *folder, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *point = gs_format("%s/env%zu", slot->base, slot->staged.n / 2);
	if (mkdir(point, 0755) < 0 && errno != EEXIST)
		return gs_fail_sys(err, "make the folder %s", point);
	if (mount(folder, point, NULL, MS_BIND | MS_REC, NULL) < 0)
		return gs_fail_sys(err, "mount %s for the sandbox", folder);
	gs_strv_push(&slot->staged, folder);
	gs_strv_push(&slot->staged, point);
	return 0;
}

int gs_slot_bind(struct gs_slot *slot, const char *folder, struct gs_strv *ret,
    struct gs_err *err)
{
	const char *source = folder;
	if (geteuid() == 0 && slot->is_mounted && !is_reachable(folder)) {
		size_t i = 0;
		while (i < slot->staged.n &&
		       strcmp(slot->staged.v[i], folder) != 0)
			i += 2;
		if (i == slot->staged.n) {
			int rc = stage(slot, folder, err);
			if (rc < 0)
				return rc;
		}
		source = slot->staged.v[i + 1];
	}
	gs_strv_push(ret, source);
	gs_strv_push(ret, folder);
	return 0;
}

int gs_slot_new_cache(
    struct gs_slot *slot, char **ret_folder, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *name = gs_format("cache%u", slot->n_caches++);
	return make_folder(slot, name, 0755, ret_folder, err);
}

uint64_t gs_slot_free(const struct gs_slot *slot)
{
	struct statvfs fs;
	if (!slot->is_mounted || statvfs(slot->base, &fs) < 0)
		return UINT64_MAX;
	/* Out of inodes is out of disk. */
	return fs.f_ffree ? (uint64_t)fs.f_bavail * fs.f_frsize : 0;
}

int gs_slot_write_kit(
    struct gs_slot *slot, char **ret_folder, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *name = gs_format("kit%zu", slot->kits.n / 2);
	GS_CLEANUP(gs_freep) char *folder = NULL;
	int rc = make_folder(slot, name, 0755, &folder, err);
	for (size_t i = 0; rc == 0 && i < gs_kit_n_files; i++) {
		const struct gs_kit_file *file = &gs_kit_files[i];
		GS_CLEANUP(gs_freep)
		char *path = gs_path_join(folder, file->name);
		GS_CLEANUP(gs_closep)
		int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
		if (fd < 0)
			return gs_fail_sys(err, "write %s", path);
		rc = gs_fd_write(fd, gs_str_n(file->text, *file->size), err);
	}
	if (rc < 0)
		return rc;
	*ret_folder = gs_steal(&folder);
	return 0;
}

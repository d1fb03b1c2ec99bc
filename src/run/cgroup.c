/* SPDX-License-Identifier: Apache-2.0 */
#include "run/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "os/fd.h"
#include "os/file.h"

#define CGROUPS "/sys/fs/cgroup"
#define NAME "goldset-"
#define FILE_MAX ((size_t)64 << 10)

/* Files of a control group take one write, and a rename onto them makes no
 * sense: gs_file_write is not for them. */
static int put(const char *folder, const char *file, const char *text)
{
	GS_CLEANUP(gs_freep) char *path = gs_path_join(folder, file);
	GS_CLEANUP(gs_closep) int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	return write(fd, text, strlen(text)) < 0 ? -1 : 0;
}

static int read_text(const char *path, struct gs_buf *ret)
{
	ret->max = FILE_MAX;
	return gs_file_read(path, FILE_MAX, ret, NULL);
}

/* The number after `key` in a file of "key number" lines. */
static uint64_t counter(const char *folder, const char *file, const char *key)
{
	GS_CLEANUP(gs_freep) char *path = gs_path_join(folder, file);
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	if (read_text(path, &text) < 0)
		return 0;
	struct gs_str rest = gs_buf_str(&text), line;
	while (gs_str_cut(&rest, '\n', &line))
		if (gs_str_starts(line, key) && line.n > strlen(key) &&
		    line.p[strlen(key)] == ' ')
			return strtoull(line.p + strlen(key) + 1, NULL, 10);
	return 0;
}

/* Our own group in a hierarchy: "" is the second field of version 2. */
static char *own_path(const char *controller)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	if (read_text("/proc/self/cgroup", &text) < 0)
		return NULL;
	struct gs_str rest = gs_buf_str(&text), line, number, controllers;
	while (gs_str_cut(&rest, '\n', &line)) {
		if (!gs_str_cut(&line, ':', &number) ||
		    !gs_str_cut(&line, ':', &controllers))
			continue;
		if (gs_str_is(controllers, controller))
			return gs_strndup(line.p, line.n);
	}
	return NULL;
}

/* Groups of workers that are gone (killed, or the machine went down). */
static void sweep(const char *folder)
{
	DIR *dir = opendir(folder);
	if (!dir)
		return;
	for (struct dirent *entry; (entry = readdir(dir));) {
		if (strncmp(entry->d_name, NAME, strlen(NAME)) != 0)
			continue;
		long pid = strtol(entry->d_name + strlen(NAME), NULL, 10);
		if (pid > 0 && kill((pid_t)pid, 0) < 0 && errno == ESRCH)
			(void)unlinkat(dirfd(dir), entry->d_name, AT_REMOVEDIR);
	}
	(void)closedir(dir);
}

/* Tries to make a group below `folder`; true when it has `file`. */
static bool can_hold(const char *folder, const char *file)
{
	if (access(folder, W_OK) < 0)
		return false;
	sweep(folder);
	GS_CLEANUP(gs_freep)
	char *group = gs_format("%s/" NAME "%ld-probe", folder, (long)getpid());
	if (mkdir(group, 0755) < 0 && errno != EEXIST)
		return false;
	GS_CLEANUP(gs_freep) char *path = gs_path_join(group, file);
	bool works = access(path, W_OK) == 0;
	(void)rmdir(group);
	return works;
}

/* Our own group, else the hierarchy's root (a container may not see the
 * path that the kernel names). */
static char *find_folder(
    const char *mount, const char *controller, const char *file)
{
	GS_CLEANUP(gs_freep) char *own = own_path(controller);
	if (own && own[0] == '/' && own[1]) {
		GS_CLEANUP(gs_freep)
		char *folder = gs_format("%s%s", mount, own);
		if (can_hold(folder, file))
			return gs_steal(&folder);
	}
	return can_hold(mount, file) ? gs_strdup(mount) : NULL;
}

static bool probe_v2(struct gs_box *box)
{
	if (!gs_path_exists(CGROUPS "/cgroup.controllers"))
		return false;
	GS_CLEANUP(gs_freep) char *own = own_path("");
	GS_CLEANUP(gs_freep)
	char *folder = gs_format(CGROUPS "%s", own && own[1] ? own : "");
	/* Refused while processes sit in it, unless it is the root; then the
	 * controllers are there only if somebody delegated them. */
	(void)put(folder, "cgroup.subtree_control", "+memory +pids");
	(void)put(CGROUPS, "cgroup.subtree_control", "+memory +pids");
	box->cgroup_path = find_folder(CGROUPS, "", "memory.max");
	if (!box->cgroup_path)
		return false;
	box->cgroup_pids = gs_strdup(box->cgroup_path);
	box->cgroup = GS_CGROUP_V2;
	return true;
}

static bool probe_v1(struct gs_box *box)
{
	GS_CLEANUP(gs_freep)
	char *memory =
	    find_folder(CGROUPS "/memory", "memory", "memory.limit_in_bytes");
	GS_CLEANUP(gs_freep)
	char *pids = find_folder(CGROUPS "/pids", "pids", "pids.max");
	if (!memory || !pids)
		return false;
	box->cgroup_path = gs_steal(&memory);
	box->cgroup_pids = gs_steal(&pids);
	box->cgroup = GS_CGROUP_V1;
	return true;
}

void gs_cgroup_probe(struct gs_box *box)
{
	box->cgroup = GS_CGROUP_NONE;
	if (!probe_v2(box))
		(void)probe_v1(box);
}

static int make_group(const char *folder, char **ret, struct gs_err *err)
{
	for (int n = 0; n < 1000; n++) {
		GS_CLEANUP(gs_freep)
		char *path =
		    gs_format("%s/" NAME "%ld-%d", folder, (long)getpid(), n);
		if (mkdir(path, 0755) == 0) {
			*ret = gs_steal(&path);
			return 0;
		}
		if (errno != EEXIST)
			return gs_fail_sys(
			    err, "make the control group %s", path);
	}
	return gs_fail(err, GS_E_LIMIT,
	    "there are too many control groups of goldset in %s", folder);
}

static int set_limits(const struct gs_cgroup *cgroup,
    const struct gs_box_limits *limits, struct gs_err *err)
{
	char memory[32], processes[32];
	(void)snprintf(
	    memory, sizeof(memory), "%" PRIu64, limits->memory_bytes);
	(void)snprintf(processes, sizeof(processes), "%u", limits->processes);
	const char *file =
	    cgroup->is_v2 ? "memory.max" : "memory.limit_in_bytes";
	if (limits->memory_bytes && put(cgroup->memory, file, memory) < 0)
		return gs_fail_sys(err, "limit memory in %s", cgroup->memory);
	if (limits->processes && put(cgroup->pids, "pids.max", processes) < 0)
		return gs_fail_sys(err, "limit processes in %s", cgroup->pids);
	/* Swap would only make a run that is too big a slow one; not every
	 * kernel counts it. */
	if (cgroup->is_v2)
		(void)put(cgroup->memory, "memory.swap.max", "0");
	else
		(void)put(cgroup->memory, "memory.swappiness", "0");
	return 0;
}

int gs_cgroup_open(const struct gs_box *box, const struct gs_box_limits *limits,
    struct gs_cgroup *ret, struct gs_err *err)
{
	if (box->cgroup == GS_CGROUP_NONE)
		return 0;
	struct gs_cgroup cgroup = {.is_v2 = box->cgroup == GS_CGROUP_V2};
	int rc = make_group(box->cgroup_path, &cgroup.memory, err);
	if (rc == 0 && cgroup.is_v2)
		cgroup.pids = gs_strdup(cgroup.memory);
	else if (rc == 0)
		rc = make_group(box->cgroup_pids, &cgroup.pids, err);
	if (rc == 0)
		rc = set_limits(&cgroup, limits, err);
	if (rc < 0) {
		gs_cgroup_close(&cgroup);
		return rc;
	}
	bool memory, processes;
	gs_cgroup_hits(&cgroup, &memory, &processes);
	*ret = cgroup;
	return 0;
}

void gs_cgroup_close(struct gs_cgroup *cgroup)
{
	if (cgroup->memory)
		(void)rmdir(cgroup->memory);
	if (cgroup->pids && !cgroup->is_v2)
		(void)rmdir(cgroup->pids);
	free(cgroup->memory);
	free(cgroup->pids);
	*cgroup = (struct gs_cgroup){0};
}

int gs_cgroup_attach(
    const struct gs_cgroup *cgroup, int pid, struct gs_err *err)
{
	char text[16];
	(void)snprintf(text, sizeof(text), "%d", pid);
	if (cgroup->memory && put(cgroup->memory, "cgroup.procs", text) < 0)
		return gs_fail_sys(
		    err, "put a process into %s", cgroup->memory);
	if (cgroup->pids && !cgroup->is_v2 &&
	    put(cgroup->pids, "cgroup.procs", text) < 0)
		return gs_fail_sys(err, "put a process into %s", cgroup->pids);
	return 0;
}

void gs_cgroup_hits(
    struct gs_cgroup *cgroup, bool *ret_memory, bool *ret_processes)
{
	*ret_memory = *ret_processes = false;
	if (!cgroup->memory || !cgroup->pids)
		return;
	uint64_t memory = counter(cgroup->memory,
	    cgroup->is_v2 ? "memory.events" : "memory.oom_control", "oom_kill");
	uint64_t pids = counter(cgroup->pids, "pids.events", "max");
	*ret_memory = memory > cgroup->n_memory;
	*ret_processes = pids > cgroup->n_pids;
	cgroup->n_memory = memory;
	cgroup->n_pids = pids;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "run/box.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/mem.h"
#include "os/clock.h"
#include "os/file.h"
#include "os/proc.h"
#include "run/cgroup.h"
#include "run/seccomp.h"

/* As root, runs belong to a user of their own: high, in a range that no
 * distribution or container manager hands out, without a passwd entry. */
#define RUN_UID 1919480001

char *const gs_box_environment[] = {
    (char[]){"PATH=/usr/local/bin:/usr/bin:/bin"},
    (char[]){"LC_ALL=C.UTF-8"},
    NULL,
};

const struct gs_box_limits gs_box_default_limits = {
    .timeout_ms = 60 * 1000,
    .memory_bytes = (uint64_t)4 << 30,
    .processes = 512,
    .output_bytes = GS_MAX_OUTPUT,
    .disk_bytes = (uint64_t)1 << 30,
};

/* /bin, /lib … as links into /usr where they are, else bound. */
static void find_root(struct gs_strv *ret)
{
	static const char *const folders[] = {
	    "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"};
	for (size_t i = 0; i < GS_COUNT(folders); i++) {
		char target[256];
		ssize_t n = readlink(folders[i], target, sizeof(target) - 1);
		if (n > 0) {
			target[n] = '\0';
			gs_strv_push_all(
			    ret, "--symlink", target, folders[i], NULL);
		} else if (gs_path_is_dir(folders[i])) {
			gs_strv_push_all(
			    ret, "--ro-bind", folders[i], folders[i], NULL);
		}
	}
}

/* Files that libraries look for and that hold nothing about this machine. */
static void find_etc(struct gs_strv *ret)
{
	static const char *const files[] = {"/etc/ld.so.cache",
	    "/etc/alternatives", "/etc/mime.types", "/etc/protocols",
	    "/etc/services", "/etc/ssl/certs"};
	for (size_t i = 0; i < GS_COUNT(files); i++)
		if (access(files[i], R_OK) == 0)
			gs_strv_push_all(
			    ret, "--ro-bind", files[i], files[i], NULL);
}

static void last_line(struct gs_buf *text)
{
	while (text->n &&
	       (text->p[text->n - 1] == '\n' || text->p[text->n - 1] == ' '))
		gs_buf_cut(text, text->n - 1);
}

static int ask_version(struct gs_box *box, struct gs_err *err)
{
	char *argv[] = {box->bwrap, (char[]){"--version"}, NULL};
	const struct gs_child child = {
	    .argv = argv, .envp = gs_box_environment, .own_session = true};
	GS_CLEANUP(gs_buf_release) struct gs_buf out = {.max = 4096};
	const struct gs_proc_io io = {
	    .out = &out, .deadline_ms = gs_clock_ms() + 10000, .side_fd = -1};
	struct gs_end end;
	int rc = gs_proc_run(&child, &io, &end, err);
	if (rc < 0)
		return rc;
	last_line(&out);
	const char *version = strrchr(gs_buf_cstr(&out), ' ');
	box->version = gs_strdup(version ? version + 1 : "unknown");
	return 0;
}

/* Tries the namespaces that every run needs (F146). */
static int try_box(const struct gs_box *box, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv argv = {0};
	gs_strv_push_all(&argv, box->bwrap, "--unshare-all", "--unshare-user",
	    "--disable-userns", "--die-with-parent", "--new-session",
	    "--cap-drop", "ALL", "--ro-bind", "/usr", "/usr", "--proc", "/proc",
	    "--dev", "/dev", NULL);
	for (size_t i = 0; i < box->root_options.n; i++)
		gs_strv_push(&argv, box->root_options.v[i]);
	/* pytest itself opens /dev/null; with a wrong mode of the machine's own
	 * every candidate would look broken. */
	gs_strv_push_all(
	    &argv, "--", "/usr/bin/sh", "-c", ": > /dev/null", NULL);
	const struct gs_child child = {.argv = gs_strv_argv(&argv),
	    .envp = gs_box_environment,
	    .uid = geteuid() == 0 ? box->uid : 0,
	    /* Until bwrap's inner process asks to die with it, only the group
	     * reaches both. */
	    .own_session = true};
	GS_CLEANUP(gs_buf_release) struct gs_buf errors = {.max = 65536};
	const struct gs_proc_io io = {.errors = &errors,
	    .deadline_ms = gs_clock_ms() + 30000,
	    .side_fd = -1};
	struct gs_end end;
	struct gs_err why = {0};
	if (gs_proc_run(&child, &io, &end, &why) < 0)
		return gs_fail(err, GS_E_ENVIRONMENT,
		    "the sandbox does not start on this machine: %s", why.text);
	if (end.kind == GS_END_STOPPED)
		return gs_fail(err, GS_E_CANCELLED, "interrupted");
	if (end.kind == GS_END_EXITED && end.code == 0)
		return 0;
	last_line(&errors);
	if (strstr(gs_buf_cstr(&errors), "/dev/null"))
		return gs_fail(err, GS_E_ENVIRONMENT,
		    "tests cannot write to /dev/null on this machine (%s); "
		    "repair it: chmod 666 /dev/null",
		    gs_buf_cstr(&errors));
	return gs_fail(err, GS_E_ENVIRONMENT,
	    "the sandbox does not work on this machine (%s); allow "
	    "unprivileged user namespaces, or insist on --unsafe-no-sandbox",
	    errors.n ? gs_buf_cstr(&errors) : "bwrap failed");
}

static int find_box(struct gs_box *box, struct gs_err *err)
{
	box->bwrap = gs_path_find("bwrap");
	if (!box->bwrap)
		return gs_fail(err, GS_E_ENVIRONMENT,
		    "bwrap was not found; install the package bubblewrap");
	int rc = ask_version(box, err);
	if (rc < 0)
		return rc;
	return try_box(box, err);
}

static char *summary_of(const struct gs_box *box)
{
	static const char *const cgroups[] = {
	    [GS_CGROUP_NONE] = "rlimits",
	    [GS_CGROUP_V1] = "cgroup v1",
	    [GS_CGROUP_V2] = "cgroup v2",
	};
	if (box->is_unsafe)
		return gs_format(
		    "no sandbox (unsafe), %s", cgroups[box->cgroup]);
	return gs_format("bubblewrap %s%s, %s", box->version,
	    box->has_seccomp ? ", seccomp" : "", cgroups[box->cgroup]);
}

int gs_box_probe(bool allow_unsafe, struct gs_box *ret, struct gs_err *err)
{
	struct gs_box box = {.uid = geteuid() == 0 ? RUN_UID : geteuid()};
	find_root(&box.root_options);
	find_etc(&box.root_options);
	int rc = find_box(&box, err);
	if (rc == GS_E_ENVIRONMENT && allow_unsafe) {
		box.is_unsafe = true;
		rc = 0;
	}
	if (rc < 0) {
		gs_box_release(&box);
		return rc;
	}
	int fd = -1;
	if (!box.is_unsafe && gs_seccomp_open(&fd, NULL) == 0) {
		box.has_seccomp = true;
		(void)close(fd);
	}
	/* Without the sandbox nobody tells us the child's pid in time. */
	if (!box.is_unsafe)
		gs_cgroup_probe(&box);
	box.summary = summary_of(&box);
	*ret = box;
	return 0;
}

void gs_box_release(struct gs_box *box)
{
	free(box->bwrap);
	free(box->version);
	free(box->cgroup_path);
	free(box->cgroup_pids);
	gs_strv_release(&box->root_options);
	free(box->summary);
	*box = (struct gs_box){0};
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A cold run: one box, one interpreter, one pytest session. */
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <string.h>
#include <sys/pidfd.h>
#include <unistd.h>

#include "base/mem.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/file.h"
#include "os/proc.h"
#include "os/signals.h"
#include "run/events.h"
#include "run/launch.h"
#include "run/policy.h"

/* How long the kernel may take to end a box's last process. */
#define GONE_MS 10000

/* One run under way. */
struct session {
	struct gs_slot *slot;
	const struct gs_run_spec *spec;
	struct gs_events events;
	struct gs_launch launch;
	struct gs_buf request;
	char token[33];
	int event_read, event_write, request_fd, block_read, block_write;
	int init_pidfd; /* the box's first process */
	bool is_released, disk_low, infra_failed;
	struct gs_err infra;
	struct gs_capture printed;
	int timeout_ms;
};

static void session_release(struct session *run)
{
	gs_events_release(&run->events);
	gs_launch_release(&run->launch);
	gs_buf_release(&run->request);
	gs_capture_release(&run->printed);
	gs_closep(&run->event_read);
	gs_closep(&run->event_write);
	gs_closep(&run->request_fd);
	gs_closep(&run->block_read);
	gs_closep(&run->block_write);
	gs_closep(&run->init_pidfd);
}

static struct session session_of(
    struct gs_slot *slot, const struct gs_run_spec *spec)
{
	return (struct session){.slot = slot,
	    .spec = spec,
	    .launch = {.slot = slot, .spec = spec},
	    .event_read = -1,
	    .event_write = -1,
	    .request_fd = -1,
	    .block_read = -1,
	    .block_write = -1,
	    .init_pidfd = -1,
	    .timeout_ms =
	        spec->timeout_ms ? spec->timeout_ms : slot->limits.timeout_ms};
}

/* ---- the box ---- */

/* The box waits until its first process is in its control group: what it
 * starts afterwards cannot be outside. */
static void release_box(struct session *run)
{
	run->is_released = true;
	gs_closep(&run->event_write);
	if (run->events.child_pid) {
		run->init_pidfd = pidfd_open(run->events.child_pid, 0);
		if (gs_cgroup_attach(&run->slot->cgroup, run->events.child_pid,
		        &run->infra) < 0)
			run->infra_failed = true;
	}
	/* Closing alone lets it go too. */
	gs_closep(&run->block_read);
	gs_closep(&run->block_write);
}

static int on_side(void *ctx, struct gs_str bytes)
{
	struct session *run = ctx;
	int rc = gs_events_feed(&run->events, bytes);
	if (!run->is_released && run->events.n_lines > 0)
		release_box(run);
	return run->infra_failed ? 1 : rc;
}

static int64_t on_tick(void *ctx)
{
	struct session *run = ctx;
	if (gs_slot_free(run->slot) < GS_DISK_LOW)
		run->disk_low = true;
	return 0;
}

/* Until the box's last process is gone it may still write into the tree. */
static void await_gone(struct session *run)
{
	if (run->init_pidfd < 0)
		return;
	struct pollfd wait = {.fd = run->init_pidfd, .events = POLLIN};
	(void)poll(&wait, 1, GONE_MS);
}

static int open_channels(struct session *run, struct gs_err *err)
{
	int ends[2];
	int rc = gs_fd_pipe(ends, err);
	if (rc < 0)
		return rc;
	run->event_read = ends[0];
	run->event_write = ends[1];
	if (run->slot->box->is_unsafe)
		run->is_released = true;
	rc = gs_fd_pipe(ends, err);
	if (rc < 0)
		return rc;
	run->block_read = ends[0];
	run->block_write = ends[1];
	return gs_fd_memory("goldset-request", gs_buf_str(&run->request),
	    &run->request_fd, err);
}

static size_t map_fds(struct session *run, struct gs_fd_map fds[5])
{
	size_t n = 0;
	fds[n++] = (struct gs_fd_map){run->event_write, GS_BOX_FD_EVENTS};
	fds[n++] = (struct gs_fd_map){run->request_fd, GS_BOX_FD_REQUEST};
	if (run->slot->box->is_unsafe)
		return n;
	fds[n++] = (struct gs_fd_map){run->event_write, GS_BOX_FD_STATUS};
	fds[n++] = (struct gs_fd_map){run->block_read, GS_BOX_FD_BLOCK};
	if (run->slot->seccomp_fd >= 0) {
		/* The offset is shared with the box that read it last. */
		(void)lseek(run->slot->seccomp_fd, 0, SEEK_SET);
		fds[n++] = (struct gs_fd_map){
		    run->slot->seccomp_fd, GS_BOX_FD_SECCOMP};
	}
	return n;
}

static int execute(struct session *run, struct gs_end *ret, struct gs_err *err)
{
	struct gs_slot *slot = run->slot;
	struct gs_fd_map fds[5];
	const struct gs_child child = {
	    .argv = gs_strv_argv(&run->launch.argv),
	    .envp = gs_launch_envp(&run->launch),
	    .cwd = slot->box->is_unsafe ? slot->tree : "/",
	    .fds = fds,
	    .n_fds = map_fds(run, fds),
	    .uid = geteuid() == 0 ? slot->owner : 0,
	    .own_session = true,
	    .file_size_max = slot->is_mounted ? 0 : slot->limits.disk_bytes,
	};
	const struct gs_proc_io io = {
	    .captured = &run->printed,
	    .output_max = slot->limits.output_bytes,
	    .deadline_ms = gs_clock_ms() + run->timeout_ms,
	    .side_fd = run->event_read,
	    .side = on_side,
	    .tick = on_tick,
	    .tick_ms = GS_TICK_MS,
	    .ctx = run,
	};
	int rc = gs_proc_run(&child, &io, ret, err);
	gs_closep(&run->event_write);
	await_gone(run);
	return rc;
}

/* ---- the kit: our Python files, compiled once an interpreter ---- */

static int compile_kit(struct gs_slot *slot, const struct gs_env *env,
    const char *folder, struct gs_err *err)
{
	static const char script[] =
	    "import os,py_compile,sys\n"
	    "k=sys.argv[1]\n"
	    "for n in sorted(os.listdir(k)):\n"
	    "    if n.endswith('.py'):\n"
	    "        py_compile.compile(k+'/'+n,k+'/'+n+'c',doraise=True)\n"
	    "        os.remove(k+'/'+n)\n";
	const struct gs_run_spec spec = {.env = env};
	GS_CLEANUP(session_release)
	struct session run = session_of(slot, &spec);
	run.launch.kit = gs_strdup(folder);
	struct gs_run ignored = {0};
	int rc = gs_launch_token(run.token, err);
	gs_events_init(&run.events, run.token, &ignored);
	if (rc == 0)
		rc = gs_launch_binds(&run.launch, err);
	if (rc == 0)
		rc = open_channels(&run, err);
	if (rc < 0)
		return rc;
	gs_launch_argv(&run.launch, GS_LAUNCH_KIT_WRITABLE | GS_LAUNCH_BLOCKED);
	gs_strv_push_all(&run.launch.argv, "-I", "-c", script,
	    gs_launch_seen(slot, folder, GS_BOX_KIT), NULL);
	struct gs_end end;
	rc = execute(&run, &end, err);
	if (rc < 0)
		return rc;
	if (end.kind == GS_END_EXITED && end.code == 0)
		return 0;
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	gs_capture_text(&run.printed, &text);
	return gs_fail(err, GS_E_ENVIRONMENT,
	    "%s does not start in the sandbox: %.600s", env->python,
	    gs_buf_cstr(&text));
}

int gs_launch_kit(struct gs_launch *launch, struct gs_err *err)
{
	struct gs_slot *slot = launch->slot;
	const struct gs_env *env = launch->spec->env;
	GS_CLEANUP(gs_freep)
	char *key = gs_format("%s %s", env->python, env->python_version);
	for (size_t i = 0; i < slot->kits.n; i += 2)
		if (strcmp(slot->kits.v[i], key) == 0) {
			launch->kit = gs_strdup(slot->kits.v[i + 1]);
			return 0;
		}
	GS_CLEANUP(gs_freep) char *folder = NULL;
	int rc = gs_slot_write_kit(slot, &folder, err);
	if (rc == 0)
		rc = compile_kit(slot, env, folder, err);
	if (rc < 0)
		return rc;
	gs_strv_push(&slot->kits, key);
	gs_strv_push(&slot->kits, folder);
	launch->kit = gs_steal(&folder);
	return 0;
}

/* ---- */

static int prepare(struct session *run, struct gs_err *err)
{
	int rc = gs_slot_refresh(run->slot, err);
	if (rc == 0)
		rc = gs_launch_kit(&run->launch, err);
	if (rc == 0)
		rc = gs_launch_binds(&run->launch, err);
	if (rc == 0)
		rc = gs_launch_distribution(&run->launch, err);
	if (rc == 0)
		rc = gs_launch_token(run->token, err);
	if (rc < 0)
		return rc;
	gs_launch_request(&run->launch, run->token, false, &run->request);
	rc = open_channels(run, err);
	if (rc < 0)
		return rc;
	gs_launch_argv(&run->launch, GS_LAUNCH_BLOCKED);
	struct gs_strv *argv = &run->launch.argv;
	gs_strv_pushf(argv, "%s/boot.pyc",
	    gs_launch_seen(run->slot, run->launch.kit, GS_BOX_KIT));
	gs_strv_pushf(argv, "%d", GS_BOX_FD_REQUEST);
	gs_strv_pushf(argv, "%d", GS_BOX_FD_EVENTS);
	return 0;
}

static int perform(struct session *run, struct gs_run *ret, struct gs_err *err)
{
	int rc = prepare(run, err);
	if (rc < 0)
		return rc;
	gs_events_init(&run->events, run->token, ret);
	struct gs_run_ending ending = {
	    .stop_at_first_failure = run->spec->stop_at_first_failure};
	rc = execute(run, &ending.end, err);
	if (rc == 0 && run->infra_failed)
		rc = gs_fail(err, run->infra.code, "%s", run->infra.text);
	if (rc == 0 && ending.end.kind == GS_END_STOPPED)
		rc = gs_fail(err, GS_E_CANCELLED, "the run was interrupted");
	if (rc < 0)
		return rc;
	ending.disk_hit = run->disk_low;
	gs_launch_end(run->slot, &run->events, &run->printed, &ending, ret);
	return 0;
}

int gs_run_cold(struct gs_slot *slot, const struct gs_run_spec *spec,
    struct gs_run *ret, struct gs_err *err)
{
	GS_CLEANUP(session_release) struct session run = session_of(slot, spec);
	struct gs_run result = {0};
	int rc = perform(&run, &result, err);
	if (rc < 0) {
		gs_run_release(&result);
		return gs_wrap(err, "run the tests");
	}
	*ret = result;
	return 0;
}

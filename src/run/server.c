/* SPDX-License-Identifier: Apache-2.0 */
#include "run/server.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/json.h"
#include "base/mem.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/signals.h"
#include "run/launch.h"
#include "run/policy.h"
#include "run/slot.h"

#define START_MS 30000
/* How long the kernel may take to end a box's last process. */
#define GONE_MS 10000
#define RETIRE_MS 300
/* Starts that may fail before a key is refused. */
#define FAILURES_MAX 2
#define STATUS_MAX ((size_t)512)

void gs_server_init(struct gs_server *server)
{
	*server = (struct gs_server){.control = -1,
	    .init_pidfd = -1,
	    .proc = {
	        .pidfd = -1, .stdin_fd = -1, .stdout_fd = -1, .stderr_fd = -1}};
}

char *gs_server_key(const struct gs_run_spec *spec)
{
	return gs_format("%s %s %u %u %d %s", spec->env->python,
	    spec->env->id ? spec->env->id : "", (unsigned)spec->hash_seed,
	    spec->shims, spec->dist_name != NULL, spec->code ? spec->code : "");
}

/* The descriptors of a start, beside the control socket. */
struct start {
	struct gs_launch launch;
	int status_read, status_write, block_read, block_write, theirs;
};

static void start_release(struct start *start)
{
	gs_launch_release(&start->launch);
	gs_closep(&start->status_read);
	gs_closep(&start->status_write);
	gs_closep(&start->block_read);
	gs_closep(&start->block_write);
	gs_closep(&start->theirs);
}

static int open_channels(
    struct gs_server *server, struct start *start, struct gs_err *err)
{
	int ends[2];
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return gs_fail_sys(err, "make a socket for a warm worker");
	server->control = ends[0];
	start->theirs = ends[1];
	int rc = gs_fd_pipe(ends, err);
	if (rc < 0)
		return rc;
	start->status_read = ends[0];
	start->status_write = ends[1];
	rc = gs_fd_pipe(ends, err);
	if (rc < 0)
		return rc;
	start->block_read = ends[0];
	start->block_write = ends[1];
	return 0;
}

/* Waits until there is something to read; GS_E_NOT_FOUND at the deadline. */
static int await(int fd, int64_t deadline_ms, struct gs_err *err)
{
	for (;;) {
		struct pollfd watched[] = {{.fd = fd, .events = POLLIN},
		    {.fd = gs_stop_fd(), .events = POLLIN}};
		int n = poll(watched, 2, gs_clock_left(deadline_ms));
		if (gs_stop_requested())
			return gs_fail(err, GS_E_CANCELLED,
			    "the start of a warm worker was interrupted");
		if (n > 0 && watched[0].revents)
			return 0;
		if (n < 0 && errno != EINTR)
			return gs_fail_sys(err, "wait for a warm worker");
		if (gs_clock_left(deadline_ms) == 0)
			return gs_fail(err, GS_E_NOT_FOUND,
			    "a warm worker did not start in time");
	}
}

/* The box's first line, which has the number of its first process. */
static int read_line(int fd, struct gs_buf *ret, struct gs_err *err)
{
	char c = 0;
	while (c != '\n' && ret->n < STATUS_MAX) {
		int rc = await(fd, gs_clock_ms() + START_MS, err);
		if (rc < 0)
			return rc;
		if (read(fd, &c, 1) != 1)
			break;
		gs_buf_addc(ret, c);
	}
	return 0;
}

static int read_pid(const struct start *start, int *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf line = {0};
	int rc = read_line(start->status_read, &line, err);
	if (rc < 0)
		return rc;
	GS_CLEANUP(gs_json_free)
	json_t *status = gs_json_parse(gs_buf_str(&line), "status", NULL);
	int64_t pid = status ? gs_json_get_int(status, "child-pid", 0) : 0;
	if (pid <= 0 || pid > INT32_MAX)
		return gs_fail(err, GS_E_ENVIRONMENT,
		    "the sandbox of a warm worker did not start");
	*ret = (int)pid;
	return 0;
}

static int launch(
    struct gs_server *server, struct start *start, struct gs_err *err)
{
	struct gs_slot *slot = start->launch.slot;
	struct gs_fd_map fds[4] = {
	    {start->theirs, GS_BOX_FD_EVENTS},
	    {start->status_write, GS_BOX_FD_STATUS},
	    {start->block_read, GS_BOX_FD_BLOCK},
	    {slot->seccomp_fd, GS_BOX_FD_SECCOMP},
	};
	if (slot->seccomp_fd >= 0)
		(void)lseek(slot->seccomp_fd, 0, SEEK_SET);
	const struct gs_child child = {
	    .argv = gs_strv_argv(&start->launch.argv),
	    .envp = gs_launch_envp(&start->launch),
	    .cwd = "/",
	    .fds = fds,
	    .n_fds = slot->seccomp_fd >= 0 ? 4 : 3,
	    .uid = geteuid() == 0 ? slot->owner : 0,
	    .own_session = true,
	    .file_size_max = slot->is_mounted ? 0 : slot->limits.disk_bytes,
	};
	int pid = 0;
	int rc = gs_proc_start(&child, &server->proc, err);
	if (rc < 0)
		return rc;
	gs_closep(&start->theirs);
	gs_closep(&start->status_write);
	rc = read_pid(start, &pid, err);
	if (rc == 0) {
		server->init_pidfd = pidfd_open(pid, 0);
		rc = gs_cgroup_attach(&slot->cgroup, pid, err);
	}
	/* Closing lets the box go on. */
	return rc;
}

/* The server's words: one packet, a JSON object. */
static json_t *read_packet(int control)
{
	GS_CLEANUP(gs_freep) char *bytes = gs_alloc(GS_SERVER_PACKET_MAX);
	ssize_t n;
	do
		n = recv(control, bytes, GS_SERVER_PACKET_MAX, 0);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return NULL;
	return gs_json_parse(gs_str_n(bytes, (size_t)n), "answer", NULL);
}

static int greet(struct gs_server *server, const struct gs_run_spec *spec,
    const char *role, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	struct gs_json json = {.out = &text};
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "tree", GS_BOX_TREE);
	gs_json_put_cstr(&json, "role", role);
	gs_launch_shims(&json, spec);
	gs_json_end_object(&json);
	if (send(server->control, text.p, text.n, MSG_NOSIGNAL) < 0)
		return gs_fail_sys(err, "speak to a warm worker");
	int rc = await(server->control, gs_clock_ms() + START_MS, err);
	if (rc < 0)
		return rc;
	GS_CLEANUP(gs_json_free) json_t *answer = read_packet(server->control);
	GS_CLEANUP(gs_strv_release) struct gs_strv modules = {0};
	if (answer)
		gs_json_get_strv(answer, "modules", &modules);
	if (modules.n == 0)
		return gs_fail(err, GS_E_ENVIRONMENT,
		    "%s did not become a warm worker", spec->env->python);
	for (size_t i = 0; i < modules.n; i++)
		(void)gs_map_index(&server->modules, gs_str(modules.v[i]));
	return 0;
}

int gs_server_start(struct gs_server *server, struct gs_slot *slot,
    const struct gs_run_spec *spec, const char *role, struct gs_err *err)
{
	GS_CLEANUP(start_release)
	struct start start = {.launch = {.slot = slot, .spec = spec},
	    .status_read = -1,
	    .status_write = -1,
	    .block_read = -1,
	    .block_write = -1,
	    .theirs = -1};
	int rc = gs_slot_refresh(slot, err);
	if (rc == 0)
		rc = gs_launch_kit(&start.launch, err);
	if (rc == 0)
		rc = gs_launch_binds(&start.launch, err);
	if (rc == 0)
		rc = open_channels(server, &start, err);
	if (rc == 0) {
		gs_launch_argv(
		    &start.launch, GS_LAUNCH_BLOCKED | GS_LAUNCH_AS_INIT);
		gs_strv_push(&start.launch.argv, GS_BOX_KIT "/server.pyc");
		gs_strv_pushf(&start.launch.argv, "%d", GS_BOX_FD_EVENTS);
		rc = launch(server, &start, err);
	}
	if (rc == 0) {
		gs_closep(&start.block_read);
		gs_closep(&start.block_write);
		rc = greet(server, spec, role, err);
	}
	if (rc < 0) {
		gs_server_stop(server);
		return gs_wrap(err, "start a warm worker");
	}
	server->key = gs_server_key(spec);
	return 0;
}

static void await_gone(struct gs_server *server, int most_ms)
{
	struct pollfd wait = {.fd = server->init_pidfd, .events = POLLIN};
	if (server->init_pidfd >= 0)
		(void)poll(&wait, 1, most_ms);
}

void gs_server_retire(struct gs_server *server)
{
	gs_closep(&server->control);
	await_gone(server, RETIRE_MS);
	gs_server_stop(server);
}

void gs_server_stop(struct gs_server *server)
{
	gs_proc_release(&server->proc);
	/* Until its last process is gone it may still write into the tree. */
	await_gone(server, GONE_MS);
	gs_closep(&server->init_pidfd);
	gs_closep(&server->control);
	gs_map_release(&server->modules);
	free(server->key);
	gs_server_init(server);
}

bool gs_server_is_refused(const struct gs_map *failed, const char *key)
{
	return (uintptr_t)gs_map_get(failed, gs_str(key)) >= FAILURES_MAX;
}

void gs_server_note_failed(struct gs_map *failed, const char *key)
{
	void **count = gs_map_at(failed, gs_str(key));
	*count = (char *)*count + 1;
}

/* Aligned as its head wants it. */
union fd_room {
	char bytes[CMSG_SPACE(GS_SERVER_FDS_MAX * sizeof(int))];
	struct cmsghdr align;
};

int gs_server_send(
    struct gs_server *server, struct gs_str text, const int *fds, size_t n_fds)
{
	union fd_room room = {0};
	const size_t size = n_fds * sizeof(int);
	struct iovec data = {(char *)(uintptr_t)text.p, text.n};
	struct msghdr message = {.msg_iov = &data,
	    .msg_iovlen = 1,
	    .msg_control = room.bytes,
	    .msg_controllen = CMSG_SPACE(size)};
	struct cmsghdr *head = &room.align;
	head->cmsg_level = SOL_SOCKET;
	head->cmsg_type = SCM_RIGHTS;
	head->cmsg_len = CMSG_LEN(size);
	memcpy(CMSG_DATA(head), fds, size);
	ssize_t n;
	do
		n = sendmsg(server->control, &message, MSG_NOSIGNAL);
	while (n < 0 && errno == EINTR);
	return n < 0 ? GS_E_SYSTEM : 0;
}

int gs_server_await(struct gs_server *server, int most_ms, struct gs_err *err)
{
	int rc = await(server->control, gs_clock_ms() + most_ms, err);
	if (rc < 0)
		return rc;
	GS_CLEANUP(gs_json_free) json_t *answer = read_packet(server->control);
	return answer ? 0
	              : gs_fail(err, GS_E_NOT_FOUND, "the warm worker is lost");
}

int gs_server_answer(
    struct gs_server *server, struct gs_server_answer *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_json_free) json_t *answer = read_packet(server->control);
	int64_t status = answer ? gs_json_get_int(answer, "status", -1) : -1;
	if (status < 0 || status > 255)
		return gs_fail(err, GS_E_NOT_FOUND, "the warm worker is lost");
	*ret = (struct gs_server_answer){
	    .status = (int)status,
	    .tampered = gs_json_get_bool(answer, "tampered", true),
	    .worn = gs_json_get_cstr(answer, "worn") != NULL,
	};
	return 1;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "run/warm.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/json.h"
#include "base/log.h"
#include "base/mem.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/signals.h"
#include "run/compiler.h"
#include "run/events.h"
#include "run/launch.h"
#include "run/policy.h"
#include "run/server.h"

/* Servers that are kept: the hash seeds of K1. */
#define N_SERVERS 3
/* A server that has served so many runs makes room for a fresh one: what it
 * lost or fragmented stays bounded. */
#define RUNS_MAX 2000
/* How long the last bytes of a run may take to arrive. */
#define DRAIN_MS 1000
#define READ_SIZE ((size_t)64 << 10)

struct gs_warm {
	struct gs_slot *slot;
	struct gs_server servers[N_SERVERS];
	uint64_t clock; /* of their use */
	struct gs_warm_counts counts;
	struct gs_map failed; /* keys of servers that could not start */
	struct gs_compilers *compilers;
};

struct gs_warm *gs_warm_new(struct gs_slot *slot)
{
	struct gs_warm *warm = gs_alloc(sizeof(*warm));
	warm->slot = slot;
	warm->compilers = gs_compilers_new(slot);
	for (size_t i = 0; i < N_SERVERS; i++)
		gs_server_init(&warm->servers[i]);
	return warm;
}

void gs_warm_free(struct gs_warm *warm)
{
	if (!warm)
		return;
	for (size_t i = 0; i < N_SERVERS; i++)
		gs_server_retire(&warm->servers[i]);
	gs_compilers_free(warm->compilers);
	gs_map_release(&warm->failed);
	free(warm);
}

struct gs_warm_counts gs_warm_counts(const struct gs_warm *warm)
{
	struct gs_warm_counts counts = warm->counts;
	counts.compilers = gs_compilers_started(warm->compilers);
	return counts;
}

/* ---- choosing a server ---- */

/* A module of the tree that the server has loaded from elsewhere would never
 * be loaded from the tree (a project that pytest itself imports). */
static bool may_serve(
    const struct gs_server *server, const struct gs_strv *own_modules)
{
	for (size_t i = 0; own_modules && i < own_modules->n; i++)
		if (gs_map_has(&server->modules, gs_str(own_modules->v[i]))) {
			gs_log("%s is loaded in the server: a cold run",
			    own_modules->v[i]);
			return false;
		}
	return true;
}

static struct gs_server *oldest(struct gs_warm *warm)
{
	struct gs_server *choice = &warm->servers[0];
	for (size_t i = 1; i < N_SERVERS; i++)
		if (warm->servers[i].used_at < choice->used_at)
			choice = &warm->servers[i];
	return choice;
}

/* *ret stays NULL when there can be none; fails with GS_E_CANCELLED alone. */
static int start_server(struct gs_warm *warm, const struct gs_run_spec *spec,
    const char *key, struct gs_server **ret, struct gs_err *err)
{
	struct gs_err reason = {0};
	if (gs_server_is_refused(&warm->failed, key))
		return 0;
	struct gs_server *server = oldest(warm);
	gs_server_retire(server);
	if (gs_server_start(server, warm->slot, spec, "runs", &reason) == 0) {
		warm->counts.started++;
		*ret = server;
		return 0;
	}
	if (reason.code == GS_E_CANCELLED)
		return gs_fail(err, reason.code, "%s", reason.text);
	gs_log("no warm worker: %s", reason.text);
	gs_server_note_failed(&warm->failed, key);
	return 0;
}

static int find_server(struct gs_warm *warm, const struct gs_run_spec *spec,
    struct gs_server **ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *key = gs_server_key(spec);
	struct gs_server *server = NULL;
	for (size_t i = 0; i < N_SERVERS; i++)
		if (warm->servers[i].key &&
		    strcmp(warm->servers[i].key, key) == 0)
			server = &warm->servers[i];
	if (server && server->n_runs >= RUNS_MAX) {
		gs_server_retire(server);
		server = NULL;
	}
	if (!server) {
		int rc = start_server(warm, spec, key, &server, err);
		if (rc < 0 || !server)
			return rc;
	}
	server->used_at = ++warm->clock;
	*ret = server;
	return 0;
}

/* ---- one run ---- */

struct session {
	struct gs_warm *warm;
	struct gs_server *server;
	const struct gs_run_spec *spec;
	struct gs_events events;
	struct gs_capture printed;
	int event_fd, printed_fd, request_fd;
	int event_write, printed_write;
	uint64_t n_printed;
	int64_t started_ms, deadline_ms;
	bool disk_low;
	enum gs_end_kind ended_by; /* GS_END_EXITED while nothing ended it */
	struct gs_server_answer answer;
};

static void session_release(struct session *run)
{
	gs_events_release(&run->events);
	gs_capture_release(&run->printed);
	gs_closep(&run->event_fd);
	gs_closep(&run->printed_fd);
	gs_closep(&run->request_fd);
	gs_closep(&run->event_write);
	gs_closep(&run->printed_write);
}

static int open_pipe(int *ret_read, int *ret_write, struct gs_err *err)
{
	int ends[2];
	int rc = gs_fd_pipe(ends, err);
	if (rc < 0)
		return rc;
	*ret_read = ends[0];
	*ret_write = ends[1];
	return 0;
}

/* Everything that a run needs before the server hears of it. */
static int prepare(struct session *run, struct gs_run *ret, struct gs_err *err)
{
	struct gs_slot *slot = run->warm->slot;
	const struct gs_launch launch = {.slot = slot, .spec = run->spec};
	GS_CLEANUP(gs_buf_release) struct gs_buf request = {0};
	char token[33];
	int rc = gs_slot_refresh(slot, err);
	if (rc == 0)
		rc = gs_launch_distribution(&launch, err);
	if (rc == 0)
		rc = gs_launch_token(token, err);
	if (rc < 0)
		return rc;
	gs_events_init(&run->events, token, ret);
	gs_launch_request(&launch, token, true, &request);
	rc = open_pipe(&run->event_fd, &run->event_write, err);
	if (rc == 0)
		rc = open_pipe(&run->printed_fd, &run->printed_write, err);
	if (rc == 0)
		rc = gs_fd_memory("goldset-request", gs_buf_str(&request),
		    &run->request_fd, err);
	return rc;
}

static void end_it(struct session *run, enum gs_end_kind why)
{
	run->ended_by = why;
	gs_server_stop(run->server);
}

/* Reads once; at the end of file the descriptor is closed. */
static void take(struct session *run, int *fd)
{
	char bytes[READ_SIZE];
	ssize_t n = read(*fd, bytes, sizeof(bytes));
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		gs_closep(fd);
		return;
	}
	struct gs_str part = gs_str_n(bytes, (size_t)n);
	if (fd == &run->event_fd) {
		if (gs_events_feed(&run->events, part) != 0)
			end_it(run, GS_END_OUTPUT);
		return;
	}
	run->n_printed += part.n;
	gs_capture_add(&run->printed, part);
	if (run->n_printed > run->warm->slot->limits.output_bytes)
		end_it(run, GS_END_OUTPUT);
}

/* Waits once and handles what came; 1 once the server has answered, 0 to go
 * on, GS_E_SYSTEM when it is lost. */
static int step(struct session *run, struct gs_err *err)
{
	struct pollfd watched[] = {
	    {.fd = run->server->control, .events = POLLIN},
	    {.fd = run->event_fd, .events = POLLIN},
	    {.fd = run->printed_fd, .events = POLLIN},
	    {.fd = gs_stop_fd(), .events = POLLIN},
	};
	int left = gs_clock_left(run->deadline_ms);
	int n = poll(
	    watched, GS_COUNT(watched), left < GS_TICK_MS ? left : GS_TICK_MS);
	if (n < 0 && errno != EINTR)
		return gs_fail_sys(err, "wait for a warm worker");
	if (gs_stop_requested()) {
		end_it(run, GS_END_STOPPED);
		return 1;
	}
	if (gs_slot_free(run->warm->slot) < GS_DISK_LOW)
		run->disk_low = true;
	if (n > 0 && watched[1].revents)
		take(run, &run->event_fd);
	if (n > 0 && watched[2].revents && run->ended_by == GS_END_EXITED)
		take(run, &run->printed_fd);
	if (run->ended_by != GS_END_EXITED)
		return 1;
	if (n > 0 && watched[0].revents)
		return gs_server_answer(run->server, &run->answer, err);
	if (gs_clock_left(run->deadline_ms) == 0) {
		end_it(run, GS_END_TIMEOUT);
		return 1;
	}
	return 0;
}

/* All writers are gone: what is in the pipes is all there is. */
static void drain(struct session *run)
{
	int64_t until = gs_clock_ms() + DRAIN_MS;
	while (run->event_fd >= 0 || run->printed_fd >= 0) {
		struct pollfd watched[] = {
		    {.fd = run->event_fd, .events = POLLIN},
		    {.fd = run->printed_fd, .events = POLLIN},
		};
		int n = poll(watched, 2, gs_clock_left(until));
		if (n == 0 || (n < 0 && errno != EINTR))
			return;
		if (n > 0 && watched[0].revents)
			take(run, &run->event_fd);
		if (n > 0 && watched[1].revents)
			take(run, &run->printed_fd);
	}
}

/* 1 when the run was made, 0 when its server was lost. */
static int serve(struct session *run, struct gs_err *err)
{
	const int fds[3] = {
	    run->request_fd, run->event_write, run->printed_write};
	if (gs_server_send(run->server, GS_STR("{}"), fds, 3) < 0)
		return 0;
	gs_closep(&run->event_write);
	gs_closep(&run->printed_write);
	int rc;
	do
		rc = step(run, err);
	while (rc == 0);
	if (rc == GS_E_NOT_FOUND) {
		*err = (struct gs_err){0};
		return 0;
	}
	if (rc < 0)
		return rc;
	drain(run);
	return 1;
}

static struct gs_run_ending ending_of(const struct session *run)
{
	bool is_made = run->ended_by == GS_END_EXITED;
	return (struct gs_run_ending){
	    .stop_at_first_failure = run->spec->stop_at_first_failure,
	    .disk_hit = run->disk_low,
	    .end = {.kind = run->ended_by,
	        .code = is_made ? run->answer.status : 0,
	        .elapsed_ms = gs_clock_ms() - run->started_ms}};
}

static int finish(struct session *run, struct gs_run *ret, bool *ret_was_made,
    struct gs_err *err)
{
	struct gs_warm *warm = run->warm;
	if (run->ended_by == GS_END_STOPPED)
		return gs_fail(err, GS_E_CANCELLED, "the run was interrupted");
	if (run->answer.tampered) {
		gs_log("a test changed its warm worker, which is replaced");
		warm->counts.tampered++;
		gs_server_stop(run->server);
		return 0;
	}
	if (run->answer.worn) {
		warm->counts.worn++;
		gs_server_retire(run->server);
	}
	gs_compile_note(warm->compilers, run->spec->code, &run->events.loaded);
	struct gs_run_ending ending = ending_of(run);
	gs_launch_end(warm->slot, &run->events, &run->printed, &ending, ret);
	warm->counts.runs++;
	*ret_was_made = true;
	return 0;
}

static int perform(struct session *run, struct gs_run *ret, bool *ret_was_made,
    struct gs_err *err)
{
	int rc = prepare(run, ret, err);
	if (rc < 0)
		return rc;
	run->started_ms = gs_clock_ms();
	run->deadline_ms =
	    run->started_ms + (run->spec->timeout_ms
	                              ? run->spec->timeout_ms
	                              : run->warm->slot->limits.timeout_ms);
	rc = serve(run, err);
	if (rc == 0) {
		gs_log("a warm worker was lost, and is replaced");
		run->warm->counts.lost++;
		gs_server_stop(run->server);
		gs_launch_forget_hits(run->warm->slot);
	}
	return rc > 0 ? finish(run, ret, ret_was_made, err) : rc;
}

/* Folders of the interpreter in one that is emptied after each run: with the
 * place that one is mounted on, the mount would go. */
static bool is_swept_away(const struct gs_env *env)
{
	for (size_t i = 0; i < env->binds.n; i++) {
		struct gs_str bind = gs_str(env->binds.v[i]);
		if (gs_str_starts(bind, GS_BOX_TMP "/") ||
		    gs_str_starts(bind, "/dev/shm/"))
			return true;
	}
	return false;
}

static bool is_possible(
    const struct gs_warm *warm, const struct gs_run_spec *spec)
{
	/* libfaketime shares writable memory with everything it is loaded
	 * into: no server can have it. */
	return !warm->slot->box->is_unsafe && !spec->extra_env &&
	       !is_swept_away(spec->env) &&
	       (spec->clock_ahead_s == 0 || !spec->env->faketime);
}

int gs_run_warm(struct gs_warm *warm, const struct gs_run_spec *wanted,
    struct gs_run *ret, bool *ret_was_made, struct gs_err *err)
{
	*ret_was_made = false;
	if (!is_possible(warm, wanted))
		return 0;
	struct gs_run_spec spec = *wanted;
	struct gs_server *server = NULL;
	int rc = gs_compile(warm->compilers, wanted, &spec.code, err);
	if (rc == 0)
		rc = find_server(warm, &spec, &server, err);
	if (rc < 0 || !server || !may_serve(server, spec.own_modules))
		return rc;
	server->n_runs++;
	GS_CLEANUP(session_release)
	struct session run = {.warm = warm,
	    .server = server,
	    .spec = &spec,
	    .event_fd = -1,
	    .printed_fd = -1,
	    .request_fd = -1,
	    .event_write = -1,
	    .printed_write = -1,
	    .ended_by = GS_END_EXITED};
	struct gs_run result = {0};
	rc = perform(&run, &result, ret_was_made, err);
	if (rc < 0 || !*ret_was_made) {
		gs_run_release(&result);
		return rc < 0 ? gs_wrap(err, "run the tests") : 0;
	}
	*ret = result;
	return 0;
}

int gs_run_fresh(struct gs_warm *warm, const struct gs_run_spec *wanted,
    struct gs_run *ret, struct gs_err *err)
{
	struct gs_run_spec spec = *wanted;
	int rc = 0;
	if (!warm->slot->box->is_unsafe)
		rc = gs_compile(warm->compilers, wanted, &spec.code, err);
	return rc < 0 ? rc : gs_run_cold(warm->slot, &spec, ret, err);
}

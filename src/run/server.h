/* SPDX-License-Identifier: Apache-2.0 */
/* A box with a server in it, and the packets that it is spoken to with
 * (server.py has the other end). There are two kinds: one forks runs (warm.c),
 * one compiles for all of them and sees no run (compiler.c). */
#ifndef RUN_SERVER_H
#define RUN_SERVER_H

#include "base/map.h"
#include "os/proc.h"
#include "run/run.h"

struct gs_server {
	char *key; /* NULL: there is none */
	struct gs_proc proc;
	int init_pidfd;        /* the box's first process: the server */
	int control;           /* packets; the box holds the other end */
	struct gs_map modules; /* top-level names that it has loaded */
	unsigned n_runs;
	uint64_t used_at;
};

struct gs_server_answer {
	int status; /* the run's exit status, or 128 + its signal */
	bool tampered, worn;
};

void gs_server_init(struct gs_server *server);
/* What a server must have been started for to serve a run, its compiled code
 * included. The caller frees. */
char *gs_server_key(const struct gs_run_spec *spec);
/* Starts it and waits until it has loaded pytest; `role` is "runs" or
 * "compiles". */
GS_MUST_CHECK int gs_server_start(struct gs_server *server,
    struct gs_slot *slot, const struct gs_run_spec *spec, const char *role,
    struct gs_err *err);
/* Ends its box, and waits for its last process; fine when there is none. */
void gs_server_stop(struct gs_server *server);

/* Lets one that waits for work leave by itself first, so that what it used is
 * counted as ours. */
void gs_server_retire(struct gs_server *server);

/* Sends a packet with descriptors; the server has them from then on. */
GS_MUST_CHECK int gs_server_send(
    struct gs_server *server, struct gs_str text, const int *fds, size_t n_fds);
/* Starts that failed, by key. What failed twice is not tried again: an
 * interpreter that cannot, or a machine that is short of something. */
bool gs_server_is_refused(const struct gs_map *failed, const char *key);
void gs_server_note_failed(struct gs_map *failed, const char *key);

/* Takes a packet that is there: 1, or GS_E_NOT_FOUND when the server is. */
GS_MUST_CHECK int gs_server_answer(
    struct gs_server *server, struct gs_server_answer *ret, struct gs_err *err);
/* Waits for a packet that says no more than that it is done; GS_E_NOT_FOUND
 * when there is none in time. */
GS_MUST_CHECK int gs_server_await(
    struct gs_server *server, int most_ms, struct gs_err *err);

#define GS_SERVER_PACKET_MAX ((size_t)64 << 10)
#define GS_SERVER_FDS_MAX 3

#endif

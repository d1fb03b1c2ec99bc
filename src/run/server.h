/* SPDX-License-Identifier: Apache-2.0 */
/* One server of warm.c: its box, and the packets that it is spoken to with
 * (server.py has the other end). */
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
	char *cache;           /* host folder for compiled code */
	struct gs_map loaded;  /* files of the tree that runs have loaded */
	size_t n_told;         /* of them, to the server */
	unsigned n_runs;
	uint64_t used_at;
};

struct gs_server_answer {
	int status; /* the run's exit status, or 128 + its signal */
	bool tampered, worn;
};

void gs_server_init(struct gs_server *server);
/* What a server must have been started for to serve a run. The caller
 * frees. */
char *gs_server_key(const struct gs_run_spec *spec);
/* Starts it and waits until it has loaded pytest. */
GS_MUST_CHECK int gs_server_start(struct gs_server *server,
    struct gs_slot *slot, const struct gs_run_spec *spec, struct gs_err *err);
/* Ends its box, and waits for its last process; fine when there is none. */
void gs_server_stop(struct gs_server *server);

/* Lets one that waits for work leave by itself first, so that what it used is
 * counted as ours. */
void gs_server_retire(struct gs_server *server);

/* Files that a run has loaded: the next one finds them compiled. */
void gs_server_note_loaded(
    struct gs_server *server, const struct gs_strv *names);
/* Asks for a run: request, events, output. */
GS_MUST_CHECK int gs_server_ask(struct gs_server *server, const int fds[3]);
/* Takes a packet that is there: 1, or GS_E_NOT_FOUND when the server is. */
GS_MUST_CHECK int gs_server_answer(
    struct gs_server *server, struct gs_server_answer *ret, struct gs_err *err);

#endif

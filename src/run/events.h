/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The event stream of one run, taken apart: lines of JSON in, nodes and the
 * run's kind out (O1 to O4). Pure; what arrives is hostile.
 *
 *	struct gs_events events;
 *	gs_events_init(&events, token, &run);
 *	while (…) if (gs_events_feed(&events, bytes)) …   // too much: end it
 *	gs_events_end(&events, &ending);
 *
 * The stream's first line is the sandbox's own (its child's pid); every
 * further line counts only with the run's token and the next number. A line
 * with the token and another number breaks the stream: nothing after it is
 * believed, and the run is not complete.
 */
#ifndef RUN_EVENTS_H
#define RUN_EVENTS_H

#include "model/outcome.h"
#include "os/proc.h"

/* What a node has reported so far; parallel to run->nodes. */
struct gs_events_node {
	unsigned n_setup, n_call, n_teardown;
	unsigned n_collected; /* times in the list: twice is a duplicate */
	bool skipped, xfail, xpass, passed_call, rerun;
};

struct gs_events {
	struct gs_run *run;
	char token[40];
	struct gs_buf line; /* an unfinished one */
	uint64_t n_bytes, n_lines;
	int64_t next;        /* number of the next event */
	int child_pid;       /* from the sandbox's line, or 0 */
	struct gs_map by_id; /* entry i is node i */

	struct {
		struct gs_events_node *v;
		size_t n, cap;
	} nodes;
	struct gs_strv loaded; /* files of the tree: "p:…", "r:…" */
	size_t n_failed_reports;
	int64_t n_collected; /* -1 until collection has finished */
	int running;         /* index of the node under way, or -1 */
	bool is_broken, started, has_session, has_finish, has_main;
	bool no_space, no_memory, no_process; /* an exception said so */
	int finish_status, main_status;
	char *internal; /* pytest's own error */
};

/* How the process ended, and what the limits say. */
struct gs_run_ending {
	struct gs_end end;
	bool memory_hit, processes_hit, disk_hit;
	bool stop_at_first_failure; /* nodes may be left without outcome */
	struct gs_str printed;      /* for the sentence when nothing ran */
};

void gs_events_init(
    struct gs_events *events, const char *token, struct gs_run *run);
void gs_events_release(struct gs_events *events);
/* Non-zero once the stream has passed GS_MAX_EVENTS or GS_MAX_NODES. */
int gs_events_feed(struct gs_events *events, struct gs_str bytes);
/* Settles outcomes and kind; the run is indexed. */
void gs_events_end(
    struct gs_events *events, const struct gs_run_ending *ending);

#endif

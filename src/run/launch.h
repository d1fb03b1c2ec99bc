/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A box about to be started: what bwrap is told, and what our Python inside
 * is told about one run. Shared by cold runs (a box a run) and warm ones (a
 * box a server).
 */
#ifndef RUN_LAUNCH_H
#define RUN_LAUNCH_H

#include "base/json.h"
#include "run/events.h"
#include "run/slot.h"

struct gs_launch {
	struct gs_slot *slot;
	const struct gs_run_spec *spec;
	struct gs_strv environment, binds, argv;
	char *kit; /* folder with our compiled Python files */
};

enum gs_launch_flag {
	GS_LAUNCH_KIT_WRITABLE = 1 << 0, /* while it is compiled */
	GS_LAUNCH_BLOCKED = 1 << 1,      /* the block descriptor is there */
	/* The program is the box's first process: no signal from inside ends
	 * or stops it, and all others end with it. */
	GS_LAUNCH_AS_INIT = 1 << 2,
};

void gs_launch_release(struct gs_launch *launch);
/* Finds what the environment needs bound; before gs_launch_argv. */
GS_MUST_CHECK int gs_launch_binds(struct gs_launch *launch, struct gs_err *err);
/* Sets environment and argv, up to and with the interpreter. */
void gs_launch_argv(struct gs_launch *launch, unsigned flags);
/* What argv[0] is started with: bwrap, or without a sandbox the interpreter. */
char *const *gs_launch_envp(const struct gs_launch *launch);
/* A folder of the tree's box as the program sees it, without a sandbox as it
 * is on the host. */
const char *gs_launch_seen(
    const struct gs_slot *slot, const char *host, const char *inside);
/* O6: the record that importlib.metadata finds the project by. */
GS_MUST_CHECK int gs_launch_distribution(
    const struct gs_launch *launch, struct gs_err *err);

/* The request of one run, as boot.py reads it. */
void gs_launch_request(const struct gs_launch *launch, const char *token,
    bool is_warm, struct gs_buf *ret);
GS_MUST_CHECK int gs_launch_token(char out[33], struct gs_err *err);

/* cold.c: compiles the kit for an interpreter, once; sets launch->kit. */
GS_MUST_CHECK int gs_launch_kit(struct gs_launch *launch, struct gs_err *err);

/* The members "shims" and "dist_name" of a JSON object. */
void gs_launch_shims(struct gs_json *json, const struct gs_run_spec *spec);

/* How a run has ended: asks the control group, keeps what was printed, and
 * settles the events. `ending` holds what the caller knows. */
void gs_launch_end(struct gs_slot *slot, struct gs_events *events,
    const struct gs_capture *printed, struct gs_run_ending *ending,
    struct gs_run *ret);
/* Limits that were hit so far are nobody's who comes after. */
void gs_launch_forget_hits(struct gs_slot *slot);

/* Below this much free space at any look the disk counts as filled. */
#define GS_DISK_LOW ((uint64_t)64 << 10)
#define GS_TICK_MS 50

#endif

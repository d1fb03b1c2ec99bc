/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a run may see, as a command line: a pure function from a description
 * to bwrap's arguments. docs/sandbox.md says why each of them is there.
 */
#ifndef RUN_POLICY_H
#define RUN_POLICY_H

#include "run/box.h"

/* Places inside the box: short and always the same (F088). */
#define GS_BOX_TREE "/w/tree"
#define GS_BOX_HOME "/w/home"
#define GS_BOX_KIT "/w/kit"
#define GS_BOX_DIST "/w/dist"
#define GS_BOX_CACHE "/w/cache"
#define GS_BOX_TMP "/tmp"
#define GS_BOX_UID 1000

/* Descriptors inside the box. */
enum gs_box_fd {
	GS_BOX_FD_STATUS = 3, /* bwrap's own */
	GS_BOX_FD_EVENTS = 4,
	GS_BOX_FD_REQUEST = 5,
	GS_BOX_FD_SECCOMP = 6, /* bwrap's own */
	GS_BOX_FD_BLOCK = 7,   /* bwrap's own */
};

struct gs_policy {
	const struct gs_box *box;
	/* host folders */
	const char *tree, *home, *tmp, *shm, *kit, *etc;
	const char *dist;  /* or NULL */
	const char *cache; /* compiled code, read-only; or NULL */
	bool kit_writable; /* while it is compiled */
	/* pairs: host folder, place in the box; read-only */
	const struct gs_strv *binds;
	const char *python;             /* inside the box */
	const char *const *environment; /* see gs_policy_environment */
	bool can_block;                 /* the block descriptor is there */
	bool as_init; /* the program is process 1, not bwrap's own init */
};

struct gs_policy_env {
	const char *python;
	const char *home, *tmp;
	uint32_t hash_seed;
	const char *faketime; /* library, or NULL */
	int64_t clock_ahead_s;
	const char *const *extra; /* NAME=value, NULL-terminated, or NULL */
};

/* The allow-list environment (S4), NAME=value, appended. */
void gs_policy_environment(
    const struct gs_policy_env *env, struct gs_strv *ret);
/* bwrap and all its options, up to and without the program; appended. */
void gs_policy_argv(const struct gs_policy *policy, struct gs_strv *ret);

#endif

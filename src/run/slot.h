/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a slot, for the files of run/ that make runs in it. */
#ifndef RUN_SLOT_H
#define RUN_SLOT_H

#include "run/cgroup.h"
#include "run/env.h"
#include "run/run.h"

struct gs_slot {
	const struct gs_box *box;
	struct gs_box_limits limits;
	char *base; /* holds the folders below */
	char *tree, *home, *tmp, *shm, *dist, *etc;
	uid_t owner;
	bool is_mounted; /* base is a tmpfs of bounded size, only ours */
	int seccomp_fd;
	struct gs_cgroup cgroup;
	/* pairs: folder, where the run's user can reach it (as root a folder
	 * below somebody's 0700 home is mounted anew) */
	struct gs_strv staged;
	unsigned n_caches; /* made so far */
	/* pairs: interpreter, its kit: our Python files, compiled */
	struct gs_strv kits;
};

/* Empties home, tmp, shm and dist (S4). */
GS_MUST_CHECK int gs_slot_refresh(struct gs_slot *slot, struct gs_err *err);
/* Appends the pair (host folder, place in the box) for bwrap. */
GS_MUST_CHECK int gs_slot_bind(struct gs_slot *slot, const char *folder,
    struct gs_strv *ret, struct gs_err *err);
/* Makes an empty folder for compiled code; only the run's user writes there. */
GS_MUST_CHECK int gs_slot_new_cache(
    struct gs_slot *slot, char **ret_folder, struct gs_err *err);
/* Free bytes where the tests write; UINT64_MAX when unknown. */
uint64_t gs_slot_free(const struct gs_slot *slot);
/* Writes a folder with our Python files, owned by the run's user. */
GS_MUST_CHECK int gs_slot_write_kit(
    struct gs_slot *slot, char **ret_folder, struct gs_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sandbox: what a run may see and use, as a bubblewrap command line
 * (docs/sandbox.md has the threat model). Probed once; without a sandbox
 * nothing runs unless the user insists, and then the evidence says so.
 */
#ifndef RUN_BOX_H
#define RUN_BOX_H

#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"
#include "base/strv.h"

struct gs_box_limits {
	int timeout_ms;
	uint64_t memory_bytes;
	unsigned processes;
	uint64_t output_bytes;
	uint64_t disk_bytes; /* of the slot: tree, home and temporary files */
};

/* The environment of bwrap itself; that of what runs inside is given to it as
 * arguments. Neither the caller's LD_PRELOAD nor the clock that is moved inside
 * concerns it: libfaketime would leave files in the machine's /dev/shm. */
extern char *const gs_box_environment[];

/* 60 s, 4 GiB, 512 processes, 256 MiB of output, 1 GiB of disk. */
extern const struct gs_box_limits gs_box_default_limits;

/* What this machine can hold a run with. */
struct gs_box {
	char *bwrap; /* path */
	char *version;
	uid_t uid; /* a run's real user: ours, or a dedicated one as root */

	enum gs_box_cgroup {
		GS_CGROUP_NONE, /* rlimits only */
		GS_CGROUP_V1,
		GS_CGROUP_V2,
	} cgroup;

	char *cgroup_path; /* the folder that slots make theirs in */
	char *cgroup_pids; /* under version 1 another hierarchy's */
	/* bwrap's options for /bin, /lib… and the files of /etc, as they are
	 * on this machine */
	struct gs_strv root_options;
	bool has_seccomp;
	bool is_unsafe; /* the user insisted on running without a sandbox */
	char *summary;  /* "bubblewrap 0.8.0, seccomp, cgroup v1": evidence */
};

/* GS_E_ENVIRONMENT with what to do when there is no sandbox (F146). */
GS_MUST_CHECK int gs_box_probe(
    bool allow_unsafe, struct gs_box *ret, struct gs_err *err);
void gs_box_release(struct gs_box *box);

#endif

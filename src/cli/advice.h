/* SPDX-License-Identifier: Apache-2.0 */
/* What helps on this machine: how a package is called and installed here, and
 * why a sandbox cannot be had. Pure functions over facts that `doctor` reads.
 */
#ifndef CLI_ADVICE_H
#define CLI_ADVICE_H

#include "base/buf.h"

enum gs_system {
	GS_SYSTEM_OTHER,
	GS_SYSTEM_DEBIAN,
	GS_SYSTEM_FEDORA,
	GS_SYSTEM_ARCH,
};

enum gs_thing {
	GS_THING_GIT,
	GS_THING_BUBBLEWRAP,
	GS_THING_PYTEST,
	GS_THING_FAKETIME,
	GS_THING_CURL,
	GS_N_THINGS
};

/* Numbers are -1 where the kernel does not have them. */
struct gs_machine {
	enum gs_system system;
	const char *container; /* "docker", "podman", …; NULL: none is seen */
	bool is_slurm;         /* inside a job */
	bool is_root;
	int userns_clone;      /* kernel.unprivileged_userns_clone */
	int max_userns;        /* user.max_user_namespaces */
	int apparmor_restrict; /* kernel.apparmor_restrict_unprivileged_userns
	                        */
};

/* By ID and ID_LIKE of the text of /etc/os-release. */
enum gs_system gs_system_of(struct gs_str text);
/* "apt install bubblewrap"; as a sentence where the system is not known. */
void gs_advise_install(
    enum gs_system system, enum gs_thing thing, struct gs_buf *ret);
/* Why a bubblewrap that is there may not start, and what mends it. */
void gs_advise_sandbox(const struct gs_machine *machine, struct gs_buf *ret);

#endif

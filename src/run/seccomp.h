/* SPDX-License-Identifier: Apache-2.0 */
/* The system calls that a run may not make, as a BPF program. */
#ifndef RUN_SECCOMP_H
#define RUN_SECCOMP_H

#include "base/err.h"

/* A memfd that holds the program, for bwrap --seccomp. */
GS_MUST_CHECK int gs_seccomp_open(int *ret_fd, struct gs_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What env.c and env_venv.c share. */
#ifndef RUN_ENV_INSPECT_H
#define RUN_ENV_INSPECT_H

#include "run/env.h"

/* Asks an interpreter (an absolute path) what it is and can import. */
GS_MUST_CHECK int gs_env_inspect(const char *python, enum gs_env_kind kind,
    struct gs_env *ret, struct gs_err *err);

#endif

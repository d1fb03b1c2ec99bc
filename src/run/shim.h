/* SPDX-License-Identifier: Apache-2.0 */
/* What the distribution shim (O6.5) finds: a record of the project itself. */
#ifndef RUN_SHIM_H
#define RUN_SHIM_H

#include "base/err.h"

/* Into `dir`, which the run has at the end of sys.path; `version` may be
 * NULL. importlib.metadata and pkg_resources find the project by it. */
GS_MUST_CHECK int gs_shim_write_distribution(
    const char *dir, const char *name, const char *version, struct gs_err *err);

#endif

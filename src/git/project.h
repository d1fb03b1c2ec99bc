/* SPDX-License-Identifier: Apache-2.0 */
/* A project's own distribution name and version, as the files of a state say
 * them, for the distribution shim (O6.5). Read as text; nothing is executed. */
#ifndef GIT_PROJECT_H
#define GIT_PROJECT_H

#include "git/listing.h"

/* NULL where no file says it. The caller frees. */
GS_MUST_CHECK int gs_project_identity(struct gs_objects *objects,
    const struct gs_listing *tree, char **ret_name, char **ret_version,
    struct gs_err *err);

#endif

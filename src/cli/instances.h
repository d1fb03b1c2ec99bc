/* SPDX-License-Identifier: Apache-2.0 */
/* What became of imported instances, for goldset status. */
#ifndef CLI_INSTANCES_H
#define CLI_INSTANCES_H

#include "cli/command.h"

/* Members "instances" of an open JSON object; nothing when there are none. */
GS_MUST_CHECK int gs_instances_write(struct gs_cli *cli, const char *project,
    struct gs_json *json, struct gs_err *err);
/* Counts, and with `each` a line an instance. */
GS_MUST_CHECK int gs_instances_put(
    struct gs_cli *cli, const char *project, bool each, struct gs_err *err);

#endif

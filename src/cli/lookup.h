/* SPDX-License-Identifier: Apache-2.0 */
/* A record by its id: from a release (--release, or the folder one stands
 * in), else from the workspace. */
#ifndef CLI_LOOKUP_H
#define CLI_LOOKUP_H

#include "cli/command.h"
#include "model/record.h"

/* GS_E_NOT_FOUND says where it was looked for. A unique beginning of an id
 * is taken too. */
GS_MUST_CHECK int gs_lookup(struct gs_cli *cli, const char *release,
    const char *id, struct gs_record *ret_record,
    struct gs_evidence *ret_evidence, struct gs_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* The mirror that a record's tree is read from. */
#ifndef CLI_MIRRORS_H
#define CLI_MIRRORS_H

#include "cli/command.h"
#include "model/record.h"

/* The project's mirror in the workspace, else one made (in the workspace's
 * mirrors/) from `template` or from the record's URL. The caller frees. */
GS_MUST_CHECK int gs_mirror_of_record(struct gs_cli *cli,
    const struct gs_record *record, const char *template, char **ret_path,
    struct gs_err *err);

/* '/path/{owner}+{name}/repo' filled in. */
void gs_mirror_template(const char *template, struct gs_str owner,
    struct gs_str name, struct gs_buf *ret);

#endif

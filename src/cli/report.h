/* SPDX-License-Identifier: Apache-2.0 */
/* What a step did: one sentence on stderr for people, and with --json one
 * object a line on stdout, {"step": "mine", …} (docs/reference/json.md). */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "cli/command.h"
#include "mine/mine.h"
#include "publish/publish.h"
#include "validate/validate.h"

void gs_report_mine(struct gs_cli *cli, const char *project,
    const struct gs_mine_result *result);
void gs_report_validate(
    struct gs_cli *cli, const struct gs_validate_result *result);
void gs_report_publish(struct gs_cli *cli, const char *folder,
    const struct gs_publish_result *result);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Scores for people. */
#ifndef CLI_REPORTING_H
#define CLI_REPORTING_H

#include "cli/command.h"
#include "evaluate/detect.h"
#include "evaluate/report.h"

void gs_put_report(struct gs_cli *cli, const struct gs_report *report,
    const struct gs_report_request *request);
/* One row of a Markdown table over models; the first comes with its head. */
void gs_add_summary(struct gs_buf *table, const struct gs_report *report);
void gs_put_detect(struct gs_cli *cli, const struct gs_detect_report *report);
/* "12.5 %" and "(3.1 to 40.2 %)"; "" where it is not known. */
char *gs_percent_text(double rate);
char *gs_interval_text(struct gs_interval interval);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Long output through a pager, on a terminal only. */
#ifndef CLI_PAGER_H
#define CLI_PAGER_H

#include "cli/command.h"

/* Sends cli->out through $PAGER (else less, with colours and without fuss
 * for what fits the screen); elsewhere leaves it for the end of the command.
 * A pager that cannot be started is no error: the text is printed. */
GS_MUST_CHECK int gs_page(struct gs_cli *cli, struct gs_err *err);

#endif

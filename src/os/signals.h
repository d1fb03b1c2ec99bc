/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stopping. gs_stop_install makes SIGINT, SIGTERM and SIGHUP set a flag (the
 * second SIGINT ends the process at once) and ignores SIGPIPE. Long work
 * polls gs_stop_requested() or waits on gs_stop_fd() and comes home with
 * GS_E_CANCELLED.
 */
#ifndef OS_SIGNALS_H
#define OS_SIGNALS_H

#include <stdbool.h>

void gs_stop_install(void);
bool gs_stop_requested(void);
/* Readable once a stop was requested; -1 (which poll passes over) before
 * gs_stop_install. */
int gs_stop_fd(void);
/* In a forked worker: default actions again, and no request seen. */
void gs_stop_forget(void);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Debug log to stderr, off by default (-v). Allowed anywhere; whatever a
 * user has to know is an error or a value, never a log line. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include <stdbool.h>

#include "base/attr.h"

void gs_log_enable(bool on);
void gs_log(const char *fmt, ...) GS_PRINTF(1, 2);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks. Deadlines are absolute and monotonic; the wall clock is only for
 * what is printed (and is SOURCE_DATE_EPOCH where that is set). */
#ifndef OS_CLOCK_H
#define OS_CLOCK_H

#include <stdint.h>

int64_t gs_clock_ms(void);   /* monotonic milliseconds */
int64_t gs_clock_wall(void); /* seconds since 1970 */
/* Milliseconds until `deadline_ms`, at least 0; -1 for deadline 0 (never). */
int gs_clock_left(int64_t deadline_ms);

#endif

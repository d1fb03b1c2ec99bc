/* SPDX-License-Identifier: Apache-2.0 */
#include "os/clock.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <time.h>

int64_t gs_clock_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t gs_clock_wall(void)
{
	const char *fixed = getenv("SOURCE_DATE_EPOCH");

	if (fixed && *fixed) {
		char *end;
		errno = 0;
		long long at = strtoll(fixed, &end, 10);
		if (errno == 0 && *end == '\0' && at >= 0)
			return at;
	}
	return (int64_t)time(NULL);
}

int gs_clock_left(int64_t deadline_ms)
{
	if (deadline_ms == 0)
		return -1;
	int64_t left = deadline_ms - gs_clock_ms();
	if (left <= 0)
		return 0;
	return left > INT_MAX ? INT_MAX : (int)left;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that print TAP. */
#ifndef GV_TEST_H
#define GV_TEST_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static int test_count, test_bad;

__attribute__((format(printf, 2, 3))) static inline void test(
    bool ok, const char *what, ...)
{
	va_list args;

	printf("%sok %d - ", ok ? "" : "not ", ++test_count);
	va_start(args, what);
	vprintf(what, args);
	va_end(args);
	putchar('\n');
	test_bad += !ok;
}

static inline int test_end(void)
{
	printf("1..%d\n", test_count);
	return test_bad != 0;
}

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/fault.h"

#include <stddef.h>

#ifdef GS_FAULTS
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Shared with every process forked later: "the n-th point" is counted over
 * a whole command, its pool workers too, and exactly one process dies. */
static atomic_long *reached;
static long fatal;
static int trace = -1;

static __attribute__((constructor)) void count_from_here(void)
{
	const char *at = getenv("GS_FAULT_AT");
	const char *names = getenv("GS_FAULT_TRACE");

	if (names)
		trace = open(
		    names, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	fatal = at ? strtol(at, NULL, 10) : 0;
	if (fatal <= 0)
		return;
	void *page = mmap(NULL, sizeof(*reached), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (page != MAP_FAILED)
		reached = page;
}

/* One write a line: the lines of several processes do not mix. */
static void tell(const char *name)
{
	char line[64];
	int n = snprintf(line, sizeof(line), "%s\n", name);

	if (n > 0 && write(trace, line, strnlen(line, sizeof(line))) < 0)
		trace = -1;
}

void gs_fault(const char *name)
{
	if (trace >= 0)
		tell(name);
	if (!reached || atomic_fetch_add(reached, 1) + 1 != fatal)
		return;
	(void)fprintf(stderr, "goldset: fault point %s\n", name);
	(void)raise(SIGKILL);
}
#endif

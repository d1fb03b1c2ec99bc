/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The one place that prints outside cli/: nobody can carry an error home
 * without memory. */
static GS_NORETURN void exhausted(size_t size)
{
	(void)fprintf(
	    stderr, "goldset: out of memory, %zu bytes were wanted\n", size);
	abort();
}

void *gs_alloc(size_t size)
{
	void *p = calloc(1, size ? size : 1);
	if (!p)
		exhausted(size);
	return p;
}

void *gs_realloc(void *p, size_t size)
{
	void *grown = realloc(p, size ? size : 1);
	if (!grown)
		exhausted(size);
	return grown;
}

char *gs_strdup(const char *s)
{
	return s ? gs_strndup(s, strlen(s)) : NULL;
}

char *gs_strndup(const char *s, size_t n)
{
	char *copy = gs_alloc(n + 1);
	if (n > 0)
		memcpy(copy, s, n);
	return copy;
}

char *gs_format(const char *fmt, ...)
{
	va_list args;
	char *text = NULL;

	va_start(args, fmt);
	int n = vasprintf(&text, fmt, args);
	va_end(args);
	if (n < 0)
		exhausted(strlen(fmt));
	return text;
}

void gs_freep(void *pp)
{
	void **p = pp;
	free(*p);
	*p = NULL;
}

void *gs_steal(void *pp)
{
	void **p = pp;
	void *taken = *p;
	*p = NULL;
	return taken;
}

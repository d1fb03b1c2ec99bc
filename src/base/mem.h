/* SPDX-License-Identifier: Apache-2.0 */
/* Allocation that aborts on exhaustion, naming the size asked for. Sizes
 * from outside are checked against base/limits.h before they come here. */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include <stddef.h>

#include "base/attr.h"

void *gs_alloc(size_t size); /* zeroed; the caller frees with free() */
void *gs_realloc(void *p, size_t size);
char *gs_strdup(const char *s);            /* NULL gives NULL */
char *gs_strndup(const char *s, size_t n); /* always terminated */
char *gs_format(const char *fmt, ...) GS_PRINTF(1, 2);

/* GS_CLEANUP(gs_freep) char *name = ...; */
void gs_freep(void *pp);
/* Hands over *pp and leaves NULL behind. */
void *gs_steal(void *pp);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "base/strv.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"

/* Takes over s. */
static void push(struct gs_strv *strv, char *s)
{
	if (strv->n + 2 > strv->cap) {
		strv->cap = strv->cap ? 2 * strv->cap : 8;
		strv->v = gs_realloc(strv->v, strv->cap * sizeof(*strv->v));
	}
	strv->v[strv->n++] = s;
	strv->v[strv->n] = NULL;
}

void gs_strv_release(struct gs_strv *strv)
{
	gs_strv_reset(strv);
	free(strv->v);
	*strv = (struct gs_strv){0};
}

void gs_strv_reset(struct gs_strv *strv)
{
	for (size_t i = 0; i < strv->n; i++)
		free(strv->v[i]);
	strv->n = 0;
	if (strv->v)
		strv->v[0] = NULL;
}

void gs_strv_push(struct gs_strv *strv, const char *s)
{
	assert(s);
	push(strv, gs_strdup(s));
}

void gs_strv_push_str(struct gs_strv *strv, struct gs_str s)
{
	push(strv, gs_strndup(s.p, s.n));
}

void gs_strv_pushf(struct gs_strv *strv, const char *fmt, ...)
{
	va_list args;
	char *s = NULL;

	va_start(args, fmt);
	int n = vasprintf(&s, fmt, args);
	va_end(args);
	push(strv, n < 0 ? gs_strdup(fmt) : s);
}

void gs_strv_push_all(struct gs_strv *strv, ...)
{
	va_list args;

	va_start(args, strv);
	for (const char *s; (s = va_arg(args, const char *));)
		gs_strv_push(strv, s);
	va_end(args);
}

void gs_strv_copy(struct gs_strv *strv, const struct gs_strv *other)
{
	size_t n = other->n; /* they may be the same */

	for (size_t i = 0; i < n; i++)
		gs_strv_push(strv, other->v[i]);
}

static int by_bytes(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

void gs_strv_sort(struct gs_strv *strv)
{
	if (strv->n > 1)
		qsort(strv->v, strv->n, sizeof(*strv->v), by_bytes);
}

void gs_strv_uniq(struct gs_strv *strv)
{
	size_t kept = 0;

	for (size_t i = 0; i < strv->n; i++) {
		if (kept > 0 && strcmp(strv->v[kept - 1], strv->v[i]) == 0)
			free(strv->v[i]);
		else
			strv->v[kept++] = strv->v[i];
	}
	strv->n = kept;
	if (strv->v)
		strv->v[kept] = NULL;
}

void gs_strv_filter(struct gs_strv *strv, const bool *drop)
{
	size_t kept = 0;

	for (size_t i = 0; i < strv->n; i++) {
		if (drop[i])
			free(strv->v[i]);
		else
			strv->v[kept++] = strv->v[i];
	}
	strv->n = kept;
	if (strv->v)
		strv->v[kept] = NULL;
}

bool gs_strv_has(const struct gs_strv *strv, const char *s)
{
	for (size_t i = 0; i < strv->n; i++)
		if (strcmp(strv->v[i], s) == 0)
			return true;
	return false;
}

bool gs_strv_has_sorted(const struct gs_strv *strv, const char *s)
{
	return strv->n > 0 && bsearch(&s, strv->v, strv->n, sizeof(*strv->v),
	                          by_bytes) != NULL;
}

char *gs_strv_join(const struct gs_strv *strv, const char *between)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf joined = {0};

	for (size_t i = 0; i < strv->n; i++)
		gs_buf_addf(&joined, "%s%s", i ? between : "", strv->v[i]);
	return gs_buf_steal(&joined);
}

void gs_strv_pop(struct gs_strv *strv)
{
	assert(strv->n > 0);
	free(strv->v[--strv->n]);
	strv->v[strv->n] = NULL;
}

char *const *gs_strv_argv(const struct gs_strv *strv)
{
	static char *const none[] = {NULL};
	return strv->v ? strv->v : none;
}

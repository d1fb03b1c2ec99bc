/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define FIRST_CAP ((size_t)64)

static size_t limit(const struct gs_buf *buf)
{
	return buf->max ? buf->max : GS_BUF_MAX_DEFAULT;
}

/* Makes room for n more bytes and a NUL. False is B3. */
static bool grow(struct gs_buf *buf, size_t n)
{
	if (buf->overflow || n > limit(buf) - buf->n) {
		buf->overflow = true;
		return false;
	}
	size_t need = buf->n + n + 1;
	if (need > buf->cap) {
		size_t cap = buf->cap ? 2 * buf->cap : FIRST_CAP;
		buf->cap = cap > need ? cap : need;
		buf->p = gs_realloc(buf->p, buf->cap);
		buf->p[buf->n] = '\0';
	}
	return true;
}

void gs_buf_release(struct gs_buf *buf)
{
	free(buf->p);
	*buf = (struct gs_buf){.max = buf->max};
}

void gs_buf_reset(struct gs_buf *buf)
{
	buf->overflow = false;
	gs_buf_cut(buf, 0);
}

void gs_buf_add(struct gs_buf *buf, const void *p, size_t n)
{
	if (n == 0 || !grow(buf, n))
		return;
	memcpy(buf->p + buf->n, p, n);
	gs_buf_grew(buf, n);
}

void gs_buf_adds(struct gs_buf *buf, struct gs_str s)
{
	gs_buf_add(buf, s.p, s.n);
}

void gs_buf_addz(struct gs_buf *buf, const char *s)
{
	gs_buf_add(buf, s, strlen(s));
}

void gs_buf_addc(struct gs_buf *buf, char c)
{
	gs_buf_add(buf, &c, 1);
}

void gs_buf_addf(struct gs_buf *buf, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	gs_buf_vaddf(buf, fmt, args);
	va_end(args);
}

void gs_buf_add_quoted(struct gs_buf *buf, const char *word)
{
	const char *plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
	                    "XYZ0123456789._-+/:,=@%";
	if (word[0] && word[0] != '-' && strspn(word, plain) == strlen(word)) {
		gs_buf_addz(buf, word);
		return;
	}
	gs_buf_addz(buf, word[0] == '-' ? "./'" : "'");
	for (; *word; word++) {
		if (*word == '\'')
			gs_buf_addz(buf, "'\\'");
		gs_buf_addc(buf, *word);
	}
	gs_buf_addc(buf, '\'');
}

void gs_buf_vaddf(struct gs_buf *buf, const char *fmt, va_list args)
{
	va_list again;

	va_copy(again, args);
	int n = vsnprintf(NULL, 0, fmt, args);
	if (n < 0)
		buf->overflow = true;
	else if (n > 0 && grow(buf, (size_t)n)) {
		(void)vsnprintf(buf->p + buf->n, (size_t)n + 1, fmt, again);
		gs_buf_grew(buf, (size_t)n);
	}
	va_end(again);
}

char *gs_buf_room(struct gs_buf *buf, size_t n)
{
	return grow(buf, n) ? buf->p + buf->n : NULL;
}

void gs_buf_grew(struct gs_buf *buf, size_t n)
{
	if (n == 0)
		return;
	assert(n < buf->cap - buf->n);
	buf->n += n;
	buf->p[buf->n] = '\0';
}

void gs_buf_cut(struct gs_buf *buf, size_t n)
{
	if (n > buf->n)
		return;
	buf->n = n;
	if (buf->p)
		buf->p[n] = '\0';
}

const char *gs_buf_cstr(const struct gs_buf *buf)
{
	return buf->p ? buf->p : "";
}

struct gs_str gs_buf_str(const struct gs_buf *buf)
{
	return (struct gs_str){gs_buf_cstr(buf), buf->n};
}

char *gs_buf_steal(struct gs_buf *buf)
{
	char *bytes = buf->p ? buf->p : gs_alloc(1);
	*buf = (struct gs_buf){.max = buf->max};
	return bytes;
}

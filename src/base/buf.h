/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing byte string with a mandatory ceiling.
 *
 * Invariants, after any call, also on a zeroed struct:
 *   B1  gs_buf_cstr() is NUL-terminated and never NULL.
 *   B2  n <= max (max 0 means GS_BUF_MAX_DEFAULT).
 *   B3  once an append would pass `max`, `overflow` stays set and later
 *       appends do nothing: write a whole sequence, then check once.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include <stdarg.h>
#include <stdint.h>

#include "base/attr.h"
#include "base/str.h"

#define GS_BUF_MAX_DEFAULT ((size_t)1 << 30)

struct gs_buf {
	char *p;
	size_t n, cap;
	size_t max;
	bool overflow;
};

void gs_buf_release(struct gs_buf *buf); /* frees; the struct is reusable */
void gs_buf_reset(struct gs_buf *buf);   /* empties, keeps memory and max */
void gs_buf_add(struct gs_buf *buf, const void *p, size_t n);
void gs_buf_adds(struct gs_buf *buf, struct gs_str s);
void gs_buf_addz(struct gs_buf *buf, const char *s); /* a C string */
void gs_buf_addc(struct gs_buf *buf, char c);
void gs_buf_addf(struct gs_buf *buf, const char *fmt, ...) GS_PRINTF(2, 3);
void gs_buf_vaddf(struct gs_buf *buf, const char *fmt, va_list args)
    GS_PRINTF(2, 0);
/* A word as a shell takes it; one that begins with '-' as a path. */
void gs_buf_add_quoted(struct gs_buf *buf, const char *word);
/* Room for n more bytes at the end (to read() into), NULL on overflow;
 * gs_buf_grew says how many were written. */
char *gs_buf_room(struct gs_buf *buf, size_t n);
void gs_buf_grew(struct gs_buf *buf, size_t n);
void gs_buf_cut(struct gs_buf *buf, size_t n); /* shortens to n bytes */
const char *gs_buf_cstr(const struct gs_buf *buf);
struct gs_str gs_buf_str(const struct gs_buf *buf); /* borrowed */
/* Hands over the bytes (terminated, the caller frees), empties the buffer. */
char *gs_buf_steal(struct gs_buf *buf);

#endif

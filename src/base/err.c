/* SPDX-License-Identifier: Apache-2.0 */
#include "base/err.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"

/* Names from outside may hold any byte, and a cut may split a character:
 * each bad byte becomes '?', in place, since an error path allocates
 * nothing. */
static void make_valid(char *text)
{
	struct gs_str rest = gs_str(text);
	size_t at = 0;

	while (rest.n > 0) {
		size_t n = gs_utf8_prefix(rest);
		at += n;
		rest = gs_str_from(rest, n);
		if (rest.n == 0)
			break;
		text[at++] = '?';
		rest = gs_str_from(rest, 1);
	}
}

/* `tail` is the sentence that follows ": ", or NULL. The text is put
 * together beside err->text, which the arguments may point into. */
static GS_PRINTF(4, 0) int set(struct gs_err *err, enum gs_code code,
    const char *tail, const char *fmt, va_list args)
{
	char text[sizeof(err->text)];

	if (!err)
		return code;
	int n = vsnprintf(text, sizeof(text), fmt, args);
	if (n < 0)
		n = snprintf(text, sizeof(text), "%s", fmt);
	if (tail && n >= 0 && (size_t)n + 2 < sizeof(text)) {
		memcpy(text + n, ": ", 2);
		size_t room = sizeof(text) - (size_t)n - 3;
		size_t length = strnlen(tail, room);
		memcpy(text + n + 2, tail, length);
		text[(size_t)n + 2 + length] = '\0';
	}
	make_valid(text);
	memcpy(err->text, text, strlen(text) + 1);
	err->code = code;
	return code;
}

int gs_fail(struct gs_err *err, enum gs_code code, const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	int rc = set(err, code, NULL, fmt, args);
	va_end(args);
	return rc;
}

int gs_fail_sys(struct gs_err *err, const char *fmt, ...)
{
	/* Unlike strerror: no locale, no shared buffer. */
	const char *reason = strerrordesc_np(errno);
	va_list args;

	va_start(args, fmt);
	int rc =
	    set(err, GS_E_SYSTEM, reason ? reason : "unknown error", fmt, args);
	va_end(args);
	return rc;
}

int gs_wrap(struct gs_err *err, const char *fmt, ...)
{
	va_list args;

	if (!err)
		return GS_E_SYSTEM;
	va_start(args, fmt);
	int rc = set(err, err->code, err->text, fmt, args);
	va_end(args);
	return rc;
}

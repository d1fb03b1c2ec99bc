/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Errors: a code that says what the caller can do, and one whole sentence
 * for a person. Every function that can fail takes `struct gs_err *err` as
 * its last argument, leaves it alone on success, and returns 0 or one of the
 * negative codes below. The lowest level names the call and the object;
 * each level above may gs_wrap once with its own object. Libraries never
 * print; cli/ prints the sentence once.
 *
 * A failing test, a time-out, an unreadable Python file or a refused
 * candidate are not errors but values. An error means that we could not do
 * our own work.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include "base/attr.h"

enum gs_code {
	GS_OK = 0,
	GS_E_USAGE = -1,       /* the caller asked for something senseless */
	GS_E_NOT_FOUND = -2,   /* the named thing does not exist */
	GS_E_EXISTS = -3,      /* the named thing is already there */
	GS_E_BUSY = -4,        /* somebody else holds it: try again later */
	GS_E_LIMIT = -5,       /* over a documented cap (base/limits.h) */
	GS_E_CANCELLED = -6,   /* the user interrupted */
	GS_E_ENVIRONMENT = -7, /* this machine lacks something */
	GS_E_CORRUPT = -8,     /* bytes from outside are not what they claim */
	GS_E_SYSTEM = -9,      /* a system call failed */
};

struct gs_err {
	enum gs_code code; /* GS_OK until something fails */
	char text[1024];   /* a whole sentence, valid UTF-8 */
};

/* All three set `err` (NULL is allowed) and return its code, so that a
 * failing branch is one line: `return gs_fail_sys(err, "open %s", path);`.
 * Text that does not fit is cut. */
int gs_fail(struct gs_err *err, enum gs_code code, const char *fmt, ...)
    GS_PRINTF(3, 4);
/* Adds ": " and the text of errno. */
int gs_fail_sys(struct gs_err *err, const char *fmt, ...) GS_PRINTF(2, 3);
/* Puts "fmt: " before the present sentence. */
int gs_wrap(struct gs_err *err, const char *fmt, ...) GS_PRINTF(2, 3);

#endif

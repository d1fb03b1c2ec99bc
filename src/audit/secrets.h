/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Credentials in a text: private keys, tokens of well-known forms, passwords
 * in URLs, and long random values that are given to a name such as `api_key`.
 * Examples and placeholders are passed over: an alarm that cries at every
 * test vector is soon switched off.
 */
#ifndef AUDIT_SECRETS_H
#define AUDIT_SECRETS_H

#include "base/str.h"

struct secret {
	const char *what;    /* "a private key", …; static */
	bool is_certain;     /* its form leaves no other reading */
	size_t line;         /* from 1 */
	struct gs_str value; /* never to be printed whole */
};

/* The next one in *rest, which moves behind it; `line` counts along and
 * begins at 1. */
bool secret_next(struct gs_str *rest, size_t *line, struct secret *ret);

#endif

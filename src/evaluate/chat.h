/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Many requests to an OpenAI-compatible chat endpoint, some at a time.
 *
 * Asked again, after a pause that grows and is drawn at random (or as long
 * as the server's Retry-After says): 408, 409, 429, 5xx, connections that
 * break, answers that are no JSON. Final: every other 4xx. The end of it all,
 * since no other request would fare better: 401, 403, and a 429 that speaks
 * of quota.
 *
 * The key is in no log, no error and no file.
 */
#ifndef EVALUATE_CHAT_H
#define EVALUATE_CHAT_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"

struct gs_chat_options {
	const char *base_url; /* ".../v1" */
	const char *model;
	const char *key; /* NULL: none is sent */
	bool has_temperature;
	double temperature;
	bool has_seed;
	int64_t seed;
	int64_t max_tokens; /* 0: the server's own */
	int concurrency;
	int64_t per_minute;  /* requests; 0: no bound */
	int64_t timeout_ms;  /* of one request */
	int64_t patience_ms; /* of one request with all its repeats */
	int max_tries;
};

struct gs_chat_reply {
	int64_t tag;
	int status; /* HTTP; 0: none came */
	int tries;
	struct gs_str content; /* what was said; empty when it failed */
	const char *finish;    /* "stop", "length", … or NULL */
	const char *failure;   /* a sentence, or NULL */
	int64_t prompt_tokens, completion_tokens; /* -1: not told */
	int64_t elapsed_ms;                       /* of the try that counted */
};

struct gs_chat_ops {
	/* The next prompt; 1 given, 0 none left. */
	int (*next)(void *ctx, struct gs_buf *prompt, int64_t *ret_tag,
	    struct gs_err *err);
	int (*done)(
	    void *ctx, const struct gs_chat_reply *reply, struct gs_err *err);
};

/* Whether there is a library to ask with; GS_E_ENVIRONMENT when not. */
GS_MUST_CHECK int gs_chat_available(struct gs_err *err);

/* GS_E_CANCELLED on a stop request; what was answered was told. */
GS_MUST_CHECK int gs_chat(const struct gs_chat_options *options,
    const struct gs_chat_ops *ops, void *ctx, struct gs_err *err);

#endif

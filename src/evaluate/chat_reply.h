/* SPDX-License-Identifier: Apache-2.0 */
/* What one HTTP response of a chat endpoint means. Pure. */
#ifndef EVALUATE_CHAT_REPLY_H
#define EVALUATE_CHAT_REPLY_H

#include <stdint.h>

#include "base/buf.h"

enum gs_chat_verdict {
	GS_CHAT_SAID,     /* content holds it */
	GS_CHAT_AGAIN,    /* worth another try */
	GS_CHAT_FAILED,   /* this request is lost */
	GS_CHAT_HOPELESS, /* and every other would be */
};

struct gs_chat_outcome {
	enum gs_chat_verdict verdict;
	int status;
	struct gs_buf content;
	char *finish, *failure;
	int64_t prompt_tokens, completion_tokens;
};

/* `broken`: why no response came, or NULL. */
void gs_chat_read(int status, const char *broken, struct gs_str body,
    struct gs_chat_outcome *ret);
void gs_chat_outcome_release(struct gs_chat_outcome *outcome);

#endif

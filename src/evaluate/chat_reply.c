/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/chat_reply.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"

void gs_chat_outcome_release(struct gs_chat_outcome *outcome)
{
	gs_buf_release(&outcome->content);
	free(outcome->finish);
	free(outcome->failure);
}

/* The server's own words, shortened and made harmless. */
static char *words_of(const json_t *object, struct gs_str body)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	const json_t *error = json_object_get(object, "error");
	struct gs_str message = gs_json_get_str(error, "message");
	if (!message.n && json_is_string(error))
		message = gs_str_n(
		    json_string_value(error), json_string_length(error));
	if (!message.n)
		message = gs_str_trim(body);
	if (message.n > 200)
		message.n = 200;
	gs_utf8_harmless(&text, message, false);
	return gs_buf_steal(&text);
}

/* A budget that is used up does not come back by waiting. */
static bool is_quota(const json_t *object)
{
	const json_t *error = json_object_get(object, "error");
	static const char *const keys[] = {"code", "type"};
	for (size_t i = 0; i < GS_COUNT(keys); i++) {
		struct gs_str value = gs_json_get_str(error, keys[i]);
		if (gs_str_contains(value, GS_STR("quota")) ||
		    gs_str_contains(value, GS_STR("billing")))
			return true;
	}
	return false;
}

static enum gs_chat_verdict verdict_of(int status, const json_t *object)
{
	if (status == 401 || status == 403)
		return GS_CHAT_HOPELESS;
	if (status == 429 && is_quota(object))
		return GS_CHAT_HOPELESS;
	if (status == 408 || status == 409 || status == 429 || status >= 500)
		return GS_CHAT_AGAIN;
	return GS_CHAT_FAILED;
}

static void read_said(const json_t *object, struct gs_chat_outcome *ret)
{
	const json_t *choice =
	    json_array_get(json_object_get(object, "choices"), 0);
	const json_t *message = json_object_get(choice, "message");
	const json_t *usage = json_object_get(object, "usage");
	if (!json_is_object(message)) {
		ret->verdict = GS_CHAT_AGAIN;
		ret->failure = gs_strdup("the response holds no choice");
		return;
	}
	ret->verdict = GS_CHAT_SAID;
	gs_buf_adds(&ret->content, gs_json_get_str(message, "content"));
	ret->finish = gs_strdup(gs_json_get_cstr(choice, "finish_reason"));
	ret->prompt_tokens = gs_json_get_int(usage, "prompt_tokens", -1);
	ret->completion_tokens =
	    gs_json_get_int(usage, "completion_tokens", -1);
}

void gs_chat_read(int status, const char *broken, struct gs_str body,
    struct gs_chat_outcome *ret)
{
	*ret = (struct gs_chat_outcome){
	    .status = status, .prompt_tokens = -1, .completion_tokens = -1};
	if (broken) {
		ret->verdict = GS_CHAT_AGAIN;
		ret->failure = gs_strdup(broken);
		return;
	}
	GS_CLEANUP(gs_json_free)
	json_t *object = gs_json_parse(body, "the response", NULL);
	if (status == 200 && object) {
		read_said(object, ret);
		return;
	}
	ret->verdict =
	    status == 200 ? GS_CHAT_AGAIN : verdict_of(status, object);
	GS_CLEANUP(gs_freep) char *words = words_of(object, body);
	ret->failure = status == 200 ? gs_strdup("the response is no JSON")
	                             : gs_format("HTTP %d: %s", status, words);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/chat.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "evaluate/chat_reply.h"
#include "evaluate/curl.h"
#include "os/clock.h"
#include "os/signals.h"

#define MAX_BODY ((size_t)16 << 20)
#define CONNECT_MS 10000L
#define PAUSE_MS 500
#define MAX_PAUSE_MS 60000
/* How long the loop sleeps at most: a stop is seen within it. */
#define TURN_MS 200

enum lane_state {
	LANE_FREE,
	LANE_WAITING, /* for its pause to end, or for the token bucket */
	LANE_BUSY,
};

/* One of the requests under way. */
struct lane {
	enum lane_state state;
	int64_t tag;
	int tries;
	int64_t not_before_ms, started_ms, give_up_ms;
	struct gs_buf request, body;
	CURL *easy;
};

struct chat {
	const struct gs_curl *curl;
	const struct gs_chat_options *options;
	const struct gs_chat_ops *ops;
	void *ctx;
	CURLM *multi;
	struct curl_slist *headers;
	char *url;
	struct lane *lanes;
	bool is_out;   /* no prompt is left */
	double tokens; /* of the bucket */
	int64_t filled_ms;
};

static size_t on_body(char *bytes, size_t size, size_t n, void *ctx)
{
	struct lane *lane = ctx;
	gs_buf_add(&lane->body, bytes, size * n);
	return lane->body.overflow ? 0 : size * n;
}

static double uniform(void)
{
	uint32_t value = 0;
	ssize_t n = getrandom(&value, sizeof(value), 0);
	(void)n;
	return (double)value / 4294967296.0;
}

/* Full jitter: anything from nothing to the bound, which doubles. */
static int64_t pause_after(int tries)
{
	double bound = PAUSE_MS * pow(2, tries);
	return (int64_t)(uniform() * fmin(bound, MAX_PAUSE_MS));
}

/* ---- one request ------------------------------------------------------- */

static void write_request(const struct gs_chat_options *options,
    struct gs_str prompt, int64_t tag, struct gs_buf *ret)
{
	struct gs_json json = {.out = ret};
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "model", options->model);
	gs_json_key(&json, "messages");
	gs_json_begin_array(&json);
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "role", "user");
	gs_json_put_str(&json, "content", prompt);
	gs_json_end_object(&json);
	gs_json_end_array(&json);
	if (options->has_temperature) {
		gs_json_key(&json, "temperature");
		gs_json_real(&json, options->temperature);
	}
	/* Another sample, another seed. */
	if (options->has_seed)
		gs_json_put_int(&json, "seed", options->seed + tag);
	if (options->max_tokens)
		gs_json_put_int(&json, "max_tokens", options->max_tokens);
	gs_json_put_bool(&json, "stream", false);
	gs_json_end_object(&json);
}

static void start(struct chat *chat, struct lane *lane)
{
	const struct gs_curl *curl = chat->curl;
	gs_buf_release(&lane->body);
	lane->body.max = MAX_BODY;
	lane->state = LANE_BUSY;
	lane->tries++;
	lane->started_ms = gs_clock_ms();
	if (!lane->easy)
		lane->easy = curl->easy_init();
	CURL *easy = lane->easy;
	curl->easy_setopt(easy, CURLOPT_URL, chat->url);
	curl->easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
	curl->easy_setopt(easy, CURLOPT_HTTPHEADER, chat->headers);
	curl->easy_setopt(easy, CURLOPT_POSTFIELDS, lane->request.p);
	curl->easy_setopt(
	    easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)lane->request.n);
	curl->easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
	curl->easy_setopt(easy, CURLOPT_WRITEDATA, lane);
	curl->easy_setopt(easy, CURLOPT_PRIVATE, lane);
	curl->easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, CONNECT_MS);
	curl->easy_setopt(
	    easy, CURLOPT_TIMEOUT_MS, (long)chat->options->timeout_ms);
	curl->easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl->easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
	curl->easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "");
	curl->multi_add_handle(chat->multi, easy);
}

/* Tokens come back evenly; at most as many as there are lanes are saved. */
static bool take_token(struct chat *chat)
{
	if (!chat->options->per_minute)
		return true;
	int64_t now = gs_clock_ms();
	double more = (double)(now - chat->filled_ms) *
	              (double)chat->options->per_minute / 60000.0;
	chat->filled_ms = now;
	chat->tokens = fmin(chat->tokens + more, chat->options->concurrency);
	if (chat->tokens < 1)
		return false;
	chat->tokens -= 1;
	return true;
}

static int fill(struct chat *chat, struct lane *lane, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf prompt = {0};
	int rc = chat->ops->next(chat->ctx, &prompt, &lane->tag, err);
	if (rc == 0)
		chat->is_out = true;
	if (rc <= 0)
		return rc;
	gs_buf_reset(&lane->request);
	write_request(
	    chat->options, gs_buf_str(&prompt), lane->tag, &lane->request);
	lane->tries = 0;
	lane->not_before_ms = 0;
	lane->give_up_ms = gs_clock_ms() + chat->options->patience_ms;
	lane->state = LANE_WAITING;
	return 0;
}

static int feed(struct chat *chat, bool *ret_any, struct gs_err *err)
{
	assert(chat->lanes);
	*ret_any = false;
	for (int i = 0; i < chat->options->concurrency; i++) {
		struct lane *lane = &chat->lanes[i];
		if (lane->state == LANE_FREE && !chat->is_out) {
			int rc = fill(chat, lane, err);
			if (rc < 0)
				return rc;
		}
		if (lane->state == LANE_WAITING &&
		    gs_clock_ms() >= lane->not_before_ms && take_token(chat))
			start(chat, lane);
		*ret_any |= lane->state != LANE_FREE;
	}
	return 0;
}

/* ---- the end of a request ---------------------------------------------- */

static int64_t retry_after_ms(const struct gs_curl *curl, CURL *easy)
{
	curl_off_t seconds = 0;
	if (curl->easy_getinfo(easy, CURLINFO_RETRY_AFTER, &seconds))
		return 0;
	return (int64_t)seconds * 1000;
}

static int tell(struct chat *chat, struct lane *lane,
    const struct gs_chat_outcome *outcome, struct gs_err *err)
{
	const struct gs_chat_reply reply = {
	    .tag = lane->tag,
	    .status = outcome->status,
	    .tries = lane->tries,
	    .content = gs_buf_str(&outcome->content),
	    .finish = outcome->finish,
	    .failure = outcome->failure,
	    .prompt_tokens = outcome->prompt_tokens,
	    .completion_tokens = outcome->completion_tokens,
	    .elapsed_ms = gs_clock_ms() - lane->started_ms,
	};
	lane->state = LANE_FREE;
	return chat->ops->done(chat->ctx, &reply, err);
}

static int finish(
    struct chat *chat, struct lane *lane, CURLcode code, struct gs_err *err)
{
	GS_CLEANUP(gs_chat_outcome_release)
	struct gs_chat_outcome outcome = {0};
	long status = 0;
	chat->curl->easy_getinfo(lane->easy, CURLINFO_RESPONSE_CODE, &status);
	gs_chat_read(code == CURLE_OK ? (int)status : 0,
	    code == CURLE_OK ? NULL : chat->curl->easy_strerror(code),
	    gs_buf_str(&lane->body), &outcome);
	int64_t asked = retry_after_ms(chat->curl, lane->easy);
	chat->curl->multi_remove_handle(chat->multi, lane->easy);
	int64_t pause = asked > 0 ? asked : pause_after(lane->tries);
	bool again = outcome.verdict == GS_CHAT_AGAIN &&
	             lane->tries < chat->options->max_tries &&
	             gs_clock_ms() + pause < lane->give_up_ms;
	if (again) {
		lane->state = LANE_WAITING;
		lane->not_before_ms = gs_clock_ms() + pause;
		return 0;
	}
	int rc = tell(chat, lane, &outcome, err);
	if (rc == 0 && outcome.verdict == GS_CHAT_HOPELESS)
		rc = gs_fail(err, GS_E_ENVIRONMENT, "%s: %s",
		    chat->options->base_url, outcome.failure);
	return rc;
}

static int reap(struct chat *chat, struct gs_err *err)
{
	CURLMsg *message;
	int left, rc = 0;
	while (rc == 0 && (message = chat->curl->multi_info_read(
	                       chat->multi, &left)) != NULL) {
		struct lane *lane = NULL;
		if (message->msg != CURLMSG_DONE)
			continue;
		CURLcode code = message->data.result;
		chat->curl->easy_getinfo(
		    message->easy_handle, CURLINFO_PRIVATE, (char **)&lane);
		rc = finish(chat, lane, code, err);
	}
	return rc;
}

static int loop(struct chat *chat, struct gs_err *err)
{
	for (;;) {
		bool is_any = false;
		int running = 0;
		int rc = feed(chat, &is_any, err);
		if (rc || !is_any)
			return rc;
		if (gs_stop_requested())
			return gs_fail(err, GS_E_CANCELLED, "interrupted");
		chat->curl->multi_perform(chat->multi, &running);
		rc = reap(chat, err);
		if (rc)
			return rc;
		/* With nothing running only pauses are waited for. */
		chat->curl->multi_poll(chat->multi, NULL, 0,
		    running > 0 ? TURN_MS : TURN_MS / 10, NULL);
	}
}

static int open_chat(struct chat *chat, struct gs_err *err)
{
	const struct gs_chat_options *options = chat->options;
	int rc = gs_curl_load(&chat->curl, err);
	if (rc)
		return rc;
	size_t n = strlen(options->base_url);
	bool has_slash = n > 0 && options->base_url[n - 1] == '/';
	chat->url = gs_format(
	    "%s%schat/completions", options->base_url, has_slash ? "" : "/");
	chat->headers =
	    chat->curl->slist_append(NULL, "Content-Type: application/json");
	if (options->key) {
		GS_CLEANUP(gs_freep)
		char *line =
		    gs_format("Authorization: Bearer %s", options->key);
		chat->headers = chat->curl->slist_append(chat->headers, line);
	}
	chat->multi = chat->curl->multi_init();
	chat->lanes =
	    gs_alloc((size_t)options->concurrency * sizeof(*chat->lanes));
	chat->tokens = 1;
	chat->filled_ms = gs_clock_ms();
	return 0;
}

static void close_chat(struct chat *chat)
{
	if (!chat->curl)
		return;
	for (int i = 0; chat->lanes && i < chat->options->concurrency; i++) {
		struct lane *lane = &chat->lanes[i];
		if (lane->easy) {
			chat->curl->multi_remove_handle(
			    chat->multi, lane->easy);
			chat->curl->easy_cleanup(lane->easy);
		}
		gs_buf_release(&lane->request);
		gs_buf_release(&lane->body);
	}
	free(chat->lanes);
	chat->curl->multi_cleanup(chat->multi);
	chat->curl->slist_free_all(chat->headers);
	free(chat->url);
}

int gs_chat_available(struct gs_err *err)
{
	const struct gs_curl *curl = NULL;
	return gs_curl_load(&curl, err);
}

int gs_chat(const struct gs_chat_options *options,
    const struct gs_chat_ops *ops, void *ctx, struct gs_err *err)
{
	struct chat chat = {.options = options, .ops = ops, .ctx = ctx};
	int rc = open_chat(&chat, err);
	if (rc == 0)
		rc = loop(&chat, err);
	close_chat(&chat);
	return rc;
}

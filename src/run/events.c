/* SPDX-License-Identifier: Apache-2.0 */
#include "run/events.h"

#include <errno.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "base/vec.h"

/* Names of guarded files that one run tells. */
#define MAX_PEEKED 20
#define MAX_LENDERS 1000

#define MESSAGE_MAX 8000 /* 2,000 characters of UTF-8 */

void gs_events_init(
    struct gs_events *events, const char *token, struct gs_run *run)
{
	*events = (struct gs_events){
	    .run = run,
	    .line.max = GS_MAX_EVENTS + 1,
	    .n_collected = -1,
	    .running = -1,
	};
	strncpy(events->token, token, sizeof(events->token) - 1);
}

void gs_events_release(struct gs_events *events)
{
	gs_buf_release(&events->line);
	gs_map_release(&events->by_id);
	GS_VEC_FREE(&events->nodes);
	gs_strv_release(&events->loaded);
	free(events->internal);
	*events = (struct gs_events){0};
}

static char *text_of(const json_t *event, const char *key, size_t max)
{
	struct gs_str s = gs_json_get_str(event, key);
	if (!s.n)
		return NULL;
	if (s.n > max)
		s.n = gs_utf8_prefix(gs_str_n(s.p, max));
	return gs_strndup(s.p, s.n);
}

/* Index of the node, made when new; -1 without an id or past the cap. */
static int node_of(struct gs_events *events, struct gs_str id)
{
	struct gs_map *map = &events->by_id;
	if (!id.n || id.n > GS_MAX_NODE_ID)
		return -1;
	if (map->n >= GS_MAX_NODES && !gs_map_has(map, id))
		return -1;
	size_t at = gs_map_index(map, id);
	if (at == events->nodes.n) {
		struct gs_node *node = GS_VEC_ADD(&events->run->nodes);
		node->id = gs_strndup(id.p, id.n);
		(void)GS_VEC_ADD(&events->nodes);
	}
	return (int)at;
}

static void on_start(struct gs_events *events, const json_t *event)
{
	(void)event;
	events->started = true;
}

static void on_session(struct gs_events *events, const json_t *event)
{
	(void)event;
	events->has_session = true;
}

static void on_plugins(struct gs_events *events, const json_t *event)
{
	gs_json_get_strv(event, "ids", &events->run->plugins);
}

static void on_items(struct gs_events *events, const json_t *event)
{
	size_t i;
	json_t *id;
	json_array_foreach(json_object_get(event, "ids"), i, id)
	{
		int at = node_of(events,
		    gs_str_n(json_string_value(id), json_string_length(id)));
		if (at >= 0)
			events->nodes.v[at].n_collected++;
	}
}

static void on_collected(struct gs_events *events, const json_t *event)
{
	events->n_collected = gs_json_get_int(event, "count", 0);
}

static void on_deselected(struct gs_events *events, const json_t *event)
{
	int64_t n = gs_json_get_int(event, "count", 0);
	if (n > 0 && n <= (int64_t)GS_MAX_EVENTS)
		events->run->n_deselected += (size_t)n;
}

static void on_broken(struct gs_events *events, const json_t *event)
{
	if (events->run->collect_errors.n >= GS_MAX_NODES)
		return;
	struct gs_collect_error *error =
	    GS_VEC_ADD(&events->run->collect_errors);
	error->id = text_of(event, "id", GS_MAX_NODE_ID);
	if (!error->id)
		error->id = gs_strdup("");
	error->exception = text_of(event, "exc", 200);
	error->message = text_of(event, "msg", MESSAGE_MAX);
	error->missing = text_of(event, "missing", 400);
	error->missing_module = text_of(event, "module", 400);
	error->is_syntax = gs_json_get_bool(event, "syntax", false);
}

static void on_begin(struct gs_events *events, const json_t *event)
{
	int at = node_of(events, gs_json_get_str(event, "id"));
	if (at < 0)
		return;
	events->run->nodes.v[at].started = true;
	events->running = at;
}

/* A failure in call outweighs one in setup or teardown; the first of equals
 * stays. */
static void note_failure(struct gs_events *events, struct gs_node *node,
    const char *when, const json_t *event)
{
	enum gs_failure failure = GS_FAILURE_EXCEPTION;
	if (strcmp(when, "setup") == 0)
		failure = GS_FAILURE_SETUP;
	else if (strcmp(when, "teardown") == 0)
		failure = GS_FAILURE_TEARDOWN;
	else if (gs_json_get_bool(event, "assertion", false))
		failure = GS_FAILURE_ASSERTION;
	events->n_failed_reports++;
	int64_t reason = gs_json_get_int(event, "errno", 0);
	if (reason == ENOSPC)
		events->no_space = true;
	if (reason == EAGAIN)
		events->no_process = true;
	if (gs_json_get_bool(event, "memory", false))
		events->no_memory = true;
	if (node->failure != GS_FAILURE_NONE)
		return;
	node->failure = failure;
	node->exception = text_of(event, "exc", 200);
	node->message = text_of(event, "msg", MESSAGE_MAX);
	node->missing = text_of(event, "missing", 400);
}

static void on_phase(struct gs_events *events, const json_t *event)
{
	int at = node_of(events, gs_json_get_str(event, "id"));
	const char *when = gs_json_get_cstr(event, "when");
	const char *outcome = gs_json_get_cstr(event, "outcome");
	if (at < 0 || !when || !outcome)
		return;
	struct gs_events_node *seen = &events->nodes.v[at];
	struct gs_node *node = &events->run->nodes.v[at];
	bool xfail = gs_json_get_bool(event, "xfail", false);
	bool is_sub = gs_json_get_bool(event, "sub", false);

	node->started = true;
	if (strcmp(when, "setup") == 0)
		seen->n_setup++;
	else if (strcmp(when, "teardown") == 0)
		seen->n_teardown++;
	else if (!is_sub)
		seen->n_call++;
	if (strcmp(when, "teardown") == 0 && events->running == at)
		events->running = -1;

	if (strcmp(outcome, "rerun") == 0)
		seen->rerun = true;
	else if (strcmp(outcome, "skipped") == 0)
		*(xfail ? &seen->xfail : &seen->skipped) = true;
	else if (strcmp(outcome, "failed") == 0 && xfail) {
		seen->xpass = true; /* a strict xfail that passed */
		events->n_failed_reports++;
	} else if (strcmp(outcome, "failed") == 0)
		note_failure(events, node, when, event);
	else if (xfail)
		seen->xpass = true;
	else if (strcmp(when, "call") == 0 && !is_sub)
		seen->passed_call = true;
}

static void on_origin(struct gs_events *events, const json_t *event)
{
	if (events->run->origins.n >= 1000)
		return;
	struct gs_module_origin *origin = GS_VEC_ADD(&events->run->origins);
	origin->module = text_of(event, "module", 400);
	if (!origin->module)
		origin->module = gs_strdup("");
	origin->file = text_of(event, "file", 4096);
	origin->inside = gs_json_get_bool(event, "inside", false);
}

static void on_shim(struct gs_events *events, const json_t *event)
{
	const char *name = gs_json_get_cstr(event, "name");
	if (name && !gs_strv_has(&events->run->shims_used, name))
		gs_strv_push(&events->run->shims_used, name);
}

static void on_peek(struct gs_events *events, const json_t *event)
{
	const char *file = gs_json_get_cstr(event, "file");
	if (file && events->run->peeked.n < MAX_PEEKED &&
	    !gs_strv_has(&events->run->peeked, file))
		gs_strv_push(&events->run->peeked, file);
}

static void on_lends(struct gs_events *events, const json_t *event)
{
	const char *file = gs_json_get_cstr(event, "file");
	if (file && events->run->lenders.n < MAX_LENDERS &&
	    !gs_strv_has(&events->run->lenders, file))
		gs_strv_push(&events->run->lenders, file);
}

static void on_internal(struct gs_events *events, const json_t *event)
{
	if (events->internal)
		return;
	GS_CLEANUP(gs_freep) char *kind = text_of(event, "exc", 200);
	GS_CLEANUP(gs_freep) char *message = text_of(event, "msg", 400);
	events->internal =
	    gs_format("%s: %s", kind ? kind : "error", message ? message : "");
}

static void on_finish(struct gs_events *events, const json_t *event)
{
	events->has_finish = true;
	events->finish_status = (int)gs_json_get_int(event, "status", -1);
}

static void on_main(struct gs_events *events, const json_t *event)
{
	events->has_main = true;
	events->main_status = (int)gs_json_get_int(event, "status", -1);
}

static void on_loaded(struct gs_events *events, const json_t *event)
{
	if (events->loaded.n < GS_MAX_TREE_FILES)
		gs_json_get_strv(event, "ids", &events->loaded);
}

static const struct handler {
	const char *name;
	void (*handle)(struct gs_events *events, const json_t *event);
} handlers[] = {
    {"phase", on_phase},
    {"begin", on_begin},
    {"items", on_items},
    {"broken", on_broken},
    {"collected", on_collected},
    {"deselected", on_deselected},
    {"origin", on_origin},
    {"shim", on_shim},
    {"peek", on_peek},
    {"lends", on_lends},
    {"plugins", on_plugins},
    {"start", on_start},
    {"session", on_session},
    {"internal", on_internal},
    {"finish", on_finish},
    {"main", on_main},
    {"loaded", on_loaded},
};

static void take_event(struct gs_events *events, const json_t *event)
{
	const char *name = gs_json_get_cstr(event, "e");
	for (size_t i = 0; name && i < GS_COUNT(handlers); i++)
		if (strcmp(name, handlers[i].name) == 0)
			handlers[i].handle(events, event);
}

static void take_line(struct gs_events *events, struct gs_str line)
{
	bool is_first = events->n_lines++ == 0;
	if (events->is_broken || !line.n || line.p[0] != '{')
		return;
	GS_CLEANUP(gs_json_free)
	json_t *event = gs_json_parse(line, "event", NULL);
	if (!event)
		return;
	if (is_first) {
		int64_t pid = gs_json_get_int(event, "child-pid", 0);
		if (pid > 0 && pid <= INT32_MAX)
			events->child_pid = (int)pid;
	}
	const char *token = gs_json_get_cstr(event, "t");
	if (!token || strcmp(token, events->token) != 0)
		return;
	if (gs_json_get_int(event, "n", -1) != events->next++) {
		events->is_broken = true;
		return;
	}
	take_event(events, event);
}

int gs_events_feed(struct gs_events *events, struct gs_str bytes)
{
	events->n_bytes += bytes.n;
	if (events->n_bytes > GS_MAX_EVENTS)
		return 1;
	while (bytes.n) {
		ptrdiff_t end = gs_str_find_char(bytes, '\n');
		size_t n = end < 0 ? bytes.n : (size_t)end;
		gs_buf_add(&events->line, bytes.p, n);
		if (end < 0)
			break;
		take_line(events, gs_buf_str(&events->line));
		gs_buf_reset(&events->line);
		bytes = gs_str_from(bytes, n + 1);
	}
	return events->nodes.n >= GS_MAX_NODES;
}

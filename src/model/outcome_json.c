/* SPDX-License-Identifier: Apache-2.0 */
/* A run as JSON. Members that are empty are left out: a run has thousands of
 * nodes that passed, and nothing to say about most of them. */
#include <stdio.h>

#include "base/limits.h"
#include "base/vec.h"
#include "model/outcome.h"

static void put_some(struct gs_json *json, const char *key, const char *s)
{
	if (s)
		gs_json_put_cstr(json, key, s);
}

static void write_node(const struct gs_node *node, struct gs_json *json)
{
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "id", node->id);
	gs_json_put_cstr(json, "outcome", gs_outcome_name(node->outcome));
	if (node->failure != GS_FAILURE_NONE)
		gs_json_put_cstr(
		    json, "failure", gs_failure_name(node->failure));
	put_some(json, "exception", node->exception);
	put_some(json, "message", node->message);
	put_some(json, "missing", node->missing);
	if (node->started)
		gs_json_put_bool(json, "started", true);
	gs_json_end_object(json);
}

static void write_collect_error(
    const struct gs_collect_error *error, struct gs_json *json)
{
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "id", error->id);
	put_some(json, "exception", error->exception);
	put_some(json, "message", error->message);
	put_some(json, "missing", error->missing);
	put_some(json, "missing_module", error->missing_module);
	if (error->is_syntax)
		gs_json_put_bool(json, "is_syntax", true);
	gs_json_end_object(json);
}

static void write_lists(const struct gs_run *run, struct gs_json *json)
{
	gs_json_key(json, "nodes");
	gs_json_begin_array(json);
	for (size_t i = 0; i < run->nodes.n; i++)
		write_node(&run->nodes.v[i], json);
	gs_json_end_array(json);
	gs_json_key(json, "collect_errors");
	gs_json_begin_array(json);
	for (size_t i = 0; i < run->collect_errors.n; i++)
		write_collect_error(&run->collect_errors.v[i], json);
	gs_json_end_array(json);
	gs_json_key(json, "origins");
	gs_json_begin_array(json);
	for (size_t i = 0; i < run->origins.n; i++) {
		const struct gs_module_origin *origin = &run->origins.v[i];
		gs_json_begin_object(json);
		gs_json_put_cstr(json, "module", origin->module);
		put_some(json, "file", origin->file);
		gs_json_put_bool(json, "inside", origin->inside);
		gs_json_end_object(json);
	}
	gs_json_end_array(json);
}

void gs_run_write(const struct gs_run *run, struct gs_json *json)
{
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "kind", gs_run_kind_name(run->kind));
	gs_json_put_int(json, "exit_code", run->exit_code);
	gs_json_put_int(json, "signal", run->signal);
	gs_json_put_int(json, "elapsed_ms", run->elapsed_ms);
	write_lists(run, json);
	gs_json_put_int(json, "n_deselected", (int64_t)run->n_deselected);
	put_some(json, "running", run->running);
	put_some(json, "log", run->log);
	gs_json_put_cstr(json, "log_sha256", run->log_sha256);
	put_some(json, "detail", run->detail);
	gs_json_put_strv(json, "shims_used", &run->shims_used);
	if (run->peeked.n > 0)
		gs_json_put_strv(json, "peeked", &run->peeked);
	if (run->lenders.n > 0)
		gs_json_put_strv(json, "lenders", &run->lenders);
	gs_json_put_strv(json, "plugins", &run->plugins);
	gs_json_end_object(json);
}

static int parse_node(
    const json_t *object, struct gs_run *run, struct gs_err *err)
{
	const char *id = gs_json_get_cstr(object, "id");
	const char *outcome = gs_json_get_cstr(object, "outcome");
	const char *failure = gs_json_get_cstr(object, "failure");
	if (!id)
		return gs_fail(
		    err, GS_E_CORRUPT, "A node of the run has no id.");
	struct gs_node *node = GS_VEC_ADD(&run->nodes);
	node->id = gs_strdup(id);
	if (!gs_outcome_parse(outcome, &node->outcome))
		return gs_fail(err, GS_E_CORRUPT,
		    "The outcome of node %.200s is not one that is known.", id);
	if (failure && !gs_failure_parse(failure, &node->failure))
		return gs_fail(err, GS_E_CORRUPT,
		    "The failure of node %.200s is not one that is known.", id);
	node->exception = gs_json_get_dup(object, "exception");
	node->message = gs_json_get_dup(object, "message");
	node->missing = gs_json_get_dup(object, "missing");
	node->started = gs_json_get_bool(object, "started", false);
	return 0;
}

static int parse_collect_error(
    const json_t *object, struct gs_run *run, struct gs_err *err)
{
	const char *id = gs_json_get_cstr(object, "id");
	if (!id)
		return gs_fail(err, GS_E_CORRUPT,
		    "A collection error of the run has no id.");
	struct gs_collect_error *error = GS_VEC_ADD(&run->collect_errors);
	error->id = gs_strdup(id);
	error->exception = gs_json_get_dup(object, "exception");
	error->message = gs_json_get_dup(object, "message");
	error->missing = gs_json_get_dup(object, "missing");
	error->missing_module = gs_json_get_dup(object, "missing_module");
	error->is_syntax = gs_json_get_bool(object, "is_syntax", false);
	return 0;
}

static int parse_origin(
    const json_t *object, struct gs_run *run, struct gs_err *err)
{
	const char *module = gs_json_get_cstr(object, "module");
	if (!module)
		return gs_fail(err, GS_E_CORRUPT,
		    "A module origin of the run has no module.");
	struct gs_module_origin *origin = GS_VEC_ADD(&run->origins);
	origin->module = gs_strdup(module);
	origin->file = gs_json_get_dup(object, "file");
	origin->inside = gs_json_get_bool(object, "inside", false);
	return 0;
}

typedef int parse_fn(
    const json_t *object, struct gs_run *run, struct gs_err *err);

static int parse_list(const json_t *object, const char *key, parse_fn *parse,
    struct gs_run *run, struct gs_err *err)
{
	const json_t *list = json_object_get(object, key);
	size_t n = json_array_size(list);
	if (n > GS_MAX_NODES)
		return gs_fail(err, GS_E_LIMIT, "The run has more than %d %s.",
		    GS_MAX_NODES, key);
	for (size_t i = 0; i < n; i++) {
		int rc = parse(json_array_get(list, i), run, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

static int parse_lists(
    const json_t *object, struct gs_run *run, struct gs_err *err)
{
	int rc = parse_list(object, "nodes", parse_node, run, err);
	if (rc == 0)
		rc = parse_list(
		    object, "collect_errors", parse_collect_error, run, err);
	if (rc == 0)
		rc = parse_list(object, "origins", parse_origin, run, err);
	return rc;
}

int gs_run_parse(const json_t *object, struct gs_run *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_run_release) struct gs_run run = {0};
	if (!gs_run_kind_parse(gs_json_get_cstr(object, "kind"), &run.kind))
		return gs_fail(err, GS_E_CORRUPT,
		    "The run's kind is not one that is known.");
	run.exit_code = (int)gs_json_get_int(object, "exit_code", -1);
	run.signal = (int)gs_json_get_int(object, "signal", 0);
	run.elapsed_ms = gs_json_get_int(object, "elapsed_ms", 0);
	int rc = parse_lists(object, &run, err);
	if (rc < 0)
		return rc;
	run.n_deselected = (size_t)gs_json_get_int(object, "n_deselected", 0);
	run.running = gs_json_get_dup(object, "running");
	run.log = gs_json_get_dup(object, "log");
	const char *sha256 = gs_json_get_cstr(object, "log_sha256");
	(void)snprintf(
	    run.log_sha256, sizeof(run.log_sha256), "%s", sha256 ? sha256 : "");
	run.detail = gs_json_get_dup(object, "detail");
	gs_json_get_strv(object, "shims_used", &run.shims_used);
	gs_json_get_strv(object, "peeked", &run.peeked);
	gs_json_get_strv(object, "lenders", &run.lenders);
	gs_json_get_strv(object, "plugins", &run.plugins);
	gs_run_index(&run);
	*ret = run;
	run = (struct gs_run){0};
	return 0;
}

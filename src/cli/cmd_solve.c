/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/bench.h"
#include "cli/progress.h"
#include "evaluate/agents.h"
#include "evaluate/solve.h"
#include "os/file.h"

#define MAX_TEMPLATE ((size_t)1 << 20)

struct solve_options {
	struct gs_bench_options bench; /* of an agent's sandbox */
	const char *agent;
	struct gs_strv agent_args, binds;
	bool network;
	const char *model, *base_url, *key_env, *task, *template, *output;
	const char *log, *temperature, *seed, *price_in, *price_out;
	int64_t samples, max_tokens, concurrency, per_minute, timeout_s;
	int64_t patience_s, tries;
};

static const struct gs_option options[] = {
    {"output", 'o', GS_OPT_TEXT, "ANSWERS",
        "the file of answers, appended to (required)",
        offsetof(struct solve_options, output)},
    {"model", 0, GS_OPT_TEXT, "NAME", "the model's name (required)",
        offsetof(struct solve_options, model)},
    {"base-url", 0, GS_OPT_TEXT, "URL",
        "of an OpenAI-compatible server (required)",
        offsetof(struct solve_options, base_url)},
    {"key-env", 0, GS_OPT_TEXT, "NAME",
        "the environment variable that holds the key (OPENAI_API_KEY)",
        offsetof(struct solve_options, key_env)},
    {"task", 0, GS_OPT_TEXT, "repair|detect", "what is asked (repair)",
        offsetof(struct solve_options, task)},
    {"template", 0, GS_OPT_TEXT, "FILE", "the words, as for goldset prompt",
        offsetof(struct solve_options, template)},
    {"samples", 'n', GS_OPT_INT, "K", "answers to each record (1)",
        offsetof(struct solve_options, samples)},
    {"temperature", 0, GS_OPT_TEXT, "T", "sent to the server",
        offsetof(struct solve_options, temperature)},
    {"seed", 0, GS_OPT_TEXT, "N", "sent, another one for each request",
        offsetof(struct solve_options, seed)},
    {"max-tokens", 0, GS_OPT_INT, "N", "sent to the server",
        offsetof(struct solve_options, max_tokens)},
    {"concurrency", 'j', GS_OPT_INT, "N", "requests at a time (4)",
        offsetof(struct solve_options, concurrency)},
    {"per-minute", 0, GS_OPT_INT, "N", "at most so many requests a minute",
        offsetof(struct solve_options, per_minute)},
    {"timeout", 0, GS_OPT_SECONDS, "SECONDS", "for one request (600)",
        offsetof(struct solve_options, timeout_s)},
    {"patience", 0, GS_OPT_SECONDS, "SECONDS",
        "for one request with all its repeats (3600)",
        offsetof(struct solve_options, patience_s)},
    {"tries", 0, GS_OPT_INT, "N", "for one request (8)",
        offsetof(struct solve_options, tries)},
    {"price-in", 0, GS_OPT_TEXT, "P", "of a million tokens asked",
        offsetof(struct solve_options, price_in)},
    {"price-out", 0, GS_OPT_TEXT, "P", "of a million tokens answered",
        offsetof(struct solve_options, price_out)},
    {"agent", 0, GS_OPT_TEXT, "PROGRAM",
        "instead of a model: run it in the sandbox, in the tree before the "
        "fix",
        offsetof(struct solve_options, agent)},
    {"agent-arg", 0, GS_OPT_MANY, "ARG",
        "an argument of the agent; may be given again",
        offsetof(struct solve_options, agent_args)},
    {"bind", 0, GS_OPT_MANY, "DIR",
        "a folder that the agent may read; may be given again",
        offsetof(struct solve_options, binds)},
    {"allow-network", 0, GS_OPT_FLAG, NULL, "let the agent use the network",
        offsetof(struct solve_options, network)},
    {"mirror", 0, GS_OPT_TEXT, "TEMPLATE",
        "as of add: where an agent's trees are cloned from",
        offsetof(struct solve_options, bench) +
            offsetof(struct gs_bench_options, mirror)},
    {"log", 0, GS_OPT_TEXT, "FILE",
        "every request's fate and all that was said, JSON Lines",
        offsetof(struct solve_options, log)},
};

static int number_of(const char *name, const char *text, double *ret,
    bool *ret_has, struct gs_err *err)
{
	char *end = NULL;
	if (!text)
		return 0;
	*ret = strtod(text, &end);
	if (end == text || *end)
		return gs_fail(err, GS_E_USAGE,
		    "--%s takes a number, not "
		    "\"%s\"",
		    name, text);
	if (ret_has)
		*ret_has = true;
	return 0;
}

static int check(const struct solve_options *solve, struct gs_err *err)
{
	if (!solve->output)
		return gs_fail(err, GS_E_USAGE,
		    "where shall the answers go? Give -o ANSWERS");
	if (solve->agent)
		return 0;
	if (!solve->model || !solve->base_url)
		return gs_fail(err, GS_E_USAGE,
		    "who is asked? Give --model NAME and --base-url URL, or "
		    "--agent PROGRAM");
	if (strncmp(solve->base_url, "http://", 7) != 0 &&
	    strncmp(solve->base_url, "https://", 8) != 0)
		return gs_fail(err, GS_E_USAGE,
		    "--base-url takes an http or https URL, not \"%s\"",
		    solve->base_url);
	if (solve->task && strcmp(solve->task, "repair") != 0 &&
	    strcmp(solve->task, "detect") != 0)
		return gs_fail(err, GS_E_USAGE,
		    "--task is repair or detect, not \"%s\"", solve->task);
	return 0;
}

static int64_t or_else(int64_t given, int64_t otherwise)
{
	return given > 0 ? given : otherwise;
}

static void show_progress(void *ctx, size_t done, size_t total)
{
	gs_progress(ctx, "solve", (int64_t)done, (int64_t)total, NULL);
}

static int options_of(struct gs_cli *cli, const struct solve_options *solve,
    struct gs_solve_options *ret, struct gs_err *err)
{
	double seed = 0;
	const char *key =
	    getenv(solve->key_env ? solve->key_env : "OPENAI_API_KEY");
	*ret = (struct gs_solve_options){
	    .chat = {.base_url = solve->base_url,
	        .model = solve->model,
	        .key = key && *key ? key : NULL,
	        .max_tokens = solve->max_tokens,
	        .concurrency = (int)or_else(solve->concurrency, 4),
	        .per_minute = solve->per_minute,
	        .timeout_ms = 1000 * or_else(solve->timeout_s, 600),
	        .patience_ms = 1000 * or_else(solve->patience_s, 3600),
	        .max_tries = (int)or_else(solve->tries, 8)},
	    .detect = solve->task && strcmp(solve->task, "detect") == 0,
	    .samples = or_else(solve->samples, 1),
	    .output = solve->output,
	    .log = solve->log,
	    .progress = show_progress,
	    .ctx = cli,
	};
	int rc = number_of("temperature", solve->temperature,
	    &ret->chat.temperature, &ret->chat.has_temperature, err);
	if (rc == 0)
		rc = number_of(
		    "seed", solve->seed, &seed, &ret->chat.has_seed, err);
	if (rc == 0)
		rc = number_of(
		    "price-in", solve->price_in, &ret->price_in, NULL, err);
	if (rc == 0)
		rc = number_of(
		    "price-out", solve->price_out, &ret->price_out, NULL, err);
	ret->chat.seed = (int64_t)seed;
	return rc;
}

static void tell(struct gs_cli *cli, const struct gs_solve_result *result)
{
	gs_cli_say(cli,
	    "%lld answer%s, %lld there already, %lld request%s failed%s%s",
	    (long long)result->answered, GS_S(result->answered),
	    (long long)result->known, (long long)result->failed,
	    GS_S(result->failed), result->failed ? "; the last: " : "",
	    result->last_failure);
	if (cli->json) {
		struct gs_json json = {.out = &cli->out};
		gs_json_begin_object(&json);
		gs_json_put_int(&json, "answered", result->answered);
		gs_json_put_int(&json, "known", result->known);
		gs_json_put_int(&json, "failed", result->failed);
		gs_json_put_int(&json, "prompt_tokens", result->prompt_tokens);
		gs_json_put_int(
		    &json, "completion_tokens", result->completion_tokens);
		gs_json_key(&json, "cost");
		gs_json_real(&json, result->cost);
		gs_json_end_object(&json);
		gs_buf_addc(&cli->out, '\n');
	}
	cli->status = result->failed > 0;
}

/* The agent's own folder is there in the sandbox, at its place. */
static int find_agent(const struct solve_options *solve,
    struct gs_strv *command, struct gs_strv *binds, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *found = gs_path_find(solve->agent);
	GS_CLEANUP(gs_freep) char *path = NULL;
	if (!found)
		return gs_fail(err, GS_E_NOT_FOUND,
		    "there is no program %s to run as agent", solve->agent);
	int rc = gs_path_real(found, &path, err);
	if (rc)
		return rc;
	gs_strv_push(command, path);
	for (size_t i = 0; i < solve->agent_args.n; i++)
		gs_strv_push(command, solve->agent_args.v[i]);
	for (size_t i = 0; i < solve->binds.n; i++)
		gs_strv_push(binds, solve->binds.v[i]);
	char *slash = strrchr(path, '/');
	if (strncmp(path, "/usr/", 5) != 0) {
		*slash = '\0';
		gs_strv_push(binds, path);
	}
	return 0;
}

static int run_agents(struct gs_cli *cli, const struct solve_options *solve,
    struct gs_tasks *tasks, struct gs_solve_result *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_bench_kit_release) struct gs_bench_kit kit = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv command = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv binds = {0};
	struct gs_score_options bench;
	const char *slash = strrchr(solve->agent, '/');
	int rc = find_agent(solve, &command, &binds, err);
	if (rc == 0)
		rc = gs_bench_kit_open(&solve->bench, &kit, err);
	if (rc)
		return rc;
	gs_bench_find_envs(cli, tasks, &kit);
	gs_bench_find_mirrors(cli, &solve->bench, tasks, NULL);
	gs_bench_score_options(cli, &solve->bench, &kit, &bench);
	if (solve->concurrency)
		bench.jobs = (int)solve->concurrency;
	const struct gs_agents_options how = {.bench = &bench,
	    .command = &command,
	    .binds = &binds,
	    .model = solve->model ? solve->model
	             : slash      ? slash + 1
	                          : solve->agent,
	    .output = solve->output,
	    .log = solve->log,
	    .samples = or_else(solve->samples, 1),
	    .network = solve->network,
	    .timeout_ms = (int)(1000 * or_else(solve->timeout_s, 600))};
	return gs_agents(tasks, &how, ret, err);
}

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	const struct solve_options *solve = opts;
	GS_CLEANUP(gs_tasks_release) struct gs_tasks tasks = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf template = {0};
	struct gs_solve_options how;
	struct gs_solve_result result = {0};
	int rc = check(solve, err);
	if (rc == 0)
		rc = options_of(cli, solve, &how, err);
	if (rc == 0)
		rc = gs_tasks_read(args->v[0], &tasks, err);
	if (rc == 0 && solve->template)
		rc =
		    gs_file_read(solve->template, MAX_TEMPLATE, &template, err);
	if (rc)
		return rc;
	how.template = gs_buf_str(&template);
	rc = solve->agent ? run_agents(cli, solve, &tasks, &result, err)
	                  : gs_solve(&tasks, &how, &result, err);
	tell(cli, &result);
	return rc;
}

const struct gs_command gs_cmd_solve = {
    .name = "solve",
    .summary = "ask a model for answers",
    .synopsis = "[OPTIONS] --model NAME --base-url URL|--agent PROGRAM "
                "-o ANSWERS RELEASE",
    .about = "Asks an OpenAI-compatible chat endpoint for each record and "
             "keeps every answer at once, so\nthat the same call goes on "
             "where it was ended. Requests that fail for a time (408, 409,\n"
             "429, 5xx, broken connections) are made again. The exit status "
             "is 1 when some failed for\ngood. An agent instead works in "
             "the sandbox, in the tree before the fix and without the\n"
             "fix's tests, by what TASK.md there says; its change to the "
             "record's source is its answer.",
    .example = "goldset solve --model m --base-url http://127.0.0.1:8000/v1 "
               "-o answers.jsonl release",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct solve_options),
    .min_args = 1,
    .max_args = 1,
    .needs = GS_NEEDS_NOTHING,
    .run = run,
};

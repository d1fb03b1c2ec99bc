/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/story.h"

#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "cli/style.h"

/* Failing tests of a run that are named. */
#define MAX_FAILING 10

static const struct reason {
	const char *name, *meaning, *help;
} reasons[] = {
    {"merge", "A merge commit has no change of its own (W2).", NULL},
    {"parent missing",
        "Its parent is not in the repository: there is nothing to compare it "
        "with (W2).",
        "A shallow clone can be deepened: git fetch --unshallow, then mine "
        "again."},
    {"missing object", "Something that it holds is not in the repository (W5).",
        "When it is there again, or a partial clone is completed: goldset "
        "mine."},
    {"unreadable object",
        "git cannot read something that it holds; the other commits are mined "
        "all the same (W5).",
        NULL},
    {"no parent", "It is a root commit: there is no state before it (W2).",
        NULL},
    {"no source change", "It changes no source file (W3).", NULL},
    {"no test added or modified", "It changes no test file (W3).", NULL},
    {"source and test in one file",
        "A source file that it changes defines tests that are run: they cannot "
        "be told from the fix (W5).",
        NULL},
    {"no licence text",
        "No licence file stands above the changed file in that commit (L1).",
        NULL},
    {"licence not accepted",
        "The code stands under a licence that a release does not take (L2).",
        "Some more are taken when mine and build are told so: --accept."},
    {"cannot collect",
        "pytest could not read the test file with the fix: something that it "
        "imports or needs is not there.",
        "Old code often runs with --shim; goldset status ranks the modules "
        "that are missing."},
    {"environment unsatisfied",
        "The tests need something that this machine has not.",
        "Install what goldset status ranks under the modules that are "
        "missing, then: goldset validate --retry."},
    {"interpreter refuses syntax",
        "The code is written for another version of Python.",
        "Name an interpreter that reads it with --python."},
    {"passes before",
        "The tests pass on the code before the fix already: they do not show "
        "the bug.",
        NULL},
    {"fails after", "No test that failed before passes with the fix.",
        "Old code often runs with --shim."},
    {"name did not exist",
        "The tests fail before only because a name did not exist yet: that "
        "tells a new feature, not a bug (O5).",
        "--missing-names keeps such records."},
    {"not reducible",
        "No single changed function or file reproduces the fix alone (K2).",
        NULL},
    {"flaky", "The tests do not behave alike when they are run again (K1).",
        NULL},
    {"order dependent",
        "The tests flip only in company of others, not alone (K1).", NULL},
    {"timeout before",
        "Before the fix the tests do not end in time, and no single one of "
        "them hangs (O3, O5).",
        "--timeout SECONDS gives them more."},
    {"timeout after", "With the fix the tests do not end in time (O3).",
        "--timeout SECONDS gives them more."},
};

static const struct reason *find_reason(const char *name)
{
	for (size_t i = 0; name && i < GS_COUNT(reasons); i++)
		if (strcmp(reasons[i].name, name) == 0)
			return &reasons[i];
	return NULL;
}

const char *gs_reason_meaning(const char *name)
{
	const struct reason *reason = find_reason(name);
	return reason ? reason->meaning : NULL;
}

const char *gs_reason_help(const char *name)
{
	const struct reason *reason = find_reason(name);
	return reason ? reason->help : NULL;
}

/* Words of ours for words of the stored runs. */
struct phrase {
	const char *word, *text;
};

static const struct phrase attempts[] = {
    {"whole files", "First the whole test files:"},
    {"reduce", "Is less than the whole commit enough?"},
    {"ids alone",
        "Again, with the flipping tests alone and another hash seed:"},
    {"again", "The whole test files again, with another hash seed:"},
    {"clock moved", "And again, with the clock a year ahead:"},
    {"cheat", "Cheats, none of which may pass:"},
};

static const struct phrase states[] = {
    {"commit", "with the commit"},
    {"before", "before it"},
    {"unit", "the one function mended"},
    {"file", "the one file mended"},
    {"emptied", "nothing in its place"},
    {"raises", "an error in its place"},
    {"leaves with status 0", "leaving with status 0"},
};

static const char *say(const struct phrase *phrases, size_t n, const char *word)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(phrases[i].word, word) == 0)
			return phrases[i].text;
	return word;
}

static bool is_failing(const json_t *node)
{
	struct gs_str outcome = gs_json_get_str(node, "outcome");
	return gs_str_is(outcome, "failed") || gs_str_is(outcome, "unfinished");
}

/* Id and what it said; false where the very same was told before. */
static bool put_failure(
    struct gs_cli *cli, const json_t *node, struct gs_strv *told)
{
	struct gs_str exception = gs_json_get_str(node, "exception");
	struct gs_str message = gs_json_get_str(node, "message"), line = {0};
	struct gs_str id = gs_json_get_str(node, "id");
	if (message.n)
		gs_str_cut(&message, '\n', &line);
	GS_CLEANUP(gs_freep)
	char *key = gs_format("%.*s\n%.*s\n%.*s", GS_STR_ARG(id),
	    GS_STR_ARG(exception), GS_STR_ARG(line));
	if (gs_strv_has(told, key))
		return false;
	gs_strv_push(told, key);
	gs_put(cli, GS_STYLE_BAD, GS_STR("      "));
	gs_put(cli, GS_STYLE_BAD, id);
	gs_buf_addc(&cli->out, '\n');
	if (exception.n)
		gs_putf(cli, GS_STYLE_DIM, "        %.*s%s%.*s\n",
		    GS_STR_ARG(exception), line.n ? ": " : "",
		    GS_STR_ARG(line));
	return true;
}

static void put_failures(
    struct gs_cli *cli, const json_t *run, struct gs_strv *told)
{
	const json_t *node;
	size_t i, shown = 0, more = 0;
	json_array_foreach(json_object_get(run, "nodes"), i, node)
	{
		if (!is_failing(node))
			continue;
		if (shown < MAX_FAILING)
			shown += put_failure(cli, node, told);
		else
			more++;
	}
	if (more)
		gs_putf(cli, GS_STYLE_DIM, "      … and %zu more\n", more);
	json_array_foreach(json_object_get(run, "collect_errors"), i, node)
	    put_failure(cli, node, told);
}

static size_t count_passed(const json_t *nodes)
{
	size_t passed = 0, i;
	const json_t *node;
	json_array_foreach(nodes, i, node) passed +=
	    gs_str_is(gs_json_get_str(node, "outcome"), "passed");
	return passed;
}

static void put_log(struct gs_cli *cli, struct gs_str log)
{
	struct gs_str line;
	while (log.n && gs_str_cut(&log, '\n', &line)) {
		gs_buf_addz(&cli->out, "      | ");
		gs_put_line(cli, line);
	}
}

static void put_run(
    struct gs_cli *cli, const json_t *seen, bool with_log, struct gs_strv *told)
{
	const json_t *run = json_object_get(seen, "run");
	const json_t *nodes = json_object_get(run, "nodes");
	const char *state = gs_json_get_cstr(seen, "state");
	struct gs_str detail = gs_json_get_str(run, "detail");
	size_t passed = count_passed(nodes), n = json_array_size(nodes);
	bool is_whole = gs_str_is(gs_json_get_str(run, "kind"), "complete");
	bool is_cheat = gs_str_is(gs_json_get_str(seen, "attempt"), "cheat");
	gs_putf(cli, GS_STYLE_PLAIN, "  %-24s ",
	    say(states, GS_COUNT(states), state ? state : "?"));
	if (!is_whole)
		gs_putf(cli, is_cheat ? GS_STYLE_PLAIN : GS_STYLE_WARN, "%.*s",
		    GS_STR_ARG(
		        detail.n ? detail : gs_json_get_str(run, "kind")));
	else if (n == 0)
		gs_putf(cli, GS_STYLE_PLAIN, "no test could be collected");
	else
		gs_putf(cli,
		    passed == n && !is_cheat ? GS_STYLE_GOOD : GS_STYLE_PLAIN,
		    "%zu of %zu pass", passed, n);
	if (with_log)
		gs_putf(cli, GS_STYLE_DIM, "  (%lld ms, hash seed %lld)",
		    (long long)gs_json_get_int(run, "elapsed_ms", 0),
		    (long long)gs_json_get_int(seen, "hash_seed", 0));
	gs_buf_addc(&cli->out, '\n');
	/* How a cheat failed is of no interest. */
	if (!is_cheat || with_log)
		put_failures(cli, run, told);
	if (with_log)
		put_log(cli, gs_json_get_str(run, "log"));
}

int gs_put_runs(struct gs_cli *cli, const struct gs_story *story,
    bool with_logs, struct gs_err *err)
{
	if (!story->runs || strcmp(story->runs, "[]") == 0)
		return 0;
	GS_CLEANUP(gs_json_free)
	json_t *runs = gs_json_parse(gs_str(story->runs), "runs", err);
	if (!runs)
		return err->code;
	GS_CLEANUP(gs_strv_release) struct gs_strv told = {0};
	const json_t *seen;
	const char *open = "";
	size_t i;
	json_array_foreach(runs, i, seen)
	{
		const char *attempt = gs_json_get_cstr(seen, "attempt");
		attempt = attempt ? attempt : "?";
		if (strcmp(attempt, open) != 0)
			gs_put_heading(
			    cli, say(attempts, GS_COUNT(attempts), attempt));
		open = attempt;
		put_run(cli, seen, with_logs, &told);
	}
	if (!with_logs)
		gs_put(cli, GS_STYLE_DIM,
		    GS_STR("\n--logs shows what each run printed.\n"));
	return 0;
}

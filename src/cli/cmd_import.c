/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "cli/steps.h"
#include "mine/locate.h"
#include "mine/mine.h"
#include "os/file.h"
#include "store/instance.h"

#define MAX_INSTANCES_FILE ((size_t)1 << 30)

struct import_options {
	struct gs_step_options steps;
	struct gs_strv only;
};

static const struct gs_option options[] = {
    {"only", 0, GS_OPT_MANY, "OWNER/NAME",
        "only the instances of this project; may be given again",
        offsetof(struct import_options, only)},
    {"mirror", 0, GS_OPT_TEXT, "TEMPLATE",
        "where to clone from instead, such as "
        "'/path/{owner}+{name}/repo'",
        offsetof(struct import_options, steps) +
            offsetof(struct gs_step_options, mirror)},
    GS_STEP_MINE_ROWS,
};

/* All that one call works on. */
struct importing {
	struct gs_cli *cli;
	const struct import_options *options;
	const char *system;
	struct gs_foreigns foreigns;
	int64_t projects, instances, found, candidates, lost;
};

/* ---- one project ------------------------------------------------------- */

/* The project of that name, or a new one from its address. */
static int have_project(struct importing *x, const struct gs_foreign *like,
    struct gs_project *ret, struct gs_err *err)
{
	struct gs_step_options steps = x->options->steps;
	GS_CLEANUP(gs_strv_release) struct gs_strv names = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv sources = {0};
	int64_t broken = 0;
	int rc = gs_store_project(x->cli->store, like->repo, ret, err);
	if (rc != GS_E_NOT_FOUND)
		return rc;
	*err = (struct gs_err){0};
	steps.as = like->repo;
	steps.from = (struct gs_strv){0};
	gs_strv_push(&sources, like->url);
	rc = gs_step_add(x->cli, &steps, &sources, &names, &broken, err);
	return rc ? rc : gs_store_project(x->cli->store, names.v[0], ret, err);
}

static int put_one(struct importing *x, const struct gs_foreign *foreign,
    const struct gs_located *located, const char *problem, struct gs_err *err)
{
	struct gs_instance instance = {
	    .system = gs_strdup(x->system),
	    .name = gs_strdup(foreign->name),
	    .project = gs_strdup(foreign->repo),
	    .problem = gs_strdup(problem),
	};
	if (located)
		instance.commit = located->commit;
	if (!problem && !instance.commit.hex[0])
		instance.problem =
		    foreign->commit
		        ? gs_format("its commit %s is not in the history of "
		                    "the repository",
		              foreign->commit)
		        : gs_strdup("no commit of the repository makes the "
		                    "files of its test patch");
	(void)gs_oid_parse(gs_str(foreign->base), &instance.base);
	gs_strv_copy(&instance.tests, &foreign->tests);
	x->found += instance.commit.hex[0] != '\0';
	x->instances++;
	int rc = gs_store_put_instance(x->cli->store, &instance, err);
	gs_instance_release(&instance);
	return rc;
}

/* Their commits, and no others of the project, become walked. */
static int mine_located(struct importing *x, const struct gs_project *project,
    const struct gs_located *located, size_t n, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv ids = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv accepted = {0};
	struct gs_mine_result result = {0};
	const char *walk = x->options->steps.walk;
	gs_step_licences(&x->options->steps, &accepted);
	const struct gs_mine_options mine = {
	    .workspace = x->cli->workspace,
	    .first_parent = walk && strcmp(walk, "first-parent") == 0,
	    .licences = &accepted,
	};
	for (size_t i = 0; i < n; i++)
		if (located[i].commit.hex[0])
			gs_strv_push(&ids, located[i].commit.hex);
	gs_strv_sort(&ids);
	gs_strv_uniq(&ids);
	if (ids.n == 0)
		return 0;
	int rc =
	    gs_mine_commits(x->cli->store, project, &mine, &ids, &result, err);
	x->candidates += result.candidates;
	return rc;
}

static int take_located(struct importing *x, const struct gs_project *project,
    const struct gs_foreign *foreigns, size_t n, struct gs_err *err)
{
	const char *walk = x->options->steps.walk;
	GS_CLEANUP(gs_freep)
	char *mirror = gs_mirror_path(x->cli->workspace, project->mirror);
	struct gs_located *located = gs_alloc(n * sizeof(*located));
	int rc = gs_foreigns_locate(mirror,
	    walk && strcmp(walk, "first-parent") == 0, foreigns, n, located,
	    err);
	if (rc == 0)
		rc = mine_located(x, project, located, n, err);
	for (size_t i = 0; rc == 0 && i < n; i++)
		rc = put_one(x, &foreigns[i], &located[i], NULL, err);
	free(located);
	return rc;
}

/* A repository that cannot be had is the instances' problem, not ours. */
static int import_project(struct importing *x,
    const struct gs_foreign *foreigns, size_t n, struct gs_err *err)
{
	struct gs_project project = {0};
	struct gs_err one = {0};
	int rc = have_project(x, &foreigns[0], &project, &one);
	if (rc == 0)
		rc = take_located(x, &project, foreigns, n, &one);
	gs_project_release(&project);
	x->projects++;
	if (rc == GS_E_CANCELLED || rc == GS_E_SYSTEM || rc == GS_E_BUSY) {
		*err = one;
		return rc;
	}
	if (rc == 0)
		return 0;
	gs_cli_warn(x->cli, "%s: %s", foreigns[0].repo, one.text);
	x->cli->status = 1;
	for (rc = 0; rc == 0 && n > 0; n--, foreigns++)
		rc = put_one(x, foreigns, NULL, one.text, err);
	return rc;
}

/* ---- all --------------------------------------------------------------- */

static int read_all(struct importing *x, const char *path, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release)
	struct gs_buf text = {.max = MAX_INSTANCES_FILE};
	if (strcmp(x->system, "bugsinpy") == 0)
		return gs_bugsinpy_read(path, &x->foreigns, err);
	int rc = gs_file_read(path, MAX_INSTANCES_FILE, &text, err);
	return rc ? rc
	          : gs_swebench_read(
	                gs_buf_str(&text), path, &x->foreigns, err);
}

/* A misspelt project would import nothing, and look like success. */
static int check_only(
    const struct importing *x, const char *path, struct gs_err *err)
{
	const struct gs_strv *only = &x->options->only;
	for (size_t i = 0; i < only->n; i++) {
		bool is_there = false;
		for (size_t k = 0; !is_there && k < x->foreigns.n; k++)
			is_there =
			    strcmp(x->foreigns.v[k].repo, only->v[i]) == 0;
		if (!is_there)
			return gs_fail(err, GS_E_NOT_FOUND,
			    "%s has no instance of %s; --only takes a project "
			    "as OWNER/NAME",
			    path, only->v[i]);
	}
	return 0;
}

static int import_all(struct importing *x, struct gs_err *err)
{
	const struct gs_strv *only = &x->options->only;
	size_t n = 1;
	for (size_t i = 0; i < x->foreigns.n; i += n) {
		const struct gs_foreign *first = &x->foreigns.v[i];
		for (n = 1; i + n < x->foreigns.n &&
		            strcmp(first[n].repo, first->repo) == 0;)
			n++;
		if (only->n > 0 && !gs_strv_has(only, first->repo))
			continue;
		int rc = import_project(x, first, n, err);
		if (rc)
			return rc;
	}
	return 0;
}

static void tell(struct importing *x)
{
	if (!x->cli->json) {
		gs_cli_say(x->cli,
		    "%lld instance%s of %lld project%s, %lld found in the "
		    "history, %lld new candidate%s; goldset validate runs them, "
		    "goldset status --instances tells what became of them",
		    (long long)x->instances, GS_S(x->instances),
		    (long long)x->projects, GS_S(x->projects),
		    (long long)x->found, (long long)x->candidates,
		    GS_S(x->candidates));
		return;
	}
	struct gs_json json = {.out = &x->cli->out};
	gs_json_begin_object(&json);
	gs_json_put_int(&json, "projects", x->projects);
	gs_json_put_int(&json, "instances", x->instances);
	gs_json_put_int(&json, "found", x->found);
	gs_json_put_int(&json, "candidates", x->candidates);
	gs_json_end_object(&json);
	gs_buf_addc(&x->cli->out, '\n');
}

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	struct importing x = {
	    .cli = cli, .options = opts, .system = args->v[0]};
	if (strcmp(x.system, "swebench") != 0 &&
	    strcmp(x.system, "bugsinpy") != 0)
		return gs_fail(err, GS_E_USAGE,
		    "the form is: goldset import swebench FILE, or goldset "
		    "import bugsinpy DIR");
	int rc = gs_step_check(&x.options->steps, err);
	if (rc == 0)
		rc = read_all(&x, args->v[1], err);
	if (rc == 0)
		rc = check_only(&x, args->v[1], err);
	if (rc == 0)
		rc = import_all(&x, err);
	if (rc == 0)
		tell(&x);
	gs_foreigns_release(&x.foreigns);
	return rc;
}

const struct gs_command gs_cmd_import = {
    .name = "import",
    .summary = "other systems' instances as candidates",
    .synopsis = "[OPTIONS] swebench FILE|bugsinpy DIR",
    .about = "Finds the commit of each instance in its project's history and "
             "makes it a candidate, which\ngoldset validate then judges by "
             "our rules like any other. FILE has SWE-bench's rows as JSON\n"
             "Lines; DIR is a checkout of BugsInPy. The exit status is 1 when "
             "a repository could not be had.",
    .example = "goldset import swebench instances.jsonl",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct import_options),
    .min_args = 2,
    .max_args = 2,
    .needs = GS_NEEDS_STORE_WRITE,
    .run = run,
};

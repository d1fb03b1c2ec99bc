/* SPDX-License-Identifier: Apache-2.0 */
#include "validate/environment.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "validate/observe.h"

static bool is_requirement_file(struct gs_str path)
{
	static const char *const names[] = {
	    "pyproject.toml", "setup.cfg", "setup.py", "tox.ini"};
	for (size_t i = 0; i < GS_COUNT(names); i++)
		if (gs_str_is(path, names[i]))
			return true;
	if (gs_str_starts(path, "requirements/"))
		path = gs_str_from(path, strlen("requirements/"));
	else if (!gs_str_contains(path, GS_STR("requirements")))
		return false;
	return gs_str_find_char(path, '/') < 0 && gs_str_ends(path, ".txt");
}

static int read_requirements(struct gs_worker *worker,
    const struct gs_candidate *candidate, struct gs_strv *ret,
    struct gs_err *err)
{
	const struct gs_listing *tree = &candidate->commit_tree;
	for (size_t i = 0; i < tree->n; i++) {
		const struct gs_entry *entry = &tree->v[i];
		if (!gs_entry_is_file(entry) ||
		    !is_requirement_file(entry->path))
			continue;
		GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};
		int rc = gs_objects_read(worker->objects, entry->id.hex,
		    GS_MAX_PYTHON_FILE, &bytes, err);
		if (rc == GS_E_LIMIT)
			continue;
		if (rc)
			return rc;
		gs_env_requirements(entry->path.p, gs_buf_str(&bytes), ret);
	}
	gs_strv_sort(ret);
	gs_strv_uniq(ret);
	return 0;
}

static int make_venv(struct gs_worker *worker,
    const struct gs_candidate *candidate, const char *python,
    struct gs_verdict *verdict, struct gs_err *err)
{
	const struct gs_validate_options *options = worker->context->options;
	const char *project = candidate->work->project_name;
	GS_CLEANUP(gs_freep)
	char *envs = gs_format("%s/envs", options->workspace);
	struct gs_env_request request = {
	    .envs_dir = envs,
	    .python = python,
	    .project = project,
	    .cutoff = candidate->commit.committed_at,
	    .wheels = options->wheels,
	    .setup = gs_project_setting(options->config, project, "setup"),
	    .offline = options->wheels != NULL,
	};
	gs_env_release(&worker->venv);
	int rc =
	    read_requirements(worker, candidate, &request.requirements, err);
	if (rc) {
		gs_strv_release(&request.requirements);
		return rc;
	}
	rc = gs_env_venv(&request, &worker->venv, err);
	gs_strv_release(&request.requirements);
	if (rc == GS_E_ENVIRONMENT) {
		gs_refuse(verdict, "environment unsatisfied", "%s", err->text);
		*err = (struct gs_err){0};
		return 0;
	}
	return rc ? gs_own_failure(rc, err) : 0;
}

/* The project's own interpreter, when goldset.conf names one. */
static struct gs_env *env_of_python(
    const struct gs_validate_context *context, const char *python, size_t *n)
{
	for (size_t i = 0; python && i < context->n_envs; i++) {
		const char *have = context->envs[i].python;
		const char *name = strrchr(have, '/');
		if (strcmp(have, python) == 0 ||
		    (name && strcmp(name + 1, python) == 0)) {
			*n = 1;
			return &context->envs[i];
		}
	}
	*n = context->n_envs;
	return context->envs;
}

int gs_environments_for(struct gs_worker *worker,
    const struct gs_candidate *candidate, struct gs_env **ret, size_t *ret_n,
    struct gs_verdict *verdict, struct gs_err *err)
{
	const struct gs_validate_options *options = worker->context->options;
	const char *project = candidate->work->project_name;
	const char *kind = gs_project_setting(options->config, project, "env");
	const char *python =
	    gs_project_setting(options->config, project, "python");
	*ret = env_of_python(worker->context, python, ret_n);
	bool wants_venv =
	    kind ? strcmp(kind, "venv") == 0 : options->env == GS_ENV_VENV;
	if (!wants_venv)
		return 0;
	int rc = make_venv(worker, candidate, (*ret)[0].python, verdict, err);
	*ret = &worker->venv;
	*ret_n = rc == 0 && !verdict->reason ? 1 : 0;
	return rc;
}

bool gs_run_wants_other_python(const struct gs_run *run)
{
	for (size_t i = 0; i < run->collect_errors.n; i++)
		if (run->collect_errors.v[i].is_syntax)
			return true;
	return false;
}

/* true when the tree itself has a module of this top-level name: then it is
 * the fix's business and not the environment's. */
static bool tree_has_module(
    const struct gs_candidate *candidate, struct gs_str top)
{
	const struct gs_strv *roots = &candidate->import_roots;
	for (size_t i = 0; i < roots->n; i++) {
		bool is_root = strcmp(roots->v[i], ".") == 0;
		GS_CLEANUP(gs_freep)
		char *folder = gs_format("%s%s%.*s", is_root ? "" : roots->v[i],
		    is_root ? "" : "/", GS_STR_ARG(top));
		GS_CLEANUP(gs_freep) char *file = gs_format("%s.py", folder);
		if (gs_listing_has_folder(
		        &candidate->commit_tree, gs_str(folder)) ||
		    gs_listing_find(&candidate->commit_tree, gs_str(file)))
			return true;
	}
	return false;
}

static struct gs_str top_of(const char *module)
{
	struct gs_str rest = gs_str(module), top = GS_STR("");
	(void)gs_str_cut(&rest, '.', &top);
	return top;
}

const char *gs_run_lacks_module(
    const struct gs_run *run, const struct gs_candidate *candidate)
{
	for (size_t i = 0; i < run->collect_errors.n; i++) {
		const char *module = run->collect_errors.v[i].missing_module;
		if (module && !tree_has_module(candidate, top_of(module)))
			return module;
	}
	for (size_t i = 0; i < run->nodes.n; i++) {
		const struct gs_node *node = &run->nodes.v[i];
		if (node->outcome == GS_OUTCOME_FAILED && node->exception &&
		    node->missing &&
		    strcmp(node->exception, "ModuleNotFoundError") == 0 &&
		    !tree_has_module(candidate, top_of(node->missing)))
			return node->missing;
	}
	return NULL;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/harbor.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "evaluate/harbor_shims.h"
#include "evaluate/prompt.h"
#include "evaluate/trees.h"
#include "git/materialise.h"
#include "os/file.h"

#define AGENT_SECONDS 1800
#define VERIFIER_SECONDS 600
#define RUN_SECONDS 300
/* In the agent's container. */
#define SHIMS_IN_PLACE "/opt/goldset"

static const char shims_words[] =
    "\nIts tests want names that Python or pytest no longer have. "
    "`python " SHIMS_IN_PLACE "/" GS_HARBOR_PYTEST "` is pytest with those "
    "names put back.\n";

extern const char gs_text_harbor_tmpl[], gs_text_harbor_verify_py[];

/* One folder being written. */
struct harbor {
	const struct gs_task *task;
	const char *folder;
	struct gs_task_trees trees;
};

static int put(const struct harbor *harbor, const char *name,
    struct gs_str text, unsigned mode, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *path = gs_path_join(harbor->folder, name);
	return gs_file_write(path, text, mode, err);
}

static void put_toml(struct gs_buf *out, const char *key, const char *value)
{
	/* A JSON text is a basic string of TOML. */
	struct gs_json json = {.out = out};
	gs_buf_addf(out, "%s = ", key);
	gs_json_cstr(&json, value);
	gs_buf_addc(out, '\n');
}

static int put_config(const struct harbor *harbor, struct gs_err *err)
{
	const struct gs_record *record = &harbor->task->record;
	GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
	GS_CLEANUP(gs_freep) char *name = gs_format("goldset/%s", record->id);
	gs_buf_addz(&out, "schema_version = \"1.1\"\n\n[task]\n");
	put_toml(&out, "name", name);
	put_toml(&out, "description", record->subject);
	gs_buf_addz(&out, "authors = []\nkeywords = [\"python\", "
	                  "\"debugging\"]\n\n[metadata]\n");
	put_toml(&out, "category", "debugging");
	gs_buf_addz(&out, "\n[metadata.goldset]\n");
	put_toml(&out, "id", record->id);
	put_toml(&out, "repo", record->repo);
	put_toml(&out, "base_commit", record->parent);
	put_toml(&out, "committed_at", record->committed_at);
	put_toml(&out, "license", record->license);
	put_toml(&out, "granularity", record->granularity);
	put_toml(&out, "unit", record->unit);
	put_toml(&out, "shims", harbor->task->evidence.shims);
	gs_buf_addf(
	    &out, "\n[verifier]\ntimeout_sec = %d.0\n", VERIFIER_SECONDS);
	gs_buf_addf(&out, "\n[agent]\ntimeout_sec = %d.0\n", AGENT_SECONDS);
	/* With a network the fix is one search away. */
	gs_buf_addz(&out, "\n[environment]\nbuild_timeout_sec = 1800.0\n"
	                  "cpus = 1\nmemory_mb = 4096\nstorage_mb = 10240\n"
	                  "allow_internet = false\n");
	return put(harbor, "task.toml", gs_buf_str(&out), 0644, err);
}

/* "name==version" a line, without what a distribution adds to a version;
 * pytest's own stands in the Dockerfile. */
static int put_requirements(const struct harbor *harbor, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
	GS_CLEANUP(gs_json_free)
	json_t *all =
	    gs_json_parse(gs_str(harbor->task->evidence.distributions),
	        "the evidence's distributions", err);
	const char *name;
	json_t *version;
	if (!all)
		return err->code;
	json_object_foreach(all, name, version)
	{
		const char *text = json_string_value(version);
		if (text && strcmp(name, "pytest") != 0)
			gs_buf_addf(&out, "%s==%.*s\n", name,
			    (int)strcspn(text, "+"), text);
	}
	return put(harbor, "environment/requirements.txt", gs_buf_str(&out),
	    0644, err);
}

/* "3.11" of "CPython 3.11.2". */
static struct gs_str python_of(const struct gs_task *task)
{
	const char *space = strrchr(task->evidence.interpreter, ' ');
	struct gs_str version =
	    gs_str(space ? space + 1 : task->evidence.interpreter);
	ptrdiff_t dot = gs_str_rfind_char(version, '.');
	return dot > 1 ? gs_str_sub(version, 0, (size_t)dot) : version;
}

/* The parent's tree: fetched by its id where the repository is public, else
 * copied from beside the Dockerfile. Its history stays away. */
static int put_dockerfile(const struct harbor *harbor, struct gs_err *err)
{
	const struct gs_record *record = &harbor->task->record;
	struct gs_str python = python_of(harbor->task);
	GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
	gs_buf_addf(&out,
	    "FROM python:%.*s-slim\n"
	    "RUN apt-get update \\\n"
	    " && apt-get install -y --no-install-recommends git \\\n"
	    " && rm -rf /var/lib/apt/lists/*\n"
	    "COPY requirements.txt /tmp/requirements.txt\n"
	    "# What no index has (the system's own packages) is left out.\n"
	    "RUN python -m pip install --no-cache-dir pytest==%.*s \\\n"
	    " && while read -r one; do \\\n"
	    "      python -m pip install --no-cache-dir --no-deps \"$one\" \\\n"
	    "        || echo \"left out: $one\"; \\\n"
	    "    done < /tmp/requirements.txt\n"
	    "WORKDIR /testbed\n",
	    GS_STR_ARG(python),
	    (int)strcspn(harbor->task->evidence.pytest, "+"),
	    harbor->task->evidence.pytest);
	if (gs_harbor_needs_shims(harbor->task))
		gs_buf_addz(&out, "COPY shims/ " SHIMS_IN_PLACE "/\n");
	if (record->repo_url[0]) {
		gs_buf_addz(&out, "RUN git init -q . \\\n"
		                  " && git fetch -q --depth 1 ");
		gs_buf_add_quoted(&out, record->repo_url);
		gs_buf_addf(&out,
		    " %s \\\n && git checkout -q FETCH_HEAD \\\n"
		    " && rm -rf .git\n",
		    record->parent);
	} else {
		gs_buf_addz(&out, "COPY repo/ /testbed/\n");
	}
	return put(
	    harbor, "environment/Dockerfile", gs_buf_str(&out), 0644, err);
}

static int put_shims(
    const struct harbor *harbor, const char *name, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *dir = gs_path_join(harbor->folder, name);
	return gs_harbor_put_shims(harbor->task, &harbor->trees, dir, err);
}

static int put_environment(struct harbor *harbor, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *environment = gs_path_join(harbor->folder, "environment");
	int rc = gs_dir_make(environment, 0755, err);
	if (rc == 0)
		rc = put_requirements(harbor, err);
	if (rc == 0)
		rc = put_shims(harbor, "environment/shims", err);
	return rc ? rc : put_dockerfile(harbor, err);
}

static int put_tree(struct harbor *harbor, const char *name,
    const struct gs_listing *listing, struct gs_err *err)
{
	struct gs_workdir *workdir = NULL;
	GS_CLEANUP(gs_freep) char *path = gs_path_join(harbor->folder, name);
	int rc = gs_dir_make(path, 0755, err);
	if (rc == 0)
		rc = gs_workdir_open(
		    path, (uid_t)-1, harbor->trees.objects, &workdir, err);
	if (rc == 0)
		rc = gs_workdir_reset(workdir, listing, NULL, 0, err);
	gs_workdir_close(workdir);
	return rc;
}

/* Which of the units of one name the record's is. */
static int64_t ordinal_of(const struct harbor *harbor)
{
	struct gs_source source = {0};
	int64_t ordinal = 0;
	if (gs_source_parse(gs_buf_str(&harbor->trees.source), &source, NULL) ==
	    0)
		for (size_t i = 0; i < source.n_units; i++)
			if (source.units[i].start ==
			        (size_t)harbor->task->evidence.unit_start &&
			    source.units[i].kind == GS_UNIT_FUNCTION)
				ordinal = source.units[i].ordinal;
	gs_source_release(&source);
	return ordinal;
}

static int put_facts(const struct harbor *harbor, struct gs_err *err)
{
	const struct gs_task *task = harbor->task;
	const struct gs_evidence *evidence = &task->evidence;
	GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv plugins = {0};
	struct gs_json json = {.out = &out, .pretty = true};
	struct gs_str rest = gs_str(evidence->plugins), one;
	while (rest.n && gs_str_cut(&rest, ',', &one))
		gs_strv_push_str(&plugins, one);
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "id", task->record.id);
	gs_json_put_cstr(&json, "granularity", task->record.granularity);
	gs_json_put_cstr(&json, "unit", task->record.unit);
	gs_json_put_int(&json, "ordinal", ordinal_of(harbor));
	gs_json_put_cstr(&json, "source_path", evidence->source_path);
	gs_json_put_int(&json, "unit_start", evidence->unit_start);
	gs_json_put_int(&json, "unit_end", evidence->unit_end);
	gs_json_put_strv(&json, "import_roots", &evidence->import_roots);
	gs_json_put_strv(&json, "test_files", &evidence->test_files);
	gs_json_put_strv(&json, "plugins", &plugins);
	gs_json_put_strv(&json, "fail_to_pass", &task->record.fail_to_pass);
	gs_json_put_strv(&json, "pass_to_pass", &evidence->pass_to_pass);
	gs_json_put_int(&json, "timeout", RUN_SECONDS);
	gs_json_end_object(&json);
	gs_buf_addc(&out, '\n');
	return put(harbor, "tests/task.json", gs_buf_str(&out), 0644, err);
}

static int put_tests(struct harbor *harbor, struct gs_err *err)
{
	const struct gs_str script =
	    GS_STR("#!/bin/sh\n# Called by Harbor once the agent is done.\n"
	           "exec python3 \"$(dirname \"$0\")/verify.py\"\n");
	int rc = put_tree(harbor, "tests/tree", &harbor->trees.before, err);
	if (rc == 0)
		rc = put(harbor, "tests/test.sh", script, 0755, err);
	if (rc == 0)
		rc = put(harbor, "tests/verify.py",
		    gs_str(gs_text_harbor_verify_py), 0644, err);
	if (rc == 0)
		rc = put_shims(harbor, "tests/shims", err);
	return rc ? rc : put_facts(harbor, err);
}

static int put_solution(const struct harbor *harbor, struct gs_err *err)
{
	const struct gs_task *task = harbor->task;
	GS_CLEANUP(gs_buf_release) struct gs_buf file = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf why = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf script = {0};
	GS_CLEANUP(gs_freep)
	char *dir = gs_path_join(harbor->folder, "solution");
	GS_CLEANUP(gs_freep)
	char *target = gs_format("/testbed/%s", task->evidence.source_path);
	bool is_valid = false;
	int rc = gs_task_splice(task, gs_buf_str(&harbor->trees.source),
	    gs_str(task->record.source_after), &file, &is_valid, &why, err);
	if (rc == 0 && !is_valid)
		rc = gs_fail(err, GS_E_CORRUPT, "%s", gs_buf_cstr(&why));
	if (rc == 0)
		rc = gs_dir_make(dir, 0755, err);
	gs_buf_addz(&script, "#!/bin/sh\nexec cp \"$(dirname \"$0\")/"
	                     "answer.py\" ");
	gs_buf_add_quoted(&script, target);
	gs_buf_addc(&script, '\n');
	if (rc == 0)
		rc = put(
		    harbor, "solution/answer.py", gs_buf_str(&file), 0644, err);
	return rc ? rc
	          : put(harbor, "solution/solve.sh", gs_buf_str(&script), 0755,
	                err);
}

static int put_all(struct harbor *harbor, struct gs_err *err)
{
	const struct gs_task *task = harbor->task;
	GS_CLEANUP(gs_buf_release) struct gs_buf words = {0};
	int rc = gs_prompt_fill(
	    task, gs_str(gs_text_harbor_tmpl), GS_STR(""), &words, err);
	if (gs_harbor_needs_shims(task))
		gs_buf_addz(&words, shims_words);
	if (rc == 0)
		rc = put(
		    harbor, "instruction.md", gs_buf_str(&words), 0644, err);
	if (rc == 0)
		rc = put_config(harbor, err);
	if (rc == 0)
		rc = put_environment(harbor, err);
	if (rc == 0 && !task->record.repo_url[0])
		rc = put_tree(
		    harbor, "environment/repo", &harbor->trees.parent, err);
	if (rc == 0)
		rc = put_tests(harbor, err);
	return rc ? rc : put_solution(harbor, err);
}

int gs_export_harbor(
    const struct gs_task *task, const char *folder, struct gs_err *err)
{
	struct harbor harbor = {.task = task, .folder = folder};
	int rc = gs_task_trees_open(task, &harbor.trees, err);
	if (rc == 0)
		rc = gs_dir_make(folder, 0755, err);
	if (rc == 0)
		rc = put_all(&harbor, err);
	gs_task_trees_release(&harbor.trees);
	return rc;
}

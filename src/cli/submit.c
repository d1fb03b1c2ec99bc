/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/submit.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/datetime.h"
#include "base/limits.h"
#include "base/mem.h"
#include "os/file.h"

void gs_plan_release(struct gs_plan *plan)
{
	free(plan->folder);
	gs_strv_release(&plan->jobs);
	*plan = (struct gs_plan){0};
}

int gs_plan_read(const char *folder, struct gs_plan *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *path = gs_path_join(folder, "plan.json");
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	if (!gs_path_exists(path))
		return gs_fail(err, GS_E_NOT_FOUND,
		    "nothing was submitted from this workspace: there is no "
		    "%s",
		    path);
	int rc = gs_file_read(path, GS_MIB, &text, err);
	if (rc)
		return rc;
	GS_CLEANUP(gs_json_free)
	json_t *plan = gs_json_parse(gs_buf_str(&text), path, err);
	if (!plan)
		return GS_E_CORRUPT;
	ret->shards = gs_json_get_int(plan, "shards", 0);
	if (ret->shards < 1 || ret->shards > GS_SUBMIT_SHARDS_MAX)
		return gs_fail(
		    err, GS_E_CORRUPT, "%s names no number of shards", path);
	gs_json_get_strv(plan, "jobs", &ret->jobs);
	return gs_path_real(folder, &ret->folder, err);
}

int gs_plan_write(const struct gs_plan *plan, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *path = gs_path_join(plan->folder, "plan.json");
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	struct gs_json json = {.out = &text, .pretty = true};
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "engine", "slurm");
	gs_json_put_int(&json, "shards", plan->shards);
	gs_json_put_strv(&json, "jobs", &plan->jobs);
	gs_json_end_object(&json);
	gs_buf_addc(&text, '\n');
	return gs_file_write(path, gs_buf_str(&text), 0644, err);
}

static int64_t read_status(
    const struct gs_plan *plan, const char *what, int64_t shard)
{
	GS_CLEANUP(gs_freep)
	char *path =
	    gs_format("%s/%s-%lld", plan->folder, what, (long long)shard);
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	if (gs_file_read(path, 64, &text, NULL))
		return -1;
	return strtoll(gs_buf_cstr(&text), NULL, 10);
}

enum gs_part_state gs_plan_part(
    const struct gs_plan *plan, int64_t shard, int64_t *ret_status)
{
	GS_CLEANUP(gs_freep)
	char *result = gs_format("%s/results/shard-%lld-of-%lld/state.db",
	    plan->folder, (long long)shard, (long long)plan->shards);
	if (gs_path_exists(result)) {
		*ret_status = read_status(plan, "done", shard);
		return GS_PART_DONE;
	}
	*ret_status = read_status(plan, "failed", shard);
	return *ret_status < 0 ? GS_PART_MISSING : GS_PART_FAILED;
}

/* Tasks run in another folder. */
static char *absolute(const char *path)
{
	GS_CLEANUP(gs_freep) char *here = getcwd(NULL, 0);
	if (path[0] == '/' || strstr(path, "://") || !here)
		return gs_strdup(path);
	return gs_path_join(here, path);
}

static bool is_path(const struct gs_option *option, const char *value)
{
	return strcmp(option->name, "wheels") == 0 ||
	       strcmp(option->name, "mirror") == 0 ||
	       (strcmp(option->name, "python") == 0 && strchr(value, '/'));
}

static void push_text(
    const struct gs_option *option, const char *value, struct gs_strv *ret)
{
	GS_CLEANUP(gs_freep)
	char *text =
	    is_path(option, value) ? absolute(value) : gs_strdup(value);
	gs_strv_pushf(ret, "--%s=%s", option->name, text);
}

static void push_number(
    const struct gs_option *option, int64_t value, struct gs_strv *ret)
{
	char date[GS_DATETIME_SIZE];
	if (value == 0)
		return;
	if (option->kind == GS_OPT_DATE) {
		gs_datetime_print(value, date);
		gs_strv_pushf(ret, "--%s=%s", option->name, date);
		return;
	}
	gs_strv_pushf(ret, "--%s=%lld", option->name, (long long)value);
}

/* An option as it was given. */
static void push_option(
    const struct gs_option *option, const void *options, struct gs_strv *ret)
{
	const char *member = (const char *)options + option->offset;
	const struct gs_strv *list = (const void *)member;
	const char *text = NULL;
	switch (option->kind) {
	case GS_OPT_FLAG:
		if (*(const bool *)member)
			gs_strv_pushf(ret, "--%s", option->name);
		break;
	case GS_OPT_TEXT:
		text = *(const char *const *)(const void *)member;
		if (text)
			push_text(option, text, ret);
		break;
	case GS_OPT_MANY:
	case GS_OPT_LIST:
		for (size_t i = 0; i < list->n; i++)
			push_text(option, list->v[i], ret);
		break;
	case GS_OPT_INT:
	case GS_OPT_COUNT:
	case GS_OPT_SECONDS:
	case GS_OPT_DATE:
		push_number(
		    option, *(const int64_t *)(const void *)member, ret);
		break;
	}
}

void gs_submit_arguments(const struct gs_command *command,
    const struct gs_submit_options *options, struct gs_strv *ret)
{
	for (size_t i = 0; i < command->n_options; i++) {
		const struct gs_option *option = &command->options[i];
		if (option->offset < sizeof(options->build) &&
		    strcmp(option->name, "from") != 0)
			push_option(option, options, ret);
	}
	gs_strv_push(ret, "--from=list");
}

int gs_submit_list(const struct gs_submit_options *options,
    const struct gs_strv *repositories, struct gs_buf *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv all = {0};
	gs_strv_copy(&all, repositories);
	for (size_t i = 0; i < options->build.from.n; i++) {
		int rc = gs_step_read_list(options->build.from.v[i], &all, err);
		if (rc)
			return rc;
	}
	for (size_t i = 0; i < all.n; i++) {
		/* With a template they are names, not paths. */
		GS_CLEANUP(gs_freep)
		char *path = options->build.mirror ? gs_strdup(all.v[i])
		                                   : absolute(all.v[i]);
		if (strchr(path, '\n'))
			return gs_fail(err, GS_E_USAGE,
			    "a repository's path holds a line end");
		gs_buf_addf(ret, "%s\n", path);
	}
	return 0;
}

/* One word of a shell, whatever is in it. */
static void put_word(struct gs_buf *out, const char *word)
{
	gs_buf_addc(out, '\'');
	for (; *word; word++) {
		if (*word == '\'')
			gs_buf_addz(out, "'\\''");
		else
			gs_buf_addc(out, *word);
	}
	gs_buf_addc(out, '\'');
}

static void put_limits(const struct gs_submit_options *options,
    const struct gs_plan *plan, struct gs_buf *out)
{
	gs_buf_addf(out,
	    "#SBATCH --job-name=goldset\n"
	    "#SBATCH --array=0-%lld\n"
	    "#SBATCH --requeue\n"
	    "#SBATCH --export=NONE\n"
	    "#SBATCH --open-mode=append\n"
	    "#SBATCH --output=\"%s/log-%%a.txt\"\n"
	    "#SBATCH --cpus-per-task=%lld\n",
	    (long long)plan->shards - 1, plan->folder,
	    (long long)(options->cpus ? options->cpus : 1));
	if (options->memory)
		gs_buf_addf(out, "#SBATCH --mem=%s\n", options->memory);
	if (options->time)
		gs_buf_addf(out, "#SBATCH --time=%s\n", options->time);
	if (options->partition)
		gs_buf_addf(
		    out, "#SBATCH --partition=%s\n", options->partition);
}

static const char task_start[] =
    "\n"
    "shard=${SLURM_ARRAY_TASK_ID:?is a task of an array: use sbatch}\n"
    "PATH=/usr/local/bin:/usr/bin:/bin LC_ALL=C.UTF-8 TZ=UTC\n"
    "HOME=${HOME:-/nonexistent}\n"
    "export PATH LC_ALL TZ HOME\n";

/* A result is there, or the task has failed: both by one rename. */
static const char task_end[] =
    "\n"
    "if [ -f \"results/shard-$shard-of-$shards/state.db\" ]; then\n"
    "\tname=done-$shard\n"
    "else\n"
    "\tname=failed-$shard\n"
    "fi\n"
    "echo \"$status\" >\".$name.new\" && mv \".$name.new\" \"$name\"\n"
    "exit \"$status\"\n";

void gs_submit_script(const struct gs_submit_options *options,
    const struct gs_plan *plan, const char *goldset,
    const struct gs_strv *arguments, struct gs_buf *ret)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	gs_buf_addz(ret, "#!/bin/sh\n"
	                 "# Made by goldset submit: each task of the array "
	                 "is a shard.\n");
	put_limits(options, plan, ret);
	gs_buf_addz(ret, task_start);
	if (epoch && *epoch)
		gs_buf_addf(ret,
		    "SOURCE_DATE_EPOCH=%s\nexport SOURCE_DATE_EPOCH\n", epoch);
	gs_buf_addz(ret, "cd ");
	put_word(ret, plan->folder);
	gs_buf_addf(ret,
	    " || exit 3\n"
	    "shards=%lld\n"
	    "mkdir -p \"work/$shard\" && rm -f \"failed-$shard\"\n"
	    "if [ -f ../goldset.conf ]; then cp ../goldset.conf "
	    "\"work/$shard/\"; fi\n"
	    "status=0\n",
	    (long long)plan->shards);
	put_word(ret, goldset);
	gs_buf_addz(ret, " -C \"work/$shard\" build --shard "
	                 "\"$shard/$shards\" --results results");
	if (!options->build.jobs)
		gs_buf_addz(ret, " \\\n\t-j \"${SLURM_CPUS_PER_TASK:-1}\"");
	for (size_t i = 0; i < arguments->n; i++) {
		gs_buf_addz(ret, " \\\n\t");
		put_word(ret, arguments->v[i]);
	}
	gs_buf_addz(ret, " || status=$?\n");
	gs_buf_addz(ret, task_end);
}

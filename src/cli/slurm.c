/* SPDX-License-Identifier: Apache-2.0 */
/* Slurm by its own commands; its accounting is never asked. */
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "cli/submit.h"
#include "os/clock.h"
#include "os/proc.h"

#define ANSWER_MS 60000

/* What it printed; an error holds what it said. */
static int ask(const struct gs_strv *argv, struct gs_buf *ret, bool *ret_ok,
    struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf said = {0};
	const struct gs_child child = {.argv = gs_strv_argv(argv)};
	const struct gs_proc_io io = {.out = ret,
	    .errors = &said,
	    .side_fd = -1,
	    .deadline_ms = gs_clock_ms() + ANSWER_MS};
	struct gs_end end = {0};
	int rc = gs_proc_run(&child, &io, &end, err);
	if (rc)
		return rc == GS_E_NOT_FOUND
		           ? gs_fail(err, GS_E_ENVIRONMENT,
		                 "%s is not on this machine: submit where "
		                 "Slurm is installed",
		                 argv->v[0])
		           : rc;
	*ret_ok = end.kind == GS_END_EXITED && end.code == 0;
	if (!*ret_ok) {
		struct gs_str text = gs_str_trim(gs_buf_str(&said));
		return gs_fail(err, GS_E_ENVIRONMENT, "%s refused: %.*s",
		    argv->v[0], GS_STR_ARG(text));
	}
	return 0;
}

int gs_slurm_submit(const struct gs_plan *plan, const char *indices,
    char **ret_job, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv argv = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
	struct gs_str text, job;
	bool is_ok = false;
	gs_strv_push_all(&argv, "sbatch", "--parsable", NULL);
	gs_strv_pushf(&argv, "--array=%s", indices);
	gs_strv_pushf(&argv, "%s/array.sh", plan->folder);
	int rc = ask(&argv, &out, &is_ok, err);
	if (rc)
		return rc;
	text = gs_str_trim(gs_buf_str(&out)); /* "12" or "12;cluster" */
	(void)gs_str_cut(&text, ';', &job);
	*ret_job = gs_format("%.*s", GS_STR_ARG(job));
	return 0;
}

static int cancel(const char *job, int64_t shard, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv argv = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
	bool is_ok = false;
	gs_strv_push(&argv, "scancel");
	gs_strv_pushf(&argv, "%s_%lld", job, (long long)shard);
	return ask(&argv, &out, &is_ok, err);
}

/* "3 PD BeginTime": a task that was lost with its node waits for minutes
 * before it may begin again. */
static int settle_task(const struct gs_plan *plan, const char *job,
    struct gs_str line, bool *is_alive, struct gs_err *err)
{
	struct gs_str index, state, reason = line;
	(void)gs_str_cut(&reason, ' ', &index);
	(void)gs_str_cut(&reason, ' ', &state);
	GS_CLEANUP(gs_freep)
	char *number = gs_format("%.*s", GS_STR_ARG(index));
	char *end = NULL;
	long long shard = strtoll(number, &end, 10);
	if (end == number || *end || shard < 0 || shard >= plan->shards)
		return 0;
	if (gs_str_is(state, "PD") &&
	    gs_str_is(gs_str_trim(reason), "BeginTime"))
		return cancel(job, shard, err);
	is_alive[shard] = true;
	return 0;
}

int gs_slurm_settle(
    const struct gs_plan *plan, bool *is_alive, struct gs_err *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < plan->jobs.n; i++) {
		GS_CLEANUP(gs_strv_release) struct gs_strv argv = {0};
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		bool is_ok = false;
		gs_strv_push_all(
		    &argv, "squeue", "-h", "-r", "-o", "%K %t %r", "-j", NULL);
		gs_strv_push(&argv, plan->jobs.v[i]);
		struct gs_err ignored = {0};
		rc = ask(&argv, &out, &is_ok, &ignored);
		if (rc && !strstr(ignored.text, "Invalid job id")) {
			*err = ignored;
			return rc;
		}
		rc = 0; /* a job that is long over is forgotten */
		struct gs_str rest = gs_buf_str(&out), line;
		while (rc == 0 && rest.n && gs_str_cut(&rest, '\n', &line))
			rc = settle_task(
			    plan, plan->jobs.v[i], line, is_alive, err);
	}
	return rc;
}

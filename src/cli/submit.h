/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A build dealt out as the tasks of an array: WORKSPACE/submit/ holds the
 * plan, the script of a task, and what the tasks leave there.
 *
 *	plan.json             the shards, and the jobs submitted so far
 *	array.sh              one task: a shard, by its array index
 *	list                  the repositories
 *	results/shard-I-of-N/ what shard I has seen: it is done
 *	failed-I              the exit status of a task that left without
 *	log-I.txt             what its tasks printed
 *	work/I/               its workspace
 *
 * Files say what is done; no accounting of the engine is asked.
 */
#ifndef CLI_SUBMIT_H
#define CLI_SUBMIT_H

#include "cli/shard.h"

#define GS_SUBMIT_SHARDS_MAX 10000

struct gs_submit_options {
	struct gs_step_options build; /* first: its rows are the build's */
	const char *engine, *time, *memory, *partition;
	int64_t shards, cpus;
	bool dry_run, status, resubmit;
};

enum gs_part_state {
	GS_PART_DONE,
	GS_PART_FAILED,
	GS_PART_MISSING
};

struct gs_plan {
	char *folder; /* absolute */
	int64_t shards;
	struct gs_strv jobs;
};

void gs_plan_release(struct gs_plan *plan);
GS_MUST_CHECK int gs_plan_read(
    const char *folder, struct gs_plan *ret, struct gs_err *err);
GS_MUST_CHECK int gs_plan_write(const struct gs_plan *plan, struct gs_err *err);
/* `ret_status`: of the last task that ended, or -1. */
enum gs_part_state gs_plan_part(
    const struct gs_plan *plan, int64_t shard, int64_t *ret_status);

/* The options of the build that every task runs; its repositories go by
 * gs_submit_list, into the file `list`. */
void gs_submit_arguments(const struct gs_command *command,
    const struct gs_submit_options *options, struct gs_strv *ret);
/* One repository a line, those of the --from lists too, with paths that hold
 * in any folder. */
GS_MUST_CHECK int gs_submit_list(const struct gs_submit_options *options,
    const struct gs_strv *repositories, struct gs_buf *ret, struct gs_err *err);
/* array.sh */
void gs_submit_script(const struct gs_submit_options *options,
    const struct gs_plan *plan, const char *goldset,
    const struct gs_strv *arguments, struct gs_buf *ret);

/* Slurm. `indices` as --array takes them; the caller frees *ret_job. */
GS_MUST_CHECK int gs_slurm_submit(const struct gs_plan *plan,
    const char *indices, char **ret_job, struct gs_err *err);
/* Marks the shards that a task works on now or soon; tasks that only wait
 * for the day on which they may be tried again are cancelled. */
GS_MUST_CHECK int gs_slurm_settle(
    const struct gs_plan *plan, bool *is_alive, struct gs_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* What the commands that try answers share: tasks with their repositories,
 * interpreters and the sandbox. */
#ifndef CLI_BENCH_H
#define CLI_BENCH_H

#include "cli/command.h"
#include "evaluate/score.h"
#include "evaluate/task.h"
#include "evaluate/trial.h"

struct gs_bench_options {
	const char *mirror;
	struct gs_strv pythons;
	int64_t jobs, timeout_s;
	bool unsafe;
};

#define GS_BENCH_ROW(name, letter, kind, value, help, type, member)            \
	{                                                                      \
		name, letter, kind, value, help,                               \
		    offsetof(type, bench) +                                    \
		        offsetof(struct gs_bench_options, member)              \
	}

#define GS_BENCH_ROWS(type)                                                    \
	GS_BENCH_ROW("jobs", 'j', GS_OPT_INT, "N",                             \
	    "answers at a time (default: the number of processors)", type,     \
	    jobs),                                                             \
	    GS_BENCH_ROW("timeout", 0, GS_OPT_SECONDS, "SECONDS",              \
	        "for one run of the tests (default: 60)", type, timeout_s),    \
	    GS_BENCH_ROW("python", 0, GS_OPT_MANY, "P",                        \
	        "an interpreter; again for more: each record takes its own",   \
                                                                               \
	        type, pythons),                                                \
	    GS_BENCH_ROW("mirror", 0, GS_OPT_TEXT, "TEMPLATE",                 \
	        "where to clone from instead, such as "                        \
	        "'/path/{owner}+{name}/repo'",                                 \
	        type, mirror),                                                 \
	    GS_BENCH_ROW("unsafe-no-sandbox", 0, GS_OPT_FLAG, NULL,            \
	        "run where no sandbox works", type, unsafe)

struct gs_bench_kit {
	struct gs_box box;
	struct gs_env *envs;
	size_t n_envs;
};

/* The sandbox and the interpreters. */
GS_MUST_CHECK int gs_bench_kit_open(const struct gs_bench_options *options,
    struct gs_bench_kit *ret, struct gs_err *err);
void gs_bench_kit_release(struct gs_bench_kit *kit);
/* Adds the environments that validate --env venv made in the workspace and
 * that are those of some of the tasks; nothing when every task has its own. */
void gs_bench_find_envs(
    struct gs_cli *cli, const struct gs_tasks *tasks, struct gs_bench_kit *kit);
/* Mirrors and settings of the tasks that `wanted` marks (NULL: all). A
 * repository that cannot be had is told about and noted in its tasks. */
void gs_bench_find_mirrors(struct gs_cli *cli,
    const struct gs_bench_options *options, struct gs_tasks *tasks,
    const bool *wanted);
/* Scoring options out of all that; `workspace` is borrowed from cli. */
void gs_bench_score_options(struct gs_cli *cli,
    const struct gs_bench_options *options, const struct gs_bench_kit *kit,
    struct gs_score_options *ret);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A part of the work on one of several machines: --shard I/N takes the
 * projects of one part, --results DIR hands over what was seen, as
 * DIR/shard-I-of-N/state.db, whole or not at all. `goldset merge DIR` makes
 * one workspace of all parts (docs/scale.md).
 */
#ifndef CLI_SHARD_H
#define CLI_SHARD_H

#include "cli/steps.h"
#include "model/shard.h"

#define GS_SHARD_ROW                                                           \
	GS_STEP_ROW("shard", 0, GS_OPT_TEXT, "I/N",                            \
	    "only the projects of part I of N, counted from 0", shard)

#define GS_RESULTS_ROW                                                         \
	GS_STEP_ROW("results", 0, GS_OPT_TEXT, "DIR",                          \
	    "at the end, put what was seen into DIR/shard-I-of-N for merge",   \
	    results)

/* --shard, or all; GS_E_USAGE where it is none. */
GS_MUST_CHECK int gs_shard_option(const struct gs_step_options *options,
    struct gs_shard *ret, struct gs_err *err);
/* DIR/shard-I-of-N; the caller frees. */
char *gs_shard_folder(const char *results, const struct gs_shard *shard);
/* The repositories of a --from list. */
GS_MUST_CHECK int gs_step_read_list(
    const char *path, struct gs_strv *ret, struct gs_err *err);
/* Drops the names of other shards. */
GS_MUST_CHECK int gs_shard_keep(const struct gs_step_options *options,
    struct gs_strv *names, struct gs_err *err);
/* Where --results is given: whatever merging needs, then the copy. */
GS_MUST_CHECK int gs_step_results(struct gs_cli *cli,
    const struct gs_step_options *options, struct gs_err *err);

#endif

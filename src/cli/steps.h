/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The steps of the main job, each callable by its own command and all of them
 * by `build`: one options struct, one group of option rows a step.
 */
#ifndef CLI_STEPS_H
#define CLI_STEPS_H

#include "cli/command.h"

struct gs_step_options {
	const char *shard, *results; /* cli/shard.h */
	/* add */
	const char *as, *mirror;
	struct gs_strv from; /* files that list repositories */
	/* mine */
	const char *walk;
	int64_t since, until, limit;
	struct gs_strv accept; /* further licences (L2) */
	/* validate */
	int64_t jobs, timeout_s;
	const char *env, *wheels;
	struct gs_strv pythons;
	const char *shims;
	bool shim, exhaustive, cold, unsafe, missing_names, retry;
	/* publish */
	const char *output, *version, *previous;
	const char *hold_out, *key, *withheld;
	struct gs_strv kinds;
	bool replace;
};

#define GS_STEP_ROW(name, letter, kind, value, help, member)                   \
	{                                                                      \
		name, letter, kind, value, help,                               \
		    offsetof(struct gs_step_options, member)                   \
	}

#define GS_STEP_ADD_ROWS                                                       \
	GS_STEP_ROW("as", 0, GS_OPT_TEXT, "OWNER/NAME",                        \
	    "what the project is called in records", as),                      \
	    GS_STEP_ROW("from", 0, GS_OPT_MANY, "FILE",                        \
	        "a file with one repository a line (# begins a comment)",      \
	        from),                                                         \
	    GS_STEP_ROW("mirror", 0, GS_OPT_TEXT, "TEMPLATE",                  \
	        "where to clone from instead, such as "                        \
	        "'/path/{owner}+{name}/repo'",                                 \
	        mirror)

#define GS_STEP_MINE_ROWS                                                      \
	GS_STEP_ROW("walk", 0, GS_OPT_TEXT, "commits|first-parent",            \
	    "which commits are candidates (default: commits)", walk),          \
	    GS_STEP_ROW("accept", 0, GS_OPT_LIST, "SPDX-ID,...",               \
	        "accept these licences too: 0BSD, Zlib, Unlicense", accept)

/* Which candidates; mine counts by them, validate claims by them. */
#define GS_STEP_WINDOW_ROWS                                                    \
	GS_STEP_ROW("since", 0, GS_OPT_DATE, "DATE",                           \
	    "only commits from this date on", since),                          \
	    GS_STEP_ROW("until", 0, GS_OPT_DATE, "DATE",                       \
	        "only commits before this date", until),                       \
	    GS_STEP_ROW("limit", 0, GS_OPT_INT, "N",                           \
	        "only the newest N candidates of each project", limit)

#define GS_STEP_VALIDATE_ROWS                                                  \
	GS_STEP_ROW("jobs", 'j', GS_OPT_INT, "N",                              \
	    "candidates at a time (default: the number of processors)", jobs), \
	    GS_STEP_ROW("timeout", 0, GS_OPT_SECONDS, "SECONDS",               \
	        "for one run of the tests (default: 60)", timeout_s),          \
	    GS_STEP_ROW("env", 0, GS_OPT_TEXT, "system|venv",                  \
	        "where the tests' imports come from (default: system)", env),  \
	    GS_STEP_ROW("python", 0, GS_OPT_MANY, "P",                         \
	        "an interpreter; may be given again, tried in order",          \
	        pythons),                                                      \
	    GS_STEP_ROW("wheels", 0, GS_OPT_TEXT, "DIR",                       \
	        "with --env venv: install from this folder only", wheels),     \
	    GS_STEP_ROW("shim", 0, GS_OPT_FLAG, NULL,                          \
	        "put back names that Python and pytest have removed", shim),   \
	    GS_STEP_ROW("shims", 0, GS_OPT_TEXT, "NAME,...",                   \
	        "only these: collections, inspect, pytest, stdlib, "           \
	        "distribution",                                                \
	        shims),                                                        \
	    GS_STEP_ROW("exhaustive", 0, GS_OPT_FLAG, NULL,                    \
	        "look for flips in all tests, not in the changed ones alone",  \
	        exhaustive),                                                   \
	    GS_STEP_ROW("cold", 0, GS_OPT_FLAG, NULL,                          \
	        "a fresh interpreter for every run: slower, same records",     \
	        cold),                                                         \
	    GS_STEP_ROW("missing-names", 0, GS_OPT_FLAG, NULL,                 \
	        "keep flips that only say that a name did not exist yet",      \
	        missing_names),                                                \
	    GS_STEP_ROW("retry", 0, GS_OPT_FLAG, NULL,                         \
	        "also those whose environment was unsatisfied", retry),        \
	    GS_STEP_ROW("unsafe-no-sandbox", 0, GS_OPT_FLAG, NULL,             \
	        "run where no sandbox works; the evidence says so", unsafe)

#define GS_STEP_PUBLISH_ROWS                                                      \
	GS_STEP_ROW("version", 0, GS_OPT_TEXT, "X.Y.Z",                           \
	    "the release's version (default: the lowest that is true)",           \
	    version),                                                             \
	    GS_STEP_ROW("kinds", 0, GS_OPT_LIST, "bug,feature,unclear",           \
	        "which kinds of change are released (default: bug)", kinds),      \
	    GS_STEP_ROW("previous", 0, GS_OPT_TEXT, "RELEASE",                    \
	        "an earlier release to compare with (default: the one replaced)", \
                                                                                  \
	        previous),                                                        \
	    GS_STEP_ROW("replace", 0, GS_OPT_FLAG, NULL,                          \
	        "replace the folder, if it is a release of ours", replace),       \
	    GS_STEP_ROW("hold-out", 0, GS_OPT_TEXT, "FRACTION",                   \
	        "withhold about this part of the projects, such as 0.2",          \
	        hold_out),                                                        \
	    GS_STEP_ROW("key", 0, GS_OPT_TEXT, "FILE",                            \
	        "with --hold-out: the secret, 32 bytes or more, mode 0600",       \
                                                                                  \
	        key),                                                             \
	    GS_STEP_ROW("withheld", 0, GS_OPT_TEXT, "DIR",                        \
	        "with --hold-out: the private folder of the withheld side",       \
                                                                                  \
	        withheld)

/* Adds each repository; a broken one is told about and set aside. Names of
 * the projects that are there now are appended; *ret_broken counts the
 * others. */
GS_MUST_CHECK int gs_step_add(struct gs_cli *cli,
    const struct gs_step_options *options, const struct gs_strv *sources,
    struct gs_strv *ret_projects, int64_t *ret_broken, struct gs_err *err);
/* Mines these projects (none: all). A broken one is told about. */
GS_MUST_CHECK int gs_step_mine(struct gs_cli *cli,
    const struct gs_step_options *options, const struct gs_strv *projects,
    int64_t *ret_broken, struct gs_err *err);
GS_MUST_CHECK int gs_step_validate(struct gs_cli *cli,
    const struct gs_step_options *options, const struct gs_strv *projects,
    struct gs_err *err);
GS_MUST_CHECK int gs_step_publish(struct gs_cli *cli,
    const struct gs_step_options *options, const char *folder,
    struct gs_err *err);

/* L2's licences with those that --accept adds. */
void gs_step_licences(
    const struct gs_step_options *options, struct gs_strv *ret);
/* The list of `names`, or of all projects, of this shard; GS_E_NOT_FOUND names
 * one that is not there. */
GS_MUST_CHECK int gs_step_projects(struct gs_cli *cli,
    const struct gs_step_options *options, const struct gs_strv *names,
    struct gs_strv *ret, struct gs_err *err);
/* Options that have only some values, checked before anything is done. */
GS_MUST_CHECK int gs_step_check(
    const struct gs_step_options *options, struct gs_err *err);

#endif

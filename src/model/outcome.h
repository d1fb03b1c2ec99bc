/* SPDX-License-Identifier: Apache-2.0 */
/* What was observed (part O of the rules): the outcome of one test node in
 * one run, and how the run as a whole ended. Plain values; run/ fills them
 * in, oracle.h compares them. */
#ifndef MODEL_OUTCOME_H
#define MODEL_OUTCOME_H

#include <stdint.h>

#include "base/json.h"
#include "base/map.h"
#include "base/strv.h"

enum gs_outcome {              /* O2 */
	GS_OUTCOME_UNFINISHED, /* collected, no result: the run broke off */
	GS_OUTCOME_PASSED,     /* setup, call, teardown passed; no xfail */
	GS_OUTCOME_FAILED,
	GS_OUTCOME_SKIPPED,
	GS_OUTCOME_XFAILED,
	GS_OUTCOME_XPASSED,
	GS_OUTCOME_DUPLICATE, /* the id was reported more than once */
	GS_OUTCOME_RERUN,     /* a plugin ran it again (F128) */
};

enum gs_failure { /* O4; NONE unless FAILED or UNFINISHED */
	GS_FAILURE_NONE,
	GS_FAILURE_ASSERTION,
	GS_FAILURE_EXCEPTION,
	GS_FAILURE_MISSING_NAME,
	GS_FAILURE_SETUP,
	GS_FAILURE_TEARDOWN,
	GS_FAILURE_COLLECTION,
	GS_FAILURE_TIMEOUT,
	GS_FAILURE_CRASH,
};

struct gs_node {
	char *id; /* report.nodeid, verbatim */
	enum gs_outcome outcome;
	enum gs_failure failure;
	char *exception; /* type name such as "TypeError", or NULL */
	char *message;   /* its first 2,000 characters, or NULL */
	char *missing;   /* the name that ImportError, AttributeError, NameError
	                  * or an unexpected keyword speaks of, or NULL */
	bool started;
};

/* A file (or module, class) that could not be collected. */
struct gs_collect_error {
	char *id;
	char *exception, *message;
	char *missing;        /* as above */
	char *missing_module; /* ModuleNotFoundError's name, or NULL */
	bool is_syntax;       /* SyntaxError and its children */
};

enum gs_run_kind { /* O3 */
	GS_RUN_COMPLETE,
	GS_RUN_CRASH, /* a signal, or an exit that disagrees with the events */
	GS_RUN_LEFT, /* left early with a status of its own (sys.exit, os._exit)
	              */
	GS_RUN_TIMEOUT,
	GS_RUN_MEMORY,
	GS_RUN_OUTPUT,
	GS_RUN_DISK,
	GS_RUN_USAGE, /* pytest refused its configuration */
	GS_RUN_VOID,  /* S5: a probed module came from outside the tree */
	GS_RUN_INFRA, /* we, not the tests, failed */
};

struct gs_module_origin {
	char *module;
	char *file; /* inside the tree: relative to it; else as seen; or NULL */
	bool inside;
};

struct gs_run {
	enum gs_run_kind kind;
	int exit_code;      /* -1 when none */
	int signal;         /* 0 when none */
	int64_t elapsed_ms; /* never published */

	struct {
		struct gs_node *v;
		size_t n, cap;
	} nodes; /* collection order */

	struct {
		struct gs_collect_error *v;
		size_t n, cap;
	} collect_errors;

	struct {
		struct gs_module_origin *v;
		size_t n, cap;
	} origins;

	size_t n_deselected;
	char
	    *running; /* id of the node under way when the run ended, or NULL */
	char *log;    /* head and tail of what it printed, UTF-8 */
	char log_sha256[65]; /* of everything that was kept */
	char *detail;        /* for kinds other than COMPLETE: a sentence */
	struct gs_strv shims_used;
	struct gs_strv peeked;  /* guarded files that were read */
	struct gs_strv lenders; /* files that define tests of others (W5) */
	struct gs_strv plugins; /* of pytest, that were loaded for it (S6) */
	struct gs_map index;    /* id → node, built by gs_run_index */
};

void gs_run_release(struct gs_run *run);
/* After nodes are final; ids that occur twice become DUPLICATE (O2). */
void gs_run_index(struct gs_run *run);
const struct gs_node *gs_run_node(const struct gs_run *run, const char *id);
bool gs_run_passed(const struct gs_run *run, const char *id);

const char *gs_outcome_name(enum gs_outcome outcome);
const char *gs_failure_name(enum gs_failure failure);
const char *gs_run_kind_name(enum gs_run_kind kind);
/* The other way; false for NULL and for a name that is not known. */
bool gs_outcome_parse(const char *name, enum gs_outcome *ret);
bool gs_failure_parse(const char *name, enum gs_failure *ret);
bool gs_run_kind_parse(const char *name, enum gs_run_kind *ret);

/* The whole run as JSON, and back (the store keeps it; the slots send it). */
void gs_run_write(const struct gs_run *run, struct gs_json *json);
GS_MUST_CHECK int gs_run_parse(
    const json_t *object, struct gs_run *ret, struct gs_err *err);

#endif

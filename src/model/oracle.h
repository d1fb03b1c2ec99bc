/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Before and after compared: what flips (O4, O5), what must keep passing,
 * and what several observations agree on (K1).
 */
#ifndef MODEL_ORACLE_H
#define MODEL_ORACLE_H

#include "model/outcome.h"

enum gs_flip_kind {
	GS_FLIP_CALL,         /* assertion or exception: the kept kind */
	GS_FLIP_TIMEOUT,      /* a hang told apart from slowness (O5) */
	GS_FLIP_MISSING_NAME, /* counted, not kept by default */
	GS_FLIP_COLLECTION, /* absent before because its file did not import */
};

struct gs_flip {
	char *id;
	enum gs_flip_kind kind;
	enum gs_failure failure; /* how it failed before */
};

struct gs_oracle {
	struct {
		struct gs_flip *v;
		size_t n, cap;
	} flips;                     /* by id */
	struct gs_strv kept;         /* ids of CALL and TIMEOUT flips, sorted */
	struct gs_strv pass_to_pass; /* sorted */
	struct gs_strv broken;       /* passed before, not passed after */
	/* Why there is nothing to keep, for the funnel (static); "" when
	 * kept.n > 0: "passes before", "not failed before" (skipped, xfailed),
	 * "failed outside the call before", "fails after", "skipped",
	 * "no tests", "cannot collect", "name did not exist", "unstable ids"
	 * (F114), "flaky", "infra", and of incomplete runs (O3) "crash before",
	 * "timeout after", "pytest refused to start", … */
	const char *reason;
};

/*
 * A hang (O5): in a TIMEOUT run the node that was running is a flip, and no
 * other node counts. To judge the others, run them without it and add it to
 * that complete run as UNFINISHED with failure TIMEOUT.
 *
 * `introduced` are the names that the fix defines (O4: AttributeError,
 * NameError, ImportError or an unexpected keyword for one of them is
 * missing_name); NULL trusts the observer. Both runs are indexed. Any kind
 * of run is taken: nodes of an incomplete run count only as O3 and O5 allow.
 */
void gs_oracle_compare(const struct gs_run *before, const struct gs_run *after,
    const struct gs_strv *introduced, struct gs_oracle *ret);
void gs_oracle_release(struct gs_oracle *oracle);

/* K1: drops from `kept` (and from `pass_to_pass`) every id on which this
 * further pair of runs does not agree. A NULL run is not looked at; one that
 * holds none of `pass_to_pass` (the published ids alone) says nothing of
 * them. Dropped ids are appended to `ret_flaky`; the other parameters of a
 * test that stands there leave `pass_to_pass` unnamed. When none is kept any
 * more, `reason` becomes "flaky". */
void gs_oracle_confirm(struct gs_oracle *oracle, const struct gs_run *before,
    const struct gs_run *after, const struct gs_strv *introduced,
    struct gs_strv *ret_flaky);

/* K2, K6: with this run as after state, does every kept id pass, and does
 * nothing that passed before fail? `before` NULL: only the kept ids. The id
 * that speaks against it goes to *ret_why (borrowed), or NULL (also for an
 * incomplete run); `ret_why` may be NULL. */
bool gs_oracle_holds(const struct gs_oracle *oracle,
    const struct gs_run *before, const struct gs_run *after,
    const char **ret_why);

/* K5: the file with most of the ids, the first by path among equals. The
 * caller frees. */
char *gs_test_file_of(const struct gs_strv *ids);

#endif

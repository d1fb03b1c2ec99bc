/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests whose outcome is known beforehand, planted among the tests of a file
 * (E2): whoever makes tests pass, instead of making them right, makes these
 * pass too.
 *
 *	plain	`assert` over numbers: one must fail, one must pass
 *	twin	a copy of one of the file's own tests under another name: it
 *		must pass where the test passes, so that knowing a test by its
 *		name does not help
 *	mutant	a copy of one of the file's own tests in which what was equal
 *		is compared with something else: it must fail, unless what it
 *		looks at agrees with everything or is made from the test. One
 *		stands before the test and one after it: who reads the answers
 *		out of the file finds two for one question
 *
 * Whether a copy does what it must cannot be known without a run (a test may
 * register something once, or never reach the changed line): ask the right
 * answer first.
 *
 * They stand after tests of the file, in the same class and with their look,
 * under names that a random seed makes from those of their neighbours. How
 * many lines go in where is decided by another seed alone.
 */
#ifndef PY_CANARY_H
#define PY_CANARY_H

#include <stdint.h>

#include "base/strv.h"
#include "py/source.h"

enum gs_canary_kind {
	GS_CANARY_PASSES,
	GS_CANARY_FAILS,
	GS_CANARY_TWIN,   /* passes where the copied test does */
	GS_CANARY_MUTANT, /* fails where its change is reached */
};

struct gs_canary {
	enum gs_canary_kind kind;
	char *id; /* "file::Class::name"; a parametrised one goes on with "[" */
	/* What is the same whatever the seed: "Class.test_x right". */
	char *role;
};

struct gs_canaries {
	struct gs_canary *v;
	size_t n, cap;
};

void gs_canaries_release(struct gs_canaries *canaries);

struct gs_canary_request {
	struct gs_str path;        /* of the file in the tree */
	struct gs_str file;        /* its bytes */
	const struct gs_strv *ids; /* node ids; those of this file are copied */
	/* Other ids that a canary must not hide (NULL: none): what a class
	 * inherits has a name that the file need not hold. */
	const struct gs_strv *others;
	uint64_t seed;   /* of names and numbers: another one each run */
	uint64_t places; /* of where they stand: one for all runs */
	/* Only plain ones, as functions at the file's end: no line moves and
	 * nothing runs twice. */
	bool at_end;
};

/* Appends to both. GS_E_LIMIT for a file over GS_MAX_PYTHON_FILE. */
GS_MUST_CHECK int gs_canaries_plant(const struct gs_canary_request *request,
    struct gs_canaries *ret, struct gs_buf *ret_file, struct gs_err *err);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* O7: which tests a commit added or changed. Screening looks for flips among
 * these only; what they lean on (a fixture, a helper, data, configuration)
 * makes all tests of the files changed. */
#ifndef VALIDATE_SELECT_H
#define VALIDATE_SELECT_H

#include "validate/candidate.h"

struct gs_selection {
	struct gs_strv tests;
	size_t left_out; /* test functions of the files that are not in it */
};

void gs_selection_release(struct gs_selection *selection);

/* "file::name" for functions and classes, "file" for a whole one, appended;
 * nothing when all tests of all files count as changed. `ret` is empty. */
GS_MUST_CHECK int gs_select_tests(struct gs_worker *worker,
    const struct gs_candidate *candidate, struct gs_selection *ret,
    struct gs_err *err);

/* The same for one file from its bytes on both sides; *ret_is_part is false,
 * and nothing appended, when all its tests do. */
GS_MUST_CHECK int gs_select_in_file(struct gs_str path, struct gs_str before,
    struct gs_str after, struct gs_selection *ret, bool *ret_is_part,
    struct gs_err *err);

/* Whether a node is one of them; an empty selection holds all. */
bool gs_selection_holds(const struct gs_strv *tests, const char *node_id);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* A copy of a test that fails where the test passes. */
#ifndef PY_MUTANT_H
#define PY_MUTANT_H

#include "py/source.h"

/* Which side of an equality becomes something else. What is expected may
 * stand on either; where the other is changed the copy fails, whatever the
 * value under test is. */
enum gs_mutant_side {
	GS_MUTANT_NONE, /* a twin: only the name is another */
	GS_MUTANT_RIGHT,
	GS_MUTANT_LEFT,
	GS_MUTANT_NEAR, /* the right one, by as little as can be */
};

/* Appends the unit of `file` under another name, a side of each
 * `assert a == b` and assertEqual(a, b) in it changed: the first literal in
 * it to another of its kind (2 to 21, or to 3 where it is to be near; 'a' to
 * 'ax'), so that the copy looks like any test; else x to the tuple
 * (x, 'other'). False, and nothing appended, where there is no equality. */
bool gs_test_mutant(struct gs_str file, const struct gs_unit *unit,
    enum gs_mutant_side side, const char *name, struct gs_buf *ret);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Shell patterns as Python's fnmatch reads them: *, ?, [abc], [!a-z]; a
 * slash is a character like any other, case counts. */
#ifndef MODEL_GLOB_H
#define MODEL_GLOB_H

#include "base/str.h"

/* Time is bounded by the product of the two lengths. */
bool gs_glob_match(struct gs_str pattern, struct gs_str text);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Committer dates as git stores them (W6, F005). */
#ifndef GIT_DATES_H
#define GIT_DATES_H

#include <stdint.h>

#include "base/str.h"

/* Decimal digits only, 0 to the end of year 9999; false for anything else:
 * git prints nothing for a negative or missing date, and any number of
 * digits for an overflowing one. */
bool gs_date_parse(struct gs_str digits, int64_t *ret_at);
/* The date in an ident line ("Name <mail> 1234 +0100"), found as git finds
 * it: behind the last '>', and only where a zone follows. */
bool gs_date_of_ident(struct gs_str line, int64_t *ret_at);

#endif

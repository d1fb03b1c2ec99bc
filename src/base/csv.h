/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of CSV, quoted as RFC 4180 has it; the lines are the caller's. */
#ifndef BASE_CSV_H
#define BASE_CSV_H

#include "base/buf.h"

/* Appends a field, in quotes where it needs them. An empty one is written as
 * nothing at all. */
void gs_csv_add(struct gs_buf *out, struct gs_str field);
/* The next field of a line; false behind the last one (rest->p is NULL). */
bool gs_csv_field(struct gs_str *rest, struct gs_buf *ret);

#endif

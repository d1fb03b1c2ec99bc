/* SPDX-License-Identifier: Apache-2.0 */
/* Instants as seconds since 1970 UTC, and their one printed form. */
#ifndef BASE_DATETIME_H
#define BASE_DATETIME_H

#include <stdint.h>

#include "base/str.h"

#define GS_DATETIME_SIZE 24
/* The years that are printed: 0000 to 9999. */
#define GS_DATETIME_MIN INT64_C(-62167219200)
#define GS_DATETIME_MAX INT64_C(253402300799)

/* "YYYY-MM-DDTHH:MM:SSZ"; `at` must lie within the years above. */
void gs_datetime_print(int64_t at, char out[GS_DATETIME_SIZE]);
/* Reads that form, or a bare "YYYY-MM-DD" (midnight); false otherwise. */
bool gs_datetime_parse(struct gs_str text, int64_t *ret_at);

#endif

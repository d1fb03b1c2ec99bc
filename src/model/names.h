/* SPDX-License-Identifier: Apache-2.0 */
/* Enums by their names, inside this module. */
#ifndef MODEL_NAMES_H
#define MODEL_NAMES_H

#include <stddef.h>
#include <string.h>

#include "base/attr.h"

/* Position of `name` in the table, or -1 (also for NULL). */
static inline int gs_name_index(
    const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; name && i < n; i++)
		if (strcmp(name, names[i]) == 0)
			return (int)i;
	return -1;
}

#endif

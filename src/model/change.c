/* SPDX-License-Identifier: Apache-2.0 */
#include "model/change.h"

#include <string.h>

bool gs_oid_parse(struct gs_str hex, struct gs_oid *ret)
{
	if (hex.n != 40 && hex.n != 64)
		return false;
	for (size_t i = 0; i < hex.n; i++)
		if (!((hex.p[i] >= '0' && hex.p[i] <= '9') ||
		        (hex.p[i] >= 'a' && hex.p[i] <= 'f')))
			return false;
	memcpy(ret->hex, hex.p, hex.n);
	memset(ret->hex + hex.n, 0, sizeof(ret->hex) - hex.n);
	return true;
}

bool gs_oid_eq(const struct gs_oid *a, const struct gs_oid *b)
{
	return strcmp(a->hex, b->hex) == 0;
}

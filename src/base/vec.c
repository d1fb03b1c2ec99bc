/* SPDX-License-Identifier: Apache-2.0 */
#include "base/vec.h"

#include <stdint.h>
#include <string.h>

void *gs_vec_grow(void *p, size_t n, size_t *cap, size_t size)
{
	if (n == *cap) {
		size_t grown = n ? 2 * n : 8, bytes;
		/* No such array: let the allocator say so. */
		if (__builtin_mul_overflow(grown, size, &bytes))
			bytes = SIZE_MAX;
		p = gs_realloc(p, bytes);
		*cap = grown;
	}
	memset((char *)p + n * size, 0, size);
	return p;
}

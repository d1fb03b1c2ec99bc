/* SPDX-License-Identifier: Apache-2.0 */
#include <zstd.h>

#include "base/limits.h"
#include "store/db.h"

/* Measured on runs of real suites (docs/state.md): 3 is the knee. */
#define LEVEL 3
#define MAX_UNPACKED (1024 * GS_MIB)

int gs_db_pack(struct gs_str bytes, struct gs_buf *ret, struct gs_err *err)
{
	size_t bound = ZSTD_compressBound(bytes.n);
	char *room = gs_buf_room(ret, bound);

	if (!room || bytes.n > MAX_UNPACKED)
		return gs_fail(err, GS_E_LIMIT,
		    "%zu bytes are too many for one row of the store", bytes.n);
	size_t n = ZSTD_compress(room, bound, bytes.p, bytes.n, LEVEL);
	if (ZSTD_isError(n))
		return gs_fail(err, GS_E_SYSTEM, "compress %zu bytes: %s",
		    bytes.n, ZSTD_getErrorName(n));
	gs_buf_grew(ret, n);
	return 0;
}

int gs_db_unpack(struct gs_str packed, struct gs_buf *ret, struct gs_err *err)
{
	unsigned long long size = ZSTD_getFrameContentSize(packed.p, packed.n);

	/* Both error values are far above the cap. */
	char *room =
	    size <= MAX_UNPACKED ? gs_buf_room(ret, (size_t)size) : NULL;
	size_t n = room ? ZSTD_decompress(room, size, packed.p, packed.n) : 0;
	if (!room || ZSTD_isError(n) || n != size)
		return gs_fail(err, GS_E_CORRUPT,
		    "a packed row of the store does not unpack");
	gs_buf_grew(ret, n);
	return 0;
}

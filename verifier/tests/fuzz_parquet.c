/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a Parquet file. */
#include "fuzz.h"
#include "parquet.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	const char *why = NULL;
	json_t *columns = NULL;
	json_t *rows = gv_parquet(bytes, n, &columns, &why);

	/* rows or a reason, never both and never neither */
	if (!rows == !why)
		__builtin_trap();
	json_decref(rows);
	json_decref(columns);
	return 0;
}

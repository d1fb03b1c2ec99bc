/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as JSON Lines, the other form of a release's tables. */
#include <stdlib.h>

#include "fuzz.h"
#include "release.h"

/* A row that was read is asked for what every record is asked for first. */
static void ask(json_t *rows)
{
	struct gv_release release = {.rows = rows, .evidence = rows};
	size_t i;
	json_t *row;

	json_array_foreach(rows, i, row)
	{
		if (!json_is_object(row))
			__builtin_trap();
		free(gv_not_unique(&release, row));
		(void)gv_evidence(&release, row);
		if (i > 50)
			break;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	char *why = NULL;
	json_t *rows = gv_read_lines((const char *)bytes, n, &why);

	/* rows or a reason, never both and never neither */
	if (!rows == !why)
		__builtin_trap();
	if (rows)
		ask(rows);
	json_decref(rows);
	free(why);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Prints a Parquet file as JSON Lines, by the verifier's own reader. */
#include <stdio.h>
#include <stdlib.h>

#include "parquet.h"
#include "util.h"

int main(int argc, char **argv)
{
	struct gv_buf bytes = {0};
	const char *why = NULL;
	json_t *rows, *row;
	size_t i;

	if (argc != 2 || !gv_read(argv[1], &bytes))
		gv_die("usage: dump FILE");
	rows = gv_parquet(bytes.s, bytes.n, NULL, &why);
	if (!rows)
		gv_die("%s: %s", argv[1], why);
	json_array_foreach(rows, i, row)
	{
		char *line = json_dumps(row, JSON_COMPACT);

		puts(line);
		free(line);
	}
	json_decref(rows);
	gv_drop(&bytes);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "cli/command.h"
#include "os/signals.h"
#include "table/table.h"

struct query_options {
	bool csv;
};

static const struct gs_option options[] = {
    {"csv", 0, GS_OPT_FLAG, NULL, "comma-separated values",
        offsetof(struct query_options, csv)},
};

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	const struct query_options *query = opts;
	const struct gs_query request = {
	    .release = args->v[0],
	    .sql = args->v[1],
	    .format = cli->json    ? GS_QUERY_JSON_LINES
	              : query->csv ? GS_QUERY_CSV
	                           : GS_QUERY_TABLE,
	    .width = cli->width,
	};
	struct gs_table *table = NULL;
	/* A query holds nothing that a signal could leave half done, and
	 * DuckDB does not ask whether to stop. */
	gs_stop_forget();
	int rc = gs_table_open(&table, err);
	if (rc == 0)
		rc = gs_table_query(table, &request, &cli->out, err);
	gs_table_close(table);
	return rc;
}

const struct gs_command gs_cmd_query = {
    .name = "query",
    .summary = "SQL over a release",
    .synopsis = "[--csv] RELEASE SQL",
    .about = "DuckDB's SQL over the views `oracles` (the records) and "
             "`evidence` (how each was\nproven). Reads only. With --json, one "
             "object a line.",
    .example = "goldset query release "
               "\"select license, count(*) from oracles group by all\"",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct query_options),
    .min_args = 2,
    .max_args = 2,
    .needs = GS_NEEDS_NOTHING,
    .run = run,
};

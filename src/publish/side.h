/* SPDX-License-Identifier: Apache-2.0 */
/* One side of a release, from the store to a filled hidden folder. Without a
 * hold-out it is the only one (P4). */
#ifndef PUBLISH_SIDE_H
#define PUBLISH_SIDE_H

#include "publish/changes.h"
#include "publish/folder.h"
#include "publish/publish.h"

struct side {
	struct gs_store *store;
	const struct gs_publish_options *options;
	struct gs_table *table; /* borrowed */
	const struct gs_strv *kinds;
	const struct gs_strv *projects; /* of this side; NULL: all */
	const struct gs_strv *hidden;   /* must not be named; or NULL */
	bool is_withheld;
	const char *previous;
	bool is_replaced; /* that is what will be gone */
	struct gs_buf commitment, reveal;
	struct gs_strv ids; /* of the records, in order */
	int64_t n_records;  /* how many they will be */
	struct gs_staging staging;
	struct gs_table_writer *oracles, *evidence;
	struct licences licences;
	struct facts facts;
	struct changes changes;
	struct gs_funnel funnel;
};

/* The two tables; fills `ids`. */
GS_MUST_CHECK int side_tables(struct side *side, struct gs_err *err);
/* All the rest, but the sums. */
GS_MUST_CHECK int side_fill(struct side *side, const char *version,
    struct gs_publish_result *result, struct gs_err *err);
void side_release(struct side *side);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Statements of merge.sql, prepared for one use. For this module only. */
#ifndef STORE_ONCE_H
#define STORE_ONCE_H

#include "store/db.h"

/* NULL with `err` set when it cannot be prepared. */
sqlite3_stmt *gs_merge_prepare(
    struct gs_store *store, const char *name, struct gs_err *err);
void gs_merge_finalize(sqlite3_stmt **query);

#endif

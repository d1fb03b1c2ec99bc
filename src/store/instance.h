/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Instances of other systems' data sets, imported: which commit each was
 * found to be, or why none. What became of that commit is its story
 * (query.h).
 */
#ifndef STORE_INSTANCE_H
#define STORE_INSTANCE_H

#include "store/store.h"

struct gs_instance {
	char *system, *name; /* "bugsinpy", "black-1" */
	char *project;       /* "owner/name" */
	struct gs_oid commit, base;
	char *problem;        /* why there is no commit, or NULL */
	struct gs_strv tests; /* that it names, as it names them */
};

void gs_instance_release(struct gs_instance *instance);
/* One that is there is replaced: a later import may find its commit. */
GS_MUST_CHECK int gs_store_put_instance(struct gs_store *store,
    const struct gs_instance *instance, struct gs_err *err);

typedef int (*gs_instance_fn)(
    void *ctx, const struct gs_instance *instance, struct gs_err *err);
/* By system, project and name; of one project, or all (NULL). `fn` may ask
 * the store; non-zero ends. */
GS_MUST_CHECK int gs_store_each_instance(struct gs_store *store,
    const char *project, gs_instance_fn fn, void *ctx, struct gs_err *err);

#endif

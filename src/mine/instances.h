/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Other systems' instances, read. Pure but for the folder of BugsInPy.
 *
 *	swebench  JSON Lines or one JSON array of rows: repo, instance_id,
 *	          base_commit, test_patch, FAIL_TO_PASS (a list, or JSON in a
 *	          text)
 *	bugsinpy  a checkout of that repository: projects/P/project.info and
 *	          projects/P/bugs/N/{bug.info,run_test.sh}
 */
#ifndef MINE_INSTANCES_H
#define MINE_INSTANCES_H

#include "base/err.h"
#include "base/strv.h"

/* A file of a patch: where, and the beginning of the blob's id after it. */
struct gs_wanted_blob {
	char *path, *id; /* id "": not known, any change will do */
};

struct gs_foreign {
	char *name;   /* the system's id */
	char *repo;   /* "owner/name" */
	char *url;    /* where it can be cloned from */
	char *base;   /* commit id */
	char *commit; /* of the fix, or NULL: to be found by ... */

	struct {
		struct gs_wanted_blob *v;
		size_t n, cap;
	} blobs; /* ... these changes */

	struct gs_strv tests;
};

struct gs_foreigns {
	struct gs_foreign *v; /* by repo, then name */
	size_t n, cap;
};

void gs_foreigns_release(struct gs_foreigns *foreigns);
GS_MUST_CHECK int gs_swebench_read(struct gs_str text, const char *name,
    struct gs_foreigns *ret, struct gs_err *err);
GS_MUST_CHECK int gs_bugsinpy_read(
    const char *folder, struct gs_foreigns *ret, struct gs_err *err);
/* The tests that lines of a run_test.sh name. */
void gs_bugsinpy_tests(struct gs_str script, struct gs_strv *ret);

#endif

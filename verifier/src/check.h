/* SPDX-License-Identifier: Apache-2.0 */
/* One record, claim by claim. A worker of its own runs this; what it cannot
 * do ends it (gv_die, gv_gone). */
#ifndef GV_CHECK_H
#define GV_CHECK_H

#include "licence.h"
#include "release.h"
#include "run.h"

struct gv_options {
	const char *mirror, *python;
	int timeout_ms, hash_seed, days_ahead;
	char *temp; /* clones and trees, removed at the end */
};

/* the files and names of one record, as they are found */
struct gv_check {
	const struct gv_release *release;
	const struct gv_options *options;
	const json_t *row, *evidence; /* evidence may be NULL */
	json_t *claims;
	bool refuted;

	struct gv_repo repo;
	struct gv_commit commit, parent;
	struct gv_tree commit_tree, parent_tree, before, after;
	struct gv_patterns own;
	struct gv_bench bench;

	char *source;   /* path of the source file */
	char **roots;   /* import roots, ends with NULL */
	char **changed; /* source files that the commit changed */
	size_t n_changed;
	json_t *old_look, *new_look; /* look.py on the source file */
	json_t *looks;           /* and on all changed files, old, new, … */
	struct gv_buf new_bytes; /* of the source file, after (S2) */
	json_t *names;           /* that the fix defines (O4) */
};

/* as JSON, with what is no UTF-8 in it repaired */
json_t *gv_text_json(const char *text);
/* A claim holds, or it does not and `saw` says why not. Once refuted, it
 * stays so. */
void gv_holds(struct gv_check *c, const char *claim);
void gv_refute(struct gv_check *c, const char *claim, const char *saw, ...)
    GV_PRINTF(3, 4);
/* as one of the two, by `ok`; the text is what was seen */
void gv_claim(struct gv_check *c, const char *claim, bool ok, const char *saw,
    ...) GV_PRINTF(4, 5);
bool gv_is_refuted(struct gv_check *c, const char *claim);
/* for a column: equal to this, or what was seen instead */
void gv_equal(struct gv_check *c, const char *column, const char *is);

/* the parts, in this order; false when the next cannot be done */
bool gv_check_form(struct gv_check *c);    /* columns and derived numbers */
bool gv_check_history(struct gv_check *c); /* commits, dates, licence */
bool gv_check_source(struct gv_check *c);  /* texts, unit, spec, names */
void gv_check_runs(struct gv_check *c);
void gv_check_twins(struct gv_check *c);
/* all of them */
void gv_check(struct gv_check *c);

/* K5 for the changed files; in units.c */
void gv_check_units(struct gv_check *c);
void gv_check_file_unit(struct gv_check *c);
char *gv_module(const struct gv_check *c, const char *path);
/* the folder of a project's clone, which is made when it is not there */
char *gv_clone_of(const struct gv_check *c, const char *repo, const char *url);

#endif

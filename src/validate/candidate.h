/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One candidate, read: both trees, the texts of the changed source files, the
 * tests that it brings, and the before state (S1). Everything is owned by the
 * struct and freed together.
 */
#ifndef VALIDATE_CANDIDATE_H
#define VALIDATE_CANDIDATE_H

#include "git/listing.h"
#include "model/verdict.h"
#include "py/changed.h"
#include "py/source.h"
#include "store/store.h"
#include "validate/worker.h"

/* A changed source file. */
struct gs_changed_file {
	struct gs_str path; /* in the listings */
	bool is_added, is_deleted;
	const struct gs_entry *old_entry, *new_entry;
	struct gs_buf before_bytes, after_bytes;
	struct gs_source before, after;
	struct gs_file_change change;
	char *module; /* dotted name */
	size_t diff_lines;
};

/* A changed path of another kind; an entry is NULL on the side without. */
struct gs_other_change {
	struct gs_str path;
	const struct gs_entry *old_entry, *new_entry;
};

struct gs_candidate {
	const struct gs_work *work;
	struct gs_commit_text commit, parent;
	struct gs_listing parent_tree, commit_tree;
	struct gs_listing before; /* S1 */
	struct gs_strv patterns;  /* python_files */
	struct gs_strv import_roots;
	struct gs_strv test_files; /* added or modified, collected (W3) */
	/* What tests lean on changed too: conftest, helpers, data, pytest's
	 * configuration (O7). */
	bool support_changed;
	/* Top-level modules that the trees hold themselves, sorted. */
	struct gs_strv own_modules;
	struct gs_strv probe;      /* modules of the changed files (S5) */
	struct gs_strv introduced; /* names that the fix defines (O4) */

	struct {
		struct gs_changed_file *v;
		size_t n, cap;
	} files;

	struct { /* changed test-side Python files */
		struct gs_other_change *v;
		size_t n, cap;
	} tests;

	/* Changed paths that are neither source nor test-side nor pytest
	 * configuration. */
	struct {
		struct gs_other_change *v;
		size_t n, cap;
	} others;

	char *dist_name, *dist_version; /* of the project itself, or NULL */
};

/* Reads it all and applies W4, W5 and W6 to the texts. Sets verdict->reason
 * when the candidate is refused (and then leaves *ret only partly filled);
 * what is wrong with its trees comes as an error, for gs_examine. */
GS_MUST_CHECK int gs_candidate_read(struct gs_worker *worker,
    const struct gs_work *work, struct gs_candidate *ret,
    struct gs_verdict *verdict, struct gs_err *err);
void gs_candidate_release(struct gs_candidate *candidate);

/* Refuses: the first reason stands. */
void gs_refuse(struct gs_verdict *verdict, const char *reason, const char *fmt,
    ...) GS_PRINTF(3, 4);

#endif

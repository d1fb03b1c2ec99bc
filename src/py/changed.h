/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a commit did to one file, in units (K2, K3, K5), and what the texts
 * say that judges bug or feature (K7) and fairness (K8).
 */
#ifndef PY_CHANGED_H
#define PY_CHANGED_H

#include "base/strv.h"
#include "py/source.h"

/* A unit that differs between the two texts. One side may be missing. */
struct gs_unit_change {
	const struct gs_unit *before, *after; /* NULL: added or removed */
	bool comments_only; /* same tokens (gs_source_same_tokens) */
};

struct gs_file_change {
	struct gs_unit_change *v; /* functions; classes only as K5 says */
	size_t n, cap;
	/* Lines outside all functions changed: of the module, or of a class
	 * (that class is then in v). */
	bool module_changed;
	/* Names occur a different number of times on both sides, so that
	 * pairing by order is not possible for some changed unit (K2). */
	bool unpaired;
};

/* Both sources must outlive `ret`. A missing file (added, deleted) is an
 * empty source. */
void gs_file_change_find(const struct gs_source *before,
    const struct gs_source *after, struct gs_file_change *ret);
void gs_file_change_release(struct gs_file_change *change);

/* K5: "module:qualname" of every unit touched in this file, appended. */
void gs_file_change_names(const struct gs_file_change *change,
    const struct gs_source *before, const struct gs_source *after,
    const char *module, struct gs_strv *ret);
/* K5: the smallest unit of `after` (or else `before`) that holds all changed
 * lines; NULL for none: use the module's name. */
const struct gs_unit *gs_file_change_smallest(
    const struct gs_source *before, const struct gs_source *after);

/* "a.b.c" for src/a/b/c.py, by the roots that S5 puts on the path; the
 * "__init__" part is cut. The caller frees. */
char *gs_module_name(struct gs_str path, const struct gs_strv *import_roots);

/* Names a text defines: functions, classes, parameters, assigned names,
 * attributes assigned on self, keyword names in calls are not. Sorted, once. */
void gs_source_defined_names(struct gs_str bytes, struct gs_strv *ret);
/* Identifiers (attributes and keywords too) and literals of the given lines
 * (1-based, true in `lines`) of a file: identifiers plain, strings and
 * numbers as written in the source, each once, sorted. lines NULL: all. */
void gs_source_words(struct gs_str bytes, const bool *lines, size_t n_lines,
    struct gs_strv *ret_names, struct gs_strv *ret_literals);
/* Lines of `after` that are added or changed against `before`; the caller
 * frees; *ret_n is the number of lines (index 0 is line 1). */
bool *gs_changed_lines(
    struct gs_str before, struct gs_str after, size_t *ret_n);
/* Spans (start, end line, 1-based) of the test functions of a file named by
 * pytest ids "file::A::test_x[param]": for K7 and K8, the lines of the
 * flipping tests. */
bool *gs_test_lines(struct gs_str bytes, const struct gs_strv *node_ids,
    struct gs_str path, size_t *ret_n);
/* Public (no leading underscore) functions, methods and classes that are new,
 * and those whose signature differs, as qualnames. `ret_defaults` are those
 * in which only the default of an existing parameter changed. */
void gs_public_api_change(const struct gs_source *before,
    const struct gs_source *after, struct gs_strv *ret_new,
    struct gs_strv *ret_signature, struct gs_strv *ret_defaults);

#endif

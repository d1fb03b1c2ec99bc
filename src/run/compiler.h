/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Compiled code of the tree, kept from run to run. It is made in a box of its
 * own, in which nothing of a project ever runs and which no test can reach:
 * the runs of all hash seeds, warm and cold, read one folder of it.
 *
 *	rc = gs_compile(compilers, &spec, &spec.code, err);
 *	...                                            the run
 *	gs_compile_note(compilers, spec.code, &names);
 *
 * A file is compiled once a text. Code is a help only: without it an
 * interpreter compiles for itself, and checks what it finds by time and size.
 */
#ifndef RUN_COMPILER_H
#define RUN_COMPILER_H

#include "run/run.h"

struct gs_compilers;

struct gs_compilers *gs_compilers_new(struct gs_slot *slot);
void gs_compilers_free(struct gs_compilers *compilers);

/* After the tree was laid out: brings what is known of it up to date.
 * *ret_folder is for gs_run_spec.code, borrowed until the next call that
 * wants another environment, or NULL where there can be none. Fails with
 * GS_E_CANCELLED alone. */
GS_MUST_CHECK int gs_compile(struct gs_compilers *compilers,
    const struct gs_run_spec *spec, const char **ret_folder,
    struct gs_err *err);
/* Files that a run with this folder has loaded: the next one finds them
 * compiled. */
void gs_compile_note(struct gs_compilers *compilers, const char *folder,
    const struct gs_strv *names);

/* Boxes started so far. */
unsigned gs_compilers_started(const struct gs_compilers *compilers);

#endif

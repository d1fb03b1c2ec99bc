/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One run of pytest in the box (S4, S5, O1 to O3).
 *
 * A slot is a worker's private place: a folder on a tmpfs of bounded size,
 * in a mount namespace that ends with the worker, so that a killed worker
 * leaves nothing behind and a test cannot fill the disk. Trees are
 * materialised into gs_slot_tree(); inside the box the tree always stands at
 * GS_RUN_TREE.
 *
 * The tests' side is a plugin of ours (observer.py) that streams one event a
 * phase over a private descriptor; nothing is read from what pytest prints.
 *
 * A cold run starts an interpreter in a box of its own; the same request is
 * served by a warm worker that forks (warm.h). gs_run_spec says all that a
 * run depends on, and nothing here keeps state between runs but the slot.
 */
#ifndef RUN_RUN_H
#define RUN_RUN_H

#include "model/outcome.h"
#include "run/box.h"
#include "run/env.h"

#define GS_RUN_TREE "/w/tree"

struct gs_slot;

/* In the worker process; enters its own mount namespace where it can. `dir`
 * is an existing folder of ours. */
GS_MUST_CHECK int gs_slot_open(const char *dir, const struct gs_box *box,
    const struct gs_box_limits *limits, struct gs_slot **ret,
    struct gs_err *err);
void gs_slot_close(struct gs_slot *slot);
const char *gs_slot_tree(const struct gs_slot *slot); /* folder for the tree */
uid_t gs_slot_owner(const struct gs_slot *slot); /* whose files they must be */

/* O6: names that Python or pytest have removed, put back. Bits. */
enum gs_shim {
	GS_SHIM_COLLECTIONS = 1 << 0, /* collections.Mapping and friends */
	GS_SHIM_INSPECT = 1 << 1,     /* getargspec, formatargspec */
	GS_SHIM_PYTEST = 1 << 2, /* get_marker, pytest.yield_fixture, … */
	GS_SHIM_STDLIB = 1 << 3, /* asyncio.coroutine, imp, … */
	GS_SHIM_DISTRIBUTION = 1 << 4, /* a record of the project itself */
};

#define GS_SHIM_ALL 31u

struct gs_run_spec {
	const struct gs_env *env;
	/* What runs: whole files, or exactly these ids (then files are theirs).
	 */
	const struct gs_strv *files;
	const struct gs_strv *ids; /* NULL or empty: whole files */
	/* Or the tests of these functions and classes, "file::name", and of
	 * these files, "file"; NULL or empty: all. */
	const struct gs_strv *tests;
	const struct gs_strv *import_roots; /* relative: "." "src"; S5 */
	/* Top-level modules that the tree itself holds (warm runs), or NULL. */
	const struct gs_strv *own_modules;
	const struct gs_strv *probe;   /* modules whose origin is recorded */
	const struct gs_strv *options; /* extra pytest options of the project */
	uint32_t hash_seed;
	int64_t clock_ahead_s; /* needs env->faketime; else not moved */
	unsigned shims;        /* bits of enum gs_shim */
	const char *dist_name, *dist_version; /* for GS_SHIM_DISTRIBUTION */
	int timeout_ms;                       /* 0: the slot's limit */
	/* Files of the tree; the run names those of them that code which is
	 * neither the framework's nor a test's opened. NULL: not watched. */
	const struct gs_strv *guarded;
	/* Ids that are not run (known to hang: O5), or NULL. */
	const struct gs_strv *skip;
	bool stop_at_first_failure;   /* when only "all pass?" is asked */
	const char *const *extra_env; /* NULL-terminated NAME=value, or NULL */
	/* Host folder with compiled code, seen read-only; set by warm.c. */
	const char *code;
};

/* Fills in *ret (indexed) whatever happened to the run; an error means that
 * no run could be made at all. The tree is left as the tests left it. */
GS_MUST_CHECK int gs_run_cold(struct gs_slot *slot,
    const struct gs_run_spec *spec, struct gs_run *ret, struct gs_err *err);

/* "collections,inspect" for bits, and back; GS_E_USAGE for an unknown name. */
char *gs_shim_names(unsigned shims);
GS_MUST_CHECK int gs_shim_parse(
    const char *names, unsigned *ret, struct gs_err *err);

#endif

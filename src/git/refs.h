/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The refs of a repository that is only read as files: git itself is never
 * pointed at it (W1, F163). Parsing is pure; names are checked as
 * `git check-ref-format` does, ids as hex, symbolic refs are resolved among
 * what was read.
 */
#ifndef GIT_REFS_H
#define GIT_REFS_H

#include "base/buf.h"
#include "base/err.h"
#include "base/map.h"
#include "base/strv.h"
#include "model/change.h"

struct gs_ref {
	struct gs_oid id;     /* "" for a symbolic ref */
	struct gs_str target; /* of a symbolic ref */
};

struct gs_refs {
	struct gs_map by_name; /* to struct gs_ref */
	struct gs_arena arena;
};

void gs_refs_release(struct gs_refs *refs);
bool gs_ref_name_is_ok(struct gs_str name);
/* Adds the entries of a packed-refs file. GS_E_CORRUPT names the line; an
 * entry with a bad name is left out. */
GS_MUST_CHECK int gs_refs_parse_packed(
    struct gs_refs *refs, struct gs_str bytes, struct gs_err *err);
/* Adds one loose ref from its file's bytes, over what is packed. False when
 * it is none (an empty file after a crash, for one). */
bool gs_refs_parse_loose(
    struct gs_refs *refs, struct gs_str name, struct gs_str bytes);
/* Both kinds, from a git directory. */
GS_MUST_CHECK int gs_refs_read(
    const char *git_dir, struct gs_refs *refs, struct gs_err *err);
/* Appends the ids of the walked refs (heads, tags, remotes), sorted, once
 * each. */
void gs_refs_ids(const struct gs_refs *refs, struct gs_strv *ret);
/* Appends a packed-refs file with the walked refs (heads, tags, remotes)
 * whose ids are `id_length` digits long. */
void gs_refs_write_packed(
    const struct gs_refs *refs, size_t id_length, struct gs_buf *out);

#endif

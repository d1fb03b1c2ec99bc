/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Objects by id, from one long-lived `git cat-file --batch-command` child per
 * reader, with caps. Nothing is fetched: an object that a partial or shallow
 * mirror lacks is GS_E_NOT_FOUND. A git too old for it is GS_E_ENVIRONMENT.
 */
#ifndef GIT_OBJECTS_H
#define GIT_OBJECTS_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/strv.h"
#include "model/change.h"

struct gs_objects;

GS_MUST_CHECK int gs_objects_open(
    const char *mirror, struct gs_objects **ret, struct gs_err *err);
void gs_objects_close(struct gs_objects *objects);

enum gs_object_type {
	GS_OBJECT_COMMIT,
	GS_OBJECT_TREE,
	GS_OBJECT_BLOB,
	GS_OBJECT_TAG,
};

struct gs_object_info {
	struct gs_oid id;
	enum gs_object_type type;
	uint64_t size;
};

/* `name` is an id or anything git resolves (a short id, "id:path"); it must
 * not hold LF. GS_E_NOT_FOUND when absent or ambiguous. */
GS_MUST_CHECK int gs_objects_info(struct gs_objects *objects, const char *name,
    struct gs_object_info *ret, struct gs_err *err);
/* Appends the object's bytes to `ret`. GS_E_LIMIT (nothing read) over `max`. */
GS_MUST_CHECK int gs_objects_read(struct gs_objects *objects, const char *name,
    uint64_t max, struct gs_buf *ret, struct gs_err *err);
/* The same, and says what it was. */
GS_MUST_CHECK int gs_objects_read_info(struct gs_objects *objects,
    const char *name, uint64_t max, struct gs_object_info *ret_info,
    struct gs_buf *ret, struct gs_err *err);

/* Of these whole ids, which are commits that are there: tags peeled, sorted,
 * once each. */
GS_MUST_CHECK int gs_objects_commits(struct gs_objects *objects,
    const struct gs_strv *ids, struct gs_strv *ret, struct gs_err *err);

/* A commit object read: the message as UTF-8 by its encoding header (bytes
 * that do not decode become U+FFFD; cut at a NUL and at GS_MAX_MESSAGE; CR
 * before LF dropped), and the tree. */
struct gs_commit_text {
	struct gs_oid tree;
	struct gs_oid parent; /* first, zeroed when none */
	unsigned n_parents;
	bool has_date;
	int64_t committed_at;
	struct gs_buf message;
};

GS_MUST_CHECK int gs_objects_commit(struct gs_objects *objects,
    const char *name, struct gs_commit_text *ret, struct gs_err *err);
void gs_commit_text_release(struct gs_commit_text *text);

#endif

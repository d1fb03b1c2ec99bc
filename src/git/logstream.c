/* SPDX-License-Identifier: Apache-2.0 */
#include "git/logstream.h"

#include <stdlib.h>
#include <string.h>

#include "base/datetime.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "git/dates.h"

void gs_logstream_release(struct gs_logstream *stream)
{
	free(stream->changes);
	gs_arena_release(&stream->arena);
	memset(stream, 0, sizeof(*stream));
}

static int corrupt(struct gs_err *err, const char *what)
{
	return gs_fail(err, GS_E_CORRUPT,
	    "git log printed something unexpected: %s", what);
}

static bool cut_id(struct gs_str *rest, struct gs_oid *ret)
{
	struct gs_str part;

	return gs_str_cut(rest, ' ', &part) && gs_oid_parse(part, ret);
}

static int header(
    struct gs_logstream *stream, struct gs_str token, struct gs_err *err)
{
	struct gs_commit *commit = &stream->commit;
	struct gs_str date, parent;
	struct gs_oid id;

	memset(commit, 0, sizeof(*commit));
	gs_arena_reset(&stream->arena);
	if (!cut_id(&token, &commit->id) || !gs_str_cut(&token, ' ', &date))
		return corrupt(err, "a commit without id and date");
	commit->has_date = gs_date_parse(date, &commit->committed_at);
	while (gs_str_cut(&token, ' ', &parent)) {
		if (!gs_oid_parse(parent, &id))
			return corrupt(err, "a parent that is no id");
		if (commit->n_parents++ == 0)
			commit->parent = id;
	}
	stream->state = GS_LOG_STARTED;
	return 0;
}

static bool cut_mode(struct gs_str *rest, unsigned *ret)
{
	struct gs_str part;
	unsigned mode = 0;

	if (!gs_str_cut(rest, ' ', &part) || part.n == 0 || part.n > 7)
		return false;
	for (size_t i = 0; i < part.n; i++) {
		if (part.p[i] < '0' || part.p[i] > '7')
			return false;
		mode = mode * 8 + (unsigned)(part.p[i] - '0');
	}
	*ret = mode;
	return true;
}

static int change(
    struct gs_logstream *stream, struct gs_str token, struct gs_err *err)
{
	struct gs_commit *commit = &stream->commit;
	struct gs_change one = {0};

	if (!gs_str_starts(token, ":"))
		return corrupt(err, "a change that does not start by a colon");
	token = gs_str_from(token, 1);
	if (!cut_mode(&token, &one.old_mode) ||
	    !cut_mode(&token, &one.new_mode) || !cut_id(&token, &one.old_id) ||
	    !cut_id(&token, &one.new_id) || token.n != 1)
		return corrupt(err, "a change that is not modes, ids, status");
	one.status = token.p[0];
	if (commit->n_changes == stream->cap)
		stream->changes = gs_vec_grow(stream->changes,
		    commit->n_changes, &stream->cap, sizeof(one));
	stream->changes[commit->n_changes] = one;
	commit->changes = stream->changes;
	stream->state = GS_LOG_PATH;
	return 0;
}

static int path(
    struct gs_logstream *stream, struct gs_str token, struct gs_err *err)
{
	struct gs_commit *commit = &stream->commit;

	if (token.n == 0)
		return corrupt(err, "a change without a path");
	stream->state = GS_LOG_CHANGES;
	/* More than any tree we take (W5) is not kept, so that a commit
	 * cannot cost more memory than a tree may. */
	if (commit->n_changes >= GS_MAX_TREE_FILES) {
		commit->changes_cut = true;
		return 0;
	}
	stream->changes[commit->n_changes++].path =
	    gs_arena_str(&stream->arena, token);
	return 0;
}

int gs_logstream_token(
    struct gs_logstream *stream, struct gs_str token, struct gs_err *err)
{
	bool is_change = gs_str_starts(token, ":");

	switch (stream->state) {
	case GS_LOG_HEADER:
		return header(stream, token, err);
	case GS_LOG_STARTED:
		if (gs_str_starts(token, "\n"))
			return change(stream, gs_str_from(token, 1), err);
		if (is_change)
			return corrupt(err, "a change without its line feed");
		break;
	case GS_LOG_PATH:
		return path(stream, token, err);
	case GS_LOG_CHANGES:
		if (is_change)
			return change(stream, token, err);
		break;
	}
	/* The next header: the caller takes this commit first. */
	stream->state = GS_LOG_HEADER;
	return 1;
}

int gs_logstream_end(struct gs_logstream *stream, struct gs_err *err)
{
	if (stream->state == GS_LOG_PATH)
		return corrupt(err, "it ended inside a change");
	if (stream->state == GS_LOG_HEADER)
		return 0;
	stream->state = GS_LOG_HEADER;
	return 1;
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What `git log --raw -z --format='%H %ct %P'` prints, token by token. Pure:
 * bytes in, commits out.
 *
 *	stream = { commit }
 *	commit = id SP [date] SP [parent {SP parent}] NUL [LF change {change}]
 *	change = ":" mode SP mode SP id SP id SP status NUL path NUL
 *
 * A commit's end is seen at the next token that starts neither by ":" nor by
 * LF, or at the end of the stream. Nothing that a commit chooses freely
 * stands in it but paths, and a path is always exactly one token (F012,
 * F017, F018, F019).
 */
#ifndef GIT_LOGSTREAM_H
#define GIT_LOGSTREAM_H

#include "base/arena.h"
#include "base/err.h"
#include "git/walk.h"

enum gs_log_state {
	GS_LOG_HEADER,  /* before any commit */
	GS_LOG_STARTED, /* a header was read */
	GS_LOG_PATH,    /* a change was read, its path comes */
	GS_LOG_CHANGES, /* a change with its path was read */
};

struct gs_logstream {
	enum gs_log_state state;
	struct gs_commit commit;
	struct gs_change *changes;
	size_t cap;
	struct gs_arena arena; /* the commit's paths */
};

void gs_logstream_release(struct gs_logstream *stream);
/* Takes one token (without its NUL). 0: taken, give the next; 1: the commit
 * in stream->commit is complete and the token is NOT taken: give it again.
 * GS_E_CORRUPT when it is no such stream. */
GS_MUST_CHECK int gs_logstream_token(
    struct gs_logstream *stream, struct gs_str token, struct gs_err *err);
/* At the end of the bytes: 1 a last commit, 0 none, or GS_E_CORRUPT. */
GS_MUST_CHECK int gs_logstream_end(
    struct gs_logstream *stream, struct gs_err *err);

#endif

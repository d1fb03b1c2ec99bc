/* SPDX-License-Identifier: Apache-2.0 */
#include "git/walk.h"

#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "git/careful.h"
#include "git/command.h"
#include "git/logstream.h"
#include "git/mirror.h"
#include "git/objects.h"
#include "git/tips.h"

#define MAX_TOKEN (16 * GS_MIB) /* one path, or one commit's parents */

struct gs_walk {
	char *mirror;
	bool first_parent;
	const struct gs_strv *only; /* borrowed */
	bool is_whole;              /* nothing was known before */
	struct gs_careful *careful; /* since git gave up */
	struct gs_command command;
	struct gs_proc proc;
	bool started, at_end;
	struct gs_buf buf;
	size_t pos;  /* of the next token in buf */
	size_t seen; /* bytes after pos that hold no NUL */
	struct gs_logstream stream;
	struct gs_strv shallow;
	struct gs_objects *objects; /* opened for the first shallow commit */
};

/* Tips that were walked before are cut off with their histories. An id that
 * is gone from the mirror would end git with an error: left out. */
static int revisions(const struct gs_walk_options *options, struct gs_buf *ret,
    bool *ret_whole, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv tips = {0};
	GS_CLEANUP(gs_strv_release) struct gs_strv known = {0};
	int rc = 0;

	for (size_t i = 0; options->only && i < options->only->n; i++)
		gs_buf_addf(ret, "%s\n", options->only->v[i]);
	if (options->only)
		return 0;
	if (options->tips)
		gs_strv_copy(&tips, options->tips);
	else
		rc = gs_mirror_tips(options->mirror, &tips, err);
	if (rc || tips.n == 0)
		return rc;
	if (options->known_tips) {
		rc = gs_commits_present(
		    options->mirror, options->known_tips, &known, err);
		if (rc)
			return rc;
	}
	for (size_t i = 0; i < tips.n; i++)
		gs_buf_addf(ret, "%s\n", tips.v[i]);
	for (size_t i = 0; i < known.n; i++)
		gs_buf_addf(ret, "^%s\n", known.v[i]);
	*ret_whole = known.n == 0;
	return 0;
}

/* Options, not configuration, decide what is printed (F010, F020, F029).
 * Only ids and dates are asked for: a message may hold anything (F012). */
static int start(struct gs_walk *walk, const struct gs_walk_options *options,
    struct gs_str input, struct gs_err *err)
{
	int rc = gs_command_init(&walk->command, walk->mirror, err);

	if (rc)
		return rc;
	rc = gs_command_input(&walk->command, input, err);
	if (rc)
		return rc;
	gs_strv_push_all(&walk->command.argv, "log", "--stdin", "--raw", "-z",
	    "--no-abbrev", "--no-renames", "--no-color", "--no-ext-diff",
	    "--no-textconv", "--no-notes", "--no-decorate", "--no-mailmap",
	    "--no-show-signature", "--ignore-submodules=none",
	    options->first_parent ? "--diff-merges=first-parent"
	                          : "--no-diff-merges",
	    "--format=tformat:%H %ct %P",
	    options->only ? "--no-walk=unsorted" : NULL, NULL);
	rc = gs_command_start(&walk->command, -1, &walk->proc, err);
	walk->started = rc == 0;
	return rc;
}

int gs_walk_open(const struct gs_walk_options *options, struct gs_walk **ret,
    struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf input = {0};
	struct gs_walk *walk;
	bool is_whole = true;
	int rc = revisions(options, &input, &is_whole, err);

	if (rc)
		return rc;
	walk = gs_alloc(sizeof(*walk));
	walk->mirror = gs_strdup(options->mirror);
	walk->first_parent = options->first_parent;
	walk->only = options->only;
	walk->is_whole = is_whole;
	walk->buf.max = MAX_TOKEN + 2 * GS_MIB;
	rc = gs_mirror_shallow(walk->mirror, &walk->shallow, err);
	/* Without a tip git would take HEAD: there is nothing to walk. */
	walk->at_end = input.n == 0;
	if (rc == 0 && !walk->at_end)
		rc = start(walk, options, gs_buf_str(&input), err);
	if (rc) {
		gs_walk_close(walk);
		return rc;
	}
	*ret = walk;
	return 0;
}

void gs_walk_close(struct gs_walk *walk)
{
	if (!walk)
		return;
	if (walk->started)
		gs_proc_release(&walk->proc);
	gs_command_release(&walk->command);
	gs_buf_release(&walk->buf);
	gs_logstream_release(&walk->stream);
	gs_strv_release(&walk->shallow);
	gs_objects_close(walk->objects);
	gs_careful_close(walk->careful);
	free(walk->mirror);
	free(walk);
}

/* Drops the tokens that were taken and reads on. 1 read, 0 end of file. */
static int read_more(struct gs_walk *walk, struct gs_err *err)
{
	size_t rest = walk->buf.n - walk->pos;
	int rc;

	if (rest > MAX_TOKEN)
		return gs_fail(err, GS_E_LIMIT,
		    "%s: a path of a commit is longer than %zu bytes",
		    walk->mirror, MAX_TOKEN);
	if (walk->pos > 0) {
		memmove(walk->buf.p, walk->buf.p + walk->pos, rest);
		gs_buf_cut(&walk->buf, rest);
		walk->pos = 0;
	}
	rc = gs_command_read(
	    &walk->proc, GS_MAX_GIT_SILENCE_MS, &walk->buf, err);
	return rc < 0 ? gs_wrap(err, "%s", walk->mirror) : rc;
}

/* 1 a token, not yet taken off; 0 the end of the stream. */
static int peek(struct gs_walk *walk, struct gs_str *ret, struct gs_err *err)
{
	for (;;) {
		const char *from = walk->buf.p + walk->pos;
		size_t n = walk->buf.n - walk->pos;
		const char *nul = n > walk->seen ? memchr(from + walk->seen,
		                                       '\0', n - walk->seen)
		                                 : NULL;
		int rc;

		if (nul) {
			walk->seen = (size_t)(nul - from);
			*ret = gs_str_n(from, walk->seen);
			return 1;
		}
		walk->seen = n;
		rc = read_more(walk, err);
		if (rc < 0)
			return rc;
		if (rc == 0)
			return n == 0 ? 0
			              : gs_fail(err, GS_E_CORRUPT,
			                    "%s: git log ended inside a line",
			                    walk->mirror);
	}
}

static int finish(struct gs_walk *walk, struct gs_err *err)
{
	struct gs_end end;
	int rc = gs_proc_wait(&walk->proc, 0, &end, err);

	if (rc)
		return rc;
	if (end.kind != GS_END_EXITED || end.code != 0)
		return gs_command_fail(&walk->command, walk->mirror, err);
	return 0;
}

/* git shows a shallow commit as a root; the object tells the truth. */
static int amend_shallow(struct gs_walk *walk, struct gs_err *err)
{
	struct gs_commit *commit = &walk->stream.commit;
	GS_CLEANUP(gs_commit_text_release) struct gs_commit_text text = {0};
	int rc;

	if (!gs_strv_has(&walk->shallow, commit->id.hex))
		return 0;
	if (!walk->objects) {
		rc = gs_objects_open(walk->mirror, &walk->objects, err);
		if (rc)
			return rc;
	}
	rc = gs_objects_commit(walk->objects, commit->id.hex, &text, err);
	if (rc)
		return rc;
	commit->n_parents = text.n_parents;
	commit->parent = text.parent;
	commit->parent_missing = text.n_parents > 0;
	return 0;
}

/* 1 a whole commit in the stream, 0 the end. */
static int advance(struct gs_walk *walk, struct gs_err *err)
{
	struct gs_str token = {0};
	int rc;

	while ((rc = peek(walk, &token, err)) > 0) {
		rc = gs_logstream_token(&walk->stream, token, err);
		if (rc)
			return rc;
		walk->pos += token.n + 1;
		walk->seen = 0;
	}
	if (rc < 0)
		return rc;
	/* What git printed before it failed is true, but not all. */
	rc = finish(walk, err);
	walk->at_end = true;
	return rc ? rc : gs_logstream_end(&walk->stream, err);
}

/* git gave up over something in the repository, and not because somebody
 * ended it. */
static bool is_gits_trouble(int rc)
{
	return rc == GS_E_CORRUPT || rc == GS_E_LIMIT || rc == GS_E_BUSY ||
	       rc == GS_E_NOT_FOUND;
}

static int begin_anew(struct gs_walk *walk, struct gs_err *err)
{
	if (err)
		*err = (struct gs_err){0};
	gs_proc_release(&walk->proc);
	walk->started = false;
	walk->is_whole = true;
	const struct gs_walk_options options = {.mirror = walk->mirror,
	    .first_parent = walk->first_parent,
	    .only = walk->only};
	return gs_careful_open(&options, &walk->careful, err);
}

bool gs_walk_is_whole(const struct gs_walk *walk)
{
	return walk->is_whole;
}

int gs_walk_next(
    struct gs_walk *walk, struct gs_commit *ret, struct gs_err *err)
{
	int rc;

	if (walk->careful)
		return gs_careful_next(walk->careful, ret, err);
	if (walk->at_end)
		return 0;
	rc = advance(walk, err);
	if (rc > 0) {
		rc = amend_shallow(walk, err);
		if (rc == 0) {
			*ret = walk->stream.commit;
			return 1;
		}
	}
	walk->at_end = true;
	if (!is_gits_trouble(rc))
		return rc;
	rc = begin_anew(walk, err);
	return rc ? rc : gs_careful_next(walk->careful, ret, err);
}

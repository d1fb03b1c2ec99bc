/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/patch.h"

#include <stdarg.h>
#include <string.h>

#include "base/utf8.h"

struct patch {
	struct gs_str rest; /* not yet read */
	size_t line;        /* of the patch, the one read last */
	struct gs_str path, text;
	size_t at;      /* byte of the text up to which it is copied */
	size_t at_line; /* lines copied */
	struct gs_buf *ret, *why;
	bool ends_without_lf; /* the result's last line has none */
};

static bool refuse(struct patch *patch, const char *fmt, ...) GS_PRINTF(2, 3);

static bool refuse(struct patch *patch, const char *fmt, ...)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	va_list args;
	va_start(args, fmt);
	gs_buf_addf(&text, "line %zu of the diff: ", patch->line);
	gs_buf_vaddf(&text, fmt, args);
	va_end(args);
	gs_utf8_harmless(patch->why, gs_buf_str(&text), false);
	return false;
}

static bool next_line(struct patch *patch, struct gs_str *ret)
{
	if (patch->rest.n == 0)
		return false;
	(void)gs_str_cut(&patch->rest, '\n', ret);
	patch->line++;
	return true;
}

static bool take_word(struct gs_str *line, const char *word)
{
	if (!gs_str_starts(*line, word))
		return false;
	*line = gs_str_from(*line, strlen(word));
	return true;
}

/* "a/pkg/mod.py", "pkg/mod.py", either with a tab and a date behind it. */
static bool names_path(
    struct patch *patch, struct gs_str name, const char *side)
{
	ptrdiff_t tab = gs_str_find_char(name, '\t');
	if (tab >= 0)
		name = gs_str_sub(name, 0, (size_t)tab);
	if (gs_str_eq(name, patch->path))
		return true;
	if (gs_str_starts(name, side))
		name = gs_str_from(name, 2);
	if (gs_str_eq(name, patch->path))
		return true;
	if (gs_str_is(name, "/dev/null"))
		return refuse(patch, "it makes or deletes the file");
	return refuse(patch, "it touches %.*s; only %.*s may be changed",
	    name.n < 200 ? (int)name.n : 200, name.p, GS_STR_ARG(patch->path));
}

static bool take_number(struct gs_str *line, size_t *ret)
{
	size_t n = 0, digits = 0;
	while (digits < line->n && line->p[digits] >= '0' &&
	       line->p[digits] <= '9' && digits < 9) {
		n = 10 * n + (size_t)(line->p[digits] - '0');
		digits++;
	}
	*line = gs_str_from(*line, digits);
	*ret = n;
	return digits > 0;
}

/* "3,4" or "3" (one line). */
static bool take_range(struct gs_str *line, size_t *ret_start, size_t *ret_n)
{
	*ret_n = 1;
	if (!take_number(line, ret_start))
		return false;
	return !take_word(line, ",") || take_number(line, ret_n);
}

static void copy_line(struct patch *patch, struct gs_str *ret)
{
	struct gs_str rest = gs_str_from(patch->text, patch->at);
	ptrdiff_t end = gs_str_find_char(rest, '\n');
	*ret = gs_str_sub(rest, 0, end < 0 ? rest.n : (size_t)end + 1);
	patch->at += ret->n;
	patch->at_line++;
}

/* One line of the text that the hunk shows with ' ' or '-'. `no_lf`: a
 * backslash line says that it ends without line feed. */
static bool match_line(
    struct patch *patch, struct gs_str shown, bool no_lf, bool keep)
{
	struct gs_str have;
	if (patch->at >= patch->text.n)
		return refuse(patch, "the file ends before this line");
	copy_line(patch, &have);
	bool has_lf = have.n > 0 && have.p[have.n - 1] == '\n';
	struct gs_str bare = has_lf ? gs_str_sub(have, 0, have.n - 1) : have;
	if (!gs_str_eq(bare, shown) || has_lf == no_lf)
		return refuse(patch,
		    "line %zu of the file is not what it shows",
		    patch->at_line);
	if (keep)
		gs_buf_adds(patch->ret, have);
	return true;
}

static bool peek_no_lf(struct patch *patch)
{
	struct gs_str line;
	if (!gs_str_starts(patch->rest, "\\"))
		return false;
	return next_line(patch, &line);
}

static bool take_hunk_line(
    struct patch *patch, size_t *old_left, size_t *new_left)
{
	struct gs_str line;
	if (!next_line(patch, &line))
		return refuse(patch, "the hunk ends early");
	char mark = line.n ? line.p[0] : 0;
	struct gs_str shown = line.n ? gs_str_from(line, 1) : line;
	bool no_lf = peek_no_lf(patch);
	bool is_old = mark == ' ' || mark == '-';
	bool is_new = mark == ' ' || mark == '+';
	if (!is_old && !is_new)
		return refuse(patch, "a line of a hunk begins with ' ', '-' "
		                     "or '+'");
	if ((is_old && *old_left == 0) || (is_new && *new_left == 0))
		return refuse(patch, "the hunk is longer than it says");
	*old_left -= is_old;
	*new_left -= is_new;
	if (is_old)
		return match_line(patch, shown, no_lf, is_new);
	if (patch->ret->n && patch->ret->p[patch->ret->n - 1] != '\n')
		return refuse(patch, "a line follows one without line feed");
	gs_buf_adds(patch->ret, shown);
	if (no_lf)
		patch->ends_without_lf = true;
	else
		gs_buf_addc(patch->ret, '\n');
	return true;
}

static bool apply_hunk(struct patch *patch, struct gs_str header)
{
	size_t start, n_old, new_start, n_new;
	if (!take_range(&header, &start, &n_old) || !take_word(&header, " +") ||
	    !take_range(&header, &new_start, &n_new) ||
	    !take_word(&header, " @@"))
		return refuse(patch, "the hunk's header cannot be read");
	/* An empty old side names the line before it. */
	size_t first = n_old > 0 ? start : start + 1;
	if (first == 0 || first - 1 < patch->at_line)
		return refuse(patch, "hunks overlap or are out of order");
	while (patch->at_line < first - 1) {
		struct gs_str line;
		if (patch->at >= patch->text.n)
			return refuse(patch, "the file has no line %zu", first);
		copy_line(patch, &line);
		gs_buf_adds(patch->ret, line);
	}
	while (n_old > 0 || n_new > 0)
		if (!take_hunk_line(patch, &n_old, &n_new))
			return false;
	return true;
}

/* Lines before "---": those of git that change nothing but the text. */
static bool take_header(struct patch *patch)
{
	struct gs_str line;
	while (next_line(patch, &line)) {
		if (take_word(&line, "--- ")) {
			if (!names_path(patch, line, "a/"))
				return false;
			if (!next_line(patch, &line) ||
			    !take_word(&line, "+++ "))
				return refuse(patch, "no +++ line follows ---");
			return names_path(patch, line, "b/");
		}
		if (take_word(&line, "diff --git ")) {
			GS_CLEANUP(gs_buf_release) struct gs_buf want = {0};
			gs_buf_addf(&want, "a/%.*s b/%.*s",
			    GS_STR_ARG(patch->path), GS_STR_ARG(patch->path));
			if (!gs_str_eq(line, gs_buf_str(&want)))
				return refuse(patch,
				    "it touches %.*s; only %.*s may be changed",
				    line.n < 200 ? (int)line.n : 200, line.p,
				    GS_STR_ARG(patch->path));
		} else if (!take_word(&line, "index ")) {
			return refuse(patch, "this is no line of a diff that "
			                     "changes one file's text");
		}
	}
	return refuse(patch, "there is no diff in it");
}

static bool apply(struct patch *patch)
{
	struct gs_str line;
	size_t n_hunks = 0;
	if (!take_header(patch))
		return false;
	while (next_line(patch, &line)) {
		if (take_word(&line, "@@ -")) {
			n_hunks++;
			if (!apply_hunk(patch, line))
				return false;
		} else if (gs_str_starts(line, "diff --git ") ||
		           gs_str_starts(line, "--- ")) {
			return refuse(patch, "it changes more than one file, "
			                     "or one file twice");
		} else if (gs_str_trim(line).n > 0 ||
		           gs_str_trim(patch->rest).n > 0) {
			return refuse(patch, "this is no line of a diff");
		}
	}
	if (n_hunks == 0)
		return refuse(patch, "it has no hunk");
	if (patch->ends_without_lf && patch->at < patch->text.n)
		return refuse(patch, "a line in the middle has no line feed");
	gs_buf_adds(patch->ret, gs_str_from(patch->text, patch->at));
	return true;
}

bool gs_patch_apply(struct gs_str patch, struct gs_str path, struct gs_str text,
    struct gs_buf *ret, struct gs_buf *ret_why)
{
	struct patch state = {.rest = patch,
	    .path = path,
	    .text = text,
	    .ret = ret,
	    .why = ret_why};
	return apply(&state);
}

/* SPDX-License-Identifier: Apache-2.0 */
/*
 * python_files out of pytest's configuration. A lenient reader: what pytest
 * itself would refuse gives what can be made out of it, and a wrong guess
 * only widens what counts as a test (W4).
 */
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "model/paths.h"

#define MAX_PATTERNS 64
#define MAX_PATTERN_SIZE 256

static void add_pattern(struct gs_str pattern, struct gs_strv *ret)
{
	if (pattern.n == 0 || pattern.n > MAX_PATTERN_SIZE ||
	    ret->n >= MAX_PATTERNS || !gs_utf8_valid(pattern) ||
	    gs_str_find_char(pattern, '\0') >= 0)
		return;
	gs_strv_push_str(ret, pattern);
}

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' ||
	       c == '\v';
}

/* Words of a value, split at white space as a shell would, quotes taken
 * off; a word that begins with # ends the line. */
static void add_words(struct gs_str value, struct gs_strv *ret)
{
	size_t i = 0;
	while (i < value.n) {
		if (is_space(value.p[i]) || value.p[i] == ',') {
			i++;
			continue;
		}
		if (value.p[i] == '#')
			return;
		char quote = value.p[i];
		size_t start = i;
		if (quote == '"' || quote == '\'') {
			start = ++i;
			while (i < value.n && value.p[i] != quote)
				i++;
		} else {
			while (i < value.n && !is_space(value.p[i]) &&
			       value.p[i] != ',')
				i++;
		}
		add_pattern(gs_str_sub(value, start, i), ret);
		if (i < value.n)
			i++;
	}
}

/* "[name]" at the start of a line, blanks inside allowed. */
static bool section_of(struct gs_str line, struct gs_str *ret_name)
{
	struct gs_str s = gs_str_trim(line);
	if (s.n < 2 || s.p[0] != '[')
		return false;
	ptrdiff_t end = gs_str_find_char(s, ']');
	if (end < 0)
		return false;
	*ret_name = gs_str_trim(gs_str_sub(s, 1, (size_t)end));
	return true;
}

/* The value behind "python_files =" (or ":"), when the line is that. */
static bool value_of(struct gs_str line, struct gs_str *ret_value)
{
	struct gs_str s = gs_str_trim(line);
	if (!gs_str_starts(s, "python_files"))
		return false;
	s = gs_str_trim(gs_str_from(s, strlen("python_files")));
	if (s.n == 0 || (s.p[0] != '=' && s.p[0] != ':'))
		return false;
	*ret_value = gs_str_trim(gs_str_from(s, 1));
	return true;
}

static void read_ini(struct gs_str bytes, struct gs_strv *ret)
{
	struct gs_str line, name, value;
	bool is_ours = false, in_value = false;

	while (gs_str_cut(&bytes, '\n', &line)) {
		struct gs_str trimmed = gs_str_trim(line);
		if (trimmed.n == 0 || trimmed.p[0] == '#' ||
		    trimmed.p[0] == ';')
			continue;
		if (in_value && is_space(line.p[0])) {
			add_words(trimmed, ret);
			continue;
		}
		in_value = false;
		if (section_of(line, &name)) {
			is_ours = gs_str_is(name, "pytest") ||
			          gs_str_is(name, "tool:pytest");
		} else if (is_ours && value_of(line, &value)) {
			in_value = true;
			add_words(value, ret);
		}
	}
}

/* The strings of a TOML array that opens at the front of `text`; returns the
 * bytes it took. A string of several words gives them all. */
static size_t read_array(struct gs_str text, struct gs_strv *ret)
{
	size_t i = 1;
	while (i < text.n && text.p[i] != ']') {
		char c = text.p[i++];
		if (c == '#') {
			while (i < text.n && text.p[i] != '\n')
				i++;
		} else if (c == '"' || c == '\'') {
			size_t start = i;
			while (
			    i < text.n && text.p[i] != c && text.p[i] != '\n')
				i++;
			add_words(gs_str_sub(text, start, i), ret);
			if (i < text.n)
				i++;
		}
	}
	return i;
}

/* A TOML string, one line or (three quotes) several. */
static void read_string(struct gs_str text, struct gs_strv *ret)
{
	char triple[] = {text.p[0], text.p[0], text.p[0], '\0'};
	size_t width = gs_str_starts(text, triple) ? 3 : 1;
	struct gs_str inside = gs_str_from(text, width);
	struct gs_str stop = gs_str_n(triple, width);
	ptrdiff_t end = gs_str_find(inside, stop);
	if (end < 0)
		end = gs_str_find_char(inside, '\n');
	if (end >= 0)
		inside = gs_str_sub(inside, 0, (size_t)end);
	struct gs_str line;
	while (gs_str_cut(&inside, '\n', &line))
		add_words(line, ret);
}

static void read_toml(struct gs_str bytes, struct gs_strv *ret)
{
	struct gs_str line, name, value;
	bool is_ours = false;

	while (gs_str_cut(&bytes, '\n', &line)) {
		if (section_of(line, &name) && line.p[0] == '[') {
			is_ours = gs_str_is(name, "tool.pytest.ini_options") ||
			          gs_str_is(name, "tool.pytest");
			continue;
		}
		if (!is_ours || !value_of(line, &value) || value.n == 0)
			continue;
		/* The value may go on behind this line's end. */
		struct gs_str rest =
		    gs_str_n(value.p, (size_t)(line.p + line.n - value.p) +
		                          (bytes.n > 0 ? bytes.n + 1 : 0));
		if (value.p[0] == '[') {
			size_t took = read_array(rest, ret);
			size_t in_line = (size_t)(line.p + line.n - value.p);
			if (took > in_line)
				bytes = gs_str_from(rest, took);
		} else if (value.p[0] == '"' || value.p[0] == '\'') {
			read_string(rest, ret);
		}
	}
}

void gs_python_files(
    struct gs_str name, struct gs_str bytes, struct gs_strv *ret)
{
	if (gs_str_starts(bytes, "\xEF\xBB\xBF"))
		bytes = gs_str_from(bytes, 3);
	if (bytes.n > GS_MAX_PYTHON_FILE)
		bytes = gs_str_sub(bytes, 0, GS_MAX_PYTHON_FILE);
	if (gs_str_ends(name, ".toml"))
		read_toml(bytes, ret);
	else
		read_ini(bytes, ret);
}

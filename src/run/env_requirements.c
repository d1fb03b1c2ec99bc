/* SPDX-License-Identifier: Apache-2.0 */
/* Dependency specifications in a project's own files. A loose reading by
 * design: nothing is executed, and what is not plainly a requirement is
 * passed over; the resolver has the last word. */
#include <ctype.h>
#include <string.h>

#include "base/mem.h"
#include "run/env.h"

#define LINE_MAX 300

/* Names of extras and groups that tests need. */
static bool is_test_extra(struct gs_str name)
{
	static const char *const names[] = {"test", "tests", "testing", "dev",
	    "develop", "development", "all", "pytest", "unittest", "ci"};
	for (size_t i = 0; i < GS_COUNT(names); i++)
		if (gs_str_ieq(name, gs_str(names[i])))
			return true;
	return false;
}

/* A name that begins like one, in characters that PEP 508 uses; no URLs:
 * what they lead to has no date to cut off at. */
static bool is_requirement(struct gs_str s)
{
	if (!s.n || s.n > LINE_MAX || !isalnum((unsigned char)s.p[0]))
		return false;
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];
		if (!isalnum((unsigned char)c) &&
		    !strchr(" .,_-<>=!~[];'\"()*+", c))
			return false;
	}
	return true;
}

static void add(struct gs_strv *ret, struct gs_str line)
{
	ptrdiff_t comment = gs_str_find(line, GS_STR(" #"));
	if (comment >= 0)
		line = gs_str_sub(line, 0, (size_t)comment);
	line = gs_str_trim(line);
	GS_CLEANUP(gs_freep) char *text = gs_strndup(line.p, line.n);
	if (is_requirement(line) && !gs_strv_has(ret, text))
		gs_strv_push(ret, text);
}

/* Adds the quoted strings of a list literal; returns what follows its end.
 * Works for Python's lists and TOML's alike. */
static struct gs_str add_list(struct gs_str text, struct gs_strv *ret)
{
	size_t i = 0;
	while (i < text.n) {
		char c = text.p[i];
		if (c == ']' || c == ')')
			return gs_str_from(text, i + 1);
		if (c == '#') {
			ptrdiff_t end =
			    gs_str_find_char(gs_str_from(text, i), '\n');
			i += end < 0 ? text.n - i : (size_t)end;
			continue;
		}
		if (c != '"' && c != '\'') {
			i++;
			continue;
		}
		struct gs_str rest = gs_str_from(text, i + 1);
		ptrdiff_t end = gs_str_find_char(rest, c);
		if (end < 0)
			break;
		if (ret)
			add(ret, gs_str_sub(rest, 0, (size_t)end));
		i += (size_t)end + 2;
	}
	return gs_str_from(text, text.n);
}

static void read_lines(struct gs_str text, struct gs_strv *ret)
{
	struct gs_str line;
	while (gs_str_cut(&text, '\n', &line)) {
		line = gs_str_trim(line);
		/* "--hash" and a continued line belong to what precedes. */
		ptrdiff_t option = gs_str_find(line, GS_STR(" --"));
		if (option >= 0)
			line = gs_str_sub(line, 0, (size_t)option);
		if (gs_str_ends(line, "\\"))
			line = gs_str_trim(gs_str_sub(line, 0, line.n - 1));
		add(ret, line);
	}
}

/* ---- pyproject.toml ---- */

static bool wants_key(struct gs_str section, struct gs_str key)
{
	if (gs_str_is(section, "project"))
		return gs_str_is(key, "dependencies");
	if (gs_str_is(section, "project.optional-dependencies") ||
	    gs_str_is(section, "dependency-groups"))
		return is_test_extra(key);
	return false;
}

/* Poetry's "name = constraint": the name is what can be relied on. */
static bool is_poetry(struct gs_str section)
{
	return gs_str_is(section, "tool.poetry.dependencies") ||
	       gs_str_is(section, "tool.poetry.dev-dependencies") ||
	       gs_str_is(section, "tool.poetry.group.dev.dependencies") ||
	       gs_str_is(section, "tool.poetry.group.test.dependencies");
}

static void read_pyproject(struct gs_str text, struct gs_strv *ret)
{
	struct gs_str section = {0}, line;
	while (text.n) {
		struct gs_str before = text;
		if (!gs_str_cut(&text, '\n', &line))
			break;
		struct gs_str bare = gs_str_trim(line);
		if (gs_str_starts(bare, "[") && gs_str_ends(bare, "]")) {
			section = gs_str_trim(gs_str_sub(bare, 1, bare.n - 1));
			continue;
		}
		ptrdiff_t equals = gs_str_find_char(bare, '=');
		if (equals <= 0 || bare.p[0] == '#')
			continue;
		struct gs_str key =
		    gs_str_trim(gs_str_sub(bare, 0, (size_t)equals));
		if (is_poetry(section) && !gs_str_is(key, "python"))
			add(ret, key);
		ptrdiff_t open = gs_str_find_char(before, '[');
		if (!wants_key(section, key) || open < 0)
			continue;
		text = add_list(gs_str_from(before, (size_t)open + 1), ret);
	}
}

/* ---- setup.cfg, tox.ini ---- */

static bool wants_ini_key(struct gs_str section, struct gs_str key, bool is_tox)
{
	if (is_tox)
		return gs_str_is(section, "testenv") && gs_str_is(key, "deps");
	if (gs_str_is(section, "options"))
		return gs_str_is(key, "install_requires") ||
		       gs_str_is(key, "tests_require");
	return gs_str_is(section, "options.extras_require") &&
	       is_test_extra(key);
}

static void read_ini(struct gs_str text, bool is_tox, struct gs_strv *ret)
{
	struct gs_str section = {0}, line;
	bool wanted = false;
	while (gs_str_cut(&text, '\n', &line)) {
		struct gs_str bare = gs_str_trim(line);
		bool is_indented =
		    line.n && (line.p[0] == ' ' || line.p[0] == '\t');
		if (!bare.n || bare.p[0] == '#' || bare.p[0] == ';')
			continue;
		if (!is_indented && bare.p[0] == '[') {
			section = gs_str_trim(gs_str_sub(bare, 1, bare.n - 1));
			wanted = false;
			continue;
		}
		if (is_indented) {
			if (wanted)
				add(ret, bare);
			continue;
		}
		ptrdiff_t equals = gs_str_find_char(bare, '=');
		if (equals <= 0)
			continue;
		wanted = wants_ini_key(section,
		    gs_str_trim(gs_str_sub(bare, 0, (size_t)equals)), is_tox);
		if (wanted)
			add(ret, gs_str_from(bare, (size_t)equals + 1));
	}
}

/* ---- setup.py ---- */

/* The list literal after each `key`, where there is one. */
static void read_keyword(
    struct gs_str text, const char *key, struct gs_strv *ret)
{
	for (;;) {
		ptrdiff_t at = gs_str_find(text, gs_str(key));
		if (at < 0)
			return;
		text = gs_str_from(text, (size_t)at + strlen(key));
		struct gs_str value = text;
		while (value.n && strchr(" \t\r\n=:\"'", value.p[0]))
			value = gs_str_from(value, 1);
		if (value.n && (value.p[0] == '[' || value.p[0] == '('))
			text = add_list(gs_str_from(value, 1), ret);
	}
}

static void read_setup(struct gs_str text, struct gs_strv *ret)
{
	read_keyword(text, "install_requires", ret);
	read_keyword(text, "tests_require", ret);
	ptrdiff_t extras = gs_str_find(text, GS_STR("extras_require"));
	if (extras < 0)
		return;
	struct gs_str rest = gs_str_from(text, (size_t)extras);
	static const char *const keys[] = {"'test'", "\"test\"", "'tests'",
	    "\"tests\"", "'testing'", "\"testing\"", "'dev'", "\"dev\""};
	for (size_t i = 0; i < GS_COUNT(keys); i++)
		read_keyword(rest, keys[i], ret);
}

void gs_env_requirements(
    const char *file_name, struct gs_str bytes, struct gs_strv *ret)
{
	const char *slash = strrchr(file_name, '/');
	struct gs_str name = gs_str(slash ? slash + 1 : file_name);
	if (gs_str_is(name, "pyproject.toml"))
		read_pyproject(bytes, ret);
	else if (gs_str_is(name, "setup.cfg") || gs_str_is(name, "tox.ini"))
		read_ini(bytes, gs_str_is(name, "tox.ini"), ret);
	else if (gs_str_is(name, "setup.py"))
		read_setup(bytes, ret);
	else if (gs_str_ends(name, ".txt") &&
	         gs_str_contains(name, GS_STR("req")))
		read_lines(bytes, ret);
}

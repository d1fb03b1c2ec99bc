/* SPDX-License-Identifier: Apache-2.0 */
#include "path.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Is one of the folders of `path` one of these, in any mix of case? */
static bool below(const char *path, const char *const *names)
{
	const char *slash;

	for (; (slash = strchr(path, '/')); path = slash + 1) {
		size_t n = (size_t)(slash - path);

		for (size_t i = 0; names[i]; i++)
			if (strlen(names[i]) == n &&
			    strncasecmp(path, names[i], n) == 0)
				return true;
	}
	return false;
}

/* Python's fnmatch: `*` takes slashes too, and a backslash is nothing. */
static bool matches(const char *pattern, const char *text)
{
	return fnmatch(pattern, text, FNM_NOESCAPE) == 0;
}

static bool own_match(const char *path, const struct gv_patterns *own)
{
	const char *from = path;

	for (size_t i = 0; own && i < own->n; i++) {
		if (!strchr(own->v[i], '/')) {
			if (matches(own->v[i], gv_basename(path)))
				return true;
			continue;
		}
		for (from = path; from; from = strchr(from, '/')) {
			from += *from == '/';
			if (matches(own->v[i], from))
				return true;
		}
	}
	return false;
}

enum gv_class gv_class_of(const char *path, const struct gv_patterns *own)
{
	static const char *const tests[] = {"test", "tests", NULL};
	static const char *const vendor[] = {
	    "_vendor", "vendor", "third_party", "extern", NULL};
	static const char *const extra[] = {
	    "example", "examples", "benchmark", "benchmarks", NULL};
	static const char *const docs[] = {"doc", "docs", NULL};
	const char *name = gv_basename(path);
	bool python = gv_ends(name, ".py");

	if (below(path, tests) || gv_starts(path, "testing/"))
		return GV_TEST;
	if (python && (gv_starts(name, "test_") || gv_ends(name, "_test.py") ||
	                  strcmp(name, "tests.py") == 0 ||
	                  strcmp(name, "conftest.py") == 0 ||
	                  strcmp(path, "test.py") == 0 || own_match(path, own)))
		return GV_TEST;
	if (!python)
		return GV_OTHER;
	if (below(path, vendor))
		return GV_VENDORED;
	if (gv_ends(name, "_pb2.py") || strcmp(name, "versioneer.py") == 0 ||
	    strcmp(name, "_version.py") == 0)
		return GV_GENERATED;
	if (strcmp(name, "setup.py") == 0 || below(path, extra) ||
	    (strcmp(name, "conf.py") == 0 && below(path, docs)))
		return GV_AUXILIARY;
	return GV_SOURCE;
}

bool gv_collected(const char *path, const struct gv_patterns *own)
{
	const char *name = gv_basename(path);

	if (!gv_ends(name, ".py") || strcmp(name, "conftest.py") == 0 ||
	    gv_class_of(path, own) != GV_TEST)
		return false;
	return gv_starts(name, "test_") || gv_ends(name, "_test.py") ||
	       strcmp(name, "tests.py") == 0 || strcmp(path, "test.py") == 0 ||
	       own_match(path, own);
}

bool gv_is_config(const char *path)
{
	char *key = gv_format(" %s ", path);
	bool found =
	    !strchr(path, ' ') &&
	    strstr(" pytest.ini .pytest.ini pyproject.toml tox.ini setup.cfg ",
	        key);

	free(key);
	return found;
}

void gv_add_pattern(struct gv_patterns *to, const char *pattern)
{
	const char *rest = pattern + strspn(pattern, "*");

	/* it would make everything a test */
	if (rest != pattern && (!*rest || strcmp(rest, ".py") == 0))
		return;
	to->v = gv_grow(to->v, (to->n + 1) * sizeof(*to->v));
	to->v[to->n++] = gv_dup(pattern);
}

void gv_free_patterns(struct gv_patterns *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->v[i]);
	free(p->v);
	*p = (struct gv_patterns){0};
}

static bool right_section(const char *file, const char *line)
{
	static const char *const sections[][2] = {
	    {"pyproject.toml", "[tool.pytest.ini_options]"},
	    {"setup.cfg", "[tool:pytest]"}, {"", "[pytest]"}};

	for (size_t i = 0; i < GV_COUNT(sections); i++) {
		bool toml = strcmp(file, "pyproject.toml") == 0;

		if (toml != (i == 0))
			continue;
		if (gv_starts(line, sections[i][1]))
			return true;
	}
	return false;
}

/* The raw value of an option: its line behind the sign, and the lines that
 * go on with it (indented, or until the bracket of an array closes). */
static void option(const char *file, const struct gv_buf *text,
    const char *name, struct gv_buf *to)
{
	bool toml = strcmp(file, "pyproject.toml") == 0, inside = false;
	bool going = false;
	char *copy = gv_dup(gv_text(text)), *rest = copy, *line;

	while ((line = strsep(&rest, "\n"))) {
		size_t n = strlen(name);
		const char *sign;

		if (going && *line &&
		    (*line == ' ' || *line == '\t' ||
		        (toml && !strchr(to->s, ']')))) {
			gv_putf(to, "\n%s", line + strspn(line, " \t"));
			continue;
		}
		going = going && !*line;
		if (*line == '[')
			inside = right_section(file, line);
		sign = line + n +
		       strspn(gv_starts(line, name) ? line + n : "", " \t");
		if (!inside || !gv_starts(line, name) ||
		    (*sign != '=' && *sign != ':'))
			continue;
		going = true;
		gv_puts(to, sign + 1);
	}
	free(copy);
}

void gv_read_patterns(
    const char *name, const struct gv_buf *text, struct gv_patterns *to)
{
	struct gv_buf value = {0};
	char *rest, *word;

	option(name, text, "python_files", &value);
	rest = value.s;
	while (rest && (word = strsep(&rest, " \t\r\n\"',[]"))) {
		if (*word == '#')
			rest = rest ? strchr(rest, '\n') : NULL;
		else if (*word)
			gv_add_pattern(to, word);
	}
	gv_drop(&value);
}

/* `.git` as some file systems also take it. */
static bool names_git(const char *part, size_t n)
{
	char plain[16];
	size_t m = 0;

	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)part[i];

		/* code points that HFS+ does not see */
		if (i + 2 < n &&
		    ((c == 0xe2 && (unsigned char)part[i + 1] >= 0x80 &&
		         (unsigned char)part[i + 1] <= 0x81) ||
		        (c == 0xef && (unsigned char)part[i + 1] == 0xbb))) {
			i += 2;
			continue;
		}
		if (m == sizeof(plain) - 1)
			return false;
		plain[m++] = (char)c;
	}
	while (m && (plain[m - 1] == '.' || plain[m - 1] == ' '))
		m--;
	plain[m] = '\0';
	return strcasecmp(plain, ".git") == 0 ||
	       strcasecmp(plain, "git~1") == 0;
}

bool gv_writable_path(const char *path)
{
	const char *name = gv_basename(path);

	if (gv_ends(name, ".pyc"))
		return false;
	for (;;) {
		size_t n = strcspn(path, "/");

		if (!n || (n == 1 && *path == '.') ||
		    (n == 2 && !memcmp(path, "..", 2)))
			return false;
		if (n == 11 && memcmp(path, "__pycache__", 11) == 0)
			return false;
		if (names_git(path, n))
			return false;
		if (!path[n])
			return true;
		path += n + 1;
	}
}

bool gv_link_inside(const char *path, const char *target)
{
	int depth = 0;

	if (*target == '/' || !*target)
		return false;
	for (; *path; path++)
		depth += *path == '/';
	while (*target) {
		size_t n = strcspn(target, "/");

		if (n == 2 && memcmp(target, "..", 2) == 0)
			depth--;
		else if (n && !(n == 1 && *target == '.'))
			depth++;
		if (depth < 0)
			return false;
		target += n + (target[n] == '/');
	}
	return true;
}

char *gv_module_of(const char *path, const char *root)
{
	char *name;
	size_t n = strlen(root);

	if (strcmp(root, ".") != 0) {
		if (!gv_starts(path, root) || path[n] != '/')
			return NULL;
		path += n + 1;
	}
	if (!gv_ends(path, ".py"))
		return NULL;
	name = gv_dup(path);
	name[strlen(name) - 3] = '\0';
	if (gv_ends(name, "/__init__"))
		name[strlen(name) - 9] = '\0';
	for (char *c = name; *c; c++)
		if (*c == '/')
			*c = '.';
	return name;
}

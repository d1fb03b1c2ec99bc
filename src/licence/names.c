/* SPDX-License-Identifier: Apache-2.0 */
/* L1: which files are licence files, by name alone. */
#include "base/attr.h"
#include "licence/licence.h"

static bool is_stem(struct gs_str s)
{
	return gs_str_ieq(s, GS_STR("license")) ||
	       gs_str_ieq(s, GS_STR("licence")) ||
	       gs_str_ieq(s, GS_STR("copying")) ||
	       gs_str_ieq(s, GS_STR("unlicense")) ||
	       gs_str_ieq(s, GS_STR("unlicence"));
}

/* Programs and data that have to do with licences, but hold none. */
static bool is_other_kind(struct gs_str name)
{
	static const char *const ends[] = {".py", ".pyi", ".pyc", ".pyx",
	    ".ipynb", ".json", ".jsonl", ".js", ".ts", ".css", ".c", ".h",
	    ".cpp", ".go", ".rs", ".rb", ".java", ".sh", ".bat", ".ps1", ".pl",
	    ".toml", ".cfg", ".ini", ".conf", ".yml", ".yaml", ".xml", ".csv",
	    ".tsv", ".svg", ".png", ".jpg", ".gif", ".ico", ".po", ".pot",
	    ".mo", ".tmpl", ".j2", ".jinja", ".jinja2", ".in", ".sql", ".db"};
	for (size_t i = 0; i < GS_COUNT(ends); i++) {
		struct gs_str end = gs_str(ends[i]);
		if (name.n > end.n &&
		    gs_str_ieq(gs_str_from(name, name.n - end.n), end))
			return true;
	}
	return false;
}

/* What may stand right behind the stem: ".txt", "-MIT", "_APACHE", " (BSD)",
 * "3" and "v3" as in COPYING3; a plural where the name ends or goes on. */
static bool is_suffix(struct gs_str rest)
{
	if (rest.n > 0 && (rest.p[0] | 32) == 's')
		rest = gs_str_from(rest, 1);
	if (rest.n > 1 && (rest.p[0] | 32) == 'v')
		rest = gs_str_from(rest, 1);
	if (rest.n == 0)
		return true;
	char c = rest.p[0];
	return c == '.' || c == '-' || c == '_' || c == ' ' || c == '(' ||
	       c == '+' || (c >= '0' && c <= '9');
}

bool gs_licence_is_file_name(struct gs_str name)
{
	static const size_t lengths[] = {7, 9};
	if (is_other_kind(name))
		return false;
	for (size_t i = 0; i < GS_COUNT(lengths); i++)
		if (name.n >= lengths[i] &&
		    is_stem(gs_str_sub(name, 0, lengths[i])) &&
		    is_suffix(gs_str_from(name, lengths[i])))
			return true;
	return false;
}

bool gs_licence_is_folder_name(struct gs_str name)
{
	return gs_str_is(name, "LICENSES");
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What a path from a repository may be: the set that git refuses on any of
 * its platforms is refused here too, component by component. */
#include <limits.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "os/tree.h"

/* Code points that HFS+ passes over when it compares names, so that
 * ".g<U+200C>it" is ".git" there. */
static bool is_ignored_by_hfs(uint32_t c)
{
	return (c >= 0x200c && c <= 0x200f) || (c >= 0x202a && c <= 0x202e) ||
	       (c >= 0x206a && c <= 0x206f) || c == 0xfeff;
}

static bool is_git_on_hfs(struct gs_str name)
{
	char kept[5]; /* enough to tell ".git" from anything longer */
	size_t n = 0;

	while (name.n > 0 && n < sizeof(kept)) {
		uint32_t c = gs_utf8_next(&name);
		if (!is_ignored_by_hfs(c))
			kept[n++] = c < 0x80 ? (char)c : '?';
	}
	return gs_str_ieq(gs_str_n(kept, n), GS_STR(".git"));
}

/* ".git" or its short name on NTFS, with what NTFS drops behind it (dots,
 * spaces, ":stream") and with a backslash that begins a new component
 * there. */
static bool is_git_on_ntfs(struct gs_str name)
{
	size_t n = 0;

	if (gs_str_ieq(gs_str_sub(name, 0, 4), GS_STR(".git")))
		n = 4;
	else if (gs_str_ieq(gs_str_sub(name, 0, 5), GS_STR("git~1")))
		n = 5;
	else
		return false;
	while (n < name.n && (name.p[n] == '.' || name.p[n] == ' '))
		n++;
	return n == name.n || name.p[n] == ':' || name.p[n] == '\\';
}

static bool is_safe_name(struct gs_str name)
{
	struct gs_str part, rest = name;

	if (name.n == 0 || name.n > NAME_MAX || gs_str_is(name, ".") ||
	    gs_str_is(name, ".."))
		return false;
	/* Plain characters to Linux, but "a\.git\x" is three names to others.
	 */
	while (gs_str_cut(&rest, '\\', &part))
		if (is_git_on_ntfs(part))
			return false;
	return !is_git_on_hfs(name);
}

bool gs_path_is_safe(struct gs_str path)
{
	size_t depth = 0;

	if (path.n == 0 || path.n >= PATH_MAX || path.p[path.n - 1] == '/' ||
	    gs_str_find_char(path, '\0') >= 0)
		return false;
	for (struct gs_str name; gs_str_cut(&path, '/', &name); depth++)
		if (!is_safe_name(name))
			return false;
	return depth <= GS_MAX_TREE_DEPTH;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "git/tree.h"

#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"

/* Old tools wrote 100664 and the like; git reads them so. */
static unsigned canonical(unsigned mode)
{
	if (S_ISREG(mode))
		return mode & 0100 ? 0100755 : 0100644;
	if (S_ISLNK(mode))
		return GS_MODE_LINK;
	return S_ISDIR(mode) ? GS_MODE_DIR : GS_MODE_GITLINK;
}

static bool parse_mode(struct gs_str digits, unsigned *ret)
{
	unsigned mode = 0;

	if (digits.n == 0 || digits.n > 7)
		return false;
	for (size_t i = 0; i < digits.n; i++) {
		if (digits.p[i] < '0' || digits.p[i] > '7')
			return false;
		mode = mode * 8 + (unsigned)(digits.p[i] - '0');
	}
	*ret = canonical(mode);
	return true;
}

int gs_tree_next(struct gs_str *bytes, size_t id_size,
    struct gs_tree_entry *ret, struct gs_err *err)
{
	struct gs_str rest = *bytes, mode, name;
	struct gs_tree_entry entry = {0};

	if (rest.n == 0)
		return 0;
	if (!gs_str_cut(&rest, ' ', &mode) || !parse_mode(mode, &entry.mode) ||
	    !gs_str_cut(&rest, '\0', &name) || name.n == 0 || rest.n < id_size)
		return gs_fail(
		    err, GS_E_CORRUPT, "the tree object is malformed");
	if (gs_str_find_char(name, '/') >= 0)
		return gs_fail(err, GS_E_CORRUPT,
		    "the tree object has a name with a slash");
	entry.name = name;
	gs_hex((const unsigned char *)rest.p, id_size, entry.id.hex);
	*bytes = gs_str_from(rest, id_size);
	*ret = entry;
	return 1;
}

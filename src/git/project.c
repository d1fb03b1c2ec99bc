/* SPDX-License-Identifier: Apache-2.0 */
#include "git/project.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"

/* O6.5: the value of `key = "x"`, `key="x"`, `key = x` at the beginning of a
 * line (white space before it allowed), when it is a plain name or version. */
static char *assigned_value(struct gs_str text, const char *key)
{
	struct gs_str line;
	while (text.n && gs_str_cut(&text, '\n', &line)) {
		line = gs_str_trim(line);
		if (!gs_str_starts(line, key))
			continue;
		line = gs_str_trim(gs_str_from(line, strlen(key)));
		if (!gs_str_starts(line, "="))
			continue;
		line = gs_str_trim(gs_str_from(line, 1));
		if (line.n && (line.p[0] == '"' || line.p[0] == '\''))
			line = gs_str_from(line, 1);
		size_t n = 0;
		while (n < line.n && (isalnum((unsigned char)line.p[n]) ||
		                         strchr("._-+", line.p[n])))
			n++;
		if (n > 0)
			return gs_strndup(line.p, n);
	}
	return NULL;
}

int gs_project_identity(struct gs_objects *objects,
    const struct gs_listing *tree, char **ret_name, char **ret_version,
    struct gs_err *err)
{
	static const char *const files[] = {
	    "pyproject.toml", "setup.cfg", "setup.py"};
	for (size_t i = 0; i < GS_COUNT(files) && !*ret_name; i++) {
		const struct gs_entry *entry =
		    gs_listing_find(tree, gs_str(files[i]));
		if (!gs_entry_is_file(entry))
			continue;
		GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};
		int rc = gs_objects_read(
		    objects, entry->id.hex, GS_MAX_PYTHON_FILE, &bytes, err);
		if (rc == GS_E_LIMIT)
			continue;
		if (rc)
			return rc;
		*ret_name = assigned_value(gs_buf_str(&bytes), "name");
		if (*ret_name)
			*ret_version =
			    assigned_value(gs_buf_str(&bytes), "version");
	}
	/* A version must look like one: "attr" or a variable's name does not.
	 */
	if (*ret_version && !isdigit((unsigned char)**ret_version)) {
		free(*ret_version);
		*ret_version = NULL;
	}
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "run/shim.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "os/file.h"
#include "os/tree.h"
#include "run/run.h"

static const struct shim {
	unsigned bit;
	const char *name;
} table[] = {
    {GS_SHIM_COLLECTIONS, "collections"},
    {GS_SHIM_INSPECT, "inspect"},
    {GS_SHIM_PYTEST, "pytest"},
    {GS_SHIM_STDLIB, "stdlib"},
    {GS_SHIM_DISTRIBUTION, "distribution"},
};

char *gs_shim_names(unsigned shims)
{
	struct gs_buf names = {0};
	for (size_t i = 0; i < GS_COUNT(table); i++)
		if (shims & table[i].bit)
			gs_buf_addf(
			    &names, "%s%s", names.n ? "," : "", table[i].name);
	return gs_buf_steal(&names);
}

int gs_shim_parse(const char *names, unsigned *ret, struct gs_err *err)
{
	unsigned bits = 0;
	struct gs_str rest = gs_str(names), name;
	while (gs_str_cut(&rest, ',', &name)) {
		unsigned bit = gs_str_is(name, "all") ? GS_SHIM_ALL : 0;
		for (size_t i = 0; i < GS_COUNT(table); i++)
			if (gs_str_is(name, table[i].name))
				bit = table[i].bit;
		if (!bit)
			return gs_fail(err, GS_E_USAGE,
			    "'%.*s' is not a shim; there are collections, "
			    "inspect, pytest, stdlib, distribution and all",
			    GS_STR_ARG(name));
		bits |= bit;
	}
	*ret = bits;
	return 0;
}

/* A name or version as a part of a folder's name; importlib.metadata finds
 * "my-pkg" only where it is written my_pkg. */
static char *folder_part(const char *text)
{
	struct gs_buf part = {0};
	for (; *text; text++)
		if (*text != '-' && *text != '_')
			gs_buf_addf(&part, "%c", *text);
		else if (!part.n || part.p[part.n - 1] != '_')
			gs_buf_addz(&part, "_");
	return gs_buf_steal(&part);
}

int gs_shim_write_distribution(
    const char *dir, const char *name, const char *version, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *name_part = folder_part(name);
	GS_CLEANUP(gs_freep)
	char *version_part = folder_part(version ? version : "0");
	GS_CLEANUP(gs_freep)
	char *folder =
	    gs_format("%s/%s-%s.dist-info", dir, name_part, version_part);
	GS_CLEANUP(gs_freep)
	char *text = gs_format("Metadata-Version: 2.1\nName: %s\nVersion: %s\n",
	    name, version ? version : "0");
	GS_CLEANUP(gs_freep) char *path = gs_path_join(folder, "METADATA");
	int rc = gs_dir_make(folder, 0755, err);
	if (rc == 0)
		rc = gs_file_write(path, gs_str(text), 0644, err);
	return rc;
}

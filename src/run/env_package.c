/* SPDX-License-Identifier: Apache-2.0 */
/* Which Debian package brings a Python module. */
#include <ctype.h>
#include <string.h>

#include "base/mem.h"
#include "os/clock.h"
#include "os/proc.h"
#include "run/env.h"

/* Only what is not python3-<module> in lower case with dashes. */
static const struct row {
	const char *module, *package;
} rows[] = {
    {"Crypto", "python3-pycryptodome"},
    {"Cryptodome", "python3-pycryptodome"},
    {"Cython", "cython3"},
    {"MySQLdb", "python3-mysqldb"},
    {"OpenSSL", "python3-openssl"},
    {"PIL", "python3-pil"},
    {"attrs", "python3-attr"},
    {"bson", "python3-bson"},
    {"cv2", "python3-opencv"},
    {"dns", "python3-dnspython"},
    {"factory", "python3-factory-boy"},
    {"faker", "python3-fake-factory"},
    {"flask_sqlalchemy", "python3-flask-sqlalchemy"},
    {"google", "python3-protobuf"},
    {"gridfs", "python3-gridfs"},
    {"nacl", "python3-nacl"},
    {"osgeo", "python3-gdal"},
    {"pysnmp", "python3-pysnmp4"},
    {"pytz", "python3-tz"},
    {"rest_framework", "python3-djangorestframework"},
    {"ruamel", "python3-ruamel.yaml"},
    {"tkinter", "python3-tk"},
    {"werkzeug", "python3-werkzeug"},
    {"xdist", "python3-pytest-xdist"},
    {"zope", "python3-zope.interface"},
};

static char *usual_name(const char *module)
{
	char *name = gs_format("python3-%s", module);
	for (char *c = name + strlen("python3-"); *c; c++)
		*c = *c == '_' ? '-' : (char)tolower((unsigned char)*c);
	return name;
}

static char *find_in_table(const char *module)
{
	for (size_t i = 0; i < GS_COUNT(rows); i++)
		if (strcmp(rows[i].module, module) == 0)
			return gs_strdup(rows[i].package);
	return NULL;
}

/* A module's first part is made of what may stand in a Python name: it can
 * be no option of the program that is asked. */
static bool is_module_name(const char *module)
{
	if (!isalpha((unsigned char)module[0]) && module[0] != '_')
		return false;
	for (const char *c = module; *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '_')
			return false;
	return true;
}

static bool is_package(const char *name)
{
	char *argv[] = {
	    (char[]){"apt-cache"}, (char[]){"pkgnames"}, gs_strdup(name), NULL};
	GS_CLEANUP(gs_freep) char *owned = argv[2];
	const struct gs_child child = {.argv = argv};
	GS_CLEANUP(gs_buf_release) struct gs_buf out = {.max = 1 << 20};
	const struct gs_proc_io io = {
	    .out = &out, .deadline_ms = gs_clock_ms() + 10000, .side_fd = -1};
	struct gs_end end;
	if (gs_proc_run(&child, &io, &end, NULL) < 0)
		return false;
	struct gs_str rest = gs_buf_str(&out), line;
	while (gs_str_cut(&rest, '\n', &line))
		if (gs_str_is(line, owned))
			return true;
	return false;
}

char *gs_env_package_of(const char *module)
{
	const char *dot = strchr(module, '.');
	GS_CLEANUP(gs_freep)
	char *top =
	    gs_strndup(module, dot ? (size_t)(dot - module) : strlen(module));
	if (!is_module_name(top))
		return NULL;
	char *known = find_in_table(top);
	if (known)
		return known;
	GS_CLEANUP(gs_freep) char *name = usual_name(top);
	return is_package(name) ? gs_steal(&name) : NULL;
}

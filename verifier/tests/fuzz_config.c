/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a project's configuration, and as one of its paths. */
#include <stdlib.h>

#include "fuzz.h"
#include "help.h"
#include "path.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	static const char *const names[] = {
	    "pyproject.toml", "setup.cfg", "pytest.ini"};
	struct gv_patterns own = {0};
	char *name, *version, *module;

	for (size_t i = 0; i < GV_COUNT(names); i++) {
		struct gv_entry entry = {.path = gv_loose(names[i]),
		    .mode = 0100644,
		    .loaded = true};
		struct gv_tree tree = {&entry, 1};
		struct gv_help help = {0};

		gv_put(&entry.bytes, bytes, n);
		gv_read_config(NULL, &tree, &help);
		gv_free_help(&help);
		gv_distribution(NULL, &tree, &name, &version);
		if (!name != !version)
			__builtin_trap();
		free(name);
		free(version);
		gv_read_patterns(names[i], &entry.bytes, &own);
		(void)gv_class_of(gv_text(&entry.bytes), &own);
		(void)gv_writable_path(gv_text(&entry.bytes));
		(void)gv_link_inside("a/b", gv_text(&entry.bytes));
		module = gv_module_of(gv_text(&entry.bytes), ".");
		free(module);
		gv_drop(&entry.bytes);
	}
	gv_free_patterns(&own);
	return 0;
}

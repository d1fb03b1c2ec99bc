/* SPDX-License-Identifier: Apache-2.0 */
/* Which configuration pytest gets (S6), and what a project is called (O6.5). */
#include <string.h>

#include "help.h"
#include "test.h"

static struct gv_entry entries[4];

/* A tree of these files, in the order of their names: name, text, …, NULL. */
static struct gv_tree tree_of(const char *const *files)
{
	struct gv_tree tree = {entries, 0};

	for (; files[0]; files += 2) {
		struct gv_entry *e = &entries[tree.n++];

		gv_drop(&e->bytes);
		*e = (struct gv_entry){.path = gv_loose(files[0]),
		    .mode = 0100644,
		    .loaded = true};
		gv_puts(&e->bytes, files[1]);
	}
	return tree;
}

static const struct row {
	const char *what, *files[7], *file, *options;
} rows[] = {
    {"no file", {"setup.py", "x"}, "", ""},
    {"pytest.ini goes first, empty or not",
        {"pytest.ini", "", "tox.ini", "[pytest]\na = 1\n"},
        "/box/tree/pytest.ini", ""},
    {"a file without the section is none",
        {"pyproject.toml", "[tool.x]\na = 1\n", "tox.ini",
            "[pytest]\naddopts = -x --import-mode importlib\n"},
        "/box/tree/tox.ini", "--import-mode=importlib "},
    {"an array in TOML",
        {"pyproject.toml",
            "[ tool.pytest.ini_options ]\naddopts = [\n  \"-ra\",\n"
            "  \"--import-mode=append\", # [\n]\n[tool.y]\nz = 1\n"},
        "/box/tree/pyproject.toml", "--import-mode=append "},
    {"asyncio's mode",
        {"setup.cfg",
            "[tool:pytest]\naddopts =\n  -q\n  --asyncio-mode=auto\n"},
        "/box/tree/setup.cfg", "-o asyncio_mode=auto "},
    {"a section that pytest refuses",
        {"setup.cfg", "[pytest]\naddopts = -x\nminversion = 2\n"
                      "python_files: a.py\n   b.py\n"},
        "/box/help/empty.ini", "-o python_files=a.py\nb.py "},
    {"the section of today goes first",
        {"setup.cfg", "[pytest]\na = 1\n[tool:pytest]\nb = 2\n"},
        "/box/tree/setup.cfg", ""},
};

static void config(const struct row *row) /* S6 */
{
	struct gv_tree tree = tree_of(row->files);
	struct gv_help help = {0};
	struct gv_buf said = {0};

	gv_read_config(NULL, &tree, &help);
	for (size_t i = 0; help.options && help.options[i]; i++)
		gv_putf(&said, "%s ", help.options[i]);
	test(strcmp(help.file ? help.file : "", row->file) == 0 &&
	         strcmp(gv_text(&said), row->options) == 0,
	    "S6 %s: %s %s", row->what, help.file ? help.file : "none",
	    strchr(gv_text(&said), '\n') ? "…" : gv_text(&said));
	gv_drop(&said);
	gv_free_help(&help);
}

static const struct named {
	const char *files[7], *name, *version;
} named[] = {
    {{"pyproject.toml", "[project]\nname=\"a-b.c\"\nversion = '1.2'\n"},
        "a-b.c", "1.2"},
    {{"pyproject.toml", "[tool.x]\n", "setup.cfg",
         "[metadata]\nname = x\nversion = attr: x.v\n"},
        "x", "0"},
    {{"setup.py", "setup(\r\n    name='n',\r\n    version = \"3\",\r\n)"}, "n",
        "3"},
    {{"setup.py", "setup(name='n')\nnames = 1\n"}, "", ""},
};

static void distribution(const struct named *row) /* O6.5 */
{
	struct gv_tree tree = tree_of(row->files);
	char *name, *version;

	gv_distribution(NULL, &tree, &name, &version);
	test(strcmp(name ? name : "", row->name) == 0 &&
	         strcmp(version ? version : "", row->version) == 0,
	    "O6.5 %s is %s %s", row->files[0], name ? name : "nothing",
	    version ? version : "");
	free(name);
	free(version);
}

int main(void)
{
	char *strange = gv_strange_shim("collections,stdlib,six");

	for (size_t i = 0; i < GV_COUNT(rows); i++)
		config(&rows[i]);
	for (size_t i = 0; i < GV_COUNT(named); i++)
		distribution(&named[i]);
	test(strange && strcmp(strange, "six") == 0 &&
	         !gv_strange_shim("pytest,distribution"),
	    "O6 a shim that there is not");
	free(strange);
	for (size_t i = 0; i < GV_COUNT(entries); i++)
		gv_drop(&entries[i].bytes);
	return test_end();
}

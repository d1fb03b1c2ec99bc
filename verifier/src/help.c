/* SPDX-License-Identifier: Apache-2.0 */
#include "help.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "jail.h"

extern const char gv_carried_help[];

#define BLANKS " \t\r\f\v"

/* Cuts blanks at both ends, in place. */
static char *bare(char *line)
{
	size_t n;

	line += strspn(line, BLANKS);
	n = strlen(line);
	while (n && strchr(BLANKS, line[n - 1]))
		line[--n] = '\0';
	return line;
}

static int brackets(const char *s)
{
	int depth = 0;

	for (; *s; s++)
		depth += (*s == '[') - (*s == ']');
	return depth;
}

/* where a reader of a configuration file is */
struct reader {
	const char *section;
	bool toml, inside;
	int depth; /* of an array in TOML that goes on */
	char *key; /* that a line may go on with */
	json_t *to;
};

static bool is_section(const struct reader *r, const char *line)
{
	struct gv_buf name = {0};
	bool same;

	gv_put(&name, "", 0);
	for (line++; *line && *line != ']'; line++)
		if (!strchr(r->toml ? " \t\"'[" : "", *line))
			gv_put(&name, line, 1);
	same = strcmp(bare(name.s), r->section) == 0;
	gv_drop(&name);
	return same;
}

static void more(struct reader *r, const char *line)
{
	const char *old = json_string_value(json_object_get(r->to, r->key));
	char *all =
	    gv_format("%s%s%s", old ? old : "", r->toml ? " " : "\n", line);

	json_object_set_new(r->to, r->key, json_string(all));
	free(all);
}

static void begin_key(struct reader *r, char *line)
{
	size_t sign = strcspn(line, r->toml ? "=" : "=:");
	char *value = line + sign + 1, *key = line;

	if (!line[sign])
		return;
	line[sign] = '\0';
	key = bare(key);
	if (r->toml && (*key == '"' || *key == '\'')) {
		key++;
		key[strcspn(key, "\"'")] = '\0';
	}
	free(r->key);
	r->key = gv_dup(key);
	json_object_set_new(r->to, key, json_string(bare(value)));
	r->depth = r->toml ? brackets(value) : 0;
}

static void take_line(struct reader *r, char *line)
{
	bool indented = *line && strchr(BLANKS, *line);
	char *text = bare(line);

	if (*line == '[' && !r->depth) {
		r->inside = is_section(r, line);
		free(r->key);
		r->key = NULL;
	} else if (!r->inside || !*text || *text == '#' ||
	           (!r->toml && *text == ';')) {
		return;
	} else if (r->key && (r->toml ? r->depth > 0 : indented)) {
		more(r, text);
		r->depth += r->toml ? brackets(text) : 0;
	} else {
		begin_key(r, text);
	}
}

/* The keys of a section with their texts, read leniently; pytest itself
 * reads the file in earnest. */
static json_t *section(const struct gv_buf *text, const char *name, bool toml)
{
	struct reader r = {.section = name, .toml = toml, .to = json_object()};
	char *copy = gv_dup(gv_text(text)), *rest = copy, *line;

	while ((line = strsep(&rest, "\n")))
		take_line(&r, line);
	free(r.key);
	free(copy);
	return r.to;
}

static struct gv_entry *plain_file(const struct gv_tree *tree, const char *path)
{
	struct gv_entry *e = gv_find(tree, path);

	return e && (e->mode & 0170000) == 0100000 ? e : NULL;
}

static void add_option(struct gv_help *to, char *word)
{
	size_t n = 0;

	while (to->options && to->options[n])
		n++;
	to->options = gv_grow(to->options, (n + 2) * sizeof(*to->options));
	to->options[n] = word;
	to->options[n + 1] = NULL;
}

static void set_ini(struct gv_help *to, const char *key, const char *value)
{
	add_option(to, gv_dup("-o"));
	add_option(to, gv_format("%s=%s", key, value));
}

/* What stays of addopts; plugins are those that the evidence names. */
static void keep_addopts(struct gv_help *to)
{
	const char *value =
	    json_string_value(json_object_get(to->keys, "addopts"));
	char *copy = gv_dup(value ? value : ""), *rest = copy, *word;

	while ((word = strsep(&rest, " \t\r\n\"',[]"))) {
		if (gv_starts(word, "--import-mode=")) {
			add_option(to, gv_dup(word));
		} else if (strcmp(word, "--import-mode") == 0 && rest) {
			rest += strspn(rest, " \t\r\n\"',[]");
			add_option(
			    to, gv_format("--import-mode=%.*s",
			            (int)strcspn(rest, " \t\r\n\"',[]"), rest));
		} else if (gv_starts(word, "--asyncio-mode=")) {
			set_ini(to, "asyncio_mode",
			    word + strlen("--asyncio-mode="));
		}
	}
	free(copy);
}

/* setup.cfg's [pytest] of old, which pytest refuses to read. */
static void old_section(
    struct gv_repo *repo, struct gv_tree *tree, struct gv_help *to)
{
	struct gv_entry *e = plain_file(tree, "setup.cfg");
	const char *key;
	json_t *value;

	if (!e)
		return;
	json_decref(to->keys);
	to->keys = section(gv_bytes(repo, e), "pytest", false);
	if (json_object_size(to->keys))
		to->file = gv_dup(GV_HELP "/empty.ini");
	json_object_foreach(
	    to->keys, key, value) if (strcmp(key, "addopts") &&
	                              strcmp(key, "required_plugins") &&
	                              strcmp(key, "minversion"))
	    set_ini(to, key, json_string_value(value));
}

void gv_read_config(
    struct gv_repo *repo, struct gv_tree *tree, struct gv_help *to)
{
	static const char *const files[][2] = {{"pytest.ini", "pytest"},
	    {".pytest.ini", "pytest"},
	    {"pyproject.toml", "tool.pytest.ini_options"},
	    {"tox.ini", "pytest"}, {"setup.cfg", "tool:pytest"}};

	to->keys = json_object();
	for (size_t i = 0; i < GV_COUNT(files) && !to->file; i++) {
		struct gv_entry *e = plain_file(tree, files[i][0]);
		const struct gv_buf *text = e ? gv_bytes(repo, e) : NULL;

		if (!e)
			continue;
		json_decref(to->keys);
		to->keys =
		    section(text, files[i][1], gv_ends(files[i][0], ".toml"));
		if (json_object_size(to->keys) || i == 0 || (i == 1 && text->n))
			to->file = gv_format(GV_TREE "/%s", files[i][0]);
	}
	if (!to->file)
		old_section(repo, tree, to);
	keep_addopts(to);
}

/* O6.5: the first line that gives a value to the key. */
static char *assigned(const struct gv_buf *text, const char *key)
{
	char *copy = gv_dup(gv_text(text)), *rest = copy, *line, *value = NULL;

	while (!value && (line = strsep(&rest, "\n"))) {
		size_t n = 0;

		line = bare(line);
		if (!gv_starts(line, key))
			continue;
		line = bare(line + strlen(key));
		if (*line != '=')
			continue;
		line = bare(line + 1);
		line += *line == '"' || *line == '\'';
		while (isalnum((unsigned char)line[n]) ||
		       (line[n] && strchr("._-+", line[n])))
			n++;
		if (n)
			value = gv_format("%.*s", (int)n, line);
	}
	free(copy);
	return value;
}

void gv_distribution(
    struct gv_repo *repo, struct gv_tree *tree, char **name, char **version)
{
	static const char *const files[] = {
	    "pyproject.toml", "setup.cfg", "setup.py"};

	*name = *version = NULL;
	for (size_t i = 0; i < GV_COUNT(files) && !*name; i++) {
		struct gv_entry *e = plain_file(tree, files[i]);

		if (!e)
			continue;
		*name = assigned(gv_bytes(repo, e), "name");
		if (*name)
			*version = assigned(gv_bytes(repo, e), "version");
	}
	if (*version && !isdigit((unsigned char)**version)) {
		free(*version);
		*version = NULL;
	}
	if (*name && !*version)
		*version = gv_dup("0");
}

/* As a part of a folder's name. */
static char *escaped(const char *text)
{
	struct gv_buf to = {0};

	gv_put(&to, "", 0);
	for (; *text; text++)
		if (!strchr("-_", *text))
			gv_put(&to, text, 1);
		else if (!to.n || to.s[to.n - 1] != '_')
			gv_puts(&to, "_");
	return to.s;
}

/* The record of the project itself; gives its version. */
static char *write_distribution(
    struct gv_repo *repo, struct gv_tree *tree, const char *folder)
{
	char *name, *version, *left, *right, *path, *text;

	gv_distribution(repo, tree, &name, &version);
	if (!name)
		return gv_dup("");
	left = escaped(name);
	right = escaped(version);
	path = gv_format("%s/dist", folder);
	gv_mkdir(path);
	free(path);
	path = gv_format("%s/dist/%s-%s.dist-info", folder, left, right);
	gv_mkdir(path);
	free(path);
	path =
	    gv_format("%s/dist/%s-%s.dist-info/METADATA", folder, left, right);
	text = gv_format(
	    "Metadata-Version: 2.1\nName: %s\nVersion: %s\n", name, version);
	gv_write(path, text, strlen(text), 0644);
	free(path);
	free(text);
	free(left);
	free(right);
	free(name);
	return version;
}

static json_t *words_of(const char *list)
{
	char *copy = gv_dup(list), *rest = copy, *word;
	json_t *words = json_array();

	while ((word = strsep(&rest, " ,\n[]\"")))
		if (*word)
			json_array_append_new(words, json_string(word));
	free(copy);
	return words;
}

char *gv_strange_shim(const char *shims)
{
	static const char known[] =
	    " collections inspect pytest stdlib distribution ";
	json_t *words = words_of(shims), *word;
	char *strange = NULL;
	size_t i;

	json_array_foreach(words, i, word)
	{
		const char *name = json_string_value(word);
		char *key = gv_format(" %s ", name ? name : "");

		if (!strange && !strstr(known, key))
			strange = gv_dup(name ? name : "");
		free(key);
	}
	json_decref(words);
	return strange;
}

/* Only names that a key can have. */
static json_t *key_names(json_t *keys)
{
	json_t *names = json_array(), *value;
	const char *key;

	json_object_foreach(keys, key, value)
	{
		size_t n = 0;

		while (isalnum((unsigned char)key[n]) || key[n] == '_')
			n++;
		if (n && !key[n] && !isdigit((unsigned char)*key))
			json_array_append_new(names, json_string(key));
	}
	return names;
}

void gv_write_help(struct gv_repo *repo, struct gv_tree *tree,
    const char *shims, const char *path, struct gv_help *help)
{
	char *script = gv_format("%s/gv_help.py", help->folder);
	char *ask = gv_format("%s/ask.json", help->folder);
	char *empty = gv_format("%s/empty.ini", help->folder);
	char *version, *text;
	json_t *all;

	gv_rmtree(help->folder);
	gv_mkdir(help->folder);
	version = write_distribution(repo, tree, help->folder);
	all = json_pack("{s:o,s:s,s:o,s:s}", "shims", words_of(shims),
	    "version", version, "keys", key_names(help->keys), "path",
	    path ? path : "");
	text = all ? json_dumps(all, JSON_COMPACT) : NULL;
	if (!text)
		gv_die("the plugin cannot be told what to do");
	gv_write(script, gv_carried_help, strlen(gv_carried_help), 0644);
	gv_write(ask, text, strlen(text), 0644);
	gv_write(empty, "", 0, 0644);
	json_decref(all);
	free(version);
	free(text);
	free(script);
	free(ask);
	free(empty);
}

void gv_free_help(struct gv_help *help)
{
	for (size_t i = 0; help->options && help->options[i]; i++)
		free(help->options[i]);
	free(help->options);
	free(help->folder);
	free(help->file);
	json_decref(help->keys);
	*help = (struct gv_help){0};
}

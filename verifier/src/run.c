/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern const char gv_carried_look[];

static char *fresh_folder(struct gv_bench *bench, const char *name, int uid)
{
	char *path = gv_format("%s/%s", bench->folder, name);

	gv_rmtree(path);
	gv_mkdir(path);
	if (uid >= 0 && chown(path, (uid_t)uid, (gid_t)uid) < 0)
		gv_die("cannot give %s away", path);
	return path;
}

/* The status must say what the report says (O3). */
static char *disagreement(const struct gv_run *run)
{
	const struct gv_report *r = &run->report;
	int status = run->end.status;

	if (status > 128)
		return gv_format("it ended by signal %d", status - 128);
	if ((status == 0 && !r->failed && r->n) || (status == 1 && r->failed) ||
	    (status == 5 && !r->n))
		return NULL;
	return gv_format(
	    "it ended with status %d, while its report has %zu tests "
	    "with %zu failures",
	    status, r->n, r->failed);
}

static void read_results(const char *out, const char *log, struct gv_run *to)
{
	struct gv_buf xml = {0}, said = {0};
	char *path = gv_format("%s/junit.xml", out);

	if (to->end.timeout) {
		to->trouble = gv_format(
		    "it did not end in %d s", (int)(to->end.ms / 1000));
	} else if (!gv_read_result(path, &xml) ||
	           !gv_read_junit(&xml, &to->report)) {
		to->trouble =
		    gv_format("it ended with status %d and without a whole "
		              "report",
		        to->end.status);
	} else {
		to->trouble = disagreement(to);
	}
	if (gv_read(log, &said) && said.n && strstr(said.s, "\nXPASS "))
		to->xpassed = gv_dup(said.s);
	free(path);
	gv_drop(&xml);
	gv_drop(&said);
}

void gv_pytest(struct gv_bench *bench, struct gv_tree *tree, char *const *what,
    const char *without, struct gv_run *to)
{
	static const char junit[] = "--junitxml=" GV_OUT "/junit.xml";
	static const char *const always[] = {"-m", "pytest", "-p",
	    "no:cacheprovider", "-p", "no:unraisableexception",
	    "--rootdir=/box/tree", "--confcutdir=/box/tree", "-o",
	    "addopts=", "-o", "required_plugins=", "-o", "junit_family=xunit1",
	    junit, "--continue-on-collection-errors", "-q", "-rX", "--tb=line"};
	int uid = gv_jail_uid();
	char *out = fresh_folder(bench, "out", uid);
	char *folder = fresh_folder(bench, "tree", uid);
	char *log = gv_format("%s/log", bench->folder);
	char *path = gv_format("%s%s" GV_HELP, bench->path ? bench->path : "",
	    bench->path && *bench->path ? ":" : "");
	struct gv_jail jail = {bench->python, folder, out, log, path,
	    bench->help.folder, .seed = bench->runs++,
	    .timeout_ms = bench->timeout_ms, .uid = uid,
	    .days_ahead = bench->days_ahead};
	size_t n = 0, m = 0, p = 0, o = 0;
	char **argv;

	while (what[m])
		m++;
	while (bench->plugins && bench->plugins[p])
		p++;
	while (bench->help.options && bench->help.options[o])
		o++;
	argv = gv_alloc((GV_COUNT(always) + m + 2 * p + o + 8) * sizeof(*argv));
	for (; n < GV_COUNT(always); n++)
		argv[n] = gv_dup(always[n]);
	for (size_t i = 0; i < p; i++) {
		argv[n++] = gv_dup("-p");
		argv[n++] = bench->plugins[i];
	}
	for (size_t i = 0; i < o; i++)
		argv[n++] = bench->help.options[i];
	if (bench->help.file) {
		argv[n++] = gv_dup("-c");
		argv[n++] = bench->help.file;
	}
	/* the last one: it makes known what no other plugin does */
	argv[n++] = gv_dup("-p");
	argv[n++] = gv_dup("gv_help");
	if (without)
		argv[n++] = gv_format("--deselect=%s", without);
	for (size_t i = 0; i < m; i++)
		argv[n++] =
		    *what[i] == '-' ? gv_format("./%s", what[i]) : what[i];
	jail.argv = argv;
	*to = (struct gv_run){0};
	gv_need_space(bench->folder);
	gv_write_tree(bench->repo, tree, folder, uid);
	gv_jail(&jail, &to->end);
	gv_need_space(bench->folder);
	read_results(out, log, to);
	free(argv);
	free(path);
	free(out);
	free(folder);
	free(log);
}

enum gv_outcome gv_seen(
    const struct gv_run *run, const char *id, const char **message)
{
	enum gv_outcome outcome = gv_outcome_of(&run->report, id, message);

	if (outcome == GV_PASSED && run->xpassed) {
		char *line = gv_format("\nXPASS %s", id);
		const char *at = strstr(run->xpassed, line);

		if (at && strchr(" \n", at[strlen(line)]))
			outcome = GV_SKIPPED;
		free(line);
	}
	return outcome;
}

char *gv_look_folder(struct gv_bench *bench)
{
	return fresh_folder(bench, "look", gv_jail_uid());
}

json_t *gv_look(struct gv_bench *bench, json_t *files)
{
	char *folder = gv_format("%s/look", bench->folder);
	char *log = gv_format("%s/log", bench->folder);
	char *ask = gv_format("%s/ask.json", folder);
	char *script = gv_format("%s/look.py", folder);
	char *seen = gv_format("%s/seen.json", folder);
	char *text = json_dumps(files, JSON_COMPACT);
	char *argv[] = {
	    gv_loose("-I"), gv_loose("-S"), gv_loose(GV_OUT "/look.py"), NULL};
	struct gv_jail jail = {bench->python, NULL, folder, log, NULL,
	    .timeout_ms = 60000, .uid = gv_jail_uid(), .argv = argv};
	struct gv_buf answer = {0}, said = {0};
	struct gv_end end;
	json_t *all;

	gv_write(ask, text, strlen(text), 0644);
	gv_write(script, gv_carried_look, strlen(gv_carried_look), 0644);
	gv_jail(&jail, &end);
	(void)gv_read(log, &said);
	if (end.timeout || end.status || !gv_read_result(seen, &answer))
		gv_die("Python could not look at the sources: %.300s",
		    gv_text(&said));
	all = json_loadb(answer.s, answer.n, JSON_ALLOW_NUL, NULL);
	if (!json_is_array(all) ||
	    json_array_size(all) != json_array_size(files))
		gv_die("Python's answer about the sources cannot be read");
	free(folder);
	free(log);
	free(ask);
	free(script);
	free(seen);
	free(text);
	gv_drop(&answer);
	gv_drop(&said);
	return all;
}

static bool ends_word(const char *text, const char *end, const char *word)
{
	size_t n = strlen(word);

	return (size_t)(end - text) >= n && memcmp(end - n, word, n) == 0;
}

/* Is the name at `at` one that is imported: `import x`, `from x`, or x as the
 * argument of a function that imports? A name in passing is none: "regex" or
 * "ply" stand in many a text. */
static bool is_import(const char *text, const char *at, size_t n)
{
	static const char *const words[] = {
	    "import", "from", "importorskip", "import_module", "__import__"};
	const char *end = at;

	if (isalnum((unsigned char)at[n]) || at[n] == '_')
		return false;
	while (end > text && strchr(" \t('\"", end[-1]))
		end--;
	for (size_t i = 0; end < at && i < GV_COUNT(words); i++)
		if (ends_word(text, end, words[i]))
			return true;
	return false;
}

static bool is_imported(const char *text, const char *name)
{
	for (const char *at = text; (at = strstr(at, name)); at++)
		if (is_import(text, at, strlen(name)))
			return true;
	return false;
}

/* Does a Python file of the tree import this distribution's module? */
static bool is_named(struct gv_repo *repo, struct gv_tree *tree, const char *of)
{
	char *name = gv_dup(of);
	bool named = false;

	for (char *c = name; *c; c++)
		*c = *c == '-' ? '_' : (char)tolower((unsigned char)*c);
	for (size_t i = 0; i < tree->n && !named; i++)
		named = gv_ends(tree->v[i].path, ".py") &&
		        (tree->v[i].mode & 0170000) == 0100000 &&
		        is_imported(gv_text(gv_bytes(repo, &tree->v[i])), name);
	free(name);
	return named;
}

static const char *version_text(const json_t *version)
{
	const char *text = json_string_value(version);

	return text ? text : "without a version";
}

char *gv_other(
    struct gv_repo *repo, struct gv_tree *tree, json_t *wanted, json_t *have)
{
	struct gv_buf other = {0};
	const char *name;
	json_t *version;

	json_object_foreach(wanted, name, version)
	{
		json_t *here = json_object_get(have, name);
		const char *comma = other.n ? ", " : "";

		if (!here)
			gv_putf(&other, "%slacks %s", comma, name);
		else if (!json_equal(here, version))
			gv_putf(&other, "%shas %s %s instead of %s", comma,
			    name, version_text(here), version_text(version));
	}
	if (json_object_size(wanted))
		json_object_foreach(
		    have, name, version) if (!json_object_get(wanted, name) &&
		                             is_named(repo, tree, name))
		    gv_putf(&other, "%shas %s", other.n ? ", " : "", name);
	return other.s;
}

char *gv_lacking(
    struct gv_bench *bench, struct gv_tree *tree, const char *distributions)
{
	static const char script[] =
	    "import importlib.metadata as m, json; print(json.dumps("
	    "{d.metadata['Name']: d.version for d in m.distributions()}))";
	json_t *wanted = json_loads(distributions, 0, NULL), *have;
	char *folder = fresh_folder(bench, "look", gv_jail_uid());
	char *log = gv_format("%s/log", bench->folder);
	char *argv[] = {gv_loose("-c"), gv_loose(script), NULL};
	struct gv_jail jail = {bench->python, NULL, folder, log, NULL,
	    .timeout_ms = 60000, .uid = gv_jail_uid(), .argv = argv};
	struct gv_buf said = {0};
	struct gv_end end;
	char *other;

	gv_jail(&jail, &end);
	(void)gv_read_result(log, &said);
	have = json_loads(gv_text(&said), 0, NULL);
	if (!have)
		gv_die("the interpreter does not tell what is installed");
	other = gv_other(bench->repo, tree, wanted, have);
	json_decref(wanted);
	json_decref(have);
	gv_drop(&said);
	free(folder);
	free(log);
	return other;
}

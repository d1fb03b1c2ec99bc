/* SPDX-License-Identifier: Apache-2.0 */
/* What the commit objects and the trees say: dates, parent, licence, path. */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "text.h"

static void check_dates(struct gv_check *c)
{
	char date[24];

	gv_equal(c, "committed_at",
	    gv_date(c->commit.date, date) ? date : "an unreadable date");
	gv_equal(c, "parent_at",
	    gv_date(c->parent.date, date) ? date : "an unreadable date");
}

static void check_licence(struct gv_check *c)
{
	struct gv_licences found;
	char hex[GV_HEX];

	gv_licences_at(&c->repo, &c->commit_tree, c->source, &found);
	gv_claim(c, "license",
	    found.expression &&
	        strcmp(found.expression, gv_get(c->row, "license")) == 0,
	    "%s", found.expression ? found.expression : found.why);
	if (found.n)
		gv_equal(c, "license_file", found.files[0]->path);
	else
		gv_refute(c, "license_file", "there is no licence file");
	if (!c->release->folder)
		return;
	for (size_t i = 0; i < found.n; i++) {
		const struct gv_buf *text = gv_bytes(&c->repo, found.files[i]);

		gv_sha256(text->s, text->n, hex);
		gv_claim(c, "licence_text",
		    json_object_get(c->release->licences, hex) != NULL,
		    "no file in licenses/ has the bytes of %s at the commit "
		    "(SHA-256 %s)",
		    found.files[i]->path, hex);
	}
}

static char **list_of(const json_t *list)
{
	size_t n = json_array_size(list);
	char **v = gv_alloc((n + 1) * sizeof(*v));

	for (size_t i = 0; i < n; i++) {
		const char *s = json_string_value(json_array_get(list, i));

		v[i] = gv_dup(s ? s : "");
	}
	return v;
}

/* S5: the root, then src/ or lib/, where there is Python below it. */
static char **usual_roots(const struct gv_tree *tree)
{
	static const char *const folders[] = {"src", "lib"};
	char **v = gv_alloc(4 * sizeof(*v));
	size_t n = 0;

	v[n++] = gv_dup(".");
	for (size_t i = 0; i < GV_COUNT(folders); i++) {
		char *start = gv_format("%s/", folders[i]);
		bool any = false;

		for (size_t k = 0; k < tree->n && !any; k++)
			any = gv_starts(tree->v[k].path, start) &&
			      gv_ends(tree->v[k].path, ".py");
		if (any)
			v[n++] = gv_dup(folders[i]);
		free(start);
	}
	return v;
}

/* The longest root that holds a file names its module. */
char *gv_module(const struct gv_check *c, const char *path)
{
	char *best = NULL;
	size_t most = 0;

	for (size_t i = 0; c->roots[i]; i++) {
		char *name = gv_module_of(path, c->roots[i]);

		if (name && (!best || strlen(c->roots[i]) > most)) {
			free(best);
			best = name;
			most = strlen(c->roots[i]);
		} else {
			free(name);
		}
	}
	return best ? best : gv_dup("");
}

/* W4's last class, and a real file: what the record may be about. */
static bool is_source(const struct gv_check *c, const struct gv_entry *e)
{
	return gv_class_of(e->path, &c->own) == GV_SOURCE &&
	       (e->mode & 0170000) == 0100000;
}

static bool same_entry(const struct gv_entry *a, const struct gv_entry *b)
{
	return a && b && a->mode == b->mode && git_oid_equal(&a->oid, &b->oid);
}

/* Source files that the commit added, changed or removed. */
static void find_changed(struct gv_check *c)
{
	const struct gv_tree *sides[] = {&c->commit_tree, &c->parent_tree};

	for (size_t s = 0; s < 2; s++) {
		for (size_t i = 0; i < sides[s]->n; i++) {
			struct gv_entry *e = &sides[s]->v[i];
			struct gv_entry *other = gv_find(sides[1 - s], e->path);

			if (!is_source(c, e) || same_entry(e, other) ||
			    (s == 1 && other))
				continue;
			c->changed = gv_grow(c->changed,
			    (c->n_changed + 1) * sizeof(*c->changed));
			c->changed[c->n_changed++] = e->path;
		}
	}
}

/* The file that the record is about: as evidence says, or the one changed
 * file whose module it is. */
static bool find_source(struct gv_check *c)
{
	const char *module = gv_get(c->row, "module");
	const char *said = gv_get(c->evidence, "source_path");
	char *name;

	if (*said) {
		c->source = gv_dup(said);
		name = gv_module(c, said);
		gv_claim(c, "module", strcmp(name, module) == 0,
		    "%s is the module %s", said, name);
		free(name);
	}
	for (size_t i = 0; i < c->n_changed && !c->source; i++) {
		name = gv_module(c, c->changed[i]);
		if (strcmp(name, module) == 0)
			c->source = gv_dup(c->changed[i]);
		free(name);
	}
	for (size_t i = 0; i < c->n_changed && c->source; i++)
		if (strcmp(c->changed[i], c->source) == 0) {
			gv_holds(c, "module");
			return true;
		}
	gv_refute(c, "module", "%s",
	    *said ? "the commit did not change that source file"
	          : "the commit changed no source file of that name");
	return false;
}

static void open_bench(struct gv_check *c, char *folder)
{
	struct gv_bench *b = &c->bench;
	const json_t *roots = json_object_get(c->evidence, "import_roots");
	struct gv_buf path = {0};

	b->repo = &c->repo;
	b->folder = folder;
	b->timeout_ms = c->options->timeout_ms;
	c->roots = json_array_size(roots) ? list_of(roots)
	                                  : usual_roots(&c->commit_tree);
	for (size_t i = 0; c->roots[i]; i++)
		gv_putf(&path, "%s" GV_TREE "%s%s", i ? ":" : "",
		    strcmp(c->roots[i], ".") == 0 ? "" : "/",
		    strcmp(c->roots[i], ".") == 0 ? "" : c->roots[i]);
	b->path = path.s;
}

/* W5: what no record's tree may be; such a tree is never written. */
static bool check_tree(
    struct gv_check *c, const char *claim, const struct gv_tree *tree)
{
	char *why = gv_tree_trouble(&c->repo, tree);

	if (why)
		gv_refute(c, claim, "%s", why);
	free(why);
	return !gv_is_refuted(c, claim);
}

bool gv_check_history(struct gv_check *c)
{
	const char *repo = gv_get(c->row, "repo");
	const char *parent = gv_get(c->row, "parent");
	char *clone;

	if (gv_is_refuted(c, "repo") || (c->refuted && strlen(parent) != 40))
		return false;
	clone = gv_clone_of(c, repo, gv_get(c->row, "repo_url"));
	gv_open(&c->repo, clone);
	free(clone);
	gv_read_commit(&c->repo, gv_get(c->row, "commit"), &c->commit);
	gv_holds(c, "commit");
	gv_holds(c, "repo");
	gv_claim(c, "parent",
	    c->commit.parents && strcmp(c->commit.parent, parent) == 0,
	    "the commit names %s as its parent",
	    c->commit.parents ? c->commit.parent : "none");
	if (strcmp(c->commit.parent, parent) != 0)
		return false;
	gv_read_commit(&c->repo, parent, &c->parent);
	check_dates(c);
	gv_read_tree(&c->repo, c->commit.tree, &c->commit_tree);
	gv_read_tree(&c->repo, c->parent.tree, &c->parent_tree);
	if (!check_tree(c, "commit", &c->commit_tree) ||
	    !check_tree(c, "parent", &c->parent_tree))
		return false;
	gv_own_patterns(&c->repo, &c->commit_tree, &c->own);
	open_bench(c, c->bench.folder);
	find_changed(c);
	if (!find_source(c))
		return false;
	check_licence(c);
	return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "repo.h"

#include <iconv.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "text.h"

#define MOST_MESSAGE (256u << 10)
#define MOST_PATH 4096u
#define MOST_ENTRIES (4 * GV_MOST_FILES)

static const char *trouble(void)
{
	const git_error *e = git_error_last();

	return e && e->message ? e->message : "no reason given";
}

void gv_git_start(void)
{
	static const git_config_level_t levels[] = {GIT_CONFIG_LEVEL_SYSTEM,
	    GIT_CONFIG_LEVEL_XDG, GIT_CONFIG_LEVEL_GLOBAL,
	    GIT_CONFIG_LEVEL_PROGRAMDATA};

	if (git_libgit2_init() < 0)
		gv_die("libgit2 does not start: %s", trouble());
	/* nobody's configuration but that of our own clones (W1) */
	for (size_t i = 0; i < GV_COUNT(levels); i++)
		git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, levels[i], "");
	git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_OBJECT_CREATION, 0);
	git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 1);
}

/* The folder of objects of a repository, bare or not, or NULL. */
static char *objects_of(const char *path)
{
	static const char *const inside[] = {"objects", ".git/objects"};

	for (size_t i = 0; i < GV_COUNT(inside); i++) {
		char *name = gv_format("%s/%s", path, inside[i]);
		char *full = realpath(name, NULL);

		free(name);
		if (full)
			return full;
	}
	return NULL;
}

/* Only its objects are used, by way of an alternates file: whatever else the
 * repository holds (configuration, hooks, attributes) has no effect, and it
 * may lack a configuration, or be a partial clone. */
static void borrow(const char *path, const char *folder)
{
	char *objects = objects_of(path);
	char *file = gv_format("%s/objects/info/alternates", folder);
	char *line;
	git_repository *git;

	if (!objects)
		gv_gone("there is no repository at %s", path);
	line = gv_format("%s\n", objects);
	if (git_repository_init(&git, folder, 1) < 0)
		gv_die("cannot make a repository at %s: %s", folder, trouble());
	git_repository_free(git);
	gv_write(file, line, strlen(line), 0644);
	free(objects);
	free(file);
	free(line);
}

static int refuse_credentials(git_credential **out, const char *url,
    const char *user, unsigned allowed, void *data)
{
	(void)out, (void)url, (void)user, (void)allowed, (void)data;
	return GIT_EAUTH;
}

void gv_clone(const char *source, const char *folder)
{
	git_clone_options options;
	git_repository *git;

	if (!strstr(source, "://")) {
		borrow(source, folder);
		return;
	}
	if (git_clone_options_init(&options, GIT_CLONE_OPTIONS_VERSION) < 0)
		gv_die("libgit2 is of another version");
	options.bare = 1;
	options.fetch_opts.callbacks.credentials = refuse_credentials;
	options.fetch_opts.download_tags = GIT_REMOTE_DOWNLOAD_TAGS_ALL;
	if (git_clone(&git, source, folder, &options) < 0)
		gv_gone("%s cannot be cloned: %s", source, trouble());
	git_repository_free(git);
}

void gv_open(struct gv_repo *repo, const char *folder)
{
	if (git_repository_open_bare(&repo->git, folder) < 0 ||
	    git_repository_odb(&repo->odb, repo->git) < 0)
		gv_die("cannot open the clone at %s: %s", folder, trouble());
}

/* A server may give a commit that no branch leads to any more. */
static void fetch_commit(struct gv_repo *repo, const char *id)
{
	git_fetch_options options;
	git_remote *remote;
	char *spec = gv_format("%s:refs/goldset/%s", id, id);
	git_strarray specs = {.strings = &spec, .count = 1};

	if (git_fetch_options_init(&options, GIT_FETCH_OPTIONS_VERSION) < 0)
		gv_die("libgit2 is of another version");
	options.callbacks.credentials = refuse_credentials;
	if (git_remote_lookup(&remote, repo->git, "origin") == 0) {
		(void)git_remote_fetch(remote, &specs, &options, NULL);
		git_remote_free(remote);
	}
	free(spec);
}

static git_odb_object *read_object(struct gv_repo *repo, const char *id)
{
	git_odb_object *object = NULL;
	git_oid oid;

	if (strlen(id) != GIT_OID_HEXSZ)
		gv_die("%s is an id of a kind that libgit2 does not read", id);
	if (git_oid_fromstr(&oid, id) < 0)
		return NULL;
	if (git_odb_read(&object, repo->odb, &oid) < 0)
		return NULL;
	return object;
}

static void recode(struct gv_buf *text, const char *encoding)
{
	struct gv_buf out = {0};
	iconv_t cd = iconv_open("UTF-8", encoding);
	char *from = text->s, *to;
	size_t n = text->n, room;

	if ((intptr_t)cd == -1)
		return;
	room = n * 4 + 16;
	out.s = gv_alloc(room + 1);
	out.cap = room + 1;
	to = out.s;
	if (iconv(cd, &from, &n, &to, &room) != (size_t)-1) {
		out.n = (size_t)(to - out.s);
		gv_drop(text);
		*text = out;
	} else {
		gv_drop(&out);
	}
	iconv_close(cd);
}

static void decode_message(
    const char *raw, size_t n, const char *encoding, struct gv_buf *to)
{
	struct gv_buf bytes = {0}, text = {0};

	gv_put(&bytes, raw, n);
	if (*encoding && strcasecmp(encoding, "utf-8") != 0)
		recode(&bytes, encoding);
	gv_repair_utf8(
	    gv_text(&bytes), strnlen(gv_text(&bytes), bytes.n), &text);
	if (text.n > MOST_MESSAGE)
		text.n = MOST_MESSAGE;
	while (text.n && !gv_is_utf8(text.s, text.n))
		text.n--;
	gv_put(to, "", 0);
	for (size_t i = 0; i < text.n; i++)
		if (text.s[i] != '\r' ||
		    (i + 1 < text.n && text.s[i + 1] != '\n'))
			gv_put(to, text.s + i, 1);
	gv_drop(&bytes);
	gv_drop(&text);
}

/* The seconds stand between the last `>` and the offset. */
static int64_t date_of(const char *line)
{
	const char *at = strrchr(line, '>');
	int64_t seconds = 0;
	size_t n;

	if (!at)
		return -1;
	at += 1 + strspn(at + 1, " ");
	n = strspn(at, "0123456789");
	if (!n || n > 18 || (at[n] && at[n] != ' '))
		return -1;
	for (size_t i = 0; i < n; i++)
		seconds = seconds * 10 + (at[i] - '0');
	return seconds;
}

static void read_header_line(char *line, struct gv_commit *to, char **encoding)
{
	char *value = strchr(line, ' ');
	size_t n;

	if (!value || line == value)
		return;
	*value++ = '\0';
	n = strlen(value);
	if (strcmp(line, "tree") == 0 && n < GV_HEX) {
		memcpy(to->tree, value, n + 1);
	} else if (strcmp(line, "parent") == 0 && n < GV_HEX) {
		if (!to->parents++)
			memcpy(to->parent, value, n + 1);
	} else if (strcmp(line, "committer") == 0) {
		to->date = date_of(value);
	} else if (strcmp(line, "encoding") == 0) {
		*encoding = value;
	}
}

void gv_read_commit(struct gv_repo *repo, const char *id, struct gv_commit *to)
{
	git_odb_object *object = read_object(repo, id);
	struct gv_buf head = {0};
	char *encoding = NULL, *rest, *line;
	const char *raw, *end;
	size_t n;

	if (!object) {
		fetch_commit(repo, id);
		object = read_object(repo, id);
	}
	if (!object || git_odb_object_type(object) != GIT_OBJECT_COMMIT)
		gv_gone("the repository does not hold the commit %s", id);
	*to = (struct gv_commit){.date = -1};
	raw = git_odb_object_data(object);
	n = git_odb_object_size(object);
	end = memmem(raw, n, "\n\n", 2);
	gv_put(&head, raw, end ? (size_t)(end - raw) : n);
	rest = head.s;
	while ((line = strsep(&rest, "\n")))
		read_header_line(line, to, &encoding);
	if (end)
		decode_message(end + 2, n - (size_t)(end + 2 - raw),
		    encoding ? encoding : "", &to->message);
	gv_drop(&head);
	git_odb_object_free(object);
}

/* a tree on its way into a list */
struct reading {
	struct gv_tree *to;
	size_t seen;
};

static int add_entry(const char *root, const git_tree_entry *from, void *data)
{
	struct reading *reading = data;
	struct gv_tree *to = reading->to;
	struct gv_entry *e;

	/* one tree in another, again and again: few objects, no end of paths */
	if (strlen(root) > MOST_PATH || ++reading->seen > MOST_ENTRIES)
		return GIT_EUSER;
	if (git_tree_entry_type(from) == GIT_OBJECT_TREE)
		return 0;
	if (to->n > GV_MOST_FILES)
		return GIT_EUSER;
	if (!(to->n & (to->n + 1)))
		to->v = gv_grow(to->v, (to->n + 1) * 2 * sizeof(*to->v));
	e = &to->v[to->n++];
	*e = (struct gv_entry){.mode = git_tree_entry_filemode_raw(from)};
	e->path = gv_format("%s%s", root, git_tree_entry_name(from));
	git_oid_cpy(&e->oid, git_tree_entry_id(from));
	return 0;
}

static int by_path(const void *left, const void *right)
{
	const struct gv_entry *l = left, *r = right;

	return strcmp(l->path, r->path);
}

void gv_sort_tree(struct gv_tree *tree)
{
	if (tree->n)
		qsort(tree->v, tree->n, sizeof(*tree->v), by_path);
}

void gv_read_tree(struct gv_repo *repo, const char *id, struct gv_tree *to)
{
	struct reading reading = {.to = to};
	git_tree *tree;
	git_oid oid;
	int rc;

	*to = (struct gv_tree){0};
	if (git_oid_fromstr(&oid, id) < 0 ||
	    git_tree_lookup(&tree, repo->git, &oid) < 0)
		gv_gone("the repository does not hold the tree %s", id);
	rc = git_tree_walk(tree, GIT_TREEWALK_PRE, add_entry, &reading);
	if (rc == GIT_EUSER && to->n <= GV_MOST_FILES)
		gv_die(
		    "the tree %s is too deep, or holds too many folders", id);
	if (rc < 0 && rc != GIT_EUSER)
		gv_gone("the tree %s is incomplete: %s", id, trouble());
	git_tree_free(tree);
	gv_sort_tree(to);
}

struct gv_entry *gv_find(const struct gv_tree *tree, const char *path)
{
	struct gv_entry key = {.path = gv_loose(path)};

	if (!tree->n)
		return NULL;
	return bsearch(&key, tree->v, tree->n, sizeof(key), by_path);
}

const struct gv_buf *gv_bytes(struct gv_repo *repo, struct gv_entry *entry)
{
	git_odb_object *object;

	if (entry->loaded)
		return &entry->bytes;
	if (git_odb_read(&object, repo->odb, &entry->oid) < 0)
		gv_gone("the repository does not hold the bytes of %s",
		    entry->path);
	gv_put(&entry->bytes, git_odb_object_data(object),
	    git_odb_object_size(object));
	git_odb_object_free(object);
	entry->loaded = true;
	return &entry->bytes;
}

void gv_tree_id(
    struct gv_repo *repo, const struct gv_tree *tree, char id[GV_HEX])
{
	git_index *index;
	git_oid oid;

	if (git_index_new(&index) < 0)
		gv_die("cannot make an index: %s", trouble());
	for (size_t i = 0; i < tree->n; i++) {
		git_index_entry e = {
		    .mode = tree->v[i].mode, .path = tree->v[i].path};

		git_oid_cpy(&e.id, &tree->v[i].oid);
		if (git_index_add(index, &e) < 0)
			gv_die(
			    "cannot add %s to a tree: %s", e.path, trouble());
	}
	if (git_index_write_tree_to(&oid, index, repo->git) < 0)
		gv_die("cannot write a tree: %s", trouble());
	git_index_free(index);
	git_oid_tostr(id, GIT_OID_HEXSZ + 1, &oid);
}

struct looking {
	struct gv_repo *repo;
	const struct gv_buf *normal;
};

static int look_at(const git_oid *oid, void *data)
{
	struct looking *l = data;
	git_odb_object *object;
	git_object_t type;
	size_t n;
	bool found;

	if (git_odb_read_header(&n, &type, l->repo->odb, oid) < 0 ||
	    type != GIT_OBJECT_BLOB || n > 1u << 20 ||
	    git_odb_read(&object, l->repo->odb, oid) < 0)
		return 0;
	found = gv_holds_unit(git_odb_object_data(object),
	    git_odb_object_size(object), l->normal);
	git_odb_object_free(object);
	return found;
}

bool gv_repo_holds(struct gv_repo *repo, const struct gv_buf *normal)
{
	struct looking l = {repo, normal};

	return git_odb_foreach(repo->odb, look_at, &l) > 0;
}

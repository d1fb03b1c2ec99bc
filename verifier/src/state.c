/* SPDX-License-Identifier: Apache-2.0 */
#include "state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
	LINK = 0120000,
	GITLINK = 0160000
};

#define MOST_BLOB (64u << 20)
#define MOST_TREE (512u << 20)

static void add(struct gv_tree *to, const struct gv_entry *entry)
{
	if (!(to->n & (to->n + 1)))
		to->v = gv_grow(to->v, (to->n + 1) * 2 * sizeof(*to->v));
	to->v[to->n] = *entry;
	to->v[to->n++].path = gv_dup(entry->path);
}

static bool of_commit(const char *path, const struct gv_patterns *own)
{
	return gv_class_of(path, own) == GV_TEST || gv_is_config(path);
}

/* Is this path a folder of the tree? */
static bool is_folder(const char *path, const struct gv_tree *tree)
{
	char *below = gv_format("%s/", path);
	size_t low = 0, high = tree->n;
	bool is;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(tree->v[middle].path, below) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	is = low < tree->n && gv_starts(tree->v[low].path, below);
	free(below);
	return is;
}

/* Does an entry of the commit stand where this one of the parent would? */
static bool displaced(const char *path, const struct gv_tree *laid)
{
	char *folder = gv_dup(path), *slash;
	bool gone = gv_find(laid, path) != NULL;

	while (!gone && (slash = strrchr(folder, '/'))) {
		*slash = '\0';
		gone = gv_find(laid, folder) != NULL;
	}
	free(folder);
	return gone || is_folder(path, laid);
}

char *gv_tree_trouble(struct gv_repo *repo, const struct gv_tree *tree)
{
	uint64_t sum = 0;

	if (tree->n > GV_MOST_FILES)
		return gv_format(
		    "its tree holds more than %u files", GV_MOST_FILES);
	for (size_t i = 0; i < tree->n; i++) {
		const struct gv_entry *e = &tree->v[i];
		git_object_t type;
		size_t size = 0;

		if ((i && strcmp(e->path, e[-1].path) == 0) ||
		    is_folder(e->path, tree))
			return gv_format(
			    "%s stands twice in its tree", e->path);
		/* what is not there is told where it is needed */
		if ((e->mode & 0170000) == GITLINK ||
		    git_odb_read_header(&size, &type, repo->odb, &e->oid) < 0)
			continue;
		sum += size;
		if (size > MOST_BLOB || sum > MOST_TREE)
			return gv_format(
			    "its tree is over %u MiB, or %s alone over %u",
			    MOST_TREE >> 20, e->path, MOST_BLOB >> 20);
	}
	return NULL;
}

static bool may_stand(struct gv_repo *repo, const struct gv_entry *entry)
{
	struct gv_entry copy = *entry;

	if (!gv_writable_path(entry->path))
		return false;
	if ((entry->mode & 0170000) != LINK)
		return true;
	return gv_link_inside(entry->path, gv_text(gv_bytes(repo, &copy)));
}

void gv_make_before(const struct gv_tree *parent, const struct gv_tree *commit,
    const struct gv_patterns *own, struct gv_tree *to)
{
	struct gv_tree laid = {0};

	for (size_t i = 0; i < commit->n; i++)
		if (of_commit(commit->v[i].path, own))
			add(&laid, &commit->v[i]);
	*to = (struct gv_tree){0};
	for (size_t i = 0; i < laid.n; i++)
		add(to, &laid.v[i]);
	for (size_t i = 0; i < parent->n; i++)
		if (!of_commit(parent->v[i].path, own) &&
		    !displaced(parent->v[i].path, &laid))
			add(to, &parent->v[i]);
	gv_sort_tree(to);
}

void gv_make_after(struct gv_repo *repo, const struct gv_tree *before,
    const char *path, const struct gv_buf *bytes, struct gv_tree *to)
{
	struct gv_entry *e;

	*to = (struct gv_tree){0};
	for (size_t i = 0; i < before->n; i++)
		add(to, &before->v[i]);
	e = gv_find(to, path);
	if (!e)
		gv_die("%s is not in the tree before", path);
	e->bytes = (struct gv_buf){0};
	gv_put(&e->bytes, bytes->s, bytes->n);
	e->loaded = true;
	if (git_blob_create_from_buffer(
	        &e->oid, repo->git, bytes->s, bytes->n) < 0)
		gv_die("cannot write to the clone: is the disk full?");
}

static void own_by(const char *path, int uid)
{
	if (uid >= 0 && lchown(path, (uid_t)uid, (gid_t)uid) < 0)
		gv_die("cannot give %s to user %d: %s", path, uid,
		    strerror(errno));
}

/* Folders up to the last slash; `made` is the last one that was made. */
static void make_folders(char *path, size_t root, struct gv_buf *made, int uid)
{
	char *last = strrchr(path, '/');

	*last = '\0';
	if (strcmp(gv_text(made), path) != 0) {
		for (char *c = path + root; *c; c++) {
			if (*c != '/' || c == path + root)
				continue;
			*c = '\0';
			if (mkdir(path, 0755) == 0)
				own_by(path, uid);
			*c = '/';
		}
		if (strlen(path) > root && mkdir(path, 0755) == 0)
			own_by(path, uid);
		made->n = 0;
		gv_puts(made, path);
	}
	*last = '/';
}

void gv_write_tree(
    struct gv_repo *repo, struct gv_tree *tree, const char *folder, int uid)
{
	struct gv_buf made = {0};
	size_t root = strlen(folder);

	gv_mkdir(folder);
	own_by(folder, uid);
	for (size_t i = 0; i < tree->n; i++) {
		struct gv_entry *e = &tree->v[i];
		char *path;

		/* S3: it counts in the tree's id, and is not written */
		if (!may_stand(repo, e))
			continue;
		path = gv_format("%s/%s", folder, e->path);
		make_folders(path, root, &made, uid);
		if ((e->mode & 0170000) == GITLINK) {
			gv_mkdir(path);
		} else if ((e->mode & 0170000) == LINK) {
			if (symlink(gv_text(gv_bytes(repo, e)), path) < 0)
				gv_die("cannot make the link %s: %s", path,
				    strerror(errno));
		} else {
			const struct gv_buf *bytes = gv_bytes(repo, e);

			gv_write(path, bytes->s, bytes->n,
			    e->mode & 0100 ? 0755 : 0644);
		}
		own_by(path, uid);
		free(path);
	}
	gv_drop(&made);
}

void gv_own_patterns(
    struct gv_repo *repo, const struct gv_tree *commit, struct gv_patterns *to)
{
	for (size_t i = 0; i < commit->n; i++) {
		struct gv_entry *e = &commit->v[i];

		if (gv_is_config(e->path) && (e->mode & 0170000) == 0100000)
			gv_read_patterns(e->path, gv_bytes(repo, e), to);
	}
}

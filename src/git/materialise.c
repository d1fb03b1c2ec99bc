/* SPDX-License-Identifier: Apache-2.0 */
#include "git/materialise.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/fault.h"
#include "base/hash.h"
#include "base/limits.h"
#include "base/mem.h"
#include "base/vec.h"
#include "git/workdir_scan.h"
#include "os/fd.h"
#include "os/tree.h"

#define MTIME_FIRST INT64_C(978307200) /* 2001-01-01 */
#define MTIME_RANGE INT64_C(441763200) /* to 2014-12-31 */

struct gs_workdir {
	char *path;
	int fd;
	uid_t owner;
	bool is_tmpfs;
	struct gs_objects *objects;
	struct gs_work_nodes now; /* what the last reset made */
	bool link_refused;        /* in this reset */
	struct gs_buf blob;
};

int64_t gs_blob_mtime(const struct gs_oid *id)
{
	char digits[9] = {0};

	memcpy(digits, id->hex, 8);
	return MTIME_FIRST + (int64_t)(strtoul(digits, NULL, 16) %
	                               (unsigned long)MTIME_RANGE);
}

static void nodes_release(struct gs_work_nodes *nodes)
{
	GS_VEC_FREE(nodes);
	gs_arena_release(&nodes->arena);
}

int gs_workdir_open(const char *path, uid_t owner, struct gs_objects *objects,
    struct gs_workdir **ret, struct gs_err *err)
{
	struct gs_workdir *workdir = gs_alloc(sizeof(*workdir));
	struct statfs fs;

	workdir->path = gs_strdup(path);
	workdir->owner = owner;
	workdir->objects = objects;
	workdir->fd =
	    open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (workdir->fd < 0 || fstatfs(workdir->fd, &fs) != 0) {
		int rc = gs_fail_sys(err, "open the work folder %s", path);

		gs_workdir_close(workdir);
		return rc;
	}
	workdir->is_tmpfs = fs.f_type == TMPFS_MAGIC;
	*ret = workdir;
	return 0;
}

void gs_workdir_close(struct gs_workdir *workdir)
{
	if (!workdir)
		return;
	nodes_release(&workdir->now);
	gs_buf_release(&workdir->blob);
	gs_closep(&workdir->fd);
	free(workdir->path);
	free(workdir);
}

/* S3: compiled code is never laid down, whoever committed it. */
static bool is_compiled(struct gs_str path)
{
	struct gs_str rest = path, part;

	if (gs_str_ends(path, ".pyc"))
		return true;
	while (gs_str_cut(&rest, '/', &part))
		if (gs_str_is(part, "__pycache__"))
			return true;
	return false;
}

static enum gs_work_node_kind kind_of(unsigned mode)
{
	if (mode == GS_MODE_LINK)
		return GS_NODE_LINK;
	return mode == GS_MODE_GITLINK ? GS_NODE_DIR : GS_NODE_FILE;
}

/* All paths are judged before any is written (F165). */
static int plan_listing(struct gs_work_nodes *nodes,
    const struct gs_listing *listing, struct gs_err *err)
{
	for (size_t i = 0; i < listing->n; i++) {
		const struct gs_entry *entry = &listing->v[i];
		struct gs_work_node *node;

		if (!gs_path_is_safe(entry->path))
			return gs_fail(err, GS_E_CORRUPT,
			    "the tree holds the path '%.*s', which may not "
			    "be written",
			    (int)(entry->path.n < 200 ? entry->path.n : 200),
			    entry->path.p);
		if (is_compiled(entry->path))
			continue;
		node = GS_VEC_ADD(nodes);
		node->path = gs_arena_str(&nodes->arena, entry->path);
		node->kind = kind_of(entry->mode);
		node->mode = entry->mode;
		node->id = entry->id;
	}
	return 0;
}

static const struct gs_overlay *overlay_of(
    const struct gs_overlay *overlays, size_t n, struct gs_str path)
{
	for (size_t i = n; i > 0; i--)
		if (gs_str_eq(overlays[i - 1].path, path))
			return &overlays[i - 1];
	return NULL;
}

/* Overlays go through a listing, which knows what gives way to what (S3). */
static int plan(struct gs_work_nodes *nodes, const struct gs_listing *listing,
    const struct gs_overlay *overlays, size_t n, struct gs_err *err)
{
	GS_CLEANUP(gs_listing_release) struct gs_listing merged = {0};
	int rc;

	if (n == 0)
		return plan_listing(nodes, listing, err);
	gs_listing_copy(&merged, listing);
	for (size_t i = 0; i < n; i++) {
		const struct gs_entry *old =
		    gs_listing_find(&merged, overlays[i].path);
		struct gs_entry entry = {
		    .path = overlays[i].path, .mode = overlays[i].mode};

		if (entry.mode == 0)
			entry.mode = old && kind_of(old->mode) == GS_NODE_FILE
			                 ? old->mode
			                 : 0100644;
		gs_listing_put(&merged, &entry);
	}
	rc = plan_listing(nodes, &merged, err);
	for (size_t i = 0; rc == 0 && i < nodes->n; i++) {
		struct gs_work_node *node = &nodes->v[i];
		const struct gs_overlay *overlay =
		    overlay_of(overlays, n, node->path);

		if (!overlay)
			continue;
		node->from_overlay = true;
		node->bytes = overlay->bytes;
		gs_sha256_hex(overlay->bytes, node->id.hex);
	}
	return rc;
}

/* What the last reset wrote and this one wants again. */
static void carry_over(
    struct gs_work_nodes *nodes, const struct gs_work_nodes *before)
{
	for (size_t i = 0, j = 0; i < nodes->n && j < before->n;) {
		struct gs_work_node *node = &nodes->v[i];
		const struct gs_work_node *old = &before->v[j];
		int order = gs_str_cmp(node->path, old->path);

		if (order == 0 && old->from_overlay == node->from_overlay &&
		    old->mode == node->mode && gs_oid_eq(&old->id, &node->id)) {
			node->kind = old->kind; /* a link may be none */
			node->is_known = old->is_known;
			node->st = old->st;
			memcpy(node->digest, old->digest, sizeof(old->digest));
		}
		i += order <= 0;
		j += order >= 0;
	}
}

static int read_blob(struct gs_workdir *workdir,
    const struct gs_work_node *node, struct gs_str *ret, struct gs_err *err)
{
	int rc;

	if (node->from_overlay) {
		*ret = node->bytes;
		return 0;
	}
	gs_buf_reset(&workdir->blob);
	rc = gs_objects_read(
	    workdir->objects, node->id.hex, GS_MAX_BLOB, &workdir->blob, err);
	if (rc)
		return gs_wrap(err, "%s", node->path.p);
	*ret = gs_buf_str(&workdir->blob);
	return 0;
}

static int write_link(struct gs_workdir *workdir, struct gs_work_node *node,
    struct gs_str target, struct gs_err *err)
{
	struct gs_err refused = {0};
	int rc = gs_tree_put_link(
	    workdir->fd, node->path, target, workdir->owner, &refused);

	if (rc == GS_E_CORRUPT) {
		node->kind = GS_NODE_NONE;
		workdir->link_refused = true;
		return 0;
	}
	return rc ? gs_fail(err, rc, "%s", refused.text) : 0;
}

static int write_node(
    struct gs_workdir *workdir, struct gs_work_node *node, struct gs_err *err)
{
	struct gs_str bytes = {0};
	struct gs_tree_file file;
	int rc;

	node->is_known = false;
	if (node->kind == GS_NODE_DIR)
		return gs_tree_put_dir(
		    workdir->fd, node->path, workdir->owner, err);
	rc = read_blob(workdir, node, &bytes, err);
	if (rc)
		return rc;
	if (node->kind == GS_NODE_LINK) {
		rc = write_link(workdir, node, bytes, err);
	} else {
		file = (struct gs_tree_file){.path = node->path,
		    .bytes = bytes,
		    .mode = node->mode == 0100755 ? 0755 : 0644,
		    .mtime = gs_blob_mtime(&node->id),
		    .owner = workdir->owner};
		rc = gs_tree_put(workdir->fd, &file, err);
	}
	if (rc || node->kind == GS_NODE_NONE)
		return rc;
	return gs_workdir_note(workdir->fd, workdir->is_tmpfs, node, err);
}

static int write_missing(struct gs_workdir *workdir, struct gs_err *err)
{
	struct gs_work_nodes *nodes = &workdir->now;
	uint64_t total = 0;
	bool wrote = false;

	for (size_t i = 0; i < nodes->n; i++) {
		struct gs_work_node *node = &nodes->v[i];
		int rc;

		if (!node->is_intact) {
			rc = write_node(workdir, node, err);
			if (rc)
				return rc;
			wrote = true;
			gs_fault("git.workdir.write");
		}
		if (node->kind == GS_NODE_FILE)
			total += (uint64_t)node->st.st_size;
		if (total > GS_MAX_TREE_BYTES)
			return gs_fail(err, GS_E_LIMIT,
			    "the tree holds more than %zu bytes",
			    GS_MAX_TREE_BYTES);
	}
	if (wrote)
		gs_workdir_settle(nodes);
	return 0;
}

static int scan(struct gs_workdir *workdir, struct gs_err *err)
{
	return gs_workdir_scan(
	    workdir->fd, workdir->owner, workdir->is_tmpfs, &workdir->now, err);
}

int gs_workdir_reset(struct gs_workdir *workdir,
    const struct gs_listing *listing, const struct gs_overlay *overlays,
    size_t n_overlays, struct gs_err *err)
{
	struct gs_work_nodes nodes = {0};
	int rc = plan(&nodes, listing, overlays, n_overlays, err);

	if (rc) {
		nodes_release(&nodes);
		return rc;
	}
	carry_over(&nodes, &workdir->now);
	nodes_release(&workdir->now);
	workdir->now = nodes;
	workdir->link_refused = false;
	rc = scan(workdir, err);
	if (rc == 0)
		rc = write_missing(workdir, err);
	/* The folder of a link that was refused may not be wanted at all. */
	if (rc == 0 && workdir->link_refused)
		rc = scan(workdir, err);
	return rc ? gs_wrap(err, "reset %s", workdir->path) : 0;
}

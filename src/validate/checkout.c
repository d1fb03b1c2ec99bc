/* SPDX-License-Identifier: Apache-2.0 */
#include "validate/checkout.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/limits.h"
#include "base/log.h"
#include "base/mem.h"
#include "git/listing.h"
#include "git/materialise.h"
#include "git/state.h"
#include "os/file.h"
#include "os/tree.h"
#include "py/source.h"

/* What is open while one checkout is made. */
struct reader {
	struct gs_objects *objects;
	struct gs_tree_cache *trees;
	struct gs_listing parent, commit, before;
};

static void reader_release(struct reader *reader)
{
	gs_listing_release(&reader->parent);
	gs_listing_release(&reader->commit);
	gs_listing_release(&reader->before);
	gs_tree_cache_free(reader->trees);
	gs_objects_close(reader->objects);
}

static int read_tree(struct reader *reader, const char *commit,
    struct gs_listing *ret, struct gs_err *err)
{
	struct gs_commit_text text = {0};
	int rc = gs_objects_commit(reader->objects, commit, &text, err);
	if (rc == 0)
		rc = gs_listing_read(reader->trees, &text.tree, ret, err);
	gs_commit_text_release(&text);
	return rc;
}

static int read_before(struct reader *reader,
    const struct gs_checkout *checkout, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv patterns = {0};
	int rc = gs_objects_open(checkout->mirror, &reader->objects, err);
	if (rc)
		return rc;
	reader->trees = gs_tree_cache_new(reader->objects);
	rc = read_tree(reader, checkout->record->parent, &reader->parent, err);
	if (rc == 0)
		rc = read_tree(
		    reader, checkout->record->commit, &reader->commit, err);
	if (rc == 0)
		rc = gs_state_patterns(
		    reader->objects, &reader->commit, &patterns, err);
	if (rc == 0)
		gs_state_before(&reader->parent, &reader->commit, &patterns,
		    &reader->before);
	return rc;
}

/* S2: the published text in its place, in the file's own encoding. */
static int splice_after(struct reader *reader,
    const struct gs_checkout *checkout, struct gs_buf *ret, struct gs_err *err)
{
	const struct gs_evidence *evidence = checkout->evidence;
	const struct gs_entry *entry =
	    gs_listing_find(&reader->before, gs_str(evidence->source_path));
	if (!entry)
		return gs_fail(err, GS_E_CORRUPT, "%s is not in the tree of %s",
		    evidence->source_path, checkout->record->parent);
	GS_CLEANUP(gs_buf_release) struct gs_buf file = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	int rc = gs_objects_read(
	    reader->objects, entry->id.hex, GS_MAX_PYTHON_FILE, &file, err);
	if (rc == 0)
		rc = gs_source_encode(gs_str(checkout->record->source_after),
		    gs_buf_str(&file), &text, err);
	if (rc)
		return rc;
	size_t start = 0, end = file.n;
	if (strcmp(checkout->record->granularity, "function") == 0) {
		start = (size_t)evidence->unit_start;
		end = (size_t)evidence->unit_end;
	}
	if (start > end || end > file.n)
		return gs_fail(err, GS_E_CORRUPT,
		    "the evidence of %s names bytes that %s does not have",
		    checkout->record->id, evidence->source_path);
	gs_source_splice(gs_buf_str(&file), start, end, gs_buf_str(&text), ret);
	return 0;
}

/* Writes the state into a folder of its own beside the wanted one. */
static int write_state(struct reader *reader,
    const struct gs_checkout *checkout, const char *folder, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf after = {0};
	struct gs_workdir *workdir = NULL;
	int rc = 0;
	if (checkout->is_after)
		rc = splice_after(reader, checkout, &after, err);
	if (rc == 0)
		rc = gs_dir_make(folder, 0777, err);
	if (rc == 0)
		rc = gs_workdir_open(
		    folder, (uid_t)-1, reader->objects, &workdir, err);
	if (rc == 0) {
		const struct gs_overlay overlay = {
		    .path = gs_str(checkout->evidence->source_path),
		    .bytes = gs_buf_str(&after)};
		rc = gs_workdir_reset(workdir, &reader->before, &overlay,
		    checkout->is_after ? 1 : 0, err);
	}
	gs_workdir_close(workdir);
	return rc;
}

int gs_check_out(const struct gs_checkout *checkout, struct gs_err *err)
{
	GS_CLEANUP(reader_release) struct reader reader = {0};
	GS_CLEANUP(gs_freep)
	char *part = gs_format("%s.part-%d", checkout->folder, (int)getpid());
	int rc = read_before(&reader, checkout, err);
	if (rc == 0)
		rc = write_state(&reader, checkout, part, err);
	if (rc == 0 && rename(part, checkout->folder) < 0)
		rc =
		    gs_fail_sys(err, "rename %s to %s", part, checkout->folder);
	if (rc && gs_tree_remove(part, NULL))
		gs_log("%s could not be removed", part);
	return rc;
}

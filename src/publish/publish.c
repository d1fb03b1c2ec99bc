/* SPDX-License-Identifier: Apache-2.0 */
#include "publish/publish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "os/file.h"
#include "publish/escape.h"
#include "publish/side.h"
#include "publish/sides.h"
#include "publish/texts.h"

static const char *const known_kinds[] = {"bug", "feature", "unclear"};

static int take_kinds(
    const struct gs_strv *kinds, struct gs_strv *ret, struct gs_err *err)
{
	if (!kinds)
		gs_strv_push(ret, "bug");
	for (size_t i = 0; kinds && i < kinds->n; i++) {
		bool known = false;
		for (size_t k = 0; k < GS_COUNT(known_kinds); k++)
			known |= strcmp(kinds->v[i], known_kinds[k]) == 0;
		if (!known)
			return gs_fail(err, GS_E_USAGE,
			    "\"%s\" is no kind of change: bug, feature or "
			    "unclear",
			    kinds->v[i]);
		gs_strv_push(ret, kinds->v[i]);
	}
	return ret->n > 0 ? 0
	                  : gs_fail(err, GS_E_USAGE,
	                        "no kind of change is to be released");
}

/* What [release] of goldset.conf says goes into links and shell lines. */
static int check_publisher(const struct gs_publisher *by, struct gs_err *err)
{
	const struct {
		const char *key, *url;
	} urls[] = {{"homepage", by->homepage}, {"code_url", by->code_url}};

	for (size_t i = 0; i < GS_COUNT(urls); i++)
		if (*said(urls[i].url) && !escape_is_url(gs_str(urls[i].url)))
			return gs_fail(err, GS_E_USAGE,
			    "%s of [release] is not an https URL: %s",
			    urls[i].key, urls[i].url);
	if (strspn(said(by->dataset_id),
	        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	        "._-/") != strlen(said(by->dataset_id)))
		return gs_fail(err, GS_E_USAGE,
		    "dataset_id of [release] is not owner/name: %s",
		    by->dataset_id);
	return 0;
}

static void tell(const struct side *side, struct gs_publish_result *result)
{
	const struct facts *facts = &side->facts;
	result->records = facts->records;
	result->projects = (int64_t)facts->projects.n;
	result->functions = facts->functions;
	result->files = facts->files;
	result->parquet_bytes = facts->oracles_bytes;
	(void)snprintf(result->version, sizeof(result->version), "%s",
	    side->changes.version);
}

/* Both sides of one release. */
struct job {
	struct gs_store *store;
	const struct gs_publish_options *options;
	struct gs_table *table;
	struct gs_strv kinds;
	struct sides sides;
	struct side public, withheld;
};

static void release_job(struct job *job)
{
	side_release(&job->public);
	side_release(&job->withheld);
	gs_table_close(job->table);
	sides_release(&job->sides);
	gs_strv_release(&job->kinds);
}

static bool has_withheld(const struct job *job)
{
	return job->options->hold_out.folder != NULL;
}

static int open_work(struct job *job, struct side *side, const char *folder,
    const char *previous, struct gs_err *err)
{
	side->store = job->store;
	side->options = job->options;
	side->table = job->table;
	side->kinds = &job->kinds;
	int rc =
	    folder_open(&side->staging, folder, job->options->replace, err);
	if (rc)
		return rc;
	side->is_replaced = !previous && side->staging.replaces;
	side->previous = side->is_replaced ? side->staging.target : previous;
	return 0;
}

/* The path with links resolved as far as it exists, and "/" behind it. */
static char *resolve(const char *path)
{
	struct gs_err ignored = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf rest = {0};
	GS_CLEANUP(gs_freep) char *head = gs_strdup(path);
	for (;;) {
		GS_CLEANUP(gs_freep) char *real = NULL;
		size_t n = strlen(head);
		while (n > 1 && head[n - 1] == '/')
			head[--n] = '\0';
		if (gs_path_real(head[0] ? head : ".", &real, &ignored) == 0)
			return gs_format("%s/%s", real, gs_buf_cstr(&rest));
		char *slash = strrchr(head, '/');
		GS_CLEANUP(gs_freep)
		char *more = gs_format(
		    "%s/%s", slash ? slash + 1 : head, gs_buf_cstr(&rest));
		gs_buf_reset(&rest);
		gs_buf_addz(&rest, more);
		if (slash)
			slash[slash == head] = '\0'; /* "/" stays itself */
		else
			head[0] = '\0';
	}
}

/* A folder of one side inside the other would be published with it. */
static int check_apart(
    const struct gs_publish_options *options, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *one = resolve(options->folder);
	GS_CLEANUP(gs_freep) char *two = resolve(options->hold_out.folder);
	if (gs_str_starts(gs_str(one), two) || gs_str_starts(gs_str(two), one))
		return gs_fail(err, GS_E_USAGE,
		    "the public and the withheld side need folders of their "
		    "own, neither inside the other");
	return 0;
}

static int open_sides(struct job *job, struct gs_err *err)
{
	const struct gs_publish_options *options = job->options;
	int rc = has_withheld(job) ? check_apart(options, err) : 0;
	if (rc == 0)
		rc = open_work(
		    job, &job->public, options->folder, options->previous, err);
	if (rc || !has_withheld(job))
		return rc;
	rc = sides_read(job->store, &options->hold_out, &job->sides, err);
	if (rc == 0)
		rc = open_work(
		    job, &job->withheld, options->hold_out.folder, NULL, err);
	if (rc)
		return rc;
	job->public.projects = &job->sides.public;
	job->public.hidden = &job->sides.withheld;
	job->withheld.projects = &job->sides.withheld;
	job->withheld.is_withheld = true;
	return 0;
}

/* The withheld side first: the public one carries its commitment. Its own
 * version follows from what it replaces; there is no other history. */
static int fill_sides(
    struct job *job, struct gs_publish_result *result, struct gs_err *err)
{
	struct gs_publish_result unused = {0};
	int rc = 0;
	if (has_withheld(job)) {
		rc = side_tables(&job->withheld, err);
		if (rc)
			return rc;
		sides_commit(job->options->hold_out.key, &job->withheld.ids,
		    &job->public.commitment, &job->withheld.reveal);
		rc = side_fill(&job->withheld, NULL, &unused, err);
	}
	if (rc == 0)
		rc = side_tables(&job->public, err);
	if (rc == 0)
		rc =
		    side_fill(&job->public, job->options->version, result, err);
	if (rc == 0 && has_withheld(job))
		rc = folder_seal(&job->withheld.staging, true, err);
	return rc ? rc : folder_seal(&job->public.staging, false, err);
}

/* P5: noted before it is done. A release that dies in its last step is then
 * taken for published; the other way round an id could be forgotten. */
static int note_published(
    struct job *job, struct gs_publish_result *result, struct gs_err *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < job->withheld.ids.n; i++) {
		bool was_public = false;
		rc = gs_store_was_published(job->store, job->withheld.ids.v[i],
		    false, &was_public, err);
		result->exposed += was_public;
	}
	if (rc == 0)
		rc = gs_store_put_published(
		    job->store, &job->withheld.ids, true, err);
	return rc ? rc
	          : gs_store_put_published(
	                job->store, &job->public.ids, false, err);
}

static int place_sides(struct job *job, struct gs_err *err)
{
	struct gs_err ignored = {0};
	int rc = 0;
	if (has_withheld(job))
		rc = folder_place(&job->withheld.staging, err);
	if (rc == 0)
		rc = folder_place(&job->public.staging, err);
	if (rc) {
		gs_staging_undo(&job->withheld.staging);
		return rc;
	}
	if (has_withheld(job))
		rc = gs_staging_finish(&job->withheld.staging, err);
	int other =
	    gs_staging_finish(&job->public.staging, rc ? &ignored : err);
	return rc ? rc : other;
}

int gs_publish(struct gs_store *store, const struct gs_publish_options *options,
    struct gs_publish_result *ret, struct gs_err *err)
{
	GS_CLEANUP(release_job)
	struct job job = {.store = store,
	    .options = options,
	    .public.staging.lock = -1,
	    .withheld.staging.lock = -1};
	struct gs_publish_result result = {0};
	int rc = take_kinds(options->kinds, &job.kinds, err);
	if (rc == 0)
		rc = check_publisher(&options->publisher, err);
	if (rc == 0)
		rc = gs_table_open(&job.table, err);
	if (rc == 0)
		rc = open_sides(&job, err);
	if (rc == 0)
		rc = fill_sides(&job, &result, err);
	if (rc == 0)
		rc = note_published(&job, &result, err);
	if (rc == 0)
		rc = place_sides(&job, err);
	if (rc)
		return rc;
	tell(&job.public, &result);
	result.withheld_records = job.withheld.facts.records;
	result.withheld_projects = (int64_t)job.withheld.facts.projects.n;
	*ret = result;
	return 0;
}

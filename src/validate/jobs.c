/* SPDX-License-Identifier: Apache-2.0 */
#include "validate/jobs.h"

#include <stdlib.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/vec.h"

struct gs_job {
	int64_t tag;
	char *text;
	bool waits;      /* for its second try */
	bool had_second; /* it is on it, or was */
};

void gs_job_write(const struct gs_work *work, struct gs_buf *ret)
{
	struct gs_json json = {.out = ret};
	gs_json_begin_object(&json);
	gs_json_put_int(&json, "row", work->row);
	gs_json_put_int(&json, "project", work->project);
	gs_json_put_cstr(&json, "name", work->project_name);
	gs_json_put_cstr(&json, "repo_url", work->repo_url);
	gs_json_put_cstr(&json, "mirror", work->mirror);
	gs_json_put_cstr(&json, "id", work->id.hex);
	gs_json_put_cstr(&json, "parent", work->parent.hex);
	gs_json_put_int(&json, "n_parents", work->n_parents);
	gs_json_put_int(&json, "committed_at", work->committed_at);
	gs_json_put_cstr(&json, "licence", work->licence);
	gs_json_put_cstr(&json, "licence_file", work->licence_file);
	gs_json_put_cstr(&json, "licence_texts", work->licence_texts);
	gs_json_end_object(&json);
}

static char *get_copy(const json_t *object, const char *key)
{
	return gs_strdup(gs_json_get_cstr(object, key));
}

int gs_job_parse(struct gs_str text, struct gs_work *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_json_free)
	json_t *object = gs_json_parse(text, "job", err);
	if (!object)
		return err->code;
	*ret = (struct gs_work){
	    .row = gs_json_get_int(object, "row", 0),
	    .project = gs_json_get_int(object, "project", 0),
	    .n_parents = (unsigned)gs_json_get_int(object, "n_parents", 1),
	    .committed_at = gs_json_get_int(object, "committed_at", 0),
	    .project_name = get_copy(object, "name"),
	    .repo_url = get_copy(object, "repo_url"),
	    .mirror = get_copy(object, "mirror"),
	    .licence = get_copy(object, "licence"),
	    .licence_file = get_copy(object, "licence_file"),
	    .licence_texts = get_copy(object, "licence_texts"),
	};
	(void)gs_oid_parse(gs_json_get_str(object, "id"), &ret->id);
	(void)gs_oid_parse(gs_json_get_str(object, "parent"), &ret->parent);
	return 0;
}

void gs_jobs_release(struct gs_jobs *jobs)
{
	for (size_t i = 0; i < jobs->n; i++)
		free(jobs->v[i].text);
	GS_VEC_FREE(jobs);
}

static struct gs_job *find(struct gs_jobs *jobs, int64_t tag)
{
	for (size_t i = 0; i < jobs->n; i++)
		if (jobs->v[i].tag == tag)
			return &jobs->v[i];
	return NULL;
}

void gs_jobs_sent(struct gs_jobs *jobs, int64_t tag, struct gs_str text)
{
	if (find(jobs, tag))
		return;
	struct gs_job *job = GS_VEC_ADD(jobs);
	job->tag = tag;
	job->text = gs_strndup(text.p, text.n);
}

void gs_jobs_done(struct gs_jobs *jobs, int64_t tag)
{
	struct gs_job *job = find(jobs, tag);
	if (!job)
		return;
	free(job->text);
	*job = jobs->v[--jobs->n];
}

bool gs_jobs_lost(struct gs_jobs *jobs, int64_t tag)
{
	struct gs_job *job = find(jobs, tag);
	if (!job || job->had_second)
		return false;
	job->waits = true;
	job->had_second = true;
	return true;
}

bool gs_jobs_again(struct gs_jobs *jobs, struct gs_buf *ret, int64_t *ret_tag)
{
	for (size_t i = 0; i < jobs->n; i++) {
		if (!jobs->v[i].waits)
			continue;
		jobs->v[i].waits = false;
		gs_buf_addz(ret, jobs->v[i].text);
		*ret_tag = jobs->v[i].tag;
		return true;
	}
	return false;
}

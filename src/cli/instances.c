/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/instances.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "cli/style.h"
#include "model/reproduce.h"
#include "store/instance.h"
#include "store/query.h"

/* One instance with what became of it. */
struct fate {
	char *system, *name, *project, *reason, *detail, *record;
	struct gs_oid commit;
	bool is_pending, reproduces, is_child;
};

struct fates {
	struct gs_cli *cli;
	struct fate *v;
	size_t n, cap;
};

static void fates_release(struct fates *fates)
{
	for (size_t i = 0; i < fates->n; i++) {
		struct fate *fate = &fates->v[i];
		free(fate->system);
		free(fate->name);
		free(fate->project);
		free(fate->reason);
		free(fate->detail);
		free(fate->record);
	}
	GS_VEC_FREE(fates);
}

static void judge(struct fate *fate, const struct gs_instance *instance,
    struct gs_story *story)
{
	GS_CLEANUP(gs_json_free)
	json_t *runs = story->runs ? gs_json_parse(gs_str(story->runs),
	                                 "the store's runs", NULL)
	                           : NULL;
	fate->is_child = gs_oid_eq(&story->parent, &instance->base);
	fate->is_pending = strcmp(story->state, "pending") == 0 ||
	                   strcmp(story->state, "claimed") == 0;
	fate->record = gs_steal(&story->record_id);
	fate->reproduces =
	    !fate->is_pending && gs_runs_reproduce(runs, &instance->tests);
	fate->reason = gs_steal(&story->reason);
	fate->detail = gs_steal(&story->detail);
	/* A record, but of other tests than the instance names. */
	if (fate->record && !fate->reproduces && !fate->reason)
		fate->reason = gs_strdup("other tests flip");
}

static int take(
    void *ctx, const struct gs_instance *instance, struct gs_err *err)
{
	struct fates *fates = ctx;
	struct gs_story story = {0};
	struct fate *fate = GS_VEC_ADD(fates);
	*fate = (struct fate){
	    .system = gs_strdup(instance->system),
	    .name = gs_strdup(instance->name),
	    .project = gs_strdup(instance->project),
	    .commit = instance->commit,
	};
	if (!instance->commit.hex[0]) {
		fate->reason = gs_strdup("no commit");
		fate->detail = gs_strdup(instance->problem);
		return 0;
	}
	GS_CLEANUP(gs_freep)
	char *name =
	    gs_format("%s:%s", instance->project, instance->commit.hex);
	int rc = gs_store_story(fates->cli->store, name, &story, err);
	if (rc == 0)
		judge(fate, instance, &story);
	gs_story_release(&story);
	return rc;
}

static void write_one(const struct fate *fate, struct gs_json *json)
{
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "system", fate->system);
	gs_json_put_cstr(json, "instance_id", fate->name);
	gs_json_put_cstr(json, "project", fate->project);
	gs_json_put_cstr(
	    json, "commit", fate->commit.hex[0] ? fate->commit.hex : NULL);
	gs_json_put_bool(json, "base_is_parent", fate->is_child);
	gs_json_key(json, "reproduces");
	if (fate->is_pending)
		gs_json_null(json);
	else
		gs_json_bool(json, fate->reproduces);
	gs_json_put_cstr(json, "record", fate->record);
	gs_json_put_cstr(json, "reason", fate->reason);
	gs_json_put_cstr(json, "detail", fate->detail);
	gs_json_end_object(json);
}

int gs_instances_write(struct gs_cli *cli, const char *project,
    struct gs_json *json, struct gs_err *err)
{
	GS_CLEANUP(fates_release) struct fates fates = {.cli = cli};
	int rc = gs_store_each_instance(cli->store, project, take, &fates, err);
	if (rc || fates.n == 0)
		return rc;
	gs_json_key(json, "instances");
	gs_json_begin_array(json);
	for (size_t i = 0; i < fates.n; i++)
		write_one(&fates.v[i], json);
	gs_json_end_array(json);
	return 0;
}

static void put_one(struct gs_cli *cli, const struct fate *fate)
{
	const char *word = fate->is_pending   ? "pending"
	                   : fate->reproduces ? "reproduces"
	                                      : "does not";
	gs_putf(cli, GS_STYLE_PLAIN, "  %-28s ", fate->name);
	gs_putf(cli,
	    fate->is_pending   ? GS_STYLE_ACCENT
	    : fate->reproduces ? GS_STYLE_GOOD
	                       : GS_STYLE_PLAIN,
	    "%-11s", word);
	if (fate->record)
		gs_putf(cli, GS_STYLE_PLAIN, " %s", fate->record);
	if (fate->reason)
		gs_putf(cli, GS_STYLE_PLAIN, " %s", fate->reason);
	gs_buf_addc(&cli->out, '\n');
}

int gs_instances_put(
    struct gs_cli *cli, const char *project, bool each, struct gs_err *err)
{
	GS_CLEANUP(fates_release) struct fates fates = {.cli = cli};
	int64_t n_good = 0, n_records = 0, n_pending = 0;
	int rc = gs_store_each_instance(cli->store, project, take, &fates, err);
	if (rc || fates.n == 0)
		return rc;
	for (size_t i = 0; i < fates.n; i++) {
		n_good += fates.v[i].reproduces;
		n_records += fates.v[i].record != NULL;
		n_pending += fates.v[i].is_pending;
	}
	gs_put_heading(cli, "Imported instances");
	gs_put_count_row(cli, (int64_t)fates.n, GS_STYLE_BOLD, "in all");
	gs_put_count_row(cli, n_good, GS_STYLE_GOOD,
	    "reproduce: a test that they name "
	    "fails before and passes after");
	gs_put_count_row(cli, n_records, GS_STYLE_PLAIN, "are records");
	gs_put_count_row(cli, n_pending, GS_STYLE_ACCENT, "pending");
	for (size_t i = 0; each && i < fates.n; i++)
		put_one(cli, &fates.v[i]);
	if (!each)
		gs_put(cli, GS_STYLE_DIM,
		    GS_STR("  each of them: goldset status --instances\n"));
	return 0;
}

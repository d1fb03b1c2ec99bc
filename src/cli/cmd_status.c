/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <string.h>

#include "base/mem.h"
#include "cli/instances.h"
#include "cli/style.h"
#include "run/env.h"
#include "store/query.h"

struct status_options {
	const char *project;
	bool instances;
};

static const struct gs_option options[] = {
    {"project", 0, GS_OPT_TEXT, "OWNER/NAME", "of this project alone",
        offsetof(struct status_options, project)},
    {"instances", 0, GS_OPT_FLAG, NULL,
        "a line for each imported instance: does it reproduce, and why not",
        offsetof(struct status_options, instances)},
};

static void write_counts(
    struct gs_json *json, const char *key, const struct gs_counts *counts)
{
	gs_json_key(json, key);
	gs_json_begin_object(json);
	for (size_t i = 0; i < counts->n; i++)
		gs_json_put_int(json, counts->v[i].name, counts->v[i].n);
	gs_json_end_object(json);
}

/* Both granularities stand there even when one has no record. */
static void write_granularities(
    struct gs_json *json, const struct gs_counts *counts)
{
	int64_t functions = 0, files = 0;
	for (size_t i = 0; i < counts->n; i++) {
		if (strcmp(counts->v[i].name, "function") == 0)
			functions = counts->v[i].n;
		if (strcmp(counts->v[i].name, "file") == 0)
			files = counts->v[i].n;
	}
	gs_json_key(json, "by_granularity");
	gs_json_begin_object(json);
	gs_json_put_int(json, "function", functions);
	gs_json_put_int(json, "file", files);
	gs_json_end_object(json);
}

static void write_lacking(struct gs_json *json, const struct gs_counts *lacking)
{
	gs_json_key(json, "lacking");
	gs_json_begin_array(json);
	for (size_t i = 0; i < lacking->n; i++) {
		GS_CLEANUP(gs_freep)
		char *package = gs_env_package_of(lacking->v[i].name);
		gs_json_begin_object(json);
		gs_json_put_cstr(json, "module", lacking->v[i].name);
		gs_json_put_int(json, "candidates", lacking->v[i].n);
		gs_json_put_cstr(json, "package", package);
		gs_json_end_object(json);
	}
	gs_json_end_array(json);
}

static int write_json(struct gs_cli *cli, const struct status_options *status,
    const struct gs_funnel *funnel, struct gs_err *err)
{
	struct gs_json json = {.out = &cli->out};
	gs_json_begin_object(&json);
	gs_json_put_int(&json, "projects", funnel->projects);
	gs_json_put_int(&json, "commits", funnel->commits);
	gs_json_put_int(&json, "candidates", funnel->candidates);
	gs_json_put_int(&json, "pending", funnel->pending);
	gs_json_put_int(&json, "records", funnel->records);
	gs_json_put_int(&json, "duplicates", funnel->duplicates);
	write_granularities(&json, &funnel->by_granularity);
	write_counts(&json, "by_change_kind", &funnel->by_change_kind);
	write_lacking(&json, &funnel->lacking);
	write_counts(&json, "reasons", &funnel->reasons);
	int rc = gs_instances_write(cli, status->project, &json, err);
	gs_json_end_object(&json);
	gs_buf_addc(&cli->out, '\n');
	return rc;
}

static void put_counts(struct gs_cli *cli, const char *heading,
    const struct gs_counts *counts, enum gs_style style)
{
	if (counts->n == 0)
		return;
	gs_put_heading(cli, heading);
	for (size_t i = 0; i < counts->n; i++)
		gs_put_count_row(cli, counts->v[i].n, style, counts->v[i].name);
}

/* One row for all modules that are missing: which they are stands below. */
static void put_reasons(struct gs_cli *cli, const struct gs_counts *reasons)
{
	static const char lacks[] = "environment unsatisfied: ";
	int64_t lacking = 0;
	for (size_t i = 0; i < reasons->n; i++)
		if (gs_str_starts(gs_str(reasons->v[i].name), lacks))
			lacking += reasons->v[i].n;
	if (reasons->n > 0)
		gs_put_heading(cli, "Refused because");
	for (size_t i = 0; i <= reasons->n; i++) {
		bool is_end = i == reasons->n;
		if (lacking > 0 && (is_end || reasons->v[i].n <= lacking)) {
			gs_put_count_row(cli, lacking, GS_STYLE_PLAIN,
			    "environment unsatisfied: a module is missing");
			lacking = 0;
		}
		if (!is_end &&
		    !gs_str_starts(gs_str(reasons->v[i].name), lacks))
			gs_put_count_row(cli, reasons->v[i].n, GS_STYLE_PLAIN,
			    reasons->v[i].name);
	}
}

static void put_lacking(struct gs_cli *cli, const struct gs_counts *lacking)
{
	if (lacking->n == 0)
		return;
	gs_put_heading(cli, "Modules that candidates lack");
	for (size_t i = 0; i < lacking->n; i++) {
		GS_CLEANUP(gs_freep)
		char *package = gs_env_package_of(lacking->v[i].name);
		gs_buf_addz(&cli->out, "  ");
		gs_put_count(cli, lacking->v[i].n, 10);
		gs_putf(cli, GS_STYLE_PLAIN, "  %s", lacking->v[i].name);
		if (package)
			gs_putf(
			    cli, GS_STYLE_DIM, "  (apt install %s)", package);
		gs_buf_addc(&cli->out, '\n');
	}
	gs_put(cli, GS_STYLE_DIM, GS_STR("  then: goldset validate --retry\n"));
}

static void put_text(struct gs_cli *cli, const struct gs_funnel *funnel)
{
	gs_put(cli, GS_STYLE_BOLD, GS_STR("Commits walked\n"));
	gs_put_count_row(cli, funnel->commits, GS_STYLE_BOLD, "in all");
	gs_put_count_row(cli, funnel->records, GS_STYLE_GOOD, "records");
	gs_put_count_row(cli, funnel->duplicates, GS_STYLE_DIM,
	    "duplicates of another record");
	gs_put_count_row(cli, funnel->pending, GS_STYLE_ACCENT, "pending");
	gs_put_count_row(cli,
	    funnel->commits - funnel->records - funnel->duplicates -
	        funnel->pending,
	    GS_STYLE_PLAIN, "refused, for the reasons below");
	put_counts(cli, "Records by granularity", &funnel->by_granularity,
	    GS_STYLE_PLAIN);
	put_counts(cli, "Records by kind of change", &funnel->by_change_kind,
	    GS_STYLE_PLAIN);
	put_reasons(cli, &funnel->reasons);
	put_lacking(cli, &funnel->lacking);
}

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	(void)args;
	const struct status_options *status = opts;
	struct gs_funnel funnel = {0};
	struct gs_project project = {0};
	int rc = status->project ? gs_store_project(cli->store, status->project,
	                               &project, err)
	                         : 0;
	gs_project_release(&project);
	if (rc == 0)
		rc = gs_store_funnel(cli->store, status->project, &funnel, err);
	if (rc == 0 && cli->json)
		rc = write_json(cli, status, &funnel, err);
	else if (rc == 0) {
		put_text(cli, &funnel);
		rc = gs_instances_put(
		    cli, status->project, status->instances, err);
	}
	gs_funnel_release(&funnel);
	return rc;
}

const struct gs_command gs_cmd_status = {
    .name = "status",
    .summary = "the funnel: every commit by what became of it",
    .synopsis = "[--project OWNER/NAME] [--instances]",
    .about = "Every commit walked is exactly one of: a record, a duplicate of "
             "one, pending, or\nrefused for one reason; the numbers add up. "
             "Modules that the environment lacks\nare ranked by how many "
             "candidates each would unlock.",
    .example = "goldset status",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct status_options),
    .min_args = 0,
    .max_args = 0,
    .needs = GS_NEEDS_STORE_READ,
    .run = run,
};

/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/report.h"

#include "base/json.h"

static void begin(struct gs_cli *cli, const char *step, struct gs_json *json)
{
	*json = (struct gs_json){.out = &cli->out};
	gs_json_begin_object(json);
	gs_json_put_cstr(json, "step", step);
}

static void end(struct gs_cli *cli, struct gs_json *json)
{
	gs_json_end_object(json);
	gs_buf_addc(&cli->out, '\n');
}

void gs_report_mine(struct gs_cli *cli, const char *project,
    const struct gs_mine_result *result)
{
	struct gs_json json;

	gs_cli_say(cli, "%s: %lld new commit%s, %lld candidate%s", project,
	    (long long)result->commits, GS_S(result->commits),
	    (long long)result->candidates, GS_S(result->candidates));
	if (result->unreadable > 0)
		gs_cli_warn(cli,
		    "%s: refused %lld commit%s that cannot be read (goldset "
		    "status counts them, goldset explain tells why)",
		    project, (long long)result->unreadable,
		    GS_S(result->unreadable));
	if (!cli->json)
		return;
	begin(cli, "mine", &json);
	gs_json_put_cstr(&json, "project", project);
	gs_json_put_int(&json, "commits", result->commits);
	gs_json_put_int(&json, "candidates", result->candidates);
	gs_json_put_int(&json, "unreadable", result->unreadable);
	end(cli, &json);
}

void gs_report_validate(
    struct gs_cli *cli, const struct gs_validate_result *result)
{
	struct gs_json json;

	gs_cli_say(cli, "%lld candidate%s examined, %lld record%s",
	    (long long)result->examined, GS_S(result->examined),
	    (long long)result->records, GS_S(result->records));
	if (result->infra > 0)
		gs_cli_warn(cli,
		    "%lld candidate%s could not be examined and stay%s pending; "
		    "the last because: %s",
		    (long long)result->infra, GS_S(result->infra),
		    result->infra == 1 ? "s" : "", result->last_infra);
	if (!cli->json)
		return;
	begin(cli, "validate", &json);
	gs_json_put_int(&json, "examined", result->examined);
	gs_json_put_int(&json, "records", result->records);
	gs_json_put_int(&json, "infra", result->infra);
	end(cli, &json);
}

void gs_report_publish(struct gs_cli *cli, const char *folder,
    const struct gs_publish_result *result)
{
	struct gs_json json;

	gs_cli_say(cli,
	    "%s: %lld record%s from %lld project%s (%lld function%s, %lld file%s)",
	    folder, (long long)result->records, GS_S(result->records),
	    (long long)result->projects, GS_S(result->projects),
	    (long long)result->functions, GS_S(result->functions),
	    (long long)result->files, GS_S(result->files));
	if (result->records == 0)
		gs_cli_warn(cli, "the release is empty: no candidate became a "
		                 "record; goldset status says why");
	if (!cli->json)
		return;
	begin(cli, "publish", &json);
	gs_json_put_cstr(&json, "release", folder);
	gs_json_put_cstr(&json, "version", result->version);
	gs_json_put_int(&json, "records", result->records);
	gs_json_put_int(&json, "projects", result->projects);
	gs_json_put_int(&json, "functions", result->functions);
	gs_json_put_int(&json, "files", result->files);
	gs_json_put_int(&json, "withdrawn", result->withdrawn);
	end(cli, &json);
}

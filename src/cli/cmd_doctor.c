/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "cli/advice.h"
#include "cli/style.h"
#include "evaluate/chat.h"
#include "git/mirror.h"
#include "os/file.h"
#include "run/box.h"
#include "run/env.h"
#include "table/table.h"

#define MAX_FACT ((size_t)1 << 16)

struct doctor_options {
	struct gs_strv pythons;
};

static const struct gs_option options[] = {
    {"python", 0, GS_OPT_MANY, "P",
        "also look at this interpreter; may be given again",
        offsetof(struct doctor_options, pythons)},
};

/* One finding: what is there, or what is missing, for what, and what helps. */
struct finding {
	const char *check;
	bool is_good, is_needed;
	const char *text;
	const char *needed_for; /* commands, or what is lost without it */
	const char *mend;       /* NULL: nothing to do */
};

static void put_json(struct gs_cli *cli, const struct finding *is)
{
	struct gs_json json = {.out = &cli->out};
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "check", is->check);
	gs_json_put_bool(&json, "ok", is->is_good);
	gs_json_put_bool(&json, "needed", is->is_needed);
	gs_json_put_cstr(&json, "text", is->text);
	gs_json_put_cstr(&json, "needed_for", is->needed_for);
	gs_json_put_cstr(&json, "mend", is->is_good ? NULL : is->mend);
	gs_json_end_object(&json);
	gs_buf_addc(&cli->out, '\n');
}

static void put_line(struct gs_cli *cli, const char *label, const char *text)
{
	gs_buf_addf(&cli->out, "%-11s", "");
	gs_putf(cli, GS_STYLE_DIM, "%-11s", label);
	gs_put_wrapped(cli, 22, text);
}

static void put(struct gs_cli *cli, const struct finding *is)
{
	if (!is->is_good && is->is_needed)
		cli->status = 1;
	if (cli->json) {
		put_json(cli, is);
		return;
	}
	gs_put(cli,
	    is->is_good     ? GS_STYLE_GOOD
	    : is->is_needed ? GS_STYLE_BAD
	                    : GS_STYLE_WARN,
	    gs_str(is->is_good     ? "  ok       "
	           : is->is_needed ? "  missing  "
	                           : "  without  "));
	gs_putf(cli, GS_STYLE_BOLD, "%-10s ", is->check);
	gs_put_wrapped(cli, 22, is->text);
	if (is->is_good)
		return;
	put_line(cli, is->is_needed ? "needed for" : "lost", is->needed_for);
	if (is->mend)
		put_line(cli, "what helps", is->mend);
}

/* What the machine says of itself. */

static int number_in(const char *path)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	if (gs_file_read(path, MAX_FACT, &text, NULL))
		return -1;
	return (int)strtol(gs_buf_cstr(&text), NULL, 10);
}

static void look_at_machine(struct gs_machine *ret)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	const char *named = getenv("container");
	int rc = gs_file_read("/etc/os-release", MAX_FACT, &text, NULL);
	*ret = (struct gs_machine){
	    .system = rc ? GS_SYSTEM_OTHER : gs_system_of(gs_buf_str(&text)),
	    .container = gs_path_exists("/.dockerenv")          ? "docker"
	                 : gs_path_exists("/run/.containerenv") ? "podman"
	                 : named && *named                      ? named
	                                                        : NULL,
	    .is_slurm = getenv("SLURM_JOB_ID") != NULL,
	    .is_root = geteuid() == 0,
	    .userns_clone =
	        number_in("/proc/sys/kernel/unprivileged_userns_clone"),
	    .max_userns = number_in("/proc/sys/user/max_user_namespaces"),
	    .apparmor_restrict = number_in(
	        "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
	};
}

static void look_at_git(struct gs_cli *cli, const struct gs_machine *machine)
{
	struct gs_err err = {0};
	GS_CLEANUP(gs_freep) char *version = NULL;
	GS_CLEANUP(gs_buf_release) struct gs_buf mend = {0};
	bool is_good = gs_git_version(&version, &err) == 0;
	gs_advise_install(machine->system, GS_THING_GIT, &mend);
	const struct finding is = {.check = "git",
	    .is_good = is_good,
	    .is_needed = true,
	    .text = is_good ? version : err.text,
	    .needed_for = "build, add, mine, validate, checkout, test, score",
	    .mend = gs_buf_cstr(&mend)};
	put(cli, &is);
}

static void look_at_cgroup(struct gs_cli *cli, const struct gs_box *box,
    const struct gs_machine *machine)
{
	bool is_good = box->cgroup != GS_CGROUP_NONE;
	const struct finding is = {.check = "limits",
	    .is_good = is_good,
	    .text = is_good
	                ? "memory and processes are limited by a cgroup"
	                : "memory and processes are limited by rlimits only",
	    .needed_for = "exact limits: a test that takes too much memory is "
	                  "found out later",
	    .mend = machine->is_slurm
	                ? "nothing in a Slurm job: the job's own limits hold "
	                  "all of it; give -j no more than its processors"
	                : "run as root, or under systemd-run --user --scope -p "
	                  "Delegate=yes"};
	put(cli, &is);
}

static void look_at_box(struct gs_cli *cli, const struct gs_machine *machine)
{
	struct gs_err err = {0};
	struct gs_box box = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf mend = {0};
	GS_CLEANUP(gs_freep) char *bwrap = gs_path_find("bwrap");
	bool is_good = gs_box_probe(false, &box, &err) == 0;
	if (bwrap)
		gs_advise_sandbox(machine, &mend);
	else
		gs_advise_install(machine->system, GS_THING_BUBBLEWRAP, &mend);
	const struct finding is = {.check = "sandbox",
	    .is_good = is_good,
	    .is_needed = true,
	    .text = is_good ? box.summary : err.text,
	    .needed_for = "build, validate, test, score, solve --agent: they "
	                  "run code of strangers",
	    .mend = gs_buf_cstr(&mend)};
	put(cli, &is);
	if (is_good)
		look_at_cgroup(cli, &box, machine);
	gs_box_release(&box);
}

static void look_at_faketime(struct gs_cli *cli,
    const struct gs_machine *machine, const struct gs_env *env)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf mend = {0};
	gs_advise_install(machine->system, GS_THING_FAKETIME, &mend);
	const struct finding is = {.check = "clock",
	    .is_good = env->faketime != NULL,
	    .text = env->faketime
	                ? "runs are repeated with the clock a year ahead"
	                : "libfaketime is not there: the clock stays",
	    .needed_for = "tests that depend on the date are not found out",
	    .mend = gs_buf_cstr(&mend)};
	put(cli, &is);
}

static void look_at_python(
    struct gs_cli *cli, const struct gs_machine *machine, const char *python)
{
	struct gs_err err = {0};
	struct gs_env env = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf mend = {0};
	int rc = python ? gs_env_system(python, &env, &err)
	                : gs_env_default(&env, &err);
	gs_advise_install(machine->system, GS_THING_PYTEST, &mend);
	GS_CLEANUP(gs_freep)
	char *text = rc ? gs_strdup(err.text)
	                : gs_format("%s, Python %s, pytest %s", env.python,
	                      env.python_version, env.pytest_version);
	const struct finding is = {.check = "python",
	    .is_good = rc == 0,
	    .is_needed = true,
	    .text = text,
	    .needed_for = "build, validate, test, score",
	    .mend = gs_buf_cstr(&mend)};
	put(cli, &is);
	if (rc == 0)
		look_at_faketime(cli, machine, &env);
	gs_env_release(&env);
}

static void look_at_duckdb(struct gs_cli *cli)
{
	struct gs_err err = {0};
	struct gs_table *table = NULL;
	bool is_good = gs_table_open(&table, &err) == 0;
	GS_CLEANUP(gs_freep)
	char *text = is_good ? gs_format("DuckDB %s", gs_table_version(table))
	                     : gs_strdup(err.text);
	const struct finding is = {.check = "tables",
	    .is_good = is_good,
	    .is_needed = true,
	    .text = text,
	    .needed_for = "build, publish, query, and all that reads a release",
	    .mend = "install goldset again: the library belongs to it"};
	put(cli, &is);
	gs_table_close(table);
}

static void look_at_curl(struct gs_cli *cli, const struct gs_machine *machine)
{
	struct gs_err err = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf mend = {0};
	bool is_good = gs_chat_available(&err) == 0;
	gs_advise_install(machine->system, GS_THING_CURL, &mend);
	const struct finding is = {.check = "models",
	    .is_good = is_good,
	    .text = is_good ? "libcurl talks to a model's endpoint" : err.text,
	    .needed_for = "solve, when it asks a model by its URL",
	    .mend = gs_buf_cstr(&mend)};
	put(cli, &is);
}

static void conclude(struct gs_cli *cli, const struct gs_machine *machine)
{
	if (cli->json)
		return;
	gs_buf_addc(&cli->out, '\n');
	if (machine->is_slurm)
		gs_put_wrapped(cli, 0,
		    "In a Slurm job: what holds here may not hold on another "
		    "node, so look there too (srun goldset doctor); put the "
		    "workspace on a disk of the node, and give each node a "
		    "workspace of its own.");
	if (cli->status)
		gs_put_wrapped(cli, 0,
		    "Something that is needed is missing: see above. Packages "
		    "are installed as root.");
	else
		gs_put_line(cli, gs_str("All that is needed is here."));
}

static int run(struct gs_cli *cli, const void *opts, const struct gs_strv *args,
    struct gs_err *err)
{
	(void)args;
	(void)err;
	const struct doctor_options *doctor = opts;
	struct gs_machine machine;
	look_at_machine(&machine);
	look_at_git(cli, &machine);
	look_at_box(cli, &machine);
	if (doctor->pythons.n == 0)
		look_at_python(cli, &machine, NULL);
	for (size_t i = 0; i < doctor->pythons.n; i++)
		look_at_python(cli, &machine, doctor->pythons.v[i]);
	look_at_duckdb(cli);
	look_at_curl(cli, &machine);
	conclude(cli, &machine);
	return 0;
}

const struct gs_command gs_cmd_doctor = {
    .name = "doctor",
    .summary = "what this machine can and cannot do, before a long run",
    .synopsis = "[--python P]...",
    .about = "Tries git, the sandbox, the interpreter with its pytest, the "
             "table library, and what\ntalks to models; says what is missing "
             "for which command, and how to install it on this\nsystem. The "
             "exit status is 1 when something needed is missing.",
    .example = "goldset doctor",
    .options = options,
    .n_options = GS_COUNT(options),
    .options_size = sizeof(struct doctor_options),
    .min_args = 0,
    .max_args = 0,
    .needs = GS_NEEDS_NOTHING,
    .run = run,
};

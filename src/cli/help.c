/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/mem.h"
#include "cli/command.h"

/* One screen of 24 lines and 80 columns; t0010-help.sh measures it, and that it
 * names every command. */
void gs_help_overview(struct gs_buf *ret)
{
	gs_buf_addz(ret,
	    "goldset makes verified bug-fix data sets from git histories.\n"
	    "\n"
	    "  goldset doctor                      what this machine lacks for it\n"
	    "  goldset build REPO... -o RELEASE    the main job, from nothing to a release\n"
	    "  goldset status                      what became of every commit\n"
	    "  goldset explain COMMIT              why it was kept or refused\n"
	    "  goldset show ID                     one record, to read\n"
	    "\n"
	    "A REPO is an https URL or a folder with a repository. Work in progress is\n"
	    "kept in a workspace (.goldset here, $GOLDSET_WORKSPACE, or -C DIR): stop at\n"
	    "any moment, call again, and it goes on where it was.\n"
	    "\n"
	    "Other commands:\n"
	    "  the main job in steps   add, mine, validate, publish, exclude\n"
	    "  shared work             import, merge, submit\n"
	    "  with a release          audit, diff, query, checkout, test, export, site\n"
	    "  with models             prompt, solve, score, compare\n"
	    "\n"
	    "goldset help --all        every command in a line\n"
	    "goldset COMMAND --help    one of them, with an example\n");
}

void gs_help_commands(struct gs_buf *ret)
{
	gs_buf_addz(ret, "usage: goldset [-C DIR] [--json] [-q|-v] COMMAND "
	                 "[OPTIONS] [ARGS]\n\nCommands:\n");
	for (size_t i = 0; gs_commands[i]; i++)
		gs_buf_addf(ret, "  %-10s %s\n", gs_commands[i]->name,
		    gs_commands[i]->summary);
	gs_buf_addz(ret,
	    "\n"
	    "Options before or after the command: -C DIR, --json, -q, -v, --help.\n"
	    "goldset COMMAND --help explains one of them.\n");
}

static void add_option(struct gs_buf *ret, const struct gs_option *option)
{
	GS_CLEANUP(gs_freep)
	char *letter = option->letter ? gs_format("-%c, ", option->letter)
	                              : gs_strdup("    ");
	GS_CLEANUP(gs_freep)
	char *left = gs_format("%s--%s%s%s", letter, option->name,
	    option->value ? " " : "", option->value ? option->value : "");
	if (strlen(left) > 26)
		gs_buf_addf(ret, "  %s\n  %-26s %s\n", left, "", option->help);
	else
		gs_buf_addf(ret, "  %-26s %s\n", left, option->help);
}

void gs_help_command(const struct gs_command *command, struct gs_buf *ret)
{
	gs_buf_addf(ret, "usage: goldset %s%s%s\n\n%s\n", command->name,
	    command->synopsis[0] ? " " : "", command->synopsis, command->about);
	if (command->n_options > 0)
		gs_buf_addz(ret, "\nOptions:\n");
	for (size_t i = 0; i < command->n_options; i++)
		add_option(ret, &command->options[i]);
	gs_buf_addf(ret, "\nExample:\n  %s\n", command->example);
}

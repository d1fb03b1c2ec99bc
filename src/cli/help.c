/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/mem.h"
#include "cli/command.h"

/* Of a line: longer ones are harder to read, whatever the terminal. */
#define WIDEST 80
#define NARROWEST 50
/* Where the words of an option begin. */
#define COLUMN 29

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

/* Words behind what stands in the last line already, then lines of their own
 * that begin in column `indent`. */
static void fill(
    struct gs_buf *ret, size_t width, size_t indent, const char *text)
{
	struct gs_str rest = gs_str(text), line = gs_buf_str(ret);
	ptrdiff_t end = gs_str_rfind_char(line, '\n');
	size_t at = line.n - (size_t)(end + 1);
	bool is_first = at == 0;
	while (rest.n > 0) {
		size_t n = strcspn(rest.p, " \n");
		if (n > 0 && !is_first && at + 1 + n > width) {
			gs_buf_addf(ret, "\n%*s", (int)indent, "");
			at = indent;
		} else if (n > 0 && !is_first) {
			gs_buf_addc(ret, ' ');
			at++;
		}
		gs_buf_adds(ret, gs_str_sub(rest, 0, n));
		at += n;
		is_first = is_first && n == 0;
		rest = gs_str_from(rest, n < rest.n ? n + 1 : n);
	}
	gs_buf_addc(ret, '\n');
}

static void add_option(
    struct gs_buf *ret, size_t width, const struct gs_option *option)
{
	GS_CLEANUP(gs_freep)
	char *letter = option->letter ? gs_format("-%c, ", option->letter)
	                              : gs_strdup("    ");
	GS_CLEANUP(gs_freep)
	char *left = gs_format("%s--%s%s%s", letter, option->name,
	    option->value ? " " : "", option->value ? option->value : "");
	if (strlen(left) > 26)
		gs_buf_addf(ret, "  %s\n  %-26s", left, "");
	else
		gs_buf_addf(ret, "  %-26s", left);
	fill(ret, width, COLUMN, option->help);
}

void gs_help_command(
    const struct gs_command *command, size_t width, struct gs_buf *ret)
{
	if (width == 0 || width > WIDEST)
		width = WIDEST;
	if (width < NARROWEST)
		width = NARROWEST;
	gs_buf_addf(ret, "usage: goldset %s", command->name);
	fill(ret, width, 4, command->synopsis);
	gs_buf_addc(ret, '\n');
	fill(ret, width, 0, command->about);
	if (command->n_options > 0)
		gs_buf_addz(ret, "\nOptions:\n");
	for (size_t i = 0; i < command->n_options; i++)
		add_option(ret, width, &command->options[i]);
	gs_buf_addf(ret, "\nExample:\n  %s\n", command->example);
}

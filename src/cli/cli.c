/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/log.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/progress.h"
#include "os/fd.h"
#include "os/file.h"
#include "os/signals.h"

enum {
	EXIT_DONE,
	EXIT_NO,
	EXIT_USAGE,
	EXIT_COULD_NOT,
	EXIT_INTERRUPTED = 130
};

static void vsay(struct gs_cli *cli, const char *fmt, va_list args)
    GS_PRINTF(2, 0);

static void vsay(struct gs_cli *cli, const char *fmt, va_list args)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf line = {0};
	gs_buf_vaddf(&text, fmt, args);
	gs_buf_addf(&line,
	    "%sgoldset%s%s: ", cli->is_interactive ? "\r\033[K" : "",
	    cli->command ? " " : "", cli->command ? cli->command->name : "");
	gs_utf8_harmless(&line, gs_buf_str(&text), true);
	gs_buf_addc(&line, '\n');
	gs_ignore(gs_fd_write(STDERR_FILENO, gs_buf_str(&line), NULL));
}

void gs_cli_say(struct gs_cli *cli, const char *fmt, ...)
{
	if (cli->quiet)
		return;
	va_list args;
	va_start(args, fmt);
	vsay(cli, fmt, args);
	va_end(args);
}

void gs_cli_warn(struct gs_cli *cli, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	vsay(cli, fmt, args);
	va_end(args);
}

int gs_cli_flush(struct gs_cli *cli, struct gs_err *err)
{
	int rc = gs_fd_write(STDOUT_FILENO, gs_buf_str(&cli->out), err);
	/* A reader that has seen enough is no error. */
	if (rc && errno == EPIPE)
		rc = 0;
	gs_buf_reset(&cli->out);
	return rc ? gs_wrap(err, "write standard output") : 0;
}

static void look_at_terminal(struct gs_cli *cli)
{
	struct winsize size;
	const char *no_colour = getenv("NO_COLOR");
	const char *term = getenv("TERM");
	bool is_dumb = !term || strcmp(term, "dumb") == 0;
	cli->is_interactive = isatty(STDERR_FILENO) && !is_dumb;
	if (!isatty(STDOUT_FILENO))
		return;
	cli->colour = !is_dumb && !(no_colour && *no_colour);
	cli->width = 80;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
		cli->width = size.ws_col;
}

static char *default_workspace(void)
{
	const char *named = getenv("GOLDSET_WORKSPACE");
	return gs_strdup(named && *named ? named : ".goldset");
}

static int exit_status(struct gs_cli *cli, int rc)
{
	switch ((enum gs_code)rc) {
	case GS_OK:
		return cli->status;
	case GS_E_USAGE:
	case GS_E_EXISTS:
		return EXIT_USAGE;
	case GS_E_CANCELLED:
		return EXIT_INTERRUPTED;
	case GS_E_NOT_FOUND:
	case GS_E_BUSY:
	case GS_E_LIMIT:
	case GS_E_ENVIRONMENT:
	case GS_E_CORRUPT:
	case GS_E_SYSTEM:
		return EXIT_COULD_NOT;
	}
	return EXIT_COULD_NOT;
}

static int open_needs(struct gs_cli *cli, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *conf = gs_path_join(cli->workspace, "goldset.conf");
	if (gs_path_exists(conf)) {
		int rc = gs_config_read(conf, &cli->config, err);
		if (rc)
			return rc;
	}
	if (cli->command->needs == GS_NEEDS_NOTHING)
		return 0;
	return gs_store_open(cli->workspace,
	    cli->command->needs == GS_NEEDS_STORE_WRITE ? GS_STORE_WRITE
	                                                : GS_STORE_READ,
	    &cli->store, err);
}

static int run_command(struct gs_cli *cli, const void *options,
    const struct gs_strv *args, struct gs_err *err)
{
	int rc = open_needs(cli, err);
	if (rc == 0)
		rc = cli->command->run(cli, options, args, err);
	gs_progress_end(cli);
	int flushed = gs_cli_flush(cli, rc ? NULL : err);
	gs_store_close(cli->store);
	cli->store = NULL;
	gs_config_release(&cli->config);
	return rc ? rc : flushed;
}

static int dispatch(
    struct gs_cli *cli, int argc, char **argv, struct gs_err *err)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv args = {0};
	const struct gs_command *command = cli->command;
	void *options = gs_alloc(command->options_size + 1);
	bool help = false;
	int rc = gs_options_parse(
	    cli, command, argc, argv, options, &args, &help, err);
	gs_log_enable(cli->verbose);
	if (rc == 0 && help) {
		gs_help_command(command, cli->width, &cli->out);
		rc = gs_cli_flush(cli, err);
	} else if (rc == 0)
		rc = run_command(cli, options, &args, err);
	gs_options_release(command, options);
	return rc;
}

static int unknown_command(const char *name, struct gs_err *err)
{
	const struct gs_command *guess = gs_command_guess(name);
	if (guess)
		return gs_fail(err, GS_E_USAGE,
		    "there is no command \"%.60s\"; did you mean \"%s\"?", name,
		    guess->name);
	return gs_fail(err, GS_E_USAGE,
	    "there is no command \"%.60s\"; goldset help --all lists them",
	    name);
}

static int overview(struct gs_cli *cli, struct gs_err *err)
{
	gs_help_overview(&cli->out);
	return gs_cli_flush(cli, err);
}

/* "goldset help", "goldset help --all", "goldset help mine". */
static int help_command(
    struct gs_cli *cli, int argc, char **argv, struct gs_err *err)
{
	if (argc == 0)
		return overview(cli, err);
	if (strcmp(argv[0], "--all") == 0 || strcmp(argv[0], "-a") == 0) {
		gs_help_commands(&cli->out);
		return gs_cli_flush(cli, err);
	}
	const struct gs_command *command = gs_command_find(argv[0]);
	if (!command)
		return unknown_command(argv[0], err);
	gs_help_command(command, cli->width, &cli->out);
	return gs_cli_flush(cli, err);
}

/* What stands in for the clock must be a number, or a typing error would give
 * dates that nobody asked for. */
static int check_epoch(struct gs_err *err)
{
	const char *epoch = getenv("SOURCE_DATE_EPOCH");
	if (!epoch || !*epoch ||
	    (strspn(epoch, "0123456789") == strlen(epoch) &&
	        strlen(epoch) <= 11))
		return 0;
	return gs_fail(err, GS_E_USAGE,
	    "SOURCE_DATE_EPOCH is seconds since 1970, not \"%.40s\"", epoch);
}

static int start(struct gs_cli *cli, int argc, char **argv, struct gs_err *err)
{
	bool help = false;
	int i = 1;
	if (argc > 1 && strcmp(argv[1], "--complete") == 0) {
		gs_complete(cli, argc - 2, argv + 2);
		return gs_cli_flush(cli, err);
	}
	for (; i < argc && argv[i][0] == '-'; i++) {
		if (strcmp(argv[i], "--version") == 0) {
			gs_buf_addz(&cli->out, "goldset " GS_VERSION "\n");
			return gs_cli_flush(cli, err);
		}
		int rc = gs_options_global(cli, argc, argv, &i, &help, err);
		if (rc < 0)
			return rc;
		if (rc == 0)
			return gs_fail(err, GS_E_USAGE,
			    "unknown option \"%s\"; goldset --help lists them",
			    argv[i]);
	}
	if (i == argc || (help && i == argc))
		return overview(cli, err);
	if (strcmp(argv[i], "help") == 0)
		return help_command(cli, argc - i - 1, argv + i + 1, err);
	cli->command = gs_command_find(argv[i]);
	if (!cli->command)
		return unknown_command(argv[i], err);
	if (help)
		return help_command(cli, 1, argv + i, err);
	return dispatch(cli, argc - i - 1, argv + i + 1, err);
}

/* With a standard stream closed, the next file that is opened would take its
 * number, and what is printed would land in it. What stands in for standard
 * output cannot be written to, so that data which nobody gets are an error. */
static void fill_standard_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			gs_ignore(open("/dev/null",
			    fd == STDOUT_FILENO ? O_RDONLY : O_RDWR));
}

int gs_cli_main(int argc, char **argv)
{
	fill_standard_streams();
	struct gs_cli cli = {.workspace = default_workspace()};
	struct gs_err err = {0};
	gs_stop_install();
	look_at_terminal(&cli);
	int rc = check_epoch(&err);
	if (rc == 0)
		rc = start(&cli, argc, argv, &err);
	if (rc == GS_E_CANCELLED)
		gs_cli_say(&cli, "interrupted; what was finished is kept, and "
		                 "the same command goes on from there");
	else if (rc)
		gs_cli_warn(&cli, "%s", err.text);
	int status = exit_status(&cli, rc);
	gs_buf_release(&cli.out);
	free(cli.workspace);
	return status;
}

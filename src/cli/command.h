/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A command is one file with one const value of struct gs_command, listed in
 * commands.c. Its options are data: a table over the members of the command's
 * own options struct, from which parsing, --help, the man pages and the
 * completions are made.
 *
 * Adding a command:
 *   1. src/cli/cmd_<name>.c with `const struct gs_command gs_cmd_<name>`
 *   2. a line in commands.c
 *   3. tools/make-man build/goldset
 *   4. a section in docs/reference/json.md for what --json prints
 *   5. tests/cli/t….sh; what the example names is made in scoring/desk.sh
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdint.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/strv.h"
#include "git/mirror.h"
#include "store/store.h"

enum gs_option_kind {
	GS_OPT_FLAG,    /* bool */
	GS_OPT_TEXT,    /* const char * */
	GS_OPT_MANY,    /* struct gs_strv: may be given again */
	GS_OPT_LIST,    /* struct gs_strv: a,b,c */
	GS_OPT_INT,     /* int64_t, at least 0 */
	GS_OPT_COUNT,   /* int64_t, at least 1 */
	GS_OPT_SECONDS, /* int64_t, at least 1 and at most a month */
	GS_OPT_DATE,    /* int64_t: YYYY-MM-DD or a whole instant */
};

struct gs_option {
	const char *name; /* without "--" */
	char letter;      /* 0: none */
	enum gs_option_kind kind;
	const char *value; /* what it is called in help; NULL for flags */
	const char *help;
	size_t offset; /* of the member in the options struct */
};

enum gs_needs {
	GS_NEEDS_NOTHING = 0,
	GS_NEEDS_STORE_READ = 1,
	GS_NEEDS_STORE_WRITE = 2,
};

/* "1 record", "2 records": "%lld record%s", n, GS_S(n) */
#define GS_S(n) ((n) == 1 ? "" : "s")

struct gs_cli;

struct gs_command {
	const char *name;
	const char *summary;  /* one line, lower case, no full stop */
	const char *synopsis; /* what follows "goldset <name>" */
	const char *about;    /* a paragraph or two for --help */
	const char *example;  /* one command line; a test runs it */
	const struct gs_option *options;
	size_t n_options;
	size_t options_size;    /* of the struct that is handed to run */
	int min_args, max_args; /* -1: any number */
	enum gs_needs needs;
	int (*run)(struct gs_cli *cli, const void *options,
	    const struct gs_strv *args, struct gs_err *err);
};

/* What progress.c remembers. */
struct gs_shown {
	const char *what;
	int64_t first, began_ms, at_ms;
};

/* What a running command has. */
struct gs_cli {
	const struct gs_command *command;
	char *workspace;
	bool json, quiet, verbose;
	bool colour;         /* stdout takes colours */
	bool is_interactive; /* stderr is a terminal: progress may be shown */
	size_t width;        /* of the terminal; 0 when stdout is none */
	struct gs_shown shown;
	struct gs_store *store;  /* as the command needs it */
	struct gs_config config; /* goldset.conf; empty when there is none */
	struct gs_buf out; /* stdout, flushed by gs_cli_flush and at the end */
	int status;        /* exit status of a run without error: 0 or 1 */
};

/* A sentence for people on stderr: "goldset mine: …". Nothing when quiet. */
void gs_cli_say(struct gs_cli *cli, const char *fmt, ...) GS_PRINTF(2, 3);
/* The same even when quiet: what went wrong without ending the command. */
void gs_cli_warn(struct gs_cli *cli, const char *fmt, ...) GS_PRINTF(2, 3);
GS_MUST_CHECK int gs_cli_flush(struct gs_cli *cli, struct gs_err *err);

extern const struct gs_command *const gs_commands[]; /* NULL-terminated */
const struct gs_command *gs_command_find(const char *name);
/* The command whose name is nearest, or NULL when none is near. */
const struct gs_command *gs_command_guess(const char *name);
/* Edits (insert, delete, replace) from a to b; 32 for long words. */
size_t gs_word_distance(const char *a, const char *b);

/* complete.c: `argv` are the words behind "goldset", the last to be completed;
 * appends what it may become, "word\tdescription" a line, or ":files" or
 * ":dirs" for the shell to fill in (completions/). */
void gs_complete(struct gs_cli *cli, int argc, char **argv);

/* help.c */
void gs_help_overview(struct gs_buf *ret); /* one screen */
void gs_help_commands(struct gs_buf *ret); /* a line each */
/* `width` of the terminal, or 0; an example is one line, to be copied. */
void gs_help_command(
    const struct gs_command *command, size_t width, struct gs_buf *ret);

/* options.c: fills `options` (zeroed, of command->options_size) and `args`;
 * sets *ret_help for --help. Global options are taken anywhere. */
GS_MUST_CHECK int gs_options_parse(struct gs_cli *cli,
    const struct gs_command *command, int argc, char **argv, void *options,
    struct gs_strv *args, bool *ret_help, struct gs_err *err);
void gs_options_release(const struct gs_command *command, void *options);
/* By name or letter, or NULL. */
const struct gs_option *gs_option_named(
    const struct gs_command *command, struct gs_str name);
const struct gs_option *gs_option_lettered(
    const struct gs_command *command, char letter);
/* One global option at argv[*i]: 1 taken, 0 not one, negative error. */
GS_MUST_CHECK int gs_options_global(struct gs_cli *cli, int argc, char **argv,
    int *i, bool *ret_help, struct gs_err *err);

#endif

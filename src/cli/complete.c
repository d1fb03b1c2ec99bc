/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a word on the command line may become. The option tables and the
 * synopses say it, so that a new command or option is completed the day it is
 * there; the shells' own files (completions/) only ask and show.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/command.h"
#include "store/query.h"

#define MAX_IDS 200

/* What stands before the word that is completed. */
struct place {
	struct gs_cli *cli;
	const struct gs_command *command; /* NULL: none yet */
	const struct gs_option *waiting;  /* its value comes next */
	bool wants_workspace;             /* the value of -C comes next */
	bool is_help;                     /* behind "help" */
	bool only_args;                   /* behind "--" */
	bool is_lost;                     /* behind what is no command */
	size_t n_args;
};

static const struct {
	const char *word, *help;
} globals[] = {
    {"--json", "data for programs on standard output"},
    {"--quiet", "say nothing that is not an error"},
    {"--verbose", "say more"},
    {"--help", "what the command does and takes"},
    {"-C", "the folder of the workspace"},
};

static void offer(struct place *place, struct gs_str before, struct gs_str word,
    const char *text)
{
	struct gs_buf *out = &place->cli->out;
	gs_buf_adds(out, before);
	gs_buf_adds(out, word);
	gs_buf_addf(out, "\t%s\n", text ? text : "");
}

static void take_option_word(struct place *place, const char *word)
{
	const struct gs_option *option = NULL;
	struct gs_str name = gs_str(word + 2);
	bool has_value = false;
	if (word[1] == '-') {
		ptrdiff_t equals = gs_str_find_char(name, '=');
		has_value = equals >= 0;
		if (has_value)
			name = gs_str_sub(name, 0, (size_t)equals);
		option = gs_option_named(place->command, name);
	} else {
		option = gs_option_lettered(place->command, word[1]);
		has_value = word[2] != '\0';
	}
	if (option && option->value && !has_value)
		place->waiting = option;
}

static void take_word(struct place *place, const char *word)
{
	if (place->waiting || place->wants_workspace) {
		if (place->wants_workspace) {
			free(place->cli->workspace);
			place->cli->workspace = gs_strdup(word);
		}
		place->waiting = NULL;
		place->wants_workspace = false;
	} else if (!place->only_args && strcmp(word, "--") == 0) {
		place->only_args = true;
	} else if (!place->only_args && strcmp(word, "-C") == 0) {
		place->wants_workspace = true;
	} else if (!place->only_args && word[0] == '-' && word[1]) {
		if (place->command)
			take_option_word(place, word);
	} else if (place->command) {
		place->n_args++;
	} else if (strcmp(word, "help") == 0) {
		place->is_help = true;
	} else {
		place->command = gs_command_find(word);
		place->is_lost = !place->command;
	}
}

static void offer_commands(struct place *place, const char *word)
{
	for (size_t i = 0; gs_commands[i]; i++)
		if (strncmp(gs_commands[i]->name, word, strlen(word)) == 0)
			offer(place, gs_str(""), gs_str(gs_commands[i]->name),
			    gs_commands[i]->summary);
	if (!place->is_help && strncmp("help", word, strlen(word)) == 0)
		offer(place, gs_str(""), GS_STR("help"),
		    "what the program or a command does");
}

static void offer_options(struct place *place, const char *word)
{
	const struct gs_command *command = place->command;
	for (size_t i = 0; command && i < command->n_options; i++) {
		const struct gs_option *option = &command->options[i];
		GS_CLEANUP(gs_freep)
		char *whole = gs_format("--%s", option->name);
		if (strncmp(whole, word, strlen(word)) == 0)
			offer(place, gs_str(""), gs_str(whole), option->help);
	}
	if (place->is_help && strncmp("--all", word, strlen(word)) == 0)
		offer(place, gs_str(""), GS_STR("--all"),
		    "every command in a line");
	for (size_t i = 0; i < GS_COUNT(globals); i++)
		if (strncmp(globals[i].word, word, strlen(word)) == 0)
			offer(place, gs_str(""), gs_str(globals[i].word),
			    globals[i].help);
}

/* Of "a|b" or "a,b,c": words that are typed as they stand. */
static void offer_words(struct place *place, struct gs_str before,
    struct gs_str value, struct gs_str word)
{
	char between = gs_str_find_char(value, '|') >= 0 ? '|' : ',';
	struct gs_str one;
	ptrdiff_t comma = gs_str_rfind_char(word, ',');
	GS_CLEANUP(gs_buf_release) struct gs_buf first = {0};
	gs_buf_adds(&first, before);
	/* A list grows by one word at a time. */
	if (between == ',' && comma >= 0) {
		gs_buf_adds(&first, gs_str_sub(word, 0, (size_t)comma + 1));
		word = gs_str_from(word, (size_t)comma + 1);
	}
	while (value.n && gs_str_cut(&value, between, &one))
		if (one.n >= word.n && strncmp(one.p, word.p, word.n) == 0)
			offer(place, gs_buf_str(&first), one, NULL);
}

/* Names that the workspace knows; one that is none gives none. */
static void offer_names(struct place *place, struct gs_str before,
    struct gs_str word, bool is_project)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv names = {0};
	GS_CLEANUP(gs_freep)
	char *beginning = gs_format("%.*s", GS_STR_ARG(word));
	struct gs_store *store = NULL;
	struct gs_err err = {0};
	int rc =
	    gs_store_open(place->cli->workspace, GS_STORE_READ, &store, &err);
	if (rc == 0)
		rc = is_project ? gs_store_project_names(store, &names, &err)
		                : gs_store_record_ids(store,
		                      beginning[0] ? beginning : "gs-", MAX_IDS,
		                      &names, &err);
	for (size_t i = 0; rc == 0 && i < names.n; i++) {
		struct gs_str rest = gs_str(names.v[i]), name;
		if (gs_str_starts(rest, beginning) &&
		    gs_str_cut(&rest, '\t', &name))
			offer(place, before, name, rest.n ? rest.p : NULL);
	}
	gs_store_close(store);
}

static bool is_one_of(struct gs_str name, const char *const *names)
{
	for (; *names; names++)
		if (gs_str_is(name, *names))
			return true;
	return false;
}

/* `value` is what help calls it. */
static void offer_value(struct place *place, struct gs_str before,
    struct gs_str value, struct gs_str word)
{
	static const char *const folders[] = {
	    "DIR", "RELEASE", "OLD", "NEW", "REPO", "WORKSPACE", NULL};
	static const char *const files[] = {"FILE", "ANSWERS", "REPORT",
	    "PROGRAM", "P", "STORE", "MANIFEST", NULL};
	static const char *const projects[] = {"PROJECT", "OWNER/NAME", NULL};
	static const char *const ids[] = {"ID", "COMMIT|ID", "COMMIT", NULL};
	if (value.n && islower((unsigned char)value.p[0]))
		offer_words(place, before, value, word);
	else if (is_one_of(value, folders))
		gs_buf_addz(&place->cli->out, ":dirs\n");
	else if (is_one_of(value, files))
		gs_buf_addz(&place->cli->out, ":files\n");
	else if (is_one_of(value, projects))
		offer_names(place, before, word, true);
	else if (is_one_of(value, ids))
		offer_names(place, before, word, false);
}

/* The words of a synopsis without brackets, "A|--b C" as two. */
static void split_synopsis(const char *synopsis, struct gs_strv *ret)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	for (const char *p = synopsis; *p; p++) {
		bool is_gap =
		    *p == '[' || *p == ']' || (*p == '|' && p[1] == '-');
		gs_buf_addc(&text, is_gap ? ' ' : *p);
	}
	struct gs_str rest = gs_buf_str(&text), word;
	while (rest.n && gs_str_cut(&rest, ' ', &word))
		if (word.n)
			gs_strv_push_str(ret, word);
}

static bool takes_value(const struct gs_command *command, const char *word)
{
	const struct gs_option *option =
	    word[1] == '-' ? gs_option_named(command, gs_str(word + 2))
	                   : gs_option_lettered(command, word[1]);
	return option && option->value;
}

/* What the next argument is called; the last one may come again. */
static void offer_argument(struct place *place, const char *word)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv words = {0};
	struct gs_str slot = {0};
	size_t n = 0;
	split_synopsis(place->command->synopsis, &words);
	for (size_t i = 0; i < words.n && n <= place->n_args; i++) {
		struct gs_str one = gs_str(words.v[i]);
		if (gs_str_is(one, "OPTIONS") || gs_str_is(one, "..."))
			continue;
		if (one.p[0] == '-') {
			i += takes_value(place->command, one.p);
			continue;
		}
		bool repeats =
		    gs_str_ends(one, "...") ||
		    (i + 1 < words.n && strcmp(words.v[i + 1], "...") == 0);
		if (gs_str_ends(one, "..."))
			one = gs_str_sub(one, 0, one.n - 3);
		slot = n == place->n_args || repeats ? one : gs_str("");
		n++;
	}
	if (slot.n)
		offer_value(place, gs_str(""), slot, gs_str(word));
}

static void offer_attached(struct place *place, const char *word)
{
	struct gs_str whole = gs_str(word);
	size_t equals = (size_t)gs_str_find_char(whole, '=');
	const struct gs_option *option =
	    gs_option_named(place->command, gs_str_sub(whole, 2, equals));
	if (option && option->value)
		offer_value(place, gs_str_sub(whole, 0, equals + 1),
		    gs_str(option->value), gs_str_from(whole, equals + 1));
}

void gs_complete(struct gs_cli *cli, int argc, char **argv)
{
	struct place place = {.cli = cli};
	const char *word = argc > 0 ? argv[argc - 1] : "";
	for (int i = 0; i + 1 < argc; i++)
		take_word(&place, argv[i]);
	if (place.is_lost)
		return;
	if (place.wants_workspace)
		gs_buf_addz(&cli->out, ":dirs\n");
	else if (place.waiting)
		offer_value(&place, gs_str(""), gs_str(place.waiting->value),
		    gs_str(word));
	else if (!place.only_args && place.command &&
	         strncmp(word, "--", 2) == 0 && strchr(word, '='))
		offer_attached(&place, word);
	else if (!place.only_args && word[0] == '-')
		offer_options(&place, word);
	else if (place.command)
		offer_argument(&place, word);
	else
		offer_commands(&place, word);
}

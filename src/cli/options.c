/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/datetime.h"
#include "base/mem.h"
#include "cli/command.h"

const struct gs_option *gs_option_named(
    const struct gs_command *command, struct gs_str name)
{
	for (size_t i = 0; i < command->n_options; i++)
		if (gs_str_is(name, command->options[i].name))
			return &command->options[i];
	return NULL;
}

const struct gs_option *gs_option_lettered(
    const struct gs_command *command, char letter)
{
	for (size_t i = 0; i < command->n_options; i++)
		if (command->options[i].letter == letter)
			return &command->options[i];
	return NULL;
}

static int bad_value(const struct gs_option *option, const char *value,
    const char *wanted, struct gs_err *err)
{
	return gs_fail(err, GS_E_USAGE, "--%s takes %s, not \"%s\"",
	    option->name, wanted, value);
}

static int set_number(const struct gs_option *option, const char *value,
    void *member, struct gs_err *err)
{
	char *end = NULL;
	errno = 0;
	long long number = strtoll(value ? value : "", &end, 10);
	int64_t least = option->kind == GS_OPT_INT ? 0 : 1;
	/* A month is longer than any wait that is meant. */
	int64_t most =
	    option->kind == GS_OPT_SECONDS ? 31 * 24 * 3600 : INT32_MAX;
	if (errno || end == value || *end || number < least || number > most)
		return bad_value(option, value,
		    least ? "a whole number from 1" : "a whole number from 0",
		    err);
	*(int64_t *)member = number;
	return 0;
}

static void set_list(const char *value, struct gs_strv *ret)
{
	struct gs_str rest = gs_str(value), part;
	while (rest.n && gs_str_cut(&rest, ',', &part))
		if (gs_str_trim(part).n > 0)
			gs_strv_push_str(ret, gs_str_trim(part));
}

static int set_option(const struct gs_option *option, const char *value,
    void *options, struct gs_err *err)
{
	char *member = (char *)options + option->offset;
	switch (option->kind) {
	case GS_OPT_FLAG:
		*(bool *)member = true;
		return 0;
	case GS_OPT_TEXT:
		*(const char **)(void *)member = value;
		return 0;
	case GS_OPT_MANY:
		gs_strv_push((struct gs_strv *)(void *)member, value);
		return 0;
	case GS_OPT_LIST:
		set_list(value, (struct gs_strv *)(void *)member);
		return 0;
	case GS_OPT_INT:
	case GS_OPT_COUNT:
	case GS_OPT_SECONDS:
		return set_number(option, value, member, err);
	case GS_OPT_DATE:
		if (!gs_datetime_parse(
		        gs_str(value), (int64_t *)(void *)member))
			return bad_value(
			    option, value, "a date such as 2024-05-01", err);
		return 0;
	}
	return 0;
}

/* The value of an option: behind '=', behind the letter, or the next word. */
static int take_value(const struct gs_option *option, const char *attached,
    int argc, char **argv, int *i, const char **ret, struct gs_err *err)
{
	if (option->kind == GS_OPT_FLAG) {
		if (attached)
			return gs_fail(err, GS_E_USAGE, "--%s takes no value",
			    option->name);
		return 0;
	}
	*ret = attached ? attached : *i + 1 < argc ? argv[++*i] : NULL;
	if (!*ret)
		return gs_fail(err, GS_E_USAGE, "--%s needs a value: %s",
		    option->name, option->value);
	return 0;
}

/* The option whose name is nearest, or that alone begins so; or NULL. */
static const char *guess_option(
    const struct gs_command *command, const char *name)
{
	const char *best = NULL;
	size_t least = 3, n = strlen(name);
	for (size_t i = 0; i < command->n_options; i++) {
		const char *other = command->options[i].name;
		size_t d = n >= 3 && strncmp(name, other, n) == 0
		               ? 0
		               : gs_word_distance(name, other);
		/* Of short words half would do. */
		if (d < least && 2 * d < strlen(other)) {
			least = d;
			best = other;
		}
	}
	return best;
}

static int unknown(
    const struct gs_command *command, const char *word, struct gs_err *err)
{
	GS_CLEANUP(gs_freep)
	char *name = gs_strdup(strncmp(word, "--", 2) == 0 ? word + 2 : "");
	name[strcspn(name, "=")] = '\0';
	const char *guess = name[0] ? guess_option(command, name) : NULL;
	if (guess)
		return gs_fail(err, GS_E_USAGE,
		    "unknown option \"%.60s\"; did you mean \"--%s\"? "
		    "goldset %s --help lists them",
		    word, guess, command->name);
	return gs_fail(err, GS_E_USAGE,
	    "unknown option \"%.60s\"; goldset %s --help lists them", word,
	    command->name);
}

static int take_option(const struct gs_command *command, int argc, char **argv,
    int *i, void *options, struct gs_err *err)
{
	const char *word = argv[*i], *value = NULL, *attached = NULL;
	const struct gs_option *option;
	if (word[1] == '-') {
		struct gs_str name = gs_str(word + 2);
		ptrdiff_t equals = gs_str_find_char(name, '=');
		if (equals >= 0) {
			attached = name.p + equals + 1;
			name = gs_str_sub(name, 0, (size_t)equals);
		}
		option = gs_option_named(command, name);
	} else {
		option = gs_option_lettered(command, word[1]);
		attached = word[2] ? word + 2 : NULL;
	}
	if (!option)
		return unknown(command, word, err);
	int rc = take_value(option, attached, argc, argv, i, &value, err);
	return rc ? rc : set_option(option, value, options, err);
}

int gs_options_global(struct gs_cli *cli, int argc, char **argv, int *i,
    bool *ret_help, struct gs_err *err)
{
	const char *word = argv[*i];
	if (strcmp(word, "--json") == 0)
		cli->json = true;
	else if (strcmp(word, "-q") == 0 || strcmp(word, "--quiet") == 0)
		cli->quiet = true;
	else if (strcmp(word, "-v") == 0 || strcmp(word, "--verbose") == 0)
		cli->verbose = true;
	else if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0)
		*ret_help = true;
	else if (strncmp(word, "-C", 2) == 0) {
		const char *dir = word[2]         ? word + 2
		                  : *i + 1 < argc ? argv[++*i]
		                                  : NULL;
		if (!dir || !*dir)
			return gs_fail(err, GS_E_USAGE,
			    "-C needs the folder of a workspace");
		free(cli->workspace);
		cli->workspace = gs_strdup(dir);
	} else
		return 0;
	return 1;
}

static int check_count(const struct gs_command *command,
    const struct gs_strv *args, struct gs_err *err)
{
	bool too_few = (int)args->n < command->min_args;
	bool too_many =
	    command->max_args >= 0 && (int)args->n > command->max_args;
	if (!too_few && !too_many)
		return 0;
	return gs_fail(err, GS_E_USAGE,
	    "too %s arguments; the form is: goldset %s %s",
	    too_few ? "few" : "many", command->name, command->synopsis);
}

int gs_options_parse(struct gs_cli *cli, const struct gs_command *command,
    int argc, char **argv, void *options, struct gs_strv *args, bool *ret_help,
    struct gs_err *err)
{
	bool only_args = false;
	for (int i = 0; i < argc; i++) {
		if (only_args || argv[i][0] != '-' || !argv[i][1]) {
			gs_strv_push(args, argv[i]);
			continue;
		}
		if (strcmp(argv[i], "--") == 0) {
			only_args = true;
			continue;
		}
		int rc = gs_options_global(cli, argc, argv, &i, ret_help, err);
		if (rc == 0)
			rc = take_option(command, argc, argv, &i, options, err);
		if (rc < 0)
			return rc;
	}
	return *ret_help ? 0 : check_count(command, args, err);
}

void gs_options_release(const struct gs_command *command, void *options)
{
	for (size_t i = 0; options && i < command->n_options; i++) {
		const struct gs_option *option = &command->options[i];
		if (option->kind == GS_OPT_MANY || option->kind == GS_OPT_LIST)
			gs_strv_release(
			    (struct gs_strv *)(void *)((char *)options +
			                               option->offset));
	}
	free(options);
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "cli/command.h"

#define COMMAND(name) extern const struct gs_command gs_cmd_##name
COMMAND(build);
COMMAND(add);
COMMAND(mine);
COMMAND(validate);
COMMAND(status);
COMMAND(explain);
COMMAND(publish);
COMMAND(exclude);
COMMAND(import);
COMMAND(merge);
COMMAND(submit);
COMMAND(audit);
COMMAND(diff);
COMMAND(show);
COMMAND(query);
COMMAND(checkout);
COMMAND(test);
COMMAND(prompt);
COMMAND(solve);
COMMAND(score);
COMMAND(compare);
COMMAND(export);
COMMAND(site);
COMMAND(doctor);

/* In the order of help: the main job first, then its steps, then using. */
const struct gs_command *const gs_commands[] = {
    &gs_cmd_build,
    &gs_cmd_add,
    &gs_cmd_mine,
    &gs_cmd_validate,
    &gs_cmd_status,
    &gs_cmd_explain,
    &gs_cmd_publish,
    &gs_cmd_exclude,
    &gs_cmd_import,
    &gs_cmd_merge,
    &gs_cmd_submit,
    &gs_cmd_audit,
    &gs_cmd_diff,
    &gs_cmd_show,
    &gs_cmd_query,
    &gs_cmd_checkout,
    &gs_cmd_test,
    &gs_cmd_prompt,
    &gs_cmd_solve,
    &gs_cmd_score,
    &gs_cmd_compare,
    &gs_cmd_export,
    &gs_cmd_site,
    &gs_cmd_doctor,
    NULL,
};

const struct gs_command *gs_command_find(const char *name)
{
	for (size_t i = 0; gs_commands[i]; i++)
		if (strcmp(gs_commands[i]->name, name) == 0)
			return gs_commands[i];
	return NULL;
}

size_t gs_word_distance(const char *a, const char *b)
{
	size_t row[32];
	size_t n = strlen(b);
	if (n >= 32 || strlen(a) >= 32)
		return 32;
	for (size_t k = 0; k <= n; k++)
		row[k] = k;
	for (size_t i = 0; a[i]; i++) {
		size_t corner = row[0];
		row[0] = i + 1;
		for (size_t k = 0; k < n; k++) {
			size_t best = corner + (a[i] != b[k]);
			if (row[k] + 1 < best)
				best = row[k] + 1;
			if (row[k + 1] + 1 < best)
				best = row[k + 1] + 1;
			corner = row[k + 1];
			row[k + 1] = best;
		}
	}
	return row[n];
}

const struct gs_command *gs_command_guess(const char *name)
{
	const struct gs_command *best = NULL;
	size_t least = 3;
	for (size_t i = 0; gs_commands[i]; i++) {
		size_t d = gs_word_distance(name, gs_commands[i]->name);
		if (d < least) {
			least = d;
			best = gs_commands[i];
		}
	}
	return best;
}

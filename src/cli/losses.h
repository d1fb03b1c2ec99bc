/* SPDX-License-Identifier: Apache-2.0 */
/* What an export leaves out: records, parts of them, and answers. Said once
 * a reason to a person, and record by record in the output. */
#ifndef CLI_LOSSES_H
#define CLI_LOSSES_H

#include "cli/command.h"
#include "evaluate/export.h"

struct gs_loss {
	char *id, *reason;
	bool is_absent; /* else the record is there, without something */
};

struct gs_losses {
	struct gs_loss *v;
	size_t n, cap;
	int64_t n_unfit;   /* records that the form has no place for */
	int64_t n_samples; /* answers: the form takes one a record */
};

void gs_losses_release(struct gs_losses *losses);
void gs_losses_add(struct gs_losses *losses, const char *id, bool is_absent,
    const char *reason);
void gs_losses_note(struct gs_losses *losses, const char *id,
    const struct gs_export_note *note);
/* Is this record absent? */
bool gs_losses_has(const struct gs_losses *losses, const char *id);

void gs_losses_say(
    const struct gs_losses *losses, struct gs_cli *cli, size_t n_records);
void gs_losses_print(const struct gs_losses *losses, struct gs_buf *ret);
/* As members of an object. */
void gs_losses_write(const struct gs_losses *losses, struct gs_json *json);

#endif

/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/losses.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

void gs_losses_release(struct gs_losses *losses)
{
	for (size_t i = 0; i < losses->n; i++) {
		free(losses->v[i].id);
		free(losses->v[i].reason);
	}
	GS_VEC_FREE(losses);
}

void gs_losses_add(struct gs_losses *losses, const char *id, bool is_absent,
    const char *reason)
{
	struct gs_loss *loss = GS_VEC_ADD(losses);
	*loss = (struct gs_loss){
	    .id = gs_strdup(id),
	    .reason = gs_strdup(reason),
	    .is_absent = is_absent,
	};
}

void gs_losses_note(
    struct gs_losses *losses, const char *id, const struct gs_export_note *note)
{
	if (note->unfit) {
		losses->n_unfit++;
		gs_losses_add(losses, id, true, note->unfit);
		return;
	}
	for (size_t i = 0; i < note->lacks.n; i++)
		gs_losses_add(losses, id, false, note->lacks.v[i]);
}

bool gs_losses_has(const struct gs_losses *losses, const char *id)
{
	for (size_t i = 0; i < losses->n; i++)
		if (losses->v[i].is_absent && strcmp(losses->v[i].id, id) == 0)
			return true;
	return false;
}

static bool is_alike(const struct gs_loss *a, const struct gs_loss *b)
{
	return a->is_absent == b->is_absent &&
	       strcmp(a->reason, b->reason) == 0;
}

/* How many are like this one; 0 when an earlier one was asked for it. */
static size_t count_from(const struct gs_losses *losses, size_t at)
{
	size_t n = 0;
	for (size_t i = 0; i < losses->n; i++) {
		bool alike = is_alike(&losses->v[i], &losses->v[at]);
		if (alike && i < at)
			return 0;
		n += alike;
	}
	return n;
}

void gs_losses_say(
    const struct gs_losses *losses, struct gs_cli *cli, size_t n_records)
{
	for (size_t i = 0; i < losses->n; i++) {
		const struct gs_loss *loss = &losses->v[i];
		size_t n = count_from(losses, i);
		if (n > 0 && loss->is_absent)
			gs_cli_say(cli, "%zu of %zu records left out: %s", n,
			    n_records, loss->reason);
		else if (n > 0)
			gs_cli_say(cli, "%zu of %zu records written without %s",
			    n, n_records, loss->reason);
	}
	if (losses->n_samples > 0)
		gs_cli_say(cli,
		    "%lld answer%s left out: the harness takes the first of a "
		    "model to a record",
		    (long long)losses->n_samples, GS_S(losses->n_samples));
}

void gs_losses_print(const struct gs_losses *losses, struct gs_buf *ret)
{
	for (size_t i = 0; i < losses->n; i++)
		gs_buf_addf(ret, "%s  %s %s\n", losses->v[i].id,
		    losses->v[i].is_absent ? "left out:" : "without",
		    losses->v[i].reason);
}

static void write_list(const struct gs_losses *losses, const char *key,
    bool is_absent, struct gs_json *json)
{
	gs_json_key(json, key);
	gs_json_begin_array(json);
	for (size_t i = 0; i < losses->n; i++) {
		if (losses->v[i].is_absent != is_absent)
			continue;
		gs_json_begin_object(json);
		gs_json_put_cstr(json, "id", losses->v[i].id);
		gs_json_put_cstr(json, "reason", losses->v[i].reason);
		gs_json_end_object(json);
	}
	gs_json_end_array(json);
}

void gs_losses_write(const struct gs_losses *losses, struct gs_json *json)
{
	gs_json_put_int(json, "unfit", losses->n_unfit);
	write_list(losses, "left_out", true, json);
	write_list(losses, "incomplete", false, json);
	gs_json_put_int(json, "samples_left_out", losses->n_samples);
}

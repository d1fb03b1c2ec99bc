/* SPDX-License-Identifier: Apache-2.0 */
/* Workers hand verdicts over as JSON: what parses is written and parsed to
 * the same bytes again, and a record out of it can be checked. */
#include <stdlib.h>

#include "base/attr.h"
#include "model/oracle.h"
#include "model/verdict.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void round_trip(struct gs_str text)
{
	struct gs_verdict verdict, back;
	struct gs_buf first = {0}, second = {0};
	struct gs_err err = {0};

	if (gs_verdict_parse(text, &verdict, &err) < 0) {
		if (err.text[0] == '\0')
			abort();
		return;
	}
	gs_verdict_write(&verdict, &first);
	if (gs_verdict_parse(gs_buf_str(&first), &back, &err) < 0)
		abort();
	gs_verdict_write(&back, &second);
	if (!gs_str_eq(gs_buf_str(&first), gs_buf_str(&second)))
		abort();
	if (verdict.is_record)
		gs_ignore(gs_record_check(&verdict.record, &err));
	gs_buf_release(&first);
	gs_buf_release(&second);
	gs_verdict_release(&verdict);
	gs_verdict_release(&back);
}

/* The same bytes read as a run. */
static void run_round_trip(struct gs_str text)
{
	struct gs_err err = {0};
	struct gs_run run, back;
	struct gs_buf first = {0}, second = {0};
	struct gs_json json = {.out = &first};
	json_t *object = gs_json_parse(text, "the run", &err);

	if (!object || gs_run_parse(object, &run, &err) < 0) {
		json_decref(object);
		return;
	}
	json_decref(object);
	gs_run_write(&run, &json);
	object = gs_json_parse(gs_buf_str(&first), "the run", &err);
	if (!object || gs_run_parse(object, &back, &err) < 0)
		abort();
	json_decref(object);
	json = (struct gs_json){.out = &second};
	gs_run_write(&back, &json);
	if (!gs_str_eq(gs_buf_str(&first), gs_buf_str(&second)))
		abort();

	/* O5: what is kept passed after; against itself nothing flips */
	struct gs_oracle oracle;
	gs_oracle_compare(&run, &back, NULL, &oracle);
	if (oracle.kept.n > 0 && run.kind == GS_RUN_COMPLETE)
		abort();
	gs_oracle_release(&oracle);
	gs_buf_release(&first);
	gs_buf_release(&second);
	gs_run_release(&run);
	gs_run_release(&back);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct gs_str text = gs_str_n((const char *)data, size);
	round_trip(text);
	run_round_trip(text);
	return 0;
}

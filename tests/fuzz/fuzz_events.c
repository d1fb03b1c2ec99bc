/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a run's event stream (token "tok"): where reads end changes
 * nothing, a complete run has an outcome for every node, and the run reads
 * back from its own JSON. The first byte picks how the process ended. */
#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "run/events.h"

#define REQUIRE(condition)                                                     \
	do {                                                                   \
		if (!(condition))                                              \
			abort();                                               \
	} while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void take(
    struct gs_str bytes, size_t step, uint8_t how, struct gs_run *run)
{
	struct gs_events events;
	const struct gs_run_ending ending = {
	    .end = {.kind = how % 5 == 4 ? GS_END_TIMEOUT
	                                 : (enum gs_end_kind)(how % 4),
	        .code = how / 5},
	    .memory_hit = how == 7,
	    .stop_at_first_failure = how == 9,
	};
	gs_events_init(&events, "tok", run);
	for (size_t at = 0; at < bytes.n; at += step)
		if (gs_events_feed(&events,
		        gs_str_n(bytes.p + at,
		            bytes.n - at < step ? bytes.n - at : step)))
			break;
	gs_events_end(&events, &ending);
	gs_events_release(&events);
}

static void print(const struct gs_run *run, struct gs_buf *out)
{
	struct gs_json json = {.out = out};
	gs_run_write(run, &json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t how = size ? data[0] : 0;
	struct gs_str bytes =
	    gs_str_n((const char *)data + (size > 0), size - (size > 0));
	GS_CLEANUP(gs_run_release) struct gs_run whole = {0};
	GS_CLEANUP(gs_run_release) struct gs_run parts = {0};
	GS_CLEANUP(gs_run_release) struct gs_run again = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf a = {0}, b = {0}, c = {0};
	take(bytes, bytes.n ? bytes.n : 1, how, &whole);
	take(bytes, 7, how, &parts);
	print(&whole, &a);
	print(&parts, &b);
	REQUIRE(gs_str_eq(gs_buf_str(&a), gs_buf_str(&b)));
	if (whole.kind == GS_RUN_COMPLETE && how != 9)
		for (size_t i = 0; i < whole.nodes.n; i++)
			REQUIRE(
			    whole.nodes.v[i].outcome != GS_OUTCOME_UNFINISHED);
	GS_CLEANUP(gs_json_free)
	json_t *object = gs_json_parse(gs_buf_str(&a), "run", NULL);
	REQUIRE(object);
	REQUIRE(gs_run_parse(object, &again, NULL) == 0);
	print(&again, &c);
	REQUIRE(gs_str_eq(gs_buf_str(&a), gs_buf_str(&c)));
	return 0;
}

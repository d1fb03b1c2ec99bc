/* SPDX-License-Identifier: Apache-2.0 */
/* Event lines to nodes and kind (O1 to O4), without a process. */
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "gs_test.h"
#include "run/events.h"

#define SESSION "S start\nS session\n"
#define ONE SESSION "S items ids=[\"t::a\"]\nS collected count=1\n"
#define BEGIN "S begin id=\"t::a\"\n"
#define PHASE(when, outcome)                                                   \
	"S phase id=\"t::a\" when=\"" when "\" outcome=\"" outcome "\"\n"
#define PASSED                                                                 \
	BEGIN PHASE("setup", "passed") PHASE("call", "passed")                 \
	    PHASE("teardown", "passed")

/* "S name key=value" lines become events with token and number; others go in
 * as they are. */
static const struct row {
	const char *name, *lines;
	struct gs_run_ending ending;
	const char *told;
} rows[] = {
    {"O3 complete", ONE PASSED "S finish status=0\n", {.end = {0}},
        "complete: t::a=passed"},
    {"O3 exit disagrees with the process", ONE PASSED "S finish status=0\n",
        {.end.code = 1}, "crash: t::a=passed"},
    {"O3 status disagrees with the events", ONE PASSED "S finish status=1\n",
        {.end.code = 1}, "crash: t::a=passed"},
    {"O3 no tests", SESSION "S collected count=0\nS finish status=5\n",
        {.end.code = 5}, "complete:"},
    {"O3 no finish", ONE BEGIN, {.end.code = 0}, "left: t::a=unfinished:crash"},
    {"O3 signal", ONE BEGIN, {.end.code = 139}, "crash: t::a=unfinished:crash"},
    {"O3 a node without outcome", ONE "S finish status=0\n", {.end = {0}},
        "left: t::a=unfinished"},
    {"O3 stopping at the first failure leaves nodes",
        SESSION
        "S items ids=[\"t::a\",\"t::b\"]\nS collected count=2\n" BEGIN PHASE(
            "setup", "passed") PHASE("call", "failed")
            PHASE("teardown", "passed") "S finish status=1\n",
        {.end.code = 1, .stop_at_first_failure = true},
        "complete: t::a=failed:exception t::b=unfinished"},
    {"time", ONE BEGIN, {.end.kind = GS_END_TIMEOUT},
        "timeout: t::a=unfinished:timeout"},
    {"memory outweighs the signal", ONE BEGIN,
        {.end.code = 137, .memory_hit = true}, "memory: t::a=unfinished"},
    {"output", ONE BEGIN, {.end.kind = GS_END_OUTPUT},
        "output: t::a=unfinished"},
    {"disk", ONE PASSED "S finish status=0\n", {.disk_hit = true},
        "disk: t::a=passed"},
    {"usage", "S start\nS session\nS main status=4\n", {.end.code = 4},
        "usage:"},
    {"never started", "bwrap: no\n", {.end.code = 1}, "infra:"},
    {"O2 duplicate",
        SESSION
        "S items ids=[\"t::a\",\"t::a\"]\nS collected count=2\n" PASSED PASSED
        "S finish status=0\n",
        {.end = {0}}, "complete: t::a=duplicate"},
    {"F128 rerun",
        ONE BEGIN PHASE("setup", "passed") PHASE("call", "rerun") PASSED
        "S finish status=0\n",
        {.end = {0}}, "complete: t::a=rerun"},
    {"O4 call outweighs teardown",
        ONE BEGIN PHASE("setup",
            "passed") "S phase id=\"t::a\" when=\"call\" outcome=\"failed\" "
                      "assertion=true\n" PHASE(
                          "teardown", "failed") "S finish status=1\n",
        {.end.code = 1}, "complete: t::a=failed:assertion"},
    {"F122 a failed subtest fails its test",
        ONE BEGIN PHASE("setup",
            "passed") "S phase id=\"t::a\" when=\"call\" outcome=\"failed\" "
                      "sub=true\n" PHASE("call", "passed")
                          PHASE("teardown", "passed") "S finish status=1\n",
        {.end.code = 1}, "complete: t::a=failed:exception"},
    {"S5 void",
        ONE PASSED "S origin module=\"m\" file=\"/usr/m.py\" inside=false\n"
                   "S finish status=0\n",
        {.end = {0}}, "void: t::a=passed"},
    {"F127 lines without the token are nothing",
        ONE "{\"t\":\"bad\",\"n\":4,\"e\":\"phase\"}\n{\n\n[]\nnull\n" PASSED
            "S finish status=0\n",
        {.end = {0}}, "complete: t::a=passed"},
    {"F155 the token with a wrong number breaks the stream",
        ONE "{\"t\":\"tok\",\"n\":99,\"e\":\"begin\"}\n" PASSED
            "S finish status=0\n",
        {.end = {0}}, "crash: t::a=unfinished"},
    {"an id twice in one object is refused",
        ONE "{\"t\":\"tok\",\"t\":\"tok\",\"n\":4}\n" PASSED
            "S finish status=0\n",
        {.end = {0}}, "complete: t::a=passed"},
};

/* Writes one "S …" line as an event. */
static void add_event(
    struct gs_buf *out, const char *line, size_t n, int number)
{
	struct gs_str rest = gs_str_n(line, n), name, member;
	(void)gs_str_cut(&rest, ' ', &name);
	gs_buf_addf(out, "{\"t\":\"tok\",\"n\":%d,\"e\":\"%.*s\"", number,
	    GS_STR_ARG(name));
	while (gs_str_cut(&rest, ' ', &member)) {
		ptrdiff_t equals = gs_str_find_char(member, '=');
		gs_buf_addf(out, ",\"%.*s\":%.*s", (int)equals, member.p,
		    (int)(member.n - (size_t)equals - 1),
		    member.p + equals + 1);
	}
	gs_buf_addz(out, "}\n");
}

static void expand(struct gs_buf *out, const char *lines)
{
	struct gs_str rest = gs_str(lines), line;
	int number = 0;
	while (gs_str_cut(&rest, '\n', &line)) {
		if (gs_str_starts(line, "S "))
			add_event(out, line.p + 2, line.n - 2, number++);
		else
			gs_buf_addf(out, "%.*s\n", GS_STR_ARG(line));
	}
}

static char *told(const struct gs_run *run)
{
	struct gs_buf out = {0};
	gs_buf_addf(&out, "%s:", gs_run_kind_name(run->kind));
	for (size_t i = 0; i < run->nodes.n; i++) {
		const struct gs_node *node = &run->nodes.v[i];
		gs_buf_addf(
		    &out, " %s=%s", node->id, gs_outcome_name(node->outcome));
		if (node->failure != GS_FAILURE_NONE)
			gs_buf_addf(
			    &out, ":%s", gs_failure_name(node->failure));
	}
	return gs_buf_steal(&out);
}

/* Each row whole, and byte by byte: where a read ends means nothing. */
START_TEST(streams)
	{
		const struct row *row = &rows[_i];
		struct gs_buf text = {0};
		expand(&text, row->lines);
		for (size_t step = 1; step <= text.n; step += text.n - 1) {
			struct gs_run run = {0};
			struct gs_events events;
			gs_events_init(&events, "tok", &run);
			for (size_t at = 0; at < text.n; at += step) {
				size_t n =
				    text.n - at < step ? text.n - at : step;
				ck_assert_int_eq(gs_events_feed(&events,
				                     gs_str_n(text.p + at, n)),
				    0);
			}
			gs_events_end(&events, &row->ending);
			char *got = told(&run);
			ck_assert_str_eq(got, row->told);
			free(got);
			gs_events_release(&events);
			gs_run_release(&run);
		}
		gs_buf_release(&text);
	}

END_TEST

/* The box's own line counts only as the first. */
START_TEST(child_pid)
	{
		struct gs_run run = {0};
		struct gs_events events;
		gs_events_init(&events, "tok", &run);
		(void)gs_events_feed(
		    &events, GS_STR("{ \"child-pid\": 12 }\n"));
		(void)gs_events_feed(&events, GS_STR("{ \"child-pid\": 1 }\n"));
		ck_assert_int_eq(events.child_pid, 12);
		gs_events_release(&events);
		gs_run_release(&run);
	}

END_TEST

/* A stream without end is refused before it fills our memory. */
START_TEST(too_much)
	{
		struct gs_run run = {0};
		struct gs_events events;
		gs_events_init(&events, "tok", &run);
		static char chunk[1 << 20];
		memset(chunk, 'x', sizeof(chunk));
		size_t n = 0;
		while (gs_events_feed(
		           &events, gs_str_n(chunk, sizeof(chunk))) == 0)
			ck_assert_uint_le(++n, GS_MAX_EVENTS / sizeof(chunk));
		gs_events_release(&events);
		gs_run_release(&run);
	}

END_TEST

GS_TESTS(run_events, GS_TEST_ROWS(streams, rows), GS_TEST(child_pid),
    GS_TEST(too_much))

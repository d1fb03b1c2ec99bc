/* SPDX-License-Identifier: Apache-2.0 */
/* gs_proc_run: streams, caps, deadlines. Real programs throughout. */
#include "gs_test.h"
#include "os_fixture.h"

START_TEST(runs_and_reads)
	{
		GS_CLEANUP(gs_buf_release)
		struct gs_buf out = {0}, errors = {0};
		int before = count_fds();
		struct gs_proc_io io = {
		    .input = GS_STR("in"), .out = &out, .errors = &errors};

		ck_assert_int_eq(
		    run("cat; echo out; echo err >&2; exit 3", &io), 0);
		ck_assert_str_eq(gs_buf_cstr(&out), "inout\n");
		ck_assert_str_eq(gs_buf_cstr(&errors), "err\n");
		ck_assert_int_eq(end.kind, GS_END_EXITED);
		ck_assert_int_eq(end.code, 3);
		ck_assert_int_gt(end.peak_kib, 0);
		ck_assert_int_eq(count_fds(), before);
	}

END_TEST

/* Both directions full at once: whoever writes all first hangs here. */
START_TEST(no_deadlock_with_much_data)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf in = {0}, out = {0};
		struct gs_proc_io io = {.out = &out};

		while (in.n < 3000000)
			gs_buf_addf(&in, "line %zu\n", in.n);
		io.input = gs_buf_str(&in);
		ck_assert_int_eq(run("cat", &io), 0);
		ck_assert(gs_str_eq(gs_buf_str(&in), gs_buf_str(&out)));
	}

END_TEST

START_TEST(unread_input_is_no_error)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf in = {0}, out = {0};
		struct gs_proc_io io = {.out = &out};

		while (in.n < 3000000)
			gs_buf_addz(&in, "line\n");
		io.input = gs_buf_str(&in);
		ck_assert_int_eq(run("head -n1", &io), 0);
		ck_assert_str_eq(gs_buf_cstr(&out), "line\n");
		ck_assert_int_eq(end.kind, GS_END_EXITED);
	}

END_TEST

/* A test may leave a daemon that holds the pipe. */
START_TEST(a_held_pipe_holds_nobody_up)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		struct gs_proc_io io = {.out = &out};
		int64_t start = gs_clock_ms();

		ck_assert_int_eq(run("sleep 60 & echo $!", &io), 0);
		int64_t took = gs_clock_ms() - start;
		ck_assert_int_eq(end.kind, GS_END_EXITED);
		ck_assert_int_ge(took, 190);
		ck_assert_int_lt(took, 5000);
		ck_assert_int_lt(end.elapsed_ms, 190 + (took - 200));
		(void)kill(atoi(gs_buf_cstr(&out)), SIGKILL);
	}

END_TEST

START_TEST(output_is_capped)
	{
		GS_CLEANUP(gs_capture_release)
		struct gs_capture capture = {.keep = 50};
		GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
		struct gs_proc_io io = {
		    .captured = &capture, .output_max = 1000000};

		ck_assert_int_eq(run("yes", &io), 0);
		ck_assert_int_eq(end.kind, GS_END_OUTPUT);
		ck_assert_uint_gt(capture.total, 1000000);
		gs_capture_text(&capture, &text);
		ck_assert_uint_lt(text.n, 200);
		ck_assert_ptr_nonnull(strstr(text.p, "bytes left out"));
	}

END_TEST

START_TEST(whole_output_is_limited)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {.max = 100000};
		struct gs_proc_io io = {.out = &out};
		int before = count_fds();

		ck_assert_int_eq(run("yes", &io), GS_E_LIMIT);
		ck_assert_int_eq(count_fds(), before);
		ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	}

END_TEST

START_TEST(captured_streams_keep_their_order)
	{
		GS_CLEANUP(gs_capture_release) struct gs_capture capture = {0};
		GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
		struct gs_proc_io io = {.captured = &capture};

		ck_assert_int_eq(
		    run("for i in 1 2 3; do echo o$i; echo e$i >&2; done", &io),
		    0);
		gs_capture_text(&capture, &text);
		ck_assert_str_eq(
		    gs_buf_cstr(&text), "o1\ne1\no2\ne2\no3\ne3\n");
	}

END_TEST

static const size_t totals[] = {
    1, 19, 20, 21, 39, 40, 41, 60, 99, 100, 101, 250, 1000};

/* Whatever the pieces, the same text: head, count, tail. */
START_TEST(capture_does_not_depend_on_pieces)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf all = {0}, want = {0};
		size_t total = totals[_i];

		for (size_t i = 0; i < total; i++)
			gs_buf_addc(&all, (char)('a' + i % 26));
		struct gs_str s = gs_buf_str(&all);
		if (total <= 40) {
			gs_buf_adds(&want, s);
		} else {
			gs_buf_adds(&want, gs_str_sub(s, 0, 20));
			gs_buf_addf(&want, "\n[... %zu bytes left out ...]\n",
			    total - 40);
			gs_buf_adds(&want, gs_str_from(s, total - 20));
		}
		for (size_t piece = 1; piece <= total; piece += 1 + piece / 3) {
			struct gs_capture capture = {.keep = 20};
			GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
			for (size_t at = 0; at < total; at += piece)
				gs_capture_add(
				    &capture, gs_str_sub(s, at, at + piece));
			gs_capture_text(&capture, &text);
			ck_assert_str_eq(
			    gs_buf_cstr(&text), gs_buf_cstr(&want));
			ck_assert_uint_eq(capture.total, total);
			gs_capture_release(&capture);
		}
	}

END_TEST

struct side {
	struct gs_buf seen;
	int ticks, refuse;
};

static int on_side(void *ctx, struct gs_str bytes)
{
	struct side *side = ctx;
	gs_buf_adds(&side->seen, bytes);
	return side->refuse;
}

static int64_t on_tick(void *ctx)
{
	struct side *side = ctx;
	/* The third tick shortens the deadline. */
	return ++side->ticks == 3 ? gs_clock_ms() + 1 : 0;
}

static const int refusals[] = {0, 1};

START_TEST(side_stream)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		struct side side = {.refuse = refusals[_i]};
		int ends[2];
		ck_assert_int_eq(gs_fd_pipe(ends, &err), 0);
		struct gs_fd_map map = {ends[1], 5};
		struct gs_child child = {
		    .argv = sh(side.refuse
		                   ? "echo event >&5; echo out; exec sleep 60"
		                   : "echo event >&5; echo out"),
		    .fds = &map,
		    .n_fds = 1};
		struct gs_proc_io io = {.out = &out,
		    .side_fd = ends[0],
		    .side = on_side,
		    .ctx = &side};

		ck_assert_int_eq(gs_proc_run(&child, &io, &end, &err), 0);
		ck_assert_str_eq(gs_buf_cstr(&side.seen), "event\n");
		ck_assert_int_eq(
		    end.kind, side.refuse ? GS_END_OUTPUT : GS_END_EXITED);
		/* It stays the caller's, and we still hold its other end: that
		 * must cost no more than the grace. */
		ck_assert_int_ge(fcntl(ends[0], F_GETFD), 0);
		gs_closep(&ends[0]);
		gs_closep(&ends[1]);
		gs_buf_release(&side.seen);
	}

END_TEST

START_TEST(ticks_move_the_deadline)
	{
		struct side side = {0};
		struct gs_proc_io io = {.tick = on_tick,
		    .tick_ms = 30,
		    .ctx = &side,
		    .deadline_ms = gs_clock_ms() + 60000};

		ck_assert_int_eq(run("exec sleep 60", &io), 0);
		ck_assert_int_eq(end.kind, GS_END_TIMEOUT);
		ck_assert_int_eq(side.ticks, 3);
		ck_assert_int_lt(end.elapsed_ms, 20000);
	}

END_TEST

static int64_t stop_now(void *ctx)
{
	(void)ctx;
	(void)raise(SIGTERM);
	return 0;
}

START_TEST(a_stop_ends_the_child)
	{
		struct gs_proc_io io = {.tick = stop_now, .tick_ms = 50};

		gs_stop_install();
		ck_assert_int_eq(run("exec sleep 60", &io), 0);
		ck_assert_int_eq(end.kind, GS_END_STOPPED);
		/* And who comes later is ended at once. */
		io.tick = NULL;
		ck_assert_int_eq(run("exec sleep 60", &io), 0);
		ck_assert_int_eq(end.kind, GS_END_STOPPED);
		ck_assert_int_lt(end.elapsed_ms, 20000);
	}

END_TEST

GS_TESTS(os_run, GS_TEST(runs_and_reads), GS_TEST(no_deadlock_with_much_data),
    GS_TEST(unread_input_is_no_error), GS_TEST(a_held_pipe_holds_nobody_up),
    GS_TEST(output_is_capped), GS_TEST(whole_output_is_limited),
    GS_TEST(captured_streams_keep_their_order),
    GS_TEST_ROWS(capture_does_not_depend_on_pieces, totals),
    GS_TEST_ROWS(side_stream, refusals), GS_TEST(ticks_move_the_deadline),
    GS_TEST(a_stop_ends_the_child))

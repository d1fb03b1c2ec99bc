/* SPDX-License-Identifier: Apache-2.0 */
/* fd, clock, signals */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gs_test.h"
#include "os/clock.h"
#include "os/fd.h"
#include "os/signals.h"

static struct gs_err err;

START_TEST(messages_come_whole)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf big = {0};
		GS_CLEANUP(gs_buf_release) struct gs_buf got = {0};
		int ends[2];

		for (int i = 0; i < 300000; i++)
			gs_buf_addc(&big, (char)i);
		ck_assert_int_eq(gs_fd_pipe(ends, &err), 0);
		ck_assert_int_ne(fcntl(ends[0], F_GETFD) & FD_CLOEXEC, 0);
		pid_t pid = fork();
		if (pid == 0) {
			(void)close(ends[0]);
			if (gs_fd_send(ends[1], GS_STR("one"), &err) < 0 ||
			    gs_fd_send(ends[1], GS_STR(""), &err) < 0 ||
			    gs_fd_send(ends[1], gs_buf_str(&big), &err) < 0)
				_exit(1);
			_exit(0);
		}
		gs_closep(&ends[1]);
		ck_assert_int_eq(
		    gs_fd_receive(ends[0], 1000000, &got, &err), 1);
		ck_assert(gs_str_is(gs_buf_str(&got), "one"));
		ck_assert_int_eq(
		    gs_fd_receive(ends[0], 1000000, &got, &err), 1);
		ck_assert_uint_eq(got.n, 0);
		ck_assert_int_eq(
		    gs_fd_receive(ends[0], 1000000, &got, &err), 1);
		ck_assert(gs_str_eq(gs_buf_str(&got), gs_buf_str(&big)));
		ck_assert_int_eq(
		    gs_fd_receive(ends[0], 1000000, &got, &err), 0);
		gs_closep(&ends[0]);
		ck_assert_int_eq(ends[0], -1);
		ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	}

END_TEST

static const struct broken_row {
	const char *bytes;
	size_t n;
	int code;
} broken_rows[] = {
    {"\x03\0\0", 3, GS_E_CORRUPT},
    {"\x03\0\0\0\0\0\0\0", 8, GS_E_CORRUPT},
    {"\x03\0\0\0\0\0\0\0ab", 10, GS_E_CORRUPT},
    {"\x65\0\0\0\0\0\0\0", 8, GS_E_LIMIT},
    {"\0\0\0\0\0\0\0\xff", 8, GS_E_LIMIT},
};

START_TEST(broken_messages)
	{
		const struct broken_row *row = &broken_rows[_i];
		GS_CLEANUP(gs_buf_release) struct gs_buf got = {0};
		int ends[2];

		ck_assert_int_eq(gs_fd_pipe(ends, &err), 0);
		ck_assert_int_eq(
		    gs_fd_write(ends[1], gs_str_n(row->bytes, row->n), &err),
		    0);
		gs_closep(&ends[1]);
		ck_assert_int_eq(
		    gs_fd_receive(ends[0], 100, &got, &err), row->code);
		gs_closep(&ends[0]);
	}

END_TEST

START_TEST(memory_is_sealed)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf got = {.max = 5};
		int fd;

		ck_assert_int_eq(
		    gs_fd_memory("x", GS_STR("hello"), &fd, &err), 0);
		ck_assert_int_lt(write(fd, "y", 1), 0);
		ck_assert_int_lt(ftruncate(fd, 0), 0);
		/* Just at the cap is fine … */
		ck_assert_int_eq(gs_fd_read(fd, &got, &err), 0);
		ck_assert_str_eq(gs_buf_cstr(&got), "hello");
		/* … one more is not. */
		ck_assert_int_eq(lseek(fd, 4, SEEK_SET), 4);
		ck_assert_int_eq(gs_fd_read(fd, &got, &err), GS_E_LIMIT);
		gs_closep(&fd);
	}

END_TEST

START_TEST(non_blocking_ends_are_waited_for)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf got = {0};
		int ends[2];

		ck_assert_int_eq(pipe2(ends, O_NONBLOCK), 0);
		pid_t pid = fork();
		if (pid == 0) {
			static const char zeros[200000];
			(void)close(ends[0]);
			_exit(gs_fd_write(ends[1],
			          gs_str_n(zeros, sizeof(zeros)), &err) != 0);
		}
		(void)close(ends[1]);
		ck_assert_int_eq(gs_fd_read(ends[0], &got, &err), 0);
		ck_assert_uint_eq(got.n, 200000);
		int status;
		ck_assert_int_eq(waitpid(pid, &status, 0), pid);
		ck_assert_int_eq(status, 0);
		(void)close(ends[0]);
	}

END_TEST

START_TEST(deadlines)
	{
		int64_t now = gs_clock_ms();

		ck_assert_int_eq(gs_clock_left(0), -1);
		ck_assert_int_eq(gs_clock_left(now - 5), 0);
		ck_assert_int_eq(gs_clock_left(now), 0);
		ck_assert_int_gt(gs_clock_left(now + 60000), 50000);
		ck_assert_int_eq(gs_clock_left(INT64_MAX - 1000), INT32_MAX);
	}

END_TEST

START_TEST(source_date_epoch)
	{
		(void)setenv("SOURCE_DATE_EPOCH", "86400", 1);
		ck_assert_int_eq(gs_clock_wall(), 86400);
		(void)setenv("SOURCE_DATE_EPOCH", "86400x", 1);
		ck_assert_int_gt(gs_clock_wall(), 86400);
		(void)setenv("SOURCE_DATE_EPOCH", "", 1);
		ck_assert_int_gt(gs_clock_wall(), 86400);
	}

END_TEST

static const int stop_signals[] = {SIGINT, SIGTERM, SIGHUP};

START_TEST(a_stop_is_seen)
	{
		ck_assert_int_eq(gs_stop_fd(), -1);
		gs_stop_install();
		struct pollfd wake = {gs_stop_fd(), POLLIN, 0};
		ck_assert_int_eq(poll(&wake, 1, 0), 0);
		ck_assert(!gs_stop_requested());
		(void)raise(stop_signals[_i]);
		ck_assert(gs_stop_requested());
		ck_assert_int_eq(poll(&wake, 1, 0), 1);
		(void)raise(SIGTERM); /* once more changes nothing */
		gs_stop_forget();
		ck_assert(!gs_stop_requested());
		ck_assert_int_eq(gs_stop_fd(), -1);
	}

END_TEST

START_TEST(the_second_interrupt_ends)
	{
		int status;
		pid_t pid = fork();

		if (pid == 0) {
			gs_stop_install();
			(void)raise(SIGINT);
			(void)raise(SIGINT);
			_exit(0);
		}
		ck_assert_int_eq(waitpid(pid, &status, 0), pid);
		ck_assert(WIFEXITED(status));
		ck_assert_int_eq(WEXITSTATUS(status), 130);
	}

END_TEST

START_TEST(nohup_has_its_way)
	{
		(void)signal(SIGHUP, SIG_IGN);
		gs_stop_install();
		(void)raise(SIGHUP);
		ck_assert(!gs_stop_requested());
	}

END_TEST

GS_TESTS(os_fd, GS_TEST(messages_come_whole),
    GS_TEST_ROWS(broken_messages, broken_rows), GS_TEST(memory_is_sealed),
    GS_TEST(non_blocking_ends_are_waited_for), GS_TEST(deadlines),
    GS_TEST(source_date_epoch), GS_TEST_ROWS(a_stop_is_seen, stop_signals),
    GS_TEST(the_second_interrupt_ends), GS_TEST(nohup_has_its_way))

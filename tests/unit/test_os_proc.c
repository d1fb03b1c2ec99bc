/* SPDX-License-Identifier: Apache-2.0 */
/* Starting, waiting and what a child finds. Real programs throughout. */
#include "gs_test.h"
#include "os_fixture.h"

START_TEST(a_signal_is_told)
	{
		struct gs_proc_io io = {0};

		ck_assert_int_eq(run("kill -SEGV $$", &io), 0);
		ck_assert_int_eq(end.kind, GS_END_SIGNALLED);
		ck_assert_int_eq(end.code, SIGSEGV);
	}

END_TEST

static const struct failure_row {
	const char *program, *cwd;
	uid_t uid;
	int code;
	const char *text;
} failure_rows[] = {
    {"gs-no-such", NULL, 0, GS_E_NOT_FOUND,
        "there is no program named gs-no-such on PATH"},
    {"/nonexistent/x", NULL, 0, GS_E_NOT_FOUND,
        "start /nonexistent/x: execute it: No such file or directory"},
    {"/etc/passwd", NULL, 0, GS_E_SYSTEM,
        "start /etc/passwd: execute it: Permission denied"},
    {"/bin/true", "/nonexistent", 0, GS_E_SYSTEM,
        "start /bin/true: enter its folder: No such file or directory"},
};

START_TEST(start_failures_are_errors)
	{
		const struct failure_row *row = &failure_rows[_i];
		char *argv[] = {gs_strdup(row->program), NULL};
		struct gs_child child = {.argv = argv, .cwd = row->cwd};
		int before = count_fds();
		struct gs_proc proc = {0};

		ck_assert_int_eq(gs_proc_start(&child, &proc, &err), row->code);
		ck_assert_int_eq(err.code, row->code);
		ck_assert_str_eq(err.text, row->text);
		ck_assert_int_eq(count_fds(), before);
		ck_assert_int_eq(
		    waitpid(-1, NULL, WNOHANG), -1); /* and no zombie */
		gs_proc_release(&proc);              /* zeroed is fine */
		ck_assert_int_ge(fcntl(0, F_GETFD), 0);
		free(argv[0]);
	}

END_TEST

START_TEST(deadline_ends_the_group)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		struct gs_child child = {
		    .argv = sh("sleep 60 & echo $!; sleep 60"),
		    .own_session = true};
		int64_t start = gs_clock_ms();
		struct gs_proc_io io = {
		    .out = &out, .deadline_ms = start + 300};

		ck_assert_int_eq(gs_proc_run(&child, &io, &end, &err), 0);
		ck_assert_int_eq(end.kind, GS_END_TIMEOUT);
		ck_assert_int_eq(end.code, SIGKILL);
		/* Not elapsed_ms: starting takes its time on a busy machine. */
		ck_assert_int_ge(gs_clock_ms() - start, 300);
		ck_assert_int_lt(gs_clock_ms() - start, 10000);
		ck_assert(dies_soon(atoi(gs_buf_cstr(&out))));
	}

END_TEST

START_TEST(wait_has_a_deadline_too)
	{
		struct gs_child child = {
		    .argv = sh("sleep 60 & echo $!; sleep 60"),
		    .own_session = true,
		    .stdout_to = GS_TO_PIPE};
		GS_CLEANUP(gs_proc_release) struct gs_proc proc = {0};
		char pid[20] = "";

		ck_assert_int_eq(gs_proc_start(&child, &proc, &err), 0);
		ck_assert_int_gt(read(proc.stdout_fd, pid, sizeof(pid) - 1), 0);
		ck_assert_int_eq(
		    gs_proc_wait(&proc, gs_clock_ms() + 100, &end, &err), 0);
		ck_assert_int_eq(end.kind, GS_END_TIMEOUT);
		ck_assert_int_eq(proc.pidfd, -1);
		ck_assert(dies_soon(atoi(pid)));
	}

END_TEST

START_TEST(only_named_descriptors_go_over)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		int secret = open("/etc/passwd", O_RDONLY); /* not CLOEXEC */
		int a, b, named[2];
		(void)secret;
		ck_assert_int_eq(gs_fd_memory("a", GS_STR("A"), &a, &err), 0);
		ck_assert_int_eq(gs_fd_memory("b", GS_STR("B"), &b, &err), 0);
		/* Crosswise: each target is the other's source. */
		named[0] = a;
		named[1] = b;
		struct gs_fd_map fds[] = {{a, named[1]}, {b, named[0]}};
		GS_CLEANUP(gs_freep)
		char *script =
		    gs_format("cat <&%d; cat <&%d; ls /proc/self/fd | wc -l",
		        named[0], named[1]);
		struct gs_child child = {
		    .argv = sh(script), .fds = fds, .n_fds = 2};
		struct gs_proc_io io = {.out = &out};

		ck_assert_int_eq(gs_proc_run(&child, &io, &end, &err), 0);
		/* 0 to 2, the two, and the folder that ls reads */
		ck_assert_str_eq(gs_buf_cstr(&out), "BA6\n");
	}

END_TEST

START_TEST(signals_are_as_new)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		struct gs_proc_io io = {.out = &out};
		sigset_t set;

		gs_stop_install();
		(void)signal(SIGCHLD, SIG_DFL);
		(void)signal(SIGUSR1, SIG_IGN);
		(void)sigemptyset(&set);
		(void)sigaddset(&set, SIGUSR2);
		(void)sigaddset(&set, SIGTERM);
		(void)sigprocmask(SIG_BLOCK, &set, NULL);
		/* In a session of its own even nohup ends. */
		(void)signal(SIGHUP, SIG_IGN);
		struct gs_child child = {
		    .argv = sh("exec sed -n '/^Sig[BIC]/p' "
		               "/proc/self/status"),
		    .own_session = true};
		ck_assert_int_eq(gs_proc_run(&child, &io, &end, &err), 0);
		ck_assert_str_eq(gs_buf_cstr(&out),
		    "SigBlk:\t0000000000000000\n"
		    "SigIgn:\t0000000000000000\n"
		    "SigCgt:\t0000000000000000\n");
		/* And ours are as before. */
		sigset_t now;
		(void)sigprocmask(SIG_BLOCK, NULL, &now);
		ck_assert_int_eq(sigismember(&now, SIGUSR2), 1);
		ck_assert_int_eq(sigismember(&now, SIGINT), 0);
	}

END_TEST

START_TEST(environment_and_folder)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		char entry[] = "A=b";
		char *envp[] = {entry, NULL};
		struct gs_child child = {
		    .argv = sh("pwd; echo $A; echo ${HOME-none}"),
		    .envp = envp,
		    .cwd = "/usr"};
		struct gs_proc_io io = {.out = &out};

		ck_assert_int_eq(gs_proc_run(&child, &io, &end, &err), 0);
		ck_assert_str_eq(gs_buf_cstr(&out), "/usr\nb\nnone\n");
	}

END_TEST

START_TEST(another_user)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		struct gs_child child = {
		    .argv = sh("id -u; id -g; id -G"), .uid = 12345};
		struct gs_proc_io io = {.out = &out};

		if (geteuid() != 0)
			return;
		ck_assert_int_eq(gs_proc_run(&child, &io, &end, &err), 0);
		ck_assert_str_eq(gs_buf_cstr(&out), "12345\n12345\n12345\n");
		/* And it can be ended, however far it has come by then. */
		child.argv = sh("sleep 60 & wait");
		io.deadline_ms = gs_clock_ms() + 500;
		ck_assert_int_eq(gs_proc_run(&child, &io, &end, &err), 0);
		ck_assert_int_eq(end.kind, GS_END_TIMEOUT);
	}

END_TEST

START_TEST(file_size_is_limited)
	{
		struct gs_child child = {
		    .argv =
		        sh("head -c 100000 /dev/zero >/tmp/gs-fsize-$$; r=$?; "
		           "rm /tmp/gs-fsize-$$; exit $r"),
		    .file_size_max = 4096};
		struct gs_proc_io io = {0};

		ck_assert_int_eq(gs_proc_run(&child, &io, &end, &err), 0);
		ck_assert_int_eq(end.code, 128 + SIGXFSZ);
	}

END_TEST

static const uid_t uids[] = {0, 12345};

/* Killed outright, in the second generation of forks, as a pool worker is:
 * the program goes with it. Row 1: the child has another user. */
START_TEST(dies_with_its_parent)
	{
		char text[20] = "";
		int ends[2];
		ck_assert_int_eq(gs_fd_pipe(ends, &err), 0);
		if (uids[_i] != 0 && geteuid() != 0)
			return;
		pid_t worker = fork();
		if (worker == 0) {
			pid_t inner = fork();
			if (inner > 0) {
				(void)waitpid(inner, NULL, 0);
				_exit(0);
			}
			struct gs_fd_map map = {ends[1], 5};
			struct gs_child child = {
			    .argv = sh("echo $$ $PPID >&5; "
			               "exec sleep 60"),
			    .uid = uids[_i],
			    .own_session = true,
			    .fds = &map,
			    .n_fds = 1};
			struct gs_proc_io io = {0};
			_exit(gs_proc_run(&child, &io, &end, &err) != 0);
		}
		ck_assert_int_gt(read(ends[0], text, sizeof(text) - 1), 0);
		char *rest;
		pid_t program = (pid_t)strtol(text, &rest, 10);
		pid_t inner = (pid_t)strtol(rest, NULL, 10);
		ck_assert(is_alive(program));
		ck_assert_int_eq(kill(inner, SIGKILL), 0);
		ck_assert(dies_soon(program));
		(void)waitpid(worker, NULL, 0);
	}

END_TEST

START_TEST(release_kills_and_reaps)
	{
		struct gs_child child = {.argv = sh("exec sleep 60"),
		    .stdin_to = GS_TO_PIPE,
		    .stdout_to = GS_TO_PIPE,
		    .stderr_to = GS_TO_STDOUT};
		int before = count_fds();
		struct gs_proc proc;

		ck_assert_int_eq(gs_proc_start(&child, &proc, &err), 0);
		pid_t pid = proc.pid;
		gs_proc_release(&proc);
		gs_proc_release(&proc);
		ck_assert(!is_alive(pid));
		ck_assert_int_eq(count_fds(), before);
		ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1);
	}

END_TEST

/* 200 starts in a row: nothing leaks, nothing is left. */
START_TEST(many)
	{
		int before = count_fds();
		struct gs_proc_io io = {0};

		for (int i = 0; i < 200; i++) {
			struct gs_child child = {.argv = sh("exit 0")};
			ck_assert_int_eq(
			    gs_proc_run(&child, &io, &end, &err), 0);
			ck_assert_int_eq(end.code, 0);
		}
		ck_assert_int_eq(count_fds(), before);
	}

END_TEST

GS_TESTS(os_proc, GS_TEST(a_signal_is_told),
    GS_TEST_ROWS(start_failures_are_errors, failure_rows),
    GS_TEST(deadline_ends_the_group), GS_TEST(wait_has_a_deadline_too),
    GS_TEST(only_named_descriptors_go_over), GS_TEST(signals_are_as_new),
    GS_TEST(environment_and_folder), GS_TEST(another_user),
    GS_TEST(file_size_is_limited), GS_TEST_ROWS(dies_with_its_parent, uids),
    GS_TEST(release_kills_and_reaps), GS_TEST(many))

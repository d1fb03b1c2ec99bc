/* SPDX-License-Identifier: Apache-2.0 */
/* Warm workers: what a hostile test can do to the server beside it, what is
 * noticed, and that the next run knows nothing of it. That warm and cold runs
 * tell the same is what unit.test_run_cold.warm says. */
#include <fcntl.h>
#include <sys/stat.h>

#include "run_fixture.h"

static void open_warm(struct fixture *f)
{
	(void)setenv("GS_TEST_WARM", "1", 1);
	fixture_open(f, PYTHON);
	f->limits.processes = 30; /* a bomb is one at any size */
	fixture_slot(f);
}

/* One run that must be warm; `made` says whether it counts. */
static void run_warm(struct fixture *f, bool made)
{
	bool was_made = false;
	fixture_own(f);
	gs_run_release(&f->run);
	f->run = (struct gs_run){0};
	OK(gs_run_warm(f->warm, &f->spec, &f->run, &was_made, err));
	ck_assert_msg(was_made == made, "%s", f->run.log ? f->run.log : "");
}

/* One server, many runs, each in a process of its own that sees nothing of
 * the one before: modules, environment, files, random numbers. */
START_TEST(serves)
	{
		struct fixture f;
		char *seen[3];
		open_warm(&f);
		fixture_file(&f, "m.py", "import os\nos.environ['M'] = '1'\n");
		fixture_file(&f, "test_x.py",
		    "import os, random, sys\n"
		    "def test_1(tmp_path):\n"
		    "    assert 'm' not in sys.modules and 'M' not in os.environ\n"
		    "    import m\n"
		    "    open('/tmp/x', 'x'); open('/dev/shm/x', 'x')\n"
		    "    open('/w/home/x', 'x')\n"
		    "    os.umask(0o777); os.nice(5)\n"
		    "    raise ValueError('%s %s' % (random.random(), "
		    "os.urandom(2)))\n");
		for (int i = 0; i < 3; i++) {
			run_warm(&f, true);
			fixture_expect(&f, "complete: test_1=failed:exception");
			seen[i] = gs_strdup(f.run.nodes.v[0].message);
		}
		ck_assert_str_ne(seen[0], seen[1]);
		ck_assert_str_ne(seen[1], seen[2]);
		ck_assert_uint_eq(gs_warm_counts(f.warm).started, 1);
		ck_assert_uint_eq(gs_warm_counts(f.warm).runs, 3);
		for (int i = 0; i < 3; i++)
			free(seen[i]);
		fixture_close(&f);
	}

END_TEST

/* A hash seed is an interpreter's own; the few servers are used again. */
START_TEST(one_server_a_seed)
	{
		struct fixture f;
		open_warm(&f);
		fixture_file(&f, "test_x.py",
		    "import sys\n"
		    "def test_1(): raise ValueError(hash('x'))\n");
		char *seen[4];
		for (unsigned i = 0; i < 4; i++) {
			f.spec.hash_seed = i % 2;
			run_warm(&f, true);
			seen[i] = gs_strdup(f.run.nodes.v[0].message);
		}
		ck_assert_str_eq(seen[0], seen[2]);
		ck_assert_str_eq(seen[1], seen[3]);
		ck_assert_str_ne(seen[0], seen[1]);
		ck_assert_uint_eq(gs_warm_counts(f.warm).started, 2);
		for (int i = 0; i < 4; i++)
			free(seen[i]);
		fixture_close(&f);
	}

END_TEST

/* What is tried, and what it comes to: TOLD says it when the run counts, and
 * the numbers say what became of the server. */
static const struct row {
	const char *name, *text, *told;
	unsigned tampered, worn, started; /* after one more, harmless run */
} rows[] = {
    {"no signal reaches it",
        "import os, signal\n"
        "def test_1():\n"
        "    assert os.getppid() == 1\n"
        "    for s in range(1, 64):\n"
        "        try: os.kill(1, s)\n"
        "        except OSError: pass\n",
        "complete: test_1=passed", 0, 0, 1},
    {"its memory, descriptors and environment are closed",
        "import ctypes, os, pytest\n"
        "def test_1():\n"
        "    for p in ('mem', 'environ', 'maps', 'stack'):\n"
        "        with pytest.raises(OSError): open('/proc/1/' + p, 'rb')\n"
        "    with pytest.raises(OSError): open('/proc/1/oom_score_adj', 'w')\n"
        "    with pytest.raises(OSError): os.listdir('/proc/1/fd')\n"
        "    fd = os.pidfd_open(1)\n"
        "    libc = ctypes.CDLL(None)\n"
        "    assert [n for n in range(99) if libc.syscall(438, fd, n, 0) >= 0]"
        " == []\n"
        "    open('/proc/self/mem', 'r+b').close()\n",
        "complete: test_1=passed", 0, 0, 1},
    {"none of its descriptors is inherited",
        "import os, stat\n"
        "def test_1():\n"
        "    for name in os.listdir('/proc/self/fd'):\n"
        "        try: mode = os.fstat(int(name)).st_mode\n"
        "        except OSError: continue\n"
        "        assert not stat.S_ISSOCK(mode), name\n",
        "complete: test_1=passed", 0, 0, 1},
    {"a limit set on it is noticed",
        "import resource\n"
        "def test_1(): resource.prlimit(1, resource.RLIMIT_NOFILE, (20, 20))\n",
        NULL, 1, 0, 2},
    {"a priority set on it is noticed",
        "import os\n"
        "def test_1(): os.setpriority(os.PRIO_PROCESS, 1, 19)\n",
        NULL, 1, 0, 2},
    {"processors taken from it are noticed",
        "import os\n"
        "def test_1(): os.sched_setscheduler(1, os.SCHED_BATCH, "
        "os.sched_param(0))\n",
        NULL, 1, 0, 2},
    {"what stays of a connection makes room for a fresh one",
        "import socket\n"
        "def test_1():\n"
        "    s = socket.create_server(('127.0.0.1', 4711))\n"
        "    a = socket.create_connection(('127.0.0.1', 4711))\n"
        "    b = s.accept()[0]\n"
        "    b.close(); assert a.recv(1) == b''; a.close()\n",
        "complete: test_1=passed", 0, 1, 2},
    {"so does one over IPv6",
        "import socket\n"
        "def test_1():\n"
        "    s = socket.create_server(('::1', 4711), family=socket.AF_INET6)\n"
        "    a = socket.create_connection(('::1', 4711))\n"
        "    b = s.accept()[0]\n"
        "    b.close(); assert a.recv(1) == b''; a.close()\n",
        "complete: test_1=passed", 0, 1, 2},
    {"so do System V objects",
        "import ctypes\n"
        "def test_1(): assert ctypes.CDLL(None).shmget(77, 4096, 0o1600) >= 0\n",
        "complete: test_1=passed", 0, 1, 2},
    {"no message queue outlives a run",
        "import ctypes\n"
        "def test_1(): assert ctypes.CDLL(None).syscall(240, b'q', 0o102, "
        "0o600, 0) == -1\n",
        "complete: test_1=passed", 0, 0, 1},
    {"a fork bomb ends with its run",
        "import os\n"
        "def test_1():\n"
        "    if os.fork() == 0:\n"
        "        os.setsid()\n"
        "        while True:\n"
        "            try: os.fork()\n"
        "            except OSError: pass\n",
        NULL, 0, 0, 1},
};

START_TEST(beside_the_server)
	{
		const struct row *row = &rows[_i];
		struct fixture f;
		open_warm(&f);
		fixture_file(&f, "test_x.py", row->text);
		run_warm(&f, row->tampered == 0);
		if (row->told)
			fixture_expect(&f, row->told);
		fixture_clear(&f);
		/* Nobody is there, and the port is free. */
		fixture_file(&f, "test_x.py",
		    "import os, socket\n"
		    "def test_ok():\n"
		    "    assert sorted(int(p) for p in os.listdir('/proc') "
		    "if p.isdigit()) == [1, os.getpid()]\n"
		    "    socket.socket().bind(('127.0.0.1', 4711))\n");
		run_warm(&f, true);
		fixture_expect(&f, "complete: test_ok=passed");
		struct gs_warm_counts counts = gs_warm_counts(f.warm);
		ck_assert_uint_eq(counts.tampered, row->tampered);
		ck_assert_uint_eq(counts.worn, row->worn);
		ck_assert_uint_eq(counts.started, row->started);
		ck_assert_uint_eq(counts.lost, 0);
		fixture_close(&f);
	}

END_TEST

/* Ends one of our boxes, by its age. The box ends when bwrap has, which a
 * signal does not wait for: on a busy machine a server could answer before. */
static void end_box(const char *which)
{
	char *end = gs_format(
	    "p=$(ps -o pid=,comm= --sort=start_time --ppid %d | "
	    "awk '$2 == \"bwrap\" { print $1 }' | %s); kill -9 $p && "
	    "until grep -q '^State:.Z' /proc/$p/status; do sleep 0.01; done",
	    (int)getpid(), which);
	ck_assert_int_eq(system(end), 0);
	free(end);
}

/* The kernel, or somebody outside, can end a server: the run is not made, and
 * the next one has another. */
START_TEST(lost)
	{
		struct fixture f;
		open_warm(&f);
		fixture_file(&f, "test_x.py", "def test_1(): pass\n");
		run_warm(&f, true);
		end_box("tail -n 1");
		run_warm(&f, false);
		run_warm(&f, true);
		fixture_expect(&f, "complete: test_1=passed");
		ck_assert_uint_eq(gs_warm_counts(f.warm).lost, 1);
		ck_assert_uint_eq(gs_warm_counts(f.warm).started, 2);
		ck_assert_uint_eq(gs_warm_counts(f.warm).compilers, 1);
		fixture_close(&f);
	}

END_TEST

/* Compiled code is a help: a run without it is made all the same. */
START_TEST(lost_compiler)
	{
		struct fixture f;
		open_warm(&f);
		fixture_file(&f, "test_x.py", "def test_1(): pass\n");
		run_warm(&f, true);
		end_box("head -n 1");
		for (int i = 0; i < 2; i++) {
			run_warm(&f, true);
			fixture_expect(&f, "complete: test_1=passed");
		}
		ck_assert_uint_eq(gs_warm_counts(f.warm).lost, 0);
		ck_assert_uint_eq(gs_warm_counts(f.warm).compilers, 2);
		fixture_close(&f);
	}

END_TEST

/* A project that pytest itself imports is never served; nor is a moved
 * clock. */
START_TEST(not_served)
	{
		struct fixture f;
		struct gs_strv own = {0};
		open_warm(&f);
		fixture_file(&f, "test_x.py", "def test_1(): pass\n");
		gs_strv_push_all(&own, "mine", "pluggy", NULL);
		f.spec.own_modules = &own;
		run_warm(&f, false);
		gs_strv_reset(&own);
		gs_strv_push(&own, "mine");
		run_warm(&f, true);
		if (f.env.faketime) {
			f.spec.clock_ahead_s = 86400;
			run_warm(&f, false);
		}
		ck_assert_uint_eq(gs_warm_counts(f.warm).lost, 0);
		gs_strv_release(&own);
		fixture_close(&f);
	}

END_TEST

/* An interpreter's folders in /tmp are there in every run, though the box's
 * own /tmp is emptied after each. */
START_TEST(an_interpreter_in_tmp)
	{
		struct fixture f;
		open_warm(&f);
		char *folder = gs_format("%s/site", f.dir);
		char *module = gs_format("%s/there.py", folder);
		OK(gs_dir_make(folder, 0755, err));
		OK(gs_file_write(module, GS_STR(""), 0644, err));
		gs_strv_push(&f.env.binds, folder);
		char *text = gs_format("import sys\n"
		                       "sys.path.append('%s')\n"
		                       "def test_1(): import there\n",
		    folder);
		fixture_file(&f, "test_x.py", text);
		for (int i = 0; i < 2; i++) {
			run_warm(&f, false);
			OK(gs_run_cold(f.slot, &f.spec, &f.run, err));
			fixture_expect(&f, "complete: test_1=passed");
			gs_run_release(&f.run);
			f.run = (struct gs_run){0};
		}
		free(text);
		free(module);
		free(folder);
		fixture_close(&f);
	}

END_TEST

/* Only the tests of some functions, whatever class and parameters. */
START_TEST(some_tests)
	{
		struct fixture f;
		struct gs_strv tests = {0};
		open_warm(&f);
		fixture_file(&f, "test_x.py",
		    "import pytest\n"
		    "def test_1(): pass\n"
		    "@pytest.mark.parametrize('x', ['a::test_1', '['])\n"
		    "def test_2(x): pass\n"
		    "class TestA:\n"
		    "    def test_2(self): pass\n"
		    "    def test_3(self): pass\n"
		    "class TestB:\n"
		    "    def test_4(self): pass\n");
		fixture_file(&f, "test_y.py", "def test_2(): pass\n");
		gs_strv_push_all(
		    &tests, "test_x.py::test_2", "test_x.py::TestB", NULL);
		f.spec.tests = &tests;
		run_warm(&f, true);
		fixture_expect(&f,
		    "complete: test_2[a::test_1]=passed test_2[[]=passed "
		    "TestA::test_2=passed TestB::test_4=passed");
		gs_strv_release(&tests);
		fixture_close(&f);
	}

END_TEST

static void date_file(const struct fixture *f, const char *name)
{
	const struct timespec times[2] = {
	    {.tv_sec = 1000000000}, {.tv_sec = 1000000000}};
	char *path = gs_path_join(gs_slot_tree(f->slot), name);
	ck_assert_int_eq(utimensat(AT_FDCWD, path, times, 0), 0);
	free(path);
}

/* Compiled code is kept from run to run: never that of another text, be it as
 * long and as old, never where a test could write, and not where compiling
 * says something that each run is to hear. */
START_TEST(kept_code)
	{
		struct fixture f;
		open_warm(&f);
		fixture_file(&f, "m.py", "V = 1\n");
		date_file(&f, "m.py");
		fixture_file(&f, "pkg/__init__.py", "");
		fixture_file(&f, "pkg/w.py", "X = '\\d'\n");
		fixture_file(&f, "test_x.py",
		    "import os, pytest, warnings, m\n"
		    "with warnings.catch_warnings(record=True) as said:\n"
		    "    warnings.simplefilter('always'); import pkg.w\n"
		    "kept = [n for _, _, c in os.walk('/w/cache') for n in c]\n"
		    "def test_v(): assert m.V == 1\n"
		    "def test_kept(): assert sorted(n.split('.')[0] for n in kept)"
		    " == ['__init__', 'm', 'test_x']\n"
		    "def test_said(): assert len(said) == 1\n"
		    "def test_closed():\n"
		    "    for n in ('x', 'x/y'):\n"
		    "        with pytest.raises(OSError): open('/w/cache/' + n, "
		    "'w')\n");
		run_warm(&f, true);
		fixture_expect(&f,
		    "complete: test_v=passed test_kept=failed:assertion "
		    "test_said=passed test_closed=passed");
		run_warm(&f, true);
		fixture_expect(&f, "complete: test_v=passed test_kept=passed "
		                   "test_said=passed test_closed=passed");
		fixture_file(&f, "m.py", "V = 2\n");
		date_file(&f, "m.py");
		run_warm(&f, true);
		fixture_expect(&f,
		    "complete: test_v=failed:assertion test_kept=passed "
		    "test_said=passed test_closed=passed");
		ck_assert_uint_eq(gs_warm_counts(f.warm).started, 1);
		fixture_close(&f);
	}

END_TEST

/* The code of one compiler serves all hash seeds, and cold runs too, which are
 * boxes of their own in which nothing else runs. */
START_TEST(shared_code)
	{
		struct fixture f;
		open_warm(&f);
		fixture_file(&f, "m.py", "V = 1\n");
		fixture_file(&f, "test_x.py",
		    "import os, m\n"
		    "kept = [n for _, _, c in os.walk('/w/cache') for n in c]\n"
		    "def test_kept(): assert sorted(n.split('.')[0] for n in kept)"
		    " == ['m', 'test_x']\n"
		    "def test_read(): assert m.__cached__ not in (None, '')\n"
		    "def test_alone(): assert os.getppid() == PARENT\n"
		    "PARENT = 1\n");
		run_warm(&f, true);
		for (unsigned seed = 1; seed < 4; seed++) {
			f.spec.hash_seed = seed;
			run_warm(&f, true);
			fixture_expect(&f,
			    "complete: test_kept=passed "
			    "test_read=passed test_alone=passed");
			gs_run_release(&f.run);
			f.run = (struct gs_run){0};
			OK(gs_run_fresh(f.warm, &f.spec, &f.run, err));
			fixture_expect(&f,
			    "complete: test_kept=passed "
			    "test_read=passed test_alone=passed");
		}
		ck_assert_uint_eq(gs_warm_counts(f.warm).started, 3);
		ck_assert_uint_eq(gs_warm_counts(f.warm).runs, 4);
		ck_assert_uint_eq(gs_warm_counts(f.warm).compilers, 1);
		fixture_close(&f);
	}

END_TEST

/* An interpreter that cannot be a server stands in nobody else's way, and is
 * not tried for ever. */
START_TEST(refused_alone)
	{
		struct fixture f;
		struct gs_env broken;
		open_warm(&f);
		fixture_file(&f, "test_x.py", "def test_1(): pass\n");
		broken = f.env;
		broken.id = (char *)(uintptr_t) "broken";
		broken.python = (char *)(uintptr_t) "/usr/bin/false";
		f.spec.env = &broken;
		for (int i = 0; i < 3; i++)
			run_warm(&f, false);
		f.spec.env = &f.env;
		run_warm(&f, true);
		fixture_expect(&f, "complete: test_1=passed");
		ck_assert_uint_eq(gs_warm_counts(f.warm).started, 1);
		fixture_close(&f);
	}

END_TEST

GS_TESTS(run_warm, GS_TEST(kept_code), GS_TEST(shared_code),
    GS_TEST(refused_alone), GS_TEST(serves), GS_TEST(one_server_a_seed),
    GS_TEST_ROWS(beside_the_server, rows), GS_TEST(lost),
    GS_TEST(lost_compiler), GS_TEST(not_served), GS_TEST(an_interpreter_in_tmp),
    GS_TEST(some_tests))

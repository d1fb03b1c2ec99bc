/* SPDX-License-Identifier: Apache-2.0 */
/* Tests that misbehave: each costs its own run and nothing else. */
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "run_fixture.h"

static const struct row {
	const char *name, *text, *told;
	int timeout_ms;
} rows[] = {
    {"F096 segfault",
        "import ctypes\n"
        "def test_0(): pass\n"
        "def test_1(): ctypes.string_at(0)\n"
        "def test_2(): pass\n",
        "crash: test_0=passed test_1=unfinished:crash test_2=unfinished", 0},
    {"F156 os._exit(0)",
        "import os\n"
        "def test_0(): pass\n"
        "def test_1(): os._exit(0)\n",
        "left: test_0=passed test_1=unfinished:crash", 0},
    {"F099 pytest.exit with status 0",
        "import pytest\n"
        "def test_1(): pytest.exit('x', returncode=0)\n"
        "def test_2(): pass\n",
        "left: test_1=unfinished:crash test_2=unfinished", 0},
    {"F093 hang that ignores signals",
        "import signal\n"
        "def test_0(): pass\n"
        "def test_1():\n"
        "    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "    while True: pass\n",
        "timeout: test_0=passed test_1=unfinished:timeout", 3000},
    {"F093 input() on stdin",
        "def test_1():\n"
        "    import sys; sys.__stdin__.read(1) or input()\n",
        "complete: test_1=failed:exception", 0},
    {"F092 kills its group",
        "import os\n"
        "def test_1(): os.killpg(0, 9)\n",
        "crash: test_1=unfinished:crash", 0},
    {"kills all and its parent",
        "import os\n"
        "def test_1():\n"
        "    try: os.kill(os.getppid(), 9)\n"
        "    except OSError: pass\n"
        "    try: os.kill(-1, 9)\n"
        "    except OSError: pass\n",
        "complete: test_1=passed", 0},
    {"F108 changes directory, clears the environment",
        "import os\n"
        "def test_1(tmp_path):\n"
        "    os.chdir(tmp_path); os.rmdir(tmp_path)\n"
        "def test_2(): os.environ.clear(); os.umask(0o777)\n"
        "def test_3(): assert 0\n",
        "complete: test_1=passed test_2=passed test_3=failed:assertion", 0},
    {"F127 F155 forged lines in every descriptor",
        "import os\n"
        "def test_1():\n"
        "    line = b'{\"t\":\"x\",\"n\":0,\"e\":\"phase\",\"id\":\"test_x.py::"
        "test_1\",\"when\":\"call\",\"outcome\":\"passed\"}\\n'\n"
        "    for fd in range(1024):\n"
        "        try: os.write(fd, b'\\n' + line + b'{\"child-pid\":1}\\n')\n"
        "        except OSError: pass\n"
        "    assert 0\n",
        "complete: test_1=failed:assertion", 0},
    {"a child of a test reports nothing",
        "import os\n"
        "def test_1():\n"
        "    if os.fork() == 0: return\n"
        "    os.wait()\n"
        "    assert 0\n",
        "complete: test_1=failed:assertion", 0},
    {"patched os.write and os.getpid",
        "import os\n"
        "def test_1(monkeypatch):\n"
        "    monkeypatch.setattr(os, 'write', lambda *a: 1 / 0)\n"
        "    monkeypatch.setattr(os, 'getpid', lambda: 99)\n"
        "    assert 0\n",
        "complete: test_1=failed:assertion", 0},
    {"F095 200 MB printed, then fails",
        "def test_1():\n"
        "    for i in range(3200): print('y' * 65536)\n"
        "    assert 0\n",
        "complete: test_1=failed:assertion", 0},
    {"F095 flood without end",
        "import os, sys\n"
        "def test_1(capfd):\n"
        "    with capfd.disabled():\n"
        "        while True: os.write(1, b'x' * 65536)\n",
        "output: test_1=unfinished", 0},
    {"F094 fills the disk",
        "def test_1(tmp_path):\n"
        "    with open(tmp_path / 'x', 'wb') as f:\n"
        "        while True: f.write(b'x' * (1 << 20))\n",
        "disk: test_1=failed:exception", 0},
    {"F094 fills shared memory and hides it",
        "def test_1():\n"
        "    try:\n"
        "        with open('/dev/shm/x', 'wb') as f:\n"
        "            while True: f.write(b'x' * (1 << 20))\n"
        "    except OSError: pass\n",
        "disk: test_1=passed", 0},
    {"F105 F088 network is loopback, short socket paths",
        "import pytest, socket\n"
        "def test_1(tmp_path):\n"
        "    for host, f in (('127.0.0.1', socket.AF_INET), "
        "('::1', socket.AF_INET6)):\n"
        "        s = socket.create_server((host, 0), family=f)\n"
        "        socket.create_connection(s.getsockname()[:2]).close()\n"
        "    with pytest.raises(OSError): "
        "socket.create_connection(('192.0.2.1', 80), 5)\n"
        "    socket.socket(socket.AF_UNIX).bind(str(tmp_path / 's'))\n",
        "complete: test_1=passed", 0},
    {"F169 F106 F087 what a run sees of the machine",
        "import getpass, os, time\n"
        "def test_1():\n"
        "    assert os.getuid() == 1000 and getpass.getuser() == 'user'\n"
        "    assert set(os.listdir('/')) <= {'bin', 'dev', 'etc', 'lib', "
        "'lib32', 'lib64', 'libx32', 'proc', 'sbin', 'tmp', 'usr', 'w'}\n"
        "    assert 'SECRET' not in os.environ\n"
        "    try: assert b'SECRET' not in open('/proc/1/environ', 'rb').read()\n"
        "    except PermissionError: pass\n"
        "    assert time.strftime('%H', time.localtime(0)) == '00'\n"
        "    assert os.listdir('/w/home') == []\n"
        "    assert sum(p.isdigit() for p in os.listdir('/proc')) < 5\n",
        "complete: test_1=passed", 0},
    {"F170 F086 rights",
        "import ctypes, os, pytest\n"
        "def test_1(tmp_path):\n"
        "    p = tmp_path / 'x'; p.write_text(''); p.chmod(0)\n"
        "    with pytest.raises(PermissionError): p.read_text()\n"
        "    with pytest.raises(OSError): "
        "os.mknod(tmp_path / 'n', 0o60666, os.makedev(8, 0))\n"
        "    for p in ('/x', '/dev/x', '/w/x', '/etc/x', '/usr/x', "
        "'/w/kit/x'):\n"
        "        with pytest.raises(OSError): open(p, 'w')\n"
        "    c = ctypes.CDLL(None, use_errno=True)\n"
        "    assert c.unshare(0x10000000) == -1\n"
        "    assert c.ptrace(0, 0, 0, 0) == -1\n"
        "    assert c.mount(b'x', b'/tmp', b'tmpfs', 0, 0) == -1\n"
        "    assert c.setns(0, 0) == -1\n"
        "    assert 'NoNewPrivs:\\t1' in open('/proc/self/status').read()\n"
        "    assert 'CapEff:\\t0000000000000000' in "
        "open('/proc/self/status').read()\n",
        "complete: test_1=passed", 0},
};

START_TEST(hostile)
	{
		const struct row *row = &rows[_i];
		struct fixture f;
		(void)setenv("SECRET", "x", 1);
		fixture_open(&f, PYTHON);
		f.limits.disk_bytes = (uint64_t)300 << 20;
		if (row->timeout_ms)
			f.limits.timeout_ms = row->timeout_ms;
		fixture_slot(&f);
		fixture_file(&f, "test_x.py", row->text);
		fixture_run(&f);
		fixture_expect(&f, row->told);
		/* The slot serves the next run as if nothing had been. */
		fixture_clear(&f);
		f.limits.timeout_ms = 60000;
		f.spec.timeout_ms = 60000;
		fixture_file(&f, "test_x.py", "def test_ok(): pass\n");
		fixture_run(&f);
		fixture_expect(&f, "complete: test_ok=passed");
		fixture_close(&f);
	}

END_TEST

/* F091: when a run has ended nothing of it is left that could still write
 * into the tree. */
START_TEST(daemon_is_gone)
	{
		struct fixture f;
		fixture_open(&f, PYTHON);
		fixture_slot(&f);
		fixture_file(&f, "test_x.py",
		    "import os, time\n"
		    "def test_1():\n"
		    "    if os.fork() == 0:\n"
		    "        os.setsid()\n"
		    "        if os.fork() == 0:\n"
		    "            while True:\n"
		    "                open('/w/tree/alive', 'a').write('x')\n"
		    "        os._exit(0)\n"
		    "    while not os.path.exists('/w/tree/alive'): time.sleep(0.01)\n");
		fixture_run(&f);
		fixture_expect(&f, "complete: test_1=passed");
		char *path = gs_path_join(gs_slot_tree(f.slot), "alive");
		ck_assert_int_eq(unlink(path), 0);
		usleep(200 * 1000);
		ck_assert(!gs_path_exists(path));
		free(path);
		fixture_close(&f);
	}

END_TEST

/* F094: memory and processes, by whatever holds them on this machine. */
static const struct limit_row {
	const char *name, *text;
} limit_rows[] = {
    {"memory", "def test_1():\n"
               "    x = []\n"
               "    while True: x.append(b'x' * (16 << 20))\n"},
    {"memory of a child",
        "import subprocess, sys\n"
        "def test_1():\n"
        "    subprocess.run([sys.executable, '-c', 'x = []\\n'\n"
        "        'while 1: x.append(bytes(16 << 20) + b\"x\")'], "
        "check=True)\n"},
    {"processes", "import os, time\n"
                  "def test_1():\n"
                  "    for i in range(2000):\n"
                  "        if os.fork() == 0: time.sleep(60); os._exit(0)\n"},
};

START_TEST(limits)
	{
		struct fixture f;
		fixture_open(&f, PYTHON);
		f.limits.memory_bytes = (uint64_t)500 << 20;
		f.limits.processes = 60;
		fixture_slot(&f);
		fixture_file(&f, "test_x.py", limit_rows[_i].text);
		fixture_run(&f);
		/* Under rlimits a child's own end is the child's. */
		if (f.box.cgroup != GS_CGROUP_NONE || _i != 1)
			ck_assert_msg(f.run.kind == GS_RUN_MEMORY, "%s\n%s",
			    f.run.detail ? f.run.detail : "", f.run.log);
		ck_assert(!gs_run_passed(&f.run, "test_x.py::test_1"));
		fixture_clear(&f);
		fixture_file(&f, "test_x.py", "def test_ok(): pass\n");
		fixture_run(&f);
		fixture_expect(&f, "complete: test_ok=passed");
		fixture_close(&f);
	}

END_TEST

/* A killed worker leaves no control group behind after the next start, and
 * no mount at all. */
START_TEST(killed_worker)
	{
		struct fixture f;
		fixture_open(&f, PYTHON);
		int ready[2];
		ck_assert_int_eq(pipe(ready), 0);
		pid_t pid = fork();
		if (pid == 0) {
			struct gs_slot *slot = NULL;
			int rc =
			    gs_slot_open(f.dir, &f.box, &f.limits, &slot, NULL);
			(void)!write(ready[1], rc == 0 ? "y" : "n", 1);
			pause();
			_exit(0);
		}
		char answer = 0;
		ck_assert_int_eq(read(ready[0], &answer, 1), 1);
		ck_assert_int_eq(answer, 'y');
		ck_assert_int_eq(kill(pid, SIGKILL), 0);
		ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
		if (f.box.cgroup != GS_CGROUP_NONE) {
			char *group = gs_format(
			    "%s/goldset-%ld-0", f.box.cgroup_path, (long)pid);
			ck_assert(gs_path_is_dir(group));
			struct gs_box box = {0};
			OK(gs_box_probe(false, &box, err));
			ck_assert(!gs_path_exists(group));
			gs_box_release(&box);
			free(group);
		}
		fixture_close(&f);
	}

END_TEST

/* F146: a sandbox that does not work is found at once, with a sentence; only
 * who insists runs without, and the evidence says so. */
START_TEST(no_sandbox)
	{
		struct fixture f = {.dir = "/tmp/goldset-test-XXXXXX"};
		ck_assert_ptr_nonnull(mkdtemp(f.dir));
		ck_assert_int_eq(chmod(f.dir, 0755), 0);
		char *stub = gs_path_join(f.dir, "bwrap");
		OK(gs_file_write(stub,
		    GS_STR(
		        "#!/bin/sh\n[ \"$1\" = --version ] && exec echo bwrap 1\n"
		        "echo \"bwrap: Can't mount proc\" >&2; exit 1\n"),
		    0755, err));
		char *path = gs_format("%s:%s", f.dir, getenv("PATH"));
		(void)setenv("PATH", path, 1);
		struct gs_err problem = {0};
		ck_assert_int_eq(
		    gs_box_probe(false, &f.box, &problem), GS_E_ENVIRONMENT);
		ck_assert_ptr_nonnull(strstr(problem.text, "Can't mount proc"));
		OK(gs_box_probe(true, &f.box, err));
		ck_assert(f.box.is_unsafe);
		ck_assert_ptr_nonnull(strstr(f.box.summary, "unsafe"));
		gs_box_release(&f.box);
		free(stub);
		free(path);
		OK(gs_tree_remove(f.dir, err));
	}

END_TEST

GS_TESTS(run_hostile, GS_TEST_ROWS(hostile, rows), GS_TEST(daemon_is_gone),
    GS_TEST_ROWS(limits, limit_rows), GS_TEST(killed_worker),
    GS_TEST(no_sandbox))

/* SPDX-License-Identifier: Apache-2.0 */
/* Cold runs: outcomes, typing, ids, configuration. Real bubblewrap and real
 * pytest on small trees. */
#include "run_fixture.h"

/* One file test_x.py and what is told of it. */
static const struct row {
	const char *name, *text, *told;
} rows[] = {
    {"O2 worst phase, O4 types",
        "import pytest\n"
        "def test_pass(): pass\n"
        "def test_fail(): assert 1 == 2\n"
        "def test_exc(): {}['k']\n"
        "def test_raises():\n"
        "    with pytest.raises(ValueError): pass\n"
        "def test_pytest_fail(): pytest.fail('x')\n"
        "@pytest.fixture\n"
        "def down():\n"
        "    yield\n"
        "    raise RuntimeError('x')\n"
        "@pytest.fixture\n"
        "def up(): raise RuntimeError('x')\n"
        "def test_setup(up): pass\n"
        "def test_teardown(down): pass\n"
        "def test_both(down): assert 0\n",
        "complete: test_pass=passed test_fail=failed:assertion "
        "test_exc=failed:exception test_raises=failed:assertion "
        "test_pytest_fail=failed:assertion test_setup=failed:setup "
        "test_teardown=failed:teardown test_both=failed:assertion"},
    {"F120 xfail in all its forms, F121 skips",
        "import pytest, unittest\n"
        "@pytest.mark.xfail\n"
        "def test_xf(): assert 0\n"
        "@pytest.mark.xfail\n"
        "def test_xp(): pass\n"
        "@pytest.mark.xfail(strict=True)\n"
        "def test_xps(): pass\n"
        "@pytest.mark.xfail(run=False)\n"
        "def test_xfn(): pass\n"
        "def test_xfi(): pytest.xfail('x')\n"
        "@pytest.mark.skip\n"
        "def test_sk(): pass\n"
        "def test_ski(): pytest.importorskip('nope')\n"
        "class TestU(unittest.TestCase):\n"
        "    @unittest.expectedFailure\n"
        "    def test_ux(self): pass\n",
        "complete: test_xf=xfailed test_xp=xpassed test_xps=xpassed "
        "test_xfn=xfailed test_xfi=xfailed test_sk=skipped "
        "test_ski=skipped TestU::test_ux=xpassed"},
    {"F111 F112 F113 ids verbatim",
        "import pytest\n"
        "@pytest.mark.parametrize('x', ['sp ace', ' - passed', 'a::b',"
        " 'x[y]', '[', '', '\\ud800', 'nul\\0', '\\x1b', 'back\\\\s'])\n"
        "def test_p(x): pass\n",
        "complete: test_p[sp ace]=passed test_p[ - passed]=passed "
        "test_p[a::b]=passed test_p[x[y]]=passed test_p[[]=passed "
        "test_p[]=passed test_p[\\ud800]=passed test_p[nul\\x00]=passed "
        "test_p[\\x1b]=passed test_p[back\\\\s]=passed"},
    {"F122 F123 unittest, nested classes",
        "import unittest\n"
        "class U(unittest.TestCase):\n"
        "    def test_sub(self):\n"
        "        'a docstring'\n"
        "        for i in range(4):\n"
        "            with self.subTest(i=i): self.assertEqual(i % 2, 0)\n"
        "class TestC:\n"
        "    class TestInner:\n"
        "        def test_n(self): pass\n",
        "complete: U::test_sub=failed:assertion TestC::TestInner::test_n="
        "passed"},
    {"F078 coroutines without a plugin are skipped",
        "async def test_m(): assert 0\n", "complete: test_m=skipped"},
    {"F099 module that exits is a collection error",
        "import sys\nsys.exit(0)\n", "complete: !test_x.py"},
    {"F121 a module that skips itself has no nodes",
        "import pytest\npytest.importorskip('nope')\n"
        "def test_a(): pass\n",
        "complete:"},
    {"F126 long ids, shell text, many ids",
        "import pytest\n"
        "@pytest.mark.parametrize('x', range(1200))\n"
        "def test_p(x): assert x < 1200\n",
        NULL},
};

START_TEST(outcomes)
	{
		const struct row *row = &rows[_i];
		struct fixture f;
		fixture_open(&f, PYTHON);
		fixture_slot(&f);
		fixture_file(&f, "test_x.py", row->text);
		fixture_run(&f);
		if (row->told)
			fixture_expect(&f, row->told);
		else
			ck_assert_uint_eq(f.run.nodes.n, 1200);
		fixture_close(&f);
	}

END_TEST

/* O4: names, messages, syntax; F101: a broken file interrupts no other. */
START_TEST(missing_names)
	{
		struct fixture f;
		fixture_open(&f, PYTHON);
		fixture_slot(&f);
		fixture_file(&f, "m.py", "class C: pass\ndef f(): pass\n");
		fixture_file(&f, "test_a.py",
		    "import m\n"
		    "def test_1(): m.gone\n"
		    "def test_2(): m.C().gone\n"
		    "def test_3(): nix\n"
		    "def test_4(): m.f(kw=1)\n"
		    "def test_5():\n    from m import other\n"
		    "def test_6(): raise ValueError('\\u20ac' * 2500)\n");
		fixture_file(&f, "test_b.py", "from m import new_helper\n");
		fixture_file(&f, "test_c.py", "import not_there.at_all\n");
		fixture_file(&f, "test_d.py", "def f(:\n");
		gs_strv_push(&f.files, "test_absent.py");
		fixture_run(&f);
		ck_assert_int_eq(f.run.kind, GS_RUN_COMPLETE);
		static const char *const names[] = {
		    "gone", "gone", "nix", "kw", "other"};
		for (size_t i = 0; i < GS_COUNT(names); i++)
			ck_assert_str_eq(f.run.nodes.v[i].missing, names[i]);
		ck_assert_ptr_null(f.run.nodes.v[5].missing);
		ck_assert_uint_eq(strlen(f.run.nodes.v[5].message), 2000 * 3);
		ck_assert_uint_eq(f.run.collect_errors.n, 4);
		const struct gs_collect_error *errors = f.run.collect_errors.v;
		ck_assert_str_eq(errors[0].id, "test_absent.py");
		ck_assert_str_eq(errors[1].missing, "new_helper");
		ck_assert_ptr_null(errors[1].missing_module);
		ck_assert_str_eq(errors[2].missing_module, "not_there");
		ck_assert(errors[3].is_syntax);
		fixture_close(&f);
	}

END_TEST

/* F125, F126: exactly the wanted ids, never through argv; O5: skipped ones. */
START_TEST(selection)
	{
		struct fixture f;
		fixture_open(&f, PYTHON);
		fixture_slot(&f);
		fixture_file(&f, "tests/test_x.py",
		    "import pytest\n"
		    "@pytest.mark.parametrize('x', ['$(id)', \"'; rm -rf x #\", "
		    "'L' * 50000, '\\udc80'])\n"
		    "def test_p(x): pass\n"
		    "def test_q(): assert 0\n"
		    "def test_r(): pass\n");
		fixture_run(&f);
		ck_assert_uint_eq(f.run.nodes.n, 6);
		for (size_t i = 0; i < 4; i++)
			gs_strv_push(&f.ids, f.run.nodes.v[i].id);
		fixture_run(&f);
		ck_assert_uint_eq(f.run.nodes.n, 4);
		ck_assert_uint_eq(f.run.n_deselected, 2);
		for (size_t i = 0; i < 4; i++)
			ck_assert(gs_run_passed(&f.run, f.ids.v[i]));
		gs_strv_reset(&f.ids);
		gs_strv_push(&f.ids, "tests/test_x.py");
		fixture_run(&f);
		ck_assert_uint_eq(f.run.nodes.n, 0);
		gs_strv_reset(&f.ids);
		gs_strv_push(&f.skip, "tests/test_x.py::test_q");
		fixture_run(&f);
		ck_assert_uint_eq(f.run.nodes.n, 5);
		fixture_close(&f);
	}

END_TEST

/* Configuration of the project: one file and its text beside a test that
 * fails, and what is told. */
static const struct config_row {
	const char *name, *file, *text, *test, *told;
} config_rows[] = {
    /* S6 */
    {"F075 absent plugins", "setup.cfg",
        "[tool:pytest]\naddopts = --cov=pkg --cov-fail-under=100 -n auto\n"
        "required_plugins = pytest-none\n"
        "markers =\n    slow: x\n",
        "def test_a(): assert 0\n", "complete: test_a=failed:assertion"},
    {"F076 selection in addopts", "pytest.ini",
        "[pytest]\naddopts = -x --reruns 2 -m \"not slow\" -k nothing\n",
        "def test_a(): assert 0\ndef test_b(): pass\n",
        "complete: test_a=failed:assertion test_b=passed"},
    {"old [pytest] of setup.cfg does not stop the run", "setup.cfg",
        "[pytest]\naddopts = --old\npython_functions = check_*\n",
        "def check_a(): pass\ndef test_b(): pass\n",
        "complete: check_a=passed"},
    {"settings stay", "pyproject.toml",
        "[tool.pytest.ini_options]\naddopts = \"--nope\"\n"
        "python_functions = [\"check_*\"]\nxfail_strict = true\n",
        "import pytest\n@pytest.mark.xfail\ndef check_a(): pass\n",
        "complete: check_a=xpassed"},
    {"keys of plugins that are not there", "tox.ini",
        "[pytest]\nasyncio_mode = auto\ntimeout = 3\n"
        "filterwarnings = error\n",
        "import pytest\n@pytest.mark.timeout(3)\ndef test_a(): pass\n",
        "complete: test_a=passed"},
    {"import-mode is kept", "pytest.ini",
        "[pytest]\naddopts = --import-mode=importlib\n",
        "import sys\ndef test_a(): assert 'test_x' in __name__\n"
        "def test_b(): assert __file__.rsplit('/', 1)[0] not in sys.path[0]"
        " or True\n",
        "complete: test_a=passed test_b=passed"},
    {"-p of a built-in plugin is kept", "pytest.ini",
        "[pytest]\naddopts = -p pytester -p none.such\n",
        "def test_a(pytester): pass\n", "complete: test_a=passed"},
    {"a conftest that does not import", "conftest.py", "import not_there\n",
        "def test_a(): pass\n", "usage: !conftest.py"},
};

START_TEST(configuration)
	{
		const struct config_row *row = &config_rows[_i];
		struct fixture f;
		fixture_open(&f, PYTHON);
		fixture_slot(&f);
		fixture_file(&f, row->file, row->text);
		fixture_file(&f, "test_x.py", row->test);
		fixture_run(&f);
		fixture_expect(&f, row->told);
		fixture_close(&f);
	}

END_TEST

/* S5, F069, F070, F085: root, then src; __main__ and argv as -m has them. */
START_TEST(imports)
	{
		struct fixture f;
		fixture_open(&f, PYTHON);
		fixture_slot(&f);
		gs_strv_push(&f.probe, "pkg.m");
		gs_strv_push(&f.probe, "json");
		gs_strv_push(&f.probe, "nowhere");
		fixture_file(&f, "src/pkg/__init__.py", "");
		fixture_file(&f, "src/pkg/m.py", "V = 1\n");
		fixture_file(&f, "tests/util.py", "W = 2\n");
		fixture_file(&f, "tests/test_v.py",
		    "import os, subprocess, sys\n"
		    "from pkg.m import V\n"
		    "from tests.util import W\n"
		    "def test_v(): assert (V, W) == (1, 2)\n"
		    "def test_argv(): assert sys.argv[1:] == [] and "
		    "sys.argv[0].endswith('pytest/__main__.py')\n"
		    "def test_child(): subprocess.run([sys.executable, '-c', "
		    "'import pkg.m'], cwd='/', check=True)\n"
		    "def test_kit(): assert not any('kit' in p for p in sys.path)\n");
		fixture_run(&f);
		ck_assert_int_eq(f.run.kind, GS_RUN_VOID);
		ck_assert_uint_eq(f.run.origins.n, 3);
		ck_assert_str_eq(f.run.origins.v[0].file, "src/pkg/m.py");
		ck_assert(f.run.origins.v[0].inside);
		for (size_t i = 0; i < f.run.nodes.n; i++)
			ck_assert_msg(
			    f.run.nodes.v[i].outcome == GS_OUTCOME_PASSED,
			    "%s\n%s", f.run.nodes.v[i].id, f.run.log);
		gs_strv_reset(&f.probe);
		gs_strv_push(&f.probe, "pkg.m");
		fixture_run(&f);
		ck_assert_int_eq(f.run.kind, GS_RUN_COMPLETE);
		fixture_close(&f);
	}

END_TEST

/* S4, F107: what one run leaves behind, the next does not see. */
START_TEST(fresh)
	{
		struct fixture f;
		fixture_open(&f, PYTHON);
		fixture_slot(&f);
		fixture_file(&f, "test_x.py",
		    "import os, pathlib, tempfile\n"
		    "def test_a():\n"
		    "    for p in ('/tmp', '/w/home', '/dev/shm'):\n"
		    "        assert os.listdir(p) == [] or p == '/tmp'\n"
		    "        d = pathlib.Path(p, 'marker'); assert not d.exists()\n"
		    "        d.mkdir(); (d / 'x').mkdir(); (d / 'x').chmod(0)\n"
		    "    assert tempfile.gettempdir() == '/tmp'\n"
		    "    assert os.getcwd() == '/w/tree'\n");
		for (int i = 0; i < 2; i++) {
			fixture_run(&f);
			fixture_expect(&f, "complete: test_a=passed");
		}
		fixture_close(&f);
	}

END_TEST

/* K1: another seed, the clock a year ahead with true timeouts. */
START_TEST(seed_and_clock)
	{
		struct fixture f;
		fixture_open(&f, PYTHON);
		fixture_slot(&f);
		if (!f.env.faketime) {
			fixture_close(&f);
			return;
		}
		fixture_file(&f, "test_x.py",
		    "import datetime, os, threading, time\n"
		    "def test_seed(): assert os.environ['PYTHONHASHSEED'] == '77'\n"
		    "def test_year(): assert time.time() > os.stat('/w/tree').st_mtime"
		    " + 300 * 86400\n"
		    "def test_sleep():\n"
		    "    a = time.monotonic(); time.sleep(0.1)\n"
		    "    assert 0.09 < time.monotonic() - a < 5\n"
		    "def test_wait():\n"
		    "    a = time.monotonic()\n"
		    "    assert not threading.Event().wait(0.1)\n"
		    "    assert 0.09 < time.monotonic() - a < 5\n"
		    "def test_join():\n"
		    "    t = threading.Thread(target=time.sleep, args=(0.3,))\n"
		    "    t.start(); t.join(0.05); assert t.is_alive(); t.join()\n");
		f.spec.hash_seed = 77;
		f.spec.clock_ahead_s = 31536000;
		fixture_run(&f);
		fixture_expect(&f,
		    "complete: test_seed=passed test_year=passed test_sleep=passed "
		    "test_wait=passed test_join=passed");
		fixture_close(&f);
	}

END_TEST

/* O6: each shim puts names back, only when asked, and says that it did. */
static const struct shim_row {
	const char *name, *test;
	unsigned bit;
} shim_rows[] = {
    {"collections", "from collections import Mapping\ndef test_a(): pass\n",
        GS_SHIM_COLLECTIONS},
    {"inspect",
        "import inspect\n"
        "def f(a, b=1, *c, **d): pass\n"
        "def test_a():\n"
        "    s = inspect.getargspec(f)\n"
        "    assert s.args == ['a', 'b'] and s.keywords == 'd'\n"
        "    assert inspect.formatargspec(*s) == '(a, b=1, *c, **d)'\n",
        GS_SHIM_INSPECT},
    {"pytest",
        "import pytest\n"
        "@pytest.mark.slow\n"
        "def test_a(request):\n"
        "    assert request.node.get_marker('slow').name == 'slow'\n"
        "    with pytest.raises(ValueError, message='m'): int('x')\n"
        "    with pytest.warns(None): pass\n"
        "    assert pytest.config.rootdir\n",
        GS_SHIM_PYTEST},
    {"stdlib",
        "import asyncio, time, threading\n"
        "@asyncio.coroutine\n"
        "def f():\n    yield\n"
        "def test_a():\n"
        "    from fractions import gcd\n"
        "    import base64, xml.etree.cElementTree\n"
        "    base64.encodestring(b'x')\n"
        "    assert time.clock() >= 0 and gcd(4, 6) == 2\n"
        "    assert not threading.Thread().isAlive()\n",
        GS_SHIM_STDLIB},
    {"distribution",
        "from importlib.metadata import version\n"
        "def test_a(): assert version('my-pkg') == '1.5'\n",
        GS_SHIM_DISTRIBUTION},
};

START_TEST(shims)
	{
		const struct shim_row *row = &shim_rows[_i];
		struct fixture f;
		fixture_open(&f, PYTHON);
		fixture_slot(&f);
		fixture_file(&f, "test_x.py", row->test);
		f.spec.dist_name = "my_pkg";
		f.spec.dist_version = "1.5";
		fixture_run(&f);
		ck_assert_uint_eq(f.run.shims_used.n, 0);
		ck_assert(!gs_run_passed(&f.run, "test_x.py::test_a"));
		f.spec.shims = row->bit;
		fixture_run(&f);
		fixture_expect(&f, "complete: test_a=passed");
		ck_assert_uint_eq(f.run.shims_used.n, 1);
		ck_assert_str_eq(f.run.shims_used.v[0], row->name);
		/* All of them at once do no harm, and only what was used is
		 * named. */
		fixture_clear(&f);
		fixture_file(&f, "test_x.py", "def test_a(): pass\n");
		f.spec.shims = GS_SHIM_ALL;
		fixture_run(&f);
		fixture_expect(&f, "complete: test_a=passed");
		ck_assert_uint_eq(f.run.shims_used.n, 0);
		fixture_close(&f);
	}

END_TEST

GS_TESTS(run_cold, GS_TEST_ROWS(outcomes, rows), GS_TEST(missing_names),
    GS_TEST(selection), GS_TEST_ROWS(configuration, config_rows),
    GS_TEST(imports), GS_TEST(fresh), GS_TEST(seed_and_clock),
    GS_TEST_ROWS(shims, shim_rows))

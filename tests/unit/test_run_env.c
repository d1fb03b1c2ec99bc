/* SPDX-License-Identifier: Apache-2.0 */
/* Environments: looking at an interpreter, and virtual environments made
 * from a folder of wheels that the test itself writes. */
#include "run_fixture.h"

START_TEST(of_the_system)
	{
		struct gs_env env = {0};
		(void)setenv("PATH", "/usr/bin:/bin", 1);
		OK(gs_env_system("python3", &env, err));
		ck_assert_int_eq(env.python[0], '/');
		gs_env_release(&env);
		OK(gs_env_system(PYTHON, &env, err));
		ck_assert_ptr_nonnull(
		    strstr(env.distributions, "\"pytest\":\""));
		ck_assert_uint_eq(strlen(env.id), 64);
		gs_env_release(&env);
	}

END_TEST

START_TEST(missing_interpreter)
	{
		struct gs_env env = {0};
		struct gs_err problem = {0};
		ck_assert_int_eq(
		    gs_env_system("no-such-python", &env, &problem),
		    GS_E_ENVIRONMENT);
		ck_assert_ptr_nonnull(strstr(problem.text, "no-such-python"));
		ck_assert_int_eq(gs_env_system("/bin/false", &env, &problem),
		    GS_E_ENVIRONMENT);
	}

END_TEST

/* A wheel by hand: one module and its record. */
static void write_wheel(const char *folder)
{
	char *command = gs_format(PYTHON
	    " -c \""
	    "import zipfile\n"
	    "z = zipfile.ZipFile('%s/tiny-1.0-py3-none-any.whl', 'w')\n"
	    "d = 'tiny-1.0.dist-info/'\n"
	    "z.writestr('tiny.py', 'V = 7')\n"
	    "z.writestr(d + 'METADATA', 'Metadata-Version: 2.1\\nName: "
	    "tiny\\nVersion: 1.0\\n')\n"
	    "z.writestr(d + 'WHEEL', 'Wheel-Version: 1.0\\nGenerator: "
	    "hand\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')\n"
	    "z.writestr(d + 'RECORD', '')\n"
	    "z.close()\"",
	    folder);
	ck_assert_int_eq(system(command), 0);
	free(command);
}

/* Made once, used again, importable in the box; unmet requirements are a
 * sentence and leave nothing behind; remains of a killed making go. */
START_TEST(of_a_venv)
	{
		struct fixture f;
		fixture_open(&f, PYTHON);
		char *wheels = gs_path_join(f.dir, "wheels");
		char *envs = gs_path_join(f.dir, "envs");
		OK(gs_dir_make(wheels, 0755, err));
		write_wheel(wheels);
		struct gs_env_request request = {.envs_dir = envs,
		    .python = PYTHON,
		    .project = "a/b",
		    .cutoff = 1600000000,
		    .wheels = wheels};
		gs_strv_push(&request.requirements, "tiny>=1");
		struct gs_env env = {0}, again = {0};
		OK(gs_env_venv(&request, &env, err));
		ck_assert_ptr_nonnull(
		    strstr(env.distributions, "\"tiny\":\"1.0\""));
		OK(gs_env_venv(&request, &again, err));
		ck_assert_str_eq(env.id, again.id);
		ck_assert_str_eq(env.python, again.python);
		gs_env_release(&again);

		fixture_slot(&f);
		fixture_file(&f, "test_x.py",
		    "import pytest, tiny\n"
		    "def test_v(): assert tiny.V == 7\n"
		    "def test_read_only():\n"
		    "    with pytest.raises(OSError): open(tiny.__file__, 'a')\n");
		f.spec.env = &env;
		fixture_run(&f);
		fixture_expect(
		    &f, "complete: test_v=passed test_read_only=passed");

		char *ready = gs_format("%.*s/goldset-ready",
		    (int)(strlen(env.python) - strlen("/bin/python")),
		    env.python);
		ck_assert_int_eq(unlink(ready), 0);
		gs_env_release(&env);
		OK(gs_env_venv(&request, &env, err));
		ck_assert(gs_path_exists(ready));
		gs_env_release(&env);
		free(ready);

		gs_strv_push(&request.requirements, "no-such-thing");
		struct gs_err problem = {0};
		ck_assert_int_eq(
		    gs_env_venv(&request, &env, &problem), GS_E_ENVIRONMENT);
		ck_assert_ptr_nonnull(strstr(problem.text, "no-such-thing"));
		gs_strv_release(&request.requirements);
		free(wheels);
		free(envs);
		fixture_close(&f);
	}

END_TEST

GS_TESTS(run_env, GS_TEST(of_the_system), GS_TEST(missing_interpreter),
    GS_TEST(of_a_venv))

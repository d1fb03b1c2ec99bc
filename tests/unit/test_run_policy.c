/* SPDX-License-Identifier: Apache-2.0 */
/* The sandbox as a command line, without running it; names of shims;
 * requirements read from a project's files. */
#include <string.h>

#include "base/mem.h"
#include "gs_test.h"
#include "run/env.h"
#include "run/policy.h"
#include "run/run.h"

static char *joined(const struct gs_strv *words)
{
	struct gs_buf out = {0};
	for (size_t i = 0; i < words->n; i++)
		gs_buf_addf(&out, " %s", words->v[i]);
	gs_buf_addc(&out, ' ');
	return gs_buf_steal(&out);
}

static char *argv_of(bool dist, bool seccomp, bool block)
{
	char bwrap[] = "/usr/bin/bwrap";
	struct gs_box box = {.bwrap = bwrap, .has_seccomp = seccomp};
	gs_strv_push_all(
	    &box.root_options, "--symlink", "usr/lib", "/lib", NULL);
	struct gs_strv binds = {0}, argv = {0};
	gs_strv_push_all(&binds, "/run/env0", "/home/me/venv", NULL);
	const char *const environment[] = {"TZ=UTC", "X=a=b", NULL};
	const struct gs_policy policy = {.box = &box,
	    .tree = "/s/tree",
	    .home = "/s/home",
	    .tmp = "/s/tmp",
	    .shm = "/s/shm",
	    .kit = "/s/kit0",
	    .etc = "/s/etc",
	    .dist = dist ? "/s/dist" : NULL,
	    .binds = &binds,
	    .environment = environment,
	    .can_block = block};
	gs_policy_argv(&policy, &argv);
	char *text = joined(&argv);
	gs_strv_release(&argv);
	gs_strv_release(&binds);
	gs_strv_release(&box.root_options);
	return text;
}

/* S4, F088, F107, F169, F170: what must stand in every line. */
static const char *const always[] = {
    " --unshare-all --unshare-user --disable-userns ",
    " --die-with-parent --new-session ",
    " --cap-drop ALL ",
    " --uid 1000 --gid 1000 ",
    " --clearenv --setenv TZ UTC --setenv X a=b ",
    " --ro-bind /usr /usr ",
    " --symlink usr/lib /lib ",
    " --ro-bind /s/etc/passwd /etc/passwd ",
    " --bind /s/tmp /tmp ",
    " --bind /s/home /w/home ",
    " --bind /s/shm /dev/shm --remount-ro /dev ",
    " --ro-bind /run/env0 /home/me/venv ",
    " --ro-bind /s/kit0 /w/kit ",
    " --bind /s/tree /w/tree --remount-ro / --chdir /w/tree ",
    " --json-status-fd 3 ",
};

START_TEST(policy_always)
	{
		for (int bits = 0; bits < 8; bits++) {
			char *text = argv_of(bits & 1, bits & 2, bits & 4);
			ck_assert_msg(strstr(text, always[_i]) != NULL,
			    "no '%s' in %s", always[_i], text);
			ck_assert(!strstr(text, " --share-net "));
			free(text);
		}
	}

END_TEST

START_TEST(policy_options)
	{
		char *with = argv_of(true, true, true);
		char *without = argv_of(false, false, false);
		static const char *const options[] = {
		    " --ro-bind /s/dist /w/dist ", " --seccomp 6 ",
		    " --block-fd 7 "};
		for (size_t i = 0; i < GS_COUNT(options); i++) {
			ck_assert(strstr(with, options[i]) != NULL);
			ck_assert(strstr(without, options[i]) == NULL);
		}
		free(with);
		free(without);
	}

END_TEST

/* S4, K1: the allow-list environment, the seed, the clock. */
START_TEST(environment)
	{
		struct gs_strv names = {0};
		struct gs_policy_env env = {.python = "/opt/py/bin/python3",
		    .home = "/w/home",
		    .tmp = "/tmp",
		    .hash_seed = 4294967295u,
		    .faketime = "/lib/faketime.so"};
		gs_policy_environment(&env, &names);
		char *text = joined(&names);
		ck_assert_ptr_nonnull(strstr(text,
		    " PATH=/opt/py/bin:/usr/local/bin:/usr/bin:/bin HOME=/w/home "));
		ck_assert_ptr_nonnull(
		    strstr(text, " PYTHONHASHSEED=4294967295 "));
		ck_assert_ptr_nonnull(strstr(text, " TZ=UTC "));
		ck_assert_ptr_nonnull(strstr(text, " LC_ALL=C.UTF-8 "));
		ck_assert_ptr_null(strstr(text, "FAKETIME"));
		free(text);
		gs_strv_reset(&names);
		env.clock_ahead_s = 31536000;
		gs_policy_environment(&env, &names);
		text = joined(&names);
		ck_assert_ptr_nonnull(
		    strstr(text, " LD_PRELOAD=/lib/faketime.so "));
		ck_assert_ptr_nonnull(strstr(text, " FAKETIME=+31536000s "));
		ck_assert_ptr_nonnull(
		    strstr(text, " FAKETIME_DONT_FAKE_MONOTONIC=1 "));
		/* Ten threads that share a lock took 42 s in place of 3. */
		ck_assert_ptr_nonnull(
		    strstr(text, " FAKETIME_FORCE_MONOTONIC_FIX=0 "));
		free(text);
		gs_strv_release(&names);
	}

END_TEST

/* O6 */
START_TEST(shim_names)
	{
		struct gs_err err = {0};
		unsigned bits = 0;
		ck_assert_int_eq(
		    gs_shim_parse("inspect,stdlib", &bits, &err), 0);
		ck_assert_uint_eq(bits, GS_SHIM_INSPECT | GS_SHIM_STDLIB);
		char *names = gs_shim_names(bits);
		ck_assert_str_eq(names, "inspect,stdlib");
		free(names);
		ck_assert_int_eq(gs_shim_parse("all", &bits, &err), 0);
		ck_assert_uint_eq(bits, GS_SHIM_ALL);
		ck_assert_int_eq(gs_shim_parse("", &bits, &err), 0);
		ck_assert_uint_eq(bits, 0);
		ck_assert_int_eq(
		    gs_shim_parse("nope", &bits, &err), GS_E_USAGE);
		ck_assert_ptr_nonnull(strstr(err.text, "'nope'"));
	}

END_TEST

static const struct requirement_row {
	const char *file, *text, *told;
} requirement_rows[] = {
    {"pyproject.toml",
        "[project]\nname = \"x\"\ndependencies = [\n  \"a>=1\", # why\n"
        "  'b[extra] ; python_version < \"3\"',\n"
        "  \"evil @ https://x.test/y.whl\",\n]\n"
        "[project.optional-dependencies]\ntest = [\"c\"]\ndocs = [\"d\"]\n"
        "[dependency-groups]\ndev = ['e~=2.0']\n",
        " a>=1 b[extra] ; python_version < \"3\" c e~=2.0 "},
    {"pyproject.toml",
        "[tool.poetry.dependencies]\npython = \"^3.8\"\nf = \"^1\"\n", " f "},
    {"setup.cfg",
        "[options]\ninstall_requires =\n    a\n    b>1\ntests_require = c\n"
        "[options.extras_require]\ntesting =\n  d # why\ndocs =\n  e\n",
        " a b>1 c d "},
    {"setup.py",
        "setup(install_requires=['a', \"b<2\"], tests_require=('c',),\n"
        "  extras_require={'docs': ['n'], 'test': ['d']})\n",
        " a b<2 c d "},
    {"requirements-dev.txt",
        "# x\n-r other.txt\n-e .\na==1 --hash=sha256:00 \\\nb # why\n"
        "git+https://x.test/y\n--index-url https://x.test\n./local\n",
        " a==1 b "},
    {"tox.ini",
        "[testenv]\ndeps =\n  a\n  -rreq.txt\n  {env:X}\n"
        "[testenv:docs]\ndeps = b\n",
        " a "},
    {"setup.cfg", "[metadata]\nname = x\n", " "},
};

START_TEST(requirements)
	{
		const struct requirement_row *row = &requirement_rows[_i];
		struct gs_strv found = {0};
		gs_env_requirements(row->file, gs_str(row->text), &found);
		char *text = joined(&found);
		ck_assert_str_eq(text, row->told);
		free(text);
		gs_strv_release(&found);
	}

END_TEST

START_TEST(packages)
	{
		char *name = gs_env_package_of("PIL.Image");
		ck_assert_str_eq(name, "python3-pil");
		free(name);
		ck_assert_ptr_null(gs_env_package_of("--help"));
		ck_assert_ptr_null(gs_env_package_of("no_such_module_at_all"));
	}

END_TEST

GS_TESTS(run_policy, GS_TEST_ROWS(policy_always, always),
    GS_TEST(policy_options), GS_TEST(environment), GS_TEST(shim_names),
    GS_TEST_ROWS(requirements, requirement_rows), GS_TEST(packages))

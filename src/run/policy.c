/* SPDX-License-Identifier: Apache-2.0 */
#include "run/policy.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"

void gs_policy_environment(const struct gs_policy_env *env, struct gs_strv *ret)
{
	const char *slash = strrchr(env->python, '/');
	int folder = slash ? (int)(slash - env->python) : 0;
	gs_strv_pushf(
	    ret, "PATH=%.*s:/usr/local/bin:/usr/bin:/bin", folder, env->python);
	gs_strv_pushf(ret, "HOME=%s", env->home);
	gs_strv_pushf(ret, "TMPDIR=%s", env->tmp);
	gs_strv_push_all(ret, "TZ=UTC", "LANG=C.UTF-8", "LC_ALL=C.UTF-8",
	    "USER=user", "LOGNAME=user", "PYTHONDONTWRITEBYTECODE=1",
	    "PYTEST_DISABLE_PLUGIN_AUTOLOAD=1", NULL);
	gs_strv_pushf(ret, "PYTHONHASHSEED=%" PRIu32, env->hash_seed);
	if (env->faketime && env->clock_ahead_s != 0) {
		gs_strv_pushf(ret, "LD_PRELOAD=%s", env->faketime);
		gs_strv_pushf(
		    ret, "FAKETIME=%+" PRId64 "s", env->clock_ahead_s);
		/* Timeouts and sleeps must stay true; and were files' times
		 * moved, every cached bytecode of the standard library would
		 * seem stale. Nor is its remedy for monotonic waits wanted,
		 * which makes every wait for the interpreter's lock sixteen
		 * times as long. */
		gs_strv_push_all(ret, "FAKETIME_DONT_FAKE_MONOTONIC=1",
		    "DONT_FAKE_MONOTONIC=1", "FAKETIME_FORCE_MONOTONIC_FIX=0",
		    "NO_FAKE_STAT=1", NULL);
	}
	for (size_t i = 0; env->extra && env->extra[i]; i++)
		gs_strv_push(ret, env->extra[i]);
}

static void push_environment(
    const struct gs_policy *policy, struct gs_strv *ret)
{
	gs_strv_push(ret, "--clearenv");
	for (const char *const *entry = policy->environment; *entry; entry++) {
		const char *equals = strchr(*entry, '=');
		if (!equals)
			continue;
		gs_strv_push(ret, "--setenv");
		gs_strv_push_str(
		    ret, gs_str_n(*entry, (size_t)(equals - *entry)));
		gs_strv_push(ret, equals + 1);
	}
}

static void push_etc(const struct gs_policy *policy, struct gs_strv *ret)
{
	static const char *const own[] = {
	    "passwd", "group", "hosts", "nsswitch.conf"};
	for (size_t i = 0; i < GS_COUNT(own); i++) {
		gs_strv_push(ret, "--ro-bind");
		gs_strv_pushf(ret, "%s/%s", policy->etc, own[i]);
		gs_strv_pushf(ret, "/etc/%s", own[i]);
	}
	gs_strv_push_all(ret, "--symlink", "/usr/share/zoneinfo/UTC",
	    "/etc/localtime", NULL);
}

static void push_mounts(const struct gs_policy *policy, struct gs_strv *ret)
{
	gs_strv_push_all(ret, "--ro-bind", "/usr", "/usr", NULL);
	for (size_t i = 0; i < policy->box->root_options.n; i++)
		gs_strv_push(ret, policy->box->root_options.v[i]);
	push_etc(policy, ret);
	gs_strv_push_all(ret, "--proc", "/proc", "--dev", "/dev", "--bind",
	    policy->shm, "/dev/shm", "--remount-ro", "/dev", NULL);
	gs_strv_push_all(ret, "--bind", policy->tmp, GS_BOX_TMP, "--bind",
	    policy->home, GS_BOX_HOME, NULL);
	for (size_t i = 0; policy->binds && i + 1 < policy->binds->n; i += 2)
		gs_strv_push_all(ret, "--ro-bind", policy->binds->v[i],
		    policy->binds->v[i + 1], NULL);
	gs_strv_push_all(ret, policy->kit_writable ? "--bind" : "--ro-bind",
	    policy->kit, GS_BOX_KIT, NULL);
	if (policy->dist)
		gs_strv_push_all(
		    ret, "--ro-bind", policy->dist, GS_BOX_DIST, NULL);
	if (policy->cache)
		gs_strv_push_all(
		    ret, "--ro-bind", policy->cache, GS_BOX_CACHE, NULL);
	gs_strv_push_all(ret, "--bind", policy->tree, GS_BOX_TREE,
	    "--remount-ro", "/", NULL);
}

void gs_policy_argv(const struct gs_policy *policy, struct gs_strv *ret)
{
	gs_strv_push(ret, policy->box->bwrap);
	gs_strv_push_all(ret, "--unshare-all", "--unshare-user",
	    "--disable-userns", "--die-with-parent", "--new-session",
	    "--cap-drop", "ALL", "--hostname", "goldset", NULL);
	if (policy->as_init)
		gs_strv_push(ret, "--as-pid-1");
	gs_strv_push(ret, "--uid");
	gs_strv_pushf(ret, "%d", GS_BOX_UID);
	gs_strv_push(ret, "--gid");
	gs_strv_pushf(ret, "%d", GS_BOX_UID);
	push_environment(policy, ret);
	push_mounts(policy, ret);
	gs_strv_push(ret, "--chdir");
	gs_strv_push(ret, GS_BOX_TREE);
	gs_strv_push(ret, "--json-status-fd");
	gs_strv_pushf(ret, "%d", GS_BOX_FD_STATUS);
	if (policy->can_block) {
		gs_strv_push(ret, "--block-fd");
		gs_strv_pushf(ret, "%d", GS_BOX_FD_BLOCK);
	}
	if (policy->box->has_seccomp) {
		gs_strv_push(ret, "--seccomp");
		gs_strv_pushf(ret, "%d", GS_BOX_FD_SECCOMP);
	}
	gs_strv_push(ret, "--");
}

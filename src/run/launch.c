/* SPDX-License-Identifier: Apache-2.0 */
#include "run/launch.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "run/policy.h"
#include "run/shim.h"

const char *gs_launch_seen(
    const struct gs_slot *slot, const char *host, const char *inside)
{
	return slot->box->is_unsafe ? host : inside;
}

void gs_launch_release(struct gs_launch *launch)
{
	gs_strv_release(&launch->environment);
	gs_strv_release(&launch->binds);
	gs_strv_release(&launch->argv);
	free(launch->kit);
}

int gs_launch_binds(struct gs_launch *launch, struct gs_err *err)
{
	const struct gs_strv *folders = &launch->spec->env->binds;
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < folders->n; i++)
		if (!launch->slot->box->is_unsafe)
			rc = gs_slot_bind(
			    launch->slot, folders->v[i], &launch->binds, err);
	return rc;
}

void gs_launch_argv(struct gs_launch *launch, unsigned flags)
{
	const struct gs_slot *slot = launch->slot;
	const struct gs_run_spec *spec = launch->spec;
	const struct gs_policy_env env = {
	    .python = spec->env->python,
	    .home = gs_launch_seen(slot, slot->home, GS_BOX_HOME),
	    .tmp = gs_launch_seen(slot, slot->tmp, GS_BOX_TMP),
	    .hash_seed = spec->hash_seed,
	    .faketime = spec->env->faketime,
	    .clock_ahead_s = spec->clock_ahead_s,
	    .extra = spec->extra_env,
	};
	gs_policy_environment(&env, &launch->environment);
	const struct gs_policy policy = {
	    .box = slot->box,
	    .tree = slot->tree,
	    .home = slot->home,
	    .tmp = slot->tmp,
	    .shm = slot->shm,
	    .kit = launch->kit,
	    .etc = slot->etc,
	    .dist = spec->dist_name ? slot->dist : NULL,
	    .cache = spec->code,
	    .kit_writable = flags & GS_LAUNCH_KIT_WRITABLE,
	    .binds = &launch->binds,
	    .python = spec->env->python,
	    .environment = (const char *const *)launch->environment.v,
	    .can_block = flags & GS_LAUNCH_BLOCKED,
	    .as_init = flags & GS_LAUNCH_AS_INIT,
	};
	if (!slot->box->is_unsafe)
		gs_policy_argv(&policy, &launch->argv);
	gs_strv_push(&launch->argv, spec->env->python);
}

char *const *gs_launch_envp(const struct gs_launch *launch)
{
	return launch->slot->box->is_unsafe ? gs_strv_argv(&launch->environment)
	                                    : gs_box_environment;
}

int gs_launch_distribution(const struct gs_launch *launch, struct gs_err *err)
{
	const struct gs_run_spec *spec = launch->spec;
	if (!(spec->shims & GS_SHIM_DISTRIBUTION) || !spec->dist_name)
		return 0;
	return gs_shim_write_distribution(
	    launch->slot->dist, spec->dist_name, spec->dist_version, err);
}

/* ---- the request ---- */

static void put_list(
    struct gs_json *json, const char *key, const struct gs_strv *list)
{
	static const struct gs_strv none;
	gs_json_put_strv(json, key, list ? list : &none);
}

void gs_launch_shims(struct gs_json *json, const struct gs_run_spec *spec)
{
	GS_CLEANUP(gs_freep) char *names = gs_shim_names(spec->shims);
	struct gs_str rest = gs_str(names), name;
	gs_json_key(json, "shims");
	gs_json_begin_array(json);
	while (gs_str_cut(&rest, ',', &name))
		if (spec->dist_name || !gs_str_is(name, "distribution"))
			gs_json_string(json, name);
	gs_json_end_array(json);
	if (spec->dist_name)
		gs_json_put_cstr(json, "dist_name", spec->dist_name);
}

/* Only what control groups do not hold already. */
static void put_limits(struct gs_json *json, const struct gs_slot *slot)
{
	bool held = slot->cgroup.memory != NULL;
	gs_json_key(json, "limits");
	gs_json_begin_object(json);
	if (!held) {
		gs_json_put_int(json, "AS", (int64_t)slot->limits.memory_bytes);
		gs_json_put_int(json, "NPROC", slot->limits.processes);
	}
	gs_json_end_object(json);
}

void gs_launch_request(const struct gs_launch *launch, const char *token,
    bool is_warm, struct gs_buf *ret)
{
	const struct gs_run_spec *spec = launch->spec;
	const struct gs_slot *slot = launch->slot;
	struct gs_json json = {.out = ret};
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "token", token);
	gs_json_put_cstr(
	    &json, "tree", gs_launch_seen(slot, slot->tree, GS_BOX_TREE));
	put_list(&json, "roots", spec->import_roots);
	put_list(&json, "files", spec->files);
	put_list(&json, "ids", spec->ids);
	put_list(&json, "tests", spec->tests);
	put_list(&json, "skip", spec->skip);
	put_list(&json, "probe", spec->probe);
	put_list(&json, "options", spec->options);
	put_list(&json, "guarded", spec->guarded);
	put_list(&json, "plugins", &spec->env->plugins);
	gs_launch_shims(&json, spec);
	gs_json_put_cstr(&json, "dist_folder",
	    gs_launch_seen(slot, slot->dist, GS_BOX_DIST));
	gs_json_put_bool(&json, "stop", spec->stop_at_first_failure);
	gs_json_put_bool(&json, "tell_loaded", is_warm);
	if (spec->code && !slot->box->is_unsafe)
		gs_json_put_cstr(&json, "cache", GS_BOX_CACHE);
	put_limits(&json, slot);
	gs_json_end_object(&json);
}

int gs_launch_token(char out[33], struct gs_err *err)
{
	unsigned char bytes[16];
	/* A token that can be guessed would let a test speak for us. */
	if (getentropy(bytes, sizeof(bytes)) < 0)
		return gs_fail_sys(err, "draw a run's token");
	gs_hex(bytes, sizeof(bytes), out);
	return 0;
}

/* ---- the end ---- */

static void keep_log(const struct gs_capture *printed, struct gs_run *ret)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf raw = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	gs_capture_text(printed, &raw);
	gs_sha256_hex(gs_buf_str(&raw), ret->log_sha256);
	gs_utf8_repair(&text, gs_buf_str(&raw));
	ret->log = gs_buf_steal(&text);
}

void gs_launch_forget_hits(struct gs_slot *slot)
{
	bool memory, processes;
	gs_cgroup_hits(&slot->cgroup, &memory, &processes);
}

void gs_launch_end(struct gs_slot *slot, struct gs_events *events,
    const struct gs_capture *printed, struct gs_run_ending *ending,
    struct gs_run *ret)
{
	gs_cgroup_hits(
	    &slot->cgroup, &ending->memory_hit, &ending->processes_hit);
	if (!slot->cgroup.memory) {
		ending->memory_hit = events->no_memory;
		ending->processes_hit = events->no_process;
	}
	ending->disk_hit |= gs_slot_free(slot) < GS_DISK_LOW;
	keep_log(printed, ret);
	ending->printed = gs_str(ret->log);
	gs_events_end(events, ending);
}

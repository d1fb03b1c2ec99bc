/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/kept.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/vec.h"
#include "os/file.h"

static void add(struct gs_sha256 *sha, struct gs_str part)
{
	/* Each part with its length: no two lists of parts are one text. */
	GS_CLEANUP(gs_freep) char *head = gs_format("%zu:", part.n);
	gs_sha256_add(sha, gs_str(head));
	gs_sha256_add(sha, part);
}

static void add_list(struct gs_sha256 *sha, const struct gs_strv *list)
{
	GS_CLEANUP(gs_freep) char *head = gs_format("[%zu]", list->n);
	add(sha, gs_str(head));
	for (size_t i = 0; i < list->n; i++)
		add(sha, gs_str(list->v[i]));
}

void gs_kept_key(
    const struct gs_try *attempt, int timeout_ms, char ret[GS_SHA256_HEX])
{
	const struct gs_task *task = attempt->task;
	const struct gs_evidence *evidence = &task->evidence;
	struct gs_sha256 sha;
	GS_CLEANUP(gs_freep)
	char *how = gs_format("goldset scoring %d, at_end %d, places %" PRIx64
	                      ", timeout %d, span %lld %lld",
	    GS_SCORING_RULES, attempt->at_end, attempt->places, timeout_ms,
	    (long long)evidence->unit_start, (long long)evidence->unit_end);
	gs_sha256_init(&sha);
	add(&sha, gs_str(how));
	add(&sha, gs_str(task->record.id));
	add(&sha, gs_str(task->record.commit));
	add(&sha, gs_str(evidence->tree_before));
	add(&sha, gs_str(evidence->source_path));
	add(&sha, gs_str(evidence->shims));
	add(&sha, gs_str(task->pytest_option));
	add_list(&sha, &task->record.fail_to_pass);
	add_list(&sha, &evidence->pass_to_pass);
	add_list(&sha, &evidence->test_files);
	add_list(&sha, &evidence->import_roots);
	add(&sha, gs_str(attempt->env->id));
	add(&sha, attempt->text);
	gs_sha256_end_hex(&sha, ret);
}

static char *path_of(const char *dir, const char *key)
{
	return gs_format("%s/%.2s/%s.json", dir, key, key);
}

static void write_canaries(
    const struct gs_canaries *canaries, struct gs_json *json)
{
	gs_json_key(json, "canaries");
	gs_json_begin_array(json);
	for (size_t i = 0; i < canaries->n; i++) {
		gs_json_begin_object(json);
		gs_json_put_int(json, "kind", canaries->v[i].kind);
		gs_json_put_cstr(json, "id", canaries->v[i].id);
		gs_json_put_cstr(json, "role", canaries->v[i].role);
		gs_json_end_object(json);
	}
	gs_json_end_array(json);
}

int gs_kept_write(const char *dir, const char *key,
    const struct gs_trial *trial, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	GS_CLEANUP(gs_freep) char *path = path_of(dir, key);
	GS_CLEANUP(gs_freep) char *folder = gs_format("%s/%.2s", dir, key);
	struct gs_json json = {.out = &text};
	gs_json_begin_object(&json);
	gs_json_put_int(&json, "rules", GS_SCORING_RULES);
	gs_json_put_bool(&json, "at_end", trial->at_end);
	gs_json_put_strv(&json, "touched", &trial->touched);
	write_canaries(&trial->canaries, &json);
	gs_json_key(&json, "run");
	gs_run_write(&trial->run, &json);
	gs_json_end_object(&json);
	gs_buf_addc(&text, '\n');
	int rc = gs_dir_make(folder, 0755, err);
	return rc ? rc : gs_file_write(path, gs_buf_str(&text), 0644, err);
}

static bool read_canaries(const json_t *list, struct gs_canaries *ret)
{
	size_t i;
	json_t *one;
	json_array_foreach(list, i, one)
	{
		const char *id = gs_json_get_cstr(one, "id");
		const char *role = gs_json_get_cstr(one, "role");
		int64_t kind = gs_json_get_int(one, "kind", -1);
		if (!id || !role || kind < 0 || kind > GS_CANARY_MUTANT)
			return false;
		struct gs_canary *canary = GS_VEC_ADD(ret);
		canary->kind = (enum gs_canary_kind)kind;
		canary->id = gs_strdup(id);
		canary->role = gs_strdup(role);
	}
	return true;
}

int gs_kept_read(
    const char *dir, const char *key, struct gs_trial *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_freep) char *path = path_of(dir, key);
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	struct gs_trial trial = {0};
	int rc = gs_file_read(path, 2 * GS_MAX_JSON_LINE, &text, err);
	if (rc == GS_E_NOT_FOUND || rc == GS_E_LIMIT) {
		*err = (struct gs_err){0};
		return 0;
	}
	if (rc)
		return rc;
	GS_CLEANUP(gs_json_free)
	json_t *object = gs_json_parse(gs_buf_str(&text), path, NULL);
	trial.at_end = gs_json_get_bool(object, "at_end", false);
	gs_json_get_strv(object, "touched", &trial.touched);
	if (!object ||
	    gs_json_get_int(object, "rules", 0) != GS_SCORING_RULES ||
	    !read_canaries(
	        json_object_get(object, "canaries"), &trial.canaries) ||
	    gs_run_parse(json_object_get(object, "run"), &trial.run, NULL)) {
		gs_trial_release(&trial);
		return 0;
	}
	*ret = trial;
	return 1;
}

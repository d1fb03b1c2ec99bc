/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/prompt.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/vec.h"

static bool put_value(const struct gs_task *task, struct gs_str name,
    struct gs_str source, struct gs_buf *ret)
{
	const struct gs_record *record = &task->record;
	bool is_function = gs_task_is_function(task);

	const struct {
		const char *name, *value;
	} plain[] = {
	    {"repo", record->repo},
	    {"module", record->module},
	    {"unit", record->unit},
	    {"path", task->evidence.source_path},
	    {"granularity", record->granularity},
	    {"spec", record->spec},
	    {"whole", is_function ? "function" : "file"},
	};

	for (size_t i = 0; i < GS_COUNT(plain); i++)
		if (gs_str_is(name, plain[i].name)) {
			gs_buf_addz(ret, plain[i].value);
			return true;
		}
	if (gs_str_is(name, "source"))
		gs_buf_adds(ret, source);
	else if (gs_str_is(name, "what") && is_function)
		gs_buf_addf(ret, "the function `%s`", record->unit);
	else if (gs_str_is(name, "what"))
		gs_buf_addz(ret, "a file");
	else
		return false;
	return true;
}

int gs_prompt_fill(const struct gs_task *task, struct gs_str template,
    struct gs_str source, struct gs_buf *ret, struct gs_err *err)
{
	for (;;) {
		ptrdiff_t open = gs_str_find(template, GS_STR("{{"));
		ptrdiff_t close =
		    open < 0 ? -1 : gs_str_find(template, GS_STR("}}"));
		if (open < 0 || close < open) {
			gs_buf_adds(ret, template);
			return 0;
		}
		struct gs_str name =
		    gs_str_sub(template, (size_t)open + 2, (size_t)close);
		gs_buf_adds(ret, gs_str_sub(template, 0, (size_t)open));
		if (!put_value(task, name, source, ret))
			return gs_fail(err, GS_E_USAGE,
			    "the template asks for {{%.*s}}, which there is "
			    "not",
			    name.n < 100 ? (int)name.n : 100, name.p);
		template = gs_str_from(template, (size_t)close + 2);
	}
}

bool gs_detect_is_buggy(const struct gs_task *task, int item)
{
	struct gs_sha256 sha;
	unsigned char out[GS_SHA256_SIZE];
	gs_sha256_init(&sha);
	gs_sha256_add(&sha, GS_STR("goldset detect\n"));
	gs_sha256_add(&sha, gs_str(task->record.id));
	gs_sha256_end(&sha, out);
	return (out[0] & 1) + 1 == item;
}

/* A prompt of detect, with what it is sorted by. */
struct item {
	char key[GS_SHA256_HEX];
	const struct gs_task *task;
	int number;
};

static int by_key(const void *a, const void *b)
{
	const struct item *x = a, *y = b;
	return strcmp(x->key, y->key);
}

/* One line of the output: whose, for what, and the prompt. */
struct line {
	const char *id, *kind;
};

static int write_one(const struct gs_task *task, struct line line,
    struct gs_str template, const char *source, struct gs_buf *ret,
    struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf prompt = {0};
	struct gs_json json = {.out = ret};
	int rc = gs_prompt_fill(task, template, gs_str(source), &prompt, err);
	if (rc)
		return rc;
	gs_json_begin_object(&json);
	gs_json_put_cstr(&json, "id", line.id);
	gs_json_put_cstr(&json, "task", line.kind);
	gs_json_put_str(&json, "prompt", gs_buf_str(&prompt));
	gs_json_end_object(&json);
	gs_buf_addc(ret, '\n');
	return 0;
}

static int write_detect(const struct gs_tasks *tasks, struct gs_str template,
    struct gs_buf *ret, struct gs_err *err)
{
	struct {
		struct item *v;
		size_t n, cap;
	} items = {0};

	int rc = 0;
	for (size_t i = 0; i < tasks->n; i++)
		for (int number = 1; number <= 2; number++) {
			struct item *item = GS_VEC_ADD(&items);
			item->task = &tasks->v[i];
			item->number = number;
			GS_CLEANUP(gs_freep)
			char *id = gs_format(
			    "order %s#%d", tasks->v[i].record.id, number);
			gs_sha256_hex(gs_str(id), item->key);
		}
	GS_VEC_SORT(&items, by_key);
	for (size_t i = 0; rc == 0 && i < items.n; i++) {
		const struct gs_task *task = items.v[i].task;
		GS_CLEANUP(gs_freep)
		char *id =
		    gs_format("%s#%d", task->record.id, items.v[i].number);
		rc = write_one(task, (struct line){id, "detect"}, template,
		    gs_detect_is_buggy(task, items.v[i].number)
		        ? task->record.source_before
		        : task->record.source_after,
		    ret, err);
	}
	GS_VEC_FREE(&items);
	return rc;
}

int gs_prompts_write(const struct gs_tasks *tasks, bool detect,
    struct gs_str template, struct gs_buf *ret, struct gs_err *err)
{
	int rc = 0;
	if (template.n == 0)
		template =
		    gs_str(detect ? gs_text_detect_tmpl : gs_text_repair_tmpl);
	if (detect)
		return write_detect(tasks, template, ret, err);
	for (size_t i = 0; rc == 0 && i < tasks->n; i++)
		rc = write_one(&tasks->v[i],
		    (struct line){tasks->v[i].record.id, "repair"}, template,
		    tasks->v[i].record.source_before, ret, err);
	return rc;
}

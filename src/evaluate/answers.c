/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/answers.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "base/vec.h"

/* Sentences that one error holds; the rest is counted. */
#define MAX_TOLD 4

struct reader {
	const char *name;
	enum gs_answer_form form;
	const struct gs_tasks *tasks;
	struct gs_answers *ret;
	size_t line, n_wrong;
	struct gs_map seen;
	struct gs_buf told;
};

static void wrong(struct reader *reader, const char *fmt, ...) GS_PRINTF(2, 3);

static void wrong(struct reader *reader, const char *fmt, ...)
{
	va_list args;
	if (reader->n_wrong++ >= MAX_TOLD)
		return;
	va_start(args, fmt);
	gs_buf_addf(&reader->told, "%s%s:%zu: ", reader->told.n ? "; " : "",
	    reader->name, reader->line);
	gs_buf_vaddf(&reader->told, fmt, args);
	va_end(args);
}

/* What kind of value stands where text is wanted. */
static const char *kind_of(const json_t *value)
{
	if (!value)
		return "missing";
	if (json_is_null(value))
		return "null (write \"\" for an answer that is empty)";
	if (json_is_array(value))
		return "a list";
	if (json_is_object(value))
		return "an object";
	return "no text";
}

static bool take_text(struct reader *reader, const json_t *object,
    const char *key, struct gs_str *ret)
{
	const json_t *value = json_object_get(object, key);
	if (!json_is_string(value)) {
		wrong(reader, "\"%s\" is %s", key, kind_of(value));
		return false;
	}
	*ret = gs_arena_str(&reader->ret->arena,
	    gs_str_n(json_string_value(value), json_string_length(value)));
	return true;
}

static bool take_answer(
    struct reader *reader, const json_t *object, struct gs_answer *ret)
{
	bool has_text = json_object_get(object, "answer") != NULL;
	bool has_patch = json_object_get(object, "model_patch") != NULL;
	if (has_text && has_patch) {
		wrong(reader, "\"answer\" and \"model_patch\" exclude each "
		              "other");
		return false;
	}
	if (!has_text && !has_patch) {
		wrong(reader,
		    "neither \"answer\" nor \"model_patch\" is there%s",
		    json_object_get(object, "patch")
		        ? " (\"patch\" is not read)"
		        : "");
		return false;
	}
	ret->is_patch = has_patch;
	return take_text(
	    reader, object, has_patch ? "model_patch" : "answer", &ret->text);
}

static bool take_label(
    struct reader *reader, const json_t *object, struct gs_answer *ret)
{
	const json_t *label = json_object_get(object, "label");
	const json_t *score = json_object_get(object, "score");
	const char *word = json_string_value(label);
	if (json_is_boolean(label))
		ret->says_buggy = json_is_true(label);
	else if (word && strcmp(word, "buggy") == 0)
		ret->says_buggy = true;
	else if (!word || strcmp(word, "clean") != 0) {
		wrong(reader, "\"label\" must be \"buggy\" or \"clean\"");
		return false;
	}
	if (!score || json_is_null(score))
		return true;
	if (!json_is_number(score)) {
		wrong(reader, "\"score\" is no number");
		return false;
	}
	ret->has_score = true;
	ret->score = json_number_value(score);
	return true;
}

/* "gs-0123456789abcdef", for detect with "#1" or "#2" behind it. */
static bool take_id(struct reader *reader, const json_t *object,
    struct gs_answer *ret, bool *ret_outside)
{
	const char *key = json_object_get(object, "id") ? "id" : "instance_id";
	struct gs_str id;
	if (!take_text(reader, object, key, &id))
		return false;
	if (reader->form == GS_ANSWERS_DETECT) {
		if (gs_str_ends(id, "#1") || gs_str_ends(id, "#2"))
			ret->item = id.p[id.n - 1] - '0';
		else {
			wrong(reader,
			    "%.*s names no text of a record: it "
			    "must end in #1 or #2",
			    GS_STR_ARG(id));
			return false;
		}
		id = gs_str_sub(id, 0, id.n - 2);
	}
	const struct gs_task *task = gs_task_find(reader->tasks, id);
	*ret_outside = !task && gs_map_has(&reader->tasks->outside, id);
	if (task)
		ret->task = (size_t)(task - reader->tasks->v);
	else if (!*ret_outside)
		wrong(reader, "there is no record %.*s in the release",
		    id.n < 100 ? (int)id.n : 100, id.p);
	return task || *ret_outside;
}

static void take_cost(const json_t *object, struct gs_answer *ret)
{
	const json_t *usage = json_object_get(object, "usage");
	ret->prompt_tokens = gs_json_get_int(usage, "prompt_tokens", -1);
	ret->completion_tokens =
	    gs_json_get_int(usage, "completion_tokens", -1);
	ret->cost = gs_json_get_real(object, "cost", -1);
	ret->elapsed_ms = gs_json_get_int(object, "elapsed_ms", -1);
}

static bool take_model(
    struct reader *reader, const json_t *object, struct gs_answer *ret)
{
	struct gs_str model = GS_STR("unnamed");
	if (json_object_get(object, "model_name_or_path") &&
	    !take_text(reader, object, "model_name_or_path", &model))
		return false;
	ret->model = gs_arena_cstr(&reader->ret->arena, model);
	const json_t *sample = json_object_get(object, "sample");
	ret->sample = json_integer_value(sample);
	if (sample && (!json_is_integer(sample) || ret->sample < 0 ||
	                  ret->sample >= GS_MAX_SAMPLES)) {
		wrong(reader, "\"sample\" must be a number from 0 to %d",
		    GS_MAX_SAMPLES - 1);
		return false;
	}
	return true;
}

static void take_line(struct reader *reader, struct gs_str line)
{
	struct gs_err bad = {0};
	struct gs_answer answer = {.line = reader->line};
	GS_CLEANUP(gs_json_free)
	json_t *object = gs_json_parse(line, "the line", &bad);
	bool is_outside = false;
	if (!object) {
		wrong(reader, "%s", bad.text);
		return;
	}
	if (!json_is_object(object)) {
		wrong(reader, "the line is no JSON object");
		return;
	}
	if (!take_id(reader, object, &answer, &is_outside) ||
	    !take_model(reader, object, &answer) ||
	    !(reader->form == GS_ANSWERS_DETECT
	            ? take_label(reader, object, &answer)
	            : take_answer(reader, object, &answer)) ||
	    is_outside)
		return;
	take_cost(object, &answer);
	GS_CLEANUP(gs_freep)
	char *key = gs_format("%s\n%zu#%d\n%lld", answer.model, answer.task,
	    answer.item, (long long)answer.sample);
	void **before = gs_map_at(&reader->seen, gs_str(key));
	if (*before) {
		wrong(reader,
		    "line %zu has sample %lld of the same record and model",
		    *(size_t *)*before, (long long)answer.sample);
		return;
	}
	size_t *line_number =
	    gs_arena_alloc(&reader->ret->arena, sizeof(*line_number));
	*line_number = reader->line;
	*before = line_number;
	if (!gs_strv_has(&reader->ret->models, answer.model))
		gs_strv_push(&reader->ret->models, answer.model);
	*GS_VEC_ADD(reader->ret) = answer;
}

static int by_place(const void *a, const void *b)
{
	const struct gs_answer *x = a, *y = b;
	int order = strcmp(x->model, y->model);
	if (order)
		return order;
	if (x->task != y->task)
		return x->task < y->task ? -1 : 1;
	if (x->sample != y->sample)
		return x->sample < y->sample ? -1 : 1;
	return (x->item > y->item) - (x->item < y->item);
}

int gs_answers_parse(struct gs_str text, const char *name,
    enum gs_answer_form form, const struct gs_tasks *tasks,
    struct gs_answers *ret, struct gs_err *err)
{
	struct reader reader = {
	    .name = name, .form = form, .tasks = tasks, .ret = ret};
	struct gs_str line;
	if (gs_str_starts(text, "\xef\xbb\xbf"))
		text = gs_str_from(text, 3);
	while (text.n && gs_str_cut(&text, '\n', &line)) {
		reader.line++;
		if (line.n > GS_MAX_JSON_LINE)
			wrong(&reader, "the line is over %zu MiB",
			    GS_MAX_JSON_LINE / GS_MIB);
		else if (gs_str_trim(line).n > 0)
			take_line(&reader, line);
	}
	int rc = 0;
	if (reader.n_wrong > MAX_TOLD)
		gs_buf_addf(
		    &reader.told, "; and %zu more", reader.n_wrong - MAX_TOLD);
	if (reader.n_wrong)
		rc = gs_fail(err, GS_E_USAGE, "%s", gs_buf_cstr(&reader.told));
	gs_buf_release(&reader.told);
	gs_map_release(&reader.seen);
	GS_VEC_SORT(ret, by_place);
	gs_strv_sort(&ret->models);
	return rc;
}

void gs_answers_release(struct gs_answers *answers)
{
	GS_VEC_FREE(answers);
	gs_strv_release(&answers->models);
	gs_arena_release(&answers->arena);
}

const char *gs_answer_empty_reason(const struct gs_answer *answer)
{
	if (gs_str_trim(answer->text).n == 0)
		return "the answer is empty";
	if (memchr(answer->text.p, 0, answer->text.n))
		return "the answer holds a NUL byte";
	if (answer->text.n > GS_MAX_PYTHON_FILE)
		return "the answer is over 1 MiB";
	return NULL;
}

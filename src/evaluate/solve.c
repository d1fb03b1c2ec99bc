/* SPDX-License-Identifier: Apache-2.0 */
#include "evaluate/solve.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/vec.h"
#include "evaluate/extract.h"
#include "evaluate/prompt.h"
#include "os/fd.h"
#include "os/file.h"

#define MAX_ANSWERS_FILE ((size_t)1 << 30)

/* One prompt to ask. */
struct question {
	size_t task;
	int item; /* of detect; 0 */
	int64_t sample;
};

struct solving {
	const struct gs_tasks *tasks;
	const struct gs_solve_options *options;
	struct gs_solve_result *ret;
	struct gs_map known;

	struct {
		struct question *v;
		size_t n, cap;
	} questions;

	size_t next;
};

/* ---- the file of answers ----------------------------------------------- */

static int cut_torn_line(
    const char *path, struct gs_str *text, struct gs_err *err)
{
	ptrdiff_t end = gs_str_rfind_char(*text, '\n');
	if ((size_t)(end + 1) == text->n)
		return 0;
	text->n = (size_t)(end + 1);
	if (truncate(path, (off_t)text->n) < 0)
		return gs_fail_sys(err, "shorten %s", path);
	return 0;
}

int gs_answers_known(
    const char *path, const char *model, struct gs_map *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf bytes = {0};
	if (!gs_path_exists(path))
		return 0;
	int rc = gs_file_read(path, MAX_ANSWERS_FILE, &bytes, err);
	struct gs_str text = gs_buf_str(&bytes), line;
	if (rc == 0)
		rc = cut_torn_line(path, &text, err);
	while (rc == 0 && text.n && gs_str_cut(&text, '\n', &line)) {
		GS_CLEANUP(gs_json_free)
		json_t *answer = gs_json_parse(line, path, NULL);
		const char *id = gs_json_get_cstr(answer, "id");
		const char *by = gs_json_get_cstr(answer, "model_name_or_path");
		if (!id || !by || strcmp(by, model) != 0)
			continue;
		GS_CLEANUP(gs_freep)
		char *key = gs_format("%s\n%lld", id,
		    (long long)gs_json_get_int(answer, "sample", 0));
		gs_map_add(ret, gs_str(key), NULL);
	}
	return rc;
}

int gs_answers_append(const char *path, struct gs_str line, struct gs_err *err)
{
	GS_CLEANUP(gs_closep)
	int fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return gs_fail_sys(err, "open %s", path);
	int rc = gs_fd_write(fd, line, err);
	if (rc == 0 && fdatasync(fd) < 0)
		return gs_fail_sys(err, "flush %s", path);
	return rc;
}

/* ---- questions --------------------------------------------------------- */

static char *id_of(const struct solving *solving, const struct question *q)
{
	const char *id = solving->tasks->v[q->task].record.id;
	return q->item ? gs_format("%s#%d", id, q->item) : gs_strdup(id);
}

static void add_question(
    struct solving *solving, size_t task, int item, int64_t sample)
{
	const struct question question = {task, item, sample};
	GS_CLEANUP(gs_freep) char *id = id_of(solving, &question);
	GS_CLEANUP(gs_freep)
	char *key = gs_format("%s\n%lld", id, (long long)sample);
	if (gs_map_has(&solving->known, gs_str(key)))
		solving->ret->known++;
	else
		*GS_VEC_ADD(&solving->questions) = question;
}

/* Sample after sample, so that a run that is ended early has one of each. */
static void find_questions(struct solving *solving)
{
	for (int64_t s = 0; s < solving->options->samples; s++)
		for (size_t t = 0; t < solving->tasks->n; t++) {
			if (!solving->options->detect) {
				add_question(solving, t, 0, s);
				continue;
			}
			add_question(solving, t, 1, s);
			add_question(solving, t, 2, s);
		}
}

static int next_question(
    void *ctx, struct gs_buf *prompt, int64_t *ret_tag, struct gs_err *err)
{
	struct solving *solving = ctx;
	if (solving->next >= solving->questions.n)
		return 0;
	const struct question *q = &solving->questions.v[solving->next];
	const struct gs_task *task = &solving->tasks->v[q->task];
	struct gs_str template = solving->options->template;
	if (template.n == 0)
		template =
		    gs_str(q->item ? gs_text_detect_tmpl : gs_text_repair_tmpl);
	bool shows_after = q->item && !gs_detect_is_buggy(task, q->item);
	*ret_tag = (int64_t)solving->next++;
	int rc = gs_prompt_fill(task, template,
	    gs_str(shows_after ? task->record.source_after
	                       : task->record.source_before),
	    prompt, err);
	return rc ? rc : 1;
}

/* ---- answers ----------------------------------------------------------- */

/* "buggy" or "clean", whichever is said first; a number on its own line. */
static void put_label(struct gs_str said, struct gs_json *json)
{
	ptrdiff_t buggy = gs_str_find(said, GS_STR("buggy"));
	if (buggy < 0)
		buggy = gs_str_find(said, GS_STR("Buggy"));
	ptrdiff_t clean = gs_str_find(said, GS_STR("clean"));
	if (clean < 0)
		clean = gs_str_find(said, GS_STR("Clean"));
	bool is_buggy = buggy >= 0 && (clean < 0 || buggy < clean);
	gs_json_put_cstr(json, "label", is_buggy ? "buggy" : "clean");
	struct gs_str line;
	while (said.n && gs_str_cut(&said, '\n', &line)) {
		GS_CLEANUP(gs_freep)
		char *text =
		    gs_strndup(gs_str_trim(line).p, gs_str_trim(line).n);
		char *end = NULL;
		double value = strtod(text, &end);
		if (*text && !*end && value >= 0 && value <= 1) {
			gs_json_key(json, "score");
			gs_json_real(json, value);
			return;
		}
	}
}

static double cost_of(
    const struct solving *solving, const struct gs_chat_reply *reply)
{
	if (reply->prompt_tokens < 0 || reply->completion_tokens < 0)
		return 0;
	return ((double)reply->prompt_tokens * solving->options->price_in +
	           (double)reply->completion_tokens *
	               solving->options->price_out) /
	       1e6;
}

static bool has_price(const struct solving *solving)
{
	return solving->options->price_in > 0 ||
	       solving->options->price_out > 0;
}

static void put_facts(const struct solving *solving, const struct question *q,
    const struct gs_chat_reply *reply, struct gs_json *json)
{
	GS_CLEANUP(gs_freep) char *id = id_of(solving, q);
	gs_json_put_cstr(json, "id", id);
	gs_json_put_cstr(
	    json, "model_name_or_path", solving->options->chat.model);
	gs_json_put_int(json, "sample", q->sample);
	gs_json_put_int(json, "elapsed_ms", reply->elapsed_ms);
	if (reply->prompt_tokens >= 0) {
		gs_json_key(json, "usage");
		gs_json_begin_object(json);
		gs_json_put_int(json, "prompt_tokens", reply->prompt_tokens);
		gs_json_put_int(
		    json, "completion_tokens", reply->completion_tokens);
		gs_json_end_object(json);
	}
	if (has_price(solving)) {
		gs_json_key(json, "cost");
		gs_json_real(json, cost_of(solving, reply));
	}
	if (reply->finish)
		gs_json_put_cstr(json, "finish_reason", reply->finish);
}

static int keep_answer(const struct solving *solving, const struct question *q,
    const struct gs_chat_reply *reply, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf line = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf code = {0};
	struct gs_json json = {.out = &line};
	gs_json_begin_object(&json);
	put_facts(solving, q, reply, &json);
	if (q->item) {
		put_label(reply->content, &json);
	} else {
		gs_extract_code(
		    &solving->tasks->v[q->task], reply->content, &code);
		gs_json_put_str(&json, "answer", gs_buf_str(&code));
	}
	gs_json_end_object(&json);
	gs_buf_addc(&line, '\n');
	return gs_answers_append(
	    solving->options->output, gs_buf_str(&line), err);
}

/* What was asked and came of it, with all that was said. */
static int keep_log(const struct solving *solving, const struct question *q,
    const struct gs_chat_reply *reply, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf line = {0};
	struct gs_json json = {.out = &line};
	if (!solving->options->log)
		return 0;
	gs_json_begin_object(&json);
	put_facts(solving, q, reply, &json);
	gs_json_put_int(&json, "status", reply->status);
	gs_json_put_int(&json, "tries", reply->tries);
	gs_json_put_cstr(&json, "failure", reply->failure);
	gs_json_put_str(&json, "said", reply->content);
	gs_json_end_object(&json);
	gs_buf_addc(&line, '\n');
	return gs_answers_append(solving->options->log, gs_buf_str(&line), err);
}

static int take_reply(
    void *ctx, const struct gs_chat_reply *reply, struct gs_err *err)
{
	struct solving *solving = ctx;
	struct gs_solve_result *ret = solving->ret;
	const struct question *q = &solving->questions.v[reply->tag];
	ret->asked++;
	if (reply->prompt_tokens >= 0) {
		ret->prompt_tokens += reply->prompt_tokens;
		ret->completion_tokens += reply->completion_tokens;
		ret->cost += cost_of(solving, reply);
	}
	int rc = keep_log(solving, q, reply, err);
	if (rc == 0 && !reply->failure)
		rc = keep_answer(solving, q, reply, err);
	if (reply->failure) {
		ret->failed++;
		(void)snprintf(ret->last_failure, sizeof(ret->last_failure),
		    "%s", reply->failure);
	} else {
		ret->answered++;
	}
	if (solving->options->progress)
		solving->options->progress(solving->options->ctx,
		    (size_t)ret->asked, solving->questions.n);
	return rc;
}

int gs_solve(const struct gs_tasks *tasks,
    const struct gs_solve_options *options, struct gs_solve_result *ret,
    struct gs_err *err)
{
	static const struct gs_chat_ops ops = {
	    .next = next_question, .done = take_reply};
	struct solving solving = {
	    .tasks = tasks, .options = options, .ret = ret};
	*ret = (struct gs_solve_result){0};
	int rc = gs_answers_known(
	    options->output, options->chat.model, &solving.known, err);
	if (rc == 0) {
		find_questions(&solving);
		if (solving.questions.n > 0)
			rc = gs_chat(&options->chat, &ops, &solving, err);
	}
	GS_VEC_FREE(&solving.questions);
	gs_map_release(&solving.known);
	return rc;
}

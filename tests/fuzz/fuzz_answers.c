/* SPDX-License-Identifier: Apache-2.0 */
/* Files of answers, of both tasks: what is refused says where, what is taken
 * names records that there are. */
#include <stdlib.h>
#include <string.h>

#include "base/vec.h"
#include "evaluate/answers.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void parse(
    struct gs_str text, enum gs_answer_form form, const struct gs_tasks *tasks)
{
	struct gs_answers answers = {0};
	struct gs_err err = {0};

	if (gs_answers_parse(text, "answers", form, tasks, &answers, &err)) {
		if (strncmp(err.text, "answers:", 8) != 0)
			abort();
		gs_answers_release(&answers);
		return;
	}
	for (size_t i = 0; i < answers.n; i++) {
		const struct gs_answer *answer = &answers.v[i];
		if (answer->task >= tasks->n || answer->sample < 0 ||
		    !gs_strv_has(&answers.models, answer->model))
			abort();
		(void)gs_answer_empty_reason(answer);
	}
	gs_answers_release(&answers);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static const char *const ids[] = {
	    "gs-0123456789abcdef", "gs-fedcba9876543210"};
	struct gs_str text = gs_str_n((const char *)data, size);
	struct gs_tasks tasks = {0};

	for (size_t i = 0; i < GS_COUNT(ids); i++) {
		struct gs_task *task = GS_VEC_ADD(&tasks);
		task->record.id = gs_strdup(ids[i]);
		*gs_map_at(&tasks.by_id, gs_str(ids[i])) = (void *)(i + 1);
	}
	gs_map_add(&tasks.outside, GS_STR("gs-0000000000000000"), NULL);
	parse(text, GS_ANSWERS_REPAIR, &tasks);
	parse(text, GS_ANSWERS_DETECT, &tasks);
	gs_tasks_release(&tasks);
	return 0;
}

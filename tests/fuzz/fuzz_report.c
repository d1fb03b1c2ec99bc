/* SPDX-License-Identifier: Apache-2.0 */
/* Reports that are compared, and their way into other systems' forms: each
 * pair of those that a file holds compares to numbers that are in bounds. */
#include <stdlib.h>

#include "base/vec.h"
#include "evaluate/compare.h"
#include "evaluate/export.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void compare(const struct gs_scored *a, const struct gs_scored *b)
{
	struct gs_comparison comparison;
	struct gs_buf out = {0};

	gs_compare(a, b, &comparison);
	if (!(comparison.p_value >= 0 && comparison.p_value <= 1) ||
	    comparison.both + comparison.neither +
	            (int64_t)comparison.only_a.n +
	            (int64_t)comparison.only_b.n !=
	        comparison.common)
		abort();
	gs_comparison_write(&comparison, &out);
	gs_comparison_release(&comparison);
	gs_buf_release(&out);
}

static void export(struct gs_str text)
{
	json_t *report = gs_json_parse(text, "the report", NULL);
	struct gs_tasks tasks = {.version = gs_strdup("1.0.0")};
	struct gs_task *task = GS_VEC_ADD(&tasks);
	struct gs_buf out = {0};

	task->record = (struct gs_record){
	    .id = gs_strdup("gs-0123456789abcdef"),
	    .repo = gs_strdup("acme/numbers"),
	    .commit = gs_strdup("0123456789012345678901234567890123456789"),
	    .source_before = gs_strdup("x"),
	    .source_after = gs_strdup("y"),
	    .granularity = gs_strdup("function"),
	    .unit = gs_strdup("half"),
	    .module = gs_strdup("halves"),
	    .spec = gs_strdup("half"),
	    .committed_at = gs_strdup("2020-01-01T00:00:00Z"),
	};
	task->evidence.source_path = gs_strdup("halves.py");
	gs_strv_push(&task->record.fail_to_pass, "t.py::a");
	*gs_map_at(&tasks.by_id, gs_str(task->record.id)) = (void *)1;
	gs_export_run_report(&tasks, report, &out);
	gs_export_inspect(&tasks, NULL, report, &out);
	gs_export_instance_report(
	    task, gs_report_result(report, task->record.id), &out);
	gs_tasks_release(&tasks);
	gs_buf_release(&out);
	gs_json_free(&report);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct gs_str text = gs_str_n((const char *)data, size);
	struct gs_scoreds scoreds = {0};
	struct gs_err err = {0};

	if (gs_scoreds_read(text, "reports", &scoreds, &err)) {
		if (err.text[0] == '\0')
			abort();
	} else {
		for (size_t i = 0; i + 1 < scoreds.n && i < 4; i++)
			compare(&scoreds.v[i], &scoreds.v[i + 1]);
	}
	gs_scoreds_release(&scoreds);
	export(text);
	return 0;
}

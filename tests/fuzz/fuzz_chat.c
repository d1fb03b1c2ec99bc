/* SPDX-License-Identifier: Apache-2.0 */
/* What a chat endpoint says: the status in the first three bytes, then the
 * body. A verdict always comes; what failed says why; the code in what was
 * said ends in a line feed. */
#include <stdlib.h>

#include "base/mem.h"
#include "evaluate/chat_reply.h"
#include "evaluate/extract.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void extract(struct gs_str said, const char *granularity)
{
	struct gs_task task = {0};
	struct gs_buf code = {0};

	task.record.granularity = gs_strdup(granularity);
	task.record.unit = gs_strdup("C.half");
	task.record.source_before =
	    gs_strdup("    def half(self):\n        return 1\n");
	gs_extract_code(&task, said, &code);
	if (code.n > 0 && code.p[code.n - 1] != '\n')
		abort();
	gs_buf_release(&code);
	gs_record_release(&task.record);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static const int statuses[] = {
	    200, 400, 401, 403, 404, 408, 409, 429, 500, 503, 0};
	struct gs_chat_outcome outcome = {0};
	struct gs_str body = gs_str_n((const char *)data, size);
	int status = size ? statuses[data[0] % GS_COUNT(statuses)] : 0;

	body = gs_str_from(body, size ? 1 : 0);
	gs_chat_read(status, status ? NULL : "it broke", body, &outcome);
	if (outcome.verdict != GS_CHAT_SAID && !outcome.failure)
		abort();
	extract(gs_buf_str(&outcome.content), "function");
	extract(gs_buf_str(&outcome.content), "file");
	gs_chat_outcome_release(&outcome);
	return 0;
}

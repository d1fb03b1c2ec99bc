/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "base/limits.h"
#include "os/proc.h"

static size_t keep(const struct gs_capture *capture)
{
	return capture->keep ? capture->keep : GS_MAX_OUTPUT_KEPT / 2;
}

/* Drops all but the last n bytes. */
static void keep_last(struct gs_buf *buf, size_t n)
{
	if (buf->n <= n)
		return;
	memmove(buf->p, buf->p + buf->n - n, n);
	gs_buf_cut(buf, n);
}

void gs_capture_add(struct gs_capture *capture, struct gs_str bytes)
{
	size_t max = keep(capture);
	struct gs_str head = gs_str_sub(bytes, 0, max - capture->head.n);
	struct gs_str rest = gs_str_from(bytes, head.n);

	capture->total += bytes.n;
	gs_buf_adds(&capture->head, head);
	if (rest.n > max)
		rest = gs_str_from(rest, rest.n - max);
	gs_buf_adds(&capture->tail, rest);
	/* Not at every call: moving costs as much as it keeps. */
	if (capture->tail.n > 4 * max)
		keep_last(&capture->tail, max);
}

void gs_capture_text(const struct gs_capture *capture, struct gs_buf *out)
{
	size_t max = keep(capture);
	struct gs_str tail = gs_buf_str(&capture->tail);

	if (tail.n > max)
		tail = gs_str_from(tail, tail.n - max);
	uint64_t left_out = capture->total - capture->head.n - tail.n;
	gs_buf_adds(out, gs_buf_str(&capture->head));
	if (left_out > 0)
		gs_buf_addf(out, "\n[... %llu bytes left out ...]\n",
		    (unsigned long long)left_out);
	gs_buf_adds(out, tail);
}

void gs_capture_release(struct gs_capture *capture)
{
	gs_buf_release(&capture->head);
	gs_buf_release(&capture->tail);
	*capture = (struct gs_capture){.keep = capture->keep};
}

/* SPDX-License-Identifier: Apache-2.0 */
/* packed-refs and a loose ref of a repository that is not ours: what we
 * write of it is read again, and to the same. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "git/refs.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_and_read(const struct gs_refs *refs)
{
	struct gs_refs again = {0};
	struct gs_buf one = {0}, two = {0};

	gs_refs_write_packed(refs, 40, &one);
	if (gs_refs_parse_packed(&again, gs_buf_str(&one), NULL) != 0)
		abort();
	gs_refs_write_packed(&again, 40, &two);
	if (!gs_str_eq(gs_buf_str(&one), gs_buf_str(&two)))
		abort();
	gs_buf_release(&one);
	gs_buf_release(&two);
	gs_refs_release(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gs_refs refs = {0};
	struct gs_str bytes = gs_str_n((const char *)data, size);

	if (gs_refs_parse_packed(&refs, bytes, NULL) == 0) {
		(void)gs_refs_parse_loose(
		    &refs, GS_STR("refs/heads/loose"), bytes);
		write_and_read(&refs);
	}
	gs_refs_release(&refs);
	return 0;
}

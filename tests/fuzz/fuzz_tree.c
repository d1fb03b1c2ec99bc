/* SPDX-License-Identifier: Apache-2.0 */
/* Tree objects (the first byte chooses the id size) and commit objects. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/limits.h"
#include "base/utf8.h"
#include "git/commit_text.h"
#include "git/tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gs_str bytes = gs_str_n((const char *)data, size);
	struct gs_commit_text text = {0};
	struct gs_tree_entry entry;
	size_t id_size = size > 0 && data[0] & 1 ? 20 : 32;

	if (gs_commit_text_parse(bytes, &text, NULL) == 0 &&
	    (!gs_utf8_valid(gs_buf_str(&text.message)) ||
	        text.message.n > GS_MAX_MESSAGE))
		abort();
	gs_commit_text_release(&text);
	while (gs_tree_next(&bytes, id_size, &entry, NULL) > 0)
		if (entry.name.n == 0 || gs_str_find_char(entry.name, '/') >= 0)
			abort();
	return 0;
}

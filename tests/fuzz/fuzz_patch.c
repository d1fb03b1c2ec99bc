/* SPDX-License-Identifier: Apache-2.0 */
/* A model's diff (E1): the file up to a line "===", then the diff. What does
 * not apply says why in UTF-8; what applies gives a text that our own diff of
 * the two reaches again. */
#include <stdlib.h>

#include "base/attr.h"
#include "base/utf8.h"
#include "evaluate/patch.h"
#include "model/diff.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void again(struct gs_str text, struct gs_str result)
{
	struct gs_diff diff = {0};
	struct gs_buf patch = {0}, back = {0}, why = {0};

	gs_diff(text, result, &diff);
	gs_diff_unified(&diff, "a/m.py", "b/m.py", &patch);
	if (diff.added + diff.removed > 0 &&
	    (!gs_patch_apply(
	         gs_buf_str(&patch), GS_STR("m.py"), text, &back, &why) ||
	        !gs_str_eq(gs_buf_str(&back), result)))
		abort();
	gs_diff_release(&diff);
	gs_buf_release(&patch);
	gs_buf_release(&back);
	gs_buf_release(&why);
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct gs_str all = gs_str_n((const char *)data, size);
	ptrdiff_t at = gs_str_find(all, GS_STR("\n===\n"));
	struct gs_str text =
	    at < 0 ? GS_STR("") : gs_str_sub(all, 0, (size_t)at + 1);
	struct gs_str patch = at < 0 ? all : gs_str_from(all, (size_t)at + 5);
	struct gs_buf result = {0}, why = {0};

	if (gs_patch_apply(patch, GS_STR("m.py"), text, &result, &why))
		again(text, gs_buf_str(&result));
	else if (why.n == 0 || !gs_utf8_valid(gs_buf_str(&why)))
		abort();
	gs_buf_release(&result);
	gs_buf_release(&why);
	return 0;
}

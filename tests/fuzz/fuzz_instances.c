/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of SWE-bench and test scripts of BugsInPy: what is taken has all of
 * its parts. */
#include <stdlib.h>

#include "mine/instances.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct gs_str text = gs_str_n((const char *)data, size);
	struct gs_foreigns foreigns = {0};
	struct gs_strv tests = {0};
	struct gs_err err = {0};

	if (gs_swebench_read(text, "rows", &foreigns, &err) &&
	    err.text[0] == '\0')
		abort();
	for (size_t i = 0; i < foreigns.n; i++) {
		const struct gs_foreign *one = &foreigns.v[i];
		if (!one->name || !one->repo || !one->base || !one->url)
			abort();
		for (size_t k = 0; k < one->blobs.n; k++)
			if (!one->blobs.v[k].path || !one->blobs.v[k].id)
				abort();
	}
	gs_foreigns_release(&foreigns);
	gs_bugsinpy_tests(text, &tests);
	gs_strv_release(&tests);
	return 0;
}

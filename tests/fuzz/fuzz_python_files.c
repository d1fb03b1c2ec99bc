/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration of strangers: patterns are text, few and short, and what
 * they name can be matched against any path (W4). */
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "model/paths.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	static const char *const names[] = {"pytest.ini", "pyproject.toml"};
	struct gs_str bytes = gs_str_n((const char *)data, size);

	for (size_t i = 0; i < GS_COUNT(names); i++) {
		struct gs_strv patterns = {0};
		gs_python_files(gs_str(names[i]), bytes, &patterns);
		if (patterns.n > 64)
			abort();
		for (size_t k = 0; k < patterns.n; k++)
			if (patterns.v[k][0] == '\0' ||
			    strlen(patterns.v[k]) > 256 ||
			    !gs_utf8_valid(gs_str(patterns.v[k])))
				abort();
		/* A pattern can only make more paths test-side. */
		struct gs_str path = gs_str_sub(bytes, 0, 200);
		if (gs_path_classify(path, NULL) == GS_PATH_TEST &&
		    gs_path_classify(path, &patterns) != GS_PATH_TEST)
			abort();
		if (gs_path_is_collected(path, &patterns) &&
		    gs_path_classify(path, &patterns) != GS_PATH_TEST)
			abort();
		gs_strv_release(&patterns);
	}
	return 0;
}

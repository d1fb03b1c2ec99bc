/* SPDX-License-Identifier: Apache-2.0 */
#include "os/file.h"
#include "run/env.h"

/* A version manager's python3 often stands first on PATH and has no pytest,
 * while the distribution's beside it has one. */
int gs_env_default(struct gs_env *ret, struct gs_err *err)
{
	static const char *const distribution = "/usr/bin/python3";
	struct gs_err first = {0};

	if (gs_env_system("python3", ret, &first) == 0)
		return 0;
	if (gs_path_exists(distribution) &&
	    gs_env_system(distribution, ret, NULL) == 0)
		return 0;
	if (err)
		*err = first;
	return first.code;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* What git log prints: any bytes, cut into tokens as walk.c cuts them. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "git/logstream.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const struct gs_commit *commit)
{
	for (size_t i = 0; i < commit->n_changes; i++)
		if (commit->changes[i].path.n == 0 ||
		    commit->changes[i].path.p[commit->changes[i].path.n] != 0)
			abort();
	if (commit->has_date && commit->committed_at < 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gs_logstream stream = {0};
	struct gs_str bytes = gs_str_n((const char *)data, size), token;
	int rc = 0;

	while (rc >= 0 && gs_str_cut(&bytes, '\0', &token))
		while ((rc = gs_logstream_token(&stream, token, NULL)) > 0)
			check(&stream.commit);
	if (rc >= 0 && gs_logstream_end(&stream, NULL) > 0)
		check(&stream.commit);
	gs_logstream_release(&stream);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* A fuzz target runs under libFuzzer (GV_FUZZ), or alone, replaying the files
 * that are named. */
#ifndef GV_FUZZ_H
#define GV_FUZZ_H

#include <stdint.h>

#include "util.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

#ifndef GV_FUZZER
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		struct gv_buf bytes = {0};

		if (!gv_read(argv[i], &bytes))
			gv_die("there is no file %s", argv[i]);
		LLVMFuzzerTestOneInput((const uint8_t *)bytes.s, bytes.n);
		gv_drop(&bytes);
	}
	return 0;
}
#endif

#endif

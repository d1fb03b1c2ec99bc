/* SPDX-License-Identifier: Apache-2.0 */
/* Our Python files, embedded in the binary, under the names that they have
 * in the box (names that no project uses). */
#ifndef RUN_KIT_H
#define RUN_KIT_H

#include <stddef.h>
#include <stdint.h>

struct gs_kit_file {
	const char *name;
	const char *text;
	const uint64_t *size;
};

extern const struct gs_kit_file gs_kit_files[];
extern const size_t gs_kit_n_files;

/* Looks at an interpreter from outside the box; JSON on stdout. */
extern const char gs_text_probe_py[];

#endif

/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a Python file: token equality is reflexive and symmetric, a
 * comment line below changes nothing where the text is sound, and what
 * decodes comes back when it is encoded (W5, F061). */
#include <stdlib.h>

#include "py/source.h"

#define REQUIRE(condition)                                                     \
	do {                                                                   \
		if (!(condition))                                              \
			abort();                                               \
	} while (0)

static void check_encoding(struct gs_str bytes)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0}, back = {0};
	GS_CLEANUP(gs_buf_release) struct gs_buf again = {0};
	if (gs_source_decode(bytes, &text, NULL) != 0)
		return;
	if (gs_source_encode(gs_buf_str(&text), bytes, &back, NULL) != 0)
		return; /* an encoding may have two ways to say one thing */
	if (gs_source_decode(gs_buf_str(&back), &again, NULL) == 0)
		REQUIRE(gs_str_eq(gs_buf_str(&again), gs_buf_str(&text)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct gs_str bytes = gs_str_n((const char *)data, size);
	ptrdiff_t cut = gs_str_find_char(bytes, '\x1d');
	struct gs_str first =
	    cut < 0 ? bytes : gs_str_sub(bytes, 0, (size_t)cut);
	struct gs_str second =
	    cut < 0 ? GS_STR("") : gs_str_from(bytes, (size_t)cut + 1);
	REQUIRE(gs_source_same_tokens(first, first));
	REQUIRE(gs_source_same_tokens(first, second) ==
	        gs_source_same_tokens(second, first));
	(void)gs_source_is_generated(first);
	check_encoding(first);
	return 0;
}

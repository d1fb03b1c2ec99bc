/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as source, commit message and licence. */
#include <string.h>

#include "fuzz.h"
#include "licence.h"
#include "text.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct gv_buf text = {0}, once = {0}, fixed = {0}, spec = {0};
	const char *s;

	if (n > 20000) /* a difference of long texts takes its time */
		return 0;
	gv_put(&text, bytes, n);
	s = gv_text(&text);
	gv_normalise(s, n, &once);
	if (once.n && once.s[once.n - 1] != '\n')
		__builtin_trap();
	if (gv_diff_lines(s, n, s, n) != 0 || gv_diff_lines(s, n / 2, s, n) < 0)
		__builtin_trap();
	gv_repair_utf8(s, n, &fixed);
	if (!gv_is_utf8(gv_text(&fixed), fixed.n))
		__builtin_trap();
	(void)gv_holds_unit(s, n, &once);
	gv_message_spec(&fixed, &spec);
	spec.n = 0;
	gv_subject(&fixed, &spec);
	if (memchr(gv_text(&spec), '\n', spec.n))
		__builtin_trap();
	(void)gv_licence_of(&text);
	(void)gv_is_date(s);
	gv_drop(&text);
	gv_drop(&once);
	gv_drop(&fixed);
	gv_drop(&spec);
	return 0;
}

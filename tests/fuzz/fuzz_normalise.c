/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What holds of I1 for all bytes: the result is empty or ends in LF, has no
 * empty line, no line that ends in a blank, is no longer than the text but
 * for that one LF; empty lines and an indentation added to every line change
 * nothing. Done twice it gives the same again where the text holds no CR and
 * no byte order mark: "a CR CR LF" loses one CR each time, and a mark may
 * come to stand at the start.
 */
#include <stdlib.h>
#include <string.h>

#include "model/identity.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void expect(bool holds)
{
	if (!holds)
		abort();
}

static void check_lines(struct gs_str normal)
{
	struct gs_str line;
	expect(normal.n == 0 || normal.p[normal.n - 1] == '\n');
	while (gs_str_cut(&normal, '\n', &line)) {
		expect(line.n > 0);
		expect(line.p[line.n - 1] != ' ' && line.p[line.n - 1] != '\t');
	}
}

static void indent_all(struct gs_str text, struct gs_buf *ret)
{
	struct gs_str line;
	while (gs_str_cut(&text, '\n', &line)) {
		gs_buf_addz(ret, " \t");
		gs_buf_adds(ret, line);
		gs_buf_addz(ret, "\n \n");
	}
}

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
	struct gs_str text = gs_str_n((const char *)data, size);
	struct gs_buf once = {0}, twice = {0}, other = {0};
	char hex[GS_SHA256_HEX];

	gs_normalise(text, &once);
	check_lines(gs_buf_str(&once));
	expect(once.n <= text.n + 1);
	if (gs_str_find_char(text, '\r') < 0 &&
	    !gs_str_contains(text, GS_STR("\xEF\xBB\xBF"))) {
		gs_normalise(gs_buf_str(&once), &twice);
		expect(gs_str_eq(gs_buf_str(&once), gs_buf_str(&twice)));
		gs_buf_reset(&twice);
		indent_all(text, &other);
		gs_normalise(gs_buf_str(&other), &twice);
		expect(gs_str_eq(gs_buf_str(&once), gs_buf_str(&twice)));
	}
	gs_fingerprint(text, gs_buf_str(&once), hex);
	expect(strlen(hex) == GS_SHA256_HEX - 1);
	gs_buf_release(&once);
	gs_buf_release(&twice);
	gs_buf_release(&other);
	return 0;
}

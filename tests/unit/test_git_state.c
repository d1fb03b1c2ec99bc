/* SPDX-License-Identifier: Apache-2.0 */
/* S1, S3: the before state as a listing, whatever is in whose way. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "git/state.h"
#include "gs_test.h"

/* "path path …"; every entry of one side has that side's letter for a blob. */
static void fill(struct gs_listing *ret, const char *paths, char letter)
{
	struct gs_str rest = gs_str(paths), path;
	while (gs_str_cut(&rest, ' ', &path)) {
		struct gs_entry entry = {.path = path, .mode = 0100644};
		memset(entry.id.hex, letter, 40);
		gs_listing_put(ret, &entry);
	}
}

static const struct row {
	const char *name, *parent, *commit, *before;
} rows[] = {
    {"tests and configuration from the commit", "a.py setup.cfg tests/old.py",
        "a.py b.py conftest.py setup.cfg tests/new.py",
        "a.py=p conftest.py=c setup.cfg=c tests/new.py=c"},
    {"between and behind", "b.py d.py z.py", "a_test.py c_test.py x_test.py",
        "a_test.py=c b.py=p c_test.py=c d.py=p x_test.py=c z.py=p"},
    {"a file gives way to a folder", "a.py pkg", "pkg/tests/x.py",
        "a.py=p pkg/tests/x.py=c"},
    {"a folder gives way to a file", "a.py x_test.py/b.txt x_test.py/c.txt",
        "x_test.py", "a.py=p x_test.py=c"},
    {"names that sort between a folder and its files", "pkg pkg-a pkg.py",
        "pkg/test_x.py pkg-a/tests/y",
        "pkg-a/tests/y=c pkg.py=p pkg/test_x.py=c"},
    {"no parent files at all", "", "tests/x.py", "tests/x.py=c"},
    {"no test files at all", "a.py tests/x.py", "a.py", "a.py=p"},
};

START_TEST(before)
	{
		const struct row *row = &rows[_i];
		struct gs_listing parent = {0}, commit = {0}, state = {0};
		struct gs_strv patterns = {0};
		struct gs_buf told = {0};
		fill(&parent, row->parent, 'a');
		fill(&commit, row->commit, 'c');
		gs_state_before(&parent, &commit, &patterns, &state);
		for (size_t i = 0; i < state.n; i++)
			gs_buf_addf(&told, "%s%.*s=%c", i ? " " : "",
			    GS_STR_ARG(state.v[i].path),
			    state.v[i].id.hex[0] == 'a' ? 'p' : 'c');
		ck_assert_str_eq(gs_buf_cstr(&told), row->before);
		gs_buf_release(&told);
		gs_listing_release(&parent);
		gs_listing_release(&commit);
		gs_listing_release(&state);
	}

END_TEST

GS_TESTS(git_state, GS_TEST_ROWS(before, rows))

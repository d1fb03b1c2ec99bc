/* SPDX-License-Identifier: Apache-2.0 */
/* V1: an environment other than the record's excuses what a run says. */
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "test.h"

struct row {
	const char *wanted, *have, *other; /* "": nothing differs */
};

static const struct row rows[] = {
    {"{\"a\":\"1\"}", "{\"a\":\"1\"}", ""},
    {"{\"a\":\"1\"}", "{\"a\":\"1.0\"}", "has a 1.0 instead of 1"},
    {"{\"a\":\"1\",\"b\":\"2\"}", "{\"b\":\"2\"}", "lacks a"},
    {"{\"a\":\"1\",\"b\":\"2\"}", "{\"b\":\"3\"}",
        "lacks a, has b 3 instead of 2"},
    {"{\"a\":\"1\"}", "{\"a\":null}", "has a without a version instead of 1"},
    /* too many: only what the tree imports */
    {"{\"a\":\"1\"}", "{\"a\":\"1\",\"Extra-One\":\"5\"}", "has Extra-One"},
    {"{\"a\":\"1\"}", "{\"a\":\"1\",\"named\":\"5\"}", ""},
    {"{\"a\":\"1\"}", "{\"a\":\"1\",\"extra\":\"5\"}", ""},
    /* evidence that names none says nothing */
    {"{}", "{\"Extra-One\":\"5\"}", ""},
};

int main(void)
{
	static const char source[] =
	    "try:\n    import extra_one\nexcept ImportError:\n    named = None\n";
	struct gv_entry entry = {
	    .path = gv_loose("pkg/m.py"), .mode = 0100644, .loaded = true};
	struct gv_tree tree = {&entry, 1};

	gv_puts(&entry.bytes, source);
	for (size_t i = 0; i < GV_COUNT(rows); i++) {
		json_t *wanted = json_loads(rows[i].wanted, 0, NULL);
		json_t *have = json_loads(rows[i].have, 0, NULL);
		char *other = gv_other(NULL, &tree, wanted, have);

		test(strcmp(other ? other : "", rows[i].other) == 0,
		    "V1 %s here, %s then: %s", rows[i].have, rows[i].wanted,
		    other ? other : "the same");
		free(other);
		json_decref(wanted);
		json_decref(have);
	}
	gv_drop(&entry.bytes);
	return test_end();
}

/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "base/attr.h"
#include "gs_test.h"
#include "py/classes.h"

/* The spans of a text as "class:word ", which is easy to read. */
static void spell(struct gs_str text, char *out, size_t size)
{
	static const char letters[] = "ksncdfa";
	struct gs_token_spans spans;
	size_t n = 0, last = 0;
	gs_token_classes(text, &spans);
	out[0] = 0;
	for (size_t i = 0; i < spans.n; i++) {
		const struct gs_token_span *s = &spans.v[i];
		ck_assert_uint_ge(s->start, last);
		ck_assert_uint_gt(s->end, s->start);
		ck_assert_uint_le(s->end, text.n);
		last = s->end;
		n += (size_t)snprintf(out + n, size - n, "%c:%.*s ",
		    letters[s->class], (int)(s->end - s->start),
		    text.p + s->start);
	}
	gs_token_spans_release(&spans);
}

static const struct {
	const char *name, *text, *expected;
} rows[] = {
    {"nothing", "", ""},
    {"words", "def f(x):\n    return None # why\n",
        "k:def d:f k:return n:None c:# why "},
    {"a unit that is indented", "    def f(self):\n        pass\n",
        "k:def d:f k:pass "},
    {"strings with their quotes", "x = 'a' + b\"\\n\"\n", "s:'a' s:b\"\\n\" "},
    {"fields of a string are code", "f'{g(1)}'\n", "s:f' f:g n:1 s:' "},
    {"calls and decorators", "@d.e\nclass C:\n    x = a.b(1.5)\n",
        "a:@ k:class d:C f:b n:1.5 "},
    {"what does not parse", "def (:\n  'x' 12\n", NULL},
};

START_TEST(classes)
	{
		char seen[400];
		spell(gs_str(rows[_i].text), seen, sizeof(seen));
		if (rows[_i].expected)
			ck_assert_str_eq(seen, rows[_i].expected);
	}

END_TEST

GS_TESTS(py_classes, GS_TEST_ROWS(classes, rows))

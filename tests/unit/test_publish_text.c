/* SPDX-License-Identifier: Apache-2.0 */
/* Templates without holes, and text of strangers in each format (F171). */
#include <string.h>

#include "gs_test.h"
#include "publish/escape.h"
#include "publish/render.h"

static struct gs_err err;

static const struct {
	const char *template, *out; /* out NULL: refused */
} templates[] = {
    {"a {{x}} b {{y}}{{x}}", "a 1 b two1"}, {"nothing", "nothing"}, {"", ""},
    {"{{! a note }}\n{{x}}", "1"}, {"{ {x} } }} {", "{ {x} } }} {"},
    {"{{unknown}}", NULL}, {"{{empty}}", NULL}, {"{{blank}}", NULL},
    {"{{x", NULL}, {"{{}}", NULL}, {"{{ x }}", NULL}, /* one spelling only */
};

START_TEST(a_template)
	{
		GS_CLEANUP(values_release) struct values values = {0};
		values_set(&values, "x", GS_STR("1"));
		values_setf(&values, "y", "%s", "two");
		values_set(&values, "empty", GS_STR(""));
		values_set(&values, "blank", GS_STR(" \n"));
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		int rc = render("the card", gs_str(templates[_i].template),
		    &values, &out, &err);
		if (templates[_i].out) {
			ck_assert_int_eq(rc, 0);
			ck_assert_str_eq(gs_buf_cstr(&out), templates[_i].out);
		} else {
			ck_assert_int_lt(rc, 0);
			ck_assert_ptr_nonnull(strstr(err.text, "the card"));
		}
	}

END_TEST

static const struct {
	void (*escape)(struct gs_buf *out, struct gs_str text);
	const char *in, *out;
} escapes[] = {
    {escape_markdown, "plain-name_1.txt", "plain-name\\_1.txt"},
    {escape_markdown, "| a | b |", "\\| a \\| b \\|"},
    {escape_markdown, "</td><script>", "&lt;/td&gt;&lt;script&gt;"},
    {escape_markdown, "[x](y) `z` *b*", "\\[x\\]\\(y\\) \\`z\\` \\*b\\*"},
    {escape_markdown, "a\nb\r# c", "a\\\\x0ab\\\\x0d\\# c"},
    {escape_markdown, "\x1b]0;x\x07", "\\\\x1b\\]0;x\\\\x07"},
    {escape_markdown, "\u202e", "\\\\u\\{202e\\}"},
    {escape_markdown, "\xff", "\\\\xff"},
    {escape_markdown, "https://x.org a@b.org &amp;",
        "https&#58;//x.org a&#64;b.org &amp;amp;"},
    {escape_yaml, "a: \"b\" \\ #", "\"a: \\\"b\\\" \\\\ #\""},
    {escape_yaml, "a\nb\u202e", "\"a\\\\x0ab\\\\u{202e}\""},
    {escape_bibtex, "A {B} & C_d % $1\\x", "A B \\& C\\_d \\% \\$1x"},
};

START_TEST(an_escape)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		escapes[_i].escape(&out, gs_str(escapes[_i].in));
		ck_assert_str_eq(gs_buf_cstr(&out), escapes[_i].out);
	}

END_TEST

static const struct {
	const char *url, *out;
} links[] = {
    {"https://example.org/a?b=c#d", "[t](https://example.org/a?b=c#d)"},
    {"http://example.org/", "t"},
    {"javascript:alert(1)", "t"},
    {"https://example.org/a b", "t"},
    {"https://example.org/)[x](y", "t"},
    {"https://example.org/<x>", "t"},
    {"", "t"},
};

START_TEST(a_link)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		escape_link(&out, GS_STR("t"), gs_str(links[_i].url));
		ck_assert_str_eq(gs_buf_cstr(&out), links[_i].out);
	}

END_TEST

GS_TESTS(text, GS_TEST_ROWS(a_template, templates),
    GS_TEST_ROWS(an_escape, escapes), GS_TEST_ROWS(a_link, links))

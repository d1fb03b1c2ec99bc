/* SPDX-License-Identifier: Apache-2.0 */
/* F171: what goes into a page as text stays text. */
#include <string.h>

#include "gs_test.h"
#include "site/code.h"
#include "site/html.h"
#include "site/markdown.h"
#include "site/page.h"
#include "site/score.h"
#include "site/words.h"

static const struct {
	const char *name, *in, *out;
} texts[] = {
    {"plain", "a b", "a b"},
    {"mark-up", "</td><script>alert('1')</script>",
        "&lt;/td&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;"},
    {"an attribute's end", "\" onx=\"&", "&quot; onx=&quot;&amp;"},
    {"a terminal's orders", "\x1b]0;x\x07", "\\x1b]0;x\\x07"},
    {"turned around", "a\u202e<b", "a\\u{202e}&lt;b"},
    {"no UTF-8", "\xff\xfe", "\\xff\\xfe"},
    {"a line break where there is one line", "a\nb", "a\\x0ab"},
};

START_TEST(text)
	{
		struct html html = {0};
		html_text(&html, gs_str(texts[_i].in));
		ck_assert_str_eq(gs_buf_cstr(&html.buf), texts[_i].out);
		html_release(&html);
	}

END_TEST

START_TEST(patterns)
	{
		struct html html = {0};
		PUT(&html, "<a href=\"%\">%%</a>", S("\"%\""), S("<"),
		    N(-1234567));
		ck_assert_str_eq(gs_buf_cstr(&html.buf),
		    "<a href=\"&quot;%&quot;\">&lt;-1,234,567</a>");
		gs_buf_reset(&html.buf);
		html_clipped(&html, S("aé&b"), 2);
		ck_assert_str_eq(gs_buf_cstr(&html.buf), "a…");
		gs_buf_reset(&html.buf);
		html_json(&html, S("{\"a\":\"</script>\"}"));
		ck_assert_str_eq(
		    gs_buf_cstr(&html.buf), "{\"a\":\"\\u003c/script>\"}");
		html_release(&html);
	}

END_TEST

static const struct {
	const char *name, *in, *out;
} documents[] = {
    {"a heading and a paragraph", "# A <b>\n\none\ntwo\n",
        "<h1>A &lt;b&gt;</h1>\n<p>one\ntwo\n</p>\n"},
    {"spans", "**a `x` b** *c*\n",
        "<p><strong>a <code>x</code> b</strong> <em>c</em>\n</p>\n"},
    {"escapes are undone once", "\\*a\\* &lt;b&gt; &#64;\n",
        "<p>*a* &lt;b&gt; @\n</p>\n"},
    {"a link that is none", "[a](javascript:alert) [b](../x)\n",
        "<p>a b\n</p>\n"},
    {"links", "[a](https://example.org/x) [b](LICENSE)\n",
        "<p><a href=\"https://example.org/x\" rel=\"noreferrer\">a</a> "
        "<a href=\"data/LICENSE\">b</a>\n</p>\n"},
    {"a list", "- a\n  b\n- c\n", "<ul>\n<li>a\nb</li>\n<li>c</li>\n</ul>\n"},
    {"code", "```py\n<x>\n# y\n```\n",
        "<pre tabindex=\"0\"><code>&lt;x&gt;\n# y\n</code></pre>\n"},
    {"marks without an end", "**a `b [c](d\n", "<p>**a `b [c](d\n</p>\n"},
};

START_TEST(markdowns)
	{
		struct html html = {0};
		markdown(&html, gs_str(documents[_i].in));
		ck_assert_str_eq(gs_buf_cstr(&html.buf), documents[_i].out);
		html_release(&html);
	}

END_TEST

START_TEST(words)
	{
		struct stretches removed, added;
		words_differ(S("return n + n + 1\n"), S("return n + n\n"),
		    &removed, &added);
		ck_assert_uint_eq(added.n, 0);
		ck_assert_uint_eq(removed.n, 1);
		ck_assert_uint_eq(removed.v[0].end, 16);
		stretches_release(&removed);
		stretches_release(&added);
		words_differ(
		    S("alpha(beta)\n"), S("while True:\n"), &removed, &added);
		ck_assert_uint_eq(
		    removed.n + added.n, 0); /* nothing in common */
		stretches_release(&removed);
		stretches_release(&added);
	}

END_TEST

/* E4: known values of Wilson's interval and of McNemar's exact test. */
START_TEST(scores)
	{
		struct interval half = wilson(5, 10);
		ck_assert_double_eq_tol(half.low, 0.2366, 0.0001);
		ck_assert_double_eq_tol(half.high, 0.7634, 0.0001);
		ck_assert_double_eq_tol(wilson(0, 10).low, 0, 1e-12);
		unsigned char one[12], other[12];
		for (int i = 0; i < 12; i++) {
			one[i] = i < 9 ? 2 : 1;
			other[i] = i == 11 ? 2 : 1;
		}
		struct report a = {.results = one}, b = {.results = other};
		struct pair pair = pair_of(&a, &b, 12);
		ck_assert_int_eq(pair.only_a, 9);
		ck_assert_int_eq(pair.only_b, 1);
		ck_assert_double_eq_tol(pair.p, 22.0 / 1024, 1e-12);
		ck_assert_double_eq_tol(pair.difference, 8.0 / 12, 1e-12);
	}

END_TEST

/* Newcombe 1998, table II: 36, 12, 2 and 0 pairs; and what is impossible is
 * never within: two that never fail. */
START_TEST(pairs)
	{
		unsigned char one[50], other[50];
		for (int i = 0; i < 50; i++) {
			one[i] = i < 48 ? 2 : 1;
			other[i] = i < 36 || i >= 48 ? 2 : 1;
		}
		struct report a = {.results = one}, b = {.results = other};
		struct pair pair = pair_of(&a, &b, 50);
		ck_assert_int_eq(pair.both, 36);
		ck_assert_int_eq(pair.neither, 0);
		ck_assert_double_eq_tol(pair.interval.low, 0.0569, 0.0001);
		ck_assert_double_eq_tol(pair.interval.high, 0.3404, 0.0001);
		struct report same = {.results = one};
		pair = pair_of(&a, &same, 48);
		ck_assert_double_eq_tol(
		    pair.interval.high, -pair.interval.low, 1e-12);
		ck_assert(pair.interval.high > 0 && pair.interval.high < 1);
	}

END_TEST

static const struct {
	const char *in, *out;
} subjects[] = {
    {"plain & simple", "plain &amp; simple"},
    {"Fix `a<b>` here", "Fix <code>a&lt;b&gt;</code> here"},
    {"``x`` and `y`", "<code>x</code> and <code>y</code>"},
    {"a lone ` stays", "a lone ` stays"},
    {"``", "``"},
    {"``a` b", "``a` b"},
    {"0123456789012345678901234567890123456789x",
        "0123456789012345678901234567890123456789…"},
};

START_TEST(subject)
	{
		struct html html = {0};
		page_subject(&html, gs_str(subjects[_i].in), 40);
		ck_assert_str_eq(gs_buf_cstr(&html.buf), subjects[_i].out);
		html_release(&html);
	}

END_TEST

static size_t count(const char *page, const char *part)
{
	size_t n = 0;
	for (const char *p = page; (p = strstr(p, part)); p++)
		n++;
	return n;
}

/* Of a long text only what is near a change is on the page, its lines under
 * their true numbers. */
START_TEST(long_texts)
	{
		struct gs_buf before = {0}, after = {0};
		struct html html = {0};
		for (int i = 1; i <= 1000; i++) {
			gs_buf_addf(&before, "x%d = %d\n", i, i);
			gs_buf_addf(&after, "x%d = %d\n", i, i == 500 ? 0 : i);
		}
		code_change(&html, GS_STR("change"), gs_buf_str(&before),
		    gs_buf_str(&after));
		const char *page = gs_buf_cstr(&html.buf);
		ck_assert_uint_eq(count(page, "class=\"l\" data-o"), 7);
		ck_assert_uint_eq(count(page, "class=\"l far\""), 2 * 37);
		ck_assert_uint_eq(count(page, "data-o=\"459\""), 0);
		ck_assert_uint_eq(
		    count(page, "data-o=\"460\" data-n=\"460\""), 1);
		ck_assert_uint_eq(
		    count(page, "data-o=\"540\" data-n=\"540\""), 1);
		ck_assert_uint_eq(count(page, "data-o=\"541\""), 0);
		ck_assert_ptr_nonnull(
		    strstr(page, ">459 more unchanged lines,"));
		ck_assert_ptr_nonnull(
		    strstr(page, ">460 more unchanged lines,"));
		ck_assert_ptr_nonnull(strstr(page, ">496 unchanged lines<"));
		gs_buf_release(&before);
		gs_buf_release(&after);
		html_release(&html);
	}

END_TEST

GS_TESTS(site_html, GS_TEST_ROWS(text, texts), GS_TEST(patterns),
    GS_TEST_ROWS(markdowns, documents), GS_TEST(words), GS_TEST(scores),
    GS_TEST(pairs), GS_TEST_ROWS(subject, subjects), GS_TEST(long_texts))

/* SPDX-License-Identifier: Apache-2.0 */
#include "gs_test.h"
#include "py/source.h"

/* W5, F014: what a formatter changes, and what it does not. */
static const struct {
	const char *before, *after;
	bool same;
} rows[] = {
    {"x = 1\n", "x = 1\n", true},
    {"x = 1\n", "x = 2\n", false},
    {"x=1 # c\n", "# d\n\nx  =  1\n", true},
    {"x = 1\n", "x = 1", true},
    {"x = 1\ny = 2\n", "x = 1\r\ny = 2\r\n", true},
    {"x = 1; y = 2\n", "x = 1\ny = 2\n", true},
    {"f(a, b)\n", "f(\n    a,\n    b,\n)\n", true},
    {"x = a + b\n", "x = (\n    a\n    + b  # why\n)\n", true},
    {"x = a + \\\n  b\n", "x = a + b\n", true},
    {"if a:\n    b\n    c\n", "if a:\n\tb\n\tc\n", true},
    {"if a:\n    b\nc\n", "if a:\n    b\n    c\n", false},
    {"if a: b\n", "if a:\n    b\n", true},
    /* a comma that makes a tuple */
    {"x = (1,)\n", "x = (1)\n", false},
    {"x = 1,\n", "x = 1\n", false},
    {"x = a[1,]\n", "x = a[1]\n", false},
    {"x = a[1, 2,]\n", "x = a[1, 2]\n", true},
    {"(a,) = b\n", "(a) = b\n", false},
    {"x = (1, 2,)\n", "x = (1, 2)\n", true},
    {"def f(a, b,): 0\n", "def f(a, b): 0\n", true},
    {"from a import (b, c,)\n", "from a import b, c\n", true},
    /* strings and numbers by value */
    {"x = 'a'\n", "x = \"a\"\n", true},
    {"x = 'a'\n", "x = 'b'\n", false},
    {"x = '\\x41'\n", "x = '''A'''\n", true},
    {"x = 'a' 'b'\n", "x = ('a'\n     'b')\n", true},
    {"x = 'a' 'b'\n", "x = 'ab'\n", true},
    {"x = 'a'\n", "x = b'a'\n", false},
    {"x = 'it\\'s'\n", "x = \"it's\"\n", true},
    {"x = r'\\d'\n", "x = '\\\\d'\n", true},
    {"x = r'\\n'\n", "x = '\\n'\n", false},
    {"x = f'a{b}c'\n", "x = f\"a{b}c\"\n", true},
    {"x = f'a{b}c'\n", "x = f'a{b!r}c'\n", false},
    {"x = f'a{b}c'\n", "x = f'a{b:>3}c'\n", false},
    {"x = f'{b: }'\n", "x = f'{b:}'\n", false},
    {"x = f'{b=}'\n", "x = f'{b = }'\n", false},
    {"x = f'a'\n", "x = 'a'\n", false},
    {"x = 0XFF\n", "x = 0xff\n", true},
    {"x = 1_000\n", "x = 1000\n", true},
    {"x = 1.0\n", "x = 1\n", false},
    /* parentheses */
    {"return (a)\n", "return a\n", true},
    {"x = (a + b) * c\n", "x = a + b * c\n", false},
    {"x = a < (b < c)\n", "x = a < b < c\n", false},
    {"print (a)\n", "print a\n", false},
    {"class A(): 0\n", "class A: 0\n", true},
    {"@f()\ndef g(): 0\n", "@f\ndef g(): 0\n", false},
    {"x = a  not  in b\n", "x = a not in b\n", true},
    {"x = a not in b\n", "x = a in b\n", false},
    {"x = a is not b\n", "x = a is (not b)\n", false},
    /* F063, W5: docstrings aside */
    {"'''doc'''\nx = 1\n", "x = 1\n", true},
    {"def f():\n  'a'\n  return 1\n", "def f():\n  return 1\n", true},
    {"class C:\n  'a'\n  x = 1\n", "class C:\n  x = 1\n", true},
    {"def f():\n  b'a'\n  return 1\n", "def f():\n  return 1\n", false},
    {"def f():\n  'a'\n  'b'\n  x\n", "def f():\n  'c'\n  x\n", false},
    {"if x:\n  'a'\n  y\n", "if x:\n  y\n", false},
    /* F047: what the interpreter refuses is compared as bytes */
    {"if a:\n\tb\n        c\n", "if a:\n\tb\n\tc\n", false},
    {"def f():\nf()\n", "def f():\n\nf()\n", false},
    {"x = = 1\n", "x =  = 1\n", false},
    /* F061: the same text in two encodings */
    {"# coding: latin-1\nx = '\xe9'\n", "x = '\xc3\xa9'\n", true},
    {"x = '\xe9'\n", "x  = '\xe9'\n", false},
    {"\xef\xbb\xbfx = 1\n", "x = 1\n", true},
    {"", "# c\n", true},
};

START_TEST(same_tokens)
	{
		ck_assert_msg(gs_source_same_tokens(gs_str(rows[_i].before),
		                  gs_str(rows[_i].after)) == rows[_i].same,
		    "%s|%s", rows[_i].before, rows[_i].after);
		ck_assert(gs_source_same_tokens(gs_str(rows[_i].after),
		              gs_str(rows[_i].before)) == rows[_i].same);
	}

END_TEST

GS_TESTS(py_tokens, GS_TEST_ROWS(same_tokens, rows))

/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gs_test.h"
#include "model/diff.h"

/* P2, F059: lines end at LF and nowhere else. */
static const struct {
	const char *name, *before, *after;
	size_t added, removed;
	const char *unified;
} rows[] = {
    {"equal", "a\nb\n", "a\nb\n", 0, 0, ""},
    {"both empty", "", "", 0, 0, ""},
    {"from nothing", "", "a\nb\n", 2, 0,
        "--- x\n+++ y\n@@ -0,0 +1,2 @@\n+a\n+b\n"},
    {"to nothing", "a\n", "", 0, 1, "--- x\n+++ y\n@@ -1 +0,0 @@\n-a\n"},
    {"one line", "a\nb\nc\n", "a\nB\nc\n", 1, 1,
        "--- x\n+++ y\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n"},
    {"moved", "a\nb\nc\nd\n", "b\nc\nd\na\n", 1, 1,
        "--- x\n+++ y\n@@ -1,4 +1,4 @@\n-a\n b\n c\n d\n+a\n"},
    {"final newline lost", "a\nb\n", "a\nb", 1, 1,
        "--- x\n+++ y\n@@ -1,2 +1,2 @@\n a\n-b\n+b\n"
        "\\ No newline at end of file\n"},
    {"CR and form feed are content",
        "a\rb\x0c"
        "c\nd\n",
        "a\rB\x0c"
        "c\nd\n",
        1, 1,
        "--- x\n+++ y\n@@ -1,2 +1,2 @@\n-a\rb\x0c"
        "c\n+a\rB\x0c"
        "c\n d\n"},
    {"two hunks", "a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
        2, 2,
        "--- x\n+++ y\n@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n"
        "@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n"},
    {"near hunks are one", "a\n1\n2\n3\n4\n5\n6\nb\n",
        "A\n1\n2\n3\n4\n5\n6\nB\n", 2, 2,
        "--- x\n+++ y\n@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n"
        "-b\n+B\n"},
};

START_TEST(known)
	{
		struct gs_diff diff;
		gs_diff(gs_str(rows[_i].before), gs_str(rows[_i].after), &diff);
		ck_assert_msg(
		    diff.added == rows[_i].added, "%s", rows[_i].name);
		ck_assert_msg(
		    diff.removed == rows[_i].removed, "%s", rows[_i].name);
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		gs_diff_unified(&diff, "x", "y", &out);
		ck_assert_str_eq(gs_buf_cstr(&out), rows[_i].unified);
		gs_diff_release(&diff);
	}

END_TEST

static void rebuild(
    const struct gs_diff *diff, enum gs_diff_op leave_out, struct gs_buf *ret)
{
	for (size_t i = 0; i < diff->n; i++)
		if (diff->v[i].op != leave_out)
			gs_buf_adds(ret, diff->v[i].text);
}

/* Longest common subsequence of two strings of one-letter lines, by the
 * textbook table. */
static size_t lcs(const char *a, size_t n, const char *b, size_t m)
{
	size_t *row = calloc(m + 1, sizeof(*row));
	for (size_t i = 0; i < n; i++) {
		size_t diagonal = 0;
		for (size_t j = 0; j < m; j++) {
			size_t up = row[j + 1];
			if (a[2 * i] == b[2 * j])
				row[j + 1] = diagonal + 1;
			else if (row[j] > up)
				row[j + 1] = row[j];
			diagonal = up;
		}
	}
	size_t length = row[m];
	free(row);
	return length;
}

static size_t random_lines(char *out, size_t most, int letters)
{
	size_t n = (size_t)rand() % most;
	for (size_t i = 0; i < n; i++) {
		out[2 * i] = (char)('a' + rand() % letters);
		out[2 * i + 1] = '\n';
	}
	return n;
}

/* P2: minimal, and both texts come back out. */
START_TEST(minimal)
	{
		srand((unsigned)_i);
		for (int round = 0; round < 60; round++) {
			static char a[2000], b[2000];
			int letters = 1 + rand() % 26;
			size_t n = random_lines(a, 400, letters);
			size_t m = random_lines(b, 400, letters);
			struct gs_str before = gs_str_n(a, 2 * n);
			struct gs_str after = gs_str_n(b, 2 * m);
			struct gs_diff diff;
			gs_diff(before, after, &diff);
			size_t common = lcs(a, n, b, m);
			ck_assert_uint_eq(diff.removed, n - common);
			ck_assert_uint_eq(diff.added, m - common);
			GS_CLEANUP(gs_buf_release)
			struct gs_buf old = {0}, new = {0};
			rebuild(&diff, GS_DIFF_ADDED, &old);
			rebuild(&diff, GS_DIFF_REMOVED, &new);
			ck_assert(gs_str_eq(gs_buf_str(&old), before));
			ck_assert(gs_str_eq(gs_buf_str(&new), after));
			gs_diff_release(&diff);
		}
	}

END_TEST

/* W5: the largest file, rewritten in 30,000 lines of few kinds, stays quick. */
START_TEST(bounded)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf a = {0}, b = {0};
		srand(7);
		for (int i = 0; i < 30000; i++) {
			gs_buf_addf(&a,
			    "        value = %d  # a line of text\n",
			    rand() % 40);
			gs_buf_addf(&b,
			    "        value = %d  # a line of text\n",
			    rand() % 40);
		}
		clock_t start = clock();
		struct gs_diff diff;
		gs_diff(gs_buf_str(&a), gs_buf_str(&b), &diff);
		ck_assert_uint_gt(diff.added, 1000);
		ck_assert_uint_eq(diff.added, diff.removed);
		ck_assert_msg(
		    (clock() - start) / CLOCKS_PER_SEC < 20, "too slow");
		gs_diff_release(&diff);
	}

END_TEST

static const int seeds[8] __attribute__((used));

GS_TESTS(model_diff, GS_TEST_ROWS(known, rows), GS_TEST_ROWS(minimal, seeds),
    GS_TEST(bounded))

/* SPDX-License-Identifier: Apache-2.0 */
/* Unified diffs, exactly or not at all (E1; F148, F149, F165). */
#include <string.h>

#include "evaluate/patch.h"
#include "gs_test.h"

static const char file[] = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n";

#define HEAD "--- a/pkg/mod.py\n+++ b/pkg/mod.py\n"
#define HUNK "@@ -1,4 +1,4 @@\n one\n-two\n+TWO\n three\n four\n"

static const struct row {
	const char *name, *patch, *becomes; /* NULL: refused */
} rows[] = {
    {"plain", HEAD HUNK, "one\nTWO\nthree\nfour\nfive\nsix\nseven\n"},
    {"with git's lines",
        "diff --git a/pkg/mod.py b/pkg/mod.py\nindex 1..2 100644\n" HEAD HUNK,
        "one\nTWO\nthree\nfour\nfive\nsix\nseven\n"},
    {"dates behind the names",
        "--- pkg/mod.py\t2024-01-01\n+++ pkg/mod.py\t2024-01-02\n" HUNK,
        "one\nTWO\nthree\nfour\nfive\nsix\nseven\n"},
    {"without the last line feed", HEAD "@@ -1,2 +1,2 @@\n one\n-two\n+TWO",
        "one\nTWO\nthree\nfour\nfive\nsix\nseven\n"},
    {"two hunks",
        HEAD "@@ -1,2 +1,2 @@\n one\n-two\n+TWO\n@@ -6,2 +6,3 @@\n six\n"
             "+half\n seven\n",
        "one\nTWO\nthree\nfour\nfive\nsix\nhalf\nseven\n"},
    {"insert at the beginning", HEAD "@@ -0,0 +1 @@\n+zero\n",
        "zero\none\ntwo\nthree\nfour\nfive\nsix\nseven\n"},
    {"the last line feed goes",
        HEAD "@@ -7 +7 @@\n-seven\n+SEVEN\n\\ No newline at end of file\n",
        "one\ntwo\nthree\nfour\nfive\nsix\nSEVEN"},
    {"blank lines behind it", HEAD HUNK "\n\n",
        "one\nTWO\nthree\nfour\nfive\nsix\nseven\n"},
    /* F149: the second hunk does not apply: nothing does. */
    {"half of it applies", HEAD HUNK "@@ -6,2 +6,2 @@\n six\n-eight\n+EIGHT\n",
        NULL},
    {"one line off", HEAD "@@ -2,3 +2,3 @@\n one\n-two\n+TWO\n three\n", NULL},
    {"hunks out of order", HEAD "@@ -6,2 +6,2 @@\n six\n-seven\n+7\n" HUNK,
        NULL},
    {"overlapping", HEAD HUNK "@@ -4,1 +4,1 @@\n-four\n+4\n", NULL},
    {"beyond the end", HEAD "@@ -90,1 +90,1 @@\n-x\n+y\n", NULL},
    /* F148 */
    {"line ends of another system",
        HEAD "@@ -1,2 +1,2 @@\n one\r\n-two\r\n+TWO\r\n", NULL},
    {"fences", "```diff\n" HEAD HUNK "```\n", NULL},
    {"prose before", "Here is the fix:\n\n" HEAD HUNK, NULL},
    {"prose behind", HEAD HUNK "This fixes it.\n", NULL},
    {"no hunk", HEAD, NULL},
    {"nothing", "", NULL},
    {"cut short", HEAD "@@ -1,4 +1,4 @@\n one\n-two\n", NULL},
    {"longer than it says", HEAD "@@ -1,1 +1,1 @@\n one\n-two\n+x\n", NULL},
    {"numbers that are none", HEAD "@@ -a,1 +1,1 @@\n one\n", NULL},
    {"a number too long", HEAD "@@ -99999999999999999999,1 +1,1 @@\n one\n",
        NULL},
    /* E1, F151, F165: one file, and this one. */
    {"the tests", "--- a/tests/test_mod.py\n+++ b/tests/test_mod.py\n" HUNK,
        NULL},
    {"the tests too",
        HEAD HUNK "--- a/tests/test_mod.py\n+++ b/tests/test_mod.py\n" HUNK,
        NULL},
    {"the tests first",
        "diff --git a/tests/t.py b/tests/t.py\n--- "
        "a/tests/t.py\n+++ b/tests/t.py\n" HUNK
        "diff --git a/pkg/mod.py b/pkg/mod.py\n" HEAD HUNK,
        NULL},
    {"twice", HEAD HUNK HEAD HUNK, NULL},
    {"out of the tree", "--- a/../pkg/mod.py\n+++ b/../pkg/mod.py\n" HUNK,
        NULL},
    {"an absolute path", "--- /pkg/mod.py\n+++ /pkg/mod.py\n" HUNK, NULL},
    {"git's own folder", "--- a/.git/config\n+++ b/.git/config\n" HUNK, NULL},
    {"deletes the file", "--- a/pkg/mod.py\n+++ /dev/null\n" HUNK, NULL},
    {"makes a file", "--- /dev/null\n+++ b/pkg/mod.py\n" HUNK, NULL},
    {"renames",
        "diff --git a/pkg/mod.py b/pkg/new.py\nrename from pkg/mod.py\n"
        "rename to pkg/new.py\n" HEAD HUNK,
        NULL},
    {"changes the mode",
        "diff --git a/pkg/mod.py b/pkg/mod.py\nold mode 100644\nnew mode "
        "100755\n" HEAD HUNK,
        NULL},
    {"makes a link",
        "diff --git a/pkg/mod.py b/pkg/mod.py\nnew file mode 120000\n" HEAD
            HUNK,
        NULL},
    {"binary",
        "diff --git a/pkg/mod.py b/pkg/mod.py\nGIT binary patch\nliteral 3\n",
        NULL},
};

START_TEST(patches)
	{
		struct gs_buf text = {0}, why = {0};
		bool applied = gs_patch_apply(gs_str(rows[_i].patch),
		    GS_STR("pkg/mod.py"), gs_str(file), &text, &why);
		ck_assert_msg(applied == (rows[_i].becomes != NULL), "%s: %s",
		    rows[_i].name, gs_buf_cstr(&why));
		if (applied)
			ck_assert_str_eq(gs_buf_cstr(&text), rows[_i].becomes);
		else
			ck_assert_msg(why.n > 10, "%s", rows[_i].name);
		gs_buf_release(&text);
		gs_buf_release(&why);
	}

END_TEST

/* A file whose last line has no line feed. */
START_TEST(no_last_line_feed)
	{
		static const char *const patch = HEAD
		    "@@ -1,2 +1,3 @@\n one\n-two\n\\ No newline at end of file\n"
		    "+two\n+three\n";
		struct gs_buf text = {0}, why = {0};
		ck_assert(gs_patch_apply(gs_str(patch), GS_STR("pkg/mod.py"),
		    GS_STR("one\ntwo"), &text, &why));
		ck_assert_str_eq(gs_buf_cstr(&text), "one\ntwo\nthree\n");
		gs_buf_reset(&text);
		/* The same against a file that has one does not apply. */
		ck_assert(!gs_patch_apply(gs_str(patch), GS_STR("pkg/mod.py"),
		    GS_STR("one\ntwo\n"), &text, &why));
		gs_buf_release(&text);
		gs_buf_release(&why);
	}

END_TEST

GS_TESTS(patch, GS_TEST_ROWS(patches, rows), GS_TEST(no_last_line_feed))

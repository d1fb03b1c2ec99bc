/* SPDX-License-Identifier: Apache-2.0 */
/* The pure readers of git's formats: refs, trees, commits, dates, log. */
#include <string.h>

#include "base/buf.h"
#include "base/limits.h"
#include "git/commit_text.h"
#include "git/dates.h"
#include "git/logstream.h"
#include "git/refs.h"
#include "git/tree.h"
#include "gs_test.h"

#define A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
#define C "cccccccccccccccccccccccccccccccccccccccc"

static struct gs_err err;

static const struct {
	const char *name;
	bool ok;
} ref_names[] = {
    {"refs/heads/main", true},
    {"refs/heads/a/b-c_d.e", true},
    {"refs/heads/\xc3\xa9", true},
    {"refs/heads/@", true},
    {"heads/main", false},
    {"refs/heads/", false},
    {"refs/heads//x", false},
    {"refs/heads/.x", false},
    {"refs/heads/x.", false},
    {"refs/heads/x.lock", false},
    {"refs/heads/x.lock/y", false},
    {"refs/heads/a..b", false},
    {"refs/heads/../../x", false},
    {"refs/heads/a@{b", false},
    {"refs/heads/a b", false},
    {"refs/heads/a\nb", false},
    {"refs/heads/a~b", false},
    {"refs/heads/a^b", false},
    {"refs/heads/a:b", false},
    {"refs/heads/a?b", false},
    {"refs/heads/a*b", false},
    {"refs/heads/a[b", false},
    {"refs/heads/a\\b", false},
    {"refs/heads/a\x7f", false},
};

START_TEST(ref_name)
	{
		ck_assert_msg(gs_ref_name_is_ok(gs_str(ref_names[_i].name)) ==
		                  ref_names[_i].ok,
		    "%s", ref_names[_i].name);
	}

END_TEST

/* W1: heads, tags and remotes; loose over packed; symbolic refs within. */
START_TEST(ref_files)
	{
		struct gs_refs refs = {0};
		struct gs_buf out = {0};

		ck_assert_int_eq(
		    gs_refs_parse_packed(&refs,
		        GS_STR(
		            "# pack-refs with: peeled fully-peeled sorted \n" A
		            " refs/heads/old\n" A " refs/heads/x\n" A
		            " refs/pull/1/head\n" A " refs/replace/" B "\n" A
		            " refs/tags/v1\n^" B "\n" A " refs/heads/a..b\n"),
		        &err),
		    0);
		ck_assert(gs_refs_parse_loose(
		    &refs, GS_STR("refs/heads/x"), GS_STR(C "\n")));
		ck_assert(
		    gs_refs_parse_loose(&refs, GS_STR("refs/remotes/o/HEAD"),
		        GS_STR("ref: refs/heads/x\n")));
		ck_assert(gs_refs_parse_loose(&refs, GS_STR("refs/heads/pull"),
		    GS_STR("ref: refs/pull/1/head\n")));
		ck_assert(gs_refs_parse_loose(&refs, GS_STR("refs/heads/loop"),
		    GS_STR("ref: refs/heads/loop\n")));
		ck_assert(gs_refs_parse_loose(&refs, GS_STR("refs/heads/gone"),
		    GS_STR("ref: refs/heads/none\n")));
		ck_assert(!gs_refs_parse_loose(
		    &refs, GS_STR("refs/heads/bad"), GS_STR("")));
		ck_assert(!gs_refs_parse_loose(&refs, GS_STR("refs/heads/bad"),
		    GS_STR("ref: ../../secret")));
		ck_assert(!gs_refs_parse_loose(
		    &refs, GS_STR("refs/heads/bad"), GS_STR("root:x:0:0:\n")));
		gs_refs_write_packed(&refs, 40, &out);
		ck_assert_str_eq(gs_buf_cstr(&out),
		    "# pack-refs with: sorted \n" A " refs/heads/old\n" A
		    " refs/heads/pull\n" C " refs/heads/x\n" C
		    " refs/remotes/o/HEAD\n" A " refs/tags/v1\n");
		gs_buf_release(&out);
		gs_refs_release(&refs);
	}

END_TEST

static const char *const bad_packed[] = {"x\n", A "\n", A "x refs/heads/a\n",
    "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA refs/heads/a\n",
    " refs/heads/a\n"};

START_TEST(packed_is_checked)
	{
		struct gs_refs refs = {0};

		ck_assert_int_eq(
		    gs_refs_parse_packed(&refs, gs_str(bad_packed[_i]), &err),
		    GS_E_CORRUPT);
		gs_refs_release(&refs);
	}

END_TEST

/* F005, W6 */
static const struct {
	const char *line;
	bool ok;
	int64_t at;
} idents[] = {
    {"C <c@x> 4102444800 +0000", true, 4102444800},
    {"C <c@x> 1312735823 +9999", true, 1312735823},
    {"C <c@x> 1312735823 -0000", true, 1312735823},
    {"C <c@x>1312735823 +0000", true, 1312735823},
    {"C <c@x> 0 +0000", true, 0},
    {"C <c@x> 1312735823", false, 0},
    {"C <c@x> -1000 +0000", false, 0},
    {"C <c@x> 99999999999999999999 +0000", false, 0},
    {"C <c@x> 253402300799 +0000", true, INT64_C(253402300799)},
    {"C <c@x> 253402300800 +0000", false, 0},
    {"C <c@x> +0000", false, 0},
    {"C <c@x>", false, 0},
    {"C c@x 1 +0000", false, 0},
    {"", false, 0},
};

START_TEST(ident_date)
	{
		int64_t at = 0;

		ck_assert_msg(gs_date_of_ident(gs_str(idents[_i].line), &at) ==
		                  idents[_i].ok,
		    "%s", idents[_i].line);
		ck_assert_int_eq(at, idents[_i].at);
	}

END_TEST

#define TREE "tree " A "\n"
#define WHO "author A <a@x> 1 +0000\ncommitter C <c@x> 3 +0000\n"

/* F006, F009, F011, F012 */
static const struct {
	const char *name;
	struct gs_str bytes;
	const char *message;
} messages[] = {
    {"plain", GS_STR(TREE WHO "\nfix\n"), "fix\n"},
    {"empty", GS_STR(TREE WHO "\n"), ""},
    {"no body at all", GS_STR(TREE WHO), ""},
    {"CR", GS_STR(TREE WHO "\nfix\r\n\r\nbody\r\n"), "fix\n\nbody\n"},
    {"lone CR stays", GS_STR(TREE WHO "\na\rb"), "a\rb"},
    {"NUL", GS_STR(TREE WHO "\nabc\0def"), "abc"},
    {"latin-1 declared",
        GS_STR(TREE WHO "encoding ISO-8859-1\n\ncaf\xe9 fix\n"),
        "caf\xc3\xa9 fix\n"},
    {"latin-1 undeclared", GS_STR(TREE WHO "\ncaf\xe9 fix\n"),
        "caf\xef\xbf\xbd fix\n"},
    {"unknown encoding", GS_STR(TREE WHO "encoding x-foo,bar\n\nfix\n"),
        "fix\n"},
    {"stateful encoding is not used",
        GS_STR(TREE WHO "encoding ISO-2022-CN-EXT\n\nfix\n"), "fix\n"},
    {"bytes that do not decode",
        GS_STR(TREE WHO "encoding EUC-JP\n\na\xff\xff"
                        "b"),
        "a\xef\xbf\xbd\xef\xbf\xbd"
        "b"},
    {"cut short in the middle", GS_STR(TREE WHO "encoding Shift_JIS\n\na\x82"),
        "a\xef\xbf\xbd"},
    {"signature is no body",
        GS_STR(TREE WHO "gpgsig -----BEGIN\n \n x\n -----END\n\nfix"), "fix"},
};

START_TEST(commit_message)
	{
		struct gs_commit_text text = {0};

		ck_assert_int_eq(
		    gs_commit_text_parse(messages[_i].bytes, &text, &err), 0);
		ck_assert_str_eq(
		    gs_buf_cstr(&text.message), messages[_i].message);
		ck_assert_str_eq(text.tree.hex, A);
		ck_assert(text.has_date);
		ck_assert_int_eq(text.committed_at, 3);
		gs_commit_text_release(&text);
	}

END_TEST

START_TEST(long_message_is_cut_between_characters)
	{
		struct gs_buf bytes = {0};
		struct gs_commit_text text = {0};

		gs_buf_addz(&bytes, TREE WHO "\nx");
		for (size_t i = 0; i < GS_MAX_MESSAGE; i++)
			gs_buf_addz(&bytes, "\xc3\xa9");
		ck_assert_int_eq(
		    gs_commit_text_parse(gs_buf_str(&bytes), &text, &err), 0);
		ck_assert_uint_eq(text.message.n, GS_MAX_MESSAGE - 1);
		gs_commit_text_release(&text);
		gs_buf_release(&bytes);
	}

END_TEST

START_TEST(commit_headers)
	{
		struct gs_commit_text text = {0};

		/* Two authors, a broken mail line, two parents; F006 */
		ck_assert_int_eq(
		    gs_commit_text_parse(
		        GS_STR(TREE
		            "parent " B "\nparent " C
		            "\nauthor A <a@x\n> 1334833756 -0700\nauthor A "
		            "<a@x> 2 +0000\ncommitter C <c@x> 3 +0000\n\nm"),
		        &text, &err),
		    0);
		ck_assert_uint_eq(text.n_parents, 2);
		ck_assert_str_eq(text.parent.hex, B);
		ck_assert_int_eq(text.committed_at, 3);
		gs_commit_text_release(&text);
		ck_assert_int_eq(gs_commit_text_parse(
		                     GS_STR("parent " B "\n\n"), &text, &err),
		    GS_E_CORRUPT);
		ck_assert_int_eq(gs_commit_text_parse(GS_STR(""), &text, &err),
		    GS_E_CORRUPT);
		ck_assert_int_eq(
		    gs_commit_text_parse(
		        GS_STR(TREE "parent x\n" WHO "\n"), &text, &err),
		    GS_E_CORRUPT);
		gs_commit_text_release(&text);
	}

END_TEST

#define ID20                                                                   \
	"\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa\xaa"

static const struct {
	const char *name;
	struct gs_str bytes;
	int rc;
	unsigned mode;
} trees[] = {
    {"file", GS_STR("100644 a\0" ID20), 1, 0100644},
    {"group-writable file of old tools", GS_STR("100664 a\0" ID20), 1, 0100644},
    {"program", GS_STR("100755 a\0" ID20), 1, 0100755},
    {"folder", GS_STR("40000 a\0" ID20), 1, 040000},
    {"folder with a zero", GS_STR("040000 a\0" ID20), 1, 040000},
    {"link", GS_STR("120000 a\0" ID20), 1, 0120000},
    {"gitlink", GS_STR("160000 a\0" ID20), 1, 0160000},
    {"empty", {"", 0}, 0, 0},
    {"no id", GS_STR("100644 a\0"), GS_E_CORRUPT, 0},
    {"short id", GS_STR("100644 a\0aaaa"), GS_E_CORRUPT, 0},
    {"no name", GS_STR("100644 \0" ID20), GS_E_CORRUPT, 0},
    {"slash", GS_STR("100644 a/b\0" ID20), GS_E_CORRUPT, 0},
    {"mode", GS_STR("100648 a\0" ID20), GS_E_CORRUPT, 0},
    {"long mode", GS_STR("10064400000 a\0" ID20), GS_E_CORRUPT, 0},
    {"nothing but a mode", GS_STR("100644"), GS_E_CORRUPT, 0},
};

START_TEST(tree_entry)
	{
		struct gs_tree_entry entry = {0};
		struct gs_str bytes = trees[_i].bytes;

		ck_assert_msg(
		    gs_tree_next(&bytes, 20, &entry, &err) == trees[_i].rc,
		    "%s", trees[_i].name);
		ck_assert_uint_eq(entry.mode, trees[_i].mode);
		if (trees[_i].rc == 1) {
			ck_assert(gs_str_is(entry.name, "a"));
			ck_assert_str_eq(entry.id.hex, A);
			ck_assert_uint_eq(bytes.n, 0);
		}
	}

END_TEST

#define CHANGE ":100644 100755 " B " " C " M"

/* Each piece is a token; "!" at the end: the stream is refused. */
static const struct {
	const char *name;
	struct gs_str bytes;
	int commits; /* negative: refused after so many */
	size_t changes;
} logs[] = {
    {"nothing", {"", 0}, 0, 0},
    {"root", GS_STR(A " 1 \0"), 1, 0},
    {"no date", GS_STR(A "  " B "\0"), 1, 0},
    {"merge then plain",
        GS_STR(A " 1 " B " " C "\0" B " 2 " C "\0\n" CHANGE "\0p\0"), 2, 1},
    {"path that looks like a header",
        GS_STR(
            A " 1 " B "\0\n" CHANGE "\0" C " 1 " A "\0" CHANGE "\0:100644\0"),
        1, 2},
    {"path of a line feed", GS_STR(A " 1 " B "\0\n" CHANGE "\0\n\0"), 1, 1},
    {"empty path", GS_STR(A " 1 " B "\0\n" CHANGE "\0\0"), -1, 0},
    {"ends in a change", GS_STR(A " 1 " B "\0\n" CHANGE "\0"), -1, 0},
    {"change without commit", GS_STR(CHANGE "\0p\0"), -1, 0},
    {"parent that is none", GS_STR(A " 1 x\0"), -1, 0},
    {"header without date", GS_STR(A "\0"), -1, 0},
    {"long status", GS_STR(A " 1 " B "\0\n" CHANGE "M\0p\0"), -1, 0},
};

START_TEST(log_stream)
	{
		struct gs_logstream stream = {0};
		struct gs_str bytes = logs[_i].bytes, token;
		int commits = 0, rc = 0;
		size_t changes = 0;

		while (
		    rc >= 0 && bytes.n > 0 && gs_str_cut(&bytes, '\0', &token))
			while ((rc = gs_logstream_token(&stream, token, &err)) >
			       0) {
				commits++;
				changes += stream.commit.n_changes;
			}
		if (rc >= 0)
			rc = gs_logstream_end(&stream, &err);
		if (rc == 1) {
			commits++;
			changes += stream.commit.n_changes;
			ck_assert_int_eq(gs_logstream_end(&stream, &err), 0);
		}
		ck_assert_msg((rc < 0) == (logs[_i].commits < 0), "%s: %d",
		    logs[_i].name, rc);
		if (logs[_i].commits >= 0) {
			ck_assert_int_eq(commits, logs[_i].commits);
			ck_assert_uint_eq(changes, logs[_i].changes);
		}
		gs_logstream_release(&stream);
	}

END_TEST

GS_TESTS(git_parse, GS_TEST_ROWS(ref_name, ref_names), GS_TEST(ref_files),
    GS_TEST_ROWS(packed_is_checked, bad_packed),
    GS_TEST_ROWS(ident_date, idents), GS_TEST_ROWS(commit_message, messages),
    GS_TEST(long_message_is_cut_between_characters), GS_TEST(commit_headers),
    GS_TEST_ROWS(tree_entry, trees), GS_TEST_ROWS(log_stream, logs))

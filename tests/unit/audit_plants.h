/* SPDX-License-Identifier: Apache-2.0 */
/* Defects of rows, one each, with the one finding that it must give. */
#ifndef AUDIT_PLANTS_H
#define AUDIT_PLANTS_H

#include "audit_fixture.h"

#define LONG_CODE                                                              \
	"def tidy(rows):\n    out = []\n    for row in rows:\n"                \
	"        if row is None:\n            continue\n"                      \
	"        out.append((row.left, row.right, row.size + 1))\n"            \
	"    out.sort(key=lambda item: item[0])\n    first = out[0]\n"         \
	"    last = out[-1]\n    return first, last, out, len(out)\n"

static void wrong_id(struct rows_of *rows)
{
	set_text(&rows->records[1].id, "gs-0123456789abcdef");
	set_text(&rows->evidence[1].id, "gs-0123456789abcdef");
}

static void wrong_fingerprint(struct rows_of *rows)
{
	rows->records[1].fingerprint[0] ^= 1;
}

static void wrong_count(struct rows_of *rows)
{
	rows->records[1].n_tests++;
}

static void wrong_size(struct rows_of *rows)
{
	rows->records[1].diff_lines++;
}

static void wrong_date(struct rows_of *rows)
{
	set_text(&rows->records[2].validated_at, "2026-02-03 04:05:06Z");
}

static void wrong_commit(struct rows_of *rows)
{
	struct gs_record *record = &rows->records[1];
	char id[GS_ID_SIZE];
	set_text(&record->parent, "HEAD~1");
	gs_record_id(&(struct gs_identity){record->repo, record->commit,
	                 record->parent, record->module, record->unit,
	                 record->granularity, record->fingerprint},
	    id);
	set_text(&record->id, id);
	set_text(&rows->evidence[1].id, id);
}

static void unsorted_list(struct rows_of *rows)
{
	char **ids = rows->records[1].fail_to_pass.v;
	char *first = ids[0];
	ids[0] = ids[1];
	ids[1] = first;
}

static void empty_spec(struct rows_of *rows)
{
	set_text(&rows->records[1].spec, "");
}

static void odd_language(struct rows_of *rows)
{
	set_text(&rows->records[1].language, "ruby");
}

static void same_fix(struct rows_of *rows)
{
	set_code(rows, 2, rows->records[1].source_before,
	    rows->records[1].source_after);
}

static void wrong_order(struct rows_of *rows)
{
	struct gs_record record = rows->records[0];
	struct gs_evidence evidence = rows->evidence[0];
	rows->records[0] = rows->records[1];
	rows->records[1] = record;
	rows->evidence[0] = rows->evidence[1];
	rows->evidence[1] = evidence;
}

static void password_in_url(struct rows_of *rows)
{
	set_text(&rows->records[1].repo_url, "https://me:word@example.org/b");
}

static void in_itself(struct rows_of *rows)
{
	set_text(&rows->records[1].also_in, "b/b");
}

static void odd_clock(struct rows_of *rows)
{
	set_text(&rows->records[1].parent_at, "2025-12-31T00:00:00Z");
}

static void passed_before(struct rows_of *rows)
{
	char **text = &rows->evidence[1].observations;
	char *at = strstr(*text, "assertion");
	memcpy(at, "passed\"  ", 9);
	at[9] = ' ';
}

static void seen_twice(struct rows_of *rows)
{
	set_text(&rows->evidence[1].observations,
	    "[" RUN("commit", "x", "passed") "," RUN(
	        "before", "x", "assertion") "]");
}

static void on_both_lists(struct rows_of *rows)
{
	gs_strv_push(
	    &rows->evidence[1].pass_to_pass, "tests/test_m.py::test_a");
}

static void not_json(struct rows_of *rows)
{
	set_text(&rows->evidence[1].signals, "{");
}

static void odd_kind(struct rows_of *rows)
{
	set_text(&rows->evidence[1].change_kind, "wish");
}

static void no_evidence(struct rows_of *rows)
{
	gs_evidence_release(&rows->evidence[--rows->n_evidence]);
}

static void a_path(struct rows_of *rows)
{
	set_text(&rows->evidence[1].distributions, "{\"x\": \"/home/ada/x\"}");
}

static void other_text(struct rows_of *rows)
{
	char *at = strstr(rows->evidence[0].licence_sha256s, "\":\"");
	at[3] = at[3] == '0' ? '1' : '0';
}

static void no_text(struct rows_of *rows)
{
	set_text(&rows->evidence[0].licence_sha256s, "{}");
}

static void a_token(struct rows_of *rows)
{
	set_text(&rows->records[1].subject,
	    "Use gh"
	    "p_9aZb3Yc7Xd1We5Vf2Ug8Th4Si6Rj0Qk3PlMn");
}

static void turned_text(struct rows_of *rows)
{
	set_text(&rows->records[1].subject, "Fix \xe2\x80\xae b");
}

static void escape(struct rows_of *rows)
{
	set_text(&rows->records[1].subject, "Fix \x1b]0;b\x07");
}

static void a_copy(struct rows_of *rows)
{
	set_code(rows, 0, "pass\n", LONG_CODE);
	set_code(rows, 1, "pass\n\n\nx = 1\n", LONG_CODE "x = 2\n");
}

static void a_spoiler(struct rows_of *rows)
{
	set_code(rows, 1, "def f():\n    return 0\n",
	    "def f():\n    return clamp_low(0)\n");
	set_text(&rows->records[1].spec, "Gives what clamp_low gives.");
}

static void copyleft(struct rows_of *rows)
{
	set_code(rows, 0, "# SPDX-License-Identifier: GPL-3.0-only\nx = 1\n",
	    "# SPDX-License-Identifier: GPL-3.0-only\nx = 2\n");
}

static void nothing(struct rows_of *rows)
{
	(void)rows;
}

static const struct {
	const char *name;
	void (*change)(struct rows_of *rows);
	const char *check;
	enum gs_severity severity;
	size_t lacking; /* columns */
} rows_planted[] = {
    {"an id of nothing", wrong_id, "identity", GS_ERROR, 0},       /* I3 */
    {"a fingerprint", wrong_fingerprint, "identity", GS_ERROR, 0}, /* I2 */
    {"n_tests", wrong_count, "numbers", GS_ERROR, 0},              /* P2 */
    {"diff_lines", wrong_size, "numbers", GS_ERROR, 0},            /* P2 */
    {"a date's form", wrong_date, "dates", GS_ERROR, 0},           /* W6 */
    {"a parent that is a name", wrong_commit, "commits", GS_ERROR, 0},
    {"a list out of order", unsorted_list, "lists", GS_ERROR, 0},
    {"an empty spec", empty_spec, "texts", GS_ERROR, 0}, /* K4 */
    {"a language", odd_language, "words", GS_ERROR, 0},
    {"one fix twice", same_fix, "unique", GS_ERROR, 0},       /* I4, F135 */
    {"rows out of order", wrong_order, "order", GS_ERROR, 0}, /* P1 */
    {"credentials in a URL", password_in_url, "urls", GS_ERROR, 0}, /* W1 */
    {"a clock that was wrong", odd_clock, "times", GS_NOTICE, 0},
    {"a test that passed before", passed_before, "evidence", GS_ERROR, 0},
    {"runs seen once", seen_twice, "evidence", GS_ERROR, 0}, /* K1 */
    {"an id on both lists", on_both_lists, "evidence", GS_ERROR, 0},
    {"JSON that is none", not_json, "evidence", GS_ERROR, 0},
    {"a kind", odd_kind, "evidence", GS_ERROR, 0},                 /* K7 */
    {"a row too few", no_evidence, "evidence", GS_ERROR, 0},       /* P3 */
    {"a path", a_path, "paths", GS_WARNING, 0},                    /* P1 */
    {"another licence text", other_text, "licences", GS_ERROR, 0}, /* F139 */
    {"no licence text", no_text, "licences", GS_ERROR, 0},         /* L4 */
    {"a copyleft header", copyleft, "licences", GS_ERROR, 0},      /* L3 */
    {"a token", a_token, "secrets", GS_ERROR, 0},
    {"turned text", turned_text, "control", GS_WARNING, 0}, /* F171 */
    {"an escape", escape, "control", GS_NOTICE, 0},         /* F171 */
    {"a copy", a_copy, "near", GS_WARNING, 0},              /* F135 */
    {"a spec that tells", a_spoiler, "spec", GS_NOTICE, 0},
    {"28 columns", nothing, "schema", GS_ERROR, 1}, /* F133 */
};

#endif

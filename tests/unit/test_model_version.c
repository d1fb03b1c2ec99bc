/* SPDX-License-Identifier: Apache-2.0 */
/* Versions that tell the truth, and what differs between two records. */
#include <string.h>

#include "base/mem.h"
#include "gs_test.h"
#include "model/version.h"

static const struct {
	const char *text;
	bool is_version;
} texts[] = {
    {"1.2.3", true},
    {"0.0.0", true},
    {"999999.0.10", true},
    {"1.2", false},
    {"1.2.3.4", false},
    {"1.2.3.", false},
    {"01.2.3", false},
    {"1..3", false},
    {"v1.2.3", false},
    {"1.2.3-rc1", false},
    {"1.2.1000000", false},
    {" 1.2.3", false},
    {"", false},
};

START_TEST(versions_have_one_form)
	{
		struct gs_version version;
		char out[GS_VERSION_SIZE];
		ck_assert_int_eq(
		    gs_version_parse(gs_str(texts[_i].text), &version),
		    texts[_i].is_version);
		if (!texts[_i].is_version)
			return;
		gs_version_print(&version, out);
		ck_assert_str_eq(out, texts[_i].text);
	}

END_TEST

static const struct {
	enum gs_bump bump;
	const char *name, *next; /* after 1.2.3 */
} bumps[] = {
    {GS_BUMP_NONE, "none", "1.2.3"},
    {GS_BUMP_PATCH, "patch", "1.2.4"},
    {GS_BUMP_MINOR, "minor", "1.3.0"},
    {GS_BUMP_MAJOR, "major", "2.0.0"},
};

START_TEST(a_bump_is_the_lowest_true_version)
	{
		struct gs_version old = {1, 2, 3};
		struct gs_version next = gs_version_next(&old, bumps[_i].bump);
		char out[GS_VERSION_SIZE];
		gs_version_print(&next, out);
		ck_assert_str_eq(out, bumps[_i].next);
		ck_assert_str_eq(gs_bump_name(bumps[_i].bump), bumps[_i].name);
		ck_assert_int_eq(gs_version_cmp(&old, &next),
		    bumps[_i].bump == GS_BUMP_NONE ? 0 : -1);
		ck_assert_int_eq(gs_version_cmp(&next, &old),
		    bumps[_i].bump == GS_BUMP_NONE ? 0 : 1);
	}

END_TEST

static void fill(void *row, const struct gs_column *columns, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		void *member = (char *)row + columns[i].offset;
		if (columns[i].type == GS_COLUMN_TEXT)
			*(char **)member = gs_strdup("same");
		else if (columns[i].type == GS_COLUMN_LIST)
			gs_strv_push(member, "same");
	}
}

static void change(void *row, const struct gs_column *column)
{
	void *member = (char *)row + column->offset;
	switch (column->type) {
	case GS_COLUMN_TEXT:
		(*(char **)member)[0] = 'S';
		break;
	case GS_COLUMN_LIST:
		gs_strv_push(member, "more");
		break;
	case GS_COLUMN_INT:
		++*(int64_t *)member;
		break;
	case GS_COLUMN_BOOL:
		*(bool *)member = true;
		break;
	}
}

/* Every column counts, and only the audit trail counts less. */
START_TEST(every_column_of_a_record_counts)
	{
		for (size_t i = 0; i < gs_n_record_columns; i++) {
			struct gs_record old = {0}, new = {0};
			struct gs_strv columns = {0}, trail = {0};
			const char *name = gs_record_columns[i].name;
			fill(&old, gs_record_columns, gs_n_record_columns);
			fill(&new, gs_record_columns, gs_n_record_columns);
			gs_record_differs(&old, &new, &columns, &trail);
			ck_assert_uint_eq(columns.n + trail.n, 0);
			change(&new, &gs_record_columns[i]);
			gs_record_differs(&old, &new, &columns, &trail);
			bool is_trail = strncmp(name, "validat", 7) == 0;
			ck_assert_uint_eq(columns.n, !is_trail);
			ck_assert_uint_eq(trail.n, is_trail);
			ck_assert_str_eq(
			    (is_trail ? trail : columns).v[0], name);
			gs_strv_release(&columns);
			gs_strv_release(&trail);
			gs_record_release(&old);
			gs_record_release(&new);
		}
	}

END_TEST

/* E2: what decides a score is no mere trail. */
START_TEST(evidence_that_decides_a_score_counts)
	{
		size_t scored = 0;
		for (size_t i = 0; i < gs_n_evidence_columns; i++) {
			struct gs_evidence old = {0}, new = {0};
			struct gs_strv columns = {0}, trail = {0};
			fill(&old, gs_evidence_columns, gs_n_evidence_columns);
			fill(&new, gs_evidence_columns, gs_n_evidence_columns);
			change(&new, &gs_evidence_columns[i]);
			gs_evidence_differs(&old, &new, &columns, &trail);
			ck_assert_uint_eq(columns.n + trail.n, 1);
			scored += columns.n;
			if (strcmp(gs_evidence_columns[i].name,
			        "pass_to_pass") == 0)
				ck_assert_str_eq(
				    columns.v[0], "evidence.pass_to_pass");
			gs_strv_release(&columns);
			gs_strv_release(&trail);
			gs_evidence_release(&old);
			gs_evidence_release(&new);
		}
		ck_assert_uint_eq(scored, 8);
	}

END_TEST

GS_TESTS(model_version, GS_TEST_ROWS(versions_have_one_form, texts),
    GS_TEST_ROWS(a_bump_is_the_lowest_true_version, bumps),
    GS_TEST(every_column_of_a_record_counts),
    GS_TEST(evidence_that_decides_a_score_counts))

/* SPDX-License-Identifier: Apache-2.0 */
/* Shards: the same on every machine, all of them together everything. */
#include <stdio.h>
#include <string.h>

#include "gs_test.h"
#include "model/shard.h"

/* Computed by another program from docs/scale.md: hashlib in Python. */
static const struct {
	const char *name;
	uint32_t of_2, of_3, of_7, of_1000;
} known[] = {
    {"demo/tally", 0, 0, 1, 602},
    {"pallets/click", 0, 2, 3, 92},
    {"owner/name", 0, 1, 0, 398},
    {"a/b", 1, 2, 6, 61},
};

START_TEST(shards_are_those_of_the_document)
	{
		struct gs_str name = gs_str(known[_i].name);
		ck_assert_uint_eq(gs_shard_of(name, 0), 0);
		ck_assert_uint_eq(gs_shard_of(name, 1), 0);
		ck_assert_uint_eq(gs_shard_of(name, 2), known[_i].of_2);
		ck_assert_uint_eq(gs_shard_of(name, 3), known[_i].of_3);
		ck_assert_uint_eq(gs_shard_of(name, 7), known[_i].of_7);
		ck_assert_uint_eq(gs_shard_of(name, 1000), known[_i].of_1000);
	}

END_TEST

START_TEST(each_project_is_in_one_shard_and_no_shard_is_crowded)
	{
		enum {
			N = 8,
			PROJECTS = 4000
		};

		unsigned filled[N] = {0};
		for (int i = 0; i < PROJECTS; i++) {
			char name[32];
			unsigned homes = 0;
			(void)snprintf(name, sizeof(name), "owner-%d/n", i);
			for (uint32_t at = 0; at < N; at++) {
				struct gs_shard shard = {at, N};
				bool has = gs_shard_has(&shard, name);
				homes += has;
				filled[at] += has;
			}
			ck_assert_uint_eq(homes, 1);
		}
		for (int at = 0; at < N; at++)
			ck_assert(filled[at] > 400 && filled[at] < 600);
	}

END_TEST

static const struct {
	const char *text, *error; /* NULL: it is one */
	uint32_t at, n;
} texts[] = {
    {"0/1", NULL, 0, 1},
    {"7/8", NULL, 7, 8},
    {"99999/100000", NULL, 99999, 100000},
    {"1/1", "the last of 1 is 0/1", 0, 0},
    {"8/8", "the last of 8 is 7/8", 0, 0},
    {"0/0", "with N from 1 to 100000", 0, 0},
    {"0/100001", "--shard takes I/N", 0, 0},
    {"", "--shard takes I/N", 0, 0},
    {"/", "--shard takes I/N", 0, 0},
    {"1", "--shard takes I/N", 0, 0},
    {"1/", "--shard takes I/N", 0, 0},
    {"/2", "--shard takes I/N", 0, 0},
    {"-1/2", "--shard takes I/N", 0, 0},
    {"+1/2", "--shard takes I/N", 0, 0},
    {"0/2 ", "--shard takes I/N", 0, 0},
    {"0/2/3", "--shard takes I/N", 0, 0},
    {"4294967296/2", "--shard takes I/N", 0, 0},
    {"0/18446744073709551617", "--shard takes I/N", 0, 0},
};

START_TEST(texts_are_parsed_or_refused)
	{
		struct gs_shard shard = {0};
		struct gs_err err = {0};
		int rc = gs_shard_parse(texts[_i].text, &shard, &err);
		if (texts[_i].error) {
			ck_assert_int_eq(rc, GS_E_USAGE);
			ck_assert_msg(strstr(err.text, texts[_i].error) != NULL,
			    "%s", err.text);
			ck_assert_uint_eq(shard.n, 0);
			return;
		}
		ck_assert_int_eq(rc, 0);
		ck_assert_uint_eq(shard.at, texts[_i].at);
		ck_assert_uint_eq(shard.n, texts[_i].n);
	}

END_TEST

GS_TESTS(shard, GS_TEST_ROWS(shards_are_those_of_the_document, known),
    GS_TEST(each_project_is_in_one_shard_and_no_shard_is_crowded),
    GS_TEST_ROWS(texts_are_parsed_or_refused, texts))

/* SPDX-License-Identifier: Apache-2.0 */
/* The pure parts of an audit: secrets, copies. */
#include <string.h>

#include "audit/near.h"
#include "audit/secrets.h"
#include "base/buf.h"
#include "base/mem.h"
#include "gs_test.h"

static const struct gs_watch unwatched;

#define BASE64 "MIIEowIBAAKCAQEAx8Qm3vJ7bq2Zk9Yt5Wf1Hc6Nd0Ls4Pe8Ru"

/* Made up: none opens anything. Split, so that no scanner takes this file
 * for a leak. */
static const struct {
	const char *text, *what; /* NULL: nothing is found */
	size_t line;
} secrets[] = {
    {"k = 'AKIA"
     "Q7RZ5M2KX9WD4TBV'\n",
        "an AWS access key", 1},
    {"\n\ntoken: gh"
     "p_9aZb3Yc7Xd1We5Vf2Ug8Th4Si6Rj0Qk3PlMn\n",
        "a GitHub token", 3},
    {"-----BEGIN RSA "
     "PRIVATE KEY-----\n" BASE64 "\n",
        "a private key", 1},
    {"x = '-----BEGIN "
     "PRIVATE KEY-----\\n" BASE64 "\\n'\n",
        "a private key", 1},
    {"api_key = \"q8Zr4Tn1Xv7Lk3Wd9Yb5\"\n", "a long random value", 1},
    {"{\"client_secret\": \"0a9f8b7c6d5e4f3a2b1c0d9e8f7a6b5c\"}",
        "a long random value", 1},
    {"git clone https://bot:Xk39dLq72MzP@host/x\n", "a password in a URL", 1},
    /* What is none, though it looks a little like one. */
    {"k = 'AKIAIOSFODNN7EXAMPLE'\n", NULL, 0},
    {"k = 'AKIAAAAAAAAAAAAAAAAA'\n", NULL, 0},
    {"if '-----BEGIN PRIVATE KEY-----' in text:\n    pass\n", NULL, 0},
    {"password = \"correct horse battery staple\"\n", NULL, 0},
    {"token = 'this_is_a_plain_identifier_of_code'\n", NULL, 0},
    {"secret = 'your-secret-key-goes-here-0123'\n", NULL, 0},
    {"password = get_password_from_environment(name)\n", NULL, 0},
    {"sha256 = '0a9f8b7c6d5e4f3a2b1c0d9e8f7a6b5c'\n", NULL, 0},
    {"https://user:password@example.org/\n", NULL, 0},
    {"commit 2374989150e04a05d4dd5280835036f1fc4a6190\n", NULL, 0},
    {"token = TokenKind.NUMBER_LITERAL_OF_SOME_LENGTH\n", NULL, 0},
    {"", NULL, 0},
};

START_TEST(secrets_are_found_and_examples_are_not)
	{
		struct gs_str rest = gs_str(secrets[_i].text);
		struct secret secret;
		size_t line = 1;
		bool is = secret_next(&rest, &line, &secret);
		ck_assert_msg(is == (secrets[_i].what != NULL), "%s: %s",
		    secrets[_i].text, is ? secret.what : "");
		if (!is)
			return;
		ck_assert_str_eq(secret.what, secrets[_i].what);
		ck_assert_uint_eq(secret.line, secrets[_i].line);
		ck_assert(!secret_next(&rest, &line, &secret));
	}

END_TEST

/* A function of n lines whose k-th line says `word`. */
static char *code(size_t n, size_t k, const char *word)
{
	struct gs_buf text = {0};
	gs_buf_addz(&text, "def f(a, b):\n");
	for (size_t i = 0; i < n; i++)
		gs_buf_addf(
		    &text, "    x%zu = a + b * %s\n", i, i == k ? word : "c");
	return gs_buf_steal(&text);
}

static void count_pair(void *ctx, size_t a, size_t b, double similarity)
{
	ck_assert_uint_lt(a, b);
	ck_assert(similarity >= NEAR_LEAST && similarity <= 1);
	++*(size_t *)ctx;
}

static const struct {
	size_t n, m; /* lines of either */
	const char *word;
	bool other_group, is_near;
} pairs[] = {
    {100, 100, "c", true, true},   /* equal */
    {100, 100, "d", true, true},   /* one word of 600 */
    {100, 100, "c", false, false}, /* one project's own business */
    {100, 60, "c", true, false},   /* much was cut */
    {4, 4, "c", true, false},      /* too short to prove anything */
    {2000, 2000, "d", true, true}, /* more than is kept of a text */
    {2000, 1000, "c", true, false},
};

START_TEST(copies_across_projects_are_found)
	{
		struct near near = {0};
		char *one = code(pairs[_i].n, 3, "c");
		char *two = code(pairs[_i].m, 3, pairs[_i].word);
		char *else_ = code(80, 1000, "c");
		for (char *c = else_; *c; c++) /* alike, with other words */
			*c = *c == 'x' ? 'y' : *c == 'a' ? 'z' : *c;
		size_t n = 0;
		near_add(&near, gs_str(one), 1);
		near_add(&near, gs_str(else_), 2);
		near_add(&near, gs_str(two), pairs[_i].other_group ? 3 : 1);
		near_add(&near, gs_str(""), 4);
		near_pairs(&near, &unwatched, count_pair, &n);
		ck_assert_uint_eq(n, pairs[_i].is_near);
		near_release(&near);
		free(one);
		free(two);
		free(else_);
	}

END_TEST

static void count_paired(void *ctx, size_t a, size_t b, double similarity)
{
	size_t *paired = ctx;
	(void)similarity;
	paired[a]++;
	paired[b]++;
}

START_TEST(a_crowd_is_named_without_its_square)
	{
		GS_CLEANUP(gs_freep) char *one = code(100, 0, "c");
		size_t paired[300] = {0}, all = 0;
		struct near near = {0};

		for (size_t i = 0; i < 300; i++)
			near_add(&near, gs_str(one), i);
		near_pairs(&near, &unwatched, count_paired, paired);
		for (size_t i = 0; i < 300; i++) {
			ck_assert_uint_gt(paired[i], 0);
			all += paired[i];
		}
		ck_assert_uint_le(all, 2 * 300 * 16);
		near_release(&near);
	}

END_TEST

GS_TESTS(audit, GS_TEST_ROWS(secrets_are_found_and_examples_are_not, secrets),
    GS_TEST_ROWS(copies_across_projects_are_found, pairs),
    GS_TEST(a_crowd_is_named_without_its_square))

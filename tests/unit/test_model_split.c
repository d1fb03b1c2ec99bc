/* SPDX-License-Identifier: Apache-2.0 */
/* P4: clusters, sides, and what can be guessed without the key. */
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "gs_test.h"
#include "model/commitment.h"
#include "model/split.h"

static struct gs_str test_key(void)
{
	static char key[GS_SPLIT_KEY_MIN];
	for (size_t i = 0; i < sizeof(key); i++)
		key[i] = (char)i;
	return gs_str_n(key, sizeof(key));
}

static void words(struct gs_strv *list, const char *letters)
{
	for (; *letters; letters++) {
		char word[41];
		memset(word, *letters, 40);
		word[40] = '\0';
		gs_strv_push(list, word);
	}
}

/* One letter a root or a fingerprint. */
static const struct {
	const char *roots[4], *fingerprints[4];
	double fraction;
	size_t clusters[4];
	const char *withheld; /* of each */
} rows[] = {
    /* The fractions of a, ab and c, computed by Python's hmac: 0.468, 0.209
     * and 0.0216. */
    {{"a"}, {""}, 0.4681, {0}, "y"},
    {{"a"}, {""}, 0.4680, {0}, "n"},
    {{"ba"}, {""}, 0.2088, {0}, "y"},
    {{"abab"}, {""}, 0.2087, {0}, "n"},
    {{"c"}, {""}, 0.0216, {0}, "y"},
    {{"c"}, {""}, 0.0215, {0}, "n"},
    /* Alone; a fork; a chain of forks; a fingerprint. */
    {{"a", "c"}, {"", ""}, 0.1, {0, 1}, "ny"},
    {{"a", "ab"}, {"", ""}, 0.2088, {0, 0}, "yy"},
    {{"a", "b", "ab"}, {"", "", ""}, 0.2087, {0, 0, 0}, "nnn"},
    {{"a", "b"}, {"x", "yx"}, 0.2088, {0, 0}, "yy"},
    {{"a", "c", "b"}, {"x", "", "x"}, 0.2087, {0, 1, 0}, "nyn"},
    /* A root is no fingerprint. */
    {{"a", "c"}, {"c", "a"}, 0.1, {0, 1}, "ny"},
    /* Without a commit there is nothing to withhold. */
    {{"", ""}, {"", ""}, 1.0, {0, 1}, "nn"},
};

START_TEST(clusters_go_whole_to_one_side)
	{
		struct gs_split_project projects[4] = {0};
		size_t n = strlen(rows[_i].withheld);
		for (size_t i = 0; i < n; i++) {
			words(&projects[i].roots, rows[_i].roots[i]);
			words(&projects[i].fingerprints,
			    rows[_i].fingerprints[i]);
		}
		gs_split(projects, n, test_key(), rows[_i].fraction);
		for (size_t i = 0; i < n; i++) {
			ck_assert_uint_eq(
			    projects[i].cluster, rows[_i].clusters[i]);
			ck_assert_int_eq(projects[i].is_withheld,
			    rows[_i].withheld[i] == 'y');
			gs_split_project_release(&projects[i]);
		}
	}

END_TEST

/* Each project has its root; every fifth is a fork of the one before. */
#define N 4000
#define FRACTION 0.2

static void name_of(size_t i, char out[32])
{
	(void)snprintf(out, 32, "owner%zu/project%zu", i % 97, i);
}

static void root_of(size_t i, char out[GS_SHA256_HEX])
{
	char text[32];
	(void)snprintf(text, sizeof(text), "root %zu", i);
	gs_sha256_hex(gs_str(text), out);
}

static struct gs_split_project *many(bool backwards)
{
	struct gs_split_project *projects = gs_alloc(N * sizeof(*projects));
	for (size_t k = 0; k < N; k++) {
		size_t i = backwards ? N - 1 - k : k;
		char root[GS_SHA256_HEX];
		root_of(i % 5 == 4 ? i - 1 : i, root);
		gs_strv_push(&projects[k].roots, root);
	}
	gs_split(projects, N, test_key(), FRACTION);
	return projects;
}

static void drop(struct gs_split_project *projects)
{
	for (size_t i = 0; i < N; i++)
		gs_split_project_release(&projects[i]);
	free(projects);
}

START_TEST(the_order_of_projects_does_not_matter)
	{
		struct gs_split_project *one = many(false), *two = many(true);
		size_t withheld = 0;
		for (size_t i = 0; i < N; i++) {
			ck_assert_int_eq(
			    one[i].is_withheld, two[N - 1 - i].is_withheld);
			withheld += one[i].is_withheld;
			if (i % 5 == 4)
				ck_assert_int_eq(
				    one[i].is_withheld, one[i - 1].is_withheld);
		}
		/* Of N, with forks: 4 sigma are 4 sqrt(0.16 * 1.4 / N). */
		ck_assert_uint_gt(withheld, N * 17 / 100);
		ck_assert_uint_lt(withheld, N * 23 / 100);
		drop(one);
		drop(two);
	}

END_TEST

/* Whoever has all names and root ids, and no key, guesses. Each gives a
 * number below 1; below the fraction means "withheld". */
static double of_hex(const char *hex)
{
	unsigned char bytes[4];
	ck_assert(gs_unhex(gs_str_n(hex, 8), bytes, 4));
	return (bytes[0] * 0x1p24 + bytes[1] * 0x1p16 + bytes[2] * 0x1p8 +
	           bytes[3]) /
	       0x1p32;
}

static double of_mac(const char *key, const char *text)
{
	unsigned char mac[GS_SHA256_SIZE];
	char hex[GS_SHA256_HEX];
	gs_hmac_sha256(gs_str(key), gs_str(text), mac);
	gs_hex(mac, sizeof(mac), hex);
	return of_hex(hex);
}

static double by_root_itself(const char *name, const char *root)
{
	(void)name;
	return of_hex(root);
}

static double by_root_hash(const char *name, const char *root)
{
	char hex[GS_SHA256_HEX];
	(void)name;
	gs_sha256_hex(gs_str(root), hex);
	return of_hex(hex);
}

static double by_name_hash(const char *name, const char *root)
{
	char hex[GS_SHA256_HEX];
	(void)root;
	gs_sha256_hex(gs_str(name), hex);
	return of_hex(hex);
}

static double by_empty_key(const char *name, const char *root)
{
	(void)name;
	return of_mac("", root);
}

static double by_name_as_key(const char *name, const char *root)
{
	return of_mac(name, root);
}

static double by_guessed_key(const char *name, const char *root)
{
	(void)name;
	return of_mac("00000000000000000000000000000000", root);
}

static double by_owner(const char *name, const char *root)
{
	(void)root;
	return strncmp(name, "owner1", 6) == 0 ? 0 : 0.9;
}

static double (*const guesses[])(const char *name, const char *root) = {
    by_root_itself, by_root_hash, by_name_hash, by_empty_key, by_name_as_key,
    by_guessed_key, by_owner};

START_TEST(a_guess_without_the_key_is_no_better_than_the_base_rate)
	{
		struct gs_split_project *projects = many(false);
		size_t withheld = 0, named = 0, right = 0, all = 0;
		for (size_t i = 0; i < N; i++) {
			char name[32], root[GS_SHA256_HEX];
			if (i % 5 == 4) /* follows from the one before */
				continue;
			name_of(i, name);
			root_of(i, root);
			bool guess = guesses[_i](name, root) < FRACTION;
			all++;
			withheld += projects[i].is_withheld;
			named += guess;
			right += guess && projects[i].is_withheld;
		}
		ck_assert_uint_gt(named, 100);
		double base = (double)withheld / (double)all;
		double hits = (double)right / (double)named;
		/* 3 sigma of a share of `named` draws: squares, no libm. */
		double bound = 9 * base * (1 - base) / (double)named;
		ck_assert_msg((hits - base) * (hits - base) < bound,
		    "guess %d: %.3f of %zu, base %.3f", _i, hits, named, base);
		/* With the key every guess is right. */
		drop(projects);
	}

END_TEST

/* Roots computed by Python from the text in commitment.h. */
static const struct {
	size_t n;
	const char *root;
} commitments[] = {
    {0, "8826524632e8981e6e37bee501159e630c39dc2e34b04740f5659bacb6cbed0f"},
    {1, "1a3fbec7121c5bcc93a3ed5b695477994e1ff933c3092f12afc55b06abf38986"},
    {2, "6c9bee7cf93d9544d2018ff4edc1682733400e3e464ec20be79c08b471cf42da"},
    {6, "12cc6c0b1978211b10a4de22a13cf52c0c67c362c126225ad3f50e8aa15a060b"},
};

START_TEST(a_commitment_is_the_root_of_salted_ids)
	{
		size_t n = commitments[_i].n + 1;
		struct gs_leaf leaves[7] = {0};
		char ids[7][20] = {0}, root[GS_SHA256_HEX];
		for (size_t i = 0; i < n; i++) { /* the order does not matter */
			size_t k = n - 1 - i;
			if (i > 0)
				(void)snprintf(
				    ids[k], sizeof(ids[k]), "gs-%016zx", i);
			leaves[k].id = gs_str(ids[k]);
			gs_leaf_salt(test_key(), leaves[k].id, leaves[k].salt);
		}
		gs_commitment_root(leaves, n, root);
		ck_assert_str_eq(root, commitments[_i].root);
		leaves[0].salt[31] ^= 1;
		gs_commitment_root(leaves, n, root);
		ck_assert_str_ne(root, commitments[_i].root);
	}

END_TEST

GS_TESTS(model_split, GS_TEST_ROWS(clusters_go_whole_to_one_side, rows),
    GS_TEST(the_order_of_projects_does_not_matter),
    GS_TEST_ROWS(
        a_guess_without_the_key_is_no_better_than_the_base_rate, guesses),
    GS_TEST_ROWS(a_commitment_is_the_root_of_salted_ids, commitments))

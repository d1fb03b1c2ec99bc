/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "gs_test.h"

#define N_KEYS 700

static const uint32_t seeds[] = {1, 2, 3, 5, 8};

/* Against an array of all keys: random gets, sets and adds. */
START_TEST(agrees_with_a_model)
	{
		struct gs_map map = {0};
		void *model[N_KEYS] = {0};
		bool present[N_KEYS] = {0};
		int order[N_KEYS];
		size_t n = 0;
		uint32_t state = seeds[_i];
		int values[N_KEYS];

		for (int step = 0; step < 3000; step++) {
			state = state * 1664525u + 1013904223u;
			size_t i = (state >> 8) % N_KEYS;
			char text[16];
			(void)snprintf(text, sizeof(text), "key%zu", i);
			/* One key in seven holds a NUL. */
			struct gs_str key = gs_str_n(text, strlen(text));
			if (i % 7 == 0)
				text[1] = '\0';
			ck_assert_int_eq(gs_map_has(&map, key), present[i]);
			ck_assert_ptr_eq(gs_map_get(&map, key), model[i]);
			if (!present[i])
				order[n++] = (int)i;
			if (state & 0x80) {
				*gs_map_at(&map, key) = model[i] = &values[i];
			} else {
				ck_assert_int_eq(
				    gs_map_add(&map, key, &values[i]),
				    !present[i]);
				if (!present[i])
					model[i] = &values[i];
			}
			present[i] = true;
			ck_assert_uint_eq(map.n, n);
			ck_assert_int_eq(order[gs_map_index(&map, key)], i);
		}
		/* Iteration is in insertion order. */
		for (size_t i = 0; i < n; i++) {
			char text[16];
			(void)snprintf(text, sizeof(text), "key%d", order[i]);
			size_t length = strlen(text);
			if (order[i] % 7 == 0)
				text[1] = '\0';
			ck_assert(gs_str_eq(
			    map.entries[i].key, gs_str_n(text, length)));
			ck_assert_int_eq(map.entries[i].key.p[length], '\0');
			ck_assert_ptr_eq(map.entries[i].value, model[order[i]]);
		}
		gs_map_release(&map);
		ck_assert_uint_eq(map.n, 0);
		ck_assert(!gs_map_has(&map, GS_STR("key1")));
	}

END_TEST

START_TEST(zeroed_is_empty)
	{
		struct gs_map map = {0};

		ck_assert_ptr_null(gs_map_get(&map, GS_STR("")));
		ck_assert_ptr_null(*gs_map_at(&map, GS_STR("")));
		ck_assert(gs_map_has(&map, GS_STR("")));
		ck_assert(!gs_map_add(&map, GS_STR(""), &map));
		ck_assert_ptr_null(gs_map_get(&map, GS_STR("")));
		gs_map_release(&map);
		gs_map_release(&map);
	}

END_TEST

/* FIPS 180-2, RFC 4231 case 2 */
START_TEST(hashes_as_published)
	{
		char hex[GS_SHA256_HEX];
		unsigned char mac[GS_SHA256_SIZE];

		gs_sha256_hex(gs_str(NULL), hex);
		ck_assert_str_eq(hex,
		    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934c"
		    "a495991b7852b855");
		struct gs_sha256 sha;
		gs_sha256_init(&sha);
		gs_sha256_add(&sha, GS_STR("a"));
		gs_sha256_add(&sha, GS_STR("bc"));
		gs_sha256_end_hex(&sha, hex);
		ck_assert_str_eq(hex,
		    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9c"
		    "b410ff61f20015ad");
		gs_hmac_sha256(GS_STR("Jefe"),
		    GS_STR("what do ya want for nothing?"), mac);
		gs_hex(mac, sizeof(mac), hex);
		ck_assert_str_eq(hex,
		    "5bdcc146bf60754e6a042426089575c75a003f089d273983"
		    "9dec58b964ec3843");
	}

END_TEST

START_TEST(hex_goes_both_ways)
	{
		unsigned char bytes[3];
		char hex[7];

		ck_assert(gs_unhex(GS_STR("00fFa1"), bytes, 3));
		gs_hex(bytes, 3, hex);
		ck_assert_str_eq(hex, "00ffa1");
		ck_assert(!gs_unhex(GS_STR("00ffa"), bytes, 3));
		ck_assert(!gs_unhex(GS_STR("00ffag"), bytes, 3));
		ck_assert(!gs_unhex(GS_STR("00ffa1 "), bytes, 3));
	}

END_TEST

/* Tables rest on the low bits: neighbours must not share them. */
START_TEST(hash64_spreads)
	{
		int hits[1024] = {0}, worst = 0;

		for (int i = 0; i < 10240; i++) {
			char key[16];
			(void)snprintf(key, sizeof(key), "n%d", i);
			int *hit = &hits[gs_hash64(gs_str(key)) % 1024];
			worst = ++*hit > worst ? *hit : worst;
		}
		ck_assert_int_lt(worst, 40); /* 10 expected */
	}

END_TEST

GS_TESTS(base_map, GS_TEST_ROWS(agrees_with_a_model, seeds),
    GS_TEST(zeroed_is_empty), GS_TEST(hashes_as_published),
    GS_TEST(hex_goes_both_ways), GS_TEST(hash64_spreads))

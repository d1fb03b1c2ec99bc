/* SPDX-License-Identifier: Apache-2.0 */
/* str, buf, strv, vec, arena, mem, err, log */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/log.h"
#include "base/mem.h"
#include "base/str.h"
#include "base/strv.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "gs_test.h"

/* A small fixed generator: a failure can be had again. */
static uint32_t next_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

START_TEST(str_compares_bytes)
	{
		struct gs_str nul = gs_str_n("a\0b", 3);

		ck_assert(gs_str_eq(nul, gs_str_n("a\0b", 3)));
		ck_assert(!gs_str_is(nul, "a"));
		ck_assert(gs_str_eq(gs_str(NULL), gs_str("")));
		ck_assert_int_lt(gs_str_cmp(GS_STR("ab"), GS_STR("abc")), 0);
		ck_assert_int_gt(gs_str_cmp(GS_STR("b"), GS_STR("abc")), 0);
		/* Bytes are unsigned: é sorts behind z. */
		ck_assert_int_gt(
		    gs_str_cmp(GS_STR("\xc3\xa9"), GS_STR("z")), 0);
		ck_assert_int_eq(gs_str_cmp(gs_str(NULL), GS_STR("")), 0);
		ck_assert(gs_str_ieq(GS_STR(".GiT"), GS_STR(".git")));
		ck_assert(!gs_str_ieq(GS_STR("@"), GS_STR("`")));
	}

END_TEST

START_TEST(str_finds)
	{
		struct gs_str s = GS_STR("tests/unit/test_a.py");

		ck_assert(gs_str_starts(s, "tests/"));
		ck_assert(gs_str_ends(s, ".py"));
		ck_assert(!gs_str_starts(GS_STR("te"), "tests/"));
		ck_assert(!gs_str_ends(GS_STR("y"), ".py"));
		ck_assert_int_eq(gs_str_find(s, GS_STR("unit")), 6);
		ck_assert_int_eq(gs_str_find(s, GS_STR("Unit")), -1);
		ck_assert_int_eq(gs_str_find(s, GS_STR("")), 0);
		ck_assert_int_eq(gs_str_find_char(s, '/'), 5);
		ck_assert_int_eq(gs_str_rfind_char(s, '/'), 10);
		ck_assert_int_eq(gs_str_rfind_char(GS_STR(""), '/'), -1);
		ck_assert(gs_str_contains(s, GS_STR("_a.")));
		ck_assert(gs_str_is(gs_str_from(s, 11), "test_a.py"));
		ck_assert(gs_str_is(gs_str_from(s, 99), ""));
		ck_assert(gs_str_is(gs_str_sub(s, 6, 10), "unit"));
		ck_assert(gs_str_is(gs_str_sub(s, 10, 6), ""));
		ck_assert(gs_str_is(gs_str_trim(GS_STR(" \t a b\r\n")), "a b"));
		ck_assert(gs_str_is(gs_str_trim(GS_STR(" \n")), ""));
	}

END_TEST

static const struct cut_row {
	const char *in, *parts; /* parts joined by '|' */
} cut_rows[] = {
    {"", ""},
    {"a", "a|"},
    {"a,b", "a|b|"},
    {",a", "|a|"},
    {"a,", "a|"}, /* no empty part behind a last separator */
    {"a,,b", "a||b|"},
};

START_TEST(str_cut)
	{
		const struct cut_row *row = &cut_rows[_i];
		GS_CLEANUP(gs_buf_release) struct gs_buf parts = {0};
		struct gs_str rest = gs_str(row->in), part;

		while (gs_str_cut(&rest, ',', &part)) {
			gs_buf_adds(&parts, part);
			gs_buf_addc(&parts, '|');
		}
		ck_assert_str_eq(gs_buf_cstr(&parts), row->parts);
	}

END_TEST

static const struct {
	const char *word, *quoted;
} shell_words[] = {
    {"plain/path-1.2_3:4,5=@%+", "plain/path-1.2_3:4,5=@%+"},
    {"", "''"},
    {"two words", "'two words'"},
    {"it's", "'it'\\''s'"},
    {"-rf", "./'-rf'"},
    {"a\nb", "'a\nb'"},
    {"$HOME`x`", "'$HOME`x`'"},
    {"~", "'~'"},
};

START_TEST(a_word_as_a_shell_takes_it)
	{
		GS_CLEANUP(gs_buf_release) struct gs_buf out = {0};
		gs_buf_add_quoted(&out, shell_words[_i].word);
		ck_assert_str_eq(gs_buf_cstr(&out), shell_words[_i].quoted);
	}

END_TEST

static const uint32_t buf_seeds[] = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89};

/* B1 to B3 against a plain model, over random sequences of calls. */
START_TEST(buf_keeps_its_invariants)
	{
		uint32_t state = buf_seeds[_i];
		struct gs_buf buf = {.max = 1 + next_random(&state) % 400};
		char model[512];
		size_t n = 0;
		bool overflow = false;

		for (int step = 0; step < 300; step++) {
			char bytes[40];
			size_t add = next_random(&state) % sizeof(bytes);
			memset(bytes, (int)('a' + step % 26), sizeof(bytes));
			switch (next_random(&state) % 6) {
			case 0:
				gs_buf_reset(&buf);
				n = 0;
				overflow = false;
				continue;
			case 1:
				gs_buf_cut(&buf, add);
				n = add < n ? add : n;
				continue;
			case 2:
				gs_buf_addf(&buf, "%.*s", (int)add, bytes);
				break;
			case 3: {
				char *room = gs_buf_room(&buf, add);
				ck_assert_int_eq(room != NULL,
				    !overflow && n + add <= buf.max);
				if (room) {
					memcpy(room, bytes, add);
					gs_buf_grew(&buf, add);
				}
				/* Asking for room is an append as to overflow.
				 */
				break;
			}
			default:
				gs_buf_add(&buf, bytes, add);
			}
			if (!overflow && n + add <= buf.max) {
				memcpy(model + n, bytes, add);
				n += add;
			} else if (add > 0) {
				overflow = true;
			}
			ck_assert_uint_eq(buf.n, n);
			ck_assert_uint_le(buf.n, buf.max);
			ck_assert_int_eq(buf.overflow, overflow);
			ck_assert_mem_eq(gs_buf_cstr(&buf), model, n);
			ck_assert_int_eq(gs_buf_cstr(&buf)[n], '\0');
		}
		gs_buf_release(&buf);
		ck_assert_str_eq(gs_buf_cstr(&buf), "");
	}

END_TEST

START_TEST(buf_zeroed_and_stolen)
	{
		struct gs_buf buf = {0};

		ck_assert_str_eq(gs_buf_cstr(&buf), "");
		ck_assert_ptr_nonnull(gs_buf_str(&buf).p);
		char *nothing = gs_buf_steal(&buf);
		ck_assert_str_eq(nothing, "");
		free(nothing);
		gs_buf_addz(&buf, "x");
		gs_buf_addf(&buf, "%s", "");
		gs_buf_adds(&buf, gs_str(NULL));
		char *x = gs_buf_steal(&buf);
		ck_assert_str_eq(x, "x");
		free(x);
		ck_assert_uint_eq(buf.n, 0);
		gs_buf_release(&buf);
	}

END_TEST

START_TEST(strv_is_always_an_argv)
	{
		GS_CLEANUP(gs_strv_release) struct gs_strv strv = {0};

		ck_assert_ptr_null(gs_strv_argv(&strv)[0]);
		gs_strv_push_all(&strv, "b", "a", "b", NULL);
		gs_strv_pushf(&strv, "%d", 7);
		gs_strv_push_str(&strv, gs_str_n("abc", 2));
		ck_assert_uint_eq(strv.n, 5);
		ck_assert_ptr_null(gs_strv_argv(&strv)[5]);
		gs_strv_copy(&strv, &strv);
		ck_assert_uint_eq(strv.n, 10);
		gs_strv_sort(&strv);
		gs_strv_uniq(&strv);
		ck_assert_uint_eq(strv.n, 4);
		ck_assert_str_eq(strv.v[0], "7");
		ck_assert_str_eq(strv.v[1], "a");
		ck_assert_str_eq(strv.v[2], "ab");
		ck_assert_str_eq(strv.v[3], "b");
		ck_assert_ptr_null(strv.v[4]);
		gs_strv_filter(&strv, (bool[]){true, false, true, false});
		ck_assert_uint_eq(strv.n, 2);
		ck_assert(gs_strv_has(&strv, "b"));
		ck_assert(!gs_strv_has(&strv, "ab"));
		ck_assert(gs_strv_has_sorted(&strv, "b"));
		ck_assert(!gs_strv_has_sorted(&strv, "ab"));
		GS_CLEANUP(gs_freep) char *joined = gs_strv_join(&strv, ", ");
		ck_assert_str_eq(joined, "a, b");
		gs_strv_pop(&strv);
		ck_assert_uint_eq(strv.n, 1);
		ck_assert_ptr_null(strv.v[1]);
		gs_strv_reset(&strv);
		ck_assert_uint_eq(strv.n, 0);
		ck_assert_ptr_null(gs_strv_argv(&strv)[0]);
	}

END_TEST

static int by_value(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	return (x > y) - (x < y);
}

START_TEST(vec_gives_zeroed_elements)
	{
		struct {
			int *v;
			size_t n, cap;
		} vec = {0};

		GS_VEC_SORT(&vec, by_value);
		for (int i = 0; i < 100; i++) {
			int *element = GS_VEC_ADD(&vec);
			ck_assert_int_eq(*element, 0);
			*element = 100 - i;
		}
		vec.n = 50; /* what is added anew is zeroed anew */
		ck_assert_int_eq(*GS_VEC_ADD(&vec), 0);
		GS_VEC_SORT(&vec, by_value);
		ck_assert_int_eq(vec.v[0], 0);
		ck_assert_int_eq(vec.v[1], 51);
		GS_VEC_FREE(&vec);
		ck_assert_ptr_null(vec.v);
	}

END_TEST

START_TEST(arena_keeps_what_it_gave)
	{
		struct gs_arena arena = {0};
		uint32_t state = 7;
		char *kept[200];

		gs_arena_reset(&arena);
		for (int round = 0; round < 3; round++) {
			for (int i = 0; i < 200; i++) {
				size_t n = next_random(&state) % 3000;
				if (i % 50 == 49)
					n *= 100;
				kept[i] = gs_arena_alloc(&arena, n + 1);
				ck_assert_uint_eq((uintptr_t)kept[i] % 16, 0);
				for (size_t b = 0; b <= n; b++)
					if (kept[i][b] != 0)
						ck_abort_msg("not zeroed");
				memset(kept[i], i, n + 1);
			}
			for (int i = 0; i < 200; i++)
				ck_assert_int_eq((unsigned char)kept[i][0], i);
			gs_arena_reset(&arena);
		}
		struct gs_str s = gs_arena_str(&arena, gs_str_n("a\0b", 3));
		ck_assert(gs_str_eq(s, gs_str_n("a\0b", 3)));
		ck_assert_int_eq(s.p[3], '\0');
		ck_assert_str_eq(gs_arena_cstr(&arena, gs_str(NULL)), "");
		gs_arena_release(&arena);
		gs_arena_release(&arena);
	}

END_TEST

START_TEST(mem_hands_over)
	{
		char *text = gs_format("%s-%d", "a", 1);

		ck_assert_str_eq(text, "a-1");
		char *other = gs_steal(&text);
		ck_assert_ptr_null(text);
		gs_freep(&other);
		ck_assert_ptr_null(other);
		ck_assert_ptr_null(gs_strdup(NULL));
		GS_CLEANUP(gs_freep) char *cut = gs_strndup("abc", 2);
		ck_assert_str_eq(cut, "ab");
	}

END_TEST

START_TEST(err_tells_the_whole)
	{
		struct gs_err err = {0};

		errno = ENOENT;
		ck_assert_int_eq(
		    gs_fail_sys(&err, "open %s", "/x"), GS_E_SYSTEM);
		ck_assert_str_eq(
		    err.text, "open /x: No such file or directory");
		ck_assert_int_eq(gs_wrap(&err, "read the list"), GS_E_SYSTEM);
		ck_assert_str_eq(err.text,
		    "read the list: open /x: No such file or directory");
		/* Its own text as an argument */
		ck_assert_int_eq(
		    gs_fail(&err, GS_E_LIMIT, "<%s>", err.text), GS_E_LIMIT);
		ck_assert_str_eq(err.text,
		    "<read the list: open /x: No such file or directory>");
		ck_assert_int_eq(err.code, GS_E_LIMIT);
		ck_assert_int_eq(gs_fail(NULL, GS_E_BUSY, "x"), GS_E_BUSY);
		ck_assert_int_eq(gs_fail_sys(NULL, "x"), GS_E_SYSTEM);
	}

END_TEST

/* Names from outside may be anything, and a cut may fall within a character:
 * the text stays valid UTF-8. */
START_TEST(err_is_valid_utf8)
	{
		struct gs_err err = {0};
		char name[1200];

		(void)gs_fail(&err, GS_E_CORRUPT, "bad \xff name \xe2\x82");
		ck_assert_str_eq(err.text, "bad ? name ??");
		for (size_t shift = 0; shift < 4; shift++) {
			memset(name, 'a', sizeof(name));
			for (size_t i = shift; i + 1 < sizeof(name) - 1; i += 2)
				memcpy(name + i, "\xc3\xa9", 2);
			name[sizeof(name) - 1] = '\0';
			(void)gs_fail(&err, GS_E_CORRUPT, "%s", name);
			ck_assert(gs_utf8_valid(gs_str(err.text)));
			ck_assert_uint_eq(
			    strlen(err.text), sizeof(err.text) - 1);
			(void)gs_wrap(&err, "%s", "outer");
			ck_assert(gs_utf8_valid(gs_str(err.text)));
			ck_assert(gs_str_starts(gs_str(err.text), "outer: "));
		}
	}

END_TEST

START_TEST(log_is_one_harmless_line)
	{
		char line[200] = "";
		int ends[2];

		ck_assert_int_eq(pipe(ends), 0);
		int saved = dup(STDERR_FILENO);
		(void)dup2(ends[1], STDERR_FILENO);
		gs_log("not on");
		gs_log_enable(true);
		gs_log("a%sb", "\n\033[31m");
		gs_log_enable(false);
		(void)dup2(saved, STDERR_FILENO);
		ssize_t n = read(ends[0], line, sizeof(line) - 1);
		ck_assert_int_gt(n, 0);
		ck_assert(gs_str_starts(gs_str(line), "goldset["));
		ck_assert(gs_str_ends(gs_str(line), "]: a\\x0a\\x1b[31mb\n"));
		ck_assert_ptr_null(strstr(line, "not on"));
		(void)close(saved);
		(void)close(ends[0]);
		(void)close(ends[1]);
	}

END_TEST

GS_TESTS(base, GS_TEST_ROWS(a_word_as_a_shell_takes_it, shell_words),
    GS_TEST(str_compares_bytes), GS_TEST(str_finds),
    GS_TEST_ROWS(str_cut, cut_rows),
    GS_TEST_ROWS(buf_keeps_its_invariants, buf_seeds),
    GS_TEST(buf_zeroed_and_stolen), GS_TEST(strv_is_always_an_argv),
    GS_TEST(vec_gives_zeroed_elements), GS_TEST(arena_keeps_what_it_gave),
    GS_TEST(mem_hands_over), GS_TEST(err_tells_the_whole),
    GS_TEST(err_is_valid_utf8), GS_TEST(log_is_one_harmless_line))

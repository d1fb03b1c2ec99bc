/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The boilerplate of a Check program, once:
 *
 *	static const struct row { const char *name, *in, *out; } rows[] = {…};
 *	START_TEST(paths) { const struct row *row = &rows[_i]; … } END_TEST
 *	GS_TESTS(model, GS_TEST(plain), GS_TEST_ROWS(paths, rows))
 *
 * Each test and each row runs in a process of its own; TAP comes out when
 * GS_TAP is set, plain text otherwise.
 */
#ifndef GS_TEST_H
#define GS_TEST_H

#include <check.h>
#include <stdlib.h>

struct gs_test_entry {
	const TTest *test;
	int rows;
};

#define GS_TEST(name)                                                          \
	{                                                                      \
		name, 0                                                        \
	}
#define GS_TEST_ROWS(name, table)                                              \
	{                                                                      \
		name, (int)(sizeof(table) / sizeof((table)[0]))                \
	}

#define GS_TESTS(suite_name, ...)                                              \
	int main(void)                                                         \
	{                                                                      \
		const struct gs_test_entry entries[] = {__VA_ARGS__};          \
		Suite *suite = suite_create(#suite_name);                      \
		for (size_t i = 0; i < sizeof(entries) / sizeof(entries[0]);   \
		     i++) {                                                    \
			TCase *tcase = tcase_create(entries[i].test->name);    \
			tcase_set_timeout(tcase, 120);                         \
			if (entries[i].rows > 0)                               \
				tcase_add_loop_test(tcase, entries[i].test, 0, \
				    entries[i].rows);                          \
			else                                                   \
				tcase_add_test(tcase, entries[i].test);        \
			suite_add_tcase(suite, tcase);                         \
		}                                                              \
		SRunner *runner = srunner_create(suite);                       \
		if (getenv("GS_TAP"))                                          \
			srunner_set_tap(runner, "-");                          \
		srunner_run_all(                                               \
		    runner, getenv("GS_TAP") ? CK_SILENT : CK_NORMAL);         \
		int failed = srunner_ntests_failed(runner);                    \
		srunner_free(runner);                                          \
		return failed ? EXIT_FAILURE : EXIT_SUCCESS;                   \
	}

#endif

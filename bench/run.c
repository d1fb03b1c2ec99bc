/* SPDX-License-Identifier: Apache-2.0 */
/* bench/run's program: plain pytest and cold runs by turns, medians. */
#include "run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "os/clock.h"
#include "os/proc.h"

#define PYTHON "/usr/bin/python3"

static int by_value(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
	return (x > y) - (x < y);
}

static int64_t plain_ms(const char *tree)
{
	GS_CLEANUP(gs_strv_release) struct gs_strv argv = {0};
	gs_strv_push_all(&argv, PYTHON, "-m", "pytest", "-q", "-p",
	    "no:cacheprovider", "tests/test_m.py", NULL);
	const char *const envp[] = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8",
	    "PYTEST_DISABLE_PLUGIN_AUTOLOAD=1", "PYTHONDONTWRITEBYTECODE=1",
	    NULL};
	GS_CLEANUP(gs_strv_release) struct gs_strv environment = {0};
	for (size_t i = 0; envp[i]; i++)
		gs_strv_push(&environment, envp[i]);
	const struct gs_child child = {.argv = gs_strv_argv(&argv),
	    .envp = gs_strv_argv(&environment),
	    .cwd = tree};
	struct gs_capture printed = {0};
	const struct gs_proc_io io = {.captured = &printed, .side_fd = -1};
	struct gs_end end;
	int64_t start = gs_clock_ms();
	if (gs_proc_run(&child, &io, &end, NULL) < 0 || end.code != 0)
		exit(3);
	gs_capture_release(&printed);
	return gs_clock_ms() - start;
}

static int64_t cold_ms(struct gs_slot *slot, const struct gs_run_spec *spec)
{
	struct gs_run run = {0};
	struct gs_err err = {0};
	int64_t start = gs_clock_ms();
	if (gs_run_cold(slot, spec, &run, &err) < 0 ||
	    run.kind != GS_RUN_COMPLETE || run.nodes.n != 20) {
		(void)fprintf(stderr, "bench/run: %s %s\n", err.text,
		    run.detail ? run.detail : "");
		exit(3);
	}
	int64_t took = gs_clock_ms() - start;
	gs_run_release(&run);
	return took;
}

int main(int argc, char **argv)
{
	if (argc != 4)
		return 2;
	int n = atoi(argv[3]);
	struct gs_err err = {0};
	struct gs_box box;
	struct gs_env env;
	struct gs_slot *slot;
	if (n < 1 || gs_box_probe(false, &box, &err) < 0 ||
	    gs_env_system(PYTHON, &env, &err) < 0 ||
	    gs_slot_open(argv[2], &box, &gs_box_default_limits, &slot, &err) <
	        0) {
		(void)fprintf(stderr, "bench/run: %s\n", err.text);
		return 3;
	}
	char *copy = gs_format("cp -a %s/. %s", argv[1], gs_slot_tree(slot));
	if (system(copy) != 0)
		return 3;
	free(copy);
	GS_CLEANUP(gs_strv_release) struct gs_strv files = {0}, roots = {0};
	gs_strv_push(&files, "tests/test_m.py");
	gs_strv_push(&roots, ".");
	const struct gs_run_spec spec = {
	    .env = &env, .files = &files, .import_roots = &roots};
	int64_t *plain = gs_alloc(sizeof(*plain) * (size_t)n);
	int64_t *cold = gs_alloc(sizeof(*cold) * (size_t)n);
	(void)plain_ms(argv[1]);
	(void)cold_ms(slot, &spec);
	for (int i = 0; i < n; i++) {
		plain[i] = plain_ms(argv[1]);
		cold[i] = cold_ms(slot, &spec);
	}
	qsort(plain, (size_t)n, sizeof(*plain), by_value);
	qsort(cold, (size_t)n, sizeof(*cold), by_value);
	long long p = plain[n / 2], c = cold[n / 2];
	printf("plain pytest %lld ms, cold run %lld ms (%s): ratio %.2f, "
	       "added %lld ms (bar 80)\n",
	    p, c, box.summary, (double)c / (double)(p ? p : 1), c - p);
	free(plain);
	free(cold);
	gs_slot_close(slot);
	gs_env_release(&env);
	gs_box_release(&box);
	return c - p <= 80 ? 0 : 1;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* Fills a workspace with a million commits of twenty projects, a tenth of
 * them candidates, and times what the product does with it. bench/store
 * builds and runs this. */

#include <time.h>

#include "base/mem.h"
#include "fill.h"
#include "os/clock.h"
#include "store/query.h"

#define PROJECTS 20

/* Processor time tells the store from a busy machine. */
static void report(const char *what, int64_t n, int64_t since_ms)
{
	static clock_t before;
	int64_t ms = gs_clock_ms() - since_ms;
	clock_t cpu = clock() - before;

	(void)printf("%-28s %9lld in %6lld ms  %9.0f/s, cpu %6ld ms\n", what,
	    (long long)n, (long long)ms,
	    1000.0 * (double)n / (double)(ms ? ms : 1),
	    (long)(cpu / (CLOCKS_PER_SEC / 1000)));
	before = clock();
}

static void fill(struct gs_store *store, int64_t n)
{
	struct gs_commit_row *rows = gs_alloc((size_t)n * sizeof(*rows));
	int64_t projects[PROJECTS];

	for (int i = 0; i < PROJECTS; i++)
		projects[i] = add_project(store, i);
	for (int64_t i = 0; i < n; i++) {
		struct gs_commit_row *row = &rows[i];
		*row = (struct gs_commit_row){
		    .project = projects[i * PROJECTS / n],
		    .n_parents = 1,
		    .committed_at = 1000000000 + i * 60,
		    .has_date = true,
		    .reason = i % 10 ? reasons[i % GS_COUNT(reasons)] : NULL,
		};
		oid_of((uint64_t)i, &row->id);
		oid_of((uint64_t)i + 1, &row->parent);
		if (row->reason)
			continue;
		row->licence = "MIT";
		row->licence_file = "LICENSE";
		row->licence_texts =
		    "{\"LICENSE\":\"e3b0c44298fc1c149afbf4c8996"
		    "fb92427ae41e4649b934ca495991b7852b855\"}";
	}
	report("make rows", n, gs_clock_ms());
	int64_t start = gs_clock_ms();
	must(gs_store_begin(store, &err));
	for (int64_t i = 0; i < n; i++)
		must(gs_store_put_commit(store, &rows[i], NULL, &err));
	must(gs_store_commit(store, &err));
	report("put_commit", n, start);
	start = gs_clock_ms();
	must(gs_store_begin(store, &err));
	for (int64_t i = 0; i < n; i++)
		must(gs_store_put_commit(store, &rows[i], NULL, &err));
	must(gs_store_commit(store, &err));
	report("put_commit again", n, start);
	free(rows);
}

static struct gs_verdict verdict_of(
    const struct gs_work *work, int64_t i, const char *runs)
{
	struct gs_verdict verdict = {.runs = gs_strdup(runs)};
	char hex[GS_SHA256_HEX];

	if (i % 10) {
		verdict.reason = gs_strdup("passes before");
		return verdict;
	}
	i /= 3; /* a third of them stand */
	gs_sha256_hex(gs_str_n((const char *)&i, sizeof(i)), hex);
	verdict.is_record = true;
	verdict.record.fingerprint = gs_strdup(hex);
	verdict.record.id = gs_format("gs-%.16s", work->id.hex);
	verdict.record.granularity = gs_strdup("function");
	verdict.record.repo = gs_strdup(work->project_name);
	verdict.record.source_after = gs_strdup(runs);
	verdict.evidence.change_kind = gs_strdup("bug");
	return verdict;
}

static void claim(struct gs_store *store, int64_t n, int64_t limit)
{
	const struct gs_work_filter filter = {.limit = limit};
	struct gs_work work = {0};
	int64_t start = gs_clock_ms(), i = 0;

	while (i < n && must(gs_store_claim(store, &filter, &work, &err)) > 0) {
		gs_work_release(&work);
		i++;
	}
	report(limit ? "claim, flushed, limit" : "claim, flushed", i, start);
}

static void finish(
    struct gs_store *store, int64_t n, bool at_once, const char *runs)
{
	const struct gs_work_filter filter = {0};
	struct gs_work work = {0};
	int64_t start = gs_clock_ms(), i = 0;

	if (at_once)
		must(gs_store_begin(store, &err));
	while (i < n && must(gs_store_claim(store, &filter, &work, &err)) > 0) {
		struct gs_verdict verdict = verdict_of(&work, i++, runs);
		must(gs_store_finish(store, work.row, &verdict, &err));
		gs_verdict_release(&verdict);
		gs_work_release(&work);
	}
	if (at_once)
		must(gs_store_commit(store, &err));
	report(
	    at_once ? "claim + finish, one flush" : "claim + finish, flushed",
	    i, start);
}

static void ask(const char *workspace, int64_t n)
{
	struct gs_store *store = NULL;
	struct gs_funnel funnel = {0};
	struct gs_story story = {0};
	struct gs_oid oid;
	int64_t start = gs_clock_ms();

	must(gs_store_open(workspace, GS_STORE_READ, &store, &err));
	must(gs_store_funnel(store, NULL, &funnel, &err));
	report("open + funnel", funnel.commits, start);
	(void)printf("%-28s %9lld records, %lld duplicates, %lld pending\n", "",
	    (long long)funnel.records, (long long)funnel.duplicates,
	    (long long)funnel.pending);
	gs_funnel_release(&funnel);
	start = gs_clock_ms();
	must(gs_store_funnel(store, "owner/project-7", &funnel, &err));
	report("funnel of one project", funnel.commits, start);
	gs_funnel_release(&funnel);
	start = gs_clock_ms();
	for (uint64_t i = 0; i < 1000; i++) {
		oid_of(i * 10 % (uint64_t)n, &oid);
		oid.hex[12] = '\0';
		must(gs_store_story(store, oid.hex, &story, &err));
		gs_story_release(&story);
	}
	report("story", 1000, start);
	gs_store_close(store);
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		(void)fprintf(stderr, "usage: store WORKSPACE COMMITS\n");
		return 2;
	}
	int64_t n = strtoll(argv[2], NULL, 10);
	struct gs_buf runs = {0};
	struct gs_store *store = NULL;

	gs_buf_addz(&runs, "[");
	for (int i = 0; i < 100; i++)
		gs_buf_addf(&runs,
		    "%s{\"id\":\"tests/test_%d.py::test_case[%d]\","
		    "\"outcome\":\"passed\"}",
		    i ? "," : "", i % 7, i * 31);
	gs_buf_addz(&runs, "]");
	must(gs_store_open(argv[1], GS_STORE_WRITE, &store, &err));
	fill(store, n);
	int64_t start = gs_clock_ms();
	gs_store_close(store);
	report("close", 1, start);
	must(gs_store_open(argv[1], GS_STORE_WRITE, &store, &err));
	claim(store, 1000, 0);
	claim(store, 1000, 300);
	finish(store, 1000, false, gs_buf_cstr(&runs));
	finish(store, n / 20, true, gs_buf_cstr(&runs));
	gs_store_close(store);
	ask(argv[1], n);
	gs_buf_release(&runs);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "worker.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static struct gv_check check; /* of this worker */
static char *answer_path;

static volatile sig_atomic_t stopped;

/* What ends us ends in order: clones may be large. */
static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};

static void stop(int number)
{
	stopped = number;
}

static void answer(enum gv_verdict verdict, const char *why)
{
	json_t *all = json_pack("{s:i,s:o,s:O}", "verdict", (int)verdict, "why",
	    gv_text_json(why), "claims", check.claims);
	char *text = all ? json_dumps(all, JSON_COMPACT) : NULL;
	FILE *f = text ? fopen(answer_path, "w") : NULL;

	if (f) {
		fputs(text, f);
		fclose(f);
	}
	_exit(0);
}

/* What was refuted before the trouble began stays refuted. */
static void last_words(char verdict, const char *text)
{
	gv_last_words = NULL;
	gv_rmtree(check.bench.folder);
	if (check.refuted)
		answer(GV_REFUTED, "");
	answer(verdict == 'U' ? GV_UNAVAILABLE : GV_INFRA, text);
}

static _Noreturn void run_worker(const struct gv_release *release,
    const struct gv_options *options, const struct gv_python *python,
    const json_t *row)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (size_t i = 0; i < GV_COUNT(ends); i++)
		signal(ends[i], SIG_DFL);
	signal(SIGPIPE, SIG_DFL);
	check = (struct gv_check){.release = release,
	    .options = options,
	    .row = row,
	    .claims = json_array()};
	check.evidence = gv_evidence(release, row);
	check.bench.python = python;
	check.bench.runs = options->hash_seed;
	check.bench.days_ahead = options->days_ahead;
	check.bench.folder =
	    gv_format("%s/work.%d", options->temp, (int)getpid());
	answer_path = gv_format("%s/answer.%d", options->temp, (int)getpid());
	gv_last_words = last_words;
	gv_need_space(options->temp);
	gv_mkdir(check.bench.folder);
	gv_check(&check);
	gv_rmtree(check.bench.folder);
	answer(check.refuted ? GV_REFUTED : GV_CONFIRMED, "");
	_exit(0);
}

static void take_answer(
    struct gv_result *r, const char *temp, pid_t pid, int status)
{
	char *path = gv_format("%s/answer.%d", temp, (int)pid);
	struct gv_buf text = {0};
	json_t *all = NULL;
	const char *why;

	if (gv_read(path, &text))
		all = json_loadb(gv_text(&text), text.n, JSON_ALLOW_NUL, NULL);
	r->done = true;
	r->ms = gv_now_ms() - r->ms;
	if (all) {
		why = gv_get(all, "why");
		r->verdict = (enum gv_verdict)json_integer_value(
		    json_object_get(all, "verdict"));
		r->why = *why ? gv_dup(why) : NULL;
		r->claims = json_incref(json_object_get(all, "claims"));
	} else {
		r->verdict = GV_INFRA;
		r->claims = json_array();
		r->why =
		    WIFSIGNALED(status)
		        ? gv_format("the checking process ended by signal %d",
		              WTERMSIG(status))
		        : gv_dup(
		              "the checking process left no answer; is the disk full?");
	}
	json_decref(all);
	gv_drop(&text);
	(void)unlink(path);
	free(path);
}

static _Noreturn void give_up(
    const char *temp, const pid_t *pids, size_t n, const char *why, int code)
{
	for (size_t i = 0; i < n; i++)
		if (pids[i] > 0)
			(void)kill(pids[i], SIGKILL);
	while (waitpid(-1, NULL, 0) > 0)
		continue;
	gv_rmtree(temp);
	fprintf(stderr, "goldset-verify: %s\n", why);
	/* not exit: what stdout holds cannot be written */
	fflush(stderr);
	_exit(code);
}

/* the records of one call, and who works on them */
struct crew {
	struct gv_result *results;
	pid_t *pids;
	size_t n, begun, running, printed;
};

static void begin(struct crew *crew, const struct gv_release *release,
    const struct gv_options *options, const struct gv_python *python)
{
	size_t at = crew->begun++;

	crew->results[at].ms = gv_now_ms();
	fflush(stdout);
	crew->pids[at] = fork();
	if (crew->pids[at] < 0)
		gv_die("cannot start a process: %s", strerror(errno));
	if (crew->pids[at] == 0)
		run_worker(release, options, python, crew->results[at].row);
	crew->running++;
}

static void collect(struct crew *crew, const char *temp)
{
	int status = 0;
	pid_t pid = waitpid(-1, &status, 0);

	if (stopped)
		give_up(temp, crew->pids, crew->begun, "interrupted", 130);
	for (size_t i = 0; i < crew->begun && pid > 0; i++) {
		if (crew->pids[i] != pid)
			continue;
		take_answer(&crew->results[i], temp, pid, status);
		crew->pids[i] = 0;
		crew->running--;
	}
}

void gv_work(const struct gv_release *release, const struct gv_options *options,
    const struct gv_python *python, const struct gv_work *work)
{
	struct sigaction on = {.sa_handler = stop}, was;
	struct crew crew = {.results = work->results, .n = work->n};

	crew.pids = gv_alloc(crew.n * sizeof(*crew.pids));
	for (size_t i = 0; i < GV_COUNT(ends); i++)
		if (sigaction(ends[i], NULL, &was) == 0 &&
		    was.sa_handler != SIG_IGN) /* nohup */
			sigaction(ends[i], &on, NULL);
	signal(SIGPIPE, SIG_IGN);
	while (crew.printed < crew.n) {
		while (crew.running < work->jobs && crew.begun < crew.n &&
		       !stopped)
			begin(&crew, release, options, python);
		collect(&crew, options->temp);
		for (; crew.printed < crew.begun &&
		       crew.results[crew.printed].done;
		     crew.printed++)
			if (work->json)
				gv_print_json(&crew.results[crew.printed]);
			else
				gv_print_result(&crew.results[crew.printed],
				    crew.printed + 1, crew.n);
		if (ferror(stdout))
			give_up(options->temp, crew.pids, crew.begun,
			    "the verdicts could not be written", 3);
	}
	free(crew.pids);
}

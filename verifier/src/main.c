/* SPDX-License-Identifier: Apache-2.0 */
/* goldset-verify: checks a release that goldset published, with other tools
 * at every step. See INDEPENDENCE.md. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "text.h"
#include "worker.h"

static const char usage[] =
    "usage: goldset-verify [options] RELEASE\n"
    "\n"
    "  --sample N         check N records, chosen by the seed (20)\n"
    "  --seed S           choose the same ones again\n"
    "  --all              check every record\n"
    "  --id ID            check this record; may be given again\n"
    "  --mirror TEMPLATE  clone from there: '/path/{owner}+{name}/repo'\n"
    "  -j, --jobs N       records at a time (1)\n"
    "  --python PROGRAM   the interpreter that runs the tests\n"
    "  --timeout S        most seconds of a run (600)\n"
    "  --hash-seed N      count PYTHONHASHSEED from there (0)\n"
    "  --days-ahead N     move the clock of the tests, with libfaketime\n"
    "  --json             JSON Lines instead of text\n"
    "  --html FILE        also write a page\n"
    "  --markdown FILE    the same as Markdown\n"
    "  --version, -h, --help\n"
    "\n"
    "RELEASE is a folder, or a table of records as Parquet or JSON Lines.\n"
    "Exit status: 0 all confirmed, 1 something refuted, 2 usage, 3 not all\n"
    "could be checked.\n";

struct command {
	struct gv_options options;
	const char *release, *html, *markdown, **ids;
	char *seed;
	size_t sample, n_ids, jobs;
	bool all, json;
};

static _Noreturn void wrong_usage(const char *what)
{
	fprintf(stderr, "goldset-verify: %s\n%s", what, usage);
	exit(2);
}

static size_t number(const char *text)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (*end || end == text || value < 1 || value > 1000000)
		wrong_usage("a number from 1 to 1000000 is wanted");
	return (size_t)value;
}

enum {
	SAMPLE = 256,
	SEED,
	ALL,
	ID,
	MIRROR,
	PYTHON,
	TIMEOUT,
	HASH_SEED,
	DAYS_AHEAD,
	JSON,
	HTML,
	MARKDOWN,
	VERSION
};

static const struct option long_options[] = {
    {"sample", required_argument, NULL, SAMPLE},
    {"seed", required_argument, NULL, SEED}, {"all", no_argument, NULL, ALL},
    {"id", required_argument, NULL, ID},
    {"mirror", required_argument, NULL, MIRROR},
    {"jobs", required_argument, NULL, 'j'},
    {"python", required_argument, NULL, PYTHON},
    {"timeout", required_argument, NULL, TIMEOUT},
    {"hash-seed", required_argument, NULL, HASH_SEED},
    {"days-ahead", required_argument, NULL, DAYS_AHEAD},
    {"json", no_argument, NULL, JSON}, {"html", required_argument, NULL, HTML},
    {"markdown", required_argument, NULL, MARKDOWN},
    {"version", no_argument, NULL, VERSION}, {"help", no_argument, NULL, 'h'},
    {0}};

static void take(struct command *cmd, int option, char *value)
{
	switch (option) {
	case SAMPLE:
		cmd->sample = number(value);
		break;
	case SEED:
		free(cmd->seed);
		cmd->seed = gv_dup(value);
		break;
	case ALL:
		cmd->all = true;
		break;
	case ID:
		cmd->ids =
		    gv_grow(cmd->ids, (cmd->n_ids + 1) * sizeof(*cmd->ids));
		cmd->ids[cmd->n_ids++] = value;
		break;
	case MIRROR:
		if (!*value)
			wrong_usage("the template of --mirror is empty");
		cmd->options.mirror = value;
		break;
	case 'j':
		cmd->jobs = number(value);
		break;
	case PYTHON:
		cmd->options.python = value;
		break;
	case TIMEOUT:
		cmd->options.timeout_ms = (int)number(value) * 1000;
		break;
	case HASH_SEED:
		cmd->options.hash_seed = (int)number(value);
		break;
	case DAYS_AHEAD:
		cmd->options.days_ahead = (int)number(value);
		break;
	case JSON:
		cmd->json = true;
		break;
	case HTML:
		cmd->html = value;
		break;
	case MARKDOWN:
		cmd->markdown = value;
		break;
	case VERSION:
		printf("goldset-verify %s\n", GV_VERSION);
		exit(0);
	case 'h':
		fputs(usage, stdout);
		exit(0);
	default:
		fputs(usage, stderr);
		exit(2);
	}
}

static void parse(struct command *cmd, int argc, char **argv)
{
	unsigned random = 1;
	int option;

	*cmd = (struct command){.sample = 20, .jobs = 1};
	cmd->options.timeout_ms = 600000;
	while (
	    (option = getopt_long(argc, argv, "j:h", long_options, NULL)) != -1)
		take(cmd, option, optarg);
	if (optind + 1 != argc)
		wrong_usage("one release is wanted");
	cmd->release = argv[optind];
	/* not a fixed one: else one knew which records are never looked at */
	if (!cmd->seed) {
		if (getrandom(&random, sizeof(random), 0) < 0)
			random = 1;
		cmd->seed = gv_format("%u", random);
	}
}

struct lot {
	char hex[GV_HEX];
	size_t at;
};

static int by_hex(const void *left, const void *right)
{
	return strcmp(
	    ((const struct lot *)left)->hex, ((const struct lot *)right)->hex);
}

static int by_place(const void *left, const void *right)
{
	const struct lot *l = left, *r = right;

	return (l->at > r->at) - (l->at < r->at);
}

/* Lots are drawn by a hash of the seed and the id: the same everywhere. */
static size_t draw(
    const struct command *cmd, const json_t *rows, struct lot *lots)
{
	size_t n = json_array_size(rows), most = cmd->sample;

	for (size_t i = 0; i < n; i++) {
		char *text = gv_format("%s\n%s\n%zu", cmd->seed,
		    gv_get(json_array_get(rows, i), "id"), i);

		gv_sha256(text, strlen(text), lots[i].hex);
		lots[i].at = i;
		free(text);
	}
	if (n)
		qsort(lots, n, sizeof(*lots), by_hex);
	if (most > n)
		most = n;
	if (most)
		qsort(lots, most, sizeof(*lots), by_place);
	return most;
}

static size_t by_id(
    const struct command *cmd, const json_t *rows, struct lot *lots)
{
	size_t n = 0;

	for (size_t k = 0; k < cmd->n_ids; k++) {
		size_t before = n;

		for (size_t i = 0; i < json_array_size(rows); i++)
			if (strcmp(gv_get(json_array_get(rows, i), "id"),
			        cmd->ids[k]) == 0)
				lots[n++].at = i;
		if (n == before)
			gv_die("the release has no record %s", cmd->ids[k]);
	}
	return n;
}

static size_t choose(
    const struct command *cmd, const json_t *rows, struct gv_result **results)
{
	size_t n = json_array_size(rows);
	struct lot *lots = gv_alloc((n * (cmd->n_ids + 1)) * sizeof(*lots));

	if (cmd->n_ids) {
		n = by_id(cmd, rows, lots);
	} else if (cmd->all) {
		for (size_t i = 0; i < n; i++)
			lots[i].at = i;
	} else {
		n = draw(cmd, rows, lots);
	}
	*results = gv_alloc(n * sizeof(**results));
	for (size_t i = 0; i < n; i++)
		(*results)[i].row = json_array_get(rows, lots[i].at);
	free(lots);
	return n;
}

static char *make_temp(void)
{
	const char *base = getenv("TMPDIR");
	char *temp = gv_format(
	    "%s/goldset-verify.XXXXXX", base && *base ? base : "/tmp");

	if (!mkdtemp(temp))
		gv_die("cannot make a folder in %s; set TMPDIR to one that is "
		       "there",
		    base && *base ? base : "/tmp");
	/* the user that runs the tests goes through it */
	(void)chmod(temp, 0711);
	return temp;
}

/* Told before hours of work, not behind them. */
static void need_writable(const char *path)
{
	int fd =
	    path ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644)
	         : -1;

	if (path && fd < 0)
		gv_die("cannot write %s: %s", path, strerror(errno));
	if (fd >= 0)
		close(fd);
}

static int finish(const struct command *cmd, struct gv_summary *s)
{
	bool broken = s->release->checksums || s->release->card;

	for (size_t i = 0; i < s->n; i++)
		s->counts[s->results[i].verdict]++;
	gv_print_summary(s, cmd->json);
	if (cmd->html)
		gv_write_html(s, cmd->html);
	if (cmd->markdown)
		gv_write_markdown(s, cmd->markdown);
	if (ferror(stdout) || fclose(stdout))
		gv_die("the verdicts could not be written");
	if (s->counts[GV_REFUTED] || (!s->n && broken))
		return 1;
	return s->counts[GV_CONFIRMED] == s->n ? 0 : 3;
}

static void free_command(struct command *cmd)
{
	free(cmd->ids);
	free(cmd->seed);
	free(cmd->options.temp);
}

static void free_all(struct gv_release *release, struct gv_python *python,
    struct gv_result *results, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(results[i].why);
		json_decref(results[i].claims);
	}
	free(results);
	gv_free_python(python);
	gv_free_release(release);
}

/* What the caller closed is no place for the next file that is opened. */
static void hold_descriptors(void)
{
	bool closed = fcntl(STDOUT_FILENO, F_GETFD) < 0;
	int fd;

	do {
		fd = open("/dev/null", O_RDWR);
	} while (fd >= 0 && fd <= STDERR_FILENO);
	if (fd >= 0)
		close(fd);
	if (closed)
		gv_die("standard output is closed, so that no verdict could be "
		       "told");
}

int main(int argc, char **argv)
{
	struct command cmd;
	struct gv_release release;
	struct gv_python python = {0};
	struct gv_result *results;
	struct gv_work work;
	struct gv_summary summary = {0};
	char *drawn;
	size_t n;
	int rc;

	setlocale(LC_CTYPE, "C.UTF-8");
	/* the user that runs the tests goes through our folders */
	umask(022);
	hold_descriptors();
	parse(&cmd, argc, argv);
	gv_read_release(&release, cmd.release);
	n = choose(&cmd, release.rows, &results);
	need_writable(cmd.html);
	need_writable(cmd.markdown);
	gv_git_start();
	(void)gv_find_python(cmd.options.python, &python);
	cmd.options.temp = make_temp();
	work = (struct gv_work){results, n, cmd.jobs, cmd.json};
	gv_work(&release, &cmd.options, &python, &work);
	gv_rmtree(cmd.options.temp);
	summary = (struct gv_summary){&release, &python, results, n, {0}, NULL};
	drawn = gv_format("--sample %zu --seed %s", cmd.sample, cmd.seed);
	summary.sample = cmd.n_ids ? "by id" : cmd.all ? "all" : drawn;
	rc = finish(&cmd, &summary);
	free(drawn);
	free_all(&release, &python, results, n);
	free_command(&cmd);
	return rc;
}

/* SPDX-License-Identifier: Apache-2.0 */
/* The four runs that a record is made of: both states, whole files and the
 * published ids alone (K1), against what was published of them (O5). */
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define MOST_WORDS (256u << 10) /* of ids in one command line */
#define LEAST_HANG_MS 10000

enum {
	AFTER,
	BEFORE,
	AFTER_IDS,
	BEFORE_IDS,
	RUNS
};

static const char *const run_names[RUNS] = {"after, whole files",
    "before, whole files", "after, these tests alone",
    "before, these tests alone"};

struct running {
	struct gv_check *c;
	char **ids, **files; /* end with NULL */
	const char *hang;    /* the id that does not end before, or NULL */
	int64_t after_ms;
};

static char **texts_of(const json_t *list)
{
	size_t n = json_array_size(list);
	char **v = gv_alloc((n + 1) * sizeof(*v));

	for (size_t i = 0; i < n; i++) {
		const char *s = json_string_value(json_array_get(list, i));

		v[i] = gv_dup(s ? s : "");
	}
	return v;
}

static char **files_of(char **ids)
{
	size_t n = 0, m = 0;
	char **v;

	while (ids[n])
		n++;
	v = gv_alloc((n + 1) * sizeof(*v));
	for (size_t i = 0; i < n; i++) {
		const char *end = strstr(ids[i], "::");
		size_t size = end ? (size_t)(end - ids[i]) : strlen(ids[i]);
		bool seen = false;

		for (size_t k = 0; k < m && !seen; k++)
			seen =
			    strlen(v[k]) == size && !memcmp(v[k], ids[i], size);
		if (!seen)
			v[m++] = gv_format("%.*s", (int)size, ids[i]);
	}
	return v;
}

/* O5: an id that the evidence saw hanging before. */
static const char *find_hang(const struct running *r)
{
	const char *text = gv_get(r->c->evidence, "observations");
	json_t *all = json_loads(text, 0, NULL), *one;
	const char *hang = NULL;
	size_t i;

	json_array_foreach(all, i, one)
	{
		json_t *outcomes = json_object_get(one, "outcomes");

		if (strcmp(gv_get(one, "state"), "before") != 0)
			continue;
		for (size_t k = 0; r->ids[k] && !hang; k++)
			if (strcmp(gv_get(outcomes, r->ids[k]), "timeout") == 0)
				hang = r->ids[k];
	}
	json_decref(all);
	return hang;
}

/* One of the four, in as many processes as the command line needs. A run of
 * ids is only cut where one process could not take them. */
static void do_run(struct running *r, int which, struct gv_run *to)
{
	struct gv_check *c = r->c;
	bool before = which == BEFORE || which == BEFORE_IDS;
	struct gv_tree *tree = before ? &c->before : &c->after;
	char **what = which == AFTER || which == BEFORE ? r->files : r->ids;
	size_t at = 0;

	*to = (struct gv_run){0};
	while (what[at] && !to->trouble) {
		size_t n = 0, size = 0;
		struct gv_run part;
		char **some;

		while (what[at + n] && size < MOST_WORDS)
			size += strlen(what[at + n++]) + 1;
		some = gv_alloc((n + 1) * sizeof(*some));
		memcpy(some, what + at, n * sizeof(*some));
		gv_pytest(
		    &c->bench, tree, some, before ? r->hang : NULL, &part);
		free(some);
		if (!at) {
			*to = part;
		} else {
			struct gv_report *all = &to->report;

			all->v = gv_grow(all->v,
			    (all->n + part.report.n) * sizeof(*all->v) + 1);
			if (part.report.n)
				memcpy(all->v + all->n, part.report.v,
				    part.report.n * sizeof(*all->v));
			all->n += part.report.n;
			gv_sort_report(all);
			to->trouble = part.trouble;
			to->end = part.end;
		}
		at += n;
	}
}

/* Python says which name it missed: the one behind these words. */
static bool missing_name(const struct gv_check *c, const char *message)
{
	static const char *const kinds[][2] = {{"NameError: ", "name '"},
	    {"ImportError: ", "cannot import name '"},
	    {"AttributeError: ", "attribute '"}, {"TypeError: ", "argument '"}};

	for (size_t i = 0; i < GV_COUNT(kinds); i++) {
		const char *at = gv_starts(message, kinds[i][0])
		                     ? strstr(message, kinds[i][1])
		                     : NULL;
		char *name;
		bool known;

		if (!at)
			continue;
		at += strlen(kinds[i][1]);
		name = gv_format("%.*s", (int)strcspn(at, "'\n"), at);
		known = json_object_get(c->names, name) != NULL;
		free(name);
		return known;
	}
	return false;
}

static bool listed(const json_t *list, const char *id)
{
	size_t i;
	json_t *one;

	json_array_foreach(list, i,
	    one) if (strcmp(json_string_value(one) ? json_string_value(one)
	                                           : "",
	                 id) == 0) return true;
	return false;
}

/* Why this run contradicts the record's flips, or NULL. */
static char *against_flips(
    const struct running *r, int which, const struct gv_run *run)
{
	bool before = which == BEFORE || which == BEFORE_IDS;
	const json_t *early =
	    json_object_get(r->c->evidence, "missing_name_ids");

	if (run->trouble)
		return gv_format("%s: %s", run_names[which], run->trouble);
	for (size_t i = 0; r->ids[i]; i++) {
		const char *id = r->ids[i], *message = "";
		enum gv_outcome outcome = gv_seen(run, id, &message);

		if (before && r->hang && strcmp(id, r->hang) == 0)
			continue;
		if (outcome != (before ? GV_FAILED : GV_PASSED))
			return gv_format("%s: %s %s", run_names[which], id,
			    gv_outcome_name(outcome));
		if (before && missing_name(r->c, message) && !listed(early, id))
			return gv_format(
			    "%s: %s fails only for a name that the fix "
			    "introduces: %.200s",
			    run_names[which], id, message);
	}
	return NULL;
}

static char *against_rest(
    const struct running *r, int which, const struct gv_run *run)
{
	const json_t *ids = json_object_get(r->c->evidence, "pass_to_pass");
	size_t i;
	json_t *one;

	if (which == AFTER_IDS || which == BEFORE_IDS || run->trouble)
		return NULL;
	json_array_foreach(ids, i, one)
	{
		const char *id = json_string_value(one), *message = "";
		enum gv_outcome outcome = gv_seen(run, id ? id : "", &message);

		if (outcome != GV_PASSED)
			return gv_format("%s: %s %s", run_names[which],
			    id ? id : "", gv_outcome_name(outcome));
	}
	return NULL;
}

/* V1: an environment that lacks what the evidence names is no refutation. */
static void excuse(struct running *r, const char *saw)
{
	const struct gv_python *python = r->c->bench.python;
	const char *version =
	    strrchr(gv_get(r->c->evidence, "interpreter"), ' ');
	const char *pytest = gv_get(r->c->evidence, "pytest");
	char *lacking;

	if (version && strcmp(version + 1, python->version) != 0)
		gv_die(
		    "%s; but that was seen with Python %s, and the record was "
		    "made with %s",
		    saw, python->version, version + 1);
	if (*pytest && strcmp(pytest, python->pytest) != 0)
		gv_die(
		    "%s; but that was seen with pytest %s, and the record was "
		    "made with %s",
		    saw, python->pytest, pytest);
	lacking = gv_lacking(&r->c->bench, &r->c->before,
	    gv_get(r->c->evidence, "distributions"));
	if (lacking)
		gv_die("%s; but the environment, other than the record's, %s",
		    saw, lacking);
}

/* What contradicts the record is run again: said twice it is refuted, said
 * once the verifier does not know. A run without an end is never evidence. */
static void judge(struct running *r, int which)
{
	bool before = which == BEFORE || which == BEFORE_IDS;
	const char *claim =
	    before ? "fail_to_pass.before" : "fail_to_pass.after";
	struct gv_run run;
	char *flips, *rest, *again_flips, *again_rest;

	do_run(r, which, &run);
	if (which == AFTER)
		r->after_ms = run.end.ms;
	flips = against_flips(r, which, &run);
	rest = against_rest(r, which, &run);
	gv_holds(r->c, claim);
	if (which == BEFORE)
		gv_holds(r->c, "pass_to_pass");
	if (!flips && !rest)
		return;
	if (run.end.timeout)
		gv_die("%s", flips ? flips : rest);
	excuse(r, flips ? flips : rest);
	do_run(r, which, &run);
	again_flips = against_flips(r, which, &run);
	again_rest = against_rest(r, which, &run);
	if (!flips != !again_flips || !rest != !again_rest)
		gv_die("two runs of the verifier disagree; one says: %s",
		    flips ? flips : rest);
	if (flips)
		gv_refute(r->c, claim, "%s", again_flips);
	if (rest)
		gv_refute(r->c, "pass_to_pass", "%s", again_rest);
}

/* O5: the one test does not end in ten times what all of them took after. */
static void judge_hang(struct running *r)
{
	struct gv_check *c = r->c;
	int limit = c->bench.timeout_ms;
	char *what[] = {gv_dup(r->hang), NULL};
	struct gv_run run;

	c->bench.timeout_ms = (int)(r->after_ms * 10);
	if (c->bench.timeout_ms < LEAST_HANG_MS)
		c->bench.timeout_ms = LEAST_HANG_MS;
	gv_pytest(&c->bench, &c->before, what, NULL, &run);
	c->bench.timeout_ms = limit;
	gv_claim(c, "fail_to_pass.before", run.end.timeout,
	    "%s ended, while the evidence says that it hangs", r->hang);
	free(what[0]);
}

static void split_plugins(struct gv_check *c)
{
	char *text = gv_dup(gv_get(c->evidence, "plugins")), *rest = text,
	     *word;
	size_t n = 0;

	c->bench.plugins = gv_alloc((strlen(text) + 2) * sizeof(char *));
	while ((word = strsep(&rest, " ,\n[]\"")))
		if (*word)
			c->bench.plugins[n++] = word;
}

/* O6: what the evidence names; without evidence, what the validator does. */
static char *shims_of(const struct gv_check *c)
{
	const char *shims = gv_get(c->evidence, "shims");
	const char *word = strstr(gv_get(c->row, "validator"), " shims=");
	char *strange;

	if (!c->evidence && word)
		shims = word + strlen(" shims=");
	strange = gv_strange_shim(shims);
	if (strange)
		gv_die("the rules have no shim named %s", strange);
	return gv_dup(shims);
}

void gv_check_runs(struct gv_check *c)
{
	struct running r = {.c = c};
	const json_t *files = json_object_get(c->evidence, "test_files");
	char *shims = shims_of(c);

	split_plugins(c);
	c->bench.help.folder = gv_format("%s/help", c->bench.folder);
	gv_read_config(&c->repo, &c->before, &c->bench.help);
	gv_write_help(
	    &c->repo, &c->before, shims, c->bench.path, &c->bench.help);
	free(shims);
	r.ids = texts_of(json_object_get(c->row, "fail_to_pass"));
	r.files = json_array_size(files) ? texts_of(files) : files_of(r.ids);
	r.hang = find_hang(&r);
	judge(&r, AFTER);
	if (r.hang)
		judge_hang(&r);
	if (r.hang && r.ids[0] && !r.ids[1]) {
		judge(&r, AFTER_IDS);
		return;
	}
	judge(&r, BEFORE);
	judge(&r, AFTER_IDS);
	judge(&r, BEFORE_IDS);
}

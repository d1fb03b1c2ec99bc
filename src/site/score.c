/* SPDX-License-Identifier: Apache-2.0 */
#include "site/score.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "os/file.h"

#define MAX_REPORT ((size_t)1 << 30)
#define SCHEMA 1 /* of reports, docs/reference/report.md */
#define Z95 1.959963984540054

struct interval wilson(int64_t good, int64_t n)
{
	if (n <= 0)
		return (struct interval){0, 1};
	double m = (double)n, p = (double)good / m, z2 = Z95 * Z95;
	double centre = (p + z2 / (2 * m)) / (1 + z2 / m);
	double half =
	    Z95 * sqrt(p * (1 - p) / m + z2 / (4 * m * m)) / (1 + z2 / m);
	return (struct interval){centre - half < 0 ? 0 : centre - half,
	    centre + half > 1 ? 1 : centre + half};
}

/* 2 P(X <= k) for X binomial in n fair tosses: the largest term first, as a
 * product kept near 1, then the others relative to it. */
static double mcnemar(int64_t b, int64_t c)
{
	int64_t n = b + c, k = b < c ? b : c, halvings = n;
	double term = 1, sum = 1, ratio = 1;
	if (n == 0)
		return 1;
	for (int64_t j = 1; j <= k; j++) {
		term *= (double)(n - k + j) / (double)j;
		for (; term > 1 && halvings > 0; halvings--)
			term /= 2;
	}
	for (; halvings > 0 && term > 0; halvings--)
		term /= 2;
	for (int64_t j = k; j > 0 && ratio > 1e-18; j--) {
		ratio *= (double)j / (double)(n - j + 1);
		sum += ratio;
	}
	double p = 2 * term * sum;
	return p < 1 ? p : 1;
}

/* How strongly the two go together, with Newcombe's correction. */
static double phi_of(const struct pair *pair, double n)
{
	double a = (double)pair->both, b = (double)pair->only_a;
	double c = (double)pair->only_b, d = (double)pair->neither;
	double margins = (a + b) * (c + d) * (a + c) * (b + d);
	double product = a * d - b * c;
	if (margins <= 0)
		return 0;
	if (product > 0)
		product = product > n / 2 ? product - n / 2 : 0;
	return product / sqrt(margins);
}

static double root_of(double x, double y, double phi)
{
	double square = x * x - 2 * phi * x * y + y * y;
	return square > 0 ? sqrt(square) : 0;
}

/* Newcombe's interval for the difference of paired proportions, from the two
 * Wilson intervals (1998, method 10): it stays within what is possible. */
static struct interval newcombe(const struct pair *pair, int64_t n)
{
	int64_t good_a = pair->both + pair->only_a;
	int64_t good_b = pair->both + pair->only_b;
	struct interval a = wilson(good_a, n), b = wilson(good_b, n);
	double m = (double)n, p = (double)good_a / m, q = (double)good_b / m;
	double phi = phi_of(pair, m);
	return (struct interval){p - q - root_of(p - a.low, b.high - q, phi),
	    p - q + root_of(q - b.low, a.high - p, phi)};
}

struct pair pair_of(
    const struct report *a, const struct report *b, size_t n_entries)
{
	struct pair ret = {0};
	for (size_t i = 0; i < n_entries; i++) {
		if (!a->results[i] || !b->results[i])
			continue;
		bool x = a->results[i] == 2, y = b->results[i] == 2;
		ret.both += x && y;
		ret.only_a += x && !y;
		ret.only_b += !x && y;
		ret.neither += !x && !y;
	}
	int64_t n = ret.both + ret.only_a + ret.only_b + ret.neither;
	ret.p = mcnemar(ret.only_a, ret.only_b);
	if (n == 0)
		return ret;
	ret.difference = (double)(ret.only_a - ret.only_b) / (double)n;
	ret.interval = newcombe(&ret, n);
	return ret;
}

static bool get_interval(
    const json_t *json, const char *key, struct interval *ret)
{
	const json_t *value = json_object_get(json, key);
	if (json_array_size(value) == 2) {
		ret->low = json_number_value(json_array_get(value, 0));
		ret->high = json_number_value(json_array_get(value, 1));
		return true;
	}
	if (!json_is_object(value))
		return false;
	ret->low = gs_json_get_real(value, "low", 0);
	ret->high = gs_json_get_real(value, "high", 1);
	return true;
}

/* What the entry is called: what the report says, else its file's name. */
static char *name_of(const json_t *json, const char *path)
{
	static const char *const keys[] = {
	    "model", "model_name_or_path", "name", "agent"};
	for (size_t i = 0; i < GS_COUNT(keys); i++) {
		struct gs_str name = gs_json_get_str(json, keys[i]);
		if (name.n > 0)
			return gs_strndup(name.p, name.n);
	}
	struct gs_str base = gs_str(path);
	base = gs_str_from(base, (size_t)(gs_str_rfind_char(base, '/') + 1));
	if (gs_str_ends(base, ".json"))
		base.n -= 5;
	return gs_strndup(base.p, base.n);
}

/* Result number `i` of the file, as far as it counts here. */
static int read_result(const struct catalogue *c, const json_t *result,
    size_t i, const char *path, struct report *ret, struct gs_err *err)
{
	static const char *const outcomes[] = {"resolved", "unresolved",
	    "invalid_answer", "tampered", "timeout", "infra", "not_attempted"};
	struct gs_str outcome = gs_json_get_str(result, "outcome");
	const char *id = gs_json_get_cstr(result, "id");
	int64_t sample = gs_json_get_int(result, "sample", 0);
	bool is_known = false;
	for (size_t k = 0; k < GS_COUNT(outcomes); k++)
		is_known |= gs_str_is(outcome, outcomes[k]);
	if (!id || !is_known || sample < 0)
		return gs_fail(err, GS_E_CORRUPT,
		    "result %zu of %s has no %s: score again", i + 1, path,
		    !id           ? "\"id\""
		    : sample >= 0 ? "\"outcome\" that is one"
		                  : "\"sample\" from 0");
	if (sample > 0)
		return 0;
	const struct entry *entry = catalogue_entry(c, gs_str(id));
	if (!entry) {
		ret->unknown++;
		return 0;
	}
	unsigned char *at = &ret->results[entry - c->entries.v];
	if (*at)
		return gs_fail(err, GS_E_CORRUPT,
		    "%s has two results of %s in its first sample: score again",
		    path, id);
	if (!gs_str_is(outcome, "not_attempted"))
		*at = gs_str_is(outcome, "resolved") ? 2 : 1;
	return 0;
}

static int read_results(const struct catalogue *c, const json_t *json,
    const char *path, struct report *ret, struct gs_err *err)
{
	const json_t *results = json_object_get(json, "results");
	int rc = 0;
	ret->results = gs_alloc(c->entries.n + 1);
	for (size_t i = 0; rc == 0 && i < json_array_size(results); i++)
		rc = read_result(
		    c, json_array_get(results, i), i, path, ret, err);
	return rc;
}

static bool is_share(const json_t *value)
{
	return json_is_number(value) && json_number_value(value) >= 0 &&
	       json_number_value(value) <= 1;
}

/* Two numbers, in a list or as "low" and "high". */
static bool is_interval(const json_t *value)
{
	if (json_is_object(value))
		return is_share(json_object_get(value, "low")) &&
		       is_share(json_object_get(value, "high"));
	return json_array_size(value) == 2 &&
	       is_share(json_array_get(value, 0)) &&
	       is_share(json_array_get(value, 1));
}

static bool is_text(const json_t *value)
{
	return json_is_string(value);
}

static bool is_count(const json_t *value)
{
	return json_is_integer(value) && json_integer_value(value) >= 0;
}

/* Each of these may be missing or null, but not something else. */
static const struct {
	const char *key;
	bool (*is)(const json_t *value);
	const char *what;
} fields[] = {
    {"model", is_text, "text"},
    {"attempted", is_count, "a count"},
    {"resolved", is_count, "a count"},
    {"samples", is_count, "a count"},
    {"rate", is_share, "a number from 0 to 1"},
    {"rate_attempted", is_share, "a number from 0 to 1"},
    {"wilson95", is_interval, "two numbers from 0 to 1"},
    {"project_bootstrap95", is_interval, "two numbers from 0 to 1"},
};

static int check_fields(
    const json_t *json, const char *path, struct gs_err *err)
{
	for (size_t i = 0; i < GS_COUNT(fields); i++) {
		const json_t *value = json_object_get(json, fields[i].key);
		if (value && !json_is_null(value) && !fields[i].is(value))
			return gs_fail(err, GS_E_CORRUPT,
			    "\"%s\" in %s is not %s: score again",
			    fields[i].key, path, fields[i].what);
	}
	return 0;
}

/* What cannot be shown truly is refused: the pages would outlive the doubt. */
static int check_report(
    const json_t *json, const char *path, struct gs_err *err)
{
	const char *task = gs_json_get_cstr(json, "task");
	if (task && strcmp(task, "repair") != 0)
		return gs_fail(err, GS_E_USAGE,
		    "%s is a report of the task %s, and a leaderboard compares "
		    "repairs: leave it out",
		    path, task);
	if (!json_is_array(json_object_get(json, "results")) ||
	    !json_is_integer(json_object_get(json, "total")))
		return gs_fail(err, GS_E_CORRUPT,
		    "%s is no report of goldset score: it has no results",
		    path);
	if (gs_json_get_int(json, "schema_version", 1) != SCHEMA)
		return gs_fail(err, GS_E_CORRUPT,
		    "%s has another schema_version than %d: score again", path,
		    SCHEMA);
	int64_t total = gs_json_get_int(json, "total", 0);
	if (gs_json_get_int(json, "resolved", 0) > total ||
	    gs_json_get_int(json, "attempted", 0) > total)
		return gs_fail(err, GS_E_CORRUPT,
		    "%s counts more resolved than there are, or more "
		    "attempted: score again",
		    path);
	return check_fields(json, path, err);
}

/* The same report given twice would be an entry that beats itself never. */
static int check_twice(const struct catalogue *c, const struct reports *all,
    const char *path, struct gs_err *err)
{
	const struct report *last = &all->v[all->n - 1];
	for (size_t i = 0; i + 1 < all->n; i++) {
		const struct report *other = &all->v[i];
		if (strcmp(other->name, last->name) == 0 &&
		    strcmp(other->from, last->from) == 0 &&
		    strcmp(other->to, last->to) == 0 &&
		    other->total == last->total &&
		    memcmp(other->results, last->results, c->entries.n) == 0)
			return gs_fail(err, GS_E_USAGE,
			    "the report of %s in %s is given twice: leave one "
			    "out",
			    last->name, path);
	}
	return 0;
}

static int take_report(const struct catalogue *c, const json_t *json,
    const char *path, struct report *ret, struct gs_err *err)
{
	int rc = check_report(json, path, err);
	if (rc)
		return rc;
	const json_t *window = json_object_get(json, "window");
	struct gs_str from = gs_json_get_str(window, "from");
	struct gs_str to = gs_json_get_str(window, "to");
	ret->name = name_of(json, path);
	ret->from = gs_strndup(from.p ? from.p : "", from.n);
	ret->to = gs_strndup(to.p ? to.p : "", to.n);
	ret->total = gs_json_get_int(json, "total", 0);
	ret->attempted = gs_json_get_int(json, "attempted", 0);
	ret->resolved = gs_json_get_int(json, "resolved", 0);
	ret->samples = gs_json_get_int(json, "samples", 1);
	ret->rate = gs_json_get_real(json, "rate", 0);
	ret->rate_attempted = gs_json_get_real(json, "rate_attempted", 0);
	if (!get_interval(json, "wilson95", &ret->wilson))
		ret->wilson = wilson(ret->resolved, ret->total);
	ret->has_bootstrap =
	    get_interval(json, "project_bootstrap95", &ret->bootstrap);
	return read_results(c, json, path, ret, err);
}

/* A file of goldset score is a line for each model; one report alone may be
 * laid out over many lines. */
static struct gs_str next_report(struct gs_str *rest)
{
	struct gs_str all = *rest, line = {0};
	(void)gs_str_cut(rest, '\n', &line);
	if (!gs_str_ends(gs_str_trim(line), "}")) {
		line = all;
		*rest = (struct gs_str){0};
	}
	return gs_str_trim(line);
}

int reports_parse(const struct catalogue *c, struct gs_str text,
    const char *path, struct reports *ret, struct gs_err *err)
{
	struct gs_str rest = gs_str_trim(text);
	int rc = 0;
	if (rest.n == 0)
		return gs_fail(err, GS_E_CORRUPT,
		    "%s is empty: a report of goldset score is wanted", path);
	while (rc == 0 && rest.n > 0) {
		GS_CLEANUP(gs_json_free)
		json_t *json = gs_json_parse(next_report(&rest), path, err);
		if (!json)
			return err ? err->code : GS_E_CORRUPT;
		rc = take_report(c, json, path, GS_VEC_ADD(ret), err);
		if (rc == 0)
			rc = check_twice(c, ret, path, err);
	}
	return rc;
}

int reports_read(const struct catalogue *c, const char *path,
    struct reports *ret, struct gs_err *err)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf text = {0};
	int rc = gs_file_read(path, MAX_REPORT, &text, err);
	return rc ? rc : reports_parse(c, gs_buf_str(&text), path, ret, err);
}

void report_release(struct report *report)
{
	free(report->name);
	free(report->from);
	free(report->to);
	free(report->results);
	*report = (struct report){0};
}

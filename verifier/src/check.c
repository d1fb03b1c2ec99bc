/* SPDX-License-Identifier: Apache-2.0 */
#include "check.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "text.h"

static json_t *find_claim(struct gv_check *c, const char *claim)
{
	size_t i;
	json_t *one;

	json_array_foreach(c->claims, i,
	    one) if (strcmp(gv_get(one, "claim"), claim) == 0) return one;
	one = json_pack("{s:s,s:b,s:s}", "claim", claim, "ok", 1, "saw", "");
	json_array_append_new(c->claims, one);
	return one;
}

json_t *gv_text_json(const char *text)
{
	struct gv_buf fixed = {0};
	json_t *json;

	gv_repair_utf8(text, strlen(text), &fixed);
	json = json_stringn(gv_text(&fixed), fixed.n);
	gv_drop(&fixed);
	return json;
}

/* Once refuted, the first thing that was seen stays. */
static void refuted(struct gv_check *c, const char *claim, const char *saw)
{
	json_t *one = find_claim(c, claim);
	json_t *published = json_object_get(c->row, claim);

	if (json_is_false(json_object_get(one, "ok")))
		return;
	json_object_set_new(one, "ok", json_false());
	json_object_set_new(one, "saw", gv_text_json(saw));
	if (published)
		json_object_set(one, "published", published);
	c->refuted = true;
}

void gv_holds(struct gv_check *c, const char *claim)
{
	(void)find_claim(c, claim);
}

bool gv_is_refuted(struct gv_check *c, const char *claim)
{
	size_t i;
	json_t *one;

	json_array_foreach(c->claims, i,
	    one) if (strcmp(gv_get(one, "claim"), claim) == 0 &&
	             json_is_false(json_object_get(one, "ok"))) return true;
	return false;
}

void gv_refute(struct gv_check *c, const char *claim, const char *saw, ...)
{
	va_list args;
	char *text = NULL;

	va_start(args, saw);
	if (vasprintf(&text, saw, args) < 0)
		gv_die("out of memory");
	va_end(args);
	refuted(c, claim, text);
	free(text);
}

void gv_claim(
    struct gv_check *c, const char *claim, bool ok, const char *saw, ...)
{
	va_list args;
	char *text = NULL;

	va_start(args, saw);
	if (vasprintf(&text, saw, args) < 0)
		gv_die("out of memory");
	va_end(args);
	if (ok)
		gv_holds(c, claim);
	else
		refuted(c, claim, text);
	free(text);
}

void gv_equal(struct gv_check *c, const char *column, const char *is)
{
	const json_t *value = json_object_get(c->row, column);
	size_t n = strlen(is);

	gv_claim(c, column,
	    json_string_length(value) == n &&
	        memcmp(gv_get(c->row, column), is, n) == 0,
	    "%s", is);
}

/* Only a docstring may hold a NUL: files with one are refused (W5), and a
 * name that goes on behind its end is a lie. */
static bool holds_nul(const json_t *value)
{
	const char *text = json_string_value(value);
	size_t i;
	json_t *one;

	if (text && strlen(text) != json_string_length(value))
		return true;
	json_array_foreach(value, i, one) if (holds_nul(one)) return true;
	return false;
}

/* W1: an owner and a name, and no way out of a mirror's folder. */
static bool names_project(const char *repo)
{
	const char *slash = strchr(repo, '/');
	const char *parts[] = {repo, slash ? slash + 1 : ""};

	if (!slash || strchr(slash + 1, '/') || strpbrk(repo, " \\:"))
		return false;
	for (const char *c = repo; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 0x7f)
			return false;
	for (size_t i = 0; i < GV_COUNT(parts); i++) {
		size_t n = strcspn(parts[i], "/");

		if (!n || strspn(parts[i], ".") >= n)
			return false;
	}
	return true;
}

static bool list_of_texts(const json_t *value)
{
	size_t i;
	json_t *one;

	if (!json_is_array(value) || !json_array_size(value))
		return false;
	json_array_foreach(
	    value, i, one) if (!json_is_string(one)) return false;
	return true;
}

static bool may_be_empty(const struct gv_check *c, const char *column)
{
	if (strcmp(column, "subject") == 0)
		return strcmp(gv_get(c->row, "spec_source"), "docstring") == 0;
	if (strcmp(column, "source_before") == 0)
		return strcmp(gv_get(c->row, "granularity"), "file") == 0;
	return strcmp(column, "also_in") == 0 ||
	       strcmp(column, "commit_url") == 0 ||
	       strcmp(column, "repo_url") == 0;
}

/* P1: every column is there, of its type, and not null. */
static bool columns_there(struct gv_check *c)
{
	bool all = true;

	for (size_t i = 0; i < gv_columns_n; i++) {
		const struct gv_column *column = &gv_columns[i];
		json_t *value = json_object_get(c->row, column->name);
		bool ok = column->type == 'i'   ? json_is_integer(value)
		          : column->type == 'l' ? list_of_texts(value)
		                                : json_is_string(value);

		if (ok && column->type == 't' && !json_string_length(value) &&
		    !may_be_empty(c, column->name))
			ok = false;
		if (!ok)
			gv_refute(c, column->name,
			    "the column is missing, null, empty or of another type");
		else if (strcmp(column->name, "spec") != 0 && holds_nul(value))
			gv_refute(c, column->name, "it holds a NUL byte");
		all = all && ok;
	}
	return all;
}

static int by_bytes(const void *left, const void *right)
{
	const char *const *l = left, *const *r = right;

	return strcmp(*l, *r);
}

/* "sorted, once each" */
static bool sorted_once(const json_t *list)
{
	for (size_t i = 1; i < json_array_size(list); i++)
		if (strcmp(json_string_value(json_array_get(list, i - 1)),
		        json_string_value(json_array_get(list, i))) >= 0)
			return false;
	return true;
}

/* K5: the file with most of the ids, the first by path among equals. */
static void check_test_file(struct gv_check *c)
{
	const json_t *ids = json_object_get(c->row, "fail_to_pass");
	size_t n = json_array_size(ids), best = 0, run = 0;
	char **files = gv_alloc(n * sizeof(*files));
	const char *name = "";

	for (size_t i = 0; i < n; i++) {
		const char *id = json_string_value(json_array_get(ids, i));
		const char *end = strstr(id, "::");

		files[i] = gv_format(
		    "%.*s", (int)(end ? (size_t)(end - id) : strlen(id)), id);
	}
	qsort(files, n, sizeof(*files), by_bytes);
	for (size_t i = 0; i < n; i++) {
		run = i && strcmp(files[i], files[i - 1]) == 0 ? run + 1 : 1;
		if (run > best) {
			best = run;
			name = files[i];
		}
	}
	gv_equal(c, "test_file", name);
	free(files);
}

static bool url_is_plain(const char *url)
{
	return gv_starts(url, "https://") && !strpbrk(url, "@? \t\n");
}

static void check_urls(struct gv_check *c)
{
	const char *url = gv_get(c->row, "repo_url");
	char *full = gv_format("%s/commit/%s", url, gv_get(c->row, "commit"));

	gv_claim(c, "repo_url", !*url || url_is_plain(url),
	    "it is no https address without credentials");
	gv_equal(c, "commit_url", *url ? full : "");
	free(full);
}

static int64_t int_of(const json_t *row, const char *column)
{
	return json_integer_value(json_object_get(row, column));
}

/* A column as bytes; a text may hold a NUL. */
static struct gv_buf bytes_of(const json_t *row, const char *column)
{
	const json_t *value = json_object_get(row, column);
	struct gv_buf buf = {0};

	gv_put(&buf, json_string_value(value), json_string_length(value));
	return buf;
}

/* P2 and I: what follows from the other columns. */
static void check_derived(struct gv_check *c)
{
	struct gv_buf before = bytes_of(c->row, "source_before");
	struct gv_buf after = bytes_of(c->row, "source_after");
	int64_t tests =
	    (int64_t)json_array_size(json_object_get(c->row, "fail_to_pass"));
	int64_t size = gv_diff_lines(before.s, before.n, after.s, after.n);
	char print[GV_HEX], id[20];
	const char *const seven[7] = {gv_get(c->row, "repo"),
	    gv_get(c->row, "commit"), gv_get(c->row, "parent"),
	    gv_get(c->row, "module"), gv_get(c->row, "unit"),
	    gv_get(c->row, "granularity"), gv_get(c->row, "fingerprint")};

	gv_claim(c, "n_tests", int_of(c->row, "n_tests") == tests, "%lld",
	    (long long)tests);
	gv_claim(c, "diff_lines", size && int_of(c->row, "diff_lines") == size,
	    "%lld", (long long)size);
	gv_fingerprint(&before, &after, print);
	gv_equal(c, "fingerprint", print);
	gv_id(seven, id);
	gv_equal(c, "id", id);
	gv_drop(&before);
	gv_drop(&after);
}

/* The interpreter that evidence names must be the validator's. */
static void check_validator(struct gv_check *c)
{
	const char *validator = gv_get(c->row, "validator");
	const char *shims = gv_get(c->evidence, "shims");
	const char *version = strrchr(gv_get(c->evidence, "interpreter"), ' ');
	bool ok = strstr(validator, "python/") && strstr(validator, "pytest/");

	if (ok && version) {
		char *word = gv_format("python/%s ", version + 1);

		ok = strstr(validator, word) != NULL;
		free(word);
	}
	if (ok && *gv_get(c->evidence, "pytest")) {
		char *word =
		    gv_format("pytest/%s", gv_get(c->evidence, "pytest"));

		ok = strstr(validator, word) != NULL;
		free(word);
	}
	if (ok && c->evidence) {
		char *word = gv_format(" shims=%s", shims);
		const char *at = strstr(validator, " shims=");

		ok = *shims ? at && strcmp(at, word) == 0 : !at;
		free(word);
	}
	gv_claim(c, "validator", ok,
	    "it does not name the interpreter, the pytest and the shims of the "
	    "evidence");
}

static bool hex_id(const char *id)
{
	size_t n = strlen(id);

	return (n == 40 || n == 64) && strspn(id, "0123456789abcdef") == n;
}

bool gv_check_form(struct gv_check *c)
{
	const char *granularity = gv_get(c->row, "granularity");
	bool function = strcmp(granularity, "function") == 0;
	char *trouble;

	if (!columns_there(c))
		return false;
	gv_claim(c, "schema_version", int_of(c->row, "schema_version") == 1,
	    "this verifier knows version 1 only");
	gv_equal(c, "language", "python");
	if (!names_project(gv_get(c->row, "repo")))
		gv_refute(c, "repo", "it is no owner/name");
	gv_claim(c, "granularity", function || strcmp(granularity, "file") == 0,
	    "it is neither function nor file");
	gv_claim(
	    c, "commit", hex_id(gv_get(c->row, "commit")), "it is no full id");
	gv_claim(
	    c, "parent", hex_id(gv_get(c->row, "parent")), "it is no full id");
	gv_claim(c, "validated_at", gv_is_date(gv_get(c->row, "validated_at")),
	    "it is no date of the form YYYY-MM-DDTHH:MM:SSZ");
	gv_claim(c, "fail_to_pass",
	    sorted_once(json_object_get(c->row, "fail_to_pass")),
	    "its ids are not sorted, or stand there twice");
	check_validator(c);
	check_test_file(c);
	check_urls(c);
	check_derived(c);
	trouble = gv_not_unique(c->release, c->row);
	gv_claim(c, "unique", !trouble, "%s", trouble ? trouble : "");
	free(trouble);
	if (c->release->folder) {
		const char *sums = c->release->checksums,
		           *card = c->release->card;

		gv_claim(c, "checksums", !sums, "%s", sums ? sums : "");
		gv_claim(c, "card", !card, "%s", card ? card : "");
	}
	return true;
}

/* Where a project is cloned from: the mirror, or the record's address. */
static char *source_of(
    const struct gv_check *c, const char *repo, const char *url)
{
	const char *at = c->options->mirror, *slash = strchr(repo, '/');
	struct gv_buf all = {0};

	if (!at && !*url)
		gv_gone("%s has no public address; name a --mirror", repo);
	if (!at && !url_is_plain(url))
		gv_gone("%s is no public https address; name a --mirror", url);
	if (!at)
		return gv_dup(url);
	while (*at) {
		if (gv_starts(at, "{owner}")) {
			gv_putf(&all, "%.*s", (int)(slash ? slash - repo : 0),
			    repo);
			at += strlen("{owner}");
		} else if (gv_starts(at, "{name}")) {
			gv_puts(&all, slash ? slash + 1 : repo);
			at += strlen("{name}");
		} else {
			gv_put(&all, at++, 1);
		}
	}
	return all.s;
}

/* The first worker that needs a project clones it; the others wait. What
 * could not be cloned once is not tried again. */
char *gv_clone_of(const struct gv_check *c, const char *repo, const char *url)
{
	char hex[GV_HEX], *folder, *lock, *done;
	int fd;

	gv_sha256(repo, strlen(repo), hex);
	folder = gv_format("%s/%.16s.git", c->options->temp, hex);
	lock = gv_format("%s/%.16s.lock", c->options->temp, hex);
	done = gv_format("%s/%.16s.done", c->options->temp, hex);
	fd = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (fd < 0 || flock(fd, LOCK_EX) < 0)
		gv_die("cannot lock %s", lock);
	if (access(done, F_OK) < 0) {
		char *source = source_of(c, repo, url);

		gv_rmtree(folder);
		gv_need_space(c->options->temp);
		gv_clone(source, folder);
		gv_write(done, "", 0, 0600);
		free(source);
	}
	close(fd);
	free(lock);
	free(done);
	return folder;
}

/* I4: each project that is named holds the text, somewhere. */
void gv_check_twins(struct gv_check *c)
{
	char *names = gv_dup(gv_get(c->row, "also_in")), *rest = names, *name;
	struct gv_buf after = bytes_of(c->row, "source_after"), normal = {0};
	const char *last = "";
	bool ok = true;

	gv_normalise(after.s, after.n, &normal);
	while (*names && ok && (name = strsep(&rest, ","))) {
		struct gv_repo other;
		const char *url = gv_get(c->row, "repo_url");
		char *guess = gv_format("https://%.*s/%s",
		    (int)strcspn(*url ? url + 8 : "", "/"), *url ? url + 8 : "",
		    name);
		char *folder;

		ok = strcmp(name, last) > 0 && names_project(name) &&
		     strcmp(name, gv_get(c->row, "repo")) != 0;
		if (!ok) {
			gv_refute(c, "also_in",
			    "its names are not sorted, name no project, or name the project "
			    "itself");
			break;
		}
		folder = gv_clone_of(c, name, *url ? guess : "");
		gv_open(&other, folder);
		ok = gv_repo_holds(&other, &normal);
		gv_claim(c, "also_in", ok, "%s holds no such text", name);
		last = name;
		free(folder);
		free(guess);
	}
	if (ok)
		gv_holds(c, "also_in");
	free(names);
	gv_drop(&after);
	gv_drop(&normal);
}

void gv_check(struct gv_check *c)
{
	c->claims = json_array();
	if (gv_check_form(c) && gv_check_history(c) && gv_check_source(c))
		gv_check_runs(c);
	if (!c->refuted)
		gv_check_twins(c);
}

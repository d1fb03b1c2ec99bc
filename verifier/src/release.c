/* SPDX-License-Identifier: Apache-2.0 */
#include "release.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "parquet.h"
#include "text.h"

const struct gv_column gv_columns[] = {{"repo", 't'}, {"unit", 't'},
    {"subject", 't'}, {"granularity", 't'}, {"spec_source", 't'}, {"spec", 't'},
    {"source_before", 't'}, {"source_after", 't'}, {"test_file", 't'},
    {"fail_to_pass", 'l'}, {"committed_at", 't'}, {"parent_at", 't'},
    {"license", 't'}, {"license_file", 't'}, {"also_in", 't'}, {"commit", 't'},
    {"parent", 't'}, {"commit_url", 't'}, {"repo_url", 't'}, {"module", 't'},
    {"units_changed", 'l'}, {"diff_lines", 'i'}, {"n_tests", 'i'},
    {"fingerprint", 't'}, {"id", 't'}, {"language", 't'}, {"validated_at", 't'},
    {"validator", 't'}, {"schema_version", 'i'}};
const size_t gv_columns_n = GV_COUNT(gv_columns);

const char *gv_get(const json_t *row, const char *column)
{
	const char *s = json_string_value(json_object_get(row, column));

	return s ? s : "";
}

static bool blank(const char *line, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strchr(" \t\r", line[i]) || !line[i])
			return false;
	return true;
}

json_t *gv_read_lines(const char *bytes, size_t n, char **why)
{
	json_t *rows = json_array();
	const char *at = bytes, *end = at + n;
	size_t number = 0;

	while (at < end) {
		const char *lf = memchr(at, '\n', (size_t)(end - at));
		size_t length = lf ? (size_t)(lf - at) : (size_t)(end - at);
		json_error_t error = {0};
		json_t *row;

		number++;
		if (!blank(at, length)) {
			row = json_loadb(at, length,
			    JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &error);
			if (!json_is_object(row)) {
				*why = gv_format(
				    "line %zu is no JSON object%s%s", number,
				    *error.text ? ": " : "", error.text);
				json_decref(row);
				json_decref(rows);
				return NULL;
			}
			json_array_append_new(rows, row);
		}
		at += lf ? length + 1 : length;
	}
	return rows;
}

/* NULL where there is no such file. */
static json_t *read_table(
    const char *path, bool (*read_bytes)(const char *, struct gv_buf *))
{
	struct gv_buf bytes = {0};
	const char *why;
	char *wrong = NULL;
	json_t *rows;

	if (!read_bytes(path, &bytes))
		return NULL;
	if (bytes.n >= 4 && memcmp(bytes.s, "PAR1", 4) == 0) {
		rows = gv_parquet(bytes.s, bytes.n, NULL, &why);
		if (!rows)
			gv_die("%s cannot be read as Parquet: %s", path, why);
	} else if (gv_ends(path, ".parquet")) {
		gv_die("%s is no Parquet file", path);
	} else {
		rows = gv_read_lines(gv_text(&bytes), bytes.n, &wrong);
		if (!rows)
			gv_die(
			    "%s cannot be read as JSON Lines: %s", path, wrong);
	}
	gv_drop(&bytes);
	return rows;
}

static json_t *read_either(const char *folder, const char *stem, char **path)
{
	static const char *const endings[] = {"parquet", "jsonl"};

	for (size_t i = 0; i < GV_COUNT(endings); i++) {
		char *name = gv_format("%s/%s.%s", folder, stem, endings[i]);
		json_t *rows = read_table(name, gv_read);

		if (rows && path)
			*path = name;
		else
			free(name);
		if (rows)
			return rows;
	}
	return NULL;
}

/* Calls `each` for every file below a folder, with its path inside of it. */
static void each_file(const char *root, const char *below,
    void (*each)(struct gv_release *, const char *, void *),
    struct gv_release *release, void *data)
{
	char *folder = gv_format("%s%s%s", root, *below ? "/" : "", below);
	struct dirent **names;
	int n = scandir(folder, &names, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		char *path = gv_format(
		    "%s%s%s", below, *below ? "/" : "", names[i]->d_name);
		char *full = gv_format("%s/%s", root, path);
		struct stat st;

		if (strcmp(names[i]->d_name, ".") != 0 &&
		    strcmp(names[i]->d_name, "..") != 0 &&
		    lstat(full, &st) == 0) {
			if (S_ISDIR(st.st_mode))
				each_file(root, path, each, release, data);
			else
				each(release, path, data);
		}
		free(full);
		free(path);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	free(folder);
}

/* Of a regular file, however large; "" where there is none. */
static void hash_file(const char *path, char hex[GV_HEX])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct gv_sum *sum = gv_sum_begin();
	char chunk[1 << 16];
	struct stat st;
	ssize_t n = -1;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		while ((n = read(fd, chunk, sizeof(chunk))) > 0)
			gv_sum_add(sum, chunk, (size_t)n);
	gv_sum_end(sum, hex);
	if (n < 0)
		*hex = '\0';
	if (fd >= 0)
		close(fd);
}

static void add_licence(
    struct gv_release *release, const char *path, void *data)
{
	char *full = gv_format("%s/licenses/%s", release->path, path);
	char hex[GV_HEX];

	(void)data;
	hash_file(full, hex);
	json_object_set_new(release->licences, hex, json_string(path));
	free(full);
}

static void is_listed(struct gv_release *release, const char *path, void *data)
{
	json_t *listed = data;

	if (strcmp(path, "SHA256SUMS") == 0 || json_object_get(listed, path) ||
	    release->checksums)
		return;
	release->checksums = gv_format("%s is not listed in SHA256SUMS", path);
}

static void check_sum(
    struct gv_release *release, const char *line, json_t *listed)
{
	const char *path = line + GV_HEX + 1;
	char hex[GV_HEX], *full;

	if (strlen(line) < GV_HEX + 2 || line[GV_HEX - 1] != ' ' ||
	    strstr(path, "..") || *path == '/') {
		release->checksums =
		    gv_format("SHA256SUMS has the line %.100s", line);
		return;
	}
	full = gv_format("%s/%s", release->path, path);
	hash_file(full, hex);
	free(full);
	json_object_set_new(listed, path, json_true());
	if (!*hex)
		release->checksums =
		    gv_format("%s is listed and not there", path);
	else if (strncmp(hex, line, GV_HEX - 1) != 0)
		release->checksums =
		    gv_format("%s has the SHA-256 %s", path, hex);
}

static void check_sums(struct gv_release *release)
{
	char *path = gv_format("%s/SHA256SUMS", release->path);
	struct gv_buf text = {0};
	json_t *listed = json_object();
	char *rest, *line;

	if (!gv_read(path, &text))
		release->checksums = gv_dup("there is no SHA256SUMS");
	rest = text.s;
	while (!release->checksums && rest && (line = strsep(&rest, "\n")))
		if (*line)
			check_sum(release, line, listed);
	if (!release->checksums)
		each_file(release->path, "", is_listed, release, listed);
	json_decref(listed);
	gv_drop(&text);
	free(path);
}

/* The row at the same place, or else wherever the id stands. */
const json_t *gv_evidence(const struct gv_release *release, const json_t *row)
{
	const char *id = gv_get(row, "id");
	const json_t *found = NULL;
	size_t i;
	json_t *one;

	json_array_foreach(release->evidence, i, one)
	{
		if (strcmp(gv_get(one, "id"), id) != 0)
			continue;
		if (json_array_get(release->rows, i) == row)
			return one;
		found = one;
	}
	return found;
}

void gv_read_release(struct gv_release *release, const char *path)
{
	struct stat st;

	*release = (struct gv_release){.path = gv_dup(path)};
	while (strlen(release->path) > 1 && gv_ends(release->path, "/"))
		release->path[strlen(release->path) - 1] = '\0';
	if (stat(path, &st) < 0)
		gv_die("there is no release at %s", path);
	release->folder = S_ISDIR(st.st_mode);
	release->licences = json_object();
	if (release->folder) {
		char *licenses = gv_format("%s/licenses", path);

		release->rows = read_either(path, "oracles", &release->table);
		release->evidence = read_either(path, "evidence", NULL);
		each_file(licenses, "", add_licence, release, NULL);
		free(licenses);
	} else {
		release->table = gv_dup(path);
		release->rows = read_table(path, gv_read_named);
	}
	if (!release->rows)
		gv_die("%s holds no oracles.parquet", path);
	if (!release->evidence)
		release->evidence = json_array();
	if (release->folder) {
		check_sums(release);
		release->card = gv_check_card(release);
	}
}

void gv_free_release(struct gv_release *release)
{
	json_t *parsed[] = {
	    release->rows, release->evidence, release->licences};
	char *texts[] = {
	    release->path, release->table, release->checksums, release->card};

	for (size_t i = 0; i < GV_COUNT(parsed); i++)
		json_decref(parsed[i]);
	for (size_t i = 0; i < GV_COUNT(texts); i++)
		free(texts[i]);
	*release = (struct gv_release){0};
}

char *gv_not_unique(const struct gv_release *release, const json_t *row)
{
	size_t i, ids = 0, prints = 0;
	json_t *other;

	json_array_foreach(release->rows, i, other)
	{
		ids += strcmp(gv_get(other, "id"), gv_get(row, "id")) == 0;
		prints += strcmp(gv_get(other, "fingerprint"),
		              gv_get(row, "fingerprint")) == 0;
	}
	if (ids > 1)
		return gv_format("%zu records have this id", ids);
	if (prints > 1)
		return gv_format("%zu records have this fingerprint", prints);
	if (!json_array_size(release->evidence))
		return NULL;
	ids = 0;
	json_array_foreach(release->evidence, i, other) ids +=
	    strcmp(gv_get(other, "id"), gv_get(row, "id")) == 0;
	if (ids != 1)
		return gv_format("%zu rows of the evidence have this id", ids);
	return NULL;
}

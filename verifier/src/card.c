/* SPDX-License-Identifier: Apache-2.0 */
/* The card's numbers, taken from the text of README.md and counted anew from
 * the table. What its front matter must hold is required; sentences of its
 * body are checked where they stand. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "release.h"

static int64_t text_bytes(const json_t *value)
{
	return (int64_t)json_string_length(value);
}

/* The size in memory as Arrow counts it, without validity bits. */
static int64_t arrow_bytes(const json_t *rows, int64_t *texts)
{
	int64_t sum = 0, n = (int64_t)json_array_size(rows);
	size_t i, k;
	json_t *row, *value, *element;

	*texts = 0;
	for (size_t c = 0; c < gv_columns_n; c++) {
		sum += gv_columns[c].type == 'i' ? 8 * n : 4 * (n + 1);
		*texts += gv_columns[c].type != 'i';
		json_array_foreach(rows, i, row)
		{
			value = json_object_get(row, gv_columns[c].name);
			sum += text_bytes(value);
			json_array_foreach(value, k, element) sum +=
			    4 + text_bytes(element);
		}
		if (gv_columns[c].type == 'l')
			sum += 4;
	}
	return sum;
}

/* The number behind `key` at the start of a line of the front matter. */
static int64_t number_of(const char *card, const char *key)
{
	const char *at = strstr(card, key);
	int64_t value = 0;

	if (!at)
		return -1;
	at += strlen(key);
	if (*at < '0' || *at > '9')
		return -1;
	for (; *at >= '0' && *at <= '9' && value < 1ll << 50; at++)
		value = value * 10 + (*at - '0');
	return value;
}

static char *wrong(const char *what, int64_t says, int64_t is)
{
	return gv_format(
	    "%s is %lld and not %lld", what, (long long)is, (long long)says);
}

static char *front_matter(const struct gv_release *r, const char *card)
{
	int64_t rows = (int64_t)json_array_size(r->rows), texts, says;
	int64_t least = arrow_bytes(r->rows, &texts);
	int64_t batches = rows / 1000 + 1;
	const char *size = rows < 1000     ? "n<1K"
	                   : rows < 10000  ? "1K<n<10K"
	                   : rows < 100000 ? "10K<n<100K"
	                                   : "100K<n<1M";
	char *line = gv_format("\n- %s\n", size);
	bool sized = strstr(card, line) != NULL;
	struct stat st;

	free(line);
	says = number_of(card, "\n    num_examples: ");
	if (says != rows)
		return wrong("num_examples", says, rows);
	if (!sized)
		return gv_format("size_categories should be %s", size);
	says = number_of(card, "\n    num_bytes: ");
	/* each batch has offsets, and each column may have validity bits */
	if (says < least || says > least + (int64_t)(gv_columns_n + 2) *
	                                       (rows / 8 + 1 + 8 * batches))
		return wrong("num_bytes", says, least);
	if (number_of(card, "\n  dataset_size: ") != says)
		return wrong("dataset_size",
		    number_of(card, "\n  dataset_size: "), says);
	says = number_of(card, "\n  download_size: ");
	if (gv_ends(r->table, ".parquet") && stat(r->table, &st) == 0 &&
	    says != st.st_size)
		return wrong("download_size", says, st.st_size);
	return NULL;
}

static char *features(const char *card)
{
	const char *at = strstr(card, "\n  features:");
	struct gv_buf all = {0};
	bool same;

	for (size_t i = 0; i < gv_columns_n; i++)
		gv_putf(&all, "\n  - name: %s\n    %s", gv_columns[i].name,
		    gv_columns[i].type == 'l'   ? "sequence: string"
		    : gv_columns[i].type == 'i' ? "dtype: int64"
		                                : "dtype: string");
	gv_puts(&all, "\n  splits:");
	same = at && gv_starts(at + strlen("\n  features:"), all.s);
	gv_drop(&all);
	return same ? NULL : gv_dup("its features are not the 29 columns");
}

/* A number as a card may print it, with commas. */
static int64_t counted(const char *s)
{
	int64_t value = 0;

	s += strspn(s, " ");
	for (; (*s >= '0' && *s <= '9') || *s == ','; s++)
		if (*s != ',' && value < 1ll << 50)
			value = value * 10 + (*s - '0');
	return value;
}

/* The number right before `phrase`, or -1 where that does not stand. */
static int64_t number_before(const char *card, const char *phrase)
{
	const char *end = strstr(card, phrase), *at = end;

	if (!end)
		return -1;
	while (at > card && ((at[-1] >= '0' && at[-1] <= '9') || at[-1] == ','))
		at--;
	return at == end ? -1 : counted(at);
}

static char *counts(const struct gv_release *r, const char *card)
{
	size_t i, functions = 0, projects = 0, rows = json_array_size(r->rows);
	const char *first = NULL, *last = NULL, *repo = "", *at;
	json_t *row, *seen = json_object();
	int64_t says;

	json_array_foreach(r->rows, i, row)
	{
		const char *date = gv_get(row, "committed_at");

		functions +=
		    strcmp(gv_get(row, "granularity"), "function") == 0;
		if (!first || strcmp(date, first) < 0)
			first = date;
		if (!last || strcmp(date, last) > 0)
			last = date;
		repo = gv_get(row, "repo");
		json_object_set_new(seen, repo, json_true());
	}
	projects = json_object_size(seen);
	json_decref(seen);
	says = number_before(card, " records from ");
	if (says >= 0 && says != (int64_t)rows)
		return wrong("the number of records", says, (int64_t)rows);
	at = strstr(card, " records from ");
	if (at && (size_t)counted(at + strlen(" records from ")) != projects)
		return wrong("the number of projects",
		    counted(at + strlen(" records from ")), (int64_t)projects);
	says = number_before(card, " isolate a single changed function");
	if (says >= 0 && says != (int64_t)functions)
		return wrong(
		    "the number of functions", says, (int64_t)functions);
	says = number_before(card, " keep the whole changed");
	if (says >= 0 && says != (int64_t)(rows - functions))
		return wrong(
		    "the number of files", says, (int64_t)(rows - functions));
	at = strstr(card, "fixes committed between ");
	if (at && first) {
		at += strlen("fixes committed between ");
		if (strncmp(at, first, 10) != 0 ||
		    !gv_starts(at + 10, " and ") ||
		    strncmp(at + 15, last, 10) != 0)
			return gv_format(
			    "fixes were committed between %.10s and %.10s",
			    first, last);
	}
	return NULL;
}

static char *licence_table(const struct gv_release *r, const char *card)
{
	static const char head[] = "| licence | records |\n|---|---|\n";
	const char *at = strstr(card, head);
	json_t *all = json_object(), *row, *n;
	const char *id;
	char *why = NULL;
	size_t i;

	json_array_foreach(r->rows, i, row)
	{
		id = gv_get(row, "license");
		json_object_set_new(all, id,
		    json_integer(
		        json_integer_value(json_object_get(all, id)) + 1));
	}
	for (at = at ? at + strlen(head) : NULL;
	     at && gv_starts(at, "| ") && !why;
	     at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
		size_t size = strcspn(at + 2, "|");
		char *name =
		    gv_format("%.*s", (int)(size ? size - 1 : 0), at + 2);
		int64_t says = counted(at + 2 + size + 1);

		n = json_object_get(all, name);
		if (says != json_integer_value(n))
			why = gv_format("%lld records stand under %s, not %lld",
			    (long long)json_integer_value(n), name,
			    (long long)says);
		json_object_del(all, name);
		free(name);
	}
	if (strstr(card, head) && !why)
		json_object_foreach(all, id, n) why =
		    gv_format("%s is missing in the table of licences", id);
	json_decref(all);
	return why;
}

char *gv_check_card(const struct gv_release *release)
{
	char *path = gv_format("%s/README.md", release->path), *why;
	struct gv_buf card = {0};

	if (!gv_read(path, &card) || !gv_starts(gv_text(&card), "---\n")) {
		free(path);
		gv_drop(&card);
		return gv_dup("there is no card with front matter");
	}
	why = front_matter(release, card.s);
	if (!why)
		why = features(card.s);
	if (!why)
		why = counts(release, card.s);
	if (!why)
		why = licence_table(release, card.s);
	free(path);
	gv_drop(&card);
	return why;
}

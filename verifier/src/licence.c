/* SPDX-License-Identifier: Apache-2.0 */
#include "licence.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "text.h"

extern const char gv_carried_MIT[], gv_carried_ISC[], gv_carried_Apache_2_0[],
    gv_carried_BSD_2_Clause[], gv_carried_BSD_3_Clause[], gv_carried_PSF_2_0[];

/* words that change what a text permits, wherever they are added */
static const char loaded[] =
    " commercial noncommercial evil military academic research clause commons "
    "sell selling prohibited restriction gpl lgpl agpl gnu patent patents "
    "revoked advertising acknowledgment except unless only must condition "
    "additional ";

struct words {
	char **v;
	size_t n;
};

/* Lines that name holders, and no terms: not every line that happens to
 * begin with the word does. */
static bool holder_line(const char *line)
{
	static const char *const terms[] = {"holder", "owner", "notice", "law",
	    "and ", "or ", "statement", "license", "interest"};

	line +=
	    strcspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	                  "\xc2\n");
	if (strncasecmp(line, "copyright ", 10) == 0) {
		for (size_t i = 0; i < GV_COUNT(terms); i++)
			if (strncasecmp(
			        line + 10, terms[i], strlen(terms[i])) == 0)
				return false;
		return true;
	}
	return strncasecmp(line, "c) ", 3) == 0 ||
	       gv_starts(line, "\xc2\xa9") ||
	       strncasecmp(line, "all rights reserved", 19) == 0 ||
	       strncasecmp(line, "some rights reserved", 20) == 0;
}

/* List markers are words of one letter or digit, numbers, and low Romans. */
static bool marker(const char *word)
{
	return !word[1] || strspn(word, "0123456789") == strlen(word) ||
	       (strspn(word, "ivx") == strlen(word));
}

static void add_word(struct words *to, const char *from, size_t n)
{
	char *word = gv_format("%.*s", (int)n, from);

	for (char *c = word; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	if (strcmp(word, "https") == 0)
		word[4] = '\0';
	if (strcmp(word, "licence") == 0)
		word[5] = 's';
	if (marker(word)) {
		free(word);
		return;
	}
	if (!(to->n & (to->n + 1)))
		to->v = gv_grow(to->v, (to->n + 1) * 2 * sizeof(*to->v));
	to->v[to->n++] = word;
}

static bool stands_in(const char *list, const char *word)
{
	char *key = gv_format(" %s ", word);
	bool found = strstr(list, key) != NULL;

	free(key);
	return found;
}

static bool any_of(const struct words *w, size_t from, const char *list)
{
	for (size_t i = from; i < w->n; i++)
		if (stands_in(list, w->v[i]))
			return true;
	return false;
}

/* L2: a short paragraph, from word `from` on, that says whose work parts come
 * from and nothing on what may be done with it. */
static bool only_credits(const struct words *w, size_t from)
{
	static const char origin[] =
	    " adapted based borrowed contains derived includes inspired parts "
	    "portions taken thanks uses written ";
	static const char terms[] =
	    " license licenses licensed permission permitted hereby granted may "
	    "shall must warranty warranties liable provided redistribution "
	    "redistributions distribute free fee not no without following ";

	return w->n - from <= 40 && any_of(w, from, origin) &&
	       !any_of(w, from, terms) && !any_of(w, from, loaded);
}

static void drop_credits(struct words *w, size_t from)
{
	if (!only_credits(w, from))
		return;
	while (w->n > from)
		free(w->v[--w->n]);
}

static void cut_words(const char *text, struct words *to)
{
	char *copy = gv_dup(text), *rest = copy, *line;
	size_t paragraph = 0;

	while ((line = strsep(&rest, "\n"))) {
		if (!line[strspn(line, " \t\r")]) {
			drop_credits(to, paragraph);
			paragraph = to->n;
		}
		if (holder_line(line))
			continue;
		while (*line) {
			size_t n = 0;

			while (isalnum((unsigned char)line[n]))
				n++;
			if (n)
				add_word(to, line, n);
			line += n + !n;
		}
	}
	drop_credits(to, paragraph);
	free(copy);
}

static void free_words(struct words *w)
{
	for (size_t i = 0; i < w->n; i++)
		free(w->v[i]);
	free(w->v);
}

static void number(
    const struct words *a, const struct words *b, int *an, int *bn)
{
	for (size_t i = 0; i < a->n; i++) {
		size_t j = 0;

		while (strcmp(a->v[j], a->v[i]) != 0)
			j++;
		an[i] = (int)j;
	}
	for (size_t i = 0; i < b->n; i++) {
		size_t j = 0;

		while (j < a->n && strcmp(a->v[j], b->v[i]) != 0)
			j++;
		bn[i] = j < a->n ? (int)j : -1 - (int)i;
	}
}

/* How many words differ, or -1 where more than a holder's name or a title
 * was put in or left out in one place, or a word that changes the terms. */
static int64_t distance(const struct words *text, const struct words *model)
{
	int *a = gv_alloc(model->n * sizeof(*a)),
	    *kept = gv_alloc(model->n * sizeof(*a));
	int *b = gv_alloc(text->n * sizeof(*b));
	int64_t size = -1;
	int next = 0, lost = 0;
	bool fits = text->n < 2 * model->n + 40;

	number(model, text, a, b);
	if (fits)
		size = gv_diff(a, (int)model->n, b, (int)text->n, kept);
	for (size_t i = 0; i <= model->n && fits; i++) {
		int to = i < model->n ? kept[i] : (int)text->n;

		lost = to < 0 ? lost + 1 : 0;
		if (to < 0) {
			fits = lost <= 8;
			continue;
		}
		fits = to - next <= 16;
		for (; next < to && fits; next++)
			fits = !stands_in(loaded, text->v[next]);
		next = to + 1;
	}
	if (size > (int64_t)model->n / 6 + 6)
		fits = false;
	free(a);
	free(b);
	free(kept);
	return fits ? size : -1;
}

const char *gv_licence_of(const struct gv_buf *text)
{
	static const struct {
		const char *id, *model, *end;
	} models[] = {
	    {"MIT", gv_carried_MIT, NULL},
	    {"ISC", gv_carried_ISC, NULL},
	    {"BSD-2-Clause", gv_carried_BSD_2_Clause, NULL},
	    {"BSD-3-Clause", gv_carried_BSD_3_Clause, NULL},
	    {"PSF-2.0", gv_carried_PSF_2_0, NULL},
	    {"Apache-2.0", gv_carried_Apache_2_0, NULL},
	    {"Apache-2.0", gv_carried_Apache_2_0, "APPENDIX: How to apply"},
	    {"Apache-2.0", gv_carried_Apache_2_0, "END OF TERMS"},
	};
	struct words words = {0};
	const char *best = NULL;
	int64_t least = 0;

	cut_words(gv_text(text), &words);
	for (size_t i = 0; i < GV_COUNT(models); i++) {
		const char *end = models[i].end
		                      ? strstr(models[i].model, models[i].end)
		                      : NULL;
		char *part =
		    end ? gv_format("%.*s", (int)(end - models[i].model),
		              models[i].model)
		        : gv_dup(models[i].model);
		struct words model = {0};
		int64_t d;

		cut_words(part, &model);
		d = words.n ? distance(&words, &model) : -1;
		if (d >= 0 && (!best || d < least)) {
			best = models[i].id;
			least = d;
		}
		free_words(&model);
		free(part);
	}
	free_words(&words);
	return best;
}

static bool licence_name(const char *name)
{
	static const char *const names[] = {
	    "LICENSE", "LICENCE", "COPYING", "UNLICENSE"};

	for (size_t i = 0; i < GV_COUNT(names); i++) {
		size_t n = strlen(names[i]);

		if (strncasecmp(name, names[i], n) == 0 &&
		    (!name[n] || strchr(".-_", name[n])))
			return true;
	}
	return false;
}

/* Goes from `full` along a link's target; false where it leaves the tree. */
static bool follow(struct gv_buf *full, const char *target)
{
	while (*target) {
		size_t n = strcspn(target, "/");

		if (n == 2 && memcmp(target, "..", 2) == 0) {
			char *up = full->n ? strrchr(full->s, '/') : NULL;

			if (!full->n)
				return false;
			full->n = up ? (size_t)(up - full->s) : 0;
			full->s[full->n] = '\0';
		} else if (n && !(n == 1 && *target == '.')) {
			gv_putf(
			    full, "%s%.*s", full->n ? "/" : "", (int)n, target);
		}
		target += n + (target[n] == '/');
	}
	return true;
}

/* The entry that a path leads to when links are followed in the tree. */
static struct gv_entry *resolve(
    struct gv_repo *repo, const struct gv_tree *tree, struct gv_entry *e)
{
	for (int hops = 0; e && (e->mode & 0170000) == 0120000; hops++) {
		const char *target = gv_text(gv_bytes(repo, e));
		const char *slash = strrchr(e->path, '/');
		struct gv_buf full = {0};

		gv_put(&full, e->path, slash ? (size_t)(slash - e->path) : 0);
		e = hops < 8 && *target != '/' && follow(&full, target)
		        ? gv_find(tree, full.s)
		        : NULL;
		gv_drop(&full);
	}
	return e;
}

/* Does the SPDX tag in these bytes name one of the six? */
static bool accepted_tag(const char *text)
{
	static const char *const accepted[] = {"MIT", "Apache-2.0",
	    "BSD-2-Clause", "BSD-3-Clause", "ISC", "PSF-2.0"};
	const char *at = strstr(text, "SPDX-License-Identifier:");
	size_t line = at ? strcspn(at, "\r\n") : 0;

	for (size_t i = 0; at && i < GV_COUNT(accepted); i++) {
		const char *name = strstr(at, accepted[i]);

		if (name && name < at + line)
			return true;
	}
	return false;
}

/* Lower case words with one blank between and around them. */
static size_t plain_words(const struct gv_buf *text, struct gv_buf *to)
{
	const char *s = gv_text(text);
	size_t n = 0;

	gv_puts(to, " ");
	for (size_t i = 0; i < text->n; i++) {
		char c = (char)tolower((unsigned char)s[i]);

		if (isalnum((unsigned char)c))
			gv_put(to, &c, 1);
		else if (to->s[to->n - 1] != ' ')
			gv_puts(to, " ");
	}
	if (to->s[to->n - 1] != ' ')
		gv_puts(to, " ");
	for (size_t i = 1; i < to->n; i++)
		n += to->s[i] == ' ';
	return n;
}

/* Phrases with a bar between them. */
static bool says_one_of(const char *words, const char *phrases)
{
	bool found = false;

	while (*phrases && !found) {
		int n = (int)strcspn(phrases, "|");
		char *key = gv_format(" %.*s ", n, phrases);

		found = strstr(words, key) != NULL;
		free(key);
		phrases += n + (phrases[n] == '|');
	}
	return found;
}

bool gv_is_no_licence(const struct gv_buf *text)
{
	static const char points[] =
	    "either of|dual licensed|see license|see the license|see copying|"
	    "in the license|found in license|license file|license files|"
	    "license mit|license apache|license bsd|at your option|"
	    "licenses directory|spdx license identifier";
	static const char grants[] =
	    "hereby|permitted|may not|redistribution|redistributions|warranty|"
	    "warranties|liable|public domain|free to use|gpl|lgpl|agpl|gnu|"
	    "commercial|noncommercial|commons";
	struct gv_buf words = {0};
	size_t n = plain_words(text, &words);
	bool pointer = n <= 150 && !says_one_of(words.s, grants) &&
	               says_one_of(words.s, points);

	gv_drop(&words);
	if (pointer && strstr(gv_text(text), "SPDX-License-Identifier:"))
		pointer = accepted_tag(gv_text(text));
	return !n || pointer;
}

/* L1: the licence files of one folder ("" is the root, else with a slash). */
static void files_in(struct gv_repo *repo, const struct gv_tree *tree,
    const char *folder, struct gv_licences *to)
{
	size_t n = strlen(folder);

	for (size_t i = 0; i < tree->n; i++) {
		const char *rest = tree->v[i].path + n;
		struct gv_entry *e;
		bool named;

		if (!gv_starts(tree->v[i].path, folder))
			continue;
		named = !strchr(rest, '/') && licence_name(rest);
		if (gv_starts(rest, "LICENSES/") && !strchr(rest + 9, '/'))
			named = true;
		if (!named)
			continue;
		e = resolve(repo, tree, &tree->v[i]);
		if (!e || (e->mode & 0170000) != 0100000 ||
		    gv_is_no_licence(gv_bytes(repo, e)))
			continue;
		to->files = gv_grow(to->files, (to->n + 1) * sizeof(e));
		to->files[to->n++] = e;
	}
}

static int by_entry_path(const void *left, const void *right)
{
	const struct gv_entry *const *l = left, *const *r = right;

	return strcmp((*l)->path, (*r)->path);
}

static int by_text(const void *left, const void *right)
{
	const char *const *l = left, *const *r = right;

	return strcmp(*l, *r);
}

/* L3: does the head of the source speak of a licence that is not accepted? */
static char *header_trouble(
    struct gv_repo *repo, const struct gv_tree *tree, const char *source)
{
	struct gv_entry *e = gv_find(tree, source);
	char *head, *at, *why = NULL;

	if (!e)
		return NULL;
	head = gv_format("%.4000s", gv_text(gv_bytes(repo, e)));
	at = strstr(head, "SPDX-License-Identifier:");
	if (at && !accepted_tag(at))
		why = gv_format(
		    "the source file says %.*s", (int)strcspn(at, "\r\n"), at);
	if (!why && strstr(head, "GNU General Public License"))
		why = gv_dup(
		    "the source file speaks of the GNU General Public License");
	free(head);
	return why;
}

void gv_licences_at(struct gv_repo *repo, const struct gv_tree *tree,
    const char *source, struct gv_licences *to)
{
	char *folder = gv_dup(source), *slash;
	const char **ids;
	struct gv_buf all = {0};

	*to = (struct gv_licences){0};
	do {
		slash = strrchr(folder, '/');
		folder[slash ? slash - folder + 1 : 0] = '\0';
		files_in(repo, tree, folder, to);
		if (slash)
			*slash = '\0';
	} while (!to->n && slash);
	free(folder);
	if (!to->n) {
		to->why = gv_dup("there is no licence file");
		return;
	}
	qsort(to->files, to->n, sizeof(struct gv_entry *), by_entry_path);
	ids = gv_alloc(to->n * sizeof(*ids));
	for (size_t i = 0; i < to->n; i++) {
		ids[i] = gv_licence_of(gv_bytes(repo, to->files[i]));
		if (!ids[i]) {
			to->why = gv_format(
			    "the text in %s is none of the six licences",
			    to->files[i]->path);
			free(ids);
			return;
		}
	}
	qsort(ids, to->n, sizeof(*ids), by_text);
	for (size_t i = 0; i < to->n; i++)
		if (!i || strcmp(ids[i], ids[i - 1]) != 0)
			gv_putf(&all, "%s%s", i ? " OR " : "", ids[i]);
	free(ids);
	to->why = header_trouble(repo, tree, source);
	if (!to->why)
		to->expression = all.s;
}

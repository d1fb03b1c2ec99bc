/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads licence files and says what they are. With file names: one line for
 * each. Without: lines "EXPECTED<TAB>PATH" on standard input, of which it
 * prints every disagreement, then precision and recall over the licences
 * that we accept; exit status 1 when precision is not 1.
 *
 * A licence that is taken for an accepted one without being it (a false
 * positive) would publish what may not be published; a miss only loses data.
 */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "licence/licence.h"

struct tally {
	unsigned right, wrong, missed, refused;
};

static bool read_file(const char *path, struct gs_buf *out)
{
	FILE *in = fopen(path, "rb");
	if (!in)
		return false;
	size_t n = 0;
	do {
		char *room = gs_buf_room(out, 1 << 16);
		n = room ? fread(room, 1, 1 << 16, in) : 0;
		gs_buf_grew(out, n);
	} while (n > 0);
	fclose(in);
	return true;
}

static bool is_ours(const char *id)
{
	for (size_t i = 0; gs_licence_default_ids[i]; i++)
		if (strcmp(id, gs_licence_default_ids[i]) == 0)
			return true;
	for (size_t i = 0; gs_licence_extra_ids[i]; i++)
		if (strcmp(id, gs_licence_extra_ids[i]) == 0)
			return true;
	return false;
}

static bool identify(const char *path, struct gs_licence *ret)
{
	struct gs_buf text = {0};
	bool ok = read_file(path, &text);
	if (ok)
		gs_licence_identify(gs_buf_str(&text), ret);
	gs_buf_release(&text);
	return ok;
}

static void show(const char *path)
{
	struct timespec start, end;
	struct gs_licence found = {0};
	clock_gettime(CLOCK_MONOTONIC, &start);
	if (!identify(path, &found))
		return;
	clock_gettime(CLOCK_MONOTONIC, &end);
	double ms = (double)(end.tv_sec - start.tv_sec) * 1e3 +
	            (double)(end.tv_nsec - start.tv_nsec) / 1e6;
	printf("%-14s %d %.3f %5.2fms %s%s %s\n", found.id, (int)found.method,
	    found.score, ms, path, found.is_pointer ? " (pointer)" : "",
	    found.problem);
}

/* What was expected may be several ids ("MIT|X11"). */
static bool expects(const char *expected, const char *id)
{
	struct gs_str rest = gs_str(expected), part;
	while (gs_str_cut(&rest, '|', &part))
		if (gs_str_is(part, id))
			return true;
	return false;
}

static void count(struct tally *tally, const char *expected, const char *path)
{
	struct gs_licence found = {0};
	if (!identify(path, &found))
		return;
	const char *id = found.problem[0] ? "" : found.id;
	struct gs_str first = gs_str(expected);
	(void)gs_str_cut(&first, '|', &first);
	char name[64];
	(void)snprintf(name, sizeof(name), "%.*s", GS_STR_ARG(first));
	if (is_ours(id) && expects(expected, id)) {
		tally->right++;
		return;
	}
	if (is_ours(id))
		tally->wrong++;
	else if (is_ours(name))
		tally->missed++;
	else
		tally->refused++;
	if (is_ours(id) || is_ours(name))
		printf("# %s: expected %s, found %s (%s %.3f) %s\n", path,
		    expected, id[0] ? id : "none", found.id, found.score,
		    found.problem);
}

int main(int argc, char **argv)
{
	char line[4096];
	struct tally t = {0};
	for (int i = 1; i < argc; i++)
		show(argv[i]);
	if (argc > 1)
		return 0;
	while (fgets(line, sizeof(line), stdin)) {
		line[strcspn(line, "\n")] = '\0';
		char *tab = strchr(line, '\t');
		if (!tab)
			continue;
		*tab = '\0';
		count(&t, line, tab + 1);
	}
	unsigned taken = t.right + t.wrong, due = t.right + t.missed;
	printf("# right %u, wrong %u, missed %u, rightly refused %u\n", t.right,
	    t.wrong, t.missed, t.refused);
	printf("# precision %.3f recall %.3f\n",
	    taken ? (double)t.right / (double)taken : 1.0,
	    due ? (double)t.right / (double)due : 1.0);
	return t.wrong > 0;
}

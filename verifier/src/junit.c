/* SPDX-License-Identifier: Apache-2.0 */
#include "junit.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>

const char *gv_outcome_name(enum gv_outcome outcome)
{
	static const char *const names[] = {"was not reported", "passed",
	    "failed", "broke outside of its call",
	    "was skipped or expected to fail", "was reported more than once",
	    "did not end"};

	return names[outcome];
}

static const char *attribute(const char **all, const char *name)
{
	for (; all[0]; all += 2)
		if (strcmp(all[0], name) == 0)
			return all[1];
	return "";
}

static void XMLCALL begin(void *data, const char *name, const char **all)
{
	struct gv_report *to = data;
	struct gv_case *c = to->n ? &to->v[to->n - 1] : NULL;
	enum gv_outcome outcome;

	if (strcmp(name, "testcase") == 0) {
		if (!(to->n & (to->n + 1)))
			to->v =
			    gv_grow(to->v, (to->n + 1) * 2 * sizeof(*to->v));
		to->v[to->n++] =
		    (struct gv_case){gv_dup(attribute(all, "classname")),
		        gv_dup(attribute(all, "name")), GV_PASSED, NULL};
		return;
	}
	if (strcmp(name, "failure") == 0)
		outcome = GV_FAILED;
	else if (strcmp(name, "error") == 0)
		outcome = GV_BROKEN;
	else if (strcmp(name, "skipped") == 0)
		outcome = GV_SKIPPED;
	else
		return;
	/* a failed call stays a failed call, whatever its teardown did */
	if (!c || c->outcome == GV_FAILED)
		return;
	/* strict xfail: it passed, and is neither passed nor failed (O2) */
	if (gv_starts(attribute(all, "message"), "[XPASS(strict)]"))
		outcome = GV_SKIPPED;
	c->outcome = outcome;
	free(c->message);
	c->message = gv_dup(attribute(all, "message"));
}

static int by_name(const void *left, const void *right)
{
	const struct gv_case *l = left;
	const struct gv_case *r = right;

	if (strcmp(l->name, r->name) != 0)
		return strcmp(l->name, r->name);
	return strcmp(l->class, r->class);
}

void gv_sort_report(struct gv_report *report)
{
	if (report->n)
		qsort(report->v, report->n, sizeof(*report->v), by_name);
}

/* The report cannot tell an unexpected pass from a pass; pytest's list of
 * them can, and only ever takes something away. */
bool gv_read_junit(const struct gv_buf *xml, struct gv_report *to)
{
	XML_Parser parser = XML_ParserCreate(NULL);
	bool whole;

	if (!parser)
		gv_die("out of memory");
	XML_SetUserData(parser, to);
	XML_SetStartElementHandler(parser, begin);
	whole =
	    XML_Parse(parser, gv_text(xml), (int)xml->n, 1) == XML_STATUS_OK;
	XML_ParserFree(parser);
	gv_sort_report(to);
	for (size_t i = 0; i < to->n; i++)
		to->failed += to->v[i].outcome == GV_FAILED ||
		              to->v[i].outcome == GV_BROKEN ||
		              (to->v[i].message && gv_starts(to->v[i].message,
		                                       "[XPASS(strict)]"));
	return whole;
}

/* pytest writes characters that XML cannot hold as #x1F. */
static void escape(const char *s, size_t n, struct gv_buf *to)
{
	gv_put(to, "", 0);
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];

		if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') ||
		    c == 0x7f)
			gv_putf(to, "#x%02X", c);
		else
			gv_put(to, s + i, 1);
	}
}

/* `a/b.py::C::f[x::y]` becomes class `a.b.C` and name `f[x::y]`. */
static void mangle(const char *id, struct gv_buf *class, struct gv_buf *name)
{
	size_t plain = strcspn(id, "["), last = 0, file = plain;

	for (size_t i = 0; i + 1 < plain; i++)
		if (id[i] == ':' && id[i + 1] == ':') {
			file = last ? file : i;
			last = i++ + 2;
		}
	escape(id + last, strlen(id) - last, name);
	gv_put(class, "", 0);
	if (!last)
		return;
	for (size_t i = 0; i < file; i++)
		if (i + 3 == file && memcmp(id + i, ".py", 3) == 0)
			i += 2;
		else
			gv_put(class, id[i] == '/' ? "." : id + i, 1);
	for (size_t i = file; i + 2 < last; i++)
		if (id[i] == ':' && id[i + 1] == ':') {
			gv_put(class, ".", 1);
			i++;
		} else {
			gv_put(class, id + i, 1);
		}
}

enum gv_outcome gv_outcome_of(
    const struct gv_report *report, const char *id, const char **message)
{
	struct gv_buf class = {0}, name = {0};
	struct gv_case key = {0}, *found, *end = report->v + report->n;
	enum gv_outcome outcome = GV_ABSENT;

	mangle(id, &class, &name);
	key.class = class.s;
	key.name = name.s;
	found = report->n
	            ? bsearch(&key, report->v, report->n, sizeof(key), by_name)
	            : NULL;
	while (found && found > report->v && by_name(found - 1, &key) == 0)
		found--;
	for (; found && found < end && by_name(found, &key) == 0; found++) {
		if (outcome == GV_ABSENT || found->outcome == GV_FAILED)
			outcome = found->outcome;
		else if (outcome != GV_FAILED && found->outcome == GV_BROKEN)
			outcome = GV_BROKEN;
		else if (outcome == GV_PASSED)
			outcome = GV_DUPLICATE;
		if (found->message)
			*message = found->message;
	}
	gv_drop(&class);
	gv_drop(&name);
	return outcome;
}

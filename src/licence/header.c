/* SPDX-License-Identifier: Apache-2.0 */
/* L3, F045: a file of a permissive project may carry the notice of another
 * licence, as copied code does. */
#include <stdio.h>

#include "base/attr.h"
#include "base/buf.h"
#include "licence/expression.h"
#include "licence/licence.h"

#define HEADER_LINES 100

struct reader {
	struct gs_str rest;
	struct gs_buf prose; /* comments and docstring, spaces joined */
	const char *quote;   /* inside the docstring: what ends it */
	bool seen_code;
	bool ok;
	char *detail;
	unsigned have;
};

static unsigned families_of(const struct gs_strv *accepted)
{
	unsigned have = 0;
	if (!accepted)
		for (size_t i = 0; gs_licence_default_ids[i]; i++)
			have |= gs_licence_family_of(
			    gs_str(gs_licence_default_ids[i]));
	else
		for (size_t i = 0; i < accepted->n; i++)
			have |= gs_licence_family_of(gs_str(accepted->v[i]));
	return have & ~(unsigned)FAMILY_OTHER;
}

/* true when the line is an SPDX tag, which is judged as an expression. */
static bool check_tag(struct reader *r, struct gs_str line)
{
	const struct gs_str tag = GS_STR("SPDX-License-Identifier:");
	struct gs_expression e;
	ptrdiff_t at = gs_str_find(line, tag);
	if (at < 0)
		return false;
	struct gs_str value =
	    gs_str_trim(gs_str_from(line, (size_t)at + tag.n));
	gs_expression_read(value, &e);
	/* An id that says nothing to us is one that is not accepted. */
	for (size_t i = 0; i < e.n; i++)
		if (e.families[i] == 0)
			e.families[i] = FAMILY_OTHER;
	if (!r->ok || (e.n > 0 && gs_expression_agrees(&e, r->have)))
		return true;
	r->ok = false;
	if (value.n > 80)
		value.n = 80;
	(void)snprintf(r->detail, 240,
	    "The changed file names a licence that is not accepted: %.*s.",
	    GS_STR_ARG(value));
	return true;
}

static void add_prose(struct reader *r, struct gs_str line)
{
	if (check_tag(r, line))
		return;
	for (size_t i = 0; i < line.n; i++) {
		char c = line.p[i];
		bool is_sign = c == '#' || c == ' ' || c == '\t' || c == '*' ||
		               c == '\r' || c == '"' || c == '\'';
		if (c >= 'A' && c <= 'Z')
			c = (char)(c + 32);
		if (!is_sign)
			gs_buf_addc(&r->prose, c);
		else if (r->prose.n > 0 && r->prose.p[r->prose.n - 1] != ' ')
			gs_buf_addc(&r->prose, ' ');
	}
	gs_buf_addc(&r->prose, ' ');
}

/* `"""text` and r'''text open the docstring of the module. */
static const char *opens(struct gs_str line)
{
	while (
	    line.n > 0 && ((line.p[0] | 32) == 'r' || (line.p[0] | 32) == 'u' ||
	                      (line.p[0] | 32) == 'b'))
		line = gs_str_from(line, 1);
	if (gs_str_starts(line, "\"\"\""))
		return "\"\"\"";
	if (gs_str_starts(line, "'''"))
		return "'''";
	return gs_str_starts(line, "\"") ? "\"" : NULL;
}

static void read_line(struct reader *r, struct gs_str line)
{
	struct gs_str trimmed = gs_str_trim(line);
	if (r->quote) {
		add_prose(r, line);
		if (gs_str_contains(line, gs_str(r->quote)))
			r->quote = NULL;
		return;
	}
	if (gs_str_starts(trimmed, "#")) {
		add_prose(r, trimmed);
		return;
	}
	const char *quote =
	    r->seen_code || trimmed.n == 0 ? NULL : opens(trimmed);
	if (quote) {
		ptrdiff_t at = gs_str_find(trimmed, gs_str(quote));
		struct gs_str after =
		    gs_str_from(trimmed, (size_t)at + gs_str(quote).n);
		add_prose(r, trimmed);
		if (!gs_str_contains(after, gs_str(quote)))
			r->quote = quote;
	}
	r->seen_code |= trimmed.n > 0;
	if (gs_str_starts(trimmed, "__license__"))
		add_prose(r, trimmed);
}

static void check_notices(struct reader *r)
{
	static const char *const notices[] = {"gnu general public",
	    "gnu lesser general public", "gnu library general public",
	    "gnu affero general public", "gnu public license",
	    "mozilla public license", "eclipse public license",
	    "creative commons attribution-",
	    "creative commons attribution share", "under the gpl",
	    "under the lgpl", "under the agpl", "terms of the gpl",
	    "terms of the lgpl", "license: gpl", "license: lgpl",
	    "license: agpl", "licence: gpl", "license = gpl", "license__ = gpl",
	    "license__ = lgpl", "license__ = agpl", "gplv2", "gplv3", "lgplv2",
	    "lgplv3", "agplv3", "gpl v2", "gpl v3", "gpl-2", "gpl-3", "lgpl-2",
	    "lgpl-3", "cecill", "european union public licen",
	    "common development and distribution license",
	    "server side public license", "business source license",
	    "commons clause", "proprietary and confidential",
	    "non-commercial use", "noncommercial use"};
	for (size_t i = 0; i < GS_COUNT(notices) && r->ok; i++) {
		if (!gs_str_contains(gs_buf_str(&r->prose), gs_str(notices[i])))
			continue;
		r->ok = false;
		(void)snprintf(r->detail, 240,
		    "The head of the changed file says \"%s\".", notices[i]);
	}
}

bool gs_licence_header_ok(
    struct gs_str source, const struct gs_strv *accepted, char detail[240])
{
	struct reader r = {.rest = source,
	    .ok = true,
	    .detail = detail,
	    .have = families_of(accepted)};
	struct gs_str line;
	detail[0] = '\0';
	r.prose.max = (size_t)1 << 20;
	if (gs_str_starts(source, "\xEF\xBB\xBF"))
		r.rest = gs_str_from(source, 3);
	for (int i = 0; i < HEADER_LINES && gs_str_cut(&r.rest, '\n', &line);
	     i++)
		read_line(&r, line);
	check_notices(&r);
	gs_buf_release(&r.prose);
	return r.ok;
}

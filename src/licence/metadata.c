/* SPDX-License-Identifier: Apache-2.0 */
#include "licence/metadata.h"

#include <stdio.h>

#include "base/attr.h"
#include "licence/expression.h"

/* Longer values are whole texts or programs. */
#define VALUE_MAX 120

/* The value of `key` on the line: after = or :, without its quotes. */
static bool value_of(struct gs_str line, const char *key, struct gs_str *ret)
{
	struct gs_str k = gs_str(key);
	line = gs_str_trim(line);
	if (gs_str_starts(line, "\""))
		line = gs_str_from(line, 1);
	if (line.n <= k.n || !gs_str_ieq(gs_str_sub(line, 0, k.n), k))
		return false;
	line = gs_str_trim(gs_str_from(line, k.n));
	if (gs_str_starts(line, "\""))
		line = gs_str_trim(gs_str_from(line, 1));
	/* "License :: OSI Approved" is a classifier. */
	if (line.n == 0 || (line.p[0] != '=' && line.p[0] != ':') ||
	    gs_str_starts(line, "::"))
		return false;
	*ret = gs_str_trim(gs_str_from(line, 1));
	return true;
}

/* The first quoted string, or nothing. */
static struct gs_str quoted(struct gs_str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] != '"' && s.p[i] != '\'')
			continue;
		struct gs_str rest = gs_str_from(s, i + 1);
		ptrdiff_t end = gs_str_find_char(rest, s.p[i]);
		return end < 0 ? (struct gs_str){0}
		               : gs_str_sub(rest, 0, (size_t)end);
	}
	return (struct gs_str){0};
}

/* license = "MIT"; license = {text = "MIT"}; but not {file = "LICENSE"},
 * not a name that a program fills in. */
static struct gs_str licence_field(struct gs_str value, bool is_ini)
{
	if (is_ini)
		return value;
	if (gs_str_starts(value, "{")) {
		ptrdiff_t text = gs_str_find(value, GS_STR("text"));
		return text < 0 ? (struct gs_str){0}
		                : quoted(gs_str_from(value, (size_t)text));
	}
	bool is_string =
	    gs_str_starts(value, "\"") || gs_str_starts(value, "'");
	return is_string ? quoted(value) : (struct gs_str){0};
}

static bool expression_agrees(struct gs_str value, unsigned have)
{
	struct gs_expression e;
	if (value.n == 0 || value.n > VALUE_MAX)
		return true;
	gs_expression_read(value, &e);
	return gs_expression_agrees(&e, have);
}

static bool classifier_agrees(struct gs_str line, unsigned have)
{
	ptrdiff_t at = gs_str_find(line, GS_STR("License ::"));
	if (at < 0 || gs_str_starts(gs_str_trim(line), "#"))
		return true;
	struct gs_str rest = gs_str_from(line, (size_t)at);
	size_t n = 0;
	while (n < rest.n && rest.p[n] != '"' && rest.p[n] != '\'' &&
	       rest.p[n] != '\r')
		n++;
	unsigned family =
	    gs_classifier_family(gs_str_trim(gs_str_sub(rest, 0, n)));
	struct gs_expression one = {{family}, 1, true};
	return gs_expression_agrees(&one, have);
}

static bool line_agrees(
    struct gs_str line, bool is_ini, bool in_table, unsigned have)
{
	struct gs_str value;
	if (value_of(line, "license", &value) ||
	    value_of(line, "License-Expression", &value) ||
	    value_of(line, "license_expression", &value))
		return expression_agrees(licence_field(value, is_ini), have);
	if (in_table && value_of(line, "text", &value))
		return expression_agrees(licence_field(value, is_ini), have);
	return classifier_agrees(line, have);
}

/* setup(name="x", license="MIT"): more than one argument on a line. */
static struct gs_str skip_to_argument(struct gs_str line)
{
	for (size_t i = 1; i + 7 < line.n; i++)
		if ((line.p[i - 1] == ' ' || line.p[i - 1] == ',' ||
		        line.p[i - 1] == '(') &&
		    gs_str_starts(gs_str_from(line, i), "license="))
			return gs_str_from(line, i);
	return line;
}

bool gs_metadata_agrees(
    const struct gs_licence_file *file, unsigned have, char *ret, size_t size)
{
	bool is_ini = gs_str_ends(file->path, ".cfg") ||
	              gs_str_ends(file->path, "PKG-INFO") ||
	              gs_str_ends(file->path, "METADATA");
	bool in_table = false;
	struct gs_str rest = file->bytes, line;
	while (gs_str_cut(&rest, '\n', &line)) {
		struct gs_str trimmed = gs_str_trim(line);
		if (gs_str_starts(trimmed, "#"))
			continue;
		if (gs_str_starts(trimmed, "["))
			in_table = gs_str_is(trimmed, "[project.license]");
		/* PKG-INFO: the headers end at the first empty line. */
		if (trimmed.n == 0 && gs_str_ends(file->path, "PKG-INFO"))
			break;
		if (gs_str_ends(file->path, ".py"))
			line = skip_to_argument(line);
		if (line_agrees(line, is_ini, in_table, have))
			continue;
		if (trimmed.n > VALUE_MAX)
			trimmed.n = VALUE_MAX;
		(void)snprintf(ret, size,
		    "%.*s contradicts the licence file: %.*s.",
		    GS_STR_ARG(file->path), GS_STR_ARG(trimmed));
		return false;
	}
	return true;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "publish/escape.h"

#include <string.h>

#include "base/utf8.h"

void escape_markdown(struct gs_buf *out, struct gs_str text)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf clean = {0};
	gs_utf8_harmless(&clean, text, false);
	for (size_t i = 0; i < clean.n; i++) {
		char c = clean.p[i];
		if (c == '&')
			gs_buf_addz(out, "&amp;");
		else if (c == '<')
			gs_buf_addz(out, "&lt;");
		else if (c == '>')
			gs_buf_addz(out, "&gt;");
		/* '@' and "://" would make links of their own accord. */
		else if (c == '@')
			gs_buf_addz(out, "&#64;");
		else if (c == ':' &&
		         gs_str_starts(
		             gs_str_from(gs_buf_str(&clean), i), "://"))
			gs_buf_addz(out, "&#58;");
		else if (strchr("\\`*_{}[]()#+!|~$", c))
			gs_buf_addf(out, "\\%c", c);
		else
			gs_buf_addc(out, c);
	}
}

bool escape_is_url(struct gs_str url)
{
	static const char allowed[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	    "-._~:/?#=&%+,@";
	if (!gs_str_starts(url, "https://"))
		return false;
	for (size_t i = 0; i < url.n; i++)
		if (!url.p[i] || !strchr(allowed, url.p[i]))
			return false;
	return true;
}

void escape_link(struct gs_buf *out, struct gs_str text, struct gs_str url)
{
	if (!escape_is_url(url)) {
		escape_markdown(out, text);
		return;
	}
	gs_buf_addc(out, '[');
	escape_markdown(out, text);
	gs_buf_addf(out, "](%.*s)", GS_STR_ARG(url));
}

void escape_yaml(struct gs_buf *out, struct gs_str text)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf clean = {0};
	gs_utf8_harmless(&clean, text, false);
	gs_buf_addc(out, '"');
	for (size_t i = 0; i < clean.n; i++) {
		if (clean.p[i] == '"' || clean.p[i] == '\\')
			gs_buf_addc(out, '\\');
		gs_buf_addc(out, clean.p[i]);
	}
	gs_buf_addc(out, '"');
}

void escape_bibtex(struct gs_buf *out, struct gs_str text)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf clean = {0};
	gs_utf8_harmless(&clean, text, false);
	for (size_t i = 0; i < clean.n; i++) {
		char c = clean.p[i];
		if (strchr("{}\\`<>", c))
			continue; /* none of them belongs in a name */
		if (strchr("%#&$_", c))
			gs_buf_addc(out, '\\');
		gs_buf_addc(out, c);
	}
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "model/identity.h"

#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static size_t indent_of(struct gs_str line)
{
	size_t n = 0;
	while (n < line.n && is_blank(line.p[n]))
		n++;
	return n;
}

/* The next line that I1 keeps, without its end and trailing blanks. */
static bool next_kept(struct gs_str *text, struct gs_str *ret_line)
{
	while (text->n > 0) {
		ptrdiff_t lf = gs_str_find_char(*text, '\n');
		size_t n = lf < 0 ? text->n : (size_t)lf;
		struct gs_str line = gs_str_sub(*text, 0, n);
		*text = gs_str_from(*text, lf < 0 ? n : n + 1);
		/* Only a CR that a LF follows is a line end. */
		if (lf >= 0 && line.n > 0 && line.p[line.n - 1] == '\r')
			line.n--;
		while (line.n > 0 && is_blank(line.p[line.n - 1]))
			line.n--;
		size_t indent = indent_of(line);
		if (indent == line.n || line.p[indent] == '#')
			continue;
		*ret_line = line;
		return true;
	}
	return false;
}

static size_t common_indent(struct gs_str text)
{
	struct gs_str first, line;
	if (!next_kept(&text, &first))
		return 0;
	size_t common = indent_of(first);
	while (common > 0 && next_kept(&text, &line)) {
		size_t same = 0;
		while (same < common && same < line.n &&
		       line.p[same] == first.p[same])
			same++;
		common = same;
	}
	return common;
}

void gs_normalise(struct gs_str text, struct gs_buf *ret)
{
	struct gs_str line;
	if (gs_str_starts(text, "\xEF\xBB\xBF"))
		text = gs_str_from(text, 3);
	size_t cut = common_indent(text);
	while (next_kept(&text, &line)) {
		gs_buf_adds(ret, gs_str_from(line, cut));
		gs_buf_addc(ret, '\n');
	}
}

void gs_text_hash(struct gs_str text, char out[GS_SHA256_HEX])
{
	GS_CLEANUP(gs_buf_release) struct gs_buf normal = {0};
	gs_normalise(text, &normal);
	gs_sha256_hex(gs_buf_str(&normal), out);
}

void gs_fingerprint(
    struct gs_str before, struct gs_str after, char out[GS_SHA256_HEX])
{
	GS_CLEANUP(gs_buf_release) struct gs_buf both = {0};
	gs_normalise(before, &both);
	gs_buf_addc(&both, '\0');
	gs_normalise(after, &both);
	gs_sha256_hex(gs_buf_str(&both), out);
}

void gs_record_id(const struct gs_identity *identity, char out[GS_ID_SIZE])
{
	const char *const parts[] = {identity->repo, identity->commit,
	    identity->parent, identity->module, identity->unit,
	    identity->granularity, identity->fingerprint};
	struct gs_sha256 sha;
	char hex[GS_SHA256_HEX];

	gs_sha256_init(&sha);
	for (size_t i = 0; i < GS_COUNT(parts); i++) {
		if (i > 0)
			gs_sha256_add(&sha, GS_STR("\n"));
		gs_sha256_add(&sha, gs_str(parts[i]));
	}
	gs_sha256_end_hex(&sha, hex);
	memcpy(out, "gs-", 3);
	memcpy(out + 3, hex, 16);
	out[GS_ID_SIZE - 1] = '\0';
}

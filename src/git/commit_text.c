/* SPDX-License-Identifier: Apache-2.0 */
#include "git/commit_text.h"

#include <ctype.h>
#include <errno.h>
#include <iconv.h>
#include <string.h>

#include "base/limits.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "git/dates.h"

/* The only converters that a commit may choose: plain tables. Stateful ones
 * (ISO-2022-…) have had memory errors in libc and are not worth it. */
static const char *const encodings[] = {"big5", "cp1250", "cp1251", "cp1252",
    "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "cp437",
    "cp850", "cp866", "cp932", "cp936", "cp949", "euc-jp", "euc-kr", "gb18030",
    "gb2312", "gbk", "iso-8859-1", "iso-8859-10", "iso-8859-13", "iso-8859-14",
    "iso-8859-15", "iso-8859-16", "iso-8859-2", "iso-8859-3", "iso-8859-4",
    "iso-8859-5", "iso-8859-6", "iso-8859-7", "iso-8859-8", "iso-8859-9",
    "iso8859-1", "iso8859-15", "koi8-r", "koi8-u", "latin1", "latin-1",
    "shift_jis", "sjis", "windows-1250", "windows-1251", "windows-1252",
    "windows-1253", "windows-1254", "windows-1255", "windows-1256",
    "windows-1257", "windows-1258"};

void gs_commit_text_release(struct gs_commit_text *text)
{
	gs_buf_release(&text->message);
}

static const char *known_encoding(struct gs_str name)
{
	if (gs_str_ieq(name, GS_STR("latin-1")))
		return "latin1"; /* iconv does not know this spelling */
	for (size_t i = 0; i < GS_COUNT(encodings); i++)
		if (gs_str_ieq(name, gs_str(encodings[i])))
			return encodings[i];
	return NULL;
}

/* Each byte that does not decode becomes U+FFFD. */
static void convert(struct gs_buf *out, struct gs_str in, iconv_t converter)
{
	char piece[4096];
	/* iconv's second argument is not const for old reasons only. */
	GS_CLEANUP(gs_freep) char *copy = gs_strndup(in.p, in.n);
	char *p = copy;
	size_t left = in.n;

	while (left > 0) {
		char *to = piece;
		size_t room = sizeof(piece);
		size_t rc = iconv(converter, &p, &left, &to, &room);
		int why = errno;

		gs_buf_add(out, piece, (size_t)(to - piece));
		if (rc == (size_t)-1 && why != E2BIG && left > 0) {
			gs_utf8_put(out, 0xfffd);
			p++;
			left--;
			(void)iconv(converter, NULL, NULL, NULL, NULL);
		}
	}
}

static void decode(
    struct gs_buf *out, struct gs_str bytes, struct gs_str encoding)
{
	const char *name = known_encoding(encoding);
	iconv_t converter = name ? iconv_open("UTF-8", name) : NULL;

	if (!name || (intptr_t)converter == -1) {
		gs_utf8_repair(out, bytes);
		return;
	}
	convert(out, bytes, converter);
	(void)iconv_close(converter);
}

/* Drops CR before LF; cuts at the cap, between characters. */
static void tidy(struct gs_buf *out, struct gs_str text)
{
	size_t end = text.n;

	if (end > GS_MAX_MESSAGE) {
		end = GS_MAX_MESSAGE;
		while (end > 0 && ((unsigned char)text.p[end] & 0xc0) == 0x80)
			end--;
	}
	for (size_t i = 0; i < end; i++)
		if (text.p[i] != '\r' || i + 1 >= text.n ||
		    text.p[i + 1] != '\n')
			gs_buf_addc(out, text.p[i]);
}

static void message(
    struct gs_commit_text *ret, struct gs_str bytes, struct gs_str encoding)
{
	GS_CLEANUP(gs_buf_release) struct gs_buf decoded = {0};
	ptrdiff_t nul = gs_str_find_char(bytes, '\0');

	/* git itself cuts there (F012). */
	if (nul >= 0)
		bytes = gs_str_sub(bytes, 0, (size_t)nul);
	/* No encoding writes a character in more than four bytes. */
	if (bytes.n > 4 * GS_MAX_MESSAGE)
		bytes.n = 4 * GS_MAX_MESSAGE;
	decode(&decoded, bytes, encoding);
	tidy(&ret->message, gs_buf_str(&decoded));
}

static bool cut_word(struct gs_str *line, const char *word)
{
	if (!gs_str_starts(*line, word))
		return false;
	*line = gs_str_from(*line, strlen(word));
	return true;
}

int gs_commit_text_parse(
    struct gs_str bytes, struct gs_commit_text *ret, struct gs_err *err)
{
	struct gs_str line, encoding = {0};
	struct gs_oid parent;
	bool in_parents = false;

	gs_commit_text_release(ret);
	*ret = (struct gs_commit_text){0};
	if (!gs_str_cut(&bytes, '\n', &line) || !cut_word(&line, "tree ") ||
	    !gs_oid_parse(line, &ret->tree))
		return gs_fail(err, GS_E_CORRUPT, "a commit without a tree");
	in_parents = true;
	while (gs_str_cut(&bytes, '\n', &line) && line.n > 0) {
		/* Parents stand together, right after the tree. */
		if (in_parents && cut_word(&line, "parent ")) {
			if (!gs_oid_parse(line, &parent))
				return gs_fail(err, GS_E_CORRUPT,
				    "a commit whose parent is no id");
			if (ret->n_parents++ == 0)
				ret->parent = parent;
			continue;
		}
		in_parents = false;
		if (cut_word(&line, "committer "))
			ret->has_date =
			    gs_date_of_ident(line, &ret->committed_at);
		else if (cut_word(&line, "encoding "))
			encoding = line;
	}
	message(ret, bytes, encoding);
	return 0;
}

/* SPDX-License-Identifier: Apache-2.0 */
#include "py/encoding.h"

#include <ctype.h>
#include <errno.h>
#include <iconv.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "py/source.h"

#define NAME_SIZE 40
#define LONGEST_CHARACTER 8 /* bytes, in any encoding of a source file */

/* Names of Python's that iconv does not know, and names that both know but
 * that no source file may use, since they are not supersets of ASCII. */
static const struct alias {
	const char *python, *iconv; /* NULL: refused */
} aliases[] = {
    {"utf8", "utf-8"},
    {"u8", "utf-8"},
    {"utf", "utf-8"},
    {"cp65001", "utf-8"},
    {"latin1", "iso-8859-1"},
    {"latin", "iso-8859-1"},
    {"l1", "iso-8859-1"},
    {"8859", "iso-8859-1"},
    {"iso8859", "iso-8859-1"},
    {"cp819", "iso-8859-1"},
    {"646", "ascii"},
    {"1250", "cp1250"},
    {"1251", "cp1251"},
    {"1252", "cp1252"},
    {"latin9", "iso-8859-15"},
    {"latin-9", "iso-8859-15"},
    {"l9", "iso-8859-15"},
    {"koi8r", "koi8-r"},
    {"koi8u", "koi8-u"},
    {"macroman", "macintosh"},
    {"mac-roman", "macintosh"},
    {"eucjp", "euc-jp"},
    {"ujis", "euc-jp"},
    {"euckr", "euc-kr"},
    {"ms932", "cp932"},
    {"936", "gbk"},
    {"utf-7", NULL},
    {"utf7", NULL},
    {"hz", NULL},
};

size_t gs_py_bom(struct gs_str bytes)
{
	return gs_str_starts(bytes, "\xef\xbb\xbf") ? 3 : 0;
}

/* The interpreter ends a line at LF, CR LF or a lone CR here. */
static struct gs_str take_line(struct gs_str *rest)
{
	size_t n = 0;
	while (n < rest->n && rest->p[n] != '\n' && rest->p[n] != '\r')
		n++;
	struct gs_str line = gs_str_sub(*rest, 0, n);
	if (n < rest->n && rest->p[n] == '\r')
		n++;
	if (n < rest->n && rest->p[n] == '\n' &&
	    (n == line.n || rest->p[n - 1] == '\r'))
		n++;
	*rest = gs_str_from(*rest, n);
	return line;
}

static size_t skip_blank(struct gs_str line)
{
	size_t n = 0;
	while (n < line.n && strchr(" \t\f", line.p[n]) && line.p[n])
		n++;
	return n;
}

static bool is_name_byte(char c)
{
	return isalnum((unsigned char)c) || c == '-' || c == '_' || c == '.';
}

/* The name after "coding:" or "coding=" in a comment line; empty: none. */
static struct gs_str find_cookie(struct gs_str line)
{
	static const struct gs_str word = {"coding", 6};
	size_t hash = skip_blank(line);
	if (hash == line.n || line.p[hash] != '#')
		return (struct gs_str){0};
	for (size_t i = hash; i + word.n < line.n; i++) {
		struct gs_str at = gs_str_from(line, i);
		if (!gs_str_eq(gs_str_sub(at, 0, word.n), word) ||
		    (at.p[word.n] != ':' && at.p[word.n] != '='))
			continue;
		size_t start = word.n + 1;
		while (
		    start < at.n && (at.p[start] == ' ' || at.p[start] == '\t'))
			start++;
		size_t end = start;
		while (end < at.n && is_name_byte(at.p[end]))
			end++;
		if (end > start)
			return gs_str_sub(at, start, end);
	}
	return (struct gs_str){0};
}

static bool is_family(const char *name, const char *family)
{
	size_t n = strlen(family);
	if (strncmp(name, family, n) != 0)
		return false;
	return name[n] == 0 || name[n] == '-';
}

/* Python's own folding of names (tokenizer, then encodings.aliases). */
static bool fold_name(struct gs_str cookie, char name[NAME_SIZE])
{
	if (cookie.n >= NAME_SIZE)
		return false;
	for (size_t i = 0; i < cookie.n; i++)
		name[i] = cookie.p[i] == '_'
		              ? '-'
		              : (char)tolower((unsigned char)cookie.p[i]);
	name[cookie.n] = 0;
	if (is_family(name, "utf-8"))
		memcpy(name, "utf-8", sizeof("utf-8"));
	else if (is_family(name, "latin-1") || is_family(name, "iso-8859-1") ||
	         is_family(name, "iso-latin-1"))
		memcpy(name, "iso-8859-1", sizeof("iso-8859-1"));
	for (size_t i = 0; i < GS_COUNT(aliases); i++) {
		if (strcmp(name, aliases[i].python) != 0)
			continue;
		if (!aliases[i].iconv)
			return false;
		memcpy(name, aliases[i].iconv, strlen(aliases[i].iconv) + 1);
		break;
	}
	return strncmp(name, "iso-2022", 8) != 0 &&
	       strncmp(name, "iso2022", 7) != 0;
}

/* The encoding that `bytes` declare, by iconv's name; false where the
 * declaration alone makes the interpreter refuse the file. */
static bool declared(struct gs_str bytes, char name[NAME_SIZE])
{
	size_t bom = gs_py_bom(bytes);
	struct gs_str rest = gs_str_from(bytes, bom);
	struct gs_str first = take_line(&rest);
	struct gs_str cookie = find_cookie(first);
	size_t blank = skip_blank(first);
	if (cookie.n == 0 && (blank == first.n || first.p[blank] == '#'))
		cookie = find_cookie(take_line(&rest));
	if (cookie.n == 0)
		cookie = GS_STR("utf-8");
	if (!fold_name(cookie, name))
		return false;
	return bom == 0 || strcmp(name, "utf-8") == 0;
}

static bool is_utf8_name(const char *name)
{
	return strcmp(name, "utf-8") == 0;
}

/* A source encoding keeps ASCII as it is: that refuses UTF-16, EBCDIC and
 * those that put a yen sign in the backslash's place. */
static bool keeps_ascii(iconv_t cd)
{
	char in[128], out[512];
	for (int c = 0; c < 128; c++)
		in[c] = (char)c;
	char *from = in, *to = out;
	size_t n_in = sizeof(in), n_out = sizeof(out);
	size_t rc = iconv(cd, &from, &n_in, &to, &n_out);
	iconv(cd, NULL, NULL, NULL, NULL);
	return rc != (size_t)-1 && n_out == sizeof(out) - sizeof(in) &&
	       memcmp(in, out, sizeof(in)) == 0;
}

static bool open_decoder(const char *name, iconv_t *ret)
{
	*ret = iconv_open("UTF-8", name);
	if ((intptr_t)*ret == -1)
		return false;
	if (keeps_ascii(*ret))
		return true;
	iconv_close(*ret);
	return false;
}

static bool open_encoder(const char *name, iconv_t *ret)
{
	if (!open_decoder(name, ret))
		return false;
	iconv_close(*ret);
	*ret = iconv_open(name, "UTF-8");
	return (intptr_t)*ret != -1;
}

/* One character that is not ASCII: bytes taken, 0 when it is none. */
static size_t decode_one(
    iconv_t cd, struct gs_str rest, char out[16], size_t *ret_n)
{
	for (size_t n = 1; n <= LONGEST_CHARACTER && n <= rest.n; n++) {
		char in[LONGEST_CHARACTER];
		memcpy(in, rest.p, n);
		char *from = in, *to = out;
		size_t n_in = n, n_out = 16;
		size_t rc = iconv(cd, &from, &n_in, &to, &n_out);
		if (rc == (size_t)-1 && errno == EINVAL)
			continue;
		*ret_n = 16 - n_out;
		return rc == 0 && n_in == 0 && *ret_n > 0 ? n : 0;
	}
	return 0;
}

static void add_mapped(
    struct gs_py_text *text, const char *p, size_t n, size_t at)
{
	for (size_t i = 0; i < n; i++)
		text->offsets[text->decoded.n + i] = (uint32_t)at;
	gs_buf_add(&text->decoded, p, n);
}

static bool decode_all(iconv_t cd, struct gs_str bytes, struct gs_py_text *text)
{
	/* No encoding of the world makes more than three UTF-8 bytes of one. */
	text->offsets = gs_alloc((3 * bytes.n + 1) * sizeof(*text->offsets));
	for (size_t i = 0; i < bytes.n;) {
		char out[16];
		size_t n_out = 1, n_in = 1;
		out[0] = bytes.p[i];
		if ((unsigned char)bytes.p[i] >= 0x80)
			n_in =
			    decode_one(cd, gs_str_from(bytes, i), out, &n_out);
		if (n_in == 0 || text->decoded.n + n_out > 3 * bytes.n)
			return false;
		add_mapped(text, out, n_out, i);
		i += n_in;
	}
	text->offsets[text->decoded.n] = (uint32_t)bytes.n;
	return true;
}

void gs_py_text_init(struct gs_str bytes, struct gs_py_text *ret)
{
	char name[NAME_SIZE] = {0};
	*ret = (struct gs_py_text){.utf8 = bytes};
	bool is_known = declared(bytes, name);
	if (!is_known || is_utf8_name(name) || bytes.n > UINT32_MAX / 3 - 1) {
		ret->is_valid = is_known && gs_utf8_valid(bytes);
		return;
	}
	iconv_t cd;
	if (!open_decoder(name, &cd))
		return;
	ret->is_valid = decode_all(cd, bytes, ret);
	iconv_close(cd);
	if (ret->is_valid) {
		ret->utf8 = gs_buf_str(&ret->decoded);
		return;
	}
	gs_py_text_release(ret);
	ret->utf8 = bytes;
}

void gs_py_text_release(struct gs_py_text *text)
{
	gs_buf_release(&text->decoded);
	free(text->offsets);
	*text = (struct gs_py_text){0};
}

size_t gs_py_text_offset(const struct gs_py_text *text, size_t at)
{
	return text->offsets ? text->offsets[at] : at;
}

int gs_source_decode(
    struct gs_str bytes, struct gs_buf *ret, struct gs_err *err)
{
	if (gs_str_find_char(bytes, 0) >= 0)
		return gs_fail(err, GS_E_CORRUPT,
		    "the Python file holds a NUL byte, which the interpreter "
		    "refuses");
	GS_CLEANUP(gs_py_text_release) struct gs_py_text text;
	gs_py_text_init(bytes, &text);
	if (!text.is_valid)
		return gs_fail(err, GS_E_CORRUPT,
		    "the Python file does not decode as the encoding that it "
		    "declares");
	gs_buf_adds(ret, gs_str_from(text.utf8, gs_py_bom(text.utf8)));
	return 0;
}

static bool encode_all(iconv_t cd, struct gs_str text, struct gs_buf *ret)
{
	GS_CLEANUP(gs_freep) char *in = gs_strndup(text.p, text.n);
	char *from = in;
	size_t n_in = text.n, rc;
	do {
		char out[4096];
		char *to = out;
		size_t n_out = sizeof(out);
		rc = iconv(cd, &from, &n_in, &to, &n_out);
		if (rc == (size_t)-1 && errno != E2BIG)
			return false;
		if (rc != (size_t)-1 && rc > 0) /* would not come back */
			return false;
		gs_buf_add(ret, out, sizeof(out) - n_out);
	} while (rc == (size_t)-1);
	return true;
}

int gs_source_encode(struct gs_str text, struct gs_str like, struct gs_buf *ret,
    struct gs_err *err)
{
	char name[NAME_SIZE] = {0};
	if (!declared(like, name) || !gs_utf8_valid(text))
		return gs_fail(err, GS_E_CORRUPT,
		    "the text cannot be encoded: its file declares an encoding "
		    "that is not known");
	if (is_utf8_name(name)) {
		gs_buf_adds(ret, text);
		return 0;
	}
	iconv_t cd;
	if (!open_encoder(name, &cd))
		return gs_fail(err, GS_E_CORRUPT,
		    "the text cannot be encoded: the encoding %s that its file "
		    "declares is not known",
		    name);
	size_t before = ret->n;
	bool is_done = encode_all(cd, text, ret);
	iconv_close(cd);
	if (is_done)
		return 0;
	gs_buf_cut(ret, before);
	return gs_fail(err, GS_E_CORRUPT,
	    "the text holds characters that its file's encoding %s lacks",
	    name);
}

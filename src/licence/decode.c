/* SPDX-License-Identifier: Apache-2.0 */
/* F044: licence files come in UTF-8 with and without BOM, UTF-16 and old
 * eight-bit code pages. Only the comparison sees the decoded text; the bytes
 * that ship are those of the commit (L4). */
#include "base/attr.h"
#include "base/utf8.h"
#include "licence/words.h"

static const struct sign {
	uint32_t code;
	const char *ascii;
} signs[] = {
    {0xA0, " "},
    {0xA9, "(c)"},
    {0xAB, "\""},
    {0xAD, ""},
    {0xB7, "*"},
    {0xBB, "\""},
    {0x2010, "-"},
    {0x2011, "-"},
    {0x2012, "-"},
    {0x2013, "-"},
    {0x2014, "-"},
    {0x2015, "-"},
    {0x2018, "'"},
    {0x2019, "'"},
    {0x201C, "\""},
    {0x201D, "\""},
    {0x2022, "*"},
    {0x2023, "*"},
    {0x2043, "*"},
    {0x2060, ""},
    {0x25CF, "*"},
    {0x25E6, "*"},
    {0x2028, "\n"},
    {0x2029, "\n"},
    {0x3000, " "},
    {0xFEFF, ""},
};

/* 0x80 to 0x9F of Windows-1252; 0 is unassigned. */
static const uint16_t cp1252[32] = {0x20AC, 0, 0x201A, 0x192, 0x201E, 0x2026,
    0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0, 0x17D, 0, 0, 0x2018,
    0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161,
    0x203A, 0x153, 0, 0x17E, 0x178};

static void put(struct gs_buf *out, uint32_t code)
{
	if (code >= 0x2000 && code <= 0x200A) {
		gs_buf_addc(out, ' ');
		return;
	}
	if (code >= 0x200B && code <= 0x200F)
		return;
	for (size_t i = 0; code >= 0x80 && i < GS_COUNT(signs); i++) {
		if (signs[i].code == code) {
			gs_buf_addz(out, signs[i].ascii);
			return;
		}
	}
	if (code == '\r' || code == '\f' || code == '\v')
		code = '\n';
	if (code < 0x80)
		gs_buf_addc(out, (char)code);
	else
		gs_utf8_put(out, code);
}

static void put_utf16(struct gs_buf *out, struct gs_str s, bool big)
{
	const unsigned char *p = (const unsigned char *)s.p;
	uint32_t high = 0;
	for (size_t i = 0; i + 1 < s.n; i += 2) {
		uint32_t unit = big ? (uint32_t)(p[i] << 8 | p[i + 1])
		                    : (uint32_t)(p[i + 1] << 8 | p[i]);
		if (unit >= 0xD800 && unit < 0xDC00) {
			high = unit;
			continue;
		}
		if (unit >= 0xDC00 && unit < 0xE000)
			unit = high ? 0x10000 + ((high - 0xD800) << 10) +
			                  (unit - 0xDC00)
			            : 0xFFFD;
		high = 0;
		put(out, unit);
	}
}

static void put_cp1252(struct gs_buf *out, struct gs_str s)
{
	for (size_t i = 0; i < s.n; i++) {
		uint32_t code = (unsigned char)s.p[i];
		if (code >= 0x80 && code < 0xA0)
			code = cp1252[code - 0x80];
		put(out, code ? code : ' ');
	}
}

static size_t plain_length(struct gs_str s)
{
	size_t n = 0;
	while (n < s.n && s.p[n] >= ' ' && s.p[n] <= '~')
		n++;
	return n;
}

void gs_words_decode(struct gs_str bytes, struct gs_buf *out)
{
	if (gs_str_starts(bytes, "\xFF\xFE")) {
		put_utf16(out, gs_str_from(bytes, 2), false);
	} else if (gs_str_starts(bytes, "\xFE\xFF")) {
		put_utf16(out, gs_str_from(bytes, 2), true);
	} else if (gs_utf8_valid(bytes)) {
		while (bytes.n > 0)
			if (bytes.p[0] >= ' ' && bytes.p[0] <= '~') {
				size_t n = plain_length(bytes);
				gs_buf_add(out, bytes.p, n);
				bytes = gs_str_from(bytes, n);
			} else {
				put(out, gs_utf8_next(&bytes));
			}
	} else {
		put_cp1252(out, bytes);
	}
}

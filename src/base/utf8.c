/* SPDX-License-Identifier: Apache-2.0 */
#include "base/utf8.h"

#include <assert.h>
#include <string.h>

#define REPLACEMENT 0xfffd

struct range {
	uint32_t first, last;
};

static bool within(const struct range *ranges, size_t n, uint32_t c)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (c > ranges[middle].last)
			low = middle + 1;
		else if (c < ranges[middle].first)
			high = middle;
		else
			return true;
	}
	return false;
}

/* Bytes that follow the lead byte, or -1. */
static int tail_length(unsigned char lead)
{
	if (lead < 0x80)
		return 0;
	if (lead >= 0xc2 && lead <= 0xdf)
		return 1;
	if (lead >= 0xe0 && lead <= 0xef)
		return 2;
	return lead >= 0xf0 && lead <= 0xf4 ? 3 : -1;
}

/* Whether `c` may follow the lead byte: this is where overlong forms,
 * surrogates and code points beyond U+10FFFF are refused. */
static bool second_fits(unsigned char lead, unsigned char c)
{
	unsigned low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
	unsigned high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
	return c >= low && c <= high;
}

/* Decodes at the front of s (not empty). Returns the bytes used; *ret_ok is
 * false for a maximal ill-formed subsequence of that length. */
static size_t decode(struct gs_str s, uint32_t *ret_point, bool *ret_ok)
{
	static const unsigned char lead_bits[] = {0x7f, 0x1f, 0x0f, 0x07};
	unsigned char lead = (unsigned char)s.p[0];
	int tail = tail_length(lead);

	*ret_ok = false;
	*ret_point = REPLACEMENT;
	if (tail < 0)
		return 1;
	uint32_t point = lead & lead_bits[tail];
	for (size_t i = 1; i <= (size_t)tail; i++) {
		unsigned char c = i < s.n ? (unsigned char)s.p[i] : 0;
		if (i == 1 ? !second_fits(lead, c) : (c & 0xc0) != 0x80)
			return i;
		point = point << 6 | (c & 0x3f);
	}
	*ret_point = point;
	*ret_ok = true;
	return (size_t)tail + 1;
}

/* Most text is ASCII for long stretches: eight bytes at a time. */
static size_t ascii_prefix(struct gs_str s)
{
	size_t n = 0;
	uint64_t word;

	while (s.n - n >= sizeof(word)) {
		memcpy(&word, s.p + n, sizeof(word));
		if (word & UINT64_C(0x8080808080808080))
			break;
		n += sizeof(word);
	}
	return n;
}

size_t gs_utf8_prefix(struct gs_str s)
{
	struct gs_str rest = s;

	while (rest.n > 0) {
		uint32_t point;
		bool ok;
		rest = gs_str_from(rest, ascii_prefix(rest));
		if (rest.n == 0)
			break;
		size_t n = decode(rest, &point, &ok);
		if (!ok)
			break;
		rest = gs_str_from(rest, n);
	}
	return s.n - rest.n;
}

bool gs_utf8_valid(struct gs_str s)
{
	return gs_utf8_prefix(s) == s.n;
}

void gs_utf8_repair(struct gs_buf *out, struct gs_str s)
{
	while (s.n > 0) {
		size_t n = gs_utf8_prefix(s);
		gs_buf_add(out, s.p, n);
		s = gs_str_from(s, n);
		if (s.n == 0)
			break;
		uint32_t point;
		bool ok;
		s = gs_str_from(s, decode(s, &point, &ok));
		gs_utf8_put(out, REPLACEMENT);
	}
}

/* Controls, line separators, bidirectional controls, the byte order mark
 * and tag characters: all that moves or hides other text. */
static bool is_harmful(uint32_t c)
{
	static const struct range ranges[] = {
	    {0x0000, 0x001f},
	    {0x007f, 0x009f},
	    {0x061c, 0x061c},
	    {0x200e, 0x200f},
	    {0x2028, 0x202e},
	    {0x2066, 0x206f},
	    {0xfeff, 0xfeff},
	    {0xfff9, 0xfffb},
	    {0xe0000, 0xe007f},
	};
	return within(ranges, GS_COUNT(ranges), c);
}

void gs_utf8_harmless(struct gs_buf *out, struct gs_str s, bool multiline)
{
	while (s.n > 0) {
		uint32_t point;
		bool ok;
		size_t n = decode(s, &point, &ok);

		if (!ok)
			for (size_t i = 0; i < n; i++)
				gs_buf_addf(
				    out, "\\x%02x", (unsigned char)s.p[i]);
		else if (multiline && (point == '\n' || point == '\t'))
			gs_buf_addc(out, (char)point);
		else if (!is_harmful(point))
			gs_buf_add(out, s.p, n);
		else if (point < 0x80)
			gs_buf_addf(out, "\\x%02x", (unsigned)point);
		else
			gs_buf_addf(out, "\\u{%04x}", (unsigned)point);
		s = gs_str_from(s, n);
	}
}

uint32_t gs_utf8_next(struct gs_str *s)
{
	uint32_t point;
	bool ok;

	assert(s->n > 0);
	*s = gs_str_from(*s, decode(*s, &point, &ok));
	return point;
}

void gs_utf8_put(struct gs_buf *out, uint32_t c)
{
	char bytes[4];
	size_t n = 0;

	if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		c = REPLACEMENT;
	if (c < 0x80) {
		bytes[n++] = (char)c;
	} else if (c < 0x800) {
		bytes[n++] = (char)(0xc0 | c >> 6);
		bytes[n++] = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		bytes[n++] = (char)(0xe0 | c >> 12);
		bytes[n++] = (char)(0x80 | (c >> 6 & 0x3f));
		bytes[n++] = (char)(0x80 | (c & 0x3f));
	} else {
		bytes[n++] = (char)(0xf0 | c >> 18);
		bytes[n++] = (char)(0x80 | (c >> 12 & 0x3f));
		bytes[n++] = (char)(0x80 | (c >> 6 & 0x3f));
		bytes[n++] = (char)(0x80 | (c & 0x3f));
	}
	gs_buf_add(out, bytes, n);
}

/* The large blocks only; enough to keep columns straight. */
static const struct range zero_width[] = {
    {0x0300, 0x036f},
    {0x0483, 0x0489},
    {0x0591, 0x05bd},
    {0x0610, 0x061a},
    {0x064b, 0x065f},
    {0x0e34, 0x0e3a},
    {0x0e47, 0x0e4e},
    {0x1ab0, 0x1aff},
    {0x1dc0, 0x1dff},
    {0x200b, 0x200f},
    {0x202a, 0x202e},
    {0x2060, 0x206f},
    {0x20d0, 0x20ff},
    {0xfe00, 0xfe0f},
    {0xfe20, 0xfe2f},
    {0xfeff, 0xfeff},
    {0xe0000, 0xe01ef},
};

static const struct range double_width[] = {
    {0x1100, 0x115f},
    {0x231a, 0x231b},
    {0x23e9, 0x23ec},
    {0x2614, 0x2615},
    {0x26a1, 0x26a1},
    {0x2705, 0x2705},
    {0x2728, 0x2728},
    {0x274c, 0x274c},
    {0x2753, 0x2755},
    {0x2795, 0x2797},
    {0x2b50, 0x2b50},
    {0x2e80, 0x303e},
    {0x3041, 0x33ff},
    {0x3400, 0x4dbf},
    {0x4e00, 0xa4cf},
    {0xa960, 0xa97c},
    {0xac00, 0xd7a3},
    {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},
    {0xff00, 0xff60},
    {0xffe0, 0xffe6},
    {0x16fe0, 0x18cff},
    {0x1b000, 0x1b2ff},
    {0x1f18e, 0x1f18e},
    {0x1f191, 0x1f19a},
    {0x1f200, 0x1f320},
    {0x1f32d, 0x1f64f},
    {0x1f680, 0x1f6ff},
    {0x1f7e0, 0x1f7eb},
    {0x1f90c, 0x1f9ff},
    {0x1fa70, 0x1faff},
    {0x20000, 0x3fffd},
};

size_t gs_utf8_width(struct gs_str s)
{
	size_t width = 0;

	while (s.n > 0) {
		uint32_t c = gs_utf8_next(&s);
		if (c < 0x20 || (c >= 0x7f && c < 0xa0) ||
		    within(zero_width, GS_COUNT(zero_width), c))
			continue;
		width +=
		    within(double_width, GS_COUNT(double_width), c) ? 2 : 1;
	}
	return width;
}

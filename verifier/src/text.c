/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <nettle/sha2.h>
#include <stdlib.h>
#include <string.h>

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

struct gv_sum {
	struct sha256_ctx ctx;
};

struct gv_sum *gv_sum_begin(void)
{
	struct gv_sum *sum = gv_alloc(sizeof(*sum));

	sha256_init(&sum->ctx);
	return sum;
}

void gv_sum_add(struct gv_sum *sum, const void *bytes, size_t n)
{
	sha256_update(&sum->ctx, n, bytes);
}

void gv_sum_end(struct gv_sum *sum, char hex[GV_HEX])
{
	static const char digits[] = "0123456789abcdef";
	uint8_t bytes[SHA256_DIGEST_SIZE];

	sha256_digest(&sum->ctx, sizeof(bytes), bytes);
	for (size_t i = 0; i < sizeof(bytes); i++) {
		hex[2 * i] = digits[bytes[i] >> 4];
		hex[2 * i + 1] = digits[bytes[i] & 15];
	}
	hex[GV_HEX - 1] = '\0';
	free(sum);
}

void gv_sha256(const void *bytes, size_t n, char hex[GV_HEX])
{
	struct gv_sum *sum = gv_sum_begin();

	gv_sum_add(sum, bytes, n);
	gv_sum_end(sum, hex);
}

/* One line as I1 leaves it, before the common indentation is taken away. */
struct line {
	const char *s;
	size_t n;
};

struct lines {
	struct line *v;
	size_t n;
};

static struct lines cut_lines(const char *text, size_t n)
{
	struct lines all = {0};
	size_t room = 0;

	if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
		text += 3;
		n -= 3;
	}
	while (n) {
		const char *lf = memchr(text, '\n', n);
		size_t size = lf ? (size_t)(lf - text) : n, used = size + !!lf;
		size_t lead = 0;

		if (lf && size && text[size - 1] == '\r')
			size--;
		while (size && blank(text[size - 1]))
			size--;
		while (lead < size && blank(text[lead]))
			lead++;
		if (lead < size && text[lead] != '#') {
			if (all.n == room) {
				room = room * 2 + 64;
				all.v = gv_grow(all.v, room * sizeof(*all.v));
			}
			all.v[all.n++] = (struct line){text, size};
		}
		text += used;
		n -= used;
	}
	return all;
}

static size_t common_indent(const struct line *v, size_t n)
{
	size_t common = 0;

	if (!n)
		return 0;
	while (common < v[0].n && blank(v[0].s[common]))
		common++;
	for (size_t i = 1; i < n; i++) {
		size_t same = 0;

		while (same < common && same < v[i].n &&
		       v[i].s[same] == v[0].s[same])
			same++;
		common = same;
	}
	return common;
}

void gv_normalise(const char *text, size_t n, struct gv_buf *to)
{
	struct lines all = cut_lines(text, n);
	size_t indent = common_indent(all.v, all.n);

	gv_put(to, "", 0);
	for (size_t i = 0; i < all.n; i++) {
		gv_put(to, all.v[i].s + indent, all.v[i].n - indent);
		gv_put(to, "\n", 1);
	}
	free(all.v);
}

void gv_fingerprint(
    const struct gv_buf *before, const struct gv_buf *after, char hex[GV_HEX])
{
	struct gv_buf all = {0};

	gv_normalise(before->s, before->n, &all);
	gv_put(&all, "", 1);
	gv_normalise(after->s, after->n, &all);
	gv_sha256(all.s, all.n, hex);
	gv_drop(&all);
}

void gv_id(const char *const seven[7], char id[20])
{
	struct gv_buf all = {0};
	char hex[GV_HEX];

	for (int i = 0; i < 7; i++)
		gv_putf(&all, "%s%s", i ? "\n" : "", seven[i]);
	gv_sha256(all.s, all.n, hex);
	memcpy(id, "gs-", 3);
	memcpy(id + 3, hex, 16);
	id[19] = '\0';
	gv_drop(&all);
}

/* Do lines from v[0] on equal the unit's under one indentation, and does the
 * block end there? */
static bool unit_at(const struct line *v, size_t n, const struct lines *unit)
{
	size_t indent = 0;

	if (unit->n > n)
		return false;
	while (indent < v[0].n && blank(v[0].s[indent]))
		indent++;
	for (size_t i = 0; i < unit->n; i++)
		if (v[i].n != unit->v[i].n + indent ||
		    memcmp(v[i].s, v[0].s, indent) != 0 ||
		    memcmp(v[i].s + indent, unit->v[i].s, unit->v[i].n) != 0)
			return false;
	return unit->n == n || v[unit->n].n <= indent ||
	       !blank(v[unit->n].s[indent]);
}

bool gv_holds_unit(const char *text, size_t n, const struct gv_buf *normal)
{
	struct lines all = cut_lines(text, n);
	struct lines unit = cut_lines(normal->s, normal->n);
	bool found = false;

	for (size_t i = 0; i < all.n && unit.n && !found; i++)
		found = unit_at(all.v + i, all.n - i, &unit);
	free(all.v);
	free(unit.v);
	return found;
}

bool gv_date(int64_t seconds, char to[24])
{
	int64_t days = seconds / 86400, rest = seconds % 86400;
	int year = 1970, month = 0;

	if (seconds < 0 || seconds > 253402300799)
		return false;
	for (;; year++) {
		bool leap =
		    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;

		if (days < 365 + leap)
			break;
		days -= 365 + leap;
	}
	for (;; month++) {
		static const int lengths[] = {
		    31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
		bool leap =
		    (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
		int length = lengths[month] + (leap && month == 1);

		if (days < length)
			break;
		days -= length;
	}
	char *text = gv_format("%04d-%02d-%02dT%02d:%02d:%02dZ", year,
	    month + 1, (int)days + 1, (int)(rest / 3600), (int)(rest / 60 % 60),
	    (int)(rest % 60));
	memcpy(to, text, 21);
	free(text);
	return true;
}

bool gv_is_date(const char *text)
{
	static const char form[] = "dddd-dd-ddTdd:dd:ddZ";

	if (strlen(text) != sizeof(form) - 1)
		return false;
	for (size_t i = 0; form[i]; i++)
		if (form[i] == 'd' ? text[i] < '0' || text[i] > '9'
		                   : text[i] != form[i])
			return false;
	return true;
}

static size_t utf8_size(unsigned char first)
{
	if (first < 0x80)
		return 1;
	if (first < 0xc2 || first > 0xf4)
		return 0;
	return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/* The length of the well-formed character at `s`, or 0. */
static size_t utf8_at(const unsigned char *s, size_t n)
{
	size_t size = utf8_size(s[0]);

	if (!size || size > n)
		return 0;
	for (size_t i = 1; i < size; i++)
		if ((s[i] & 0xc0) != 0x80)
			return 0;
	/* too long a form, half of a pair, beyond the last plane */
	if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
	    (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
		return 0;
	return size;
}

bool gv_is_utf8(const char *text, size_t n)
{
	for (size_t size; n; text += size, n -= size)
		if (!(size = utf8_at((const unsigned char *)text, n)))
			return false;
	return true;
}

void gv_repair_utf8(const char *text, size_t n, struct gv_buf *to)
{
	while (n) {
		size_t size = utf8_at((const unsigned char *)text, n);

		if (size)
			gv_put(to, text, size);
		else
			gv_puts(to, "\xef\xbf\xbd");
		size += !size;
		text += size;
		n -= size;
	}
}

static size_t line_of(const char *s, size_t n)
{
	const char *lf = memchr(s, '\n', n);

	return lf ? (size_t)(lf - s) : n;
}

static bool all_blank(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!blank(s[i]) && s[i] != '\r' && s[i] != '\f' &&
		    s[i] != '\v')
			return false;
	return true;
}

void gv_message_spec(const struct gv_buf *message, struct gv_buf *to)
{
	const char *s = gv_text(message), *end = s + message->n;
	struct gv_buf all = {0};
	size_t last = 0;

	while (s < end && all_blank(s, line_of(s, (size_t)(end - s))))
		s += line_of(s, (size_t)(end - s)) + 1;
	while (s < end) {
		size_t n = line_of(s, (size_t)(end - s));

		gv_put(&all, s, n);
		if (!all_blank(s, n))
			last = all.n;
		gv_put(&all, "\n", 1);
		s += n + 1;
	}
	gv_put(to, gv_text(&all), last);
	gv_drop(&all);
}

void gv_subject(const struct gv_buf *message, struct gv_buf *to)
{
	struct gv_buf spec = {0};

	gv_message_spec(message, &spec);
	gv_put(to, gv_text(&spec), line_of(gv_text(&spec), spec.n));
	gv_drop(&spec);
}

/* The length of the UTF-8 sequence at `s`, or 0; its code point in *c. */
static size_t sequence(const char *s, uint32_t *c)
{
	unsigned char lead = (unsigned char)*s;
	size_t n = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;

	if (strnlen(s, n) < n || !gv_is_utf8(s, n))
		return 0;
	*c = n == 1 ? lead : lead & (0x7fu >> n);
	for (size_t i = 1; i < n; i++)
		*c = *c << 6 | ((unsigned char)s[i] & 0x3f);
	return n;
}

static bool moves_others(uint32_t c)
{
	return c < ' ' || (c >= 0x7f && c < 0xa0) || c == 0x61c ||
	       c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) ||
	       (c >= 0x2066 && c <= 0x2069);
}

char *gv_plain(const char *text)
{
	struct gv_buf to = {0};
	uint32_t c = 0;

	gv_put(&to, "", 0);
	while (*text) {
		size_t n = sequence(text, &c);

		if (!n)
			gv_putf(&to, "\\x%02X", (unsigned char)*text);
		else if (moves_others(c))
			gv_putf(&to, c < 0x100 ? "\\x%02X" : "\\u{%04X}", c);
		else
			gv_put(&to, text, n);
		text += n ? n : 1;
	}
	return to.s;
}

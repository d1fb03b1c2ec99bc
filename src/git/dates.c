/* SPDX-License-Identifier: Apache-2.0 */
#include "git/dates.h"

#include "base/datetime.h"

static size_t count_digits(struct gs_str s)
{
	size_t n = 0;

	while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
		n++;
	return n;
}

static struct gs_str skip_space(struct gs_str s)
{
	while (s.n > 0 && (s.p[0] == ' ' || (s.p[0] >= '\t' && s.p[0] <= '\r')))
		s = gs_str_from(s, 1);
	return s;
}

bool gs_date_parse(struct gs_str digits, int64_t *ret_at)
{
	int64_t at = 0;

	if (digits.n == 0 || count_digits(digits) != digits.n)
		return false;
	for (size_t i = 0; i < digits.n; i++) {
		at = at * 10 + (digits.p[i] - '0');
		if (at > GS_DATETIME_MAX)
			return false;
	}
	*ret_at = at;
	return true;
}

bool gs_date_of_ident(struct gs_str line, int64_t *ret_at)
{
	ptrdiff_t mail_end = gs_str_rfind_char(line, '>');
	struct gs_str rest, zone;
	size_t n;

	if (mail_end < 0)
		return false;
	rest = skip_space(gs_str_from(line, (size_t)mail_end + 1));
	n = count_digits(rest);
	zone = skip_space(gs_str_from(rest, n));
	if (zone.n < 2 || (zone.p[0] != '+' && zone.p[0] != '-') ||
	    count_digits(gs_str_from(zone, 1)) == 0)
		return false;
	return gs_date_parse(gs_str_sub(rest, 0, n), ret_at);
}

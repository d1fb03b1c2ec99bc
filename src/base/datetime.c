/* SPDX-License-Identifier: Apache-2.0 */
/* The proleptic Gregorian calendar, in whole 400-year eras that begin on
 * 1 March, so that the leap day is the last of its year. */
#include "base/datetime.h"

#include <assert.h>

#define DAY 86400
#define ERA_DAYS 146097
#define ERA_YEARS 400
/* Days from 0000-03-01 to 1970-01-01. */
#define EPOCH_DAYS 719468

struct date {
	int64_t year;
	int month, day;
};

static bool is_leap(int64_t year)
{
	return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int month_days(int64_t year, int month)
{
	static const int days[] = {
	    31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
	return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static int64_t days_of(struct date date)
{
	int64_t year = date.month <= 2 ? date.year - 1 : date.year;
	int64_t era = floor_div(year, ERA_YEARS);
	int64_t year_of_era = year - era * ERA_YEARS;
	int64_t month = (date.month + 9) % 12; /* March is 0 */
	int64_t day_of_year = (153 * month + 2) / 5 + date.day - 1;
	int64_t day_of_era = year_of_era * 365 + year_of_era / 4 -
	                     year_of_era / 100 + day_of_year;
	return era * ERA_DAYS + day_of_era - EPOCH_DAYS;
}

static struct date date_of(int64_t days)
{
	days += EPOCH_DAYS;
	int64_t era = floor_div(days, ERA_DAYS);
	int64_t day = days - era * ERA_DAYS;
	int64_t year = (day - day / 1460 + day / 36524 - day / 146096) / 365;
	day -= 365 * year + year / 4 - year / 100;
	int64_t month = (5 * day + 2) / 153;
	return (struct date){
	    .year = year + era * ERA_YEARS + (month >= 10),
	    .month = (int)(month < 10 ? month + 3 : month - 9),
	    .day = (int)(day - (153 * month + 2) / 5 + 1),
	};
}

/* Writes `value` as n digits and then `after`; returns the place behind. */
static char *put(char *out, int n, int64_t value, char after)
{
	for (int i = n - 1; i >= 0; i--) {
		out[i] = (char)('0' + value % 10);
		value /= 10;
	}
	out[n] = after;
	return out + n + 1;
}

void gs_datetime_print(int64_t at, char out[GS_DATETIME_SIZE])
{
	assert(at >= GS_DATETIME_MIN && at <= GS_DATETIME_MAX);
	int64_t days = floor_div(at, DAY);
	int64_t second = at - days * DAY;
	struct date date = date_of(days);

	out = put(out, 4, date.year, '-');
	out = put(out, 2, date.month, '-');
	out = put(out, 2, date.day, 'T');
	out = put(out, 2, second / 3600, ':');
	out = put(out, 2, second / 60 % 60, ':');
	out = put(out, 2, second % 60, 'Z');
	*out = '\0';
}

/* Matches `text` against a form in which '0' stands for any digit. */
static bool looks_like(struct gs_str text, const char *form)
{
	struct gs_str want = gs_str(form);

	if (text.n != want.n)
		return false;
	for (size_t i = 0; i < text.n; i++) {
		bool ok = want.p[i] == '0'
		              ? text.p[i] >= '0' && text.p[i] <= '9'
		              : text.p[i] == want.p[i];
		if (!ok)
			return false;
	}
	return true;
}

/* The n digits at `at`. */
static int number(struct gs_str text, size_t at, size_t n)
{
	int value = 0;

	for (size_t i = at; i < at + n; i++)
		value = value * 10 + (text.p[i] - '0');
	return value;
}

bool gs_datetime_parse(struct gs_str text, int64_t *ret_at)
{
	bool has_time = looks_like(text, "0000-00-00T00:00:00Z");

	if (!has_time && !looks_like(text, "0000-00-00"))
		return false;
	struct date date = {
	    number(text, 0, 4), number(text, 5, 2), number(text, 8, 2)};
	int64_t hour = has_time ? number(text, 11, 2) : 0;
	int64_t minute = has_time ? number(text, 14, 2) : 0;
	int64_t second = has_time ? number(text, 17, 2) : 0;
	if (date.month < 1 || date.month > 12 || date.day < 1 ||
	    date.day > month_days(date.year, date.month) || hour > 23 ||
	    minute > 59 || second > 59)
		return false;
	*ret_at = days_of(date) * DAY + hour * 3600 + minute * 60 + second;
	return true;
}

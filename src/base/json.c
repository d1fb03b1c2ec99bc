/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/utf8.h"

static void indent(struct gs_json *json)
{
	if (!json->pretty)
		return;
	gs_buf_addc(json->out, '\n');
	for (unsigned i = 0; i < json->depth; i++)
		gs_buf_addz(json->out, "  ");
}

/* What comes before a value: nothing after a key, a comma after a sibling.
 * At the top nothing either, so one writer can write JSON Lines. */
static void before_value(struct gs_json *json)
{
	if (json->after_key) {
		json->after_key = false;
		return;
	}
	if (json->depth == 0)
		return;
	if (json->needs_comma)
		gs_buf_addc(json->out, ',');
	indent(json);
}

static void begin(struct gs_json *json, char bracket)
{
	before_value(json);
	gs_buf_addc(json->out, bracket);
	json->depth++;
	json->needs_comma = false;
}

static void end(struct gs_json *json, char bracket)
{
	assert(json->depth > 0 && !json->after_key);
	json->depth--;
	if (json->needs_comma)
		indent(json);
	gs_buf_addc(json->out, bracket);
	json->needs_comma = true;
}

static void scalar(struct gs_json *json, const char *text)
{
	before_value(json);
	gs_buf_addz(json->out, text);
	json->needs_comma = true;
}

void gs_json_begin_object(struct gs_json *json)
{
	begin(json, '{');
}

void gs_json_end_object(struct gs_json *json)
{
	end(json, '}');
}

void gs_json_begin_array(struct gs_json *json)
{
	begin(json, '[');
}

void gs_json_end_array(struct gs_json *json)
{
	end(json, ']');
}

static void escape(struct gs_buf *out, unsigned char c)
{
	static const char named[][2] = {{'"', '"'}, {'\\', '\\'}, {'\b', 'b'},
	    {'\f', 'f'}, {'\n', 'n'}, {'\r', 'r'}, {'\t', 't'}};

	for (size_t i = 0; i < GS_COUNT(named); i++) {
		if (c == (unsigned char)named[i][0]) {
			gs_buf_addc(out, '\\');
			gs_buf_addc(out, named[i][1]);
			return;
		}
	}
	gs_buf_addf(out, "\\u%04x", c);
}

static void quote(struct gs_buf *out, struct gs_str s)
{
	size_t plain = 0; /* start of what needs no escape */

	gs_buf_addc(out, '"');
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		if (c >= 0x20 && c != '"' && c != '\\')
			continue;
		gs_buf_adds(out, gs_str_sub(s, plain, i));
		escape(out, c);
		plain = i + 1;
	}
	gs_buf_adds(out, gs_str_from(s, plain));
	gs_buf_addc(out, '"');
}

static void quote_any(struct gs_buf *out, struct gs_str s)
{
	if (gs_utf8_valid(s)) {
		quote(out, s);
		return;
	}
	GS_CLEANUP(gs_buf_release) struct gs_buf valid = {0};
	gs_utf8_repair(&valid, s);
	out->overflow |= valid.overflow;
	quote(out, gs_buf_str(&valid));
}

void gs_json_key(struct gs_json *json, const char *key)
{
	assert(json->depth > 0 && !json->after_key);
	before_value(json);
	quote_any(json->out, gs_str(key));
	gs_buf_addz(json->out, json->pretty ? ": " : ":");
	json->after_key = true;
}

void gs_json_string(struct gs_json *json, struct gs_str s)
{
	before_value(json);
	quote_any(json->out, s);
	json->needs_comma = true;
}

void gs_json_cstr(struct gs_json *json, const char *s)
{
	if (s)
		gs_json_string(json, gs_str(s));
	else
		gs_json_null(json);
}

void gs_json_int(struct gs_json *json, int64_t value)
{
	char text[32];

	(void)snprintf(text, sizeof(text), "%lld", (long long)value);
	scalar(json, text);
}

void gs_json_real(struct gs_json *json, double value)
{
	char text[40];
	int n = 0;

	if (!isfinite(value)) { /* JSON has no such numbers */
		gs_json_null(json);
		return;
	}
	for (int digits = 1; digits <= 17; digits++) {
		n = snprintf(text, sizeof(text), "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	for (int i = 0; i < n; i++)
		if (text[i] == ',') /* a locale's decimal point */
			text[i] = '.';
	/* "1" would be read back as an integer. */
	if (gs_str_find_char(gs_str(text), '.') < 0 &&
	    gs_str_find_char(gs_str(text), 'e') < 0)
		(void)snprintf(text + n, sizeof(text) - (size_t)n, ".0");
	scalar(json, text);
}

void gs_json_bool(struct gs_json *json, bool value)
{
	scalar(json, value ? "true" : "false");
}

void gs_json_null(struct gs_json *json)
{
	scalar(json, "null");
}

void gs_json_raw(struct gs_json *json, struct gs_str text)
{
	before_value(json);
	gs_buf_adds(json->out, text);
	json->needs_comma = true;
}

void gs_json_strv(struct gs_json *json, const struct gs_strv *strv)
{
	gs_json_begin_array(json);
	for (size_t i = 0; i < strv->n; i++)
		gs_json_cstr(json, strv->v[i]);
	gs_json_end_array(json);
}

void gs_json_put_cstr(struct gs_json *json, const char *key, const char *s)
{
	gs_json_key(json, key);
	gs_json_cstr(json, s);
}

void gs_json_put_str(struct gs_json *json, const char *key, struct gs_str s)
{
	gs_json_key(json, key);
	gs_json_string(json, s);
}

void gs_json_put_int(struct gs_json *json, const char *key, int64_t value)
{
	gs_json_key(json, key);
	gs_json_int(json, value);
}

void gs_json_put_bool(struct gs_json *json, const char *key, bool value)
{
	gs_json_key(json, key);
	gs_json_bool(json, value);
}

void gs_json_put_strv(
    struct gs_json *json, const char *key, const struct gs_strv *strv)
{
	gs_json_key(json, key);
	gs_json_strv(json, strv);
}

json_t *gs_json_parse(struct gs_str text, const char *what, struct gs_err *err)
{
	const size_t flags =
	    JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY;
	json_error_t why;
	json_t *json = json_loadb(text.p ? text.p : "", text.n, flags, &why);

	if (!json)
		(void)gs_fail(err, GS_E_CORRUPT,
		    "%s is not JSON that we take: line %d column %d: %s", what,
		    why.line, why.column, why.text);
	return json;
}

void gs_json_free(json_t **json)
{
	json_decref(*json);
	*json = NULL;
}

struct gs_str gs_json_get_str(const json_t *object, const char *key)
{
	const json_t *member = json_object_get(object, key);
	return gs_str_n(json_string_value(member), json_string_length(member));
}

const char *gs_json_get_cstr(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

char *gs_json_get_dup(const json_t *object, const char *key)
{
	return gs_strdup(gs_json_get_cstr(object, key));
}

int64_t gs_json_get_int(const json_t *object, const char *key, int64_t fallback)
{
	const json_t *member = json_object_get(object, key);
	return json_is_integer(member) ? json_integer_value(member) : fallback;
}

double gs_json_get_real(const json_t *object, const char *key, double fallback)
{
	const json_t *member = json_object_get(object, key);
	return json_is_number(member) ? json_number_value(member) : fallback;
}

bool gs_json_get_bool(const json_t *object, const char *key, bool fallback)
{
	const json_t *member = json_object_get(object, key);
	return json_is_boolean(member) ? json_is_true(member) : fallback;
}

void gs_json_get_strv(
    const json_t *object, const char *key, struct gs_strv *strv)
{
	const json_t *member = json_object_get(object, key);

	for (size_t i = 0; i < json_array_size(member); i++) {
		const json_t *item = json_array_get(member, i);
		if (json_is_string(item))
			gs_strv_push_str(strv, gs_str_n(json_string_value(item),
			                           json_string_length(item)));
	}
}
